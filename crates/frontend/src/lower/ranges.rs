//! Between which numbers the value of an expression lies, from its types and constants alone: what
//! was a `short` does not overflow an `int` when one is added.

use heapwright_program::{BinaryOperator, Expression, ExpressionId, ScalarType, mask};

use super::function::FunctionLowering;

/// Numbers of types of up to 64 bits, and what sums and products of two of them can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) low: i128,
    pub(crate) high: i128,
}

impl Range {
    fn of(scalar: ScalarType) -> Option<Range> {
        match scalar {
            ScalarType::Bool => Some(Range { low: 0, high: 1 }),
            ScalarType::Integer { signed: true, width } => Range::of_signed(u32::from(width)),
            ScalarType::Integer { signed: false, width } if width <= 64 => {
                Some(Range { low: 0, high: mask(u32::from(width)) as i128 })
            }
            ScalarType::Integer { .. } | ScalarType::Float(_) | ScalarType::Pointer => None,
        }
    }

    /// All numbers of a signed type; of one that is too wide to compute with, nothing is known.
    pub(crate) fn of_signed(width: u32) -> Option<Range> {
        let high = mask(width - 1) as i128;
        (width <= 64).then_some(Range { low: -high - 1, high })
    }

    pub(crate) fn is_within(self, other: Range) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// The number, if there is only one.
    pub(crate) fn only(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    pub(crate) fn plus(self, other: Range) -> Range {
        Range { low: self.low + other.low, high: self.high + other.high }
    }

    pub(crate) fn minus(self, other: Range) -> Range {
        Range { low: self.low - other.high, high: self.high - other.low }
    }

    pub(crate) fn times(self, other: Range) -> Range {
        // Products of two unsigned numbers of 64 bits may be larger than all that we count to.
        let of = |one: i128, other: i128| one.saturating_mul(other);
        let corners = [
            of(self.low, other.low),
            of(self.low, other.high),
            of(self.high, other.low),
            of(self.high, other.high),
        ];
        let [first, ..] = corners;
        let low = corners.into_iter().fold(first, i128::min);
        Range { low, high: corners.into_iter().fold(first, i128::max) }
    }

    /// The numbers that lie so much higher.
    pub(crate) fn shifted(self, by: i128) -> Range {
        Range { low: self.low + by, high: self.high + by }
    }

    /// The numbers whose difference from `number` is in the range: `number - x`.
    pub(crate) fn reflected(self, number: i128) -> Range {
        Range { low: number - self.high, high: number - self.low }
    }

    /// The numbers whose product with `factor` is in the range, which holds zero.
    pub(crate) fn divided(self, factor: i128) -> Range {
        match factor {
            0 => Range { low: i128::MIN, high: i128::MAX },
            // Towards zero from either side is into the range.
            1.. => Range { low: self.low / factor, high: self.high / factor },
            _ => Range { low: self.high / factor, high: self.low / factor },
        }
    }
}

impl FunctionLowering<'_, '_> {
    pub(crate) fn range(&self, id: ExpressionId) -> Option<Range> {
        let whole = Range::of(self.type_of(id))?;
        let narrow = match self.unit.linker.program.expressions.get(id) {
            Expression::Constant { .. } => {
                self.integer(id).map(|number| Range { low: number, high: number })
            }
            Expression::Convert { operand, .. } => self.range(operand),
            Expression::Binary { operator, left, right } => {
                self.range_of_operation(operator, left, right)
            }
            Expression::Variable(_)
            | Expression::ObjectAddress(_)
            | Expression::FunctionAddress(_)
            | Expression::Unary { .. } => None,
        };
        // What does not fit has wrapped, and may be anything.
        Some(narrow.filter(|range| range.is_within(whole)).unwrap_or(whole))
    }

    fn range_of_operation(
        &self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Option<Range> {
        let (a, b) = (self.range(left)?, self.range(right)?);
        match (operator, b.only()) {
            (BinaryOperator::Add, _) => Some(a.plus(b)),
            (BinaryOperator::Subtract, _) => Some(a.minus(b)),
            (BinaryOperator::Multiply, _) => Some(a.times(b)),
            (BinaryOperator::Divide, Some(divisor @ 1..)) => {
                Some(Range { low: a.low / divisor, high: a.high / divisor })
            }
            (BinaryOperator::Remainder, Some(divisor @ 1..)) => {
                let low = if a.low < 0 { 1 - divisor } else { 0 };
                Some(Range { low, high: divisor - 1 })
            }
            (BinaryOperator::BitAnd, _) => {
                let masks = [a, b].into_iter().filter(|range| range.low >= 0);
                masks.map(|range| range.high).min().map(|high| Range { low: 0, high })
            }
            (BinaryOperator::ShiftRight, Some(count @ 0..))
                if count < i128::from(self.type_of(left).value_bits(self.unit.model())) =>
            {
                Some(Range { low: a.low >> count, high: a.high >> count })
            }
            (BinaryOperator::ShiftLeft, Some(count @ 0..))
                if count < i128::from(self.type_of(left).value_bits(self.unit.model())) =>
            {
                let power = 1_i128 << count;
                Some(a.times(Range { low: power, high: power }))
            }
            (operator, _) if operator.is_comparison() => Some(Range { low: 0, high: 1 }),
            _ => None,
        }
    }
}
