//! The 80-bit format of the x87: a sign, 15 bits of exponent, 64 bits of significand.
//!
//! Every operation works on the exact result and rounds it once, to nearest, ties to even, as the
//! processor does. A number is `significand * 2^exponent`; what does not fit 128 bits of an exact
//! result is kept as a lowest bit that is set.

use std::cmp::Ordering;

use heapwright_memory::Value;

/// A value of the format, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extended {
    NotANumber,
    Infinite { is_negative: bool },
    Finite(Finite),
}

/// Zero has the significand 0, and a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Finite {
    is_negative: bool,
    significand: u128,
    exponent: i32,
}

const BIAS: i32 = 16383;
const HIGHEST: i32 = 0x7fff;
/// The exponent of the last bit of the smallest numbers.
const LOWEST: i32 = 1 - BIAS - 63;

impl Extended {
    pub(crate) const ZERO: Extended =
        Extended::Finite(Finite { is_negative: false, significand: 0, exponent: 0 });

    /// From the bits in memory.
    pub(crate) fn unpack(value: Value) -> Extended {
        let is_negative = value.high & 0x8000 != 0;
        let exponent = (value.high & 0x7fff) as i32;
        if exponent != HIGHEST {
            let exponent = exponent.max(1) - BIAS - 63;
            let significand = u128::from(value.low);
            return Extended::Finite(Finite { is_negative, significand, exponent });
        }
        match value.low << 1 {
            0 => Extended::Infinite { is_negative },
            _ => Extended::NotANumber,
        }
    }

    /// The bits in memory, after rounding.
    pub(crate) fn pack(self) -> Value {
        let bits = |is_negative: bool, exponent: i32, significand: u64| Value {
            low: significand,
            high: u64::from(is_negative) << 15 | exponent as u64,
        };
        match self {
            Extended::NotANumber => bits(true, HIGHEST, 3 << 62),
            Extended::Infinite { is_negative } => bits(is_negative, HIGHEST, 1 << 63),
            Extended::Finite(number) => {
                let (significand, exponent) = number.rounded(64, LOWEST);
                let top = exponent + 63 + BIAS;
                match (significand >> 63, top) {
                    (0, _) => bits(number.is_negative, 0, significand as u64),
                    (_, HIGHEST..) => bits(number.is_negative, HIGHEST, 1 << 63),
                    (_, top) => bits(number.is_negative, top, significand as u64),
                }
            }
        }
    }

    pub(crate) fn from_double(number: f64) -> Extended {
        let is_negative = number.is_sign_negative();
        if number.is_nan() {
            return Extended::NotANumber;
        } else if number.is_infinite() {
            return Extended::Infinite { is_negative };
        }
        let bits = number.to_bits();
        let (field, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let leading = if field == 0 { 0 } else { 1 << 52 };
        let significand = u128::from(leading | fraction);
        Extended::Finite(Finite { is_negative, significand, exponent: field.max(1) - 1075 })
    }

    pub(crate) fn from_integer(magnitude: u128, is_negative: bool) -> Extended {
        Extended::Finite(Finite { is_negative, significand: magnitude, exponent: 0 })
    }

    /// Rounded to a `double`.
    pub(crate) fn to_double(self) -> f64 {
        f64::from_bits(self.narrow(53, 1023))
    }

    /// Rounded to a `float`.
    pub(crate) fn to_single(self) -> f32 {
        f32::from_bits(self.narrow(24, 127) as u32)
    }

    /// The bits of the IEEE format with this precision and bias.
    fn narrow(self, precision: u32, bias: i32) -> u64 {
        let width = precision - 1;
        let highest = (2 * bias + 1) as u64;
        let sign =
            |is_negative: bool| u64::from(is_negative) << (width + (highest + 1).trailing_zeros());
        match self {
            Extended::NotANumber => highest << width | 1 << (width - 1),
            Extended::Infinite { is_negative } => sign(is_negative) | highest << width,
            Extended::Finite(number) => {
                let lowest = 1 - bias - width as i32;
                let (significand, exponent) = number.rounded(precision, lowest);
                let field = (exponent - lowest + 1) as u64;
                let magnitude = match (significand >> width, field) {
                    (0, _) => significand as u64,
                    (_, field) if field >= highest => highest << width,
                    (_, field) => field << width | significand as u64 & ((1 << width) - 1),
                };
                sign(number.is_negative) | magnitude
            }
        }
    }

    pub(crate) fn add(self, other: Extended) -> Extended {
        match (self, other) {
            (Extended::Finite(a), Extended::Finite(b)) => Extended::Finite(a.add(b)),
            (Extended::NotANumber, _) | (_, Extended::NotANumber) => Extended::NotANumber,
            (Extended::Infinite { is_negative: a }, Extended::Infinite { is_negative: b }) => {
                if a == b { self } else { Extended::NotANumber }
            }
            (Extended::Infinite { .. }, Extended::Finite(_)) => self,
            (Extended::Finite(_), Extended::Infinite { .. }) => other,
        }
    }

    pub(crate) fn subtract(self, other: Extended) -> Extended {
        self.add(other.negated())
    }

    pub(crate) fn negated(self) -> Extended {
        match self {
            Extended::NotANumber => self,
            Extended::Infinite { is_negative } => Extended::Infinite { is_negative: !is_negative },
            Extended::Finite(number) => {
                Extended::Finite(Finite { is_negative: !number.is_negative, ..number })
            }
        }
    }

    pub(crate) fn multiply(self, other: Extended) -> Extended {
        let (Some(is_negative), Some(other_sign)) = (self.sign(), other.sign()) else {
            return Extended::NotANumber;
        };
        let is_negative = is_negative != other_sign;
        match (self, other) {
            (Extended::Finite(a), Extended::Finite(b)) => {
                let (a, b) = (a.normalised(), b.normalised());
                let significand = a.significand * b.significand;
                let exponent = a.exponent + b.exponent;
                Extended::Finite(Finite { is_negative, significand, exponent })
            }
            _ if self.is_zero() || other.is_zero() => Extended::NotANumber,
            _ => Extended::Infinite { is_negative },
        }
    }

    pub(crate) fn divide(self, other: Extended) -> Extended {
        let (Some(is_negative), Some(other_sign)) = (self.sign(), other.sign()) else {
            return Extended::NotANumber;
        };
        let is_negative = is_negative != other_sign;
        match (self, other) {
            (Extended::Finite(a), Extended::Finite(b)) => match (a.significand, b.significand) {
                (0, 0) => Extended::NotANumber,
                (_, 0) => Extended::Infinite { is_negative },
                (_, _) => Extended::Finite(Finite { is_negative, ..a.divide(b) }),
            },
            (Extended::Infinite { .. }, Extended::Infinite { .. }) => Extended::NotANumber,
            (Extended::Infinite { .. }, _) => Extended::Infinite { is_negative },
            (_, _) => Extended::Finite(Finite { is_negative, significand: 0, exponent: 0 }),
        }
    }

    /// The order of two numbers; none if one of them is not a number.
    pub(crate) fn compare(self, other: Extended) -> Option<Ordering> {
        let (left, right) = (self.sign()?, other.sign()?);
        if self.is_zero() && other.is_zero() {
            return Some(Ordering::Equal);
        }
        let sign = |is_negative, order: Ordering| if is_negative { order.reverse() } else { order };
        match (self, other) {
            (Extended::Finite(a), Extended::Finite(b)) => {
                let difference = a.add(Finite { is_negative: !b.is_negative, ..b });
                Some(match (difference.significand, difference.is_negative) {
                    (0, _) => Ordering::Equal,
                    (_, true) => Ordering::Less,
                    (_, false) => Ordering::Greater,
                })
            }
            (Extended::Infinite { .. }, Extended::Infinite { .. }) => Some(right.cmp(&left)),
            (Extended::Infinite { .. }, _) => Some(sign(left, Ordering::Greater)),
            (_, _) => Some(sign(right, Ordering::Less)),
        }
    }

    /// The sign, of what is a number.
    fn sign(self) -> Option<bool> {
        match self {
            Extended::NotANumber => None,
            Extended::Infinite { is_negative } | Extended::Finite(Finite { is_negative, .. }) => {
                Some(is_negative)
            }
        }
    }

    fn is_zero(self) -> bool {
        matches!(self, Extended::Finite(Finite { significand: 0, .. }))
    }

    /// The number without its fraction, where that has at most 128 bits with its sign.
    pub(crate) fn truncated(self) -> Option<i128> {
        let Extended::Finite(number) = self else { return None };
        let Finite { is_negative, significand, exponent } = number.normalised();
        let magnitude = match exponent {
            _ if significand == 0 => 0,
            ..=-64 => 0,
            -63..=0 => significand >> -exponent,
            1..=62 => significand << exponent,
            63.. => return None,
        };
        Some(if is_negative { -(magnitude as i128) } else { magnitude as i128 })
    }
}

impl Finite {
    /// The same number with a significand of 64 bits; it must not have more that matter.
    fn normalised(self) -> Finite {
        if self.significand == 0 {
            return self;
        }
        let shift = 64 - self.significand.leading_zeros() as i32;
        let significand = match shift {
            0.. => self.significand >> shift,
            _ => self.significand << -shift,
        };
        Finite { significand, exponent: self.exponent + shift, ..self }
    }

    /// The nearest significand of this precision, and its exponent, which is at least the lowest.
    fn rounded(self, precision: u32, lowest: i32) -> (u128, i32) {
        let length = 128 - self.significand.leading_zeros() as i32;
        let wanted = (self.exponent + length - precision as i32).max(lowest);
        let drop = wanted - self.exponent;
        if self.significand == 0 {
            return (0, lowest);
        } else if drop <= 0 {
            return (self.significand << -drop, wanted);
        } else if drop > 128 {
            return (0, lowest);
        }
        let kept = if drop == 128 { 0 } else { self.significand >> drop };
        let rest = self.significand << (128 - drop);
        let is_up = match rest.cmp(&(1 << 127)) {
            Ordering::Less => false,
            Ordering::Equal => kept & 1 == 1,
            Ordering::Greater => true,
        };
        let kept = kept + u128::from(is_up);
        // All ones were rounded up: one bit more, of which the last is zero.
        if kept >> precision == 0 { (kept, wanted) } else { (kept >> 1, wanted + 1) }
    }

    fn add(self, other: Finite) -> Finite {
        if self.significand == 0 && other.significand == 0 {
            let is_negative = self.is_negative && other.is_negative;
            return Finite { is_negative, ..self };
        } else if other.significand == 0 {
            return self;
        } else if self.significand == 0 {
            return other;
        }
        let (a, b) = (self.normalised(), other.normalised());
        let (high, low) = if a.exponent >= b.exponent { (a, b) } else { (b, a) };
        // Two bits of room above, 62 below.
        let wide = high.significand << 62;
        let shift = (high.exponent - low.exponent).min(127) as u32;
        let narrow = low.significand << 62;
        let dropped = narrow & ((1 << shift) - 1) != 0;
        let narrow = narrow >> shift | u128::from(dropped);
        let (significand, is_negative) = if high.is_negative == low.is_negative {
            (wide + narrow, high.is_negative)
        } else if wide >= narrow {
            (wide - narrow, high.is_negative && wide != narrow)
        } else {
            (narrow - wide, low.is_negative)
        };
        Finite { is_negative, significand, exponent: high.exponent - 62 }
    }

    /// The quotient of the magnitudes; the divisor is not zero.
    fn divide(self, other: Finite) -> Finite {
        let (a, b) = (self.normalised(), other.normalised());
        let (first, rest) =
            ((a.significand << 63) / b.significand, (a.significand << 63) % b.significand);
        let (second, rest) = ((rest << 62) / b.significand, (rest << 62) % b.significand);
        let significand = first << 62 | second | u128::from(rest != 0);
        Finite { significand, exponent: a.exponent - b.exponent - 125, ..self }
    }
}
