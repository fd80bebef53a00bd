//! What a run says when it ends.

use std::fmt;

use heapwright_memory::{Access, BlockSummary, FaultKind, MemoryLimit};
use heapwright_program::{FunctionId, Place};

use crate::inputs::DrawnInput;
use crate::trace::TraceEvent;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// By a return from `main`, by `exit` or by `_exit`.
    Exited(i32),
    /// By `abort`.
    Aborted,
    /// The outermost call of a state that the run was started from has returned, and who called it
    /// is not known.
    Returned,
    /// An assumption of the task failed: this execution does not count.
    AssumptionFailed,
    Fault(Box<Fault>),
    /// Nothing is known of what the program would have done.
    Unsupported {
        construct: String,
        place: Place,
        blame: Place,
    },
    Limit(LimitKind),
}

/// What ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitKind {
    Steps,
    Memory,
    AddressSpace,
    /// Someone raised the cancellation flag.
    Cancelled,
    /// The output sink took no more.
    Output,
}

impl From<MemoryLimit> for LimitKind {
    fn from(limit: MemoryLimit) -> LimitKind {
        match limit {
            MemoryLimit::Bytes => LimitKind::Memory,
            MemoryLimit::AddressSpace => LimitKind::AddressSpace,
        }
    }
}

/// A frame of a fault's call stack: the place is where that function was at the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackFrame {
    pub function: FunctionId,
    pub place: Place,
}

/// What the program did wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    pub kind: FaultKind,
    /// The operation that faulted.
    pub place: Place,
    /// Where the user's own code is to blame: the innermost frame that is not in a model.
    pub blame: Place,
    pub access: Option<Access>,
    pub address: Option<u64>,
    pub blocks: Vec<BlockSummary>,
    /// Innermost first.
    pub stack: Vec<StackFrame>,
    /// The text of a failed assertion, the name of a function.
    pub detail: Option<String>,
}

/// Behaviour that C leaves undefined and that this interpreter defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// The result was wrapped.
    SignedOverflow,
    /// The count was taken modulo the width.
    ShiftOutOfRange,
}

impl NoteKind {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            NoteKind::SignedOverflow => "signed-overflow",
            NoteKind::ShiftOutOfRange => "shift-out-of-range",
        }
    }
}

impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The first time that an operation did something noteworthy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    pub kind: NoteKind,
    pub function: FunctionId,
    pub place: Place,
    /// The innermost frame at that time that is not in a model.
    pub blame: Place,
    pub step: u64,
}

/// Whether other executions of the program go the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// Nobody asked.
    NotFollowed,
    /// All of them do as far as this one came.
    Fixed,
    /// Something that they may have otherwise decided here.
    Open(Place),
}

/// Everything about a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunReport {
    pub outcome: Outcome,
    /// Executed instructions of the compiled form: about one an edge.
    pub steps: u64,
    /// Live heap blocks that nothing pointed to when they were looked for last.
    pub leaked: Vec<BlockSummary>,
    /// Live heap blocks at the end.
    pub unfreed: Vec<BlockSummary>,
    pub notes: Vec<Note>,
    /// Every input in the order in which it was drawn, if recording was asked for.
    pub inputs_drawn: Vec<DrawnInput>,
    /// The source had no more values and made some up.
    pub inputs_exhausted: bool,
    /// Uninitialised bytes that were read.
    pub uninitialised_reads: u64,
    pub output_bytes: u64,
    /// Whether another run of the program may differ from this one.
    pub depends_on_inputs: bool,
    /// Whether it compared addresses whose relation is a choice of the implementation: a dead block
    /// and a later one, two string literals, one past an end.
    pub sees_choices: bool,
    /// Whether it computed with numbers that other machines and libraries may round otherwise:
    /// `__float128`, functions such as `sin`, `long double` as text. It is no evidence of anything.
    pub inexact: bool,
    pub course: Course,
    /// The last decisions and calls, oldest first, if a trace was asked for.
    pub trace: Vec<TraceEvent>,
}

impl RunReport {
    /// The fault that ended the run.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        match &self.outcome {
            Outcome::Fault(fault) => Some(fault),
            Outcome::Exited(_)
            | Outcome::Aborted
            | Outcome::Returned
            | Outcome::AssumptionFailed
            | Outcome::Unsupported { .. }
            | Outcome::Limit(_) => None,
        }
    }
}
