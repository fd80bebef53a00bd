//! A run that is written down and started again goes on as if nothing had happened.

use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;

use heapwright_frontend::{Settings as Reading, Source, load};
use heapwright_generators::Family;
use heapwright_generators::program::DataModel as Width;
use heapwright_interpreter::{
    BlockIdentity, BlockState, CellState, Environment, Executable, FramePoint, FrameState, Inputs,
    Machine, Outcome, Passed, Settings, Snapshot, ValueState,
};
use heapwright_memory::{FaultKind, Life};
use heapwright_program::{
    DataModel, FunctionId, Operation, Place, Program, ScalarType, VariableId,
};

/// Inputs by their number in the run; bytes by their offset alone, since a started run numbers its
/// blocks anew.
struct Numbered {
    next: Rc<Cell<u64>>,
}

impl Numbered {
    fn draw(&self) -> u128 {
        let number = self.next.get();
        self.next.set(number + 1);
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        u128::from(mixed % 5)
    }
}

impl Inputs for Numbered {
    fn nondeterministic(&mut self, _name: &str, _ty: ScalarType, _place: Place) -> u128 {
        self.draw()
    }

    fn uninitialised_variable(
        &mut self,
        _variable: Option<VariableId>,
        _ty: ScalarType,
        _place: Place,
    ) -> u128 {
        self.draw()
    }

    fn uninitialised_byte(&mut self, _serial: u64, offset: u64) -> u8 {
        offset as u8
    }
}

fn program(name: &str, text: &str, model: DataModel) -> Program {
    let loaded = load(&[Source::new(name, text)], &Reading::new(model));
    loaded.unwrap_or_else(|error| panic!("{error}\n{text}")).program
}

fn settings(steps: u64) -> Settings {
    let mut settings = Settings::default();
    settings.compile.keep_locations = true;
    settings.limits.steps = steps;
    settings
}

/// What a run was after a step.
#[derive(Debug, PartialEq)]
struct Moment {
    passed: Vec<Passed>,
    snapshot: Option<Snapshot>,
    outcome: Option<Outcome>,
    drawn: u64,
}

fn moment(machine: &mut Machine<'_>, drawn: &Cell<u64>) -> Moment {
    let mut passed = Vec::new();
    let outcome = machine.step_observed(&mut |_, edge| passed.push(edge)).cloned();
    // Faults name blocks by their serials, which are new in a started run.
    let outcome = outcome.map(|outcome| match outcome {
        Outcome::Fault(mut fault) => {
            fault.blocks.clear();
            Outcome::Fault(fault)
        }
        other => other,
    });
    Moment { passed, snapshot: machine.snapshot().ok(), outcome, drawn: drawn.get() }
}

/// Runs the program, and again from some of its moments; gives how many there were.
fn obeys_the_law(name: &str, program: &Program) -> usize {
    const STEPS: usize = 400;
    const AFTERWARDS: usize = 30;
    let settings = settings(u64::MAX);
    let executable = Executable::compile(program, &settings.compile);
    let drawn = Rc::new(Cell::new(0));
    let environment = Environment::silent(Numbered { next: Rc::clone(&drawn) });
    let mut machine = Machine::new(&executable, &settings, environment);
    let mut moments = Vec::new();
    for _ in 0..STEPS {
        moments.push(moment(&mut machine, &drawn));
        if machine.outcome().is_some() {
            break;
        }
    }
    let mut started = 0;
    for first in (0..moments.len()).step_by(11) {
        let Some(snapshot) = &moments[first].snapshot else { continue };
        let drawn = Rc::new(Cell::new(moments[first].drawn));
        let environment = Environment::silent(Numbered { next: Rc::clone(&drawn) });
        let machine = Machine::at(&executable, &settings, environment, snapshot);
        let mut machine = machine.unwrap_or_else(|error| panic!("{name}, {first}: {error}"));
        assert!(machine.snapshot().as_ref() == Ok(snapshot), "{name}, moment {first}");
        for (number, expected) in moments.iter().enumerate().skip(first + 1).take(AFTERWARDS) {
            let found = moment(&mut machine, &drawn);
            assert!(
                found == *expected,
                "{name}: moment {number} after {first}\n{found:#?}\n{expected:#?}"
            );
        }
        started += 1;
    }
    started
}

#[test]
fn random_programs_go_on_from_where_they_were_written_down() {
    let mut started = 0;
    for family in Family::ALL {
        for seed in 0..6 {
            for (width, model) in [(Width::Lp64, DataModel::Lp64), (Width::Ilp32, DataModel::Ilp32)]
            {
                let program = program("test.c", &family.source(seed, width), model);
                started += obeys_the_law(&format!("{} {seed}", family.name()), &program);
            }
        }
    }
    assert!(started > 1000, "only {started} runs were started again");
}

#[test]
fn the_examples_go_on_from_where_they_were_written_down() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut started = 0;
    for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "c")) {
        let text = std::fs::read_to_string(path).unwrap();
        let program = program("test.c", &text, DataModel::Lp64);
        started += obeys_the_law(&path.display().to_string(), &program);
    }
    assert!(started > 150, "only {started} runs were started again");
}

const CALLER: &str = "
    struct node { int value; struct node *next; };
    int total(struct node *list) {
        int sum = 0;
        while (list) { sum += list->value; list = list->next; }
        return sum;
    }
    int main(void) { return 0; }";

/// A state at the head of the loop of `total`, with a list of one node.
fn at_the_loop(program: &Program, next: ValueState) -> (FunctionId, Snapshot) {
    let function = program.function_named("total").unwrap();
    let body = program.functions[function].body.as_ref().unwrap();
    let mut branches = body.edges.enumerated().filter_map(|(_, edge)| match edge.operation {
        Operation::Assume { .. } => Some(edge.source),
        _ => None,
    });
    let variable = |name: &str| {
        let mut variables = program.variables.enumerated();
        let is_it = |item: &heapwright_program::Variable| {
            item.name == name && item.function == Some(function)
        };
        variables.find(|(_, item)| is_it(item)).unwrap().0
    };
    let node = BlockState {
        identity: BlockIdentity::Heap,
        life: Life::Alive,
        size: 16,
        cells: vec![
            CellState { offset: 0, width: 4, value: ValueState::Bits(7) },
            CellState { offset: 8, width: 8, value: next },
        ],
        base: None,
    };
    let frame = FrameState {
        function,
        point: FramePoint::At(branches.next().unwrap()),
        variables: vec![
            (variable("list"), ValueState::Pointer { block: 0, offset: 0 }),
            (variable("sum"), ValueState::Bits(35)),
        ],
    };
    (function, Snapshot { blocks: vec![node], globals: Vec::new(), frames: vec![frame] })
}

#[test]
fn a_state_that_never_was_can_be_run() {
    let program = program("test.c", CALLER, DataModel::Lp64);
    let settings = settings(1000);
    let executable = Executable::compile(&program, &settings.compile);
    let start = |snapshot: &Snapshot| {
        let environment = Environment::silent(heapwright_interpreter::ListedInputs::zeros());
        Machine::at(&executable, &settings, environment, snapshot).map(|mut machine| machine.run())
    };
    let (_, snapshot) = at_the_loop(&program, ValueState::Bits(0));
    assert_eq!(start(&snapshot).unwrap().outcome, Outcome::Returned);
    let (_, snapshot) = at_the_loop(&program, ValueState::Bits(16));
    let report = start(&snapshot).unwrap();
    assert_eq!(report.fault().unwrap().kind, FaultKind::NullDereference);
    let (_, snapshot) = at_the_loop(&program, ValueState::Pointer { block: 0, offset: 0 });
    assert!(matches!(start(&snapshot).unwrap().outcome, Outcome::Limit(_)), "a list in a circle");
    let (_, snapshot) = at_the_loop(&program, ValueState::Pointer { block: 1, offset: 0 });
    assert!(start(&snapshot).is_err(), "there is no second block");
}

#[test]
fn an_address_is_as_wide_as_the_data_model_says() {
    let program = program("test.c", CALLER, DataModel::Ilp32);
    let settings = settings(1000);
    let executable = Executable::compile(&program, &settings.compile);
    let (_, mut snapshot) = at_the_loop(&program, ValueState::Bits(0));
    snapshot.blocks[0].cells.clear();
    snapshot.frames[0].variables[0].1 = ValueState::Bits(1 << 32);
    let environment = Environment::silent(heapwright_interpreter::ListedInputs::zeros());
    let mut machine = Machine::at(&executable, &settings, environment, &snapshot).unwrap();
    assert_eq!(machine.run().outcome, Outcome::Returned, "the list is empty");
}

#[test]
fn a_block_can_be_wanted_at_an_address_but_not_at_a_taken_one() {
    let program = program("test.c", CALLER, DataModel::Lp64);
    let settings = settings(1000);
    let executable = Executable::compile(&program, &settings.compile);
    let (_, mut snapshot) = at_the_loop(&program, ValueState::Bits(0));
    let start = |snapshot: &Snapshot| {
        let environment = Environment::silent(heapwright_interpreter::ListedInputs::zeros());
        let machine = Machine::at(&executable, &settings, environment, snapshot)?;
        machine.snapshot()
    };
    snapshot.blocks[0].base = Some(1 << 40);
    let blocks = start(&snapshot).unwrap().blocks;
    assert!(blocks.iter().any(|block| block.base == Some(1 << 40) && block.size == 16));
    snapshot.blocks[0].base = Some(1 << 36);
    assert!(start(&snapshot).is_err());
}

#[test]
fn a_branch_with_one_end_for_both_edges_is_told_by_its_condition() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); if (x) ; if (1) ; return x; }";
    let program = program("test.c", text, DataModel::Lp64);
    let settings = settings(1000);
    let executable = Executable::compile(&program, &settings.compile);
    let truths = |input: u128| {
        let inputs = heapwright_interpreter::ListedInputs::new([input]);
        let mut machine = Machine::new(&executable, &settings, Environment::silent(inputs));
        let mut truths = Vec::new();
        while machine.outcome().is_none() {
            machine.step_observed(&mut |machine, passed| {
                let body = machine.program().functions[passed.function].body.as_ref().unwrap();
                if let Operation::Assume { holds, .. } = body.edges[passed.edge].operation {
                    truths.push(holds);
                }
            });
        }
        truths
    };
    assert_eq!(truths(0).first(), Some(&false));
    assert_eq!(truths(3).first(), Some(&true));
}
