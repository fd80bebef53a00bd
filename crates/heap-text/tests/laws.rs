//! The laws of the two readings of a text: what `expand` writes is in what `contains` accepts, and
//! with one thing changed it is not.

use heapwright_frontend::{Settings, Source, load};
use heapwright_heap_text::{
    Claim, Expansion, Fit, Limits, OfMachine, OfSnapshot, contains, expand, parse, scripts,
};
use heapwright_interpreter::{
    BlockIdentity, BlockState, CellState, Environment, Executable, Machine, SeededInputs,
    Settings as RunSettings, Snapshot, ValueState,
};
use heapwright_program::{DataModel, Program};

/// A program whose global variables can hold any heap; it has one loop head.
const PROGRAM: &str = "
    void *head, *tail, *other; int count;
    int main(void) { while (1) { count = count + 1; } return head != tail || tail != other; }";

fn program() -> Program {
    let source = Source::new("heaps.c", PROGRAM.to_owned());
    load(&[source], &Settings::new(DataModel::Lp64)).expect("correct C").program
}

fn claim(program: &Program, text: &str) -> Claim {
    Claim::of(program, parse(text).expect("a heap")).expect("names of the program")
}

const LIST: &str = "
    global head = &b90
    in main at L0
    b90: heap, 16 bytes, list of 2+
      end = 0
      each
        node: heap, 16 bytes
          +0/8 = next
          +8/4 = 3
      end";

const KINDS: &str = "
    global head = &b90
    global count = number.1
    in main at L0
    b90: heap, 16 bytes, list of 1+
      end = 0
      each
        number n1: 32 bits
        node: heap, 16 bytes
          +0/8 = next
          +8/4 = n1
        where 5 <=s n1
        where n1 <=s 9
      end
      each
        node: heap, 24 bytes, zeroed
          +0/8 = next
          +16/8 = &owned1
        owned1: heap, 4 bytes
          +0/4 = number.1
      end
      sequence first 1, last 1 2, 1 then 1 2, 2 then 2
    number number.1: 32 bits
    where 2 <=s number.1";

const RING: &str = "
    global head = &b90 + 8
    global tail = &b91
    in main at L0
    b90: heap, 24 bytes, list of 1+ and back from b91 to +8
      end = &b90 + 8
      back = &b91 + 8
      each
        node: heap, 24 bytes
          +8/8 = next
          +16/8 = previous
      end
    b91: heap, 24 bytes, last of b90";

const SORTED: &str = "
    global head = &b90
    global count = number.1
    in main at L0
    b90: heap, 16 bytes, list of 2+, descending by +8/4
      end = 0
      first = number.1
      last = number.2
      each
        number n1: 32 bits
        node: heap, 16 bytes
          +0/8 = next
          +8/4 = n1
      end
    number number.1: 32 bits
    number number.2: 32 bits
    where number.2 <s number.1";

const TREE: &str = "
    global head = &b90
    global tail = &b92
    global other = &b91
    in main at L0
    b90: heap, 32 bytes, tree by +0 +8 and up by +16 from b91
      end = &b92
      back = 0
      each
        node: heap, 32 bytes
          +24/1 = 7
      end
    b91: heap, 32 bytes, last of b90
    b92: heap, 32 bytes
      +16/8 = &b91";

const SEARCH_TREE: &str = "
    global head = &b90
    global tail = &b92
    global count = number.3
    in main at L0
    b90: heap, 24 bytes, tree by +0 +8, strictly ascending by +16/4
      end = &b92
      first = number.1
      last = number.2
      before = number.3
      behind = number.4
      each
        number n1: 32 bits
        node: heap, 24 bytes
          +16/4 = n1
      end
    b92: heap, 24 bytes
      +16/4 = number.5
    number number.1: 32 bits
    number number.2: 32 bits
    number number.3: 32 bits
    number number.4: 32 bits
    number number.5: 32 bits
    where number.3 <s number.5
    where number.5 <s number.4";

const NESTED: &str = "
    global head = &b90
    in main at L0
    b90: heap, 16 bytes, list of 1+
      end = 0
      each
        node: heap, 16 bytes
          +0/8 = next
          +8/8 = &owned1
        owned1: heap, 16 bytes, list of 1+
          end = &node
          each
            inner.node: heap, 16 bytes
              +0/8 = inner.next
              +8/8 = &node
          end
      end";

/// Elements that are their index, as many as a number says.
const ELEMENTS: &str = "
    global head = &b90
    global count = number.1
    in main at L0
    b90: heap, 64 bytes
      every/4 by 4 from 8 to sext64(number.1) << 2 holds here == place[33:2]
    number number.1: 32 bits
    where 4 <=s number.1
    where number.1 <=s 16";

/// Elements that are the same in two blocks, one place further on in the second.
const COPY: &str = "
    global head = &b90
    global tail = &b91
    global count = number.1
    in main at L0
    b90: heap, 32 bytes
      every/4 by 4 from 0 to sext64(number.1) << 2 beside b91 at 4 holds (here == there) && (here != 0) && (here != 65)
    b91: heap, 32 bytes
    number number.1: 32 bits
    where 1 <=s number.1
    where number.1 <=s 7";

/// Two lists that may be empty, one of which is in a block of its own and as long as a number says.
const EMPTY: &str = "
    global head = &b90
    global tail = &b91
    global other = &b90
    in main at L0
    b90: heap, 16 bytes, list of 0+
      end = 0
      each
        node: heap, 16 bytes
          +0/8 = next
          +8/8 = 7
      end
    b91: heap, 16 bytes
      +0/8 = &b92
      +8/8 = number.1
    b92: heap, 8 bytes, list of 0+
      end = 0
      length = number.1
      each
        node: heap, 8 bytes
          +0/8 = next
      end
    number number.1: 64 bits";

/// A node of which it is open which links are null.
const EMPTY_TREES: &str = "
    global head = &b90
    in main at L0
    b90: heap, 32 bytes
      +0/8 = &b91
      +8/8 = &b92
      +16/8 = 0
      +24/4 = 1
    b91: heap, 32 bytes, tree of 0+ by +0 +8 +16
      each
        node: heap, 32 bytes
          +24/4 = 2
      end
    b92: heap, 32 bytes, tree of 0+ by +0 +8 +16
      each
        node: heap, 32 bytes
          +24/4 = 3
      end";

/// Each node tells how long it is.
const SIZES: &str = "
    global head = &b90
    in main at L0
    b90: heap, 12 bytes, list of 1+
      end = 0
      each
        number n1: 32 bits
        node: heap, (sext64(n1) + 12) bytes
          +0/8 = next
          +8/4 = n1
        where 0 <=s n1
        where n1 <=s 9
      end";

/// Each node knows the link that leads to it.
const LINKS: &str = "
    global head = &b90
    global tail = &b91
    in main at L0
    b89: heap, 8 bytes
      +0/8 = &b90
    b90: heap, 24 bytes, list of 1+ and back from b91 to +0 and +8
      end = 0
      back = &b89
      each
        node: heap, 24 bytes
          +0/8 = 5
          +8/8 = next
          +16/8 = previous
      end
    b91: heap, 24 bytes, last of b90";

/// A list of lists by predicates; the nodes of the inner ones point behind their owner.
const INSTANCE: &str = "
    global head = &b90
    in main at L0
    b90: heap, 16 bytes, instance of combs
    predicate combs/0 of 16 bytes: empty null; node +0/8 = c1, +8/8 = c2, c1 is combs(), c2 is teeth(c1)
    predicate teeth/1 of 24 bytes: empty null; node +0/8 = c1, +8/8 = p1, +16/4 = 7, c1 is teeth(p1)";

/// A doubly linked list by a predicate, but for what hangs on a cursor.
const HOLE: &str = "
    global head = &b90
    global tail = &b92
    in main at L0
    b89: heap, 1 bytes
    b90: heap, 24 bytes, instance of dll without dll from b91
      end = &b92
      argument1 = 0
      argument2 = &b89
      wanted1 = &b91
      wanted2 = &b89
    b91: heap, 24 bytes, last of b90
    b92: heap, 24 bytes
      +0/8 = 0
      +8/8 = &b91
      +16/8 = &b89
    predicate dll/2 of 24 bytes: empty null; node +0/8 = c1, +8/8 = p1, +16/8 = p2, c1 is dll(this, p2)";

const ALL: [&str; 15] = [
    LIST,
    KINDS,
    RING,
    SORTED,
    TREE,
    SEARCH_TREE,
    NESTED,
    ELEMENTS,
    COPY,
    EMPTY,
    EMPTY_TREES,
    SIZES,
    LINKS,
    INSTANCE,
    HOLE,
];

/// The expansions of a text up to three nodes more than the fewest.
fn expansions(program: &Program, claim: &Claim) -> Vec<Snapshot> {
    let mut states = Vec::new();
    for extra in 0..=3 {
        for script in scripts(program, claim, extra) {
            for variant in 0..40 {
                match expand(program, claim, (&script, extra), variant, &[]) {
                    Expansion::State(state) => states.push(*state),
                    Expansion::Empty => {}
                    Expansion::NoMore => break,
                    Expansion::Unclear(why) => panic!("{why}"),
                }
            }
        }
    }
    states
}

fn fits(program: &Program, claim: &Claim, state: &Snapshot) -> Fit {
    contains(claim, &OfSnapshot::new(program, state), &Limits::default())
}

#[test]
fn what_a_text_is_written_out_to_is_in_it() {
    let program = program();
    for text in ALL {
        let claim = claim(&program, text);
        let states = expansions(&program, &claim);
        assert!(states.len() >= 4, "{text}");
        for state in states {
            assert_eq!(fits(&program, &claim, &state), Fit::In, "{text}\n{state:#?}");
        }
    }
}

#[test]
fn a_machine_that_starts_there_is_in_it_too() {
    let program = program();
    let mut settings = RunSettings::default();
    settings.compile.keep_locations = true;
    let executable = Executable::compile(&program, &settings.compile);
    // What is wanted where HOLE ends fixes an address, at which the interpreter does not begin.
    for text in ALL.into_iter().filter(|text| *text != HOLE) {
        let claim = claim(&program, text);
        for state in expansions(&program, &claim) {
            let inputs = Environment::silent(SeededInputs::new(1));
            let machine = Machine::at(&executable, &settings, inputs, &state);
            let machine = machine.unwrap_or_else(|error| panic!("{error}\n{state:#?}"));
            let fit = contains(&claim, &OfMachine::new(&machine), &Limits::default());
            assert_eq!(fit, Fit::In, "{text}\n{state:#?}");
        }
    }
}

/// The state with another value in one cell of a heap block, for each of them.
fn changed_cells(state: &Snapshot) -> Vec<Snapshot> {
    let mut changed = Vec::new();
    for (block, item) in state.blocks.iter().enumerate() {
        if item.identity != BlockIdentity::Heap {
            continue;
        }
        for cell in 0..item.cells.len() {
            let mut state = state.clone();
            let value = &mut state.blocks[block].cells[cell].value;
            *value = match value {
                ValueState::Pointer { .. } | ValueState::Function(_) => ValueState::Bits(0),
                ValueState::Bits(0) => ValueState::Bits(0x41),
                ValueState::Bits(_) => ValueState::Bits(0),
            };
            changed.push(state);
        }
    }
    changed
}

#[test]
fn with_one_cell_changed_it_is_not() {
    let program = program();
    // Sorted lists have numbers that may be others.
    for text in [
        LIST,
        KINDS,
        RING,
        TREE,
        NESTED,
        ELEMENTS,
        COPY,
        EMPTY,
        EMPTY_TREES,
        SIZES,
        LINKS,
        INSTANCE,
        HOLE,
    ] {
        let claim = claim(&program, text);
        for state in expansions(&program, &claim) {
            for changed in changed_cells(&state) {
                let is_out = matches!(fits(&program, &claim, &changed), Fit::Out(_));
                assert!(is_out, "{text}\nwas\n{state:#?}\nis\n{changed:#?}");
            }
        }
    }
}

#[test]
fn without_the_order_it_is_not() {
    let program = program();
    for (text, offset) in [(SORTED, 8), (SEARCH_TREE, 16)] {
        let claim = claim(&program, text);
        for state in expansions(&program, &claim) {
            let mut changed = state.clone();
            let numbers = |cell: &&mut CellState| cell.offset == offset;
            let is_heap = |block: &&mut BlockState| block.identity == BlockIdentity::Heap;
            let nodes = changed.blocks.iter_mut().filter(is_heap);
            let cells = nodes.flat_map(|block| block.cells.iter_mut()).filter(numbers);
            let mut cells: Vec<&mut CellState> = cells.collect();
            let last = cells.len() - 1;
            let first = cells[0].value.clone();
            cells[0].value = std::mem::replace(&mut cells[last].value, first);
            assert!(matches!(fits(&program, &claim, &changed), Fit::Out(_)), "{state:#?}");
        }
    }
}

#[test]
fn an_element_that_was_never_written_obeys_no_law() {
    let program = program();
    for text in [ELEMENTS, COPY] {
        let claim = claim(&program, text);
        for state in expansions(&program, &claim) {
            let mut changed = state.clone();
            let heap = |block: &&mut BlockState| block.identity == BlockIdentity::Heap;
            let array = changed.blocks.iter_mut().find(heap).expect("an array");
            array.cells.pop();
            assert!(matches!(fits(&program, &claim, &changed), Fit::Out(_)), "{state:#?}");
        }
    }
}

#[test]
fn a_block_too_many_is_lost() {
    let program = program();
    for text in ALL {
        let claim = claim(&program, text);
        for mut state in expansions(&program, &claim) {
            let heap = state.blocks.iter().find(|block| block.identity == BlockIdentity::Heap);
            let more = heap.cloned().expect("all of them have one");
            state.blocks.push(more);
            assert!(matches!(fits(&program, &claim, &state), Fit::Out(_)), "{text}");
            let limits = Limits { is_whole: false, ..Limits::default() };
            let fit = contains(&claim, &OfSnapshot::new(&program, &state), &limits);
            assert_eq!(fit, Fit::In, "where nobody asks for leaks, {text}");
        }
    }
}

#[test]
fn a_list_below_its_minimum_is_not_in_it() {
    let program = program();
    let (few, many) = (claim(&program, LIST), claim(&program, &LIST.replace("of 2+", "of 4+")));
    for extra in 0..=3 {
        for script in scripts(&program, &few, extra) {
            let state = expand(&program, &few, (&script, extra), 0, &[]);
            let Expansion::State(state) = state else { panic!("{state:?}") };
            let is_in = fits(&program, &many, &state) == Fit::In;
            assert_eq!(is_in, extra >= 2, "{extra}");
        }
    }
}

#[test]
fn kinds_come_in_their_sequence_only() {
    let program = program();
    let all = KINDS.replace("sequence first 1, last 1 2, 1 then 1 2, 2 then 2", "");
    let (all, some) = (claim(&program, &all), claim(&program, KINDS));
    let (mut inside, mut outside) = (0, 0);
    for state in expansions(&program, &all) {
        match fits(&program, &some, &state) {
            Fit::In => inside += 1,
            Fit::Out(_) => outside += 1,
            Fit::Unclear(why) => panic!("{why}"),
        }
    }
    assert!(inside > 4 && outside > inside, "{inside} {outside}");
}

#[test]
fn what_was_not_written_fits_only_what_the_text_leaves_open() {
    let program = program();
    let fixed = claim(&program, LIST);
    let open =
        LIST.replace("+8/4 = 3", "+8/4 = n1").replace("each\n", "each\nnumber n1: 32 bits\n");
    let open = claim(&program, &open);
    let script = &scripts(&program, &fixed, 0)[0];
    let state = expand(&program, &fixed, (script, 0), 0, &[]);
    let Expansion::State(mut state) = state else { panic!("{state:?}") };
    let node = state.blocks.iter_mut().find(|block| block.identity == BlockIdentity::Heap);
    node.expect("a list has a node").cells.retain(|cell| cell.offset != 8);
    assert!(matches!(fits(&program, &fixed, &state), Fit::Out(_)));
    assert_eq!(fits(&program, &open, &state), Fit::In);
}

#[test]
fn printing_what_was_read_gives_the_same_text() {
    for text in ALL {
        let heap = parse(text).expect("a heap");
        let lines = |text: &str| -> Vec<String> {
            text.lines().map(|line| line.trim().to_owned()).filter(|l| !l.is_empty()).collect()
        };
        // Numbers stand in one place in texts that are printed.
        let printed = heap.to_string();
        assert_eq!(parse(&printed).expect("a heap"), heap);
        let (mut printed, mut given) = (lines(&printed), lines(text));
        printed.sort();
        given.sort();
        assert_eq!(printed, given);
    }
}
