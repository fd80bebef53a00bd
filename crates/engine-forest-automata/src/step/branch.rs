//! Tests: which forests pass, and what is known of a variable behind them.

use heapwright_forest_text::{Forest, Value};
use heapwright_program::{BinaryOperator, Expression, ExpressionId, ScalarType};

use crate::step::Stepper;
use crate::value::{Held, number};

impl Stepper<'_> {
    pub(super) fn assume(
        &self,
        mut forest: Forest,
        condition: ExpressionId,
        holds: bool,
    ) -> Vec<Forest> {
        if let Some(bits) = number(self.value(&forest, condition)) {
            return if (bits != 0) == holds { vec![forest] } else { Vec::new() };
        }
        match self.program().expressions.get(condition) {
            Expression::Binary { operator: BinaryOperator::Equal, left, right } if holds => {
                self.learn_equal(&mut forest, left, right);
            }
            Expression::Binary { operator: BinaryOperator::NotEqual, left, right } if !holds => {
                self.learn_equal(&mut forest, left, right);
            }
            // Read as a truth value, and 0.
            Expression::Convert { operand, ty: ScalarType::Bool } if !holds => {
                self.learn(&mut forest, operand, Value::NULL);
            }
            Expression::Binary { .. }
            | Expression::Convert { .. }
            | Expression::Constant { .. }
            | Expression::Variable(_)
            | Expression::ObjectAddress(_)
            | Expression::FunctionAddress(_)
            | Expression::Unary { .. } => {}
        }
        vec![forest]
    }

    fn learn_equal(&self, forest: &mut Forest, left: ExpressionId, right: ExpressionId) {
        let (one, other) = (self.value(forest, left), self.value(forest, right));
        self.learn(forest, left, other);
        self.learn(forest, right, one);
    }

    /// A variable of which nothing was known is equal to a number or to null. An equal address need not be the
    /// same pointer, except that null leads nowhere.
    fn learn(&self, forest: &mut Forest, one: ExpressionId, value: Held) {
        let Expression::Variable(variable) = self.program().expressions.get(one) else { return };
        let is_pointer = self.program().variables[variable].scalar.is_pointer();
        let is_open = !forest.variables.contains_key(&variable);
        let is_known = number(value).is_some_and(|bits| !is_pointer || bits == 0);
        if is_open && is_known {
            self.set(forest, variable, value);
        }
    }
}
