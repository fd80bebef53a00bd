//! A search: the parts that explorations and checks work with. Each operation is lent those that it needs.

use std::sync::Arc;

use heapwright_engine::{Deadline, Reason, Task};

use crate::abstraction::StateOrder;
use crate::execution::call::initial;
use crate::execution::cut_calls::CutCalls;
use crate::execution::step::Executor;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::heap::trail::BranchLog;
use crate::learnt::Learnt;
use crate::precision::{Callers, Precision};
use crate::program_facts::ProgramFacts;
use crate::reasoning::Reasoner;
use crate::reasoning::asked::Asked;
use crate::services::Services;
use crate::settings::Settings;
use crate::summary::domain::Domain;
use crate::summary::tree::learn::expect_trees;

/// What was given to a search, and what has come of it so far.
pub(crate) struct Search<'t> {
    pub(crate) reasoner: Reasoner<'t>,
    pub(crate) precision: Precision,
    pub(crate) learnt: Learnt,
    pub(crate) calls: CutCalls,
    pub(crate) branches: BranchLog,
}

impl<'t> Search<'t> {
    pub(crate) fn new(
        task: &'t Task,
        settings: &Settings,
        precision: Precision,
        deadline: Deadline,
    ) -> Search<'t> {
        Search::on(Arc::new(ProgramFacts::of(task)), settings, precision, deadline)
    }

    /// On a program of which the facts are known already.
    pub(crate) fn on(
        facts: Arc<ProgramFacts<'t>>,
        settings: &Settings,
        precision: Precision,
        deadline: Deadline,
    ) -> Search<'t> {
        let mut names = Names::new(facts);
        names.tells_callers = precision.callers == Callers::Apart;
        let (services, arrays) = (Services::new(settings, deadline), precision.arrays);
        let mut reasoner = Reasoner { names, services, asked: Asked::default(), arrays };
        reasoner.names.start = initial(&mut reasoner).map(Arc::new);
        let mut learnt = Learnt::default();
        expect_trees(&mut reasoner.names, &mut learnt, &precision.trees);
        let (calls, branches) = (CutCalls::default(), BranchLog::default());
        Search { reasoner, precision, learnt, calls, branches }
    }

    /// With the state at the start of the program, if it has one.
    pub(crate) fn prepare(
        task: &'t Task,
        settings: &Settings,
        precision: Precision,
        deadline: &Deadline,
    ) -> Result<(Search<'t>, State), Reason> {
        Search::new(task, settings, precision, deadline.clone()).with_start()
    }

    /// With the state at the start of the program, if it has one.
    pub(crate) fn with_start(self) -> Result<(Search<'t>, State), Reason> {
        let initial = self.reasoner.names.start.clone()?;
        Ok((self, initial.as_ref().clone()))
    }

    pub(crate) fn domain(&mut self) -> Domain<'_, 't> {
        let Search { reasoner, precision, learnt, .. } = self;
        Domain { reasoner, precision, learnt, prototypes: &StateOrder }
    }

    pub(crate) fn executor(&mut self) -> Executor<'_, 't> {
        let Search { reasoner, calls, branches, .. } = self;
        Executor { reasoner, calls, branches }
    }
}
