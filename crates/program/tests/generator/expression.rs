//! Random expressions of a given type.

use heapwright_program::{
    BinaryOperator, ExpressionId, FunctionId, ObjectId, ObjectKind, ScalarType, UnaryOperator,
};

use super::{Generator, SCALARS};

impl Generator {
    pub(crate) fn expression(
        &mut self,
        id: FunctionId,
        ty: ScalarType,
        depth: usize,
    ) -> ExpressionId {
        let model = self.program.model;
        if depth == 0 || self.random.below(4) == 0 {
            return self.leaf(id, ty);
        }
        if self.random.below(5) == 0 {
            let from = self.random.pick(&SCALARS);
            let is_mixed = from.is_float() && ty.is_pointer() || from.is_pointer() && ty.is_float();
            let from = if is_mixed { ScalarType::INT } else { from };
            let operand = self.expression(id, from, depth - 1);
            return self.program.expressions.convert(operand, ty);
        }
        let operator = match ty {
            ScalarType::Pointer => BinaryOperator::OffsetPointer,
            ScalarType::Bool => {
                let operators = [
                    BinaryOperator::Less,
                    BinaryOperator::LessEqual,
                    BinaryOperator::Equal,
                    BinaryOperator::NotEqual,
                ];
                let operator = self.random.pick(&operators);
                let operands = self.random.pick(&SCALARS);
                let left = self.expression(id, operands, depth - 1);
                let right = self.expression(id, operands, depth - 1);
                return self.program.expressions.binary(operator, left, right, model);
            }
            ScalarType::Float(_) => self.random.pick(&[
                BinaryOperator::Add,
                BinaryOperator::Subtract,
                BinaryOperator::Divide,
            ]),
            ScalarType::Integer { .. } => return self.integer(id, ty, depth),
        };
        let left = self.expression(id, ty, depth - 1);
        let right_type = if ty.is_pointer() { model.offset_type() } else { ty };
        let right = self.expression(id, right_type, depth - 1);
        self.program.expressions.binary(operator, left, right, model)
    }

    fn integer(&mut self, id: FunctionId, ty: ScalarType, depth: usize) -> ExpressionId {
        let model = self.program.model;
        if self.random.below(4) == 0 {
            let operator = self.random.pick(&[UnaryOperator::Negate, UnaryOperator::Complement]);
            let operand = self.expression(id, ty, depth - 1);
            return self.program.expressions.unary(operator, operand);
        }
        let operators = [
            BinaryOperator::Add,
            BinaryOperator::Subtract,
            BinaryOperator::Multiply,
            BinaryOperator::Divide,
            BinaryOperator::Remainder,
            BinaryOperator::BitAnd,
            BinaryOperator::BitOr,
            BinaryOperator::BitXor,
            BinaryOperator::ShiftLeft,
            BinaryOperator::ShiftRight,
        ];
        let is_difference = ty == model.offset_type() && self.random.below(5) == 0;
        let operands = if is_difference { ScalarType::Pointer } else { ty };
        let operator = self.random.pick(&operators);
        let operator = if is_difference { BinaryOperator::PointerDifference } else { operator };
        let left = self.expression(id, operands, depth - 1);
        let right = self.expression(id, operands, depth - 1);
        self.program.expressions.binary(operator, left, right, model)
    }

    fn leaf(&mut self, id: FunctionId, ty: ScalarType) -> ExpressionId {
        if let Some(variable) = self.variable(id, Some(ty))
            && self.random.below(2) == 0
        {
            return self.program.expressions.variable(variable, ty);
        }
        let objects: Vec<ObjectId> = self
            .program
            .objects
            .enumerated()
            .filter(|(_, it)| it.kind != ObjectKind::Local || it.function == Some(id))
            .map(|(id, _)| id)
            .collect();
        match (ty, self.random.below(4)) {
            (ScalarType::Pointer, 0 | 1) if !objects.is_empty() => {
                let object = self.random.pick(&objects);
                self.program.expressions.object_address(object)
            }
            (ScalarType::Pointer, 2) => {
                let functions: Vec<FunctionId> = self.program.functions.ids().collect();
                let function = self.random.pick(&functions);
                self.program.expressions.function_address(function)
            }
            _ => {
                let bits = self.random.bits();
                self.program.expressions.constant(ty, bits, self.program.model)
            }
        }
    }
}
