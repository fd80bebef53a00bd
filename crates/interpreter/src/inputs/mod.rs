//! Inputs: everything about a run that the program does not determine comes through [`Inputs`].
//!
//! The same answers give the same run, step by step. A run records its answers as a list of
//! [`DrawnInput`], from which [`RecordedInputs`] repeats it.

mod choice;
mod draws;
mod lines;
mod listed;
mod plausible;
mod recorded;
mod seeded;

use std::sync::Arc;

use heapwright_program::{Place, ScalarType, VariableId};

pub use crate::inputs::choice::{ChoiceKind, NamedChoices};
pub(crate) use crate::inputs::draws::Draws;
pub use crate::inputs::lines::LineInputs;
pub use crate::inputs::listed::ListedInputs;
pub use crate::inputs::recorded::RecordedInputs;
pub use crate::inputs::seeded::SeededInputs;

/// A source of inputs. Bits beyond a type's width are dropped.
pub trait Inputs {
    /// The result of a call of `__VERIFIER_nondet_…`, or of a library function that asks the world
    /// (`time`, `rand`), by its full name.
    fn nondeterministic(&mut self, name: &str, ty: ScalarType, place: Place) -> u128;

    /// The value of a variable that was declared without one; `None` for an argument or a result
    /// that a call failed to give.
    fn uninitialised_variable(
        &mut self,
        variable: Option<VariableId>,
        ty: ScalarType,
        place: Place,
    ) -> u128;

    /// The byte at `offset` of the block called `serial`.
    fn uninitialised_byte(&mut self, serial: u64, offset: u64) -> u8;

    /// Whether the allocation of the heap block to be called `serial` fails.
    fn allocation_fails(&mut self, serial: u64) -> bool {
        let _ = serial;
        false
    }

    /// The next character of standard input; `None` at its end.
    fn character(&mut self) -> Option<u8> {
        None
    }

    /// What the implementation decides, as a number below `options`.
    fn choose(&mut self, kind: ChoiceKind, options: u32) -> u32 {
        let (_, _) = (kind, options);
        0
    }

    /// Whether [`Inputs::choose`] ever says anything but 0; if not, it need not be asked.
    fn chooses(&self) -> bool {
        false
    }

    /// Whether values were asked for that the source did not have.
    fn is_exhausted(&self) -> bool {
        false
    }
}

/// What an input was drawn for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum InputKind {
    Nondeterministic(Arc<str>),
    UninitialisedVariable(Option<VariableId>),
    UninitialisedByte {
        serial: u64,
        offset: u64,
    },
    /// The value is 1 if it failed.
    AllocationFails {
        serial: u64,
    },
    /// Of standard input; the value is 256 at its end.
    Character,
    /// Recorded where it is not 0.
    Choice(ChoiceKind),
}

/// An input as it was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DrawnInput {
    pub kind: InputKind,
    pub ty: ScalarType,
    pub bits: u128,
    pub place: Place,
}

/// The recorded character that stands for the end of standard input.
pub(crate) const END_OF_INPUT: u128 = 256;
