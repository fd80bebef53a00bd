//! Assumptions: which states pass, and what is known of a variable behind them.

use heapwright_program::{BinaryOperator, Expression, ExpressionId, VariableId};

use crate::state::{Next, Pointer, Slot, State};
use crate::transfer::Transfer;
use crate::transfer::value::Value;

impl Transfer<'_, '_> {
    pub(super) fn assume(&mut self, state: State, condition: ExpressionId, holds: bool) -> Next {
        match self.value(&state, condition).number() {
            Some(bits) if (bits != 0) == holds => Next::One(state),
            Some(_) => Next::Nothing,
            None => {
                let mut states = self.compared(state, condition, holds);
                for state in &mut states {
                    self.learn(state, condition, holds);
                }
                Next::Several(states)
            }
        }
    }

    /// A variable that is equal to something known has its value.
    fn learn(&mut self, state: &mut State, condition: ExpressionId, holds: bool) {
        let expressions = &self.model.program().expressions;
        match expressions.get(condition) {
            Expression::Binary { operator, left, right } => {
                let is_equal = match operator {
                    BinaryOperator::Equal => holds,
                    BinaryOperator::NotEqual => !holds,
                    _ => return,
                };
                if is_equal {
                    self.equate(state, left, right);
                    self.equate(state, right, left);
                }
            }
            // A number that is read as a truth value, and is 0.
            Expression::Convert { operand, .. } if !holds => {
                if let Expression::Variable(variable) = expressions.get(operand) {
                    self.zero(state, variable);
                }
            }
            Expression::Convert { .. }
            | Expression::Constant { .. }
            | Expression::Variable(_)
            | Expression::ObjectAddress(_)
            | Expression::FunctionAddress(_)
            | Expression::Unary { .. } => {}
        }
    }

    fn zero(&mut self, state: &mut State, variable: VariableId) {
        let scalar = self.model.program().variables[variable].scalar;
        if scalar.is_pointer() {
            state.pointers.insert(Slot::Variable(variable), Pointer::Null);
        } else {
            self.set(state, variable, Value::Number(Some(0)));
        }
    }

    fn equate(&mut self, state: &mut State, variable: ExpressionId, other: ExpressionId) {
        let Expression::Variable(variable) = self.model.program().expressions.get(variable) else {
            return;
        };
        let is_unknown = match state.pointers.get(&Slot::Variable(variable)) {
            Some(pointer) => *pointer == Pointer::Unknown,
            None => true,
        };
        let value = self.value(state, other);
        match value {
            // An equal address need not lead to the same block, except that null leads nowhere.
            Value::Pointer(Pointer::Null) if is_unknown => self.set(state, variable, value),
            Value::Number(Some(_)) => {
                // Whose number it is stays known.
                let block = state.data.get(&variable).copied();
                self.set(state, variable, value);
                if let Some(block) = block {
                    state.data.insert(variable, block);
                }
            }
            Value::Pointer(_) | Value::Number(None) | Value::Datum(_) => {}
        }
    }
}
