//! Bit-vector values: up to 128 bits and their width, with the operations of SMT-LIB.
//! Division by zero follows SMT-LIB (quotient all ones, remainder the dividend), because a
//! total operation can be moved freely; the encoding of C guards it where C forbids it.

use std::fmt;

/// The widest bit-vector: what one `u128` holds.
pub const MAXIMUM_WIDTH: u32 = 128;

/// A bit-vector constant. The bits above `width` are always zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitVectorValue {
    bits: u128,
    width: u32,
}

impl BitVectorValue {
    /// The value of `width` bits that agrees with `bits` modulo two to the `width`.
    pub fn new(bits: u128, width: u32) -> Self {
        assert!((1..=MAXIMUM_WIDTH).contains(&width), "no bit-vector has {width} bits");
        Self { bits: bits & mask(width), width }
    }

    /// The value of `width` bits that agrees with `number` modulo two to the `width`.
    pub fn from_signed(number: i128, width: u32) -> Self {
        Self::new(number.cast_unsigned(), width)
    }

    pub fn zero(width: u32) -> Self {
        Self::new(0, width)
    }

    pub fn one(width: u32) -> Self {
        Self::new(1, width)
    }

    /// All bits set: the unsigned maximum, and minus one when read as signed.
    pub fn ones(width: u32) -> Self {
        Self::new(u128::MAX, width)
    }

    pub fn signed_minimum(width: u32) -> Self {
        Self::new(1 << (width - 1), width)
    }

    pub fn signed_maximum(width: u32) -> Self {
        Self::new(mask(width) >> 1, width)
    }

    /// The unsigned reading.
    pub fn bits(self) -> u128 {
        self.bits
    }

    pub fn width(self) -> u32 {
        self.width
    }

    /// The two's-complement reading.
    pub fn to_signed(self) -> i128 {
        let unused = MAXIMUM_WIDTH - self.width;
        (self.bits << unused).cast_signed() >> unused
    }

    pub fn bit(self, position: u32) -> bool {
        self.bits >> position & 1 == 1
    }

    pub fn is_zero(self) -> bool {
        self.bits == 0
    }

    pub fn is_one(self) -> bool {
        self.bits == 1
    }

    pub fn is_ones(self) -> bool {
        self == Self::ones(self.width)
    }

    pub fn is_negative(self) -> bool {
        self.bit(self.width - 1)
    }

    /// The exponent, if the unsigned reading is a power of two.
    pub fn exponent(self) -> Option<u32> {
        self.bits.is_power_of_two().then(|| self.bits.trailing_zeros())
    }

    /// The number of ones, if the value is a run of ones at the low end and not all ones.
    pub fn low_mask_length(self) -> Option<u32> {
        let is_low_run = self.bits & self.bits.wrapping_add(1) == 0;
        (is_low_run && !self.is_ones() && !self.is_zero()).then(|| self.bits.trailing_ones())
    }

    fn with(self, bits: u128) -> Self {
        Self::new(bits, self.width)
    }

    /// Our own bugs: mixing widths is never meant.
    fn same_width(self, other: Self) {
        assert_eq!(self.width, other.width, "widths differ: {self:?} and {other:?}");
    }
}

/// Arithmetic, modulo two to the width.
// Not the operator traits: `+` should not panic on operands of different widths.
#[allow(clippy::should_implement_trait)]
impl BitVectorValue {
    pub fn add(self, other: Self) -> Self {
        self.same_width(other);
        self.with(self.bits.wrapping_add(other.bits))
    }

    pub fn subtract(self, other: Self) -> Self {
        self.same_width(other);
        self.with(self.bits.wrapping_sub(other.bits))
    }

    pub fn negate(self) -> Self {
        self.with(self.bits.wrapping_neg())
    }

    pub fn multiply(self, other: Self) -> Self {
        self.same_width(other);
        self.with(self.bits.wrapping_mul(other.bits))
    }

    pub fn unsigned_divide(self, other: Self) -> Self {
        self.same_width(other);
        self.with(self.bits.checked_div(other.bits).unwrap_or(u128::MAX))
    }

    pub fn unsigned_remainder(self, other: Self) -> Self {
        self.same_width(other);
        self.with(self.bits.checked_rem(other.bits).unwrap_or(self.bits))
    }

    /// Truncates toward zero; by zero it is one for a negative dividend, else all ones.
    pub fn signed_divide(self, other: Self) -> Self {
        self.same_width(other);
        if other.is_zero() {
            let quotient = if self.is_negative() { 1 } else { u128::MAX };
            return self.with(quotient);
        }
        self.with(self.to_signed().wrapping_div(other.to_signed()).cast_unsigned())
    }

    /// Has the sign of the dividend; by zero it is the dividend.
    pub fn signed_remainder(self, other: Self) -> Self {
        self.same_width(other);
        if other.is_zero() {
            return self;
        }
        self.with(self.to_signed().wrapping_rem(other.to_signed()).cast_unsigned())
    }

    pub fn unsigned_multiply_overflows(self, other: Self) -> bool {
        self.same_width(other);
        self.bits.checked_mul(other.bits).is_none_or(|product| product > mask(self.width))
    }

    pub fn signed_multiply_overflows(self, other: Self) -> bool {
        self.same_width(other);
        let product = self.to_signed().checked_mul(other.to_signed());
        product.is_none_or(|product| Self::from_signed(product, self.width).to_signed() != product)
    }

    /// The factor that undoes multiplication by this odd value.
    pub fn inverse_of_odd(self) -> Self {
        assert!(self.bit(0), "{self:?} is even and has no inverse");
        // Newton: each round doubles the number of correct low bits, starting from three.
        let mut inverse = self.bits;
        for _ in 0..6 {
            let error = 2u128.wrapping_sub(self.bits.wrapping_mul(inverse));
            inverse = inverse.wrapping_mul(error);
        }
        self.with(inverse)
    }
}

/// Bits, shifts, slices.
impl BitVectorValue {
    pub fn complement(self) -> Self {
        self.with(!self.bits)
    }

    pub fn and(self, other: Self) -> Self {
        self.same_width(other);
        self.with(self.bits & other.bits)
    }

    pub fn or(self, other: Self) -> Self {
        self.same_width(other);
        self.with(self.bits | other.bits)
    }

    pub fn xor(self, other: Self) -> Self {
        self.same_width(other);
        self.with(self.bits ^ other.bits)
    }

    pub fn shift_left(self, amount: Self) -> Self {
        self.same_width(amount);
        self.with(self.shift(amount).map_or(0, |places| self.bits << places))
    }

    pub fn logical_shift_right(self, amount: Self) -> Self {
        self.same_width(amount);
        self.with(self.shift(amount).map_or(0, |places| self.bits >> places))
    }

    pub fn arithmetic_shift_right(self, amount: Self) -> Self {
        self.same_width(amount);
        let places = self.shift(amount).unwrap_or(self.width - 1);
        Self::from_signed(self.to_signed() >> places, self.width)
    }

    /// `None` when everything is shifted out.
    fn shift(self, amount: Self) -> Option<u32> {
        u32::try_from(amount.bits).ok().filter(|&places| places < self.width)
    }

    /// This value above `low`.
    pub fn concat(self, low: Self) -> Self {
        Self::new(self.bits.checked_shl(low.width).unwrap_or(0) | low.bits, self.width + low.width)
    }

    /// Bits `low` to `high`, both included.
    pub fn extract(self, high: u32, low: u32) -> Self {
        assert!(low <= high && high < self.width, "no bits {high}..{low} in {self:?}");
        Self::new(self.bits >> low, high - low + 1)
    }

    pub fn zero_extend(self, width: u32) -> Self {
        assert!(width >= self.width, "{self:?} does not fit {width} bits");
        Self::new(self.bits, width)
    }

    pub fn sign_extend(self, width: u32) -> Self {
        assert!(width >= self.width, "{self:?} does not fit {width} bits");
        Self::from_signed(self.to_signed(), width)
    }
}

impl fmt::Display for BitVectorValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.bits)
    }
}

impl fmt::Debug for BitVectorValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.bits, self.width)
    }
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (MAXIMUM_WIDTH - width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(bits: u128, width: u32) -> BitVectorValue {
        BitVectorValue::new(bits, width)
    }

    #[test]
    fn division_by_zero_follows_smt_lib() {
        assert_eq!(value(5, 4).unsigned_divide(value(0, 4)), value(15, 4));
        assert_eq!(value(5, 4).unsigned_remainder(value(0, 4)), value(5, 4));
        assert_eq!(value(5, 4).signed_divide(value(0, 4)), value(15, 4));
        assert_eq!(value(13, 4).signed_divide(value(0, 4)), value(1, 4));
        assert_eq!(value(13, 4).signed_remainder(value(0, 4)), value(13, 4));
    }

    #[test]
    fn the_signed_minimum_divided_by_minus_one_wraps() {
        for width in [1, 4, 64, 128] {
            let minimum = BitVectorValue::signed_minimum(width);
            assert_eq!(minimum.signed_divide(BitVectorValue::ones(width)), minimum);
        }
    }

    #[test]
    fn multiplication_overflow_agrees_with_wider_arithmetic() {
        for (a, b) in (0..16i128).flat_map(|a| (0..16i128).map(move |b| (a, b))) {
            let (left, right) =
                (BitVectorValue::from_signed(a, 4), BitVectorValue::from_signed(b, 4));
            let signed = left.to_signed() * right.to_signed();
            assert_eq!(left.signed_multiply_overflows(right), !(-8..8).contains(&signed));
            assert_eq!(left.unsigned_multiply_overflows(right), a * b > 15);
        }
        let minimum = BitVectorValue::signed_minimum(128);
        assert!(minimum.signed_multiply_overflows(BitVectorValue::ones(128)));
    }

    #[test]
    fn an_odd_value_times_its_inverse_is_one() {
        for bits in (1..4096).step_by(2) {
            for width in [1, 3, 12, 64, 128] {
                let odd = value((bits * 0x1_0001_0001) | 1, width);
                assert!(odd.multiply(odd.inverse_of_odd()).is_one());
            }
        }
    }

    #[test]
    fn shifts_by_the_width_or_more_shift_everything_out() {
        let all = BitVectorValue::ones(128);
        assert!(all.shift_left(value(128, 128)).is_zero());
        assert!(all.logical_shift_right(all).is_zero());
        assert!(all.arithmetic_shift_right(all).is_ones());
    }
}
