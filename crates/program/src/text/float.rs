//! Floating-point bits as decimals and back, where a `double` can carry the value exactly.
//!
//! Rust prints the shortest decimal that reads back as the same number. The two wide formats go
//! through `double`; values that do not fit one have no decimal here.

use crate::types::FloatFormat;

/// The decimal of a finite value, if it reads back as exactly these bits.
pub(super) fn to_decimal(format: FloatFormat, bits: u128) -> Option<String> {
    let text = match format {
        FloatFormat::Single => {
            let value = f32::from_bits(u32::try_from(bits).ok()?);
            value.is_finite().then(|| format!("{value:?}"))?
        }
        FloatFormat::Double => {
            let value = f64::from_bits(u64::try_from(bits).ok()?);
            value.is_finite().then(|| format!("{value:?}"))?
        }
        FloatFormat::Extended | FloatFormat::Quadruple => {
            format!("{:?}", narrowed(Wide::of(format), bits)?)
        }
    };
    (from_decimal(format, &text) == Some(bits)).then_some(text)
}

/// The bits of a decimal; `None` for what is no finite number.
pub(super) fn from_decimal(format: FloatFormat, text: &str) -> Option<u128> {
    match format {
        FloatFormat::Single => {
            text.parse().ok().filter(|value: &f32| value.is_finite()).map(|v| v.to_bits().into())
        }
        FloatFormat::Double => {
            text.parse().ok().filter(|value: &f64| value.is_finite()).map(|v| v.to_bits().into())
        }
        FloatFormat::Extended | FloatFormat::Quadruple => {
            let value: f64 = text.parse().ok()?;
            widened(Wide::of(format), value)
        }
    }
}

/// A format with fifteen bits of exponent.
#[derive(Clone, Copy)]
struct Wide {
    /// Bits below the exponent.
    significand: u32,
    /// x87 stores the leading one.
    has_explicit_one: bool,
}

impl Wide {
    fn of(format: FloatFormat) -> Wide {
        match format {
            FloatFormat::Extended => Wide { significand: 64, has_explicit_one: true },
            FloatFormat::Single | FloatFormat::Double | FloatFormat::Quadruple => {
                Wide { significand: 112, has_explicit_one: false }
            }
        }
    }

    fn fraction_bits(self) -> u32 {
        self.significand - u32::from(self.has_explicit_one)
    }
}

const BIAS_DOUBLE: u128 = 1023;
const BIAS_WIDE: u128 = 16383;

/// Zero and normal doubles only.
fn widened(wide: Wide, value: f64) -> Option<u128> {
    if !(value == 0.0 || value.is_normal()) {
        return None;
    }
    let bits = u128::from(value.to_bits());
    let sign = (bits >> 63) << (wide.significand + 15);
    if value == 0.0 {
        return Some(sign);
    }
    let exponent = ((bits >> 52) & 0x7ff) + BIAS_WIDE - BIAS_DOUBLE;
    let fraction = (bits & ((1 << 52) - 1)) << (wide.fraction_bits() - 52);
    let one = u128::from(wide.has_explicit_one) << 63;
    Some(sign | (exponent << wide.significand) | one | fraction)
}

/// A double near the value; the caller checks that it is the value.
fn narrowed(wide: Wide, bits: u128) -> Option<f64> {
    let sign = (bits >> (wide.significand + 15)) << 63;
    let exponent = (bits >> wide.significand) & 0x7fff;
    let fraction = (bits & ((1 << wide.fraction_bits()) - 1)) >> (wide.fraction_bits() - 52);
    if exponent == 0 {
        return Some(f64::from_bits(u64::try_from(sign).ok()?));
    }
    let exponent = (exponent + BIAS_DOUBLE).checked_sub(BIAS_WIDE)?;
    if !(1..=0x7fe).contains(&exponent) {
        return None;
    }
    Some(f64::from_bits(u64::try_from(sign | (exponent << 52) | fraction).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_a_half_reads_the_same_in_every_format() {
        for (format, bits) in [
            (FloatFormat::Single, 0x3fc0_0000),
            (FloatFormat::Double, 0x3ff8_0000_0000_0000),
            (FloatFormat::Extended, 0x3fff_c000_0000_0000_0000),
            (FloatFormat::Quadruple, 0x3fff_8000_0000_0000_0000_0000_0000_0000),
        ] {
            assert_eq!(to_decimal(format, bits).as_deref(), Some("1.5"));
            assert_eq!(from_decimal(format, "1.5"), Some(bits));
        }
    }

    #[test]
    fn what_a_double_cannot_carry_has_no_decimal() {
        assert_eq!(to_decimal(FloatFormat::Double, 0x7ff8_0000_0000_0000), None);
        assert_eq!(to_decimal(FloatFormat::Extended, 0x3fff_8000_0000_0000_0001), None);
        assert_eq!(to_decimal(FloatFormat::Extended, 0x0001_8000_0000_0000_0000), None);
    }
}
