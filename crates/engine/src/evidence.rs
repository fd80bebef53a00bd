//! Evidence: what an engine hands over so that a proof can be run instead of believed.
//!
//! The crate `oracle` drives it. It runs the program in the interpreter, from the start and from the
//! states that [`Evidence::sample`] makes, and asks at every cut point whether the state that it has
//! arrived in is one that the proof allows. Evidence speaks of concrete machines only, so that a
//! slip in an engine's encoding shows as a disagreement and not as the same slip twice.

use std::fmt;

pub use heapwright_interpreter::Passed;
use heapwright_interpreter::{DrawnInput, Machine, Outcome, Snapshot};
use heapwright_program::{EdgeId, FunctionId, LocationId};

/// What a proof claims of concrete executions.
///
/// Every method has an answer that claims nothing, so that an engine can say what it knows and no
/// more; the verdict tells how much was run.
pub trait Evidence: fmt::Debug {
    /// The places that the proof claims something about.
    fn cut_points(&self) -> &[CutPoint] {
        &[]
    }

    /// A run begins, at the start of the program or at a cut point: what [`Evidence::observe`]
    /// has kept is no longer true. At a cut point, the state is what `sample` or `instance` gave.
    fn begin(&mut self) {}

    /// The machine of a run has just passed an edge.
    fn observe(&mut self, machine: &Machine<'_>, passed: Passed) {
        let (_, _) = (machine, passed);
    }

    /// Whether the machine, which is at that cut point, is in a state that the proof allows.
    fn contains(&mut self, cut: CutId, machine: &Machine<'_>) -> Membership {
        let (_, _) = (cut, machine);
        Membership::Unclear("this proof cannot say which states it allows".to_owned())
    }

    /// A concrete state of that cut point. The same choice gives the same state.
    fn sample(&mut self, cut: CutId, choice: Choice) -> Sample {
        let (_, _) = (cut, choice);
        Sample::NoMore
    }

    /// How many steps the proof has: paths between two cut points, or from the start to the end.
    fn step_count(&self) -> usize {
        0
    }

    /// A concrete instance of a step.
    fn instance(&mut self, step: usize) -> Instance {
        let _ = step;
        Instance::Unclear("this proof does not tell its steps".to_owned())
    }

    /// Edges that no execution takes, if the proof is right.
    fn dead_edges(&self) -> &[(FunctionId, EdgeId)] {
        &[]
    }

    /// Whether an execution may have these branches, from the start of the program to its end.
    /// `None`: the proof does not tell.
    fn has_path(&self, signature: Signature) -> Option<bool> {
        let _ = signature;
        None
    }

    /// Whether the proof leaves out executions that end like this; it then says so among its
    /// assumptions.
    fn excuses(&self, outcome: &Outcome) -> bool {
        let _ = outcome;
        false
    }
}

/// A proof that claims nothing but its result: only whole runs can contradict it.
#[derive(Debug)]
pub struct NoEvidence;

impl Evidence for NoEvidence {}

/// Index into [`Evidence::cut_points`].
pub type CutId = usize;

/// A place that a proof claims something about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutPoint {
    /// The innermost call is at this location of this function.
    pub function: FunctionId,
    pub location: LocationId,
    /// The call edges of the outer frames, outermost first; `None` for a claim that does not depend
    /// on who called.
    pub callers: Option<Vec<(FunctionId, EdgeId)>>,
    /// If not empty, the claim is made only for arrivals over one of these edges.
    pub over: Vec<EdgeId>,
    /// For people.
    pub name: String,
}

/// Whether a state is one of those that a proof allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Membership {
    In,
    /// With what does not fit.
    Out(String),
    /// Not decided in reasonable time; counts as neither.
    Unclear(String),
}

/// Which of a cut point's states is wanted: an enumeration by size, then index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// 0 for the smallest states: segments of their least length, trees of one node.
    pub size: u32,
    /// Among the states of this size.
    pub index: u32,
}

/// A concrete state, if there is one.
#[derive(Clone, Debug)]
pub enum Sample {
    State(Box<Snapshot>),
    /// No state for this choice, although later indices may have one.
    Empty,
    /// No state of this size with this or a later index.
    NoMore,
    Unclear(String),
}

/// A model of a step.
#[derive(Clone, Debug)]
pub enum Instance {
    Run {
        /// Where the step begins; `None` for the start of the program.
        start: Option<(CutId, Box<Snapshot>)>,
        inputs: Vec<DrawnInput>,
        /// The branches it takes up to the next cut point or the end, if the proof tells.
        signature: Option<Signature>,
    },
    /// The step has no model: its condition cannot hold.
    Vacuous,
    Unclear(String),
}

/// The branches of an execution in their order, as one number: what two executions share exactly if
/// they take the same `Assume` edges, but for collisions, which only make a check miss something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature(u64);

impl Signature {
    /// Of an execution that has not branched.
    pub const EMPTY: Signature = Signature(0xcbf2_9ce4_8422_2325);

    /// The same execution after one more `Assume` edge.
    #[must_use]
    pub fn then(self, function: FunctionId, edge: EdgeId) -> Signature {
        use heapwright_base::DenseId;
        let branch = (function.index() as u64) << 32 | edge.index() as u64;
        Signature((self.0.rotate_left(5) ^ branch).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}
