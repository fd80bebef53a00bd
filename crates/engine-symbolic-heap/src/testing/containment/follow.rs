//! Going along with a concrete run.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use heapwright_engine::{Deadline, Task, run_settings};
use heapwright_interpreter::{
    Environment, Executable, Machine, Outcome as Ending, SeededInputs, Settings as RunSettings,
};
use heapwright_logic::Model;
use heapwright_program::{Expression, ExpressionId, FunctionId, LocationId, Operation, VariableId};

use crate::abstraction::abstraction_points::{AbstractionPoint, is_abstraction_point};
use crate::analysis::invariant_search::InvariantSearch;
use crate::analysis::search::Search;
use crate::execution::outcome::Outcome;
use crate::heap::state::State;
use crate::interprocedural::Invariants;
use crate::precision::{AbstractionPoints, Empties, LearntTree, Payload, Precision};
use crate::program_facts::ProgramFacts;
use crate::proof::inductive::check_closed;
use crate::settings::Settings;
use crate::strategy::copies::copies_numbers;
use crate::strategy::keys::compares_keys;
use crate::strategy::ways::{
    every_way, with_arguments, with_copies, with_keys, with_laws, with_relations,
};
use crate::summary::tree::learn::learnt_trees;
use crate::testing::meaning::{Known, TOO_MANY_WAYS, concrete_control, models};

/// Edges of one run.
const STEPS: u64 = 1500;

/// How far a run was followed.
#[derive(Debug)]
pub(super) struct Followed {
    steps: u64,
    is_at_the_end: bool,
    /// Comparisons of a concrete state with abstract ones.
    comparisons: u64,
    /// Whether a comparison was given up, and the run with it.
    given_up: u64,
    /// With which invariants, if with any.
    marks: Option<Payload>,
}

#[derive(Debug, Default)]
pub(super) struct Tally {
    runs: u64,
    pub(super) to_the_end: u64,
    steps: u64,
    comparisons: u64,
    given_up: u64,
    /// Runs by the precision in which their invariants were found.
    precisions: [u64; 5],
    pub(super) failures: Vec<String>,
}

impl Tally {
    pub(super) fn add(&mut self, followed: Followed) {
        self.runs += 1;
        self.to_the_end += u64::from(followed.is_at_the_end);
        self.steps += followed.steps;
        self.comparisons += followed.comparisons;
        self.given_up += followed.given_up;
        if let Some(marks) = followed.marks {
            self.precisions[marks as usize] += 1;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { runs, to_the_end, steps, comparisons, given_up, precisions, failures } = self;
        write!(
            f,
            "{runs} runs contained, {to_the_end} to their end, {steps} steps, {comparisons} \
             comparisons, {given_up} given up; {} not contained; by marks apart, prototypes, numbers, \
             elements, sequences: {precisions:?}",
            failures.len()
        )
    }
}

fn concrete_settings(task: &Task) -> RunSettings {
    let mut settings = run_settings(task);
    settings.compile.keep_locations = true;
    settings.end_check.periodic = None;
    settings
}

fn engine_settings() -> Settings {
    Settings { solver_time: Duration::from_secs(1), ..Settings::default() }
}

/// Follows a run without summaries.
pub(super) fn follow_path(task: &Task, seed: u64) -> Result<Followed, String> {
    follow_path_but(task, seed, &|_| false)
}

/// The same; before the steps for which `is_skipped` holds, the engine's states go ahead alone.
pub(super) fn follow_path_but(
    task: &Task,
    seed: u64,
    is_skipped: &dyn Fn(u64) -> bool,
) -> Result<Followed, String> {
    let settings = engine_settings();
    let deadline = Deadline::after(Duration::from_secs(20));
    let mut followed =
        Followed { steps: 0, is_at_the_end: false, comparisons: 0, given_up: 0, marks: None };
    let Ok((mut search, initial)) =
        Search::prepare(task, &settings, Precision::for_paths(), &deadline)
    else {
        return Ok(followed);
    };
    let run_settings = concrete_settings(task);
    let executable = Executable::compile(&task.program, &run_settings.compile);
    let inputs = Environment::silent(SeededInputs::new(seed));
    let mut machine = Machine::new(&executable, &run_settings, inputs);
    // Up to the first edge of `main`.
    while machine.location().is_none() && machine.outcome().is_none() {
        machine.step();
    }
    let mut candidates = vec![(initial, Model::new())];
    while followed.steps < STEPS && !deadline.is_over() {
        if is_skipped(followed.steps) {
            candidates = ahead(&mut search, candidates);
        }
        let ending = step(&mut machine);
        let next = successors(&mut search, candidates);
        followed.steps += 1;
        if let Some(ending) = ending {
            return ends_alike(&ending, &next).map(|is_at_the_end| {
                followed.is_at_the_end = is_at_the_end;
                followed
            });
        }
        let control_now = concrete_control(&machine);
        let mut mismatches = Vec::new();
        candidates = Vec::new();
        for (state, values) in next.states {
            let state = past_silent_edges(&mut search, state, &control_now);
            if control(&state) != control_now {
                continue;
            }
            followed.comparisons += 1;
            match models(&mut search.reasoner, &state, &machine, Known::BySerial, &values) {
                Ok(values) => candidates.push((state, values)),
                Err(mismatch) => mismatches.push(mismatch),
            }
        }
        if candidates.is_empty() {
            if next.is_lost {
                return Ok(followed);
            }
            return Err(no_state(&machine, followed.steps, &mismatches));
        }
    }
    Ok(followed)
}

/// One edge; the return from `main` is the end.
fn step(machine: &mut Machine<'_>) -> Option<Ending> {
    machine.step();
    while machine.frames().is_empty() && machine.outcome().is_none() {
        machine.step();
    }
    machine.outcome().cloned()
}

/// The interpreter has no instruction for `x = x`, also where only the type differs, and never stops
/// there.
fn past_silent_edges(
    search: &mut Search<'_>,
    mut state: State,
    control_now: &[(FunctionId, LocationId)],
) -> State {
    while control(&state) != control_now {
        let frame = state.frame();
        let edges = search.reasoner.names.facts.outgoing(frame.function, frame.location);
        let Some(edge) =
            edges.first().map(|&edge| search.reasoner.names.facts.edge(frame.function, edge))
        else {
            break;
        };
        let is_silent = match edge.operation {
            Operation::Assign { target, value } => is_same(search, value, target),
            _ => false,
        };
        if !is_silent {
            break;
        }
        match search.executor().step(state.clone()).pop() {
            Some(Outcome::Continues(next)) => state = next,
            _ => break,
        }
    }
    state
}

/// Whether an expression is the variable itself, perhaps under another type.
fn is_same(search: &Search<'_>, value: ExpressionId, variable: VariableId) -> bool {
    match search.reasoner.names.program().expressions.get(value) {
        Expression::Variable(other) => other == variable,
        Expression::Convert { operand, .. } => is_same(search, operand, variable),
        _ => false,
    }
}

/// What states lead to in one edge.
struct Successors {
    states: Vec<(State, Model)>,
    faults: Vec<heapwright_memory::FaultKind>,
    ends: bool,
    is_blocked: bool,
    is_lost: bool,
}

fn successors(search: &mut Search<'_>, candidates: Vec<(State, Model)>) -> Successors {
    let mut next = Successors {
        states: Vec::new(),
        faults: Vec::new(),
        ends: false,
        is_blocked: false,
        is_lost: false,
    };
    let mut work = candidates;
    while let Some((state, values)) = work.pop() {
        for outcome in search.executor().step(state) {
            match outcome {
                Outcome::Continues(state) => next.states.push((state, values.clone())),
                Outcome::Again(state) => work.push((state, values.clone())),
                Outcome::Fault { kind, .. } => next.faults.push(kind),
                Outcome::Ends { .. } => next.ends = true,
                Outcome::Calls(_) | Outcome::Returns(_) => {
                    unreachable!("paths follow every call")
                }
                Outcome::Blocked => next.is_blocked = true,
                Outcome::Unknown(_) => next.is_lost = true,
            }
        }
    }
    next
}

fn ahead(search: &mut Search<'_>, candidates: Vec<(State, Model)>) -> Vec<(State, Model)> {
    successors(search, candidates).states
}

/// Whether the engine's path ends as the run does; `Ok(false)` where either gave up.
fn ends_alike(ending: &Ending, next: &Successors) -> Result<bool, String> {
    let agrees = match ending {
        Ending::Exited(_) | Ending::Aborted => next.ends,
        Ending::AssumptionFailed => next.is_blocked,
        Ending::Fault(fault) => next.faults.contains(&fault.kind),
        Ending::Returned | Ending::Unsupported { .. } | Ending::Limit(_) => return Ok(false),
    };
    match (agrees, next.is_lost) {
        (true, _) => Ok(true),
        (false, true) => Ok(false),
        (false, false) => Err(format!(
            "the run ends with {ending:?}; no path does (faults {:?}, ends {}, goes on {})",
            next.faults,
            next.ends,
            next.states.len()
        )),
    }
}

fn no_state(machine: &Machine<'_>, step: u64, mismatches: &[String]) -> String {
    let frames = machine.frames();
    let place =
        frames.last().map_or(String::new(), |frame| machine.program().describe(frame.place));
    format!("no state at step {step}, {place}, is the run's: {}", mismatches.join("; "))
}

/// Follows runs with these seeds against the invariants, where there are any.
pub(super) fn follow_invariants(
    task: &Task,
    seeds: RangeInclusive<u64>,
) -> Vec<(u64, Result<Followed, String>)> {
    follow_invariants_but(task, seeds, &|_| {})
}

/// The same with invariants that somebody changed.
pub(super) fn follow_invariants_but(
    task: &Task,
    seeds: RangeInclusive<u64>,
    change: &dyn Fn(&mut State),
) -> Vec<(u64, Result<Followed, String>)> {
    follow_ways(task, seeds, &[], change)
}

/// Follows runs against invariants with trees, of the types that a short look without them sees.
pub(super) fn follow_invariants_with_trees(
    task: &Task,
    seeds: RangeInclusive<u64>,
) -> Vec<(u64, Result<Followed, String>)> {
    let settings = engine_settings();
    let deadline = Deadline::after(Duration::from_millis(400));
    let Ok((search, initial)) =
        Search::prepare(task, &settings, Precision::for_lists(Payload::Numbers), &deadline)
    else {
        return Vec::new();
    };
    let mut search = InvariantSearch::new(search, initial);
    // What it finds does not matter here.
    let _ = search.go_on(&deadline);
    let search = search.search();
    let trees = learnt_trees(&search.reasoner.names, &search.learnt);
    if trees.is_empty() { Vec::new() } else { follow_ways(task, seeds, &trees, &|_| {}) }
}

fn follow_ways(
    task: &Task,
    seeds: RangeInclusive<u64>,
    trees: &[LearntTree],
    change: &dyn Fn(&mut State),
) -> Vec<(u64, Result<Followed, String>)> {
    let settings = engine_settings();
    let mut results = Vec::new();
    let joins =
        Precision { points: AbstractionPoints::Joins, ..every_way(trees, false)[0].clone() };
    let empties = [every_way(trees, false)[0].clone(), with_relations()]
        .map(|precision| Precision { empties: Empties::Joined, ..precision });
    let others = [joins, with_relations(), with_laws()].into_iter().chain(empties);
    let held = ProgramFacts::of(task).has_recursion().then(with_arguments);
    let copies = copies_numbers(&task.program).then(with_copies);
    let keys = compares_keys(&task.program).then(with_keys);
    let others = others.chain(held).chain(copies).chain(keys.into_iter().flatten());
    for precision in every_way(trees, true).into_iter().chain(others) {
        // Of processor time: what is found does not depend on what else the machine does.
        let deadline = Deadline::never().at_most_work(Duration::from_secs(2));
        let prepared = Search::prepare(task, &settings, precision.clone(), &deadline);
        let Ok((search, initial)) = prepared else { break };
        let mut search = InvariantSearch::new(search, initial);
        let Ok(mut invariants) = search.go_on(&deadline) else { continue };
        let search = search.search();
        // What was joined wrongly is found out here, and proves nothing.
        if check_closed(search, &invariants, None, &deadline).is_err() {
            continue;
        }
        invariants.program.values_mut().flatten().for_each(change);
        for seed in seeds.clone() {
            results.push((seed, follow_run(search, task, &invariants, seed)));
        }
    }
    results
}

fn follow_run(
    search: &mut Search<'_>,
    task: &Task,
    invariants: &Invariants,
    seed: u64,
) -> Result<Followed, String> {
    let marks = Some(search.precision.payload);
    let mut followed =
        Followed { steps: 0, is_at_the_end: false, comparisons: 0, given_up: 0, marks };
    let run_settings = concrete_settings(task);
    let executable = Executable::compile(&task.program, &run_settings.compile);
    let inputs = Environment::silent(SeededInputs::new(seed));
    let mut machine = Machine::new(&executable, &run_settings, inputs);
    while machine.location().is_none() && machine.outcome().is_none() {
        machine.step();
    }
    while followed.steps < 4 * STEPS {
        if let Some(ending) = step(&mut machine) {
            followed.is_at_the_end = true;
            return match ending {
                Ending::Fault(fault)
                    if fault.kind != heapwright_memory::FaultKind::StackExhausted =>
                {
                    Err(format!("a fault in a program with invariants: {fault:?}"))
                }
                _ => Ok(followed),
            };
        }
        followed.steps += 1;
        let control_now = concrete_control(&machine);
        let is_head = control_now.last().is_some_and(|&(function, location)| {
            is_abstraction_point(&search.reasoner.names, &search.precision, function, location)
        });
        // Within a recursion, states describe what the call reaches, and not the whole memory.
        let is_cut = control_now.iter().enumerate().any(|(index, &(function, _))| {
            let is_recursive =
                search.calls.are_cut && search.reasoner.names.facts.is_recursive(function);
            is_recursive || control_now[..index].iter().any(|&(active, _)| active == function)
        });
        if !is_head || is_cut {
            continue;
        }
        let place = AbstractionPoint::of(control_now);
        let states = invariants.program.get(&place).map_or(&[][..], Vec::as_slice);
        let mut mismatches = Vec::new();
        let is_contained = states.iter().any(|known| {
            followed.comparisons += 1;
            let model =
                models(&mut search.reasoner, known, &machine, Known::ByPointers, &Model::new());
            model.map_err(|mismatch| mismatches.push(mismatch)).is_ok()
        });
        if is_contained {
            continue;
        }
        if mismatches.iter().any(|mismatch| mismatch.contains(TOO_MANY_WAYS)) {
            followed.given_up += 1;
            return Ok(followed);
        }
        let texts: Vec<String> =
            states.iter().map(|known| search.reasoner.names.describe(known)).collect();
        let problem = no_state(&machine, followed.steps, &mismatches);
        return Err(format!("{problem}\n{}", texts.join("\n")));
    }
    Ok(followed)
}

/// The places of a state's call stack.
fn control(state: &State) -> Vec<(FunctionId, LocationId)> {
    state.frames.iter().map(|frame| (frame.function, frame.location)).collect()
}
