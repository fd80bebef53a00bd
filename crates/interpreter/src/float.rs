//! Floating point: formats as bits, arithmetic.
//!
//! `float`, `double` and the 80-bit `long double` are exact. The format of 128 bits is stored in its
//! own layout and computed as `double`: what comes of it is not exact ([`is_rounded`]).

use std::cmp::Ordering;

use heapwright_memory::Value;
use heapwright_program::BinaryOperator;

use crate::extended::Extended;
use crate::kind::Kind;

/// Whether arithmetic of this kind is rounded more than C's would be.
pub(crate) fn is_rounded(kind: Kind) -> bool {
    kind == Kind::F128
}

/// The number as a `double`; exact for the narrow formats, rounded for the wide ones.
pub(crate) fn to_double(kind: Kind, value: Value) -> f64 {
    match kind {
        Kind::F32 => f64::from(f32::from_bits(value.low as u32)),
        Kind::F64 => f64::from_bits(value.low),
        Kind::F80 => Extended::unpack(value).to_double(),
        Kind::F128 => {
            let exponent = (value.high >> 48) as u32;
            let fraction = value.wide() << 16 >> 1;
            let leading = if exponent & 0x7fff == 0 { 0 } else { 1 << 127 };
            unpack(leading | fraction, exponent)
        }
        _ => panic!("{kind:?} is no float"),
    }
}

/// The bits of a `double` in another format, rounded to nearest, ties to even.
pub(crate) fn from_double(kind: Kind, number: f64) -> Value {
    match kind {
        Kind::F32 => Value::from_low(u64::from((number as f32).to_bits())),
        Kind::F64 => Value::from_low(number.to_bits()),
        Kind::F80 => Extended::from_double(number).pack(),
        Kind::F128 => {
            let (significand, exponent) = pack(number);
            Value::from_wide(significand << 1 >> 16 | u128::from(exponent) << 112)
        }
        _ => panic!("{kind:?} is no float"),
    }
}

const BIAS: i32 = 16383;

/// From a significand with its leading bit at bit 127, and a sign with a biased 15-bit exponent.
fn unpack(significand: u128, sign_and_exponent: u32) -> f64 {
    let is_negative = sign_and_exponent & 0x8000 != 0;
    let exponent = (sign_and_exponent & 0x7fff) as i32;
    let magnitude = if exponent == 0x7fff {
        if significand << 1 == 0 { f64::INFINITY } else { f64::NAN }
    } else if significand == 0 {
        0.0
    } else {
        // An odd rest keeps ties from being rounded as such; 2^-127 of it is below any rounding.
        let rest = u64::from(significand as u64 != 0);
        scale(((significand >> 64) as u64) | rest, exponent.max(1) - BIAS - 63)
    };
    if is_negative { -magnitude } else { magnitude }
}

/// `number * 2^exponent`, rounded once.
fn scale(number: u64, exponent: i32) -> f64 {
    let length = 64 - number.leading_zeros() as i32;
    let top = length + exponent;
    if top > 1024 {
        return f64::INFINITY;
    }
    // Bits that a double has at this magnitude: fewer than 53 where it is subnormal.
    let precision = (top + 1074).min(53);
    if precision < 0 {
        return 0.0;
    }
    let dropped = length - precision;
    let (kept, exponent) = if dropped > 0 {
        let number = u128::from(number);
        let half = 1u128 << (dropped - 1);
        let rest = number & ((1 << dropped) - 1);
        let kept = number >> dropped;
        let up = rest > half || rest == half && kept & 1 == 1;
        ((kept + u128::from(up)) as u64, exponent + dropped)
    } else {
        (number, exponent)
    };
    // Exact: `kept` has at most 53 bits (or is a power of two), and no factor is subnormal.
    let half = exponent / 2;
    kept as f64 * 2f64.powi(half) * 2f64.powi(exponent - half)
}

/// A significand with its leading bit at bit 127, and a sign with a biased 15-bit exponent.
fn pack(number: f64) -> (u128, u32) {
    let bits = number.to_bits();
    let sign = ((bits >> 63) as u32) << 15;
    let fraction = bits & ((1 << 52) - 1);
    match (bits >> 52 & 0x7ff) as i32 {
        0x7ff => (1 << 127 | u128::from(fraction) << 75, sign | 0x7fff),
        0 if fraction == 0 => (0, sign),
        0 => {
            let shift = fraction.leading_zeros();
            let exponent = 63 - shift as i32 - 1074 + BIAS;
            (u128::from(fraction) << (64 + shift), sign | exponent as u32)
        }
        exponent => {
            let significand = u128::from(1 << 52 | fraction) << 75;
            (significand, sign | (exponent - 1023 + BIAS) as u32)
        }
    }
}

/// A number in another format, rounded once.
pub(crate) fn convert(from: Kind, to: Kind, value: Value) -> Value {
    match (from, to) {
        (Kind::F80, Kind::F32) => {
            Value::from_low(u64::from(Extended::unpack(value).to_single().to_bits()))
        }
        _ => from_double(to, to_double(from, value)),
    }
}

/// A binary operator on two floats of one format. Comparisons give a truth value.
pub(crate) fn binary(operator: BinaryOperator, kind: Kind, left: Value, right: Value) -> Value {
    match kind {
        Kind::F80 => extended_binary(operator, left, right),
        _ => double_binary(operator, kind, left, right),
    }
}

fn extended_binary(operator: BinaryOperator, left: Value, right: Value) -> Value {
    let (a, b) = (Extended::unpack(left), Extended::unpack(right));
    let truth = |holds: bool| Value::from_low(u64::from(holds));
    let order = a.compare(b);
    match operator {
        BinaryOperator::Add => a.add(b).pack(),
        BinaryOperator::Subtract => a.subtract(b).pack(),
        BinaryOperator::Multiply => a.multiply(b).pack(),
        BinaryOperator::Divide => a.divide(b).pack(),
        BinaryOperator::Equal => truth(order == Some(Ordering::Equal)),
        BinaryOperator::NotEqual => truth(order != Some(Ordering::Equal)),
        BinaryOperator::Less => truth(order == Some(Ordering::Less)),
        BinaryOperator::LessEqual => truth(order.is_some_and(Ordering::is_le)),
        BinaryOperator::Remainder
        | BinaryOperator::BitAnd
        | BinaryOperator::BitOr
        | BinaryOperator::BitXor
        | BinaryOperator::ShiftLeft
        | BinaryOperator::ShiftRight
        | BinaryOperator::OffsetPointer
        | BinaryOperator::PointerDifference => panic!("{operator:?} of floats"),
    }
}

fn double_binary(operator: BinaryOperator, kind: Kind, left: Value, right: Value) -> Value {
    let (a, b) = (to_double(kind, left), to_double(kind, right));
    let truth = |holds: bool| Value::from_low(u64::from(holds));
    // In double first, then rounded to single: the same as in single for these operators, since
    // a double has more than twice its precision.
    match operator {
        BinaryOperator::Add => from_double(kind, a + b),
        BinaryOperator::Subtract => from_double(kind, a - b),
        BinaryOperator::Multiply => from_double(kind, a * b),
        BinaryOperator::Divide => from_double(kind, a / b),
        BinaryOperator::Remainder => from_double(kind, a % b),
        BinaryOperator::Equal => truth(a == b),
        BinaryOperator::NotEqual => truth(a != b),
        BinaryOperator::Less => truth(a < b),
        BinaryOperator::LessEqual => truth(a <= b),
        BinaryOperator::BitAnd
        | BinaryOperator::BitOr
        | BinaryOperator::BitXor
        | BinaryOperator::ShiftLeft
        | BinaryOperator::ShiftRight
        | BinaryOperator::OffsetPointer
        | BinaryOperator::PointerDifference => panic!("{operator:?} of floats"),
    }
}

/// A float with its sign bit flipped.
pub(crate) fn negate(kind: Kind, value: Value) -> Value {
    Value::from_wide(value.wide() ^ 1 << (kind.width() - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_go_through_the_wide_formats_unchanged() {
        let numbers = [0.0, -0.0, 1.0, -1.5, 1e300, 5e-324, 2.2e-308, f64::MAX, f64::INFINITY, 0.1];
        for kind in [Kind::F80, Kind::F128] {
            for number in numbers {
                let again = to_double(kind, from_double(kind, number));
                assert_eq!(again.to_bits(), number.to_bits(), "{number} as {kind:?}");
            }
            assert!(to_double(kind, from_double(kind, f64::NAN)).is_nan());
        }
    }

    #[test]
    fn one_has_the_bits_that_the_formats_give_it() {
        assert_eq!(from_double(Kind::F80, 1.0), Value { low: 1 << 63, high: 0x3fff });
        assert_eq!(from_double(Kind::F80, -2.0), Value { low: 1 << 63, high: 0xc000 });
        assert_eq!(from_double(Kind::F128, 1.0), Value { low: 0, high: 0x3fff << 48 });
    }

    #[test]
    fn a_wide_significand_is_rounded_to_even() {
        let tie = Value { low: 1 << 63 | 1 << 10, high: 0x3fff };
        assert_eq!(to_double(Kind::F80, tie), 1.0);
        let above = Value { low: 1 << 63 | 1 << 10 | 1, high: 0x3fff };
        assert_eq!(to_double(Kind::F80, above), 1.0 + f64::EPSILON);
        let tiny = Value { low: 1 << 63, high: 1 };
        assert_eq!(to_double(Kind::F80, tiny), 0.0);
    }
}
