//! Inputs in words: what was drawn, its value in the type's own notation, where.

use heapwright_interpreter::{ChoiceKind, DrawnInput, InputKind};
use heapwright_program::{FloatFormat, Program, ScalarType, VOLATILE, sign_extend};
use serde::Serialize;

use crate::position::Position;

/// One input that a run drew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InputReport {
    /// `nondeterministic`, `variable`, `byte`, `allocation`, `character` or `choice`.
    pub kind: &'static str,
    /// `__VERIFIER_nondet_int()`, or what else the value is for.
    pub name: String,
    /// In the notation that `run --inputs` reads.
    pub value: String,
    pub place: Option<Position>,
    /// How `run --inputs` has to be told, where it is not a plain value.
    #[serde(skip)]
    pub(crate) argument: InputArgument,
}

/// How a drawn input is given to another run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InputArgument {
    Value(String),
    Variable(String),
    /// Zero unless given, so only others have to be.
    Byte {
        serial: u64,
        offset: u64,
        value: u8,
    },
    Failure {
        serial: u64,
    },
    Success,
    /// As `--inputs` takes it.
    Choice(String),
    Character(Option<u8>),
}

impl InputReport {
    /// Whether it is the result of a call in the user's source.
    pub(crate) fn is_call(&self) -> bool {
        self.name.ends_with("()")
    }

    #[must_use]
    pub fn of(program: &Program, drawn: &DrawnInput) -> InputReport {
        let value = value_text(program, drawn.ty, drawn.bits);
        let (kind, name, argument) = match &drawn.kind {
            InputKind::Nondeterministic(name) if **name == *VOLATILE => {
                let name = "a volatile object".to_owned();
                ("nondeterministic", name, InputArgument::Value(value.clone()))
            }
            InputKind::Nondeterministic(name) => {
                ("nondeterministic", format!("{name}()"), InputArgument::Value(value.clone()))
            }
            InputKind::UninitialisedVariable(variable) => {
                let variable = variable.and_then(|id| program.variables.get(id));
                let name = variable.map_or("a missing value".to_owned(), |variable| {
                    format!("`{}`, uninitialised", variable.name)
                });
                ("variable", name, InputArgument::Variable(value.clone()))
            }
            InputKind::UninitialisedByte { serial, offset } => {
                let argument = InputArgument::Byte {
                    serial: *serial,
                    offset: *offset,
                    value: drawn.bits as u8,
                };
                ("byte", format!("byte {offset} of block {serial}, uninitialised"), argument)
            }
            InputKind::AllocationFails { serial } => {
                let argument = match drawn.bits {
                    0 => InputArgument::Success,
                    _ => InputArgument::Failure { serial: *serial },
                };
                ("allocation", format!("failure of allocation {serial}"), argument)
            }
            InputKind::Choice(kind) => {
                let argument = match kind {
                    ChoiceKind::Address { serial } => format!("address:{serial}={value}"),
                    ChoiceKind::Null { earlier } => format!("null:{earlier}={value}"),
                    ChoiceKind::Block { earlier } => format!("block:{earlier}={value}"),
                    ChoiceKind::Literals => format!("literals:{value}"),
                };
                (
                    "choice",
                    format!("choice of the implementation: {kind}"),
                    InputArgument::Choice(argument),
                )
            }
            InputKind::Character => {
                let character = u8::try_from(drawn.bits).ok();
                let argument = InputArgument::Character(character);
                ("character", "a character of standard input".to_owned(), argument)
            }
        };
        let place = Position::of(program, drawn.place);
        InputReport { kind, name, value, place, argument }
    }
}

/// A value as C would write it, and `run --inputs` reads it.
fn value_text(program: &Program, ty: ScalarType, bits: u128) -> String {
    match ty {
        ScalarType::Bool | ScalarType::Integer { signed: false, .. } => bits.to_string(),
        ScalarType::Integer { signed: true, width } => {
            sign_extend(bits, u32::from(width)).to_string()
        }
        ScalarType::Pointer => format!("{bits:#x}"),
        ScalarType::Float(FloatFormat::Single) => format!("{:?}", f32::from_bits(bits as u32)),
        ScalarType::Float(FloatFormat::Double) => format!("{:?}", f64::from_bits(bits as u64)),
        // Wider than what Rust can print.
        ScalarType::Float(FloatFormat::Extended | FloatFormat::Quadruple) => {
            let digits = ty.value_bits(program.model) as usize / 4;
            format!("{bits:#0width$x}", width = digits + 2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_read_like_their_type() {
        let program = Program::default();
        let minus_one = u128::from(u32::MAX);
        assert_eq!(value_text(&program, ScalarType::INT, minus_one), "-1");
        assert_eq!(value_text(&program, ScalarType::UNSIGNED, minus_one), "4294967295");
        let double = ScalarType::Float(FloatFormat::Double);
        assert_eq!(value_text(&program, double, u128::from(0.5f64.to_bits())), "0.5");
    }
}
