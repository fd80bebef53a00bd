//! Scalar types in one byte, and the canonical form of values in registers.
//!
//! An integer of at most 64 bits is kept extended to 64 bits according to its own sign, so that
//! comparing, widening and many conversions need not know its width. Floats are kept as their bits.

use heapwright_memory::Value;
use heapwright_program::{DataModel, FloatFormat, ScalarType};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    I128,
    U128,
    F32,
    F64,
    F80,
    F128,
    Pointer,
}

impl Kind {
    pub(crate) fn of(ty: ScalarType) -> Kind {
        match ty {
            ScalarType::Bool => Kind::Bool,
            ScalarType::Integer { signed: true, width: 8 } => Kind::I8,
            ScalarType::Integer { signed: false, width: 8 } => Kind::U8,
            ScalarType::Integer { signed: true, width: 16 } => Kind::I16,
            ScalarType::Integer { signed: false, width: 16 } => Kind::U16,
            ScalarType::Integer { signed: true, width: 32 } => Kind::I32,
            ScalarType::Integer { signed: false, width: 32 } => Kind::U32,
            ScalarType::Integer { signed: true, width: 64 } => Kind::I64,
            ScalarType::Integer { signed: false, width: 64 } => Kind::U64,
            ScalarType::Integer { signed: true, width: 128 } => Kind::I128,
            ScalarType::Integer { signed: false, width: 128 } => Kind::U128,
            ScalarType::Integer { width, .. } => panic!("an integer of {width} bits"),
            ScalarType::Float(FloatFormat::Single) => Kind::F32,
            ScalarType::Float(FloatFormat::Double) => Kind::F64,
            ScalarType::Float(FloatFormat::Extended) => Kind::F80,
            ScalarType::Float(FloatFormat::Quadruple) => Kind::F128,
            ScalarType::Pointer => Kind::Pointer,
        }
    }

    /// Bits of the value; pointers count as 64.
    pub(crate) const fn width(self) -> u32 {
        match self {
            Kind::Bool => 1,
            Kind::I8 | Kind::U8 => 8,
            Kind::I16 | Kind::U16 => 16,
            Kind::I32 | Kind::U32 | Kind::F32 => 32,
            Kind::I64 | Kind::U64 | Kind::F64 | Kind::Pointer => 64,
            Kind::F80 => 80,
            Kind::I128 | Kind::U128 | Kind::F128 => 128,
        }
    }

    pub(crate) const fn is_signed(self) -> bool {
        matches!(self, Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64 | Kind::I128)
    }

    pub(crate) const fn is_float(self) -> bool {
        matches!(self, Kind::F32 | Kind::F64 | Kind::F80 | Kind::F128)
    }

    /// Whether the value lies in the lower half of a register and is a number or an address.
    pub(crate) const fn is_narrow(self) -> bool {
        !self.is_float() && !matches!(self, Kind::I128 | Kind::U128)
    }

    /// Brings the lowest bits of `low` into canonical form. Only for narrow kinds.
    #[inline]
    pub(crate) const fn extend(self, low: u64) -> u64 {
        match self {
            Kind::Bool => low & 1,
            Kind::I8 => low as i8 as i64 as u64,
            Kind::U8 => low as u8 as u64,
            Kind::I16 => low as i16 as i64 as u64,
            Kind::U16 => low as u16 as u64,
            Kind::I32 => low as i32 as i64 as u64,
            Kind::U32 | Kind::F32 => low as u32 as u64,
            Kind::I64 | Kind::U64 | Kind::F64 | Kind::Pointer => low,
            Kind::I128 | Kind::U128 | Kind::F80 | Kind::F128 => low,
        }
    }

    /// The register of a value given by its zero-extended bits.
    pub(crate) const fn value(self, bits: u128) -> Value {
        match self {
            Kind::I128 | Kind::U128 | Kind::F128 => Value::from_wide(bits),
            Kind::F80 => Value::from_wide(bits & ((1 << 80) - 1)),
            Kind::Bool
            | Kind::I8
            | Kind::U8
            | Kind::I16
            | Kind::U16
            | Kind::I32
            | Kind::U32
            | Kind::I64
            | Kind::U64
            | Kind::F32
            | Kind::F64
            | Kind::Pointer => Value::from_low(self.extend(bits as u64)),
        }
    }

    /// The zero-extended bits of a register.
    pub(crate) const fn bits(self, value: Value) -> u128 {
        value.wide() & heapwright_program::mask(self.width())
    }

    /// What a caller's value of kind `given` becomes for a callee that expects `self`: the same
    /// bits, cut or extended with zeros. C does not define it; linkers accept it.
    pub(crate) fn reinterpret(self, given: Kind, value: Value, model: DataModel) -> Value {
        if self == given {
            return value;
        }
        let bits = match self {
            Kind::Pointer => {
                given.bits(value) & heapwright_program::mask(8 * model.pointer_size() as u32)
            }
            _ => given.bits(value),
        };
        self.value(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_go_through_a_register_unchanged() {
        for kind in [Kind::I8, Kind::U8, Kind::I32, Kind::U32, Kind::I64, Kind::I128, Kind::F80] {
            let bits =
                0xfedc_ba98_7654_3210_fedc_ba98_8765_4381 & heapwright_program::mask(kind.width());
            assert_eq!(kind.bits(kind.value(bits)), bits, "{kind:?}");
        }
        assert_eq!(Kind::I8.value(0xff).low, u64::MAX);
        assert_eq!(Kind::U8.value(0xff).low, 0xff);
    }
}
