//! A search for invariants at one precision, and what a failed one teaches.

use heapwright_engine::{Deadline, Task};

use crate::abstraction::abstraction_points::TOO_WIDE;
use crate::analysis::invariants::find_invariants;
use crate::context::Context;
use crate::heap::state::State;
use crate::heap::trail::Trails;
use crate::interprocedural::Invariants;
use crate::no_proof::NoProof;
use crate::precision::Precision;
use crate::proof::certificate::Certificate;
use crate::proof::inductive::check_closed;
use crate::settings::Settings;
use crate::statistics::Statistics;
use crate::strategy::order::Lesson;

/// Steps in which a search that folds anything has folded something.
const MANY_STEPS: u64 = 500;

/// Why a way did not lead to a proof.
pub(crate) struct Failure {
    pub(crate) cause: NoProof,
    pub(crate) lesson: Lesson,
}

/// Finds invariants with list segments and trees, within a share of the time; what is found is
/// checked without haste. Where there are none, it says why.
pub(crate) fn summarise(
    task: &Task,
    settings: &Settings,
    way: &Precision,
    (share, deadline): (&Deadline, &Deadline),
) -> Result<(Certificate, Statistics), Failure> {
    let (mut context, initial) = Context::prepare(task, settings, way.clone(), deadline)
        .map_err(|reason| Failure { cause: reason.into(), lesson: Lesson::default() })?;
    let found = loop {
        let known = context.learnt.lists.count();
        let found = find_closed(&mut context, initial.clone(), (share, deadline));
        // What was learnt of lists on the way folds more the second time. Ends because each round
        // but the last learns of places that were not known to make one list.
        match &found {
            Err(NoProof::NotInductive) if context.learnt.lists.count() > known => {}
            _ => break found,
        }
    };
    match found {
        Ok(invariants) => {
            context.services.statistics.entries = invariants.procedures.len() as u64;
            let certificate = Certificate::of(&mut context, way, &invariants);
            Ok((certificate, context.services.statistics))
        }
        Err(cause) => {
            let lesson = Lesson {
                needs_time: cause == NoProof::TimeIsOver,
                is_wide: context.learnt.widest > TOO_WIDE,
                marks_matter: context.learnt.do_marks_matter(),
                is_idle: context.services.statistics.foldings == 0
                    && context.services.statistics.steps > MANY_STEPS,
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
    context.learnt.passed.clear();
    check_closed(context, &invariants, None, deadline)?;
    Ok(invariants)
}
