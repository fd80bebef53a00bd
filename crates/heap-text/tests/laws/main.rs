//! The laws of the two readings of a text: what `expand` writes is in what `contains` accepts, and
//! with one thing changed it is not.

mod texts;

use heapwright_frontend::{Settings, Source, load};
use heapwright_heap_text::{
    Claim, Expansion, Fit, Limits, OfMachine, OfSnapshot, contains, expand, parse, scripts,
};
use heapwright_interpreter::{
    BlockIdentity, BlockState, CellState, Environment, Executable, Machine, SeededInputs,
    Settings as RunSettings, Snapshot, ValueState,
};
use heapwright_program::{DataModel, Program};

use crate::texts::{
    ALL, COLOURS, COPY, ELEMENTS, EMPTY, EMPTY_TREES, HEAP, HIDDEN, HOLE, INSTANCE, KINDS, LINKS,
    LIST, NESTED, RING, ROWS, SEARCH_TREE, SENTINEL, SIZES, SORTED, SPELT, TREE, VARIANTS,
};

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
        ROWS,
        LINKS,
        INSTANCE,
        HOLE,
        SPELT,
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
    for (text, offset) in [(SORTED, 8), (SEARCH_TREE, 16), (HEAP, 16)] {
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

/// Numbers that fall if they are read without a sign, and grow if they are read with one.
#[test]
fn a_number_without_a_sign_is_not_one_with_a_sign() {
    let program = program();
    for (sorted, place) in [(SORTED, "+8/4"), (SEARCH_TREE, "+16/4")] {
        let unsigned = sorted.replace(&format!("by {place}"), &format!("by unsigned {place}"));
        let ends = match sorted == SORTED {
            true => "where number.1 <s 0\n    where 0 <s number.2",
            false => "where 0 <s number.1\n    where number.2 <s 0",
        };
        let one = unsigned.replace("where number.2 <s number.1", ends);
        let other = one.replace("where number.3 <s number.5", ends);
        let claims = [&other, &other.replace("unsigned ", "")].map(|text| claim(&program, text));
        let states = expansions(&program, &claims[0]);
        assert!(states.len() >= 4, "{other}");
        assert!(expansions(&program, &claims[1]).is_empty(), "{other}");
        for state in states {
            assert_eq!(fits(&program, &claims[0], &state), Fit::In, "{other}\n{state:#?}");
            let fit = fits(&program, &claims[1], &state);
            assert!(matches!(fit, Fit::Out(_)), "{other}\n{state:#?}");
        }
    }
}

#[test]
fn a_child_that_is_not_related_to_its_parent_is_not_in_it() {
    let program = program();
    let claim = claim(&program, COLOURS);
    let mut tried = 0;
    for state in expansions(&program, &claim) {
        let heap: Vec<usize> = (0..state.blocks.len())
            .filter(|&block| state.blocks[block].identity == BlockIdentity::Heap)
            .collect();
        let number = |block: usize, offset: u64| {
            let cells = &state.blocks[block].cells;
            cells.iter().find(|cell| cell.offset == offset).expect("a number").value.clone()
        };
        // The root is the only one that is certainly red; all below has the height of another.
        for &block in heap.iter().filter(|&&block| block != heap[0]) {
            for offset in [16, 20] {
                let mut changed = state.clone();
                let cells = &mut changed.blocks[block].cells;
                let cell = cells.iter_mut().find(|cell| cell.offset == offset).expect("a number");
                cell.value = number(heap[0], offset);
                let is_child = offset == 20 || heap.len() == 2;
                let fit = fits(&program, &claim, &changed);
                assert!(!is_child || matches!(fit, Fit::Out(_)), "{state:#?}");
                tried += usize::from(is_child);
            }
        }
    }
    assert!(tried > 4, "only {tried} changes");
}

#[test]
fn a_tree_tells_a_number_for_each_place_at_which_it_is_related() {
    for (one, other) in [
        ("root1 = number.1", "root2 = number.1"),
        ("      above1 = number.2\n", ""),
        ("+16/4 > >=", "+16/4"),
        ("+16/4 > >=", "+16/4 =>"),
        ("tree by +0 +8, ", ""),
    ] {
        assert!(HEAP.contains(one));
        assert!(parse(&HEAP.replacen(one, other, 1)).is_err(), "{other}");
    }
}

#[test]
fn a_tree_with_a_sentinel_has_no_other_leaf() {
    let program = program();
    let mut tried = 0;
    for text in [SENTINEL, HIDDEN] {
        let claim = claim(&program, text);
        for state in expansions(&program, &claim) {
            let heap: Vec<usize> = (0..state.blocks.len())
                .filter(|&block| state.blocks[block].identity == BlockIdentity::Heap)
                .collect();
            for (index, offset) in heap.iter().flat_map(|&block| [(block, 0), (block, 8)]) {
                let mut changed = state.clone();
                let cells = &mut changed.blocks[index].cells;
                let Some(cell) = cells.iter_mut().find(|cell| cell.offset == offset) else {
                    continue;
                };
                cell.value = ValueState::Bits(0);
                let fit = fits(&program, &claim, &changed);
                assert!(matches!(fit, Fit::Out(_)), "{offset}\n{changed:#?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 20, "only {tried} changes");
}

#[test]
fn a_node_of_one_variant_has_not_the_tag_of_another() {
    let program = program();
    let claim = claim(&program, VARIANTS);
    let mut tried = 0;
    for state in expansions(&program, &claim) {
        for index in 0..state.blocks.len() {
            for tag in 0..4 {
                let mut changed = state.clone();
                let cells = &mut changed.blocks[index].cells;
                let Some(cell) = cells.iter_mut().find(|cell| cell.offset == 16) else { continue };
                if cell.value == ValueState::Bits(tag) {
                    continue;
                }
                cell.value = ValueState::Bits(tag);
                let fit = fits(&program, &claim, &changed);
                assert!(matches!(fit, Fit::Out(_)), "{tag}\n{changed:#?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 20, "only {tried} changes");
}

#[test]
fn all_kinds_of_a_tree_tell_of_each_link_or_none_does() {
    for (one, other) in [
        ("each with leaf leaf", "each"),
        ("each with leaf leaf", "each with leaf"),
        ("each with leaf leaf", "each with leaf leaves"),
        ("end = &b92", "end = &b92\n      leaf = &b92"),
        ("tree by +0 +8", "list of 1+"),
    ] {
        assert!(VARIANTS.contains(one));
        assert!(parse(&VARIANTS.replacen(one, other, 1)).is_err(), "{other}");
    }
}

#[test]
fn only_a_tree_has_a_leaf() {
    let list = LIST.replace("end = ", "leaf = 0\n      end = ");
    assert!(parse(&list).is_err());
    assert!(parse(&EMPTY_TREES.replacen("each", "leaf = &b90\n each", 1)).is_err());
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
