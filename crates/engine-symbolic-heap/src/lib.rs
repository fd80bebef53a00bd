//! The engine `symbolic-heap`: byte-precise symbolic execution with path conditions.
//!
//! The state is that of the separation-logic analysis SLCPA (stack part, heap part, pure part): a
//! call stack, blocks with cells, and a conjunction of terms. Questions about allocation are
//! answered by the form of a pointer first and by the solver last. Every path is followed to its
//! end, so a program whose paths are finite in number and length is decided.
//!
//! Reading order: `state`, `context`, `value`, `memory`, `access`, `allocation`, `condition`, `step`,
//! `transfer`, `life`, `call`, `library`, `leaks`, `replay`, `trail`, `explore`; then, for lists of any length,
//! `sequence`, `unfold`, `kind`, `payload`, `links`, `sizes`, `fold`, `element`, `order`, `normalise`, `range`, `outline`, `matching`,
//! `cover`, `generalise`, `numbers`, `orders`, `meeting`, `fixpoint`, `closure`, `text`, `read`, `rebuild`; for
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
mod outline;
mod payload;
mod procedure;
mod range;
mod read;
mod rebuild;
mod replay;
mod sequence;
mod settings;
mod sizes;
mod state;
mod statistics;
mod step;
#[cfg(test)]
mod testing;
mod text;
mod trail;
mod transfer;
mod tree;
mod unfold;
mod value;
mod way;

use std::sync::Arc;

use heapwright_engine::{Deadline, Engine, Finding, Proof, Reason, Run, Task, replay_violates};

use heapwright_property::Part;

pub use crate::allocation::Allocation;
use crate::closure::check_closed;
use crate::context::Context;
use crate::explore::{Explored, explore_paths};
use crate::fixpoint::find_invariants;
use crate::meeting::{Meetings, TOO_WIDE};
pub use crate::read::HeapSyntaxError;
pub use crate::settings::Settings;
use crate::state::State;
pub use crate::statistics::Statistics;
pub use crate::text::LEGEND;
use crate::trail::{Alarm, Trails};
use crate::way::{Lesson, Way, Ways};

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
    /// folded, which proves what is not; where that fails, paths are followed to the alarm. Then
    /// paths again, with the time that is left.
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
        match explore(task, settings, None, &first) {
            (Explored::Open(open), _) => reasons.extend(open),
            (decided, statistics) => return self.finding(decided, statistics),
        }
        if !summaries {
            return Finding::Open(reasons);
        }
        let mut ways = Ways::new(task.specification.asks(Part::UnreachCall));
        let mut alarms: Vec<Arc<Alarm>> = Vec::new();
        for time in [settings.summary_first_look, settings.summary_time] {
            while let Some(way) = ways.next() {
                match summarise(task, settings, &way, &deadline.at_most(time)) {
                    Ok((invariants, statistics)) => {
                        let settings = settings.for_checking();
                        let proof = Closed { settings, way, invariants, statistics };
                        return Finding::Proved(Box::new(proof));
                    }
                    Err(failure) => {
                        let Failure { reason, lesson, alarm } = failure;
                        ways.failed(way, lesson);
                        reasons.insert(0, reason);
                        // A search that ended before its time has nothing more to find.
                        let is_new =
                            |alarm: &Arc<Alarm>| first.is_over() && !alarms.contains(alarm);
                        let Some(alarm) = alarm.filter(is_new) else { continue };
                        alarms.push(Arc::clone(&alarm));
                        let look = deadline.at_most(settings.alarm_look);
                        match explore(task, settings, Some(alarm), &look) {
                            (Explored::Open(_), _) => {}
                            (decided, statistics) => return self.finding(decided, statistics),
                        }
                    }
                }
            }
            ways.again();
        }
        if !first.is_over() {
            return open(reasons);
        }
        // Half of the time along the trail of the first alarm, which knows most, if there is one.
        let half = deadline.remaining().map_or(settings.time, |time| time / 2);
        let guided = alarms.into_iter().next().map(|alarm| (Some(alarm), deadline.at_most(half)));
        for (alarm, deadline) in guided.into_iter().chain([(None, deadline.clone())]) {
            match explore(task, settings, alarm, &deadline) {
                (Explored::Open(more), _) => reasons.extend(more),
                (decided, statistics) => return self.finding(decided, statistics),
            }
        }
        open(reasons)
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

/// Follows paths without summaries, those along the trail of an alarm first, if there is one.
fn explore(
    task: &Task,
    settings: &Settings,
    alarm: Option<Arc<Alarm>>,
    deadline: &Deadline,
) -> (Explored, Statistics) {
    let (mut context, initial) = match prepare(task, settings, deadline) {
        Ok(prepared) => prepared,
        Err(reason) => return (Explored::Open(vec![reason]), Statistics::default()),
    };
    context.trails = alarm.map_or(Trails::Ignored, Trails::Followed);
    let confirm = |inputs: &[heapwright_interpreter::DrawnInput]| replay_violates(task, inputs);
    let mut explored = explore_paths(&mut context, &confirm, initial, deadline);
    if let (Explored::Open(reasons), Some(failure)) = (&mut explored, context.failure()) {
        reasons.insert(0, failure);
    }
    (explored, context.statistics)
}

/// Why a way did not lead to a proof.
struct Failure {
    reason: Reason,
    lesson: Lesson,
    /// How the fault comes about that could not be excluded.
    alarm: Option<Arc<Alarm>>,
}

/// Finds invariants with list segments and trees.
fn summarise(
    task: &Task,
    settings: &Settings,
    way: &Way,
    deadline: &Deadline,
) -> Result<(Vec<String>, Statistics), Failure> {
    let (mut context, initial) = prepare(task, settings, deadline).map_err(|reason| Failure {
        reason,
        lesson: Lesson::default(),
        alarm: None,
    })?;
    context.marks = way.marks;
    context.meetings = way.meetings;
    context.cursors = way.cursors;
    context.sorting = way.sorting;
    context.expect_trees(&way.trees);
    context.trails = Trails::Recorded;
    let found = find_invariants(&mut context, initial, deadline).and_then(|invariants| {
        context.trails = Trails::Ignored;
        check_closed(&mut context, &invariants, deadline)?;
        Ok(invariants)
    });
    match found {
        Ok(invariants) => {
            context.statistics.entries = invariants.procedures.len() as u64;
            let texts = invariants.states().map(|state| context.describe(state)).collect();
            Ok((texts, context.statistics))
        }
        Err(reason) => {
            let lesson = Lesson {
                needs_time: reason.text == TIME_IS_OVER,
                is_wide: context.widest > TOO_WIDE,
                trees: context.learnt_trees(),
            };
            Err(Failure { reason, lesson, alarm: context.alarm.take() })
        }
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
            .map_err(|failure| failure.reason)
    }

    fn summary(&self) -> String {
        let Statistics { steps, foldings, solver_calls, entries, .. } = &self.statistics;
        let heads = match self.way.meetings {
            Meetings::LoopHeads => "at the loop heads",
            Meetings::Joins => "at loop heads and behind branches",
        };
        let places = match entries {
            0 => heads.to_owned(),
            _ => format!("{heads} and in {entries} kinds of recursive calls"),
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
        match explore(task, &self.settings, None, deadline) {
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
