//! C's integer types with their conversions, and ranges of mathematical integers.

use crate::program::DataModel;

/// The standard integer types; plain `char` is signed, as on x86.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntegerType {
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
}

impl IntegerType {
    /// Every type.
    pub(crate) const ALL: [IntegerType; 12] = [
        IntegerType::Bool,
        IntegerType::Char,
        IntegerType::SignedChar,
        IntegerType::UnsignedChar,
        IntegerType::Short,
        IntegerType::UnsignedShort,
        IntegerType::Int,
        IntegerType::UnsignedInt,
        IntegerType::Long,
        IntegerType::UnsignedLong,
        IntegerType::LongLong,
        IntegerType::UnsignedLongLong,
    ];

    /// The type's name in C.
    pub(crate) fn name(self) -> &'static str {
        match self {
            IntegerType::Bool => "_Bool",
            IntegerType::Char => "char",
            IntegerType::SignedChar => "signed char",
            IntegerType::UnsignedChar => "unsigned char",
            IntegerType::Short => "short",
            IntegerType::UnsignedShort => "unsigned short",
            IntegerType::Int => "int",
            IntegerType::UnsignedInt => "unsigned int",
            IntegerType::Long => "long",
            IntegerType::UnsignedLong => "unsigned long",
            IntegerType::LongLong => "long long",
            IntegerType::UnsignedLongLong => "unsigned long long",
        }
    }

    /// The suffix of constants, for types that have constants of their own.
    pub(crate) fn suffix(self) -> Option<&'static str> {
        match self {
            IntegerType::Int => Some(""),
            IntegerType::UnsignedInt => Some("u"),
            IntegerType::Long => Some("L"),
            IntegerType::UnsignedLong => Some("uL"),
            IntegerType::LongLong => Some("LL"),
            IntegerType::UnsignedLongLong => Some("uLL"),
            _ => None,
        }
    }

    /// The conversion specification of `printf`.
    pub(crate) fn format(self) -> &'static str {
        match self {
            IntegerType::UnsignedInt => "%u",
            IntegerType::Long => "%ld",
            IntegerType::UnsignedLong => "%lu",
            IntegerType::LongLong => "%lld",
            IntegerType::UnsignedLongLong => "%llx",
            _ => "%d",
        }
    }

    pub(crate) fn is_signed(self) -> bool {
        self == self.signed()
    }

    pub(crate) fn bits(self, model: DataModel) -> u32 {
        match self {
            IntegerType::Bool => 1,
            IntegerType::Char | IntegerType::SignedChar | IntegerType::UnsignedChar => 8,
            IntegerType::Short | IntegerType::UnsignedShort => 16,
            IntegerType::Int | IntegerType::UnsignedInt => 32,
            IntegerType::Long | IntegerType::UnsignedLong => match model {
                DataModel::Lp64 => 64,
                DataModel::Ilp32 => 32,
            },
            IntegerType::LongLong | IntegerType::UnsignedLongLong => 64,
        }
    }

    /// All values of the type.
    pub(crate) fn range(self, model: DataModel) -> Range {
        let bits = self.bits(model);
        if self.is_signed() {
            Range { low: -(1 << (bits - 1)), high: (1 << (bits - 1)) - 1 }
        } else {
            Range { low: 0, high: (1 << bits) - 1 }
        }
    }

    /// The type after integer promotion.
    pub(crate) fn promoted(self) -> IntegerType {
        if self.rank() < IntegerType::Int.rank() { IntegerType::Int } else { self }
    }

    /// The usual arithmetic conversions (C11 6.3.1.8).
    pub(crate) fn common(self, other: IntegerType, model: DataModel) -> IntegerType {
        let (left, right) = (self.promoted(), other.promoted());
        let (higher, lower) =
            if left.rank() >= right.rank() { (left, right) } else { (right, left) };
        if left.is_signed() == right.is_signed() || !higher.is_signed() {
            higher
        } else if higher.rank() == lower.rank() {
            lower
        } else if higher.range(model).includes(lower.range(model)) {
            higher
        } else {
            higher.unsigned()
        }
    }

    /// The unsigned type of the same rank.
    pub(crate) fn unsigned(self) -> IntegerType {
        match self {
            IntegerType::Char | IntegerType::SignedChar => IntegerType::UnsignedChar,
            IntegerType::Short => IntegerType::UnsignedShort,
            IntegerType::Int => IntegerType::UnsignedInt,
            IntegerType::Long => IntegerType::UnsignedLong,
            IntegerType::LongLong => IntegerType::UnsignedLongLong,
            other => other,
        }
    }

    fn signed(self) -> IntegerType {
        match self {
            IntegerType::UnsignedChar => IntegerType::SignedChar,
            IntegerType::UnsignedShort => IntegerType::Short,
            // There is no signed truth value: any other type will do to tell them apart.
            IntegerType::Bool | IntegerType::UnsignedInt => IntegerType::Int,
            IntegerType::UnsignedLong => IntegerType::Long,
            IntegerType::UnsignedLongLong => IntegerType::LongLong,
            other => other,
        }
    }

    fn rank(self) -> u8 {
        match self {
            IntegerType::Bool => 0,
            IntegerType::Char | IntegerType::SignedChar | IntegerType::UnsignedChar => 1,
            IntegerType::Short | IntegerType::UnsignedShort => 2,
            IntegerType::Int | IntegerType::UnsignedInt => 3,
            IntegerType::Long | IntegerType::UnsignedLong => 4,
            IntegerType::LongLong | IntegerType::UnsignedLongLong => 5,
        }
    }
}

/// All integers from `low` to `high`; wide enough for the sum of any two 64-bit values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) low: i128,
    pub(crate) high: i128,
}

impl Range {
    pub(crate) fn exactly(value: i128) -> Range {
        Range { low: value, high: value }
    }

    pub(crate) fn truth() -> Range {
        Range { low: 0, high: 1 }
    }

    pub(crate) fn contains(self, value: i128) -> bool {
        self.low <= value && value <= self.high
    }

    pub(crate) fn includes(self, other: Range) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    pub(crate) fn union(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub(crate) fn clamped(self, other: Range) -> Range {
        Range { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The largest absolute value.
    pub(crate) fn magnitude(self) -> i128 {
        self.low.abs().max(self.high.abs())
    }

    /// The range after conversion to `target`.
    pub(crate) fn converted(self, target: IntegerType, model: DataModel) -> Range {
        let all = target.range(model);
        if all.includes(self) { self } else { all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixed_operands_convert_as_the_standard_says() {
        use IntegerType::{Int, Long, LongLong, UnsignedInt, UnsignedLong, UnsignedShort};
        let common = |left: IntegerType, right, model| left.common(right, model);
        assert_eq!(common(UnsignedShort, UnsignedShort, DataModel::Lp64), Int);
        assert_eq!(common(Int, UnsignedInt, DataModel::Lp64), UnsignedInt);
        assert_eq!(common(UnsignedInt, Long, DataModel::Lp64), Long);
        assert_eq!(common(UnsignedInt, Long, DataModel::Ilp32), UnsignedLong);
        assert_eq!(common(LongLong, UnsignedLong, DataModel::Ilp32), LongLong);
        assert_eq!(common(LongLong, UnsignedLong, DataModel::Lp64), IntegerType::UnsignedLongLong);
    }

    #[test]
    fn ranges_follow_the_data_model() {
        assert_eq!(IntegerType::Long.range(DataModel::Ilp32).high, 0x7FFF_FFFF);
        assert_eq!(IntegerType::Char.range(DataModel::Lp64), Range { low: -128, high: 127 });
        assert_eq!(IntegerType::Bool.range(DataModel::Lp64), Range::truth());
    }
}
