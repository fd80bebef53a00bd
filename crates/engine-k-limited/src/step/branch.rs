//! Tests: which states pass, and what is known of a variable behind them.

use heapwright_graph_text::{Root, State, Target};
use heapwright_program::{BinaryOperator, Expression, ExpressionId, ScalarType};

use crate::step::Stepper;
use crate::value::Value;

impl Stepper<'_> {
    pub(super) fn assume(
        &self,
        mut state: State,
        condition: ExpressionId,
        holds: bool,
    ) -> Vec<State> {
        if let Some(bits) = self.value(&state, condition).number() {
            return if (bits != 0) == holds { vec![state] } else { Vec::new() };
        }
        let expressions = &self.program().expressions;
        match expressions.get(condition) {
            Expression::Binary { operator: BinaryOperator::Equal, left, right } if holds => {
                self.learn(&mut state, left, right);
                self.learn(&mut state, right, left);
            }
            Expression::Binary { operator: BinaryOperator::NotEqual, left, right } if !holds => {
                self.learn(&mut state, left, right);
                self.learn(&mut state, right, left);
            }
            // Read as a truth value, and 0.
            Expression::Convert { operand, ty: ScalarType::Bool } if !holds => {
                let zero = match expressions.type_of(operand).is_pointer() {
                    true => Value::Pointer(Target::Null),
                    false => Value::Number(0),
                };
                self.learn_value(&mut state, operand, zero);
            }
            Expression::Binary { .. }
            | Expression::Convert { .. }
            | Expression::Constant { .. }
            | Expression::Variable(_)
            | Expression::ObjectAddress(_)
            | Expression::FunctionAddress(_)
            | Expression::Unary { .. } => {}
        }
        vec![state]
    }

    fn learn(&self, state: &mut State, one: ExpressionId, other: ExpressionId) {
        let value = self.value(state, other);
        self.learn_value(state, one, value);
    }

    /// A variable of which nothing was known is equal to something. An equal address need not be the same
    /// pointer, except that null leads nowhere.
    fn learn_value(&self, state: &mut State, one: ExpressionId, value: Value) {
        let Expression::Variable(variable) = self.program().expressions.get(one) else {
            return;
        };
        let is_open = !state.graph.roots.contains_key(&Root::Variable(variable));
        match value {
            Value::Number(_) => self.set(state, variable, value),
            Value::Pointer(Target::Null) if is_open => self.set(state, variable, value),
            Value::Pointer(_) | Value::Anything => {}
        }
    }
}
