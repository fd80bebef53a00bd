//! The machine: one execution of a program, as far as it has come.

mod at;
mod call;
mod course;
mod effects;
mod execute;
mod fault;
mod observe;
mod run;
mod start;
mod written;

pub(crate) use crate::machine::call::ARGUMENT_SLOT;
pub use crate::machine::observe::Passed;
pub use crate::machine::run::Progress;
pub use crate::machine::start::static_serial;

use std::io::Write;

use heapwright_base::DenseId;
use heapwright_memory::{BlockId, Life, Memory, Value};
use heapwright_program::{
    FunctionId, LocationId, ObjectId, ObjectKind, Place, Program, VariableId, VariableKind,
};

use crate::executable::Executable;
use crate::inputs::{Draws, NamedChoices};
use crate::kind::Kind;
use crate::library::Files;
use crate::machine::course::Openness;
use crate::report::{Note, Outcome};
use crate::settings::{Environment, Settings};
use crate::trace::Trace;

/// Why an instruction did not lead to the next one.
pub(crate) type Ended = Box<Outcome>;

/// A call under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) function: FunctionId,
    /// Its first register.
    pub(crate) base: u32,
    /// The caller's instruction after the call.
    pub(crate) return_pc: u32,
    /// Where the result goes; [`NO_SITE`] for an exit handler.
    pub(crate) site: u32,
    /// How much alloca'd memory there was before.
    pub(crate) allocas: u32,
}

/// The site of a call that the program does not contain.
pub(crate) const NO_SITE: u32 = u32::MAX;

/// The blocks that `stdin`, `stdout` and `stderr` point to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Streams {
    pub(crate) input: Option<BlockId>,
    pub(crate) output: Option<BlockId>,
    pub(crate) error: Option<BlockId>,
}

/// One execution of a program.
pub struct Machine<'e> {
    pub(crate) executable: &'e Executable<'e>,
    pub(crate) settings: &'e Settings,
    pub(crate) memory: Memory,
    /// The registers of all frames, one after the other.
    pub(crate) registers: Vec<Value>,
    pub(crate) globals: Vec<Value>,
    pub(crate) pool: Vec<Value>,
    pub(crate) frames: Vec<Frame>,
    /// The current frame's registers: where they begin and how many there are.
    pub(crate) base: usize,
    pub(crate) window: usize,
    pub(crate) pc: usize,
    pub(crate) steps: u64,
    pub(crate) draws: Draws<'e>,
    pub(crate) output: Box<dyn Write + 'e>,
    pub(crate) error_output: Box<dyn Write + 'e>,
    pub(crate) output_bytes: u64,
    pub(crate) allocas: Vec<BlockId>,
    pub(crate) next_serial: u64,
    /// The program printed an address: it may read it back, or others may.
    pub(crate) shows_addresses: bool,
    /// It compared addresses whose relation the implementation decides.
    pub(crate) sees_choices: bool,
    /// It computed with numbers that a real machine may round otherwise.
    pub(crate) inexact: bool,
    /// Choices that the program asked for so far.
    pub(crate) named_choices: NamedChoices,
    /// The address of the block whose size was asked for last: the next block replaces it, and may
    /// lie at its address.
    pub(crate) replaced: Option<u64>,
    /// How many dead blocks to wait for until looking which of them may be forgotten.
    pub(crate) forget_at: usize,
    pub(crate) notes: Vec<Note>,
    /// Instructions that there is a note about.
    pub(crate) noted: Vec<bool>,
    pub(crate) handlers: Vec<FunctionId>,
    pub(crate) exit_status: Option<i32>,
    /// The call of `exit` that exit handlers run in.
    pub(crate) exit_pc: usize,
    pub(crate) streams: Streams,
    /// A character that was read and not used.
    pub(crate) unread: Option<u8>,
    pub(crate) files: Files,
    pub(crate) ended: Option<Outcome>,
    pub(crate) trace: Trace,
    /// What is open, if the course is followed.
    pub(crate) openness: Option<Box<Openness>>,
}

impl std::fmt::Debug for Machine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Machine")
            .field("pc", &self.pc)
            .field("steps", &self.steps)
            .field("frames", &self.frames)
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}

/// A call under way, seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameView {
    pub function: FunctionId,
    /// The source of the edge under way: for all but the innermost frame, that of the call.
    pub location: LocationId,
    pub place: Place,
}

impl<'e> Machine<'e> {
    /// A machine at the start of the program.
    #[must_use]
    pub fn new(
        executable: &'e Executable<'e>,
        settings: &'e Settings,
        environment: Environment<'e>,
    ) -> Machine<'e> {
        start::start(executable, settings, environment)
    }

    #[must_use]
    pub fn program(&self) -> &'e Program {
        self.executable.program
    }

    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Executed instructions.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// How the execution ended, once it has.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.ended.as_ref()
    }

    /// The location that the execution is at. `None` before `main` and after it, and within an
    /// edge: after a call has returned and before its result is stored.
    #[must_use]
    pub fn location(&self) -> Option<(FunctionId, LocationId)> {
        let is_location = self.executable.starts_edge[self.pc];
        if is_location { self.executable.location_of(self.pc) } else { None }
    }

    /// The calls under way, outermost first.
    #[must_use]
    pub fn frames(&self) -> Vec<FrameView> {
        let pcs = self.frames.iter().skip(1).map(|frame| self.caller_pc(frame)).chain([self.pc]);
        let view = |(frame, pc): (&Frame, usize)| {
            let location = self.executable.location_of(pc);
            let (_, location) = location.unwrap_or((frame.function, LocationId::from_index(0)));
            let place = self.executable.place_of(pc);
            FrameView { function: frame.function, location, place }
        };
        self.frames.iter().zip(pcs).map(view).collect()
    }

    /// The value of a variable: of a global, or of one of the frame (0 is the outermost). Integers
    /// are given by their bits, zero-extended.
    #[must_use]
    pub fn variable(&self, frame: usize, variable: VariableId) -> Value {
        let item = &self.executable.program.variables[variable];
        let register = self.executable.registers[variable] as usize;
        let value = match item.kind {
            VariableKind::Global { .. } => self.globals[register],
            VariableKind::Parameter | VariableKind::Local | VariableKind::Temporary => {
                assert_eq!(item.function, Some(self.frames[frame].function), "{variable}");
                self.registers[self.frames[frame].base as usize + register]
            }
        };
        match Kind::of(item.scalar) {
            Kind::Pointer => value,
            kind => Value::from_wide(kind.bits(value)),
        }
    }

    /// The live block of an object: of a static one, or of a local one of the frame.
    #[must_use]
    pub fn object(&self, frame: usize, object: ObjectId) -> Option<BlockId> {
        let item = &self.executable.program.objects[object];
        if item.kind != ObjectKind::Local {
            return start::static_block(&self.memory, object);
        }
        assert_eq!(item.function, Some(self.frames[frame].function), "{object}");
        let register = self.executable.object_registers[object] as usize;
        let block = self.registers[self.frames[frame].base as usize + register].block()?;
        (self.memory.block(block).life == Life::Alive).then_some(block)
    }

    /// The instruction that called a frame.
    pub(crate) fn caller_pc(&self, frame: &Frame) -> usize {
        if frame.site == NO_SITE { self.exit_pc } else { frame.return_pc as usize - 1 }
    }

    pub(crate) fn place(&self) -> Place {
        self.executable.place_of(self.pc)
    }
}
