//! The engine `symbolic-heap`: byte-precise symbolic execution with path conditions.
//!
//! The state is that of the separation-logic analysis SLCPA (stack part, heap part, pure part): a
//! call stack, blocks with cells, and a conjunction of terms. Questions about allocation are
//! answered by the form of a pointer first and by the solver last. Every path is followed to its
//! end, so a program whose paths are finite in number and length is decided.
//!
//! The rooms, each of which uses only those above it:
//!
//! | room | what is in it |
//! | --- | --- |
//! | `heap` | the state, what is well formed, its text |
//! | `summary` | blocks that stand for many nodes: list segments with facts along the chain, trees |
//! | `execution` | what each operation of the program does to a state |
//! | `abstraction` | operators on states: normal form, matching, entailment, join |
//! | `interprocedural` | recursive calls: localised, looked up, combined |
//! | `analysis` | the two ways to explore, both for the driver in the crate `exploration` |
//! | `proof` | inductive invariants, certificates, what the oracle gets to see |
//! | `strategy` | precisions, and the order in which they are tried |

mod abstraction;
mod analysis;
mod context;
mod execution;
mod heap;
mod interprocedural;
mod no_proof;
mod program_facts;
mod proof;
mod settings;
mod statistics;
mod strategy;
mod summary;
#[cfg(test)]
mod testing;

use std::sync::Arc;

use heapwright_engine::{
    Deadline, Engine, Evidence, Finding, Proof, Reason, Run, Task, replay_violates,
};

use crate::analysis::abstraction_points::{Meetings, TOO_WIDE};
use crate::analysis::invariants::{Invariants, find_invariants};
use crate::analysis::paths::{Explored, explore_paths};
use crate::context::Context;
pub use crate::execution::locate::Allocation;
use crate::heap::state::State;
pub use crate::heap::text::parse::HeapSyntaxError;
pub use crate::heap::text::print::LEGEND;
use crate::heap::trail::{Alarm, Trails};
use crate::interprocedural::{describe_part, parse_part};
use crate::no_proof::NoProof;
use crate::proof::certificate::Certificate;
use crate::proof::evidence::{PathLog, TextEvidence};
use crate::proof::inductive::check_closed;
pub use crate::settings::Settings;
pub use crate::statistics::Statistics;
use crate::strategy::precision::{Lesson, Way};
use crate::strategy::schedule::Attempt;

/// Steps in which a way that folds anything has folded something.
const MANY_STEPS: u64 = 500;

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

    fn run(&self, task: &Task, run: &Run<'_>) -> Finding {
        Attempt::new(task, &self.settings).go_on(run)
    }

    fn attempt<'t>(&'t self, task: &'t Task) -> heapwright_engine::Attempt<'t> {
        let mut attempt = Attempt::new(task, &self.settings);
        Box::new(move |run| attempt.go_on(run))
    }
}

/// The shared state of an exploration, and its first state.
fn prepare<'t>(
    task: &'t Task,
    settings: &'t Settings,
    deadline: &Deadline,
) -> Result<(Context<'t>, State), Reason> {
    let context = Context::new(task, settings, deadline.clone());
    let initial = context.names.start.clone()?;
    Ok((context, initial.as_ref().clone()))
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
    cause: NoProof,
    lesson: Lesson,
}

/// Finds invariants with list segments and trees, within a share of the time; what is found is
/// checked without haste. Where there are none, it says why.
fn summarise(
    task: &Task,
    settings: &Settings,
    way: &Way,
    (share, deadline): (&Deadline, &Deadline),
) -> Result<(Certificate, Statistics), Failure> {
    let (mut context, initial) = prepare(task, settings, deadline)
        .map_err(|reason| Failure { cause: reason.into(), lesson: Lesson::default() })?;
    context.go(way);
    let found = loop {
        let known = context.lists.count();
        let found = find_closed(&mut context, initial.clone(), (share, deadline));
        // What was learnt of lists on the way folds more the second time. Ends because each round
        // but the last learns of places that were not known to make one list.
        match &found {
            Err(NoProof::NotInductive) if context.lists.count() > known => {}
            _ => break found,
        }
    };
    match found {
        Ok(invariants) => {
            context.statistics.entries = invariants.procedures.len() as u64;
            let certificate = Certificate::of(&mut context, way, &invariants);
            Ok((certificate, context.statistics))
        }
        Err(cause) => {
            let lesson = Lesson {
                needs_time: cause == NoProof::TimeIsOver,
                is_wide: context.widest > TOO_WIDE,
                marks_matter: context.do_marks_matter(),
                is_idle: context.statistics.foldings == 0 && context.statistics.steps > MANY_STEPS,
                trees: context.learnt_trees(),
            };
            Err(Failure { cause, lesson })
        }
    }
}

/// Finds invariants and checks them.
fn find_closed(
    context: &mut Context<'_>,
    initial: State,
    (share, deadline): (&Deadline, &Deadline),
) -> Result<Invariants, NoProof> {
    context.trails = Trails::Recorded;
    let invariants = find_invariants(context, initial, share)?;
    context.trails = Trails::Ignored;
    context.passed.clear();
    check_closed(context, &invariants, deadline)?;
    Ok(invariants)
}

/// Reads an invariant of a program from its text, and prints it again.
pub fn reread(task: &Task, text: &str) -> Result<String, HeapSyntaxError> {
    let settings = Settings::default();
    let mut context = Context::new(task, &settings, Deadline::never());
    let (part, state) = parse_part(&mut context.names, text)?;
    Ok(describe_part(&mut context.names, part, &state))
}

/// Invariants with list segments and trees, closed under all edges.
#[derive(Debug)]
struct Closed {
    settings: Settings,
    certificate: Certificate,
    statistics: Statistics,
}

impl Proof for Closed {
    /// Checks the invariants as they are written.
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        self.certificate.check(task, &self.settings, deadline)
    }

    fn evidence(&self, task: &Task, _: &Deadline) -> Box<dyn Evidence> {
        let Certificate { invariants, passed, .. } = &self.certificate;
        Box::new(TextEvidence::new(task, invariants, passed))
    }

    fn summary(&self) -> String {
        let Statistics { steps, foldings, solver_calls, entries, .. } = &self.statistics;
        let heads = match self.certificate.way.meetings {
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
            self.certificate.invariants.len()
        )
    }

    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }

    fn invariants(&self) -> Vec<String> {
        self.certificate.invariants.clone()
    }
}

/// Every path was explored.
#[derive(Debug)]
struct AllPaths {
    settings: Settings,
    statistics: Statistics,
    paths: PathLog,
}

impl Proof for AllPaths {
    /// Explores once more, from nothing: the paths must be the same.
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        match explore(task, &self.settings, None, deadline) {
            (Explored::Complete(paths), statistics)
                if statistics.paths == self.statistics.paths
                    && paths.has_same_paths(&self.paths) =>
            {
                Ok(())
            }
            (Explored::Complete(_), _) => Err(Reason::new("another exploration found other paths")),
            (Explored::Violation(_), _) => Err(Reason::new("another exploration found a fault")),
            (Explored::Open(reasons), _) => {
                let reason = reasons.into_iter().next();
                Err(reason.unwrap_or_else(|| Reason::new("another exploration did not finish")))
            }
        }
    }

    fn evidence(&self, _: &Task, _: &Deadline) -> Box<dyn Evidence> {
        Box::new(self.paths.clone())
    }

    fn summary(&self) -> String {
        let Statistics { paths, steps, solver_calls, .. } = &self.statistics;
        format!("all {paths} paths were explored ({steps} steps, {solver_calls} solver calls)")
    }

    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }
}
