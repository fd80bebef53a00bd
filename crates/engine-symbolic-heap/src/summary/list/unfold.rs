//! Unfolding: a node comes out of a segment, at the end that is used.
//!
//! A segment of at least two nodes gives a node and a segment of one less. One of at least one node
//! gives two cases: the node is the only one, or there are more.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::TermId;
use heapwright_program::{BinaryOperator, Expression, Operation, expressions_of};

use crate::context::Context;
use crate::heap::block::{Block, BlockId, End, Ends, Prototype, Role, Segment, Sorted};
use crate::heap::language::Choice;
use crate::heap::prototype::Neighbours;
use crate::heap::range::Range;
use crate::heap::state::State;

impl Segment {
    /// What the last node has as its successor, and the first as its predecessor.
    pub(crate) fn neighbours(&self) -> Neighbours {
        let Ends { next, previous } = self.ends;
        // Where nodes do not know their predecessors, none is ever put in.
        Neighbours { next, previous: previous.unwrap_or(next) }
    }
}

impl Context<'_> {
    /// Takes out the node that `block` stands for: the first or the last of its segment.
    pub(crate) fn unfold(&mut self, state: State, block: BlockId) -> Vec<State> {
        self.services.statistics.unfoldings += 1;
        let (first, from_the_end) = match &state.block(block).role {
            Role::Segment(_) => (block, false),
            Role::LastOf(first) => (*first, true),
            Role::Tree(_) => return self.unfold_root(state, block),
            Role::Region => return vec![state],
        };
        let segment = match state.block(first).role.clone() {
            Role::Segment(segment) => segment,
            Role::Tree(_) => return self.unfold_above_hole(state, block),
            Role::Region | Role::LastOf(_) => unreachable!("a last node belongs to something"),
        };
        let mut states = Vec::new();
        for Choice { kind, may_be_only, rest } in segment.choices(from_the_end) {
            if segment.minimum <= 1 && may_be_only {
                states.push(self.only_node(state.clone(), first, &segment, &kind));
            }
            let Some((kinds, sequence)) = rest else { continue };
            let rest = Segment { kinds, sequence, ..segment.clone() };
            states.push(if from_the_end {
                self.take_last(state.clone(), first, &rest, &kind)
            } else {
                self.take_first(state.clone(), first, &rest, &kind)
            });
        }
        states
    }

    /// The segment is one node.
    fn only_node(
        &mut self,
        mut state: State,
        first: BlockId,
        segment: &Segment,
        kind: &Prototype,
    ) -> State {
        let neighbours = segment.neighbours();
        let sorted = segment.order;
        let node = self.sorted_node(&mut state, first, kind, neighbours, sorted.map(Sorted::start));
        state.blocks.insert(first, Arc::new(node));
        self.sort_only(&mut state, sorted);
        if let Some(last) = segment.last {
            state.blocks.remove(&last);
            let (old, new) = (self.names.address(last), self.names.address(first));
            self.names.replace(&mut state, &BTreeMap::from([(old, new)]));
        }
        state
    }

    /// The first node keeps the block's number; the rest, the `segment`, gets a new one.
    fn take_first(
        &mut self,
        mut state: State,
        first: BlockId,
        segment: &Segment,
        kind: &Prototype,
    ) -> State {
        let mut chain = state.block(first).as_ref().clone();
        let rest = state.new_block_id();
        let next = self.names.link(rest, segment.head);
        let neighbours = Neighbours { next, ..segment.neighbours() };
        let sorted = segment.order;
        let node = self.sorted_node(&mut state, first, kind, neighbours, sorted.map(Sorted::start));
        let order = self.sort_rest(&mut state, sorted, End::First);
        let mut ends = segment.ends;
        if let Some(last) = segment.last {
            ends.previous = Some(self.names.link(first, segment.head));
            state.block_mut(last).role = Role::LastOf(rest);
        }
        let minimum = segment.minimum.saturating_sub(1).max(1);
        chain.role = Role::Segment(Segment { ends, minimum, order, ..segment.clone() });
        state.blocks.insert(first, Arc::new(node));
        state.blocks.insert(rest, Arc::new(chain));
        state
    }

    /// The last node gets the number that stood for it; the rest gets a new last one.
    fn take_last(
        &mut self,
        mut state: State,
        first: BlockId,
        segment: &Segment,
        kind: &Prototype,
    ) -> State {
        let last = segment.last.expect("only doubly linked ones have a last node");
        let mut stand_in = state.block(last).as_ref().clone();
        let new_last = state.new_block_id();
        let mut chain = state.block(first).as_ref().clone();
        let previous = self.names.link(new_last, segment.head);
        let neighbours = Neighbours { previous, ..segment.neighbours() };
        let sorted = segment.order;
        let node = self.sorted_node(&mut state, last, kind, neighbours, sorted.map(Sorted::end));
        let order = self.sort_rest(&mut state, sorted, End::Last);
        stand_in.role = Role::LastOf(first);
        let ends = Ends { next: self.names.link(last, segment.head), ..segment.ends };
        let minimum = segment.minimum.saturating_sub(1).max(1);
        let last_node = Some(new_last);
        let rest = Segment { ends, minimum, order, last: last_node, ..segment.clone() };
        chain.role = Role::Segment(rest);
        state.blocks.insert(first, Arc::new(chain));
        state.blocks.insert(last, Arc::new(node));
        state.blocks.insert(new_last, Arc::new(stand_in));
        state
    }

    /// One node of a kind: what it owns comes into the state with it.
    pub(crate) fn node(
        &mut self,
        state: &mut State,
        id: BlockId,
        kind: &Prototype,
        neighbours: Neighbours,
    ) -> Block {
        self.node_with(state, id, kind, neighbours, None)
    }

    /// The same, where one of its own numbers is given.
    pub(crate) fn node_with(
        &mut self,
        state: &mut State,
        id: BlockId,
        kind: &Prototype,
        neighbours: Neighbours,
        given: Option<(TermId, TermId)>,
    ) -> Block {
        let fragment = self.names.open_with(state, kind, id, neighbours, given);
        for conjunct in fragment.condition {
            self.assume(state, conjunct, None);
        }
        let mut blocks = fragment.blocks.into_iter();
        let (_, node) = blocks.next().expect("a kind has a node");
        state.blocks.extend(blocks);
        let mut node = Arc::unwrap_or_clone(node);
        node.serial = state.block(id).serial;
        node
    }

    pub(crate) fn assume_range(&mut self, state: &mut State, value: TermId, range: Range) {
        let bits = self.names.terms.width(value);
        let full = Range::full(bits);
        if range.low > full.low {
            let low = self.names.terms.bit_vector(range.low as u128, bits);
            let holds = self.names.terms.signed_less_equal(low, value);
            self.assume(state, holds, None);
        }
        if range.high < full.high {
            let high = self.names.terms.bit_vector(range.high as u128, bits);
            let holds = self.names.terms.signed_less_equal(value, high);
            self.assume(state, holds, None);
        }
    }

    /// A segment whose first and last node an operation compares: they may be the same node.
    pub(crate) fn ambiguous(
        &mut self,
        state: &mut State,
        operation: &Operation,
    ) -> Option<BlockId> {
        let expressions = &self.task.program.expressions;
        for root in expressions_of(operation) {
            let mut pairs = Vec::new();
            expressions.visit(root, &mut |_, node| {
                if let Expression::Binary { operator, left, right } = node
                    && (operator.is_comparison() || operator == BinaryOperator::PointerDifference)
                {
                    pairs.push((left, right));
                }
            });
            for (left, right) in pairs {
                let left = self.evaluate(state, left);
                let right = self.evaluate(state, right);
                let (Some((a, _)), Some((b, _))) = (self.pointer_of(left), self.pointer_of(right))
                else {
                    continue;
                };
                if self.are_ends(state, a, b) {
                    return Some(a);
                }
            }
        }
        None
    }

    fn pointer_of(&mut self, term: TermId) -> Option<(BlockId, TermId)> {
        // A comparison's result is a truth value, not a bit-vector.
        match self.names.terms.sort(term) {
            heapwright_logic::Sort::BitVector(_) => self.names.pointer(term),
            _ => None,
        }
    }

    fn are_ends(&self, state: &State, a: BlockId, b: BlockId) -> bool {
        let last_of = |id: BlockId| match state.blocks.get(&id).map(|block| &block.role) {
            Some(Role::LastOf(first)) => Some(*first),
            _ => None,
        };
        last_of(a) == Some(b) || last_of(b) == Some(a)
    }
}
