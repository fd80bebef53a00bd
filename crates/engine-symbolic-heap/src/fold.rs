//! Folding: neighbours in a chain that nothing else points to become one segment.
//!
//! The links are found in the heap, not in types: a pointer-sized cell of one heap block that points
//! into another block of the same size. Method: Dudka, Peringer, Vojnar, SAS 2013, without nesting.

use std::sync::Arc;

use heapwright_logic::TermId;
use imbl::OrdMap;
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::state::{Block, BlockId, BlockKind, Each, Life, Range, Rest, Role, Segment, State};

/// A longer known minimum does not help, and each one is another shape.
const LONGEST_MINIMUM: u32 = 2;

/// How one block is linked to the next: offsets of the links, and where they point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Links {
    next: u64,
    previous: Option<u64>,
    head: u64,
}

impl Context<'_> {
    /// Folds all that can be folded.
    pub(crate) fn fold(&mut self, state: &mut State) {
        // Ends because each round removes a block.
        while let Some((first, second, links)) = self.find_pair(state) {
            self.merge(state, first, second, links);
            self.statistics.foldings += 1;
        }
    }

    fn find_pair(&mut self, state: &State) -> Option<(BlockId, BlockId, Links)> {
        let references = self.references(state);
        for (&first, block) in &state.blocks {
            if !is_foldable(block) {
                continue;
            }
            for (&offset, cell) in &block.cells {
                if cell.size != self.model().pointer_size() {
                    continue;
                }
                let Some((second, head)) = self.pointer(cell.value) else { continue };
                let Some(head) = self.constant(head) else { continue };
                if let Some(links) =
                    self.fits(state, &references, (first, second), (offset, head as u64))
                {
                    return Some((first, second, links));
                }
            }
        }
        None
    }

    /// How often the address of each block occurs in the state's values, its own cells apart.
    fn references(&mut self, state: &State) -> FxHashMap<BlockId, u32> {
        let mut counts: FxHashMap<BlockId, u32> = FxHashMap::default();
        let mut count = |context: &mut Self, holder: Option<BlockId>, value: TermId| {
            for variable in context.terms.free_variables(&[value]) {
                if let Some(&block) = context.blocks_of_addresses.get(&variable)
                    && holder != Some(block)
                {
                    *counts.entry(block).or_default() += 1;
                }
            }
        };
        for value in state.globals.iter().flatten() {
            count(self, None, *value);
        }
        for frame in &state.frames {
            for value in frame.registers.iter().flatten() {
                count(self, None, *value);
            }
        }
        for (&id, block) in &state.blocks {
            for cell in block.cells.values() {
                count(self, Some(id), cell.value);
            }
        }
        for &conjunct in &state.condition {
            count(self, None, conjunct);
        }
        counts
    }

    /// Whether two neighbours can be one segment, linked how.
    fn fits(
        &mut self,
        state: &State,
        references: &FxHashMap<BlockId, u32>,
        (first, second): (BlockId, BlockId),
        (next, head): (u64, u64),
    ) -> Option<Links> {
        let (a, b) = (state.blocks.get(&first)?, state.blocks.get(&second)?);
        if first == second || !is_foldable(b) || a.size != b.size || a.rest != b.rest {
            return None;
        }
        let last = last_node(a, first);
        // A doubly linked neighbour points back to the last node before it.
        let previous = self.link_back(b, last, head, next);
        // A doubly linked chain is one from either end: it is read along its lower link.
        if previous.is_some_and(|previous| previous < next) {
            return None;
        }
        let links = Links { next, previous, head };
        if !links_agree(a, links) || !links_agree(b, links) {
            return None;
        }
        // Nothing but the link may point to the second block, nor the link back of what follows it.
        let back =
            if last_node(b, second) == second { self.back_links(state, b, links) } else { 0 };
        if references.get(&second).copied().unwrap_or(0) != 1 + back {
            return None;
        }
        // And nothing but the link back to what is last now, unless it is also the first.
        if previous.is_some() && last != first && references.get(&last).copied() != Some(1) {
            return None;
        }
        if previous.is_none() && !self.is_singly(a) {
            return None;
        }
        self.cells_agree((first, a), (second, b), links).then_some(links)
    }

    /// How many links back the follower of a single doubly linked block has to it.
    fn back_links(&mut self, state: &State, block: &Block, links: Links) -> u32 {
        let (Some(previous), Some(onward)) = (links.previous, block.cells.get(&links.next)) else {
            return 0;
        };
        let Some((follower, _)) = self.pointer(onward.value) else { return 0 };
        let Some(follower) = state.blocks.get(&follower) else { return 0 };
        // The link back is where the follower's own node has it, relative to where links point.
        let Some((_, at)) = self.pointer(onward.value) else { return 0 };
        let Some(at) = self.constant(at) else { return 0 };
        let offset = (at as u64).wrapping_add(previous).wrapping_sub(links.head);
        let Some(cell) = follower.cells.get(&offset) else { return 0 };
        let Some((target, _)) = self.pointer(cell.value) else { return 0 };
        u32::from(
            state.blocks.get(&target).is_some_and(|found| std::ptr::eq(found.as_ref(), block)),
        )
    }

    fn is_singly(&self, block: &Block) -> bool {
        match &block.role {
            Role::Segment(segment) => segment.previous.is_none(),
            Role::Region | Role::LastOf(_) => true,
        }
    }

    fn link_back(&mut self, block: &Block, last: BlockId, head: u64, next: u64) -> Option<u64> {
        let pointer_size = self.model().pointer_size();
        for (&offset, cell) in &block.cells {
            if offset == next || cell.size != pointer_size {
                continue;
            }
            if let Some((target, target_offset)) = self.pointer(cell.value)
                && target == last
                && self.constant(target_offset) == Some(u128::from(head))
            {
                return Some(offset);
            }
        }
        None
    }

    /// Whether the cells besides the links can be those of one kind of node.
    fn cells_agree(
        &mut self,
        (first, a): (BlockId, &Block),
        (second, b): (BlockId, &Block),
        links: Links,
    ) -> bool {
        let is_link = |offset: u64| offset == links.next || Some(offset) == links.previous;
        let pointer_size = self.model().pointer_size();
        let (cells_a, cells_b) = (layout(a, pointer_size), layout(b, pointer_size));
        // Both have the links, or nothing is a list.
        let has_links = |cells: &OrdMap<u64, u64>| {
            cells.contains_key(&links.next)
                && links.previous.is_none_or(|offset| cells.contains_key(&offset))
        };
        if !has_links(&cells_a) || !has_links(&cells_b) {
            return false;
        }
        let all = cells_a.clone().union(cells_b.clone());
        all.iter().filter(|(offset, _)| !is_link(**offset)).all(|(offset, _)| {
            let own = (self.own_target(first, a, *offset), self.own_target(second, b, *offset));
            match own {
                (Some(x), Some(y)) => return x == y,
                (Some(_), None) | (None, Some(_)) => return false,
                (None, None) => {}
            }
            match (cells_a.get(offset), cells_b.get(offset)) {
                (Some(x), Some(y)) if x == y => self.cell_agrees(a, b, *offset),
                // Bytes that only one of them has written are arbitrary in the other.
                (Some(_), None) => self.may_be_forgotten(a, *offset),
                (None, Some(_)) => self.may_be_forgotten(b, *offset),
                _ => false,
            }
        })
    }

    /// Where in its own node a cell points to, if it does.
    fn own_target(&mut self, id: BlockId, block: &Block, offset: u64) -> Option<u64> {
        if let Role::Segment(segment) = &block.role {
            return segment.own.get(&offset).copied();
        }
        let (target, at) = self.pointer(block.cells.get(&offset)?.value)?;
        (target == id).then(|| self.constant(at)).flatten().map(|at| at as u64)
    }

    /// Whether a cell that both have is the same, or a number in each.
    fn cell_agrees(&self, a: &Block, b: &Block, offset: u64) -> bool {
        match (a.cells.get(&offset), b.cells.get(&offset)) {
            (Some(x), Some(y)) => {
                let are_numbers = !self.holds_address(x.value) && !self.holds_address(y.value);
                x.value == y.value || (are_numbers && !self.are_marks(x.value, y.value))
            }
            (Some(cell), None) | (None, Some(cell)) => {
                !self.holds_address(cell.value) && !self.are_marks(cell.value, cell.value)
            }
            (None, None) => true,
        }
    }

    /// Constants by which a program may tell its nodes apart: with `marks` they are kept apart.
    fn are_marks(&self, x: TermId, y: TermId) -> bool {
        self.marks && (self.constant(x).is_some() || self.constant(y).is_some())
    }

    fn may_be_forgotten(&self, block: &Block, offset: u64) -> bool {
        let is_number = block.cells.get(&offset).is_none_or(|cell| !self.holds_address(cell.value));
        is_number && block.rest == Rest::Uninitialised
    }

    /// Whether some block's address is in a term.
    fn holds_address(&self, term: TermId) -> bool {
        let variables = self.terms.free_variables(&[term]);
        variables.iter().any(|variable| self.blocks_of_addresses.contains_key(variable))
    }

    fn merge(&mut self, state: &mut State, first: BlockId, second: BlockId, links: Links) {
        let a = Arc::clone(state.block(first));
        let b = Arc::clone(state.block(second));
        let mut chain = a.as_ref().clone();
        let mut each: OrdMap<u64, Each> = OrdMap::new();
        let mut own: OrdMap<u64, u64> = OrdMap::new();
        let pointer_size = self.model().pointer_size();
        let cells_b = layout(&b, pointer_size);
        for (&offset, &size) in &layout(&a, pointer_size) {
            if offset == links.next || Some(offset) == links.previous {
                continue;
            }
            if let Some(target) = self.own_target(first, &a, offset) {
                chain.cells.remove(&offset);
                own.insert(offset, target);
                continue;
            }
            let (x, y) = (a.cells.get(&offset), b.cells.get(&offset));
            if let (Some(x), Some(y)) = (x, y)
                && x.value == y.value
            {
                continue;
            }
            if !cells_b.contains_key(&offset) {
                chain.cells.remove(&offset);
                continue;
            }
            let range = self.cell_range(state, &a, offset).hull(self.cell_range(state, &b, offset));
            chain.cells.remove(&offset);
            // Any number at all is what bytes hold that nobody has written.
            if a.rest != Rest::Uninitialised || range != Range::full(8 * size as u32) {
                each.insert(offset, Each { size, range });
            }
        }
        // The last node's link is the segment's.
        let onward = b.cells[&links.next];
        chain.cells.insert(links.next, onward);
        let last = last_node(&b, second);
        let old_last = last_node(&a, first);
        let minimum = (length(&a) + length(&b)).min(LONGEST_MINIMUM);
        let previous = links.previous.map(|offset| (offset, last));
        let role = Segment { next: links.next, previous, head: links.head, minimum, each, own };
        chain.role = Role::Segment(role);
        let mut stand_in = b.as_ref().clone();
        state.blocks.remove(&second);
        if old_last != first {
            state.blocks.remove(&old_last);
        }
        if links.previous.is_some() {
            stand_in.role = Role::LastOf(first);
            stand_in.cells.clear();
            state.blocks.insert(last, Arc::new(stand_in));
        }
        state.blocks.insert(first, Arc::new(chain));
    }

    fn cell_range(&mut self, state: &State, block: &Block, offset: u64) -> crate::state::Range {
        if let Role::Segment(segment) = &block.role
            && let Some(each) = segment.each.get(&offset)
        {
            return each.range;
        }
        self.range(state, block.cells[&offset].value)
    }
}

fn is_foldable(block: &Block) -> bool {
    block.kind == BlockKind::Heap
        && block.life == Life::Alive
        && !matches!(block.role, Role::LastOf(_))
}

/// The block that stands for the last node of what starts with `first`.
fn last_node(block: &Block, first: BlockId) -> BlockId {
    match &block.role {
        Role::Segment(Segment { previous: Some((_, last)), .. }) => *last,
        Role::Segment(_) | Role::Region | Role::LastOf(_) => first,
    }
}

fn length(block: &Block) -> u32 {
    match &block.role {
        Role::Segment(segment) => segment.minimum,
        Role::Region | Role::LastOf(_) => 1,
    }
}

/// Whether a segment is linked in this way; a single block is linked in any.
fn links_agree(block: &Block, links: Links) -> bool {
    match &block.role {
        Role::Segment(segment) => {
            segment.next == links.next
                && segment.head == links.head
                && segment.previous.map(|(offset, _)| offset) == links.previous
        }
        Role::Region | Role::LastOf(_) => true,
    }
}

/// Offsets and sizes of all cells, those that differ from node to node included.
fn layout(block: &Block, pointer_size: u64) -> OrdMap<u64, u64> {
    let mut cells: OrdMap<u64, u64> =
        block.cells.iter().map(|(&offset, cell)| (offset, cell.size)).collect();
    if let Role::Segment(segment) = &block.role {
        for (&offset, each) in &segment.each {
            cells.insert(offset, each.size);
        }
        for &offset in segment.own.keys() {
            cells.insert(offset, pointer_size);
        }
    }
    cells
}
