//! Constants as text: a number says its type only where the surroundings do not.
//!
//! `5`, `-5`, `5u64`, `2.5`, `2.5f32`, `true`, `null`, `0x1000_ptr`; a hexadecimal number with a
//! floating-point type gives the bits, for what decimals cannot say: `0x7ff8000000000001_f64`.

use crate::expression::{mask, sign_extend};
use crate::text::float;
use crate::types::{DataModel, FloatFormat, ScalarType};

/// What a number without a suffix is, by what its surroundings expect.
fn default_type(is_fraction: bool, expected: Option<ScalarType>) -> ScalarType {
    match (is_fraction, expected) {
        (false, Some(ty @ ScalarType::Integer { .. })) => ty,
        (true, Some(ty @ ScalarType::Float(_))) => ty,
        (false, _) => ScalarType::INT,
        (true, _) => ScalarType::Float(FloatFormat::Double),
    }
}

/// The exact text of a constant where `expected` is expected.
pub(super) fn exact(
    ty: ScalarType,
    bits: u128,
    expected: Option<ScalarType>,
    model: DataModel,
) -> String {
    let number = plain(ty, bits, model);
    let is_word = matches!(ty, ScalarType::Bool) || number == "null";
    let is_hexadecimal = number.starts_with("0x");
    match (is_word, is_hexadecimal) {
        (true, _) => number,
        (false, true) => format!("{number}_{ty}"),
        (false, false) if default_type(ty.is_float(), expected) == ty => number,
        (false, false) => format!("{number}{ty}"),
    }
}

/// The text of a constant without its type, for people.
pub(super) fn plain(ty: ScalarType, bits: u128, model: DataModel) -> String {
    match ty {
        ScalarType::Bool => (bits != 0).to_string(),
        ScalarType::Integer { signed: true, width } => {
            sign_extend(bits, u32::from(width)).to_string()
        }
        ScalarType::Integer { signed: false, .. } => bits.to_string(),
        ScalarType::Pointer if bits == 0 => "null".to_owned(),
        ScalarType::Pointer => format!("{bits:#x}"),
        ScalarType::Float(format) => float::to_decimal(format, bits).unwrap_or_else(|| {
            let digits = ty.value_bits(model) as usize / 4;
            format!("0x{bits:0digits$x}")
        }),
    }
}

/// A number as it was read, before its type is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Number {
    pub is_negative: bool,
    pub is_hexadecimal: bool,
    /// Digits, without sign and `0x`; a decimal may have a fraction and an exponent.
    pub digits: String,
    pub suffix: Option<ScalarType>,
}

impl Number {
    fn is_fraction(&self) -> bool {
        !self.is_hexadecimal && self.digits.contains(['.', 'e'])
    }

    pub(super) fn ty(&self, expected: Option<ScalarType>) -> ScalarType {
        self.suffix.unwrap_or_else(|| default_type(self.is_fraction(), expected))
    }

    /// The bits of this number as a `ty`; `None` where it is not one.
    pub(super) fn bits(&self, ty: ScalarType, model: DataModel) -> Option<u128> {
        let limit = mask(ty.value_bits(model));
        if self.is_hexadecimal {
            let bits = u128::from_str_radix(&self.digits, 16).ok()?;
            return (bits <= limit && !self.is_negative).then_some(bits);
        }
        match ty {
            ScalarType::Float(format) => float::from_decimal(format, &self.signed_digits()),
            ScalarType::Integer { signed: true, .. } => {
                let magnitude: u128 = self.digits.parse().ok()?;
                let largest = limit >> 1;
                let fits = magnitude <= largest + u128::from(self.is_negative);
                let value = if self.is_negative { magnitude.wrapping_neg() } else { magnitude };
                fits.then_some(value & limit)
            }
            ScalarType::Bool | ScalarType::Integer { signed: false, .. } | ScalarType::Pointer => {
                let value: u128 = self.digits.parse().ok()?;
                (value <= limit && !self.is_negative).then_some(value)
            }
        }
    }

    fn signed_digits(&self) -> String {
        let sign = if self.is_negative { "-" } else { "" };
        format!("{sign}{}", self.digits)
    }
}
