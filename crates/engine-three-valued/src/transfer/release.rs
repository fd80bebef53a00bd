//! Free: a node goes, and what led to it leads nowhere.

use heapwright_program::ExpressionId;
use heapwright_property::Part;
use heapwright_three_valued::{BinaryId, NULL, Node, Row, WILD, nodes_of};

use crate::alarm::AlarmKind;
use crate::numbers;
use crate::state::{Next, Pointer, State};
use crate::transfer::{Stepped, Transfer};

impl Transfer<'_, '_> {
    pub(super) fn free(&mut self, state: State, address: ExpressionId) -> Stepped {
        match self.value(&state, address).pointer() {
            // `free(0)` is allowed.
            Pointer::Null => Ok(Next::One(state)),
            Pointer::Block { node, offset: 0 } => Ok(Next::Several(self.release(state, node))),
            Pointer::Block { .. }
            | Pointer::Wild
            | Pointer::Unknown
            | Pointer::Object { .. }
            | Pointer::Function(_) => Err(AlarmKind::Violation(Part::ValidFree)),
        }
    }

    /// First its own links are cut, then those that lead to it; then nothing else depends on it.
    fn release(&mut self, mut state: State, node: Node) -> Vec<State> {
        numbers::keep(self.model, &mut state, node);
        let mut pending = vec![state];
        for (role, link) in self.roles() {
            let cut = |state| self.linked(state, (node, role, link), WILD);
            pending = pending.into_iter().flat_map(cut).collect();
        }
        for (role, link) in self.roles() {
            let mut cut = Vec::new();
            while let Some(state) = pending.pop() {
                let leading = state.heap.column(link, node).one & state.heap.blocks();
                let single = leading & !state.heap.summaries();
                match nodes_of(single).next() {
                    None => cut.push(self.cut_summaries(state, (node, role, link), leading)),
                    Some(from) => pending.extend(self.cut_single(state, (from, role, link), node)),
                }
            }
            pending = cut;
        }
        for state in &mut pending {
            for (_, pointer) in self.model.tracked() {
                if state.heap.unary(pointer).must() >> node & 1 == 1 {
                    self.model.instance.assign(state.heap_mut(), pointer, NULL);
                }
            }
            state.drop_node(node);
        }
        pending.retain_mut(|state| self.model.sharpen(state.heap_mut()));
        pending
    }

    fn roles(&self) -> Vec<(usize, BinaryId)> {
        self.model.instance.links.iter().copied().enumerate().collect()
    }

    /// A link of a single block that may lead to the node: where it does, it leads nowhere now. Where else
    /// it may lead does not matter, so nothing is taken out of a summary.
    fn cut_single(
        &mut self,
        state: State,
        (from, role, link): (Node, usize, BinaryId),
        gone: Node,
    ) -> Vec<State> {
        let bit = 1u64 << gone;
        let row = state.heap.binary(link, from);
        let mut found = Vec::new();
        if row.zero & bit != 0 {
            let mut other = state.clone();
            other.heap_mut().set_binary_row(
                link,
                from,
                Row { one: row.one & !bit, zero: row.zero },
            );
            self.structures += 1;
            found.extend(self.model.sharpen(other.heap_mut()).then_some(other));
        }
        let mut leading = state;
        let zero = leading.heap.universe() & !bit;
        leading.heap_mut().set_binary_row(link, from, Row { one: bit, zero });
        self.structures += 1;
        if self.model.sharpen(leading.heap_mut()) {
            found.extend(self.linked(leading, (from, role, link), WILD));
        }
        found
    }

    /// Links of summary nodes that may lead to the node: some may lead nowhere now.
    fn cut_summaries(
        &mut self,
        mut state: State,
        (gone, role, link): (Node, usize, BinaryId),
        summaries: u64,
    ) -> State {
        let bit = 1u64 << gone;
        for from in nodes_of(summaries) {
            let row = state.heap.binary(link, from);
            let is_certain = row.must() & bit != 0;
            let wild = 1u64 << WILD;
            let zero = if is_certain { row.zero & !wild } else { row.zero | wild };
            let cut = Row { one: row.one & !bit | wild, zero: zero | bit };
            state.heap_mut().set_binary_row(link, from, cut);
        }
        if summaries != 0 {
            self.model.instance.recompute(state.heap_mut(), role);
        }
        state
    }
}
