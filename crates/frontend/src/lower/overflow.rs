//! Signed operations whose result their type does not hold.
//!
//! Where somebody asks about them or rules them out, a branch stands before the operation, and ends
//! the execution behind it: as a fault, or as a failed assumption. Engines see branches alone. What
//! the operands' types and constants exclude is not asked (`ranges`). With a constant, the other
//! operand is compared with a limit; two unknown operands are put together in a type of twice the
//! width, where nothing is lost. What counts as an overflow: decision 0069.

use heapwright_program::{
    BinaryOperator, ExpressionId, Failure, Halt, Operation, ScalarType, SignedOverflow,
};
use rucc_ast::BinaryOp;
use rucc_types::TypeKind;

use super::function::FunctionLowering;
use super::ranges::Range;

/// A signed operation that is about to be carried out, on evaluated operands of its type.
#[derive(Clone, Copy)]
struct Signed {
    operator: BinaryOperator,
    left: ExpressionId,
    right: ExpressionId,
    ty: ScalarType,
    width: u32,
    /// What has no room, in words.
    what: &'static str,
}

impl FunctionLowering<'_, '_> {
    fn tells_of_overflow(&self) -> bool {
        self.unit.unit.signed_overflow != SignedOverflow::Wraps && self.is_reachable()
    }

    /// Before a binary operator is applied: the left operand and its C type, which is that of the
    /// result, and the right operand, which for a shift has a type of its own.
    pub(crate) fn check_operation(
        &mut self,
        op: BinaryOp,
        (left, c_type): (ExpressionId, rucc_types::TypeId),
        right: ExpressionId,
    ) {
        let ty = self.type_of(left);
        if !self.tells_of_overflow() || !ty.is_signed() {
            return;
        }
        let (operator, what) = match op {
            BinaryOp::Add => (BinaryOperator::Add, "the sum"),
            BinaryOp::Sub => (BinaryOperator::Subtract, "the difference"),
            BinaryOp::Mul => (BinaryOperator::Multiply, "the product"),
            BinaryOp::Div => (BinaryOperator::Divide, "the quotient"),
            BinaryOp::Rem => (BinaryOperator::Remainder, "the quotient beside the remainder"),
            BinaryOp::Shl => (BinaryOperator::ShiftLeft, "the shifted number"),
            BinaryOp::Shr
            | BinaryOp::Lt
            | BinaryOp::Gt
            | BinaryOp::Le
            | BinaryOp::Ge
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::BitAnd
            | BinaryOp::BitXor
            | BinaryOp::BitOr
            | BinaryOp::LogAnd
            | BinaryOp::LogOr => return,
        };
        if self.is_bit_precise(c_type) {
            return;
        }
        let is_shift = operator == BinaryOperator::ShiftLeft;
        let right = if is_shift { right } else { self.convert(right, ty) };
        let width = ty.value_bits(self.unit.model());
        let signed = Signed { operator, left, right, ty, width, what };
        let conditions = match operator {
            BinaryOperator::Divide | BinaryOperator::Remainder => {
                return self.check_division(signed);
            }
            BinaryOperator::ShiftLeft => return self.check_shift(signed),
            _ => self.fitting(signed),
        };
        self.end_unless(&conditions, signed);
    }

    /// Before a number is negated.
    pub(crate) fn check_negation(&mut self, operand: ExpressionId, c_type: rucc_types::TypeId) {
        let ty = self.type_of(operand);
        if !self.tells_of_overflow() || !ty.is_signed() || self.is_bit_precise(c_type) {
            return;
        }
        let width = ty.value_bits(self.unit.model());
        let zero = self.constant(ty, 0);
        let (operator, what) = (BinaryOperator::Subtract, "the negated number");
        let signed = Signed { operator, left: zero, right: operand, ty, width, what };
        let conditions = self.fitting(signed);
        self.end_unless(&conditions, signed);
    }

    /// `_BitInt(40)`, and what a bit-field of forty bits is promoted to: compilers disagree on when
    /// the latter overflows, so that nothing is said of either.
    fn is_bit_precise(&mut self, c_type: rucc_types::TypeId) -> bool {
        let is_bit_precise = matches!(self.unit.kind(c_type), TypeKind::BitInt { .. });
        if is_bit_precise {
            self.unsupported("overflow of a type of an odd number of bits");
        }
        is_bit_precise
    }

    /// What must hold for a sum, a difference or a product to be exact.
    fn fitting(&mut self, signed: Signed) -> Vec<ExpressionId> {
        let Signed { operator, left, right, ty, width, .. } = signed;
        let (a, b) = (self.range(left), self.range(right));
        let whole = Range::of_signed(width);
        let (Some(a), Some(b), Some(whole)) = (a, b, whole) else {
            return self.fitting_widest(signed);
        };
        let result = match operator {
            BinaryOperator::Add => a.plus(b),
            BinaryOperator::Subtract => a.minus(b),
            _ => a.times(b),
        };
        if result.is_within(whole) {
            return Vec::new();
        }
        let limited = match (operator, a.only(), b.only()) {
            (BinaryOperator::Add, None, Some(k)) => Some((left, whole.shifted(-k))),
            (BinaryOperator::Add, Some(k), None) => Some((right, whole.shifted(-k))),
            (BinaryOperator::Subtract, None, Some(k)) => Some((left, whole.shifted(k))),
            (BinaryOperator::Subtract, Some(k), None) => Some((right, whole.reflected(k))),
            (BinaryOperator::Multiply, None, Some(k)) => Some((left, whole.divided(k))),
            (BinaryOperator::Multiply, Some(k), None) => Some((right, whole.divided(k))),
            _ => None,
        };
        if let Some((operand, allowed)) = limited {
            let known = if operand == left { a } else { b };
            return self.within(operand, ty, (known, allowed));
        }
        let wide = ScalarType::Integer { signed: true, width: 2 * width as u16 };
        let (left, right) = (self.convert(left, wide), self.convert(right, wide));
        let exact = self.binary(operator, left, right);
        self.within(exact, wide, (result, whole))
    }

    /// Comparisons that bring what is known of a value to what is allowed.
    fn within(
        &mut self,
        value: ExpressionId,
        ty: ScalarType,
        (known, allowed): (Range, Range),
    ) -> Vec<ExpressionId> {
        let mut conditions = Vec::new();
        if known.low < allowed.low {
            let limit = self.constant(ty, allowed.low as u128);
            conditions.push(self.binary(BinaryOperator::LessEqual, limit, value));
        }
        if known.high > allowed.high {
            let limit = self.constant(ty, allowed.high as u128);
            conditions.push(self.binary(BinaryOperator::LessEqual, value, limit));
        }
        conditions
    }

    /// The same where no type is wider: a sum has another sign than both operands if it wraps, a
    /// difference another than the left one, whose sign is not that of the right one.
    fn fitting_widest(&mut self, signed: Signed) -> Vec<ExpressionId> {
        let Signed { operator, left, right, ty, .. } = signed;
        if operator == BinaryOperator::Multiply {
            self.unsupported("overflow of a product of 128 bits");
            return Vec::new();
        }
        let result = self.binary(operator, left, right);
        let first = self.binary(BinaryOperator::BitXor, left, result);
        let other = if operator == BinaryOperator::Add { result } else { left };
        let second = self.binary(BinaryOperator::BitXor, right, other);
        let wraps = self.binary(BinaryOperator::BitAnd, first, second);
        let zero = self.constant(ty, 0);
        vec![self.binary(BinaryOperator::LessEqual, zero, wraps)]
    }

    /// The smallest number divided by -1. C says the same of the remainder.
    fn check_division(&mut self, signed: Signed) {
        let Signed { left, right, ty, width, .. } = signed;
        let smallest = 1_u128 << (width - 1);
        let may_be = |this: &Self, operand: ExpressionId, value: i128| {
            this.range(operand).is_none_or(|range| range.low <= value && value <= range.high)
        };
        let least = heapwright_program::sign_extend(smallest, width);
        if !may_be(self, left, least) || !may_be(self, right, -1) {
            return;
        }
        let end = self.new_location();
        for (operand, value) in [(left, smallest), (right, u128::MAX)] {
            let value = self.constant(ty, value);
            let differs = self.binary(BinaryOperator::NotEqual, operand, value);
            let same = self.new_location();
            self.emit_unwritten_branch(differs, end, same);
            self.continue_at(same);
        }
        self.overflows_here(signed);
        self.continue_at(end);
    }

    /// A number shifted to the left is multiplied by a power of two. A count below zero has no such
    /// power, so it is no overflow.
    fn check_shift(&mut self, signed: Signed) {
        let Signed { left, right: count, ty, width, .. } = signed;
        let (numbers, counts) = (self.range_or_any(left), self.range_or_any(count));
        let last = i128::from(width) - 1;
        let whole = Range { low: i128::MIN >> (127 - last), high: i128::MAX >> (127 - last) };
        if let Some(number) = numbers.only() {
            let keeps =
                |count: &i128| (whole.low >> count) <= number && number <= (whole.high >> count);
            let most = (0..=last).take_while(keeps).last().unwrap_or(0);
            let high = if number == 0 { counts.high } else { most };
            let allowed = Range { low: counts.low, high };
            let conditions = self.within(count, self.type_of(count), (counts, allowed));
            return self.end_unless(&conditions, signed);
        }
        if let Some(places @ 0..) = counts.only().filter(|&count| count <= last) {
            let allowed = Range { low: whole.low >> places, high: whole.high >> places };
            let conditions = self.within(left, ty, (numbers, allowed));
            return self.end_unless(&conditions, signed);
        }
        let end = self.new_location();
        if counts.high > last {
            // All bits are gone, and zero alone has none to lose.
            let limit = self.constant(self.type_of(count), last as u128);
            let is_small = self.binary(BinaryOperator::LessEqual, count, limit);
            let (small, large) = (self.new_location(), self.new_location());
            self.emit_unwritten_branch(is_small, small, large);
            self.continue_at(large);
            let zero = self.constant(ty, 0);
            let is_zero = self.binary(BinaryOperator::Equal, left, zero);
            self.end_unless(&[is_zero], signed);
            self.merge_into(end);
            self.continue_at(small);
        }
        if counts.low < 0 {
            let zero = self.constant(self.type_of(count), 0);
            let has_power = self.binary(BinaryOperator::LessEqual, zero, count);
            let positive = self.new_location();
            self.emit_unwritten_branch(has_power, positive, end);
            self.continue_at(positive);
        }
        let conditions = self.shifts_within(signed);
        self.end_unless(&conditions, signed);
        self.merge_into(end);
        self.continue_at(end);
    }

    fn range_or_any(&self, value: ExpressionId) -> Range {
        self.range(value).unwrap_or(Range { low: i128::MIN, high: i128::MAX })
    }

    /// What must hold for a shift by less than the width to lose nothing.
    fn shifts_within(&mut self, signed: Signed) -> Vec<ExpressionId> {
        let Signed { left, right: count, ty, width, .. } = signed;
        let count = self.convert(count, ty);
        let smallest = self.constant(ty, 1 << (width - 1));
        let largest = self.constant(ty, heapwright_program::mask(width - 1));
        let limits =
            [smallest, largest].map(|it| self.binary(BinaryOperator::ShiftRight, it, count));
        vec![
            self.binary(BinaryOperator::LessEqual, limits[0], left),
            self.binary(BinaryOperator::LessEqual, left, limits[1]),
        ]
    }

    /// Only executions in which all conditions hold go on.
    fn end_unless(&mut self, conditions: &[ExpressionId], signed: Signed) {
        let open: Vec<ExpressionId> =
            conditions.iter().copied().filter(|&it| self.integer(it) != Some(1)).collect();
        if open.is_empty() || !self.is_reachable() {
            return;
        }
        let (bad, mut good) = (self.new_location(), self.new_location());
        for (index, condition) in open.into_iter().enumerate() {
            if index > 0 {
                self.continue_at(good);
                good = self.new_location();
            }
            self.emit_unwritten_branch(condition, good, bad);
        }
        self.continue_at(bad);
        self.overflows_here(signed);
        self.continue_at(good);
    }

    /// The operation overflows.
    fn overflows_here(&mut self, signed: Signed) {
        self.emit_last(match self.unit.unit.signed_overflow {
            SignedOverflow::Fails => {
                let Signed { what, width, .. } = signed;
                let text = format!("{what} does not fit a signed type of {width} bits");
                Operation::Fail(Failure::Overflow { text })
            }
            SignedOverflow::Ends | SignedOverflow::Wraps => Operation::Halt(Halt::AssumptionFailed),
        });
    }
}
