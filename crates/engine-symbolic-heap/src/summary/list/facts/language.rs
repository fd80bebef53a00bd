//! Which kinds of nodes a sequence tells apart. The languages themselves: [`crate::heap::language`].

use std::sync::Arc;

use heapwright_logic::TermId;

use crate::context::Context;
use crate::heap::block::Prototype;
use crate::heap::language::KindSet;

impl Context<'_> {
    /// Which kinds are like each kind, so that a sequence does not tell them apart. Where nodes own
    /// more than a block only marks count: what one owns seldom depends on what the one before owns.
    pub(crate) fn likes(&self, kinds: &[Arc<Prototype>]) -> Vec<KindSet> {
        let only_marks_count = kinds.iter().any(|kind| kind.height > 0 || kind.blocks.len() > 2);
        let is_like = |one: &Arc<Prototype>, other: &Arc<Prototype>| {
            Arc::ptr_eq(one, other) || (only_marks_count && !self.differ_in_a_mark(one, other))
        };
        let like = |one| {
            let others = kinds.iter().enumerate().filter(|(_, other)| is_like(one, other));
            others.map(|(index, _)| index).collect()
        };
        kinds.iter().map(like).collect()
    }

    /// Whether nodes have different numbers in one place, and the program names one of them.
    fn differ_in_a_mark(&self, one: &Prototype, other: &Prototype) -> bool {
        let node =
            |kind: &Prototype| kind.blocks.values().next().cloned().expect("a kind has a node");
        let (one, other) = (node(one), node(other));
        let is_number = |value: TermId| !self.names.holds_address(value);
        one.cells.iter().any(|(offset, cell)| {
            let Some(there) = other.cells.get(offset) else { return false };
            let are_numbers = is_number(cell.value) && is_number(there.value);
            let is_marked = self.is_mark(cell.value) || self.is_mark(there.value);
            are_numbers && is_marked && cell.value != there.value
        })
    }
}
