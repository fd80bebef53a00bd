//! What all states share: the program, the terms, the solver, the address variables.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_base::IdVec;
use heapwright_engine::{Deadline, Task};
use heapwright_program::{EdgeId, FunctionId};
use heapwright_solver::{ExternalError, Solver};

use crate::analysis::abstraction_points::Meetings;
use crate::execution::locate::Oracle;
use crate::heap::names::Names;
use crate::heap::trail::Trails;
use crate::program_facts::ProgramFacts;
use crate::proof::evidence::SecondReading;
use crate::settings::Settings;
use crate::statistics::Statistics;
use crate::summary::list::links::KnownLists;
use crate::summary::tree::KnownTrees;

/// What different constants in nodes are taken for. They may be marks by which a program tells its
/// nodes apart, or just numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marks {
    /// Nodes with different constants are not in one segment: their order is kept.
    Apart,
    /// They are different kinds of node of one segment.
    Kinds,
    /// They are numbers in a range.
    Numbers,
    /// Nodes with different constants are not in one segment, unless two neighbours always come
    /// together and are one element of it.
    Elements,
    /// They are different kinds of node of one segment, which knows which kinds may follow which.
    Sequences,
}

/// What becomes of a node of a tree to which a variable points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cursors {
    /// It is the root of all that is below it, and what is known of its links is forgotten.
    Folded,
    /// It stays a single node if it is one and a link of it is null, or leads to a single node: a
    /// program may have looked for that, to put something there.
    Apart,
}

/// Whether segments tell how their nodes are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sorting {
    Unseen,
    Seen,
}

pub(crate) struct Context<'t> {
    pub(crate) task: &'t Task,
    pub(crate) settings: &'t Settings,
    pub(crate) names: Names<'t>,
    pub(crate) solver: Solver,
    /// Why the solver is not asked any more.
    pub(crate) solver_failure: Option<ExternalError>,
    pub(crate) oracle: Oracle,
    pub(crate) solver_deadline: heapwright_solver::Deadline,
    pub(crate) statistics: Statistics,
    pub(crate) marks: Marks,
    /// Whether anything came of what marks are taken for, or would have come of it in a later way.
    marks_matter: Cell<bool>,
    pub(crate) meetings: Meetings,
    /// The most states that arrived from one.
    pub(crate) widest: usize,
    pub(crate) trails: Trails,
    /// Branches that some state has passed.
    pub(crate) passed: BTreeSet<(FunctionId, EdgeId)>,
    /// A second reading of the invariants that are checked, if there is one.
    pub(crate) second: Option<SecondReading<'t>>,
    pub(crate) cursors: Cursors,
    pub(crate) sorting: Sorting,
    /// Functions whose calls are cut off, if any are: with summaries only.
    pub(crate) recursive: Option<IdVec<FunctionId, bool>>,
    /// Functions whose calls are cut shallowly.
    pub(crate) shallow: BTreeSet<FunctionId>,
    pub(crate) trees: KnownTrees,
    /// Places whose blocks were nodes of one list.
    pub(crate) lists: KnownLists,
}

impl<'t> Context<'t> {
    pub(crate) fn new(
        task: &'t Task,
        settings: &'t Settings,
        solver_deadline: Deadline,
    ) -> Context<'t> {
        let mut context = Context {
            task,
            settings,
            names: Names::new(Arc::new(ProgramFacts::of(&task.program))),
            solver: settings.solver.solver(),
            solver_failure: None,
            oracle: Oracle::new(settings),
            solver_deadline,
            statistics: Statistics::default(),
            marks: Marks::Numbers,
            marks_matter: Cell::new(false),
            meetings: Meetings::default(),
            widest: 0,
            trails: Trails::default(),
            passed: BTreeSet::new(),
            second: None,
            cursors: Cursors::Folded,
            sorting: Sorting::Unseen,
            recursive: None,
            shallow: BTreeSet::new(),
            trees: KnownTrees::default(),
            lists: KnownLists::default(),
        };
        context.names.start = context.initial().map(Arc::new);
        context
    }

    /// An answer that depends on what marks are taken for; it is remembered whether any was yes.
    pub(crate) fn by_marks(&self, answer: bool) -> bool {
        if answer {
            self.marks_matter.set(true);
        }
        answer
    }

    /// Whether another way to treat marks, as single numbers or as kinds, may give another result.
    pub(crate) fn do_marks_matter(&self) -> bool {
        self.marks_matter.get()
    }
}
