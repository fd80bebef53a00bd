//! Settings of the engine.

use std::sync::Arc;
use std::time::Duration;

use heapwright_solver::{BackEnd, Meter};

use crate::definition::Definitions;

/// What the engine is called.
pub(crate) const NAME: &str = "symbolic-heap";

/// How the block and offset of an access are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Allocation {
    /// By the form of the pointer.
    #[default]
    Syntactic,
    /// One question in separation logic for each cell: can it lie beside the accessed one?
    SeparationLogic,
    /// One question in separation logic for all cells: can the accessed one lie beside them?
    WholeHeap,
    /// One question for each cell: can its address be another than the accessed one?
    Equality,
    /// One question for a model, which names a cell, and one whether it is the only one.
    Model,
}

/// When paths without summaries have their turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathTurns {
    /// At the start of every round: they find faults, and decide what is bounded.
    #[default]
    First,
    /// Once nothing is left to be found by summaries.
    Last,
}

/// How far the exploration goes.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Edges that may be executed in all.
    pub steps: u64,
    /// States that may wait at a time.
    pub waiting: usize,
    /// Values that a symbolic offset or size may be split into at one access.
    pub splits: usize,
    /// Who answers questions about formulas.
    pub solver: BackEnd,
    /// Counts these questions.
    pub meter: Meter,
    /// How the block and offset of an access are found.
    pub allocation: Allocation,
    /// Time for one question to the solver.
    pub solver_time: Duration,
    /// Shapes of the heap that are told apart at one place, with summaries.
    pub shapes: usize,
    /// What users define. Blocks of the sizes of their nodes are folded to nothing else.
    pub predicates: Arc<Definitions>,
    /// Whether lists are folded into segments.
    pub summaries: bool,
    /// When paths without summaries have their turn.
    pub paths: PathTurns,
    /// Units of work for the first precision in the first round. Every round has several times as many, so
    /// that what would take long does not keep that waiting which would not.
    pub first_share: u64,
    /// Units of work in all.
    pub most_work: u64,
    /// Active calls; more give up.
    pub frames: usize,
    pub time: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            steps: 20_000_000,
            waiting: 20_000,
            splits: 64,
            solver: BackEnd::Embedded,
            meter: Meter::new(),
            allocation: Allocation::Syntactic,
            solver_time: Duration::from_secs(5),
            shapes: 1000,
            predicates: Arc::default(),
            summaries: true,
            paths: PathTurns::First,
            first_share: 500,
            most_work: u64::MAX,
            frames: 3000,
            time: Duration::from_secs(50),
        }
    }
}

impl Settings {
    /// For checking a proof: the usual solver and ways, whatever was used when it was found.
    pub(crate) fn for_checking(&self) -> Settings {
        let usual = Settings::default();
        let Settings { solver, meter, allocation, .. } = usual;
        Settings { solver, meter, allocation, ..self.clone() }
    }
}
