//! Numbers that structures compare: each that is in no block of the program is that of a node of its own, which
//! nothing leads to. Between two cut points a variable names a node; at a cut point a predicate does, for the
//! numbers that are tracked.

use std::rc::Rc;

use heapwright_program::{ScalarType, VariableId};
use heapwright_three_valued::class::Written;
use heapwright_three_valued::{Kleene, NULL, Node, Structure, UnaryId, nodes_of};

use crate::model::{Model, SIZE_OF_NUMBERS};
use crate::precision::{Field, NumberField, Numeral};
use crate::state::State;

impl Model<'_> {
    /// With a node for a number; gives it too.
    pub(crate) fn with_number(&self, heap: &Structure, written: Written) -> (Structure, Node) {
        let (mut heap, node) = self.instance.with_number(heap, written);
        let mark = self.mark(SIZE_OF_NUMBERS).expect("where there are numbers there is their size");
        heap.set_unary(mark, node, Kleene::True);
        // A further number contradicts nothing; what is contradictory without it is found out elsewhere.
        let _ = self.sharpen(&mut heap);
        (heap, node)
    }

    /// The node of a tracked constant.
    pub(crate) fn constant(&self, heap: &Structure, bits: u128) -> Option<Node> {
        let predicate = self.numeral(Numeral::Constant(bits))?;
        led_to(heap, predicate)
    }

    /// Whether a variable's number is tracked.
    pub(crate) fn tracks_number(&self, variable: VariableId) -> bool {
        self.numeral(Numeral::Variable(variable)).is_some()
    }

    /// Whether the bytes of an access touch the number field of blocks of its size, and whether they are it.
    pub(crate) fn touch(&self, field: Field, ty: ScalarType) -> Touch {
        let Some((order, _)) = self.order() else { return Touch::Apart };
        let model = self.program().model;
        let NumberField { field: known, ty: of } = order;
        let is_apart = known.size != field.size
            || known.offset + of.size(model) <= field.offset
            || field.offset + ty.size(model) <= known.offset;
        match is_apart {
            true => Touch::Apart,
            false if known == field && of == ty => Touch::It,
            false => Touch::InPart,
        }
    }
}

/// What an access has to do with the number field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    Apart,
    It,
    /// Some of its bytes, or all of them as another type.
    InPart,
}

/// The block that a predicate of a number certainly holds of.
fn led_to(heap: &Structure, predicate: UnaryId) -> Option<Node> {
    let must = heap.unary(predicate).must() & heap.blocks();
    (must != 0).then_some(must.trailing_zeros() as Node)
}

/// Gives every tracked constant a node, at the start of the program.
pub(crate) fn begin(model: &Model<'_>, state: &mut State) {
    let Some((order, by)) = model.order() else { return };
    for (_, predicate) in model.numerals() {
        model.instance.assign(state.heap_mut(), predicate, NULL);
    }
    let mut known: Vec<(u128, Node)> = Vec::new();
    for (numeral, predicate) in model.numerals() {
        let Numeral::Constant(bits) = numeral else { continue };
        let (mut heap, node) = model.with_number(&state.heap, Written::Any);
        model.instance.assign(&mut heap, predicate, node);
        for &(other, at) in &known {
            let is_at_most = |left, right| Kleene::from(is_at_most(model, order.ty, left, right));
            heap.set_binary(by, node, at, is_at_most(bits, other));
            heap.set_binary(by, at, node, is_at_most(other, bits));
        }
        known.push((bits, node));
        state.heap = Rc::new(heap);
    }
    let is_possible = model.sharpen(state.heap_mut());
    debug_assert!(is_possible, "constants are as they are");
}

/// Whether one number of a type is at most another.
fn is_at_most(model: &Model<'_>, ty: ScalarType, left: u128, right: u128) -> bool {
    let operator = heapwright_program::BinaryOperator::LessEqual;
    operator.of_constants((left, right), ty, model.program().model) == Some(1)
}

/// At a cut point each tracked number that is known and live has a node of its own, and no other number has one.
pub(crate) fn settle(model: &Model<'_>, state: &mut State) {
    if model.order().is_none() {
        return;
    }
    let place = (state.function, state.location);
    for (numeral, predicate) in model.numerals() {
        let Numeral::Variable(variable) = numeral else { continue };
        let held = model
            .atlas
            .is_live(variable, &state.calls, place)
            .then(|| held(model, state, variable));
        let Some(written) = held.flatten() else {
            model.instance.assign(state.heap_mut(), predicate, NULL);
            continue;
        };
        let own = led_to(&state.heap, predicate).filter(|node| {
            written == Written::Of(*node) && model.number_nodes(&state.heap) >> node & 1 == 1
        });
        if own.is_none() {
            let (mut heap, node) = model.with_number(&state.heap, written);
            model.instance.assign(&mut heap, predicate, node);
            state.heap = Rc::new(heap);
        }
    }
    state.data = crate::table::Table::default();
    let kept = model.numerals().fold(0, |kept, it| kept | state.heap.unary(it.1).must());
    let gone: Vec<Node> = nodes_of(model.number_nodes(&state.heap) & !kept).collect();
    for node in gone.into_iter().rev() {
        state.drop_node(node);
    }
}

/// What is known of the number of a variable.
fn held(model: &Model<'_>, state: &State, variable: VariableId) -> Option<Written> {
    let constant = |bits: &u128| {
        let node = model.constant(&state.heap, *bits);
        node.map_or(Written::Any, Written::Of)
    };
    let of_block = state.data.get(&variable).copied().map(Written::Of);
    of_block.or_else(|| state.numbers.get(&variable).map(constant))
}

/// Which variables have which tracked numbers, from the predicates.
pub(crate) fn read(model: &Model<'_>, state: &mut State) {
    for (numeral, predicate) in model.numerals() {
        let Numeral::Variable(variable) = numeral else { continue };
        if let Some(node) = led_to(&state.heap, predicate) {
            state.data.insert(variable, node);
        }
    }
}

/// Variables whose number is that of a block keep it in a node of its own, before the block gets another one or goes.
pub(crate) fn keep(model: &Model<'_>, state: &mut State, node: Node) {
    if !state.data.iter().any(|(_, held)| *held == node) {
        return;
    }
    let (heap, copy) = model.with_number(&state.heap, Written::Of(node));
    state.heap = Rc::new(heap);
    for held in state.data.values_mut().filter(|held| **held == node) {
        *held = copy;
    }
}
