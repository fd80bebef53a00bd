//! Integer arithmetic and conversions, for every kind: the definition that the fast instructions
//! are tested against.

use std::cmp::Ordering;

use heapwright_memory::{FaultKind, Value};
use heapwright_program::{BinaryOperator, DataModel, UnaryOperator};

use crate::extended::Extended;
use crate::float;
use crate::kind::Kind;
use crate::report::NoteKind;

/// A result, and what is worth a note about it.
pub(crate) type Computed = (Value, Option<NoteKind>);

/// Any binary operator; `kind` is that of the left operand.
pub(crate) fn binary(
    operator: BinaryOperator,
    kind: Kind,
    left: Value,
    right: Value,
    model: DataModel,
) -> Result<Computed, FaultKind> {
    match operator {
        BinaryOperator::OffsetPointer => {
            let low = left.low.wrapping_add(right.low) & pointer_mask(model);
            Ok((Value { low, high: left.high }, None))
        }
        BinaryOperator::PointerDifference => {
            let difference = left.low.wrapping_sub(right.low);
            Ok((Value::from_low(Kind::of(model.offset_type()).extend(difference)), None))
        }
        _ if kind.is_float() => Ok((float::binary(operator, kind, left, right), None)),
        _ if kind.is_narrow() => narrow(operator, kind, left.low, right.low),
        _ if kind.is_signed() => wide_signed(operator, left.wide() as i128, right.wide() as i128),
        _ => wide_unsigned(operator, left.wide(), right.wide()),
    }
}

/// All ones in the bits of an address.
pub(crate) const fn pointer_mask(model: DataModel) -> u64 {
    match model {
        DataModel::Ilp32 => u32::MAX as u64,
        DataModel::Lp64 => u64::MAX,
    }
}

/// Operators on integers of at most 64 bits, truth values and addresses.
fn narrow(operator: BinaryOperator, kind: Kind, a: u64, b: u64) -> Result<Computed, FaultKind> {
    if kind.is_signed() {
        narrow_signed(operator, kind, a as i64, b as i64)
    } else {
        narrow_unsigned(operator, kind, a, b)
    }
}

fn narrow_signed(
    operator: BinaryOperator,
    kind: Kind,
    a: i64,
    b: i64,
) -> Result<Computed, FaultKind> {
    // Numbers of 64 bits can be added and multiplied exactly in 128.
    let (wide_a, wide_b) = (i128::from(a), i128::from(b));
    let checked = |exact: i128| {
        let value = kind.extend(exact as u64);
        let overflows = i128::from(value as i64) != exact;
        (Value::from_low(value), overflows.then_some(NoteKind::SignedOverflow))
    };
    let plain = |number: i64| (Value::from_low(kind.extend(number as u64)), None);
    let truth = |holds: bool| (Value::from_low(u64::from(holds)), None);
    Ok(match operator {
        BinaryOperator::Add => checked(wide_a + wide_b),
        BinaryOperator::Subtract => checked(wide_a - wide_b),
        BinaryOperator::Multiply => checked(wide_a * wide_b),
        BinaryOperator::Divide | BinaryOperator::Remainder => {
            check_division(wide_a, wide_b, kind.width())?;
            plain(if operator == BinaryOperator::Divide { a / b } else { a % b })
        }
        BinaryOperator::BitAnd => plain(a & b),
        BinaryOperator::BitOr => plain(a | b),
        BinaryOperator::BitXor => plain(a ^ b),
        BinaryOperator::ShiftLeft => {
            let (count, out_of_range) = shift_count(b as u64, kind.width());
            let (value, overflow) = checked(wide_a << count);
            (value, out_of_range.or(overflow))
        }
        BinaryOperator::ShiftRight => {
            let (count, note) = shift_count(b as u64, kind.width());
            (plain(a >> count).0, note)
        }
        BinaryOperator::Equal => truth(a == b),
        BinaryOperator::NotEqual => truth(a != b),
        BinaryOperator::Less => truth(a < b),
        BinaryOperator::LessEqual => truth(a <= b),
        BinaryOperator::OffsetPointer | BinaryOperator::PointerDifference => {
            panic!("{operator:?} of integers")
        }
    })
}

fn narrow_unsigned(
    operator: BinaryOperator,
    kind: Kind,
    a: u64,
    b: u64,
) -> Result<Computed, FaultKind> {
    let plain = |number: u64| (Value::from_low(kind.extend(number)), None);
    let truth = |holds: bool| (Value::from_low(u64::from(holds)), None);
    Ok(match operator {
        BinaryOperator::Add => plain(a.wrapping_add(b)),
        BinaryOperator::Subtract => plain(a.wrapping_sub(b)),
        BinaryOperator::Multiply => plain(a.wrapping_mul(b)),
        BinaryOperator::Divide => plain(a.checked_div(b).ok_or(FaultKind::DivisionByZero)?),
        BinaryOperator::Remainder => plain(a.checked_rem(b).ok_or(FaultKind::DivisionByZero)?),
        BinaryOperator::BitAnd => plain(a & b),
        BinaryOperator::BitOr => plain(a | b),
        BinaryOperator::BitXor => plain(a ^ b),
        BinaryOperator::ShiftLeft => {
            let (count, note) = shift_count(b, kind.width());
            (plain(a << count).0, note)
        }
        BinaryOperator::ShiftRight => {
            let (count, note) = shift_count(b, kind.width());
            (plain(a >> count).0, note)
        }
        BinaryOperator::Equal => truth(a == b),
        BinaryOperator::NotEqual => truth(a != b),
        BinaryOperator::Less => truth(a < b),
        BinaryOperator::LessEqual => truth(a <= b),
        BinaryOperator::OffsetPointer | BinaryOperator::PointerDifference => {
            panic!("{operator:?} of integers")
        }
    })
}

fn wide_signed(operator: BinaryOperator, a: i128, b: i128) -> Result<Computed, FaultKind> {
    let plain = |number: i128| (Value::from_wide(number as u128), None);
    let checked = |(number, overflows): (i128, bool)| {
        (Value::from_wide(number as u128), overflows.then_some(NoteKind::SignedOverflow))
    };
    Ok(match operator {
        BinaryOperator::Add => checked(a.overflowing_add(b)),
        BinaryOperator::Subtract => checked(a.overflowing_sub(b)),
        BinaryOperator::Multiply => checked(a.overflowing_mul(b)),
        BinaryOperator::Divide | BinaryOperator::Remainder => {
            check_division(a, b, 128)?;
            plain(if operator == BinaryOperator::Divide { a / b } else { a % b })
        }
        BinaryOperator::ShiftLeft => {
            let (count, out_of_range) = shift_count(b as u64, 128);
            let shifted = a << count;
            let (value, overflow) = checked((shifted, shifted >> count != a));
            (value, out_of_range.or(overflow))
        }
        BinaryOperator::ShiftRight => {
            let (count, note) = shift_count(b as u64, 128);
            (plain(a >> count).0, note)
        }
        BinaryOperator::Less => (Value::from_low(u64::from(a < b)), None),
        BinaryOperator::LessEqual => (Value::from_low(u64::from(a <= b)), None),
        BinaryOperator::BitAnd
        | BinaryOperator::BitOr
        | BinaryOperator::BitXor
        | BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::OffsetPointer
        | BinaryOperator::PointerDifference => {
            return wide_unsigned(operator, a as u128, b as u128);
        }
    })
}

fn wide_unsigned(operator: BinaryOperator, a: u128, b: u128) -> Result<Computed, FaultKind> {
    let plain = |number: u128| (Value::from_wide(number), None);
    let truth = |holds: bool| (Value::from_low(u64::from(holds)), None);
    let (count, note) = shift_count(b as u64, 128);
    Ok(match operator {
        BinaryOperator::Add => plain(a.wrapping_add(b)),
        BinaryOperator::Subtract => plain(a.wrapping_sub(b)),
        BinaryOperator::Multiply => plain(a.wrapping_mul(b)),
        BinaryOperator::Divide => plain(a.checked_div(b).ok_or(FaultKind::DivisionByZero)?),
        BinaryOperator::Remainder => plain(a.checked_rem(b).ok_or(FaultKind::DivisionByZero)?),
        BinaryOperator::BitAnd => plain(a & b),
        BinaryOperator::BitOr => plain(a | b),
        BinaryOperator::BitXor => plain(a ^ b),
        BinaryOperator::ShiftLeft => (plain(a << count).0, note),
        BinaryOperator::ShiftRight => (plain(a >> count).0, note),
        BinaryOperator::Equal => truth(a == b),
        BinaryOperator::NotEqual => truth(a != b),
        BinaryOperator::Less => truth(a < b),
        BinaryOperator::LessEqual => truth(a <= b),
        BinaryOperator::OffsetPointer | BinaryOperator::PointerDifference => {
            panic!("{operator:?} of integers")
        }
    })
}

fn check_division(a: i128, b: i128, width: u32) -> Result<(), FaultKind> {
    if b == 0 {
        return Err(FaultKind::DivisionByZero);
    }
    let smallest = i128::MIN >> (128 - width);
    if b == -1 && a == smallest { Err(FaultKind::DivisionOverflow) } else { Ok(()) }
}

fn shift_count(count: u64, width: u32) -> (u32, Option<NoteKind>) {
    let is_out_of_range = count >= u64::from(width);
    ((count % u64::from(width)) as u32, is_out_of_range.then_some(NoteKind::ShiftOutOfRange))
}

/// Any unary operator.
pub(crate) fn unary(operator: UnaryOperator, kind: Kind, value: Value) -> Computed {
    match operator {
        UnaryOperator::Negate if kind.is_float() => (float::negate(kind, value), None),
        UnaryOperator::Negate => {
            let number = as_integer(kind, value);
            let negated = from_integer(kind, number.wrapping_neg());
            let smallest = i128::MIN >> (128 - kind.width().min(128));
            let overflows = kind.is_signed() && number == smallest;
            (negated, overflows.then_some(NoteKind::SignedOverflow))
        }
        UnaryOperator::Complement => (from_integer(kind, !as_integer(kind, value)), None),
    }
}

/// The number in a register of an integer kind, wrapped to 128 bits.
pub(crate) fn as_integer(kind: Kind, value: Value) -> i128 {
    if !kind.is_narrow() {
        value.wide() as i128
    } else if kind.is_signed() {
        i128::from(value.low as i64)
    } else {
        i128::from(value.low)
    }
}

fn from_integer(kind: Kind, number: i128) -> Value {
    kind.value(number as u128)
}

/// C's conversion between any two kinds.
pub(crate) fn convert(from: Kind, to: Kind, value: Value, model: DataModel) -> Value {
    match (from.is_float(), to.is_float()) {
        (true, true) if from == to => value,
        (true, true) => float::convert(from, to, value),
        (true, false) if from == Kind::F80 => extended_to_integer(value, to, model),
        (true, false) => float_to_integer(float::to_double(from, value), to, model),
        (false, true) => integer_to_float(as_integer(from, value), from == Kind::U128, to),
        (false, false) => match to {
            Kind::Bool => Value::from_low(u64::from(as_integer(from, value) != 0)),
            Kind::Pointer if from == Kind::Pointer => value,
            Kind::Pointer => Value::from_low(as_integer(from, value) as u64 & pointer_mask(model)),
            _ => from_integer(to, as_integer(from, value)),
        },
    }
}

fn integer_to_float(number: i128, is_unsigned_wide: bool, to: Kind) -> Value {
    // Straight to single: by way of double it would be rounded twice.
    match (to, is_unsigned_wide) {
        (Kind::F32, false) => Value::from_low(u64::from((number as f32).to_bits())),
        (Kind::F32, true) => Value::from_low(u64::from((number as u128 as f32).to_bits())),
        (Kind::F80, false) => Extended::from_integer(number.unsigned_abs(), number < 0).pack(),
        (Kind::F80, true) => Extended::from_integer(number as u128, false).pack(),
        (_, false) => float::from_double(to, number as f64),
        (_, true) => float::from_double(to, number as u128 as f64),
    }
}

/// Towards zero. Out of range it is what x86 computes: the integer indefinite value, for narrow
/// kinds after a conversion to a wider one.
fn float_to_integer(number: f64, to: Kind, model: DataModel) -> Value {
    let fits_i32 = (-2_147_483_649.0 < number) & (number < 2_147_483_648.0);
    let fits_i64 = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number);
    let as_i32 = if fits_i32 { number as i32 } else { i32::MIN };
    let as_i64 = if fits_i64 { number as i64 } else { i64::MIN };
    match to {
        Kind::Bool => Value::from_low(u64::from(number != 0.0)),
        Kind::I8 | Kind::U8 | Kind::I16 | Kind::U16 | Kind::I32 => {
            Value::from_low(to.extend(i64::from(as_i32) as u64))
        }
        Kind::U32 | Kind::I64 => Value::from_low(to.extend(as_i64 as u64)),
        Kind::U64 => {
            // Compilers subtract 2^63 first where the number is at least that.
            let half = 9_223_372_036_854_775_808.0;
            let upper = number - half;
            let fits = upper < half;
            let large = if fits { upper as i64 } else { i64::MIN } as u64 ^ 1 << 63;
            Value::from_low(if number >= half { large } else { as_i64 as u64 })
        }
        Kind::I128 => Value::from_wide(number as i128 as u128),
        Kind::U128 => Value::from_wide(number as u128),
        Kind::Pointer => Value::from_low(as_i64 as u64 & pointer_mask(model)),
        Kind::F32 | Kind::F64 | Kind::F80 | Kind::F128 => panic!("{to:?} is no integer"),
    }
}

/// The same for the 80-bit format.
fn extended_to_integer(value: Value, to: Kind, model: DataModel) -> Value {
    let number = Extended::unpack(value);
    let order = number.compare(Extended::ZERO);
    let Some(whole) = number.truncated() else {
        // Too large for anything but a double's range, or not a number.
        return match order {
            None => float_to_integer(f64::NAN, to, model),
            Some(Ordering::Less) => float_to_integer(f64::NEG_INFINITY, to, model),
            Some(Ordering::Equal | Ordering::Greater) => float_to_integer(f64::INFINITY, to, model),
        };
    };
    let in_range = |width: u32| whole >> (width - 1) == 0 || whole >> (width - 1) == -1;
    let as_i64 = if in_range(64) { whole as i64 } else { i64::MIN };
    match to {
        Kind::Bool => Value::from_low(u64::from(order != Some(Ordering::Equal))),
        Kind::I8 | Kind::U8 | Kind::I16 | Kind::U16 | Kind::I32 => {
            let as_i32 = if in_range(32) { whole as i32 } else { i32::MIN };
            Value::from_low(to.extend(i64::from(as_i32) as u64))
        }
        Kind::U32 | Kind::I64 => Value::from_low(to.extend(as_i64 as u64)),
        Kind::U64 => {
            let upper = whole - (1 << 63);
            let large = if upper >> 63 == 0 { upper as i64 } else { i64::MIN } as u64 ^ 1 << 63;
            Value::from_low(if upper >= 0 { large } else { as_i64 as u64 })
        }
        Kind::I128 | Kind::U128 => Value::from_wide(whole as u128),
        Kind::Pointer => Value::from_low(as_i64 as u64 & pointer_mask(model)),
        Kind::F32 | Kind::F64 | Kind::F80 | Kind::F128 => panic!("{to:?} is no integer"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compute(
        operator: BinaryOperator,
        kind: Kind,
        a: i64,
        b: i64,
    ) -> Result<Computed, FaultKind> {
        binary(
            operator,
            kind,
            Value::from_low(a as u64),
            Value::from_low(b as u64),
            DataModel::Lp64,
        )
    }

    #[test]
    fn signed_overflow_wraps_and_is_noted() {
        let (value, note) =
            compute(BinaryOperator::Add, Kind::I32, i64::from(i32::MAX), 1).unwrap();
        assert_eq!((value.low as i64, note), (i64::from(i32::MIN), Some(NoteKind::SignedOverflow)));
        let (value, note) = compute(BinaryOperator::Multiply, Kind::I64, i64::MAX, 2).unwrap();
        assert_eq!((value.low as i64, note), (-2, Some(NoteKind::SignedOverflow)));
        let (value, note) = compute(BinaryOperator::Add, Kind::U32, 0xffff_ffff, 1).unwrap();
        assert_eq!((value.low, note), (0, None));
    }

    #[test]
    fn division_faults_are_told_apart() {
        let divide = |kind, a, b| {
            compute(BinaryOperator::Divide, kind, a, b).map(|(value, _)| value.low as i64)
        };
        assert_eq!(divide(Kind::I32, 7, 0), Err(FaultKind::DivisionByZero));
        assert_eq!(divide(Kind::U64, 7, 0), Err(FaultKind::DivisionByZero));
        assert_eq!(divide(Kind::I32, i64::from(i32::MIN), -1), Err(FaultKind::DivisionOverflow));
        assert_eq!(divide(Kind::I64, i64::MIN, -1), Err(FaultKind::DivisionOverflow));
        assert_eq!(divide(Kind::I64, i64::from(i32::MIN), -1), Ok(1 << 31));
        assert_eq!(divide(Kind::I32, -7, 2), Ok(-3));
    }

    #[test]
    fn conversions_follow_c() {
        let convert = |from: Kind, to: Kind, bits: u128| {
            to.bits(convert(from, to, from.value(bits), DataModel::Ilp32))
        };
        assert_eq!(convert(Kind::I8, Kind::U32, 0xff), 0xffff_ffff);
        assert_eq!(convert(Kind::U8, Kind::I32, 0xff), 0xff);
        assert_eq!(convert(Kind::I64, Kind::I8, 0x1ff), 0xff);
        assert_eq!(convert(Kind::I32, Kind::Bool, 2), 1);
        assert_eq!(convert(Kind::I32, Kind::I128, 0xffff_ffff), u128::MAX);
        assert_eq!(convert(Kind::I64, Kind::Pointer, 0x1_2345_6789), 0x2345_6789);
        let double = |number: f64| u128::from(number.to_bits());
        assert_eq!(convert(Kind::F64, Kind::I32, double(-3.9)), 0xffff_fffd);
        assert_eq!(convert(Kind::F64, Kind::I32, double(1e10)), 0x8000_0000);
        assert_eq!(convert(Kind::F64, Kind::U64, double(1e19)), 10_000_000_000_000_000_000);
        assert_eq!(convert(Kind::I32, Kind::F64, 0xffff_ffff), double(-1.0));
    }
}
