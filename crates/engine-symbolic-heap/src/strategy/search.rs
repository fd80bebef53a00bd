//! A search for invariants at one precision, and what a failed one teaches.

use std::sync::Arc;

#[cfg(test)]
use heapwright_engine::Task;
use heapwright_engine::{Deadline, Detail, Reason, Run};

use crate::abstraction::abstraction_points::TOO_WIDE;
use crate::analysis::invariant_search::InvariantSearch;
use crate::analysis::search::Search;
use crate::heap::trail::Trails;
use crate::interprocedural::Invariants;
use crate::no_proof::NoProof;
use crate::precision::Precision;
use crate::program_facts::ProgramFacts;
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
#[cfg(test)]
pub(crate) fn summarise(
    task: &Task,
    settings: &Settings,
    precision: &Precision,
    run: &Run<'_>,
    deadline: &Deadline,
) -> Result<(Certificate, Statistics), Failure> {
    let facts = Arc::new(ProgramFacts::of(task));
    let mut search = PrecisionSearch::prepare(facts, settings, precision, &run.until(deadline))
        .map_err(|reason| Failure { cause: reason.into(), feedback: Feedback::default() })?;
    search.begin_turn(&run.deadline, deadline);
    search.go_on(&run.deadline, deadline)
}

/// A search at one precision, which can be gone on with.
pub(crate) struct PrecisionSearch<'t> {
    precision: Precision,
    invariants: InvariantSearch<'t>,
}

impl<'t> PrecisionSearch<'t> {
    pub(crate) fn prepare(
        facts: Arc<ProgramFacts<'t>>,
        settings: &Settings,
        precision: &Precision,
        run: &Run<'t>,
    ) -> Result<PrecisionSearch<'t>, Reason> {
        let search = Search::on(facts, settings, precision.clone(), run.deadline.clone());
        let (mut search, initial) = search.with_start()?;
        search.reasoner.services.observer = run.observer;
        let invariants = InvariantSearch::new(search, initial);
        Ok(PrecisionSearch { precision: precision.clone(), invariants })
    }

    /// Whether it is at this precision.
    pub(crate) fn is_at(&self, precision: &Precision) -> bool {
        self.precision == *precision
    }

    /// Begins a turn. The way to the first places where states meet is no part of its share, since nothing can be told of a
    /// precision before; but it is followed for so much work only.
    pub(crate) fn begin_turn(&mut self, way: &Deadline, deadline: &Deadline) {
        let precision = &self.precision;
        let reasoner = &mut self.invariants.search().reasoner;
        reasoner.services.begin_turn(deadline);
        reasoner.tell(Detail::Precision, |_| format!("{precision:?}"));
        self.invariants.search().branches.trails = Trails::Recorded;
        self.invariants.approach(way);
    }

    /// Goes on for a share; what is found is checked without haste, until the deadline. Where there are no
    /// invariants, it says why; if the time was over, it can go on later.
    pub(crate) fn go_on(
        &mut self,
        share: &Deadline,
        deadline: &Deadline,
    ) -> Result<(Certificate, Statistics), Failure> {
        loop {
            let known = self.invariants.search().learnt.lists.count();
            let found = self.find_closed(share, deadline);
            let search = self.invariants.search();
            match found {
                Ok(invariants) => {
                    search.reasoner.services.statistics.entries =
                        invariants.procedures.len() as u64;
                    let certificate = Certificate::of(search, &self.precision, &invariants);
                    return Ok((certificate, search.reasoner.services.statistics.clone()));
                }
                // What was learnt of lists on the precision folds more the second time. Ends because each
                // round but the last learns of places that were not known to make one list.
                Err(NoProof::NotInductive) if search.learnt.lists.count() > known => {
                    self.invariants.begin_anew();
                }
                Err(cause) => return Err(Failure { feedback: feedback(search, &cause), cause }),
            }
        }
    }

    /// Finds invariants and checks them.
    fn find_closed(
        &mut self,
        share: &Deadline,
        deadline: &Deadline,
    ) -> Result<Invariants, NoProof> {
        self.invariants.search().branches.trails = Trails::Recorded;
        let invariants = self.invariants.go_on(share)?;
        let search = self.invariants.search();
        search.branches.trails = Trails::Ignored;
        search.branches.passed.clear();
        check_closed(search, &invariants, None, deadline)?;
        Ok(invariants)
    }
}

/// What a search teaches that ended without a proof.
fn feedback(search: &Search<'_>, cause: &NoProof) -> Feedback {
    let Search { reasoner, learnt, .. } = search;
    let statistics = &reasoner.services.statistics;
    Feedback {
        needs_time: *cause == NoProof::TimeIsOver,
        is_wide: learnt.widest > TOO_WIDE,
        largest: learnt.largest,
        payload_matters: learnt.does_payload_matter(),
        has_lists: learnt.has_lists,
        mixes_callers: reasoner.names.has_mixed_callers(),
        has_elements: statistics.elements > 0,
        has_pointers: statistics.pointers > 0 || learnt.has_pointers,
        has_recursion: reasoner.names.facts.has_recursion(),
        has_empties: learnt.has_many_empties(),
        variants: learnt.variants.clone(),
        is_idle: statistics.foldings == 0 && statistics.steps > MANY_STEPS,
        trees: learnt_trees(&reasoner.names, learnt),
    }
}
