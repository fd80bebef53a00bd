//! What the operations on states work with. Each of the parts has an idea of its own; an operation
//! reads and changes only those that it names.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_base::IdVec;
use heapwright_engine::{Deadline, Reason, Task};
use heapwright_program::FunctionId;

use crate::heap::names::Names;
use crate::heap::state::State;
use crate::heap::trail::Trails;
use crate::learnt::Learnt;
use crate::precision::Precision;
use crate::program_facts::ProgramFacts;
use crate::services::Services;
use crate::settings::Settings;

pub(crate) struct Context<'t> {
    pub(crate) task: &'t Task,
    pub(crate) settings: &'t Settings,
    pub(crate) names: Names<'t>,
    pub(crate) services: Services,
    pub(crate) precision: Precision,
    pub(crate) learnt: Learnt,
    pub(crate) trails: Trails,
    /// Functions whose calls are cut off, if any are: with summaries only.
    pub(crate) recursive: Option<IdVec<FunctionId, bool>>,
    /// Functions whose calls are cut shallowly.
    pub(crate) shallow: BTreeSet<FunctionId>,
}

impl<'t> Context<'t> {
    pub(crate) fn new(
        task: &'t Task,
        settings: &'t Settings,
        precision: Precision,
        deadline: Deadline,
    ) -> Context<'t> {
        let mut context = Context {
            task,
            settings,
            names: Names::new(Arc::new(ProgramFacts::of(&task.program))),
            services: Services::new(settings, deadline),
            precision,
            learnt: Learnt::default(),
            trails: Trails::default(),
            recursive: None,
            shallow: BTreeSet::new(),
        };
        context.names.start = context.initial().map(Arc::new);
        let trees = context.precision.trees.clone();
        context.expect_trees(&trees);
        context
    }

    /// With the state at the start of the program, if it has one.
    pub(crate) fn prepare(
        task: &'t Task,
        settings: &'t Settings,
        precision: Precision,
        deadline: &Deadline,
    ) -> Result<(Context<'t>, State), Reason> {
        let context = Context::new(task, settings, precision, deadline.clone());
        let initial = context.names.start.clone()?;
        Ok((context, initial.as_ref().clone()))
    }
}
