//! What a state stands for: whether an exact heap is one of its models.
//!
//! Both are walked together from the variables on. Each block of the state is bound to one of the
//! heap; a segment is tried with every number of nodes and every kind for each; what nothing leads to
//! is tried with all that is left. In the end every
//! block of the state is bound, every live block of the heap is taken once, and the conditions hold.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use heapwright_base::DenseId;
use heapwright_logic::TermId;

use crate::context::Context;
use crate::state::{Block, BlockId, BlockKind, Kind, Life, Rest, Role, Segment, State};

/// Whether an exact heap is a model of a state.
pub(super) fn is_model(context: &mut Context<'_>, state: &State, heap: &State) -> bool {
    let mut walk = Walk {
        state: state.clone(),
        heap,
        bound: BTreeMap::new(),
        taken: BTreeSet::new(),
        numbers: BTreeMap::new(),
        blocks: Vec::new(),
        segments: Vec::new(),
        wanted: Vec::new(),
    };
    let globals = state.globals.iter().zip(heap.globals.iter());
    let agrees = globals.into_iter().all(|(value, exact)| match (value, exact) {
        (Some(value), Some(exact)) => walk.value(context, *value, *exact),
        (None, _) => true,
        (Some(_), None) => false,
    });
    agrees && walk.solve(context)
}

#[derive(Clone)]
struct Walk<'h> {
    /// Grows by the blocks of kinds that are opened.
    state: State,
    heap: &'h State,
    /// Block of the state to block of the heap.
    bound: BTreeMap<BlockId, BlockId>,
    taken: BTreeSet<BlockId>,
    numbers: BTreeMap<TermId, TermId>,
    /// Single blocks that are bound and not yet compared.
    blocks: Vec<BlockId>,
    segments: Vec<BlockId>,
    /// Terms and their values, to be compared when all numbers are known.
    wanted: Vec<(TermId, TermId)>,
}

impl Walk<'_> {
    /// Whether a value of the state can be this exact one.
    fn value(&mut self, context: &mut Context<'_>, value: TermId, exact: TermId) -> bool {
        match (context.pointer(value), context.pointer(exact)) {
            (Some((block, offset)), Some((target, exact_offset))) => {
                self.wanted.push((offset, exact_offset));
                self.bind(block, target)
            }
            (None, None) => {
                if context.terms.as_variable(value).is_none() {
                    self.wanted.push((value, exact));
                    return true;
                }
                *self.numbers.entry(value).or_insert(exact) == exact
            }
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    fn bind(&mut self, block: BlockId, target: BlockId) -> bool {
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
        match of_state.role {
            Role::Region => {
                if !self.taken.insert(target) {
                    return false;
                }
                self.blocks.push(block);
            }
            Role::Segment(_) => self.segments.push(block),
            // The walk along its segment will meet it.
            Role::LastOf(_) => {}
        }
        self.bound.insert(block, target);
        true
    }

    /// Whether the walk can be finished.
    fn solve(mut self, context: &mut Context<'_>) -> bool {
        while let Some(id) = self.blocks.pop() {
            let block = Arc::clone(self.state.block(id));
            if !self.block(context, &block, self.bound[&id], &|_| false) {
                return false;
            }
        }
        if let Some(id) = self.segments.pop() {
            let block = Arc::clone(self.state.block(id));
            let Role::Segment(segment) = &block.role else { unreachable!("a segment") };
            let first = self.bound[&id];
            return self.nodes(context, (&block, segment), first, None, 1);
        }
        let is_heap = |block: &Block| block.kind == BlockKind::Heap;
        let unbound = self
            .state
            .blocks
            .iter()
            .filter(|(id, block)| is_heap(block) && !self.bound.contains_key(id))
            .map(|(id, block)| (*id, matches!(block.role, Role::LastOf(_))))
            .min_by_key(|&(id, is_last)| (is_last, id));
        if let Some((block, is_last)) = unbound {
            return !is_last && self.binds_garbage(context, block);
        }
        let all_taken = self
            .heap
            .blocks
            .iter()
            .filter(|(_, block)| is_heap(block) && block.life == Life::Alive)
            .all(|(id, _)| self.taken.contains(id));
        all_taken && self.conditions_hold(context)
    }

    /// Whether the walk can be finished with a block that nothing leads to. It may be any that is
    /// left; most often it has kept its name.
    fn binds_garbage(&self, context: &mut Context<'_>, block: BlockId) -> bool {
        let mut left: Vec<BlockId> =
            self.heap.blocks.keys().copied().filter(|id| !self.taken.contains(id)).collect();
        left.sort_by_key(|&id| id != block);
        left.into_iter().any(|target| {
            let mut walk = self.clone();
            self.heap.block(target).kind == BlockKind::Heap
                && walk.bind(block, target)
                && walk.solve(context)
        })
    }

    fn conditions_hold(&self, context: &mut Context<'_>) -> bool {
        let wanted = self
            .wanted
            .iter()
            .all(|&(term, exact)| context.terms.substitute(term, &self.numbers) == exact);
        // A condition that still has variables is about numbers that the heap does not have.
        wanted
            && self
                .state
                .condition
                .iter()
                .all(|&conjunct| context.terms.substitute(conjunct, &self.numbers) != TermId::FALSE)
    }

    /// Whether a block fits an exact one, but for its links.
    fn block(
        &mut self,
        context: &mut Context<'_>,
        block: &Block,
        target: BlockId,
        is_link: &dyn Fn(u64) -> bool,
    ) -> bool {
        let exact = Arc::clone(self.heap.block(target));
        if block.life != exact.life || block.rest != exact.rest || block.size != exact.size {
            return false;
        }
        for (offset, cell) in block.cells.iter().filter(|(offset, _)| !is_link(**offset)) {
            let Some(other) = exact.cells.get(offset).filter(|other| other.size == cell.size)
            else {
                return false;
            };
            if !self.value(context, cell.value, other.value) {
                return false;
            }
        }
        // Bytes of which nothing is said are any number, but they are no pointer.
        exact.cells.iter().all(|(offset, cell)| {
            is_link(*offset)
                || block.cells.contains_key(offset)
                || (block.rest == Rest::Uninitialised && context.pointer(cell.value).is_none())
        })
    }

    /// Whether the nodes of a segment from the `count`th on are this exact block and those that it
    /// is linked to.
    fn nodes(
        &self,
        context: &mut Context<'_>,
        (block, segment): (&Block, &Segment),
        node: BlockId,
        before: Option<BlockId>,
        count: u32,
    ) -> bool {
        let exact = Arc::clone(self.heap.block(node));
        let Some(next) = exact.cells.get(&segment.next).copied() else { return false };
        segment.kinds.iter().any(|kind| {
            let mut walk = self.clone();
            if !walk.node(context, segment, kind, node) {
                return false;
            }
            if let Some((offset, _)) = segment.previous {
                let Some(back) = exact.cells.get(&offset).copied() else { return false };
                let fits = match before {
                    None => walk.value(context, block.cells[&offset].value, back.value),
                    Some(before) => is_link_to(context, back.value, before, segment.head),
                };
                if !fits {
                    return false;
                }
            }
            if count >= segment.minimum && walk.ends(context, (block, segment), node, next.value) {
                return true;
            }
            let Some((onward, _)) = context.pointer(next.value) else { return false };
            self.heap.blocks.get(&onward).is_some_and(|block| block.kind == BlockKind::Heap)
                && is_link_to(context, next.value, onward, segment.head)
                && count as usize <= self.heap.blocks.len()
                && walk.nodes(context, (block, segment), onward, Some(node), count + 1)
        })
    }

    /// Whether the walk can be finished if this is the last node.
    fn ends(
        &self,
        context: &mut Context<'_>,
        (block, segment): (&Block, &Segment),
        node: BlockId,
        next: TermId,
    ) -> bool {
        let mut walk = self.clone();
        if let Some((_, last)) = segment.previous
            && *walk.bound.entry(last).or_insert(node) != node
        {
            return false;
        }
        walk.value(context, block.cells[&segment.next].value, next) && walk.solve(context)
    }

    /// Whether one node is of this kind.
    fn node(
        &mut self,
        context: &mut Context<'_>,
        segment: &Segment,
        kind: &Kind,
        node: BlockId,
    ) -> bool {
        if !self.taken.insert(node) || self.heap.block(node).life != Life::Alive {
            return false;
        }
        let root = BlockId::from_index(self.state.next_block as usize);
        self.state.next_block += 1;
        let fragment = context.open_in(&mut self.state, kind, root);
        self.state.condition.extend(fragment.condition);
        let mut blocks = fragment.blocks.into_iter();
        let (_, root_block) = blocks.next().expect("a kind has a node");
        self.state.blocks.extend(blocks);
        self.state.blocks.insert(root, Arc::clone(&root_block));
        self.bound.insert(root, node);
        let links = segment.links();
        self.block(context, &root_block, node, &|offset| links.has(offset))
    }
}

fn is_link_to(context: &mut Context<'_>, value: TermId, target: BlockId, head: u64) -> bool {
    let Some((block, offset)) = context.pointer(value) else { return false };
    block == target && context.constant(offset) == Some(u128::from(head))
}
