//! Operators on constants: what an expression over whole numbers is where its operands are known.
//!
//! Values are bit patterns, zero-extended. `None` where the operands are no whole numbers, where C has no
//! result, and for signed division and shifts to the right, which nobody has asked for yet.

use crate::expression::{BinaryOperator, UnaryOperator, mask, sign_extend};
use crate::types::{DataModel, ScalarType};

impl UnaryOperator {
    #[must_use]
    pub fn of_constant(self, bits: u128, ty: ScalarType, model: DataModel) -> Option<u128> {
        let result = match self {
            UnaryOperator::Negate => bits.wrapping_neg(),
            UnaryOperator::Complement => !bits,
        };
        ty.is_whole().then(|| result & mask(ty.value_bits(model)))
    }
}

impl BinaryOperator {
    /// `ty` is the type of both operands.
    #[must_use]
    pub fn of_constants(
        self,
        (left, right): (u128, u128),
        ty: ScalarType,
        model: DataModel,
    ) -> Option<u128> {
        use BinaryOperator as B;
        let (width, is_signed) = (ty.value_bits(model), ty.is_signed());
        let signed = |bits| sign_extend(bits, width);
        let is_less = if is_signed { signed(left) < signed(right) } else { left < right };
        let result = match self {
            _ if !ty.is_whole() => return None,
            B::Add => left.wrapping_add(right),
            B::Subtract => left.wrapping_sub(right),
            B::Multiply => left.wrapping_mul(right),
            B::Divide if !is_signed => left.checked_div(right)?,
            B::Remainder if !is_signed => left.checked_rem(right)?,
            B::BitAnd => left & right,
            B::BitOr => left | right,
            B::BitXor => left ^ right,
            B::ShiftLeft => left << (right % u128::from(width)),
            B::Equal => u128::from(left == right),
            B::NotEqual => u128::from(left != right),
            B::Less => u128::from(is_less),
            B::LessEqual => u128::from(is_less || left == right),
            B::Divide | B::Remainder | B::ShiftRight => return None,
            B::OffsetPointer | B::PointerDifference => return None,
        };
        Some(if self.is_comparison() { result } else { result & mask(width) })
    }
}

impl ScalarType {
    /// Whether values are whole numbers: integers and truth values.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        matches!(self, ScalarType::Bool | ScalarType::Integer { .. })
    }

    /// A constant of this type as a number of the other.
    #[must_use]
    pub fn convert_constant(self, bits: u128, to: ScalarType, model: DataModel) -> Option<u128> {
        let extended = match self.is_signed() {
            true => sign_extend(bits, self.value_bits(model)) as u128,
            false => bits,
        };
        match to {
            ScalarType::Bool if self.is_whole() => Some(u128::from(bits != 0)),
            ScalarType::Integer { .. } if self.is_whole() => {
                Some(extended & mask(to.value_bits(model)))
            }
            ScalarType::Bool | ScalarType::Integer { .. } => None,
            ScalarType::Float(_) | ScalarType::Pointer => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: DataModel = DataModel::Lp64;
    const I8: ScalarType = ScalarType::Integer { signed: true, width: 8 };
    const U8: ScalarType = ScalarType::Integer { signed: false, width: 8 };
    const U128: ScalarType = ScalarType::Integer { signed: false, width: 128 };

    fn of(operator: BinaryOperator, left: u8, right: u8, ty: ScalarType) -> Option<u128> {
        operator.of_constants((u128::from(left), u128::from(right)), ty, MODEL)
    }

    /// All pairs of bytes, against Rust's own arithmetic.
    #[test]
    fn bytes_compute_as_bytes_do() {
        use BinaryOperator as B;
        for left in 0..=u8::MAX {
            for right in 0..=u8::MAX {
                let is = |operator, ty, expected: u8| {
                    assert_eq!(
                        of(operator, left, right, ty),
                        Some(expected.into()),
                        "{operator:?}"
                    );
                };
                let (one, other) = (left as i8, right as i8);
                is(B::Add, I8, one.wrapping_add(other) as u8);
                is(B::Subtract, U8, left.wrapping_sub(right));
                is(B::Multiply, I8, one.wrapping_mul(other) as u8);
                is(B::ShiftLeft, U8, left.wrapping_shl(right.into()));
                is(B::Less, I8, u8::from(one < other));
                is(B::Less, U8, u8::from(left < right));
                is(B::LessEqual, I8, u8::from(one <= other));
                assert_eq!(of(B::Divide, left, right, U8), left.checked_div(right).map(u128::from));
                assert_eq!(
                    of(B::Remainder, left, right, U8),
                    left.checked_rem(right).map(u128::from)
                );
                assert_eq!(of(B::Divide, left, right, I8), None);
            }
        }
    }

    #[test]
    fn the_widest_numbers_are_not_taken_for_negative_ones() {
        let operands = (1, u128::MAX);
        assert_eq!(BinaryOperator::Less.of_constants(operands, U128, MODEL), Some(1));
    }

    #[test]
    fn conversions_extend_by_the_type_that_they_come_from() {
        let wide = ScalarType::Integer { signed: false, width: 32 };
        assert_eq!(I8.convert_constant(0xff, wide, MODEL), Some(0xffff_ffff));
        assert_eq!(U8.convert_constant(0xff, wide, MODEL), Some(0xff));
        assert_eq!(wide.convert_constant(0x100, U8, MODEL), Some(0));
        assert_eq!(wide.convert_constant(0x100, ScalarType::Bool, MODEL), Some(1));
        assert_eq!(ScalarType::Pointer.convert_constant(1, wide, MODEL), None);
    }
}
