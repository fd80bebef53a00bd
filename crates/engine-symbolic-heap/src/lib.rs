//! The engine `symbolic-heap`: byte-precise symbolic execution with path conditions.
//!
//! The state is that of the separation-logic analysis SLCPA (stack part, heap part, pure part): a
//! call stack, blocks with cells, and a conjunction of terms. Questions about allocation are
//! answered by the form of a pointer first and by the solver last. Every path is followed to its
//! end, so a program whose paths are finite in number and length is decided.
//!
//! Reading order: `state`, `context`, `value`, `memory`, `access`, `allocation`, `condition`, `step`,
//! `transfer`, `life`, `call`, `library`, `leaks`, `replay`, `explore`; then, for lists of any length,
//! `unfold`, `kind`, `payload`, `links`, `sizes`, `fold`, `element`, `order`, `normalise`, `range`, `matching`, `cover`,
//! `generalise`, `numbers`, `orders`, `meeting`, `fixpoint`, `closure`, `text`, `read`, `rebuild`; for
//! trees, `tree`; for recursion, `procedure`; and `way` for the order in which all this is tried. Both
//! ways to explore, `explore` and `fixpoint`, are analyses for the driver in the crate `exploration`.

mod access;
mod allocation;
mod call;
mod closure;
mod condition;
#[cfg(test)]
mod contained;
mod context;
mod cover;
mod element;
mod explore;
mod fixpoint;
mod fold;
mod generalise;
#[cfg(test)]
mod golden;
mod kind;
#[cfg(test)]
mod laws;
mod leaks;
mod library;
mod life;
mod links;
mod matching;
mod meeting;
mod memory;
#[cfg(test)]
mod models;
mod normalise;
mod numbers;
mod order;
mod orders;
mod outcome;
mod payload;
mod procedure;
mod range;
mod read;
mod rebuild;
mod replay;
mod settings;
mod sizes;
mod state;
mod statistics;
mod step;
#[cfg(test)]
mod testing;
mod text;
mod transfer;
mod tree;
mod unfold;
mod value;
mod way;

use heapwright_engine::{Deadline, Engine, Finding, Proof, Reason, Run, Task, replay_violates};

use heapwright_property::Part;

pub use crate::allocation::Allocation;
use crate::closure::check_closed;
use crate::context::Context;
use crate::explore::{Explored, explore_paths};
use crate::fixpoint::find_invariants;
pub use crate::read::HeapSyntaxError;
pub use crate::settings::Settings;
use crate::state::State;
pub use crate::statistics::Statistics;
pub use crate::text::LEGEND;
use crate::tree::LearntTree;
use crate::way::{Way, Ways};

const TIME_IS_OVER: &str = "the time limit was reached";

/// Symbolic execution of all paths.
#[derive(Clone, Debug, Default)]
pub struct SymbolicHeapEngine {
    pub settings: Settings,
}

impl Engine for SymbolicHeapEngine {
    fn name(&self) -> &'static str {
        "symbolic-heap"
    }

    fn summary(&self) -> &'static str {
        "follows all paths with symbolic values on a byte-precise heap, and folds lists and trees"
    }

    /// Paths first, for a while: they find faults and decide what is bounded. Then lists are
    /// folded, which proves what is not. Then paths again, with the time that is left.
    fn run(&self, task: &Task, run: &Run<'_>) -> Finding {
        let settings = &self.settings;
        let deadline = run.deadline.at_most(settings.time);
        let mut reasons = Vec::new();
        if task.specification.asks(Part::NoOverflow) {
            return Finding::Open(vec![Reason::new("signed overflow is not checked")]);
        }
        // Invariants say nothing of how often a loop is run; paths that all end do.
        let summaries = settings.summaries && !task.specification.asks(Part::Termination);
        let first =
            if summaries { deadline.at_most(settings.first_look) } else { deadline.clone() };
        match explore(task, settings, &first) {
            (Explored::Open(open), _) => reasons.extend(open),
            (decided, statistics) => return self.finding(decided, statistics),
        }
        if !summaries {
            return Finding::Open(reasons);
        }
        let mut ways = Ways::new(task.specification.asks(Part::UnreachCall));
        for time in [settings.summary_first_look, settings.summary_time] {
            while let Some(way) = ways.next() {
                match summarise(task, settings, &way, &deadline.at_most(time)) {
                    Ok((invariants, statistics)) => {
                        let settings = settings.for_checking();
                        let proof = Closed { settings, way, invariants, statistics };
                        return Finding::Proved(Box::new(proof));
                    }
                    Err((reason, trees)) => {
                        ways.failed(way, reason.text == TIME_IS_OVER, trees);
                        reasons.insert(0, reason);
                    }
                }
            }
            ways.again();
        }
        // A search that ended before its time has nothing more to find.
        if !first.is_over() {
            return open(reasons);
        }
        match explore(task, settings, &deadline) {
            (Explored::Open(more), _) => {
                reasons.extend(more);
                open(reasons)
            }
            (decided, statistics) => self.finding(decided, statistics),
        }
    }
}

/// Not decided; each reason once.
fn open(reasons: Vec<Reason>) -> Finding {
    let mut different: Vec<Reason> = Vec::new();
    for reason in reasons {
        if !different.contains(&reason) {
            different.push(reason);
        }
    }
    Finding::Open(different)
}

impl SymbolicHeapEngine {
    fn finding(&self, explored: Explored, statistics: Statistics) -> Finding {
        match explored {
            Explored::Complete => {
                let settings = self.settings.for_checking();
                Finding::Proved(Box::new(AllPaths { settings, statistics }))
            }
            Explored::Violation(inputs) => Finding::Refuted(inputs),
            Explored::Open(reasons) => Finding::Open(reasons),
        }
    }
}

/// The shared state of an exploration, and its first state.
fn prepare<'t>(
    task: &'t Task,
    settings: &'t Settings,
    deadline: &Deadline,
) -> Result<(Context<'t>, State), Reason> {
    let solver_deadline = match deadline.remaining() {
        Some(time) => heapwright_solver::Deadline::after(time),
        None => heapwright_solver::Deadline::unlimited(),
    };
    let mut context = Context::new(task, settings, solver_deadline);
    let initial = context.initial()?;
    Ok((context, initial))
}

/// Follows paths without summaries.
fn explore(task: &Task, settings: &Settings, deadline: &Deadline) -> (Explored, Statistics) {
    let (mut context, initial) = match prepare(task, settings, deadline) {
        Ok(prepared) => prepared,
        Err(reason) => return (Explored::Open(vec![reason]), Statistics::default()),
    };
    let confirm = |inputs: &[heapwright_interpreter::DrawnInput]| replay_violates(task, inputs);
    let mut explored = explore_paths(&mut context, &confirm, initial, deadline);
    if let (Explored::Open(reasons), Some(failure)) = (&mut explored, context.failure()) {
        reasons.insert(0, failure);
    }
    (explored, context.statistics)
}

/// Finds invariants with list segments and trees. Where there are none, it says why, and which trees
/// were seen.
fn summarise(
    task: &Task,
    settings: &Settings,
    way: &Way,
    deadline: &Deadline,
) -> Result<(Vec<String>, Statistics), (Reason, Vec<LearntTree>)> {
    let (mut context, initial) =
        prepare(task, settings, deadline).map_err(|reason| (reason, Vec::new()))?;
    context.marks = way.marks;
    context.cursors = way.cursors;
    context.sorting = way.sorting;
    context.expect_trees(&way.trees);
    let found = find_invariants(&mut context, initial, deadline).and_then(|invariants| {
        check_closed(&mut context, &invariants, deadline)?;
        Ok(invariants)
    });
    match found {
        Ok(invariants) => {
            context.statistics.entries = invariants.procedures.len() as u64;
            let texts = invariants.states().map(|state| context.describe(state)).collect();
            Ok((texts, context.statistics))
        }
        Err(reason) => Err((reason, context.learnt_trees())),
    }
}

/// Reads an invariant of a program from its text, and prints it again.
pub fn reread(task: &Task, text: &str) -> Result<String, HeapSyntaxError> {
    let settings = Settings::default();
    let mut context = Context::new(task, &settings, heapwright_solver::Deadline::unlimited());
    let state = context.parse_state(text)?;
    Ok(context.describe(&state))
}

/// Invariants with list segments and trees, closed under all edges.
#[derive(Debug)]
struct Closed {
    settings: Settings,
    way: Way,
    /// One text for each shape, with its place.
    invariants: Vec<String>,
    statistics: Statistics,
}

impl Proof for Closed {
    /// Finds and checks the invariants once more, from nothing.
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        summarise(task, &self.settings, &self.way, deadline)
            .map(|_| ())
            .map_err(|(reason, _)| reason)
    }

    fn summary(&self) -> String {
        let Statistics { steps, foldings, solver_calls, entries, .. } = &self.statistics;
        let places = match entries {
            0 => "at the loop heads".to_owned(),
            _ => format!("at the loop heads and in {entries} kinds of recursive calls"),
        };
        format!(
            "invariants of {} heap shapes {places} are closed ({steps} steps, {foldings} \
             foldings, {solver_calls} solver calls)",
            self.invariants.len()
        )
    }

    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }

    fn invariants(&self) -> Vec<String> {
        self.invariants.clone()
    }
}

/// Every path was explored.
#[derive(Debug)]
struct AllPaths {
    settings: Settings,
    statistics: Statistics,
}

impl Proof for AllPaths {
    /// Explores once more, from nothing: the paths must be the same.
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        match explore(task, &self.settings, deadline) {
            (Explored::Complete, statistics) if statistics.paths == self.statistics.paths => Ok(()),
            (Explored::Complete, _) => Err(Reason::new("another exploration found other paths")),
            (Explored::Violation(_), _) => Err(Reason::new("another exploration found a fault")),
            (Explored::Open(reasons), _) => {
                let reason = reasons.into_iter().next();
                Err(reason.unwrap_or_else(|| Reason::new("another exploration did not finish")))
            }
        }
    }

    fn summary(&self) -> String {
        let Statistics { paths, steps, solver_calls, .. } = &self.statistics;
        format!("all {paths} paths were explored ({steps} steps, {solver_calls} solver calls)")
    }

    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }
}
