//! Runs of a harness with inputs from seeds: whether callers can keep a contract at all, and whether what failed
//! without it is still done under it. A contract that no run keeps says nothing, however well it is proved.

use heapwright_frontend::{InputError, World};
use heapwright_interpreter::{
    EndCheck, Environment, Executable, Machine, Outcome, Passed, SeededInputs, Settings,
};
use heapwright_program::{FunctionId, Operation, Place, Program};

use crate::sources::SourceArguments;

const SEEDS: u64 = 400;
const MOST_STEPS: u64 = 100_000;

/// How many of the runs did what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trial {
    /// The function returned.
    pub(crate) returned: u64,
    pub(crate) failed: u64,
    /// It returned after this place, for each that was asked about.
    pub(crate) passed: Vec<u64>,
}

/// A place in a file, as reports name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Runs the harness of a function; its arguments say which, and what callers promise.
pub(crate) fn trial(
    sources: &SourceArguments,
    function: &str,
    spots: &[Spot],
) -> Result<Trial, InputError> {
    let program = sources.load(World::Modelled)?.program;
    let Some(function) = program.function_named(function) else { return Ok(Trial::default()) };
    let mut settings = Settings { record_inputs: false, notes: 0, ..Settings::default() };
    settings.compile.keep_locations = true;
    settings.limits.steps = MOST_STEPS;
    settings.end_check = EndCheck { memtrack: true, memcleanup: false, periodic: None };
    let executable = Executable::compile(&program, &settings.compile);
    let mut trial = Trial { passed: vec![0; spots.len()], ..Trial::default() };
    for seed in 0..SEEDS {
        let mut inputs = SeededInputs::new(seed);
        inputs.has_habits = !seed.is_multiple_of(2);
        let environment = Environment::silent(inputs);
        let mut machine = Machine::new(&executable, &settings, environment);
        let run = follow(&mut machine, &program, function, spots);
        let is_fault = matches!(machine.outcome(), Some(Outcome::Fault(_)));
        trial.failed += u64::from(is_fault);
        if run.has_returned && !is_fault {
            trial.returned += 1;
            for (count, has_passed) in trial.passed.iter_mut().zip(run.has_passed) {
                *count += u64::from(has_passed);
            }
        }
    }
    Ok(trial)
}

struct Run {
    has_returned: bool,
    has_passed: Vec<bool>,
}

fn follow(
    machine: &mut Machine<'_>,
    program: &Program,
    function: FunctionId,
    spots: &[Spot],
) -> Run {
    let mut run = Run { has_returned: false, has_passed: vec![false; spots.len()] };
    let mut observe = |_: &Machine<'_>, passed: Passed| {
        let body = program.functions[passed.function].body.as_ref().expect("it has edges");
        let edge = &body.edges[passed.edge];
        for (has_passed, spot) in run.has_passed.iter_mut().zip(spots) {
            *has_passed |= is_at(program, edge.place, spot);
        }
        let is_return = matches!(edge.operation, Operation::Return { .. });
        run.has_returned |= is_return && passed.function == function;
    };
    while machine.step_observed(&mut observe).is_none() {}
    run
}

fn is_at(program: &Program, place: Place, spot: &Spot) -> bool {
    let is_there = place.line == spot.line && place.column == spot.column;
    is_there && program.files[place.file].name == spot.file
}
