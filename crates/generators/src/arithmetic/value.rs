//! Expressions as text with a type and a range, combined so that nothing undefined can happen.
//! A signed operation is written as it is where its range shows that it cannot overflow; elsewhere
//! it goes through the unsigned type. Divisors and shift counts are guarded.

use super::types::{IntegerType, Range};
use crate::program::DataModel;

/// An expression that can stand anywhere an operand can.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) text: String,
    pub(crate) ty: IntegerType,
    pub(crate) range: Range,
}

/// The arithmetic operators on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    ExclusiveOr,
}

impl Operator {
    /// Every operator.
    pub(crate) const ALL: [Operator; 10] = [
        Operator::Add,
        Operator::Subtract,
        Operator::Multiply,
        Operator::Divide,
        Operator::Remainder,
        Operator::ShiftLeft,
        Operator::ShiftRight,
        Operator::And,
        Operator::Or,
        Operator::ExclusiveOr,
    ];

    /// The operator in C.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
            Operator::ShiftLeft => "<<",
            Operator::ShiftRight => ">>",
            Operator::And => "&",
            Operator::Or => "|",
            Operator::ExclusiveOr => "^",
        }
    }

    fn is_shift(self) -> bool {
        matches!(self, Operator::ShiftLeft | Operator::ShiftRight)
    }
}

impl Value {
    /// The constant `value` of type `ty`.
    pub(crate) fn constant(value: i128, ty: IntegerType, model: DataModel) -> Value {
        let text = match ty.suffix() {
            None => format!("(({})({value}))", ty.name()),
            Some(suffix) if value >= 0 => format!("{value}{suffix}"),
            // The magnitude of the least value has no constant of its type.
            Some(suffix) if value == ty.range(model).low => format!("(-{}{suffix} - 1)", !value),
            Some(suffix) => format!("(-{}{suffix})", -value),
        };
        Value { text, ty, range: Range::exactly(value) }
    }

    /// A truth value from a comparison.
    pub(crate) fn truth(text: String) -> Value {
        Value { text, ty: IntegerType::Int, range: Range::truth() }
    }

    /// The expression cast to `ty`.
    pub(crate) fn cast(&self, ty: IntegerType, model: DataModel) -> Value {
        let text = format!("(({}){})", ty.name(), self.text);
        let range = match ty {
            IntegerType::Bool if !self.range.contains(0) => Range::exactly(1),
            IntegerType::Bool if self.range != Range::exactly(0) => Range::truth(),
            _ => self.range.converted(ty, model),
        };
        Value { text, ty, range }
    }

    /// The negative of the expression.
    pub(crate) fn negated(&self, model: DataModel) -> Value {
        let ty = self.ty.promoted();
        let zero = Value::constant(0, ty, model);
        match zero.as_it_is(Operator::Subtract, self, model) {
            Some(difference) => Value { text: format!("(-{})", self.text), ..difference },
            None => zero.combined(Operator::Subtract, self, model),
        }
    }

    /// The bitwise complement.
    pub(crate) fn complemented(&self, model: DataModel) -> Value {
        let ty = self.ty.promoted();
        let (all, own) = (ty.range(model), self.range);
        let range = if ty.is_signed() {
            Range { low: !own.high, high: !own.low }
        } else {
            Range { low: all.high - own.high, high: all.high - own.low }
        };
        Value { text: format!("(~{})", self.text), ty, range }
    }

    /// `self OP right`, guarded where it must be.
    pub(crate) fn combined(&self, operator: Operator, right: &Value, model: DataModel) -> Value {
        match self.as_it_is(operator, right, model) {
            Some(value) => value,
            None => self.guarded(operator, right, model),
        }
    }

    /// `self OP right` without guards, if it is defined for all operands in the ranges.
    pub(crate) fn as_it_is(
        &self,
        operator: Operator,
        right: &Value,
        model: DataModel,
    ) -> Option<Value> {
        let ty =
            if operator.is_shift() { self.ty.promoted() } else { self.ty.common(right.ty, model) };
        let left_range = self.range.converted(ty, model);
        let right_range =
            if operator.is_shift() { right.range } else { right.range.converted(ty, model) };
        let range = result_range(operator, ty, left_range, right_range, model)?;
        let text = format!("({} {} {})", self.text, operator.symbol(), right.text);
        Some(Value { text, ty, range })
    }

    fn guarded(&self, operator: Operator, right: &Value, model: DataModel) -> Value {
        let constant = |value| Value::constant(value, IntegerType::Int, model);
        match operator {
            Operator::Divide | Operator::Remainder => {
                let masked = right.combined(Operator::And, &constant(63), model);
                let divisor = masked.combined(Operator::Add, &constant(1), model);
                self.as_it_is(operator, &divisor, model).expect("the divisor is in 1..=64")
            }
            Operator::ShiftLeft | Operator::ShiftRight => {
                let ty = self.ty.promoted();
                let mask = constant(i128::from(ty.bits(model) - 1));
                let count = right.combined(Operator::And, &mask, model);
                let left = if operator == Operator::ShiftLeft && ty.is_signed() {
                    self.cast(ty.unsigned(), model)
                } else {
                    self.clone()
                };
                left.as_it_is(operator, &count, model).expect("the count is below the width")
            }
            _ => {
                let ty = self.ty.common(right.ty, model);
                let unsigned = ty.unsigned();
                let (left, right) = (self.cast(unsigned, model), right.cast(unsigned, model));
                let wrapped = left.as_it_is(operator, &right, model).expect("unsigned wraps");
                wrapped.cast(ty, model)
            }
        }
    }
}

/// The range of `left OP right` computed in `ty`, or nothing if that may be undefined.
fn result_range(
    operator: Operator,
    ty: IntegerType,
    left: Range,
    right: Range,
    model: DataModel,
) -> Option<Range> {
    let all = ty.range(model);
    let exact = match operator {
        Operator::Add => Range { low: left.low + right.low, high: left.high + right.high },
        Operator::Subtract => Range { low: left.low - right.high, high: left.high - right.low },
        Operator::Multiply => product(left, right),
        Operator::Divide => {
            is_divisible(left, right, all).then_some(())?;
            let magnitude = left.magnitude();
            Range { low: -magnitude, high: magnitude }.clamped(all)
        }
        Operator::Remainder => {
            is_divisible(left, right, all).then_some(())?;
            let magnitude = left.magnitude().min(right.magnitude() - 1);
            Range { low: if left.low < 0 { -magnitude } else { 0 }, high: magnitude }
        }
        Operator::ShiftLeft => {
            is_count(right, ty, model).then_some(())?;
            (left.low >= 0 || !ty.is_signed()).then_some(())?;
            Range { low: 0, high: left.high << right.high }
        }
        Operator::ShiftRight => {
            is_count(right, ty, model).then_some(())?;
            Range { low: left.low.min(0), high: left.high.max(0) }
        }
        Operator::And | Operator::Or | Operator::ExclusiveOr => {
            bitwise_range(operator, left, right).unwrap_or(all)
        }
    };
    if all.includes(exact) { Some(exact) } else { (!ty.is_signed()).then_some(all) }
}

fn product(left: Range, right: Range) -> Range {
    // Saturation is harmless: a product that large fits no type anyway.
    let corners =
        [left.low, left.high].map(|a| [right.low, right.high].map(|b| a.saturating_mul(b)));
    let [[a, b], [c, d]] = corners;
    Range { low: a.min(b).min(c).min(d), high: a.max(b).max(c).max(d) }
}

fn is_divisible(left: Range, right: Range, all: Range) -> bool {
    let overflows = all.low < 0 && right.contains(-1) && left.contains(all.low);
    !right.contains(0) && !overflows
}

fn is_count(count: Range, ty: IntegerType, model: DataModel) -> bool {
    Range { low: 0, high: i128::from(ty.bits(model)) - 1 }.includes(count)
}

fn bitwise_range(operator: Operator, left: Range, right: Range) -> Option<Range> {
    let both = left.low >= 0 && right.low >= 0;
    let high = match operator {
        Operator::And if both => left.high.min(right.high),
        Operator::And if left.low >= 0 => left.high,
        Operator::And if right.low >= 0 => right.high,
        _ if both => next_mask(left.high.max(right.high)),
        _ => return None,
    };
    Some(Range { low: 0, high })
}

/// The least number of the form `2^n - 1` that is not below `value`.
fn next_mask(value: i128) -> i128 {
    (1 << (128 - value.leading_zeros())) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: DataModel = DataModel::Lp64;

    fn variable(ty: IntegerType) -> Value {
        Value { text: "x".to_owned(), ty, range: ty.range(MODEL) }
    }

    #[test]
    fn small_operands_stay_as_they_are() {
        let short = variable(IntegerType::Short);
        assert_eq!(short.combined(Operator::Add, &short, MODEL).text, "(x + x)");
        assert_eq!(short.combined(Operator::Multiply, &short, MODEL).text, "(x * x)");
    }

    #[test]
    fn signed_overflow_goes_through_the_unsigned_type() {
        let int = variable(IntegerType::Int);
        let sum = int.combined(Operator::Add, &int, MODEL);
        assert_eq!(sum.text, "((int)(((unsigned int)x) + ((unsigned int)x)))");
        assert_eq!(sum.ty, IntegerType::Int);
    }

    #[test]
    fn divisors_and_counts_are_guarded() {
        let int = variable(IntegerType::Int);
        assert_eq!(int.combined(Operator::Divide, &int, MODEL).text, "(x / ((x & 63) + 1))");
        assert_eq!(
            int.combined(Operator::ShiftLeft, &int, MODEL).text,
            "(((unsigned int)x) << (x & 31))"
        );
        let minus_one = Value::constant(-1, IntegerType::Int, MODEL);
        assert!(int.as_it_is(Operator::Divide, &minus_one, MODEL).is_none());
    }

    #[test]
    fn the_least_value_has_no_constant_of_its_own() {
        let least = IntegerType::Int.range(MODEL).low;
        let value = Value::constant(least, IntegerType::Int, MODEL);
        assert_eq!(value.text, "(-2147483647 - 1)");
    }
}
