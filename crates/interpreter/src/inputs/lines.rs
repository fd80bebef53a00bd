//! Inputs as text: one value a line.

use std::io::BufRead;

use heapwright_program::{Place, ScalarType, VariableId};

use crate::float;
use crate::inputs::Inputs;
use crate::kind::Kind;

/// Reads nondeterministic values from lines (decimal, hexadecimal with `0x`, a float for a float, a
/// character in single quotes) and standard input from the same reader. Other inputs are zero.
#[derive(Debug)]
pub struct LineInputs<R> {
    reader: R,
    is_exhausted: bool,
}

impl<R: BufRead> LineInputs<R> {
    pub fn new(reader: R) -> LineInputs<R> {
        LineInputs { reader, is_exhausted: false }
    }

    /// The value on the next line that has one; `None` at the end or where it is no number.
    fn next_value(&mut self, ty: ScalarType) -> Option<u128> {
        let mut line = String::new();
        // Ends because each round reads a line, and the end of the text reads none.
        while line.trim().is_empty() {
            line.clear();
            if self.reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
        }
        parse(line.trim(), ty)
    }
}

fn parse(text: &str, ty: ScalarType) -> Option<u128> {
    if ty.is_float() {
        // The bits, of formats that have no notation of their own here.
        if let Some(digits) = text.strip_prefix("0x") {
            return u128::from_str_radix(digits, 16).ok();
        }
        let number: f64 = text.parse().ok()?;
        return Some(float::from_double(Kind::of(ty), number).wide());
    }
    if let Some(character) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return character.chars().next().map(|character| u128::from(u32::from(character)));
    }
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let number = match hexadecimal {
        Some(digits) => u128::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if is_negative { number.wrapping_neg() } else { number })
}

impl<R: BufRead> Inputs for LineInputs<R> {
    fn nondeterministic(&mut self, _name: &str, ty: ScalarType, _place: Place) -> u128 {
        let value = self.next_value(ty);
        self.is_exhausted |= value.is_none();
        value.unwrap_or(0)
    }

    fn uninitialised_variable(
        &mut self,
        _variable: Option<VariableId>,
        _ty: ScalarType,
        _place: Place,
    ) -> u128 {
        0
    }

    fn uninitialised_byte(&mut self, _serial: u64, _offset: u64) -> u8 {
        0
    }

    fn character(&mut self) -> Option<u8> {
        let mut byte = [0];
        let count = self.reader.read(&mut byte).unwrap_or(0);
        (count == 1).then_some(byte[0])
    }

    fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_in_the_notations_that_people_type() {
        assert_eq!(parse("-1", ScalarType::INT), Some(u128::MAX));
        assert_eq!(parse("0xff", ScalarType::INT), Some(255));
        assert_eq!(parse("'a'", ScalarType::BYTE), Some(97));
        let double = ScalarType::Float(heapwright_program::FloatFormat::Double);
        assert_eq!(parse("0.5", double), Some(u128::from(0.5f64.to_bits())));
        assert_eq!(parse("many", ScalarType::INT), None);
    }
}
