//! What a state stands for: whether an exact heap is one of its models.
//!
//! Both are walked together from the variables on. Each block of the state is bound to one of the
//! heap; a segment is tried with every number of nodes and every prototype for each; what nothing leads to
//! is tried with all that is left. In the end every
//! block of the state is bound, every live block of the heap is taken once, and the conditions hold.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use heapwright_base::DenseId;
use heapwright_logic::TermId;

use crate::analysis::search::Search;
use crate::heap::block::{Block, BlockId, BlockKind, DefaultBytes, End, Life, Prototype};
use crate::heap::language::PrototypeSet;
use crate::heap::order::{Direction, Order, Place, Signedness, Strictness};
use crate::heap::prototype::Neighbours;
use crate::heap::segment::Segment;
use crate::heap::state::State;
use crate::reasoning::path_condition::Possible;
use crate::summary::list::composite::path_to_link;
use crate::testing::meaning::spelling::{SpeltNodes, numbers_said};

/// Whether an exact heap is a model of a state.
pub(super) fn is_model(search: &mut Search<'_>, state: &State, heap: &State) -> bool {
    let mut walk = Walk {
        state: state.clone(),
        heap,
        bound: BTreeMap::new(),
        taken: BTreeSet::new(),
        numbers: BTreeMap::new(),
        blocks: Vec::new(),
        segments: Vec::new(),
        wanted: Vec::new(),
        chain: Vec::new(),
        spelt: Vec::new(),
        around: BTreeMap::new(),
        parents: BTreeMap::new(),
        roots: BTreeMap::new(),
    };
    let globals = state.globals.iter().zip(heap.globals.iter());
    let agrees = globals.into_iter().all(|(value, exact)| match (value, exact) {
        (Some(value), Some(exact)) => walk.value(search, *value, *exact),
        (None, _) => true,
        (Some(_), None) => false,
    });
    agrees && walk.solve(search)
}

#[derive(Clone)]
pub(super) struct Walk<'h> {
    /// Grows by the blocks of prototypes that are opened.
    pub(super) state: State,
    pub(super) heap: &'h State,
    /// Block of the state to block of the heap.
    pub(super) bound: BTreeMap<BlockId, BlockId>,
    taken: BTreeSet<BlockId>,
    numbers: BTreeMap<TermId, TermId>,
    /// Single blocks that are bound and not yet compared.
    blocks: Vec<BlockId>,
    /// Segments and trees.
    segments: Vec<BlockId>,
    /// Terms and their values, to be compared when all numbers are known.
    wanted: Vec<(TermId, TermId)>,
    /// The nodes of the segment that is walked along, up to the one at which the walk is.
    chain: Vec<BlockId>,
    /// How segments are spelt, with the numbers of their nodes.
    spelt: Vec<SpeltNodes<TermId>>,
    /// The nodes of the heap that come right before and right behind all of a tree that is part of another.
    pub(super) around: BTreeMap<BlockId, [Option<BlockId>; 2]>,
    /// The nodes of the heap that trees which are part of others hang at.
    pub(super) parents: BTreeMap<BlockId, BlockId>,
    /// The roots of the trees that these are part of.
    pub(super) roots: BTreeMap<BlockId, BlockId>,
}

impl Walk<'_> {
    /// Whether a value of the state can be this exact one.
    pub(super) fn value(&mut self, search: &mut Search<'_>, value: TermId, exact: TermId) -> bool {
        match (search.reasoner.names.pointer(value), search.reasoner.names.pointer(exact)) {
            (Some((block, offset)), Some((target, exact_offset))) => {
                self.wanted.push((offset, exact_offset));
                self.bind(block, target)
            }
            (None, None) => {
                if search.reasoner.names.terms.as_variable(value).is_none() {
                    self.wanted.push((value, exact));
                    return true;
                }
                *self.numbers.entry(value).or_insert(exact) == exact
            }
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    pub(super) fn bind(&mut self, block: BlockId, target: BlockId) -> bool {
        if let Some(&known) = self.bound.get(&block) {
            return known == target;
        }
        let (Some(of_state), Some(of_heap)) =
            (self.state.blocks.get(&block), self.heap.blocks.get(&target))
        else {
            // A block that is in neither is the same dangling one.
            return block == target
                && !self.state.blocks.contains_key(&block)
                && !self.heap.blocks.contains_key(&target);
        };
        if of_state.kind != BlockKind::Heap || of_heap.kind != BlockKind::Heap {
            return block == target;
        }
        // A peer will be met by the walk along its segment.
        if of_state.is_single() {
            if !self.taken.insert(target) {
                return false;
            }
            self.blocks.push(block);
        } else if of_state.is_summary() {
            self.segments.push(block);
        }
        self.bound.insert(block, target);
        true
    }

    /// Whether the walk can be finished.
    pub(super) fn solve(mut self, search: &mut Search<'_>) -> bool {
        while let Some(id) = self.blocks.pop() {
            let block = Arc::clone(self.state.block(id));
            if !self.block(search, &block, self.bound[&id]) {
                return false;
            }
        }
        if let Some(id) = self.segments.pop() {
            let block = Arc::clone(self.state.block(id));
            let first = self.bound[&id];
            if let Some(tree) = block.tree() {
                return self.tree(search, (id, &block, tree), first);
            }
            self.chain.clear();
            let segment = block.segment().expect("a segment or a tree");
            let previous = segment.neighbours().previous;
            let allowed = segment.words().firsts;
            return self.has_number(search, segment, End::First, first)
                && self.nodes(search, segment, (first, allowed), previous, 1);
        }
        let is_heap = |block: &Block| block.kind == BlockKind::Heap;
        let unbound = self
            .state
            .blocks
            .iter()
            .filter(|(id, block)| is_heap(block) && !self.bound.contains_key(id))
            .map(|(id, block)| (*id, block.is_peer()))
            .min_by_key(|&(id, is_last)| (is_last, id));
        if let Some((block, is_last)) = unbound {
            return !is_last && self.binds_garbage(search, block);
        }
        let all_taken = self
            .heap
            .blocks
            .iter()
            .filter(|(_, block)| is_heap(block) && block.life == Life::Alive)
            .all(|(id, _)| self.taken.contains(id));
        all_taken && self.obeys_spellings(search) && self.conditions_hold(search)
    }

    /// Whether the walk can be finished with a block that nothing leads to. It may be any that is
    /// left; most often it has kept its name.
    fn binds_garbage(&self, search: &mut Search<'_>, block: BlockId) -> bool {
        let mut left: Vec<BlockId> =
            self.heap.blocks.keys().copied().filter(|id| !self.taken.contains(id)).collect();
        left.sort_by_key(|&id| id != block);
        left.into_iter().any(|target| {
            let mut walk = self.clone();
            self.heap.block(target).kind == BlockKind::Heap
                && walk.bind(block, target)
                && walk.solve(search)
        })
    }

    fn conditions_hold(&self, search: &mut Search<'_>) -> bool {
        let terms = &mut search.reasoner.names.terms;
        let mut open = Vec::new();
        for &(term, exact) in &self.wanted {
            let term = terms.substitute(term, &self.numbers);
            if term != exact && terms.free_variables(&[term]).is_empty() {
                return false;
            }
            if term != exact {
                open.push(terms.equal(term, exact));
            }
        }
        // A condition that still has variables is about numbers that the heap does not have.
        let conditions: Vec<TermId> =
            self.state.condition.iter().map(|&one| terms.substitute(one, &self.numbers)).collect();
        if open.is_empty() || conditions.contains(&TermId::FALSE) {
            return !conditions.contains(&TermId::FALSE);
        }
        // Unless it is about what is still wanted: the parts of a measure, say.
        let mut state = self.state.clone();
        state.condition = conditions.into_iter().chain(open).collect();
        state.model = None;
        matches!(search.reasoner.possible(&state, TermId::TRUE), Possible::Yes(_))
    }

    /// Whether a block fits an exact one.
    fn block(&mut self, search: &mut Search<'_>, block: &Block, target: BlockId) -> bool {
        let exact = Arc::clone(self.heap.block(target));
        if block.life != exact.life
            || block.rest != exact.rest
            || !self.value(search, block.size, exact.size)
        {
            return false;
        }
        for (offset, cell) in &block.cells {
            let Some(other) = exact.cells.get(offset).filter(|other| other.size == cell.size)
            else {
                return false;
            };
            if !self.value(search, cell.value, other.value) {
                return false;
            }
        }
        // Bytes of which nothing is said are any number, but they are no pointer.
        exact.cells.iter().all(|(offset, cell)| {
            block.cells.contains_key(offset)
                || (block.rest == DefaultBytes::Uninitialised
                    && search.reasoner.names.pointer(cell.value).is_none())
        })
    }

    /// Whether the nodes of a segment from the `count`th on are this exact block and those that it
    /// is linked to; the first of them is of one of some prototypes. `previous`: what the node has as
    /// its predecessor.
    fn nodes(
        &self,
        search: &mut Search<'_>,
        segment: &Segment,
        (node, allowed): (BlockId, PrototypeSet),
        previous: TermId,
        count: u32,
    ) -> bool {
        let words = segment.words();
        segment.prototypes.iter().enumerate().any(|(number, prototype)| {
            if !allowed.has(number) {
                return false;
            }
            if count >= segment.minimum
                && words.lasts.has(number)
                && self.ends(search, (segment, count), prototype, node, previous)
            {
                return true;
            }
            let stand_in = search.reasoner.names.closed_neighbours(prototype.height).next;
            let exact = self.heap.block(node);
            let next = match prototype.offsets_of(stand_in).next() {
                Some(offset) => exact.cells.get(&offset).copied(),
                // The link is in another block of the element.
                None => {
                    path_to_link(&mut search.reasoner.names, prototype).and_then(|(way, offset)| {
                        let (follower, _) =
                            search.reasoner.names.pointer(exact.cells.get(&way)?.value)?;
                        self.heap.blocks.get(&follower)?.cells.get(&offset).copied()
                    })
                }
            };
            let Some(next) = next else { return false };
            let Some((onward, _)) = search.reasoner.names.pointer(next.value) else { return false };
            let is_heap = |block: &Arc<Block>| block.kind == BlockKind::Heap;
            if !self.heap.blocks.get(&onward).is_some_and(is_heap)
                || count as usize > self.heap.blocks.len()
            {
                return false;
            }
            if !self.are_sorted(search, segment.order.map(|sorted| sorted.order), (node, onward)) {
                return false;
            }
            let mut walk = self.clone();
            walk.chain.push(node);
            let (root, follower) = (walk.new_name(), walk.new_name());
            walk.bound.insert(follower, onward);
            let next = search.reasoner.names.link(follower, segment.head);
            let back = search.reasoner.names.link(root, segment.back);
            walk.node(search, prototype, (root, node), Neighbours { next, previous })
                && walk.nodes(search, segment, (onward, words.follows[number]), back, count + 1)
        })
    }

    /// Whether the walk can be finished if this is the last node.
    fn ends(
        &self,
        search: &mut Search<'_>,
        (segment, count): (&Segment, u32),
        prototype: &Prototype,
        node: BlockId,
        previous: TermId,
    ) -> bool {
        let mut walk = self.clone();
        if !walk.has_length(search, segment, count)
            || !walk.has_number(search, segment, End::Last, node)
        {
            return false;
        }
        if let Some(last) = segment.last
            && *walk.bound.entry(last).or_insert(node) != node
        {
            return false;
        }
        walk.chain.push(node);
        for spelling in &segment.spellings {
            let number = |&node| walk.number(spelling.place, node);
            let numbers = walk.chain.iter().map(number).collect();
            walk.spelt.push((spelling.clone(), numbers));
        }
        let root = walk.new_name();
        let next = segment.ends.next;
        walk.node(search, prototype, (root, node), Neighbours { next, previous })
            && walk.solve(search)
    }

    /// Whether the numbers of nodes are those that segments are spelt with.
    fn obeys_spellings(&mut self, search: &mut Search<'_>) -> bool {
        let said = numbers_said(std::mem::take(&mut self.spelt));
        said.is_ok_and(|said| said.iter().all(|&(term, number)| self.value(search, term, number)))
    }

    /// Whether a segment may have so many nodes.
    fn has_length(&mut self, search: &mut Search<'_>, segment: &Segment, count: u32) -> bool {
        let Some(length) = segment.length else { return true };
        let bits = search.reasoner.names.pointer_bits();
        let count = search.reasoner.names.terms.bit_vector(u128::from(count), bits);
        self.value(search, length, count)
    }

    /// Whether a node has what a sorted segment says of its first or its last one.
    fn has_number(
        &mut self,
        search: &mut Search<'_>,
        segment: &Segment,
        end: End,
        node: BlockId,
    ) -> bool {
        let Some(sorted) = segment.order else { return true };
        let number = if end == End::First { sorted.first } else { sorted.last };
        // Bytes that were never written may be that number.
        let exact = self.number(sorted.order.place(), node);
        exact.is_none_or(|exact| self.value(search, number, exact))
    }

    /// Whether two neighbours are in order.
    pub(super) fn are_sorted(
        &self,
        search: &mut Search<'_>,
        order: Option<Order>,
        (one, next): (BlockId, BlockId),
    ) -> bool {
        let Some(order) = order else { return true };
        let (Some(one), Some(next)) =
            (self.number(order.place(), one), self.number(order.place(), next))
        else {
            return true;
        };
        let (low, high) = match order.direction {
            Direction::Up => (one, next),
            Direction::Down => (next, one),
        };
        let terms = &mut search.reasoner.names.terms;
        let holds = match (order.signedness, order.strictness) {
            (Signedness::Signed, Strictness::Strict) => terms.signed_less(low, high),
            (Signedness::Signed, Strictness::Loose) => terms.signed_less_equal(low, high),
            (Signedness::Unsigned, Strictness::Strict) => terms.unsigned_less(low, high),
            (Signedness::Unsigned, Strictness::Loose) => terms.unsigned_less_equal(low, high),
        };
        search.reasoner.names.truth(holds) == Some(true)
    }

    pub(super) fn number(&self, place: Place, node: BlockId) -> Option<TermId> {
        let cell = self.heap.block(node).cells.get(&place.offset)?;
        (cell.size == place.size).then_some(cell.value)
    }

    pub(super) fn new_name(&mut self) -> BlockId {
        let name = BlockId::from_index(self.state.next_block as usize);
        self.state.next_block += 1;
        name
    }

    /// Whether one node is of this prototype.
    pub(super) fn node(
        &mut self,
        search: &mut Search<'_>,
        prototype: &Prototype,
        (root, node): (BlockId, BlockId),
        neighbours: Neighbours,
    ) -> bool {
        if !self.taken.insert(node) || self.heap.block(node).life != Life::Alive {
            return false;
        }
        let fragment = search.reasoner.names.open_in(&mut self.state, prototype, root, neighbours);
        self.state.condition.extend(fragment.condition);
        let mut blocks = fragment.blocks.into_iter();
        let (_, root_block) = blocks.next().expect("a prototype has a node");
        self.state.blocks.extend(blocks);
        self.state.blocks.insert(root, Arc::clone(&root_block));
        self.bound.insert(root, node);
        self.block(search, &root_block, node)
    }
}
