//! A search for invariants at one precision, and what a failed one teaches.

use heapwright_engine::{Deadline, Detail, Run, Task};

use crate::abstraction::abstraction_points::TOO_WIDE;
use crate::analysis::invariants::find_invariants;
use crate::analysis::search::Search;
use crate::heap::state::State;
use crate::heap::trail::Trails;
use crate::interprocedural::Invariants;
use crate::no_proof::NoProof;
use crate::precision::Precision;
use crate::proof::certificate::Certificate;
use crate::proof::inductive::check_closed;
use crate::settings::Settings;
use crate::statistics::Statistics;
use crate::strategy::order::Feedback;
use crate::summary::tree::learn::learnt_trees;

/// Steps in which a search that folds anything has folded something.
const MANY_STEPS: u64 = 500;

/// Why a precision did not lead to a proof.
pub(crate) struct Failure {
    pub(crate) cause: NoProof,
    pub(crate) feedback: Feedback,
}

/// Finds invariants with list segments and trees, within the share of a run; what is found is
/// checked without haste, until the deadline. Where there are none, it says why.
pub(crate) fn summarise(
    task: &Task,
    settings: &Settings,
    precision: &Precision,
    run: &Run<'_>,
    deadline: &Deadline,
) -> Result<(Certificate, Statistics), Failure> {
    let (mut search, initial) = Search::prepare(task, settings, precision.clone(), deadline)
        .map_err(|reason| Failure { cause: reason.into(), feedback: Feedback::default() })?;
    search.reasoner.services.observer = run.observer;
    search.reasoner.tell(Detail::Precision, |_| format!("{precision:?}"));
    let found = loop {
        let known = search.learnt.lists.count();
        let found = find_closed(&mut search, initial.clone(), (run.deadline, deadline));
        // What was learnt of lists on the precision folds more the second time. Ends because each round
        // but the last learns of places that were not known to make one list.
        match &found {
            Err(NoProof::NotInductive) if search.learnt.lists.count() > known => {}
            _ => break found,
        }
    };
    match found {
        Ok(invariants) => {
            search.reasoner.services.statistics.entries = invariants.procedures.len() as u64;
            let certificate = Certificate::of(&mut search, precision, &invariants);
            Ok((certificate, search.reasoner.services.statistics))
        }
        Err(cause) => {
            let feedback = Feedback {
                needs_time: cause == NoProof::TimeIsOver,
                is_wide: search.learnt.widest > TOO_WIDE,
                payload_matters: search.learnt.does_payload_matter(),
                is_idle: search.reasoner.services.statistics.foldings == 0
                    && search.reasoner.services.statistics.steps > MANY_STEPS,
                trees: learnt_trees(&search.reasoner.names, &search.learnt),
            };
            Err(Failure { cause, feedback })
        }
    }
}

/// Finds invariants and checks them.
fn find_closed(
    search: &mut Search<'_>,
    initial: State,
    (share, deadline): (&Deadline, &Deadline),
) -> Result<Invariants, NoProof> {
    search.branches.trails = Trails::Recorded;
    let invariants = find_invariants(search, initial, share)?;
    search.branches.trails = Trails::Ignored;
    search.branches.passed.clear();
    check_closed(search, &invariants, None, deadline)?;
    Ok(invariants)
}
