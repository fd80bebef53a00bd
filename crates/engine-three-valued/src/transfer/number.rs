//! Numbers that structures compare: what is known of a variable's, and what a comparison tells.

use std::rc::Rc;

use heapwright_program::{Access, BinaryOperator, Expression, ExpressionId, VariableId};
use heapwright_three_valued::class::Written;
use heapwright_three_valued::{Kleene, Node};

use crate::numbers::{self, Touch};
use crate::precision::{Field, NumberField, Numeral};
use crate::state::{Next, State};
use crate::transfer::Transfer;
use crate::transfer::value::{Evaluator, Value};

impl Transfer<'_, '_> {
    /// Notes whose number a variable has; one that is tracked always has that of some node.
    pub(super) fn set_datum(&self, state: &mut State, target: VariableId, value: Value) {
        let Some((order, _)) = self.model.order() else { return };
        let is_of_type = self.model.program().variables[target].scalar == order.ty;
        match value {
            Value::Datum(node) if is_of_type => state.data.insert(target, node),
            Value::Number(None) | Value::Datum(_) | Value::Pointer(_)
                if is_of_type && self.model.tracks_number(target) =>
            {
                let (heap, node) = self.model.with_number(&state.heap, Written::Any);
                state.heap = Rc::new(heap);
                state.data.insert(target, node);
            }
            Value::Number(_) | Value::Datum(_) | Value::Pointer(_) => state.data.remove(&target),
        }
    }

    /// The single block whose number an expression is; one that is not known is asked for.
    pub(super) fn node(&mut self, state: &State, id: ExpressionId) -> Option<Node> {
        let consulted = &mut self.consulted;
        let node = Evaluator { model: self.model, state, consulted }.node(id);
        if node.is_none() {
            self.ask(state, id);
        }
        node
    }

    /// A number that is known is asked for as the constant that it is: others that are equal to it are then too.
    fn ask(&mut self, state: &State, id: ExpressionId) {
        let expressions = &self.model.program().expressions;
        let ty = expressions.type_of(id);
        let numeral = match (self.value(state, id).number(), expressions.get(id)) {
            (Some(bits), _) => Numeral::Constant(bits),
            (None, Expression::Variable(variable)) => Numeral::Variable(variable),
            (
                None,
                Expression::Constant { .. }
                | Expression::ObjectAddress(_)
                | Expression::FunctionAddress(_)
                | Expression::Unary { .. }
                | Expression::Binary { .. }
                | Expression::Convert { .. },
            ) => return,
        };
        let is_new = ty.is_integer() && self.model.numeral(numeral).is_none();
        self.asked.numerals.extend(is_new.then_some((ty, numeral)));
    }

    /// What is read from a block as a number. What nobody has written may be a number from then on.
    pub(super) fn load_number(
        &mut self,
        state: &mut State,
        (node, field): (Node, Field),
        access: &Access,
    ) -> Value {
        if access.ty.is_integer() {
            self.asked.fields.insert(NumberField { field, ty: access.ty });
        }
        let touch = self.model.touch(field, access.ty);
        let Some((_, order)) = self.model.order().filter(|_| touch != Touch::Apart) else {
            return Value::ANY;
        };
        let is_known = state.heap.binary(order, node).at(node) == Kleene::True;
        if !is_known {
            self.write(state, node, Written::Open);
        }
        if is_known && touch == Touch::It { Value::Datum(node) } else { Value::ANY }
    }

    /// Gives a block another number; false if there is no such heap.
    fn write(&self, state: &mut State, node: Node, written: Written) -> bool {
        numbers::keep(self.model, state, node);
        let before = state.heap.clone();
        self.model.instance.write(state.heap_mut(), node, written);
        self.model.sharpen_since(state.heap_mut(), &before)
    }

    /// A number is written into a block.
    pub(super) fn store_number(
        &mut self,
        mut state: State,
        (node, field): (Node, Field),
        (access, value): (&Access, ExpressionId),
    ) -> Next {
        let written = match self.model.touch(field, access.ty) {
            Touch::Apart => {
                self.ask(&state, value);
                return Next::One(state);
            }
            Touch::InPart => Written::Open,
            Touch::It => self.node(&state, value).map_or(Written::Any, Written::Of),
        };
        if written == Written::Of(node) {
            return Next::One(state);
        }
        self.write(&mut state, node, written).then_some(state).into()
    }

    /// The states in which a comparison of two numbers holds, or does not.
    pub(super) fn compared(
        &mut self,
        state: State,
        condition: ExpressionId,
        holds: bool,
    ) -> Vec<State> {
        let expressions = &self.model.program().expressions;
        let Expression::Binary { operator, left, right } = expressions.get(condition) else {
            return vec![state];
        };
        if !expressions.type_of(left).is_integer() || !operator.is_comparison() {
            return vec![state];
        }
        let nodes = (self.node(&state, left), self.node(&state, right));
        let (Some((_, order)), (Some(left), Some(right))) = (self.model.order(), nodes) else {
            return vec![state];
        };
        let mut found = Vec::new();
        for &(ascends, descends) in ways(operator, holds) {
            let mut next = state.clone();
            let mut is_open = true;
            for (from, to, value) in [(left, right, ascends), (right, left, descends)] {
                let Some(value) = value.map(Kleene::from) else { continue };
                is_open &= next.heap.binary(order, from).at(to).describes(value);
                next.heap_mut().set_binary(order, from, to, value);
            }
            if is_open && self.model.sharpen_since(next.heap_mut(), &state.heap) {
                found.push(next);
            }
        }
        found
    }
}

/// Whether the left number is at most the right one and the other way around, if that follows; in all ways that a
/// comparison leaves.
type Way = (Option<bool>, Option<bool>);

fn ways(operator: BinaryOperator, holds: bool) -> &'static [Way] {
    const LESS: Way = (Some(true), Some(false));
    const MORE: Way = (Some(false), Some(true));
    match (operator, holds) {
        (BinaryOperator::Less, true) => &[LESS],
        (BinaryOperator::Less, false) => &[(None, Some(true))],
        (BinaryOperator::LessEqual, true) => &[(Some(true), None)],
        (BinaryOperator::LessEqual, false) => &[MORE],
        (BinaryOperator::Equal, true) | (BinaryOperator::NotEqual, false) => {
            &[(Some(true), Some(true))]
        }
        (BinaryOperator::Equal, false) | (BinaryOperator::NotEqual, true) => &[LESS, MORE],
        (
            BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Remainder
            | BinaryOperator::BitAnd
            | BinaryOperator::BitOr
            | BinaryOperator::BitXor
            | BinaryOperator::ShiftLeft
            | BinaryOperator::ShiftRight
            | BinaryOperator::OffsetPointer
            | BinaryOperator::PointerDifference,
            _,
        ) => &[(None, None)],
    }
}
