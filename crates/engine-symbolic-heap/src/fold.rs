//! Folding: neighbours in a chain that nothing else points to become one segment.
//!
//! The links are found in the heap, not in types: a pointer-sized cell of one heap block that points
//! into another block of the same size. What a node owns goes into its kind, so inner lists are
//! folded before the list of their owners. Method: Dudka, Peringer, Vojnar, SAS 2013, with kinds of
//! nodes in place of one shape for all.

use std::collections::BTreeSet;
use std::sync::Arc;

use imbl::OrdMap;
use rustc_hash::FxHashSet;

use crate::context::Context;
use crate::generalise::Manner;
use crate::kind::Fragment;
use crate::matching::Match;
use crate::payload::{Holder, Holders};
use crate::state::{Block, BlockId, BlockKind, Kind, Role, Segment, State};

/// A longer known minimum does not help, and each one is another shape.
const LONGEST_MINIMUM: u32 = 2;

/// Nodes that are looked at to see whether a place comes again.
const LONGEST_LOOK: usize = 6;

/// How one block is linked to the next: offsets of the links, and where they point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Links {
    pub(crate) next: u64,
    pub(crate) previous: Option<u64>,
    pub(crate) head: u64,
}

impl Links {
    pub(crate) fn has(self, offset: u64) -> bool {
        offset == self.next || Some(offset) == self.previous
    }
}

/// What a node has for itself, and not in common with the state around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    /// The blocks that only it reaches.
    Blocks,
    /// These, and the numbers that are nowhere else: of a node that stands for many.
    BlocksAndNumbers,
}

/// Two neighbours that can be one segment, with what each of them owns.
struct Pair {
    first: BlockId,
    second: BlockId,
    links: Links,
    owned: BTreeSet<BlockId>,
    owned_by_second: BTreeSet<BlockId>,
    /// The first is a single node that a variable points to: a program is at work on it.
    is_cursor: bool,
}

impl Pair {
    fn size(&self) -> usize {
        self.owned.len() + self.owned_by_second.len()
    }
}

impl Context<'_> {
    /// Folds all that can be folded; what owns least comes first, be it a list or a tree.
    pub(crate) fn fold(&mut self, state: &mut State) {
        self.learn_trees(state);
        // Ends because each round removes a block, or something from what is tried.
        let mut refused: FxHashSet<(BlockId, BlockId, u64)> = FxHashSet::default();
        let mut refused_roots: BTreeSet<BlockId> = BTreeSet::new();
        loop {
            let tree = self.find_tree(state, &refused_roots);
            let pair = match &tree {
                Some(tree) if tree.owned() == 0 => None,
                _ => self.find_pair(state, &refused),
            };
            let is_folded = match (tree, pair) {
                (Some(tree), pair) if pair.as_ref().is_none_or(|p| tree.owned() <= p.size()) => {
                    refused_roots.insert(tree.root);
                    self.fold_tree(state, &tree)
                }
                (_, Some(pair)) => {
                    refused.insert((pair.first, pair.second, pair.links.next));
                    self.fold_pair(state, &pair)
                }
                (_, None) => return,
            };
            if is_folded {
                self.statistics.foldings += 1;
                refused.clear();
                refused_roots.clear();
            }
        }
    }

    /// Makes two neighbours one segment; whether their kinds allow it.
    fn fold_pair(&mut self, state: &mut State, pair: &Pair) -> bool {
        let kinds = self.common_kinds(state, pair);
        let is_folded = kinds.is_some();
        if let Some(kinds) = kinds {
            self.merge(state, pair, kinds);
        }
        is_folded
    }

    /// The pair that owns least: what is inside comes before what is around.
    fn find_pair(
        &mut self,
        state: &State,
        refused: &FxHashSet<(BlockId, BlockId, u64)>,
    ) -> Option<Pair> {
        let holders = self.holders(state);
        let mut best: Option<Pair> = None;
        for (&first, block) in &state.blocks {
            if !Context::is_node(state, first) {
                continue;
            }
            for (&offset, cell) in &block.cells {
                if cell.size != self.model().pointer_size() {
                    continue;
                }
                let Some((second, head)) = self.pointer(cell.value) else { continue };
                let Some(head) = self.constant(head) else { continue };
                if refused.contains(&(first, second, offset)) {
                    continue;
                }
                let Some(pair) = self.fits(state, &holders, (first, second), (offset, head as u64))
                else {
                    continue;
                };
                if pair.size() == 0 {
                    return Some(pair);
                }
                if best.as_ref().is_none_or(|best| pair.size() < best.size()) {
                    best = Some(pair);
                }
            }
        }
        best
    }

    /// Whether two neighbours can be one segment, linked how.
    fn fits(
        &mut self,
        state: &State,
        holders: &Holders,
        (first, second): (BlockId, BlockId),
        (next, head): (u64, u64),
    ) -> Option<Pair> {
        if first == second
            || !state.blocks.contains_key(&second)
            || !Context::is_node(state, second)
        {
            return None;
        }
        let (a, b) = (state.block(first), state.block(second));
        if a.size != b.size || a.rest != b.rest || self.is_link_of_tree((a, b), next) {
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
        let has_links = |block: &Block| {
            let has = |offset: u64| {
                block
                    .cells
                    .get(&offset)
                    .is_some_and(|cell| cell.size == self.model().pointer_size())
            };
            has(links.next) && links.previous.is_none_or(has)
        };
        if !has_links(a) || !has_links(b) {
            return None;
        }
        if !self.are_of_one_list(state, (first, second), links) {
            return None;
        }
        let owned = self.owned(state, holders, first, links);
        let owned_by_second = self.owned(state, holders, second, links);
        let strangers = [first, second, last];
        if strangers.iter().any(|id| owned.contains(id) || owned_by_second.contains(id)) {
            return None;
        }
        // Nothing but the link may hold the second block, what it owns, and the link back of what
        // follows it.
        let back =
            if last_node(b, second) == second { self.back_links(state, second, links) } else { 0 };
        let keeps_name = previous.is_some() && last_node(b, second) == second;
        let others: Vec<Holder> = holders
            .get(&second)?
            .iter()
            .copied()
            .filter(|holder| match holder {
                Holder::Root => true,
                // Its own link to itself, or one of many nodes: it must not outlive its name.
                Holder::Block(id, offset) if *id == second => {
                    b.role != Role::Region
                        || offset.is_none_or(|offset| !keeps_name && links.has(offset))
                }
                Holder::Block(id, _) => !owned_by_second.contains(id),
            })
            .collect();
        if others.len() != 1 + back || !others.contains(&Holder::Block(first, Some(next))) {
            return None;
        }
        // And nothing but the link back what is last now, unless it is also the first.
        if previous.is_some() && last != first && holders.get(&last).map(Vec::len) != Some(1) {
            return None;
        }
        let is_held_by_variable = holders.get(&first).is_some_and(|holders| {
            holders.iter().any(|holder| match holder {
                Holder::Root => true,
                Holder::Block(id, _) => state.block(*id).kind != BlockKind::Heap,
            })
        });
        let is_cursor = is_held_by_variable && state.block(first).role == Role::Region;
        Some(Pair { first, second, links, owned, owned_by_second, is_cursor })
    }

    /// Nodes of one list are made at the same place, or at places that come again along the list.
    /// A node and the block that it owns may look the same, but are made at two places.
    fn are_of_one_list(
        &mut self,
        state: &State,
        (first, second): (BlockId, BlockId),
        links: Links,
    ) -> bool {
        let (a, b) = (state.block(first), state.block(second));
        if a.role != Role::Region || b.role != Role::Region || a.origin == b.origin {
            return true;
        }
        let origins = [a.origin, b.origin];
        let mut node = second;
        for _ in 0..LONGEST_LOOK {
            let Some(onward) = state.block(node).cells.get(&links.next) else { return false };
            let Some((next, _)) = self.pointer(onward.value) else { return false };
            if next == first || next == second || !state.blocks.contains_key(&next) {
                return false;
            }
            if origins.contains(&state.block(next).origin) && Context::is_node(state, next) {
                return true;
            }
            node = next;
        }
        false
    }

    /// What a single node owns; the nodes of a segment own theirs in their kinds.
    fn owned(
        &mut self,
        state: &State,
        holders: &Holders,
        node: BlockId,
        links: Links,
    ) -> BTreeSet<BlockId> {
        match state.block(node).role {
            Role::Region => self.payload(state, holders, node, &|offset| links.has(offset)),
            Role::Segment(_) | Role::Tree(_) | Role::LastOf(_) => BTreeSet::new(),
        }
    }

    /// How many links back the follower of a single doubly linked block has to it.
    fn back_links(&mut self, state: &State, block: BlockId, links: Links) -> usize {
        let (Some(previous), Some(onward)) =
            (links.previous, state.block(block).cells.get(&links.next))
        else {
            return 0;
        };
        let Some((follower, at)) = self.pointer(onward.value) else { return 0 };
        let Some(follower) = state.blocks.get(&follower) else { return 0 };
        // The link back is where the follower's own node has it, relative to where links point.
        let Some(at) = self.constant(at) else { return 0 };
        let offset = (at as u64).wrapping_add(previous).wrapping_sub(links.head);
        let Some(cell) = follower.cells.get(&offset) else { return 0 };
        let Some((target, _)) = self.pointer(cell.value) else { return 0 };
        usize::from(target == block)
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

    /// The kinds of both neighbours, if they are not too many.
    fn common_kinds(&mut self, state: &State, pair: &Pair) -> Option<Vec<Arc<Kind>>> {
        let mut kinds = self.kinds_of(state, pair.first, pair.links, &pair.owned);
        let others = self.kinds_of(state, pair.second, pair.links, &pair.owned_by_second);
        let found = Match::of_one_state();
        // Nodes of one list may look different, but then they are made at the same place: without
        // this a node would form a list with the first node of a list that it owns. A node at which
        // a program is at work often differs from those that follow because it was changed.
        let (a, b) = (state.block(pair.first), state.block(pair.second));
        let is_list = a.role != Role::Region;
        let same_origin = !a.origins().intersection(b.origins()).is_empty();
        let shapes = (is_list || same_origin) && !pair.is_cursor;
        let manner = Manner { depth: 0, eager: false, shapes };
        for kind in others {
            if !self.add_kind((state, state), &found, &mut kinds, &kind, manner) {
                return None;
            }
        }
        Some(kinds)
    }

    /// The kinds of a segment's nodes, or the kind of a single one.
    fn kinds_of(
        &mut self,
        state: &State,
        node: BlockId,
        links: Links,
        owned: &BTreeSet<BlockId>,
    ) -> Vec<Arc<Kind>> {
        match &state.block(node).role {
            Role::Segment(segment) => segment.kinds.clone(),
            Role::Tree(tree) => tree.kinds.clone(),
            Role::Region | Role::LastOf(_) => {
                vec![self.kind_of(state, node, links, (owned, Own::BlocksAndNumbers))]
            }
        }
    }

    /// The kind of a single node, with what it has for itself.
    pub(crate) fn kind_of(
        &mut self,
        state: &State,
        node: BlockId,
        links: Links,
        (owned, own): (&BTreeSet<BlockId>, Own),
    ) -> Arc<Kind> {
        let block = state.block(node);
        let mut root = block.as_ref().clone();
        root.cells = root
            .cells
            .iter()
            .filter(|(offset, _)| !links.has(**offset))
            .map(|(&offset, &cell)| (offset, cell))
            .collect();
        let mut blocks = vec![(node, Arc::new(root))];
        blocks.extend(owned.iter().map(|&id| (id, Arc::clone(state.block(id)))));
        let outer = self.names_outside(state, &|id| {
            own == Own::BlocksAndNumbers && (id == node || owned.contains(&id))
        });
        let condition = state.condition.iter().copied().collect();
        let fragment = Fragment { blocks, condition };
        Arc::new(self.close(&fragment, &outer.into_iter().collect()))
    }

    fn merge(&mut self, state: &mut State, pair: &Pair, kinds: Vec<Arc<Kind>>) {
        let Pair { first, second, links, .. } = *pair;
        let a = Arc::clone(state.block(first));
        let b = Arc::clone(state.block(second));
        let mut chain = a.as_ref().clone();
        // The last node's link on is the segment's, and the first one's link back.
        chain.cells = OrdMap::unit(links.next, b.cells[&links.next]);
        if let Some(previous) = links.previous {
            chain.cells.insert(previous, a.cells[&previous]);
        }
        let last = last_node(&b, second);
        let old_last = last_node(&a, first);
        let minimum = (length(&a) + length(&b)).min(LONGEST_MINIMUM);
        let previous = links.previous.map(|offset| (offset, last));
        let origins = a.origins().union(b.origins());
        let Links { next, head, .. } = links;
        chain.role = Role::Segment(Segment { next, previous, head, minimum, kinds, origins });
        let mut stand_in = b.as_ref().clone();
        state.blocks.remove(&second);
        if old_last != first {
            state.blocks.remove(&old_last);
        }
        for id in pair.owned.iter().chain(&pair.owned_by_second) {
            state.blocks.remove(id);
        }
        if links.previous.is_some() {
            stand_in.role = Role::LastOf(first);
            stand_in.cells.clear();
            state.blocks.insert(last, Arc::new(stand_in));
        }
        state.blocks.insert(first, Arc::new(chain));
    }
}

/// The block that stands for the last node of what starts with `first`.
fn last_node(block: &Block, first: BlockId) -> BlockId {
    match &block.role {
        Role::Segment(Segment { previous: Some((_, last)), .. }) => *last,
        Role::Segment(_) | Role::Tree(_) | Role::Region | Role::LastOf(_) => first,
    }
}

fn length(block: &Block) -> u32 {
    match &block.role {
        Role::Segment(segment) => segment.minimum,
        Role::Tree(_) | Role::Region | Role::LastOf(_) => 1,
    }
}

/// Whether a segment is linked in this way; a single block is linked in any.
fn links_agree(block: &Block, links: Links) -> bool {
    match &block.role {
        Role::Segment(segment) => segment.links() == links,
        Role::Tree(_) => false,
        Role::Region | Role::LastOf(_) => true,
    }
}
