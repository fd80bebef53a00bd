//! Conditions become compare-and-branch instructions.

use heapwright_base::DenseId;
use heapwright_program::{BinaryOperator, Expression, ExpressionId, LocationId, ScalarType};

use crate::compile::function::FunctionCompiler;
use crate::instruction::{Instruction, Register};
use crate::kind::Kind;

impl FunctionCompiler<'_, '_> {
    /// Goes to `target` if whether the condition is true is `sense`, else to the next instruction.
    pub(super) fn branch(&mut self, condition: ExpressionId, sense: bool, target: LocationId) {
        let target = target.index() as u32;
        let goes_on_if = Some(!sense);
        let (condition, sense) = self.strip(condition, sense);
        if let Some(value) = self.constant(condition) {
            let is_true = value.low != 0 || value.high != 0;
            if is_true == sense {
                self.emit_branch(Instruction::Jump { target }, goes_on_if);
            } else {
                // Each branch has an instruction, so that its edge has a place.
                self.emit_branch(Instruction::Nothing, goes_on_if);
            }
            return;
        }
        let instruction = match self.node(condition) {
            Expression::Binary { operator, left, right }
                if operator.is_comparison() && self.kind(left).is_narrow() =>
            {
                self.comparison(operator, left, right, target)
            }
            Expression::Convert { operand, ty: ScalarType::Bool }
                if self.kind(operand).is_narrow() =>
            {
                let left = self.operand(operand);
                Instruction::BranchNotEqualImmediate { left, value: 0, target }
            }
            _ => {
                let left = self.operand(condition);
                Instruction::BranchNotEqualImmediate { left, value: 0, target }
            }
        };
        let instruction = if sense { instruction } else { negate(instruction) };
        self.emit_branch(instruction, goes_on_if);
    }

    /// Takes off the layers that C puts around a truth value: `!e`, `e != 0`, `(int) e`.
    fn strip(&self, condition: ExpressionId, sense: bool) -> (ExpressionId, bool) {
        let (mut condition, mut sense) = (self.alias(condition), sense);
        while let Expression::Binary { operator, left, right } = self.node(condition)
            && matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual)
            && self.immediate(right) == Some(0)
            && self.type_of(self.alias(left)) == ScalarType::Bool
        {
            condition = self.alias(left);
            sense ^= operator == BinaryOperator::Equal;
        }
        (condition, sense)
    }

    /// The branch that is taken where the comparison holds.
    fn comparison(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
        target: u32,
    ) -> Instruction {
        let is_signed = self.kind(left).is_signed();
        let constants = (self.immediate(left), self.immediate(right));
        // `a <= k` is `a < k + 1`, where that is a number of the type.
        let above = |k: i32| k.checked_add(1).filter(|_| is_signed || k >= 0);
        let simple = match (operator, constants) {
            (BinaryOperator::Equal, (_, Some(k))) => Some((left, Test::Equal, k)),
            (BinaryOperator::Equal, (Some(k), _)) => Some((right, Test::Equal, k)),
            (BinaryOperator::NotEqual, (_, Some(k))) => Some((left, Test::NotEqual, k)),
            (BinaryOperator::NotEqual, (Some(k), _)) => Some((right, Test::NotEqual, k)),
            (BinaryOperator::Less, (_, Some(k))) => Some((left, Test::Less, k)),
            (BinaryOperator::Less, (Some(k), _)) => above(k).map(|k| (right, Test::AtLeast, k)),
            (BinaryOperator::LessEqual, (_, Some(k))) => above(k).map(|k| (left, Test::Less, k)),
            (BinaryOperator::LessEqual, (Some(k), _)) => Some((right, Test::AtLeast, k)),
            _ => None,
        };
        let is_equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
        let is_order_of_addresses = self.kind(left) == Kind::Pointer && !is_equality;
        let simple = simple.filter(|_| !is_order_of_addresses || !self.compiler.mark_addresses);
        if let Some((operand, test, value)) = simple {
            let left = self.operand(operand);
            return with_immediate(test, is_signed, left, value, target);
        }
        let kind = self.kind(left);
        let [left, right] = [left, right].map(|operand| self.operand(operand));
        self.compare_addresses(operator, kind, left, right);
        with_registers(operator, is_signed, left, right, target)
    }
}

enum Test {
    Equal,
    NotEqual,
    Less,
    AtLeast,
}

fn with_immediate(
    test: Test,
    is_signed: bool,
    left: Register,
    value: i32,
    target: u32,
) -> Instruction {
    use Instruction as I;
    match (test, is_signed) {
        (Test::Equal, _) => I::BranchEqualImmediate { left, value, target },
        (Test::NotEqual, _) => I::BranchNotEqualImmediate { left, value, target },
        (Test::Less, true) => I::BranchLessSignedImmediate { left, value, target },
        (Test::Less, false) => I::BranchLessUnsignedImmediate { left, value, target },
        (Test::AtLeast, true) => I::BranchAtLeastSignedImmediate { left, value, target },
        (Test::AtLeast, false) => I::BranchAtLeastUnsignedImmediate { left, value, target },
    }
}

fn with_registers(
    operator: BinaryOperator,
    is_signed: bool,
    left: Register,
    right: Register,
    target: u32,
) -> Instruction {
    use Instruction as I;
    match (operator, is_signed) {
        (BinaryOperator::Equal, _) => I::BranchEqual { left, right, target },
        (BinaryOperator::NotEqual, _) => I::BranchNotEqual { left, right, target },
        (BinaryOperator::Less, true) => I::BranchLessSigned { left, right, target },
        (BinaryOperator::Less, false) => I::BranchLessUnsigned { left, right, target },
        (BinaryOperator::LessEqual, true) => I::BranchLessEqualSigned { left, right, target },
        (BinaryOperator::LessEqual, false) => I::BranchLessEqualUnsigned { left, right, target },
        _ => panic!("{operator:?} is no comparison"),
    }
}

fn negate(branch: Instruction) -> Instruction {
    branch.negated().unwrap_or_else(|| panic!("{branch:?} is no branch"))
}
