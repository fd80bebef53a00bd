//! From a path to an execution: inputs are chosen one by one so that a run takes the branches of the path.
//!
//! An engine that comes to an alarm knows the edges that lead there, but not whether some execution takes them. No formula is
//! solved here: when a run leaves the path, the last input before that is given its next value. For inputs that are tested soon
//! after they are drawn this goes straight down the path. What is found is replayed by the gate.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use heapwright_interpreter::{
    DrawnInput, Environment, Executable, Inputs, Limits, Machine, SeededInputs,
};
use heapwright_program::{EdgeId, FunctionId, Operation, Place, Program, ScalarType, VariableId};

use crate::violation::{run_settings, violation_of};
use crate::{Deadline, Task};

/// An edge that was passed. A call is passed where it begins, and its callee's edges follow.
pub type Passage = (FunctionId, EdgeId);

/// A path that grows at its end; what two paths have in common is stored once.
#[derive(Clone, Debug, Default)]
pub struct Way(Option<Rc<Link>>);

#[derive(Debug)]
struct Link {
    last: Passage,
    before: Way,
}

impl Way {
    /// The same path, one edge longer.
    #[must_use]
    pub fn and(&self, last: Passage) -> Way {
        Way(Some(Rc::new(Link { last, before: self.clone() })))
    }

    /// Its edges, the first one first.
    #[must_use]
    pub fn passages(&self) -> Vec<Passage> {
        let mut passages = Vec::new();
        let mut at = &self.0;
        while let Some(link) = at {
            passages.push(link.last);
            at = &link.before.0;
        }
        passages.reverse();
        passages
    }
}

impl Drop for Way {
    /// One link after the other: a long path must not be as many calls deep.
    fn drop(&mut self) {
        let mut at = self.0.take();
        while let Some(link) = at {
            at = Rc::try_unwrap(link).ok().and_then(|mut link| link.before.0.take());
        }
    }
}

/// Runs that a path is worth.
const MOST_RUNS: usize = 300;
/// Values that an input is given, in this order.
const VALUES: [u128; 5] = [0, 1, 2, u128::MAX, 5];

/// Inputs that violate the specification along a path, if some are found.
#[must_use]
pub fn run_along(task: &Task, path: &[Passage], deadline: &Deadline) -> Option<Vec<DrawnInput>> {
    let mut settings = run_settings(task);
    settings.compile.keep_locations = true;
    settings.notes = 0;
    let steps = 5_000 + 8 * path.len() as u64;
    settings.limits = Limits { steps, memory: 16 << 20, ..Limits::default() };
    let executable = Executable::compile(&task.program, &settings.compile);
    // For each input, which of the values it gets.
    let mut choices: Vec<usize> = Vec::new();
    for _ in 0..MOST_RUNS {
        if deadline.is_over() {
            return None;
        }
        let drawn = Rc::new(Cell::new(0));
        let chosen = Chosen { choices: choices.clone(), drawn: Rc::clone(&drawn) };
        let mut machine = Machine::new(&executable, &settings, Environment::silent(chosen));
        keep_to(&mut machine, path);
        let kept = drawn.get();
        let report = machine.run();
        if violation_of(task, &report).is_some() && !report.inexact {
            return Some(report.inputs_drawn);
        }
        // What was drawn before the run left the path decides where it goes.
        choices.resize(kept, 0);
        loop {
            let last = choices.last_mut()?;
            *last += 1;
            if *last < VALUES.len() {
                break;
            }
            choices.pop();
        }
    }
    None
}

/// Runs with inputs from seeds, where a path is too short to be an execution.
const SEEDS: u64 = 4_000;
/// Inputs from a seed that violate the specification, if some are found in this time.
#[must_use]
pub fn run_at_random(task: &Task, time: Duration, deadline: &Deadline) -> Option<Vec<DrawnInput>> {
    let deadline = deadline.at_most_work(time);
    let mut settings = run_settings(task);
    settings.notes = 0;
    settings.limits = Limits { steps: 20_000, memory: 16 << 20, ..Limits::default() };
    let executable = Executable::compile(&task.program, &settings.compile);
    for seed in 0..SEEDS {
        if deadline.is_over() {
            return None;
        }
        let inputs = Environment::silent(SeededInputs::new(seed));
        let report = Machine::new(&executable, &settings, inputs).run();
        if violation_of(task, &report).is_some() && !report.inexact {
            return Some(report.inputs_drawn);
        }
    }
    None
}

/// Runs as long as the path is kept to.
fn keep_to(machine: &mut Machine<'_>, path: &[Passage]) {
    let mut position = 0;
    let mut is_on_path = true;
    let mut open_calls: Vec<(FunctionId, EdgeId)> = Vec::new();
    while is_on_path && position < path.len() && machine.outcome().is_none() {
        machine.step_observed(&mut |machine, passed| {
            let edge = (passed.function, passed.edge);
            // A call is told twice: when it begins, and when it is back.
            if open_calls.last() == Some(&edge) {
                open_calls.pop();
                return;
            }
            is_on_path &= path.get(position) == Some(&edge);
            position += 1;
            if is_call(machine.program(), edge) {
                open_calls.push(edge);
            }
        });
    }
}

fn is_call(program: &Program, (function, edge): (FunctionId, EdgeId)) -> bool {
    let body = program.functions[function].body.as_ref().expect("it was passed");
    matches!(body.edges[edge].operation, Operation::Call { .. })
}

/// Inputs that were chosen, then the first value.
#[derive(Debug)]
struct Chosen {
    choices: Vec<usize>,
    drawn: Rc<Cell<usize>>,
}

impl Inputs for Chosen {
    fn nondeterministic(&mut self, _: &str, _: ScalarType, _: Place) -> u128 {
        let position = self.drawn.replace(self.drawn.get() + 1);
        VALUES[self.choices.get(position).copied().unwrap_or(0)]
    }

    fn uninitialised_variable(&mut self, _: Option<VariableId>, _: ScalarType, _: Place) -> u128 {
        0
    }

    fn uninitialised_byte(&mut self, _: u64, _: u64) -> u8 {
        0
    }
}
