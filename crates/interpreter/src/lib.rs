//! The reference interpreter: runs a program on the concrete memory and reports every fault.
//!
//! It is the oracle of the project, so it is exact first: each run is determined by its inputs,
//! which are recorded and can be replayed. It is fast second: a program is compiled once into a
//! register code ([`Executable`]) and run any number of times ([`Machine`]).

mod arithmetic;
mod compile;
mod control_map;
mod executable;
mod extended;
mod float;
mod inputs;
mod instruction;
mod kind;
mod library;
mod liveness;
mod loss;
mod machine;
mod report;
mod settings;
mod snapshot;
mod trace;

pub use crate::executable::Executable;
pub use crate::inputs::{
    ChoiceKind, DrawnInput, InputKind, Inputs, LineInputs, ListedInputs, NamedChoices,
    RecordedInputs, SeededInputs,
};
pub use crate::library::{is_library_function, is_mathematical};
pub use crate::loss::{Loss, locate_loss};
pub use crate::machine::{FrameView, Machine, Passed, Progress, static_serial};
pub use crate::report::{Course, Fault, LimitKind, Note, NoteKind, Outcome, RunReport, StackFrame};
pub use crate::settings::{CompileSettings, EndCheck, Environment, Limits, Settings};
pub use crate::snapshot::{
    BlockIdentity, BlockState, CellState, FramePoint, FrameState, Snapshot, SnapshotError,
    ValueState,
};
pub use crate::trace::{TraceEvent, TraceKind};

use heapwright_program::Program;

/// Compiles and runs a program.
#[must_use]
pub fn run(program: &Program, settings: &Settings, environment: Environment<'_>) -> RunReport {
    let executable = Executable::compile(program, &settings.compile);
    Machine::new(&executable, settings, environment).run()
}
