//! Lending: where one of two states has a list or a tree and the other null, the other gets it as an empty one.
//!
//! Both states then have lists in the same places and can be joined, so that lists which may be empty
//! are no different shapes. A list is lent if it ends in null and speaks of nothing outside of it, a tree if it has no hole. A
//! single node is taken for a list of one, if there is a list whose nodes are like it.

use std::sync::Arc;

use heapwright_logic::{Sort, TermId};

use crate::heap::block::{Block, BlockId, BlockKind, Life, Prototype};
use crate::heap::contents::Contents;
use crate::heap::names::Names;
use crate::heap::segment::{Ends, Segment};
use crate::heap::state::State;
use crate::heap::tree::Tree;
use crate::summary::list::links::{Links, offsets_in_prototypes};
use crate::summary::matched::{Sides, put};
use crate::summary::mismatch::Position;
use crate::summary::prototypes::{Own, prototype_of};

/// Which of two states lends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lender {
    Known,
    New,
}

/// A list of one state, and where the other has null.
#[derive(Clone, Copy, Debug)]
struct Loan {
    lender: Lender,
    list: BlockId,
    /// By the names of the state that borrows.
    position: Position,
}

/// Both states with the lists of the other, or nothing if neither has one that the other lacks.
pub(crate) fn lend(names: &mut Names<'_>, (known, new): Sides<'_>) -> Option<(State, State)> {
    let loans = find_loans(names, (known, new));
    if loans.is_empty() {
        return None;
    }
    let (mut known, mut new) = (known.clone(), new.clone());
    let mut borrowed: Vec<((Lender, BlockId), BlockId)> = Vec::new();
    for Loan { lender, list, position } in loans {
        let (from, to) = match lender {
            Lender::Known => (&mut known, &mut new),
            Lender::New => (&mut new, &mut known),
        };
        let before = borrowed.iter().find(|(of, _)| *of == (lender, list));
        let id = match before {
            Some(&(_, id)) => id,
            None => {
                let empty = empty_like(names, from, to, list)?;
                let id = to.new_block_id();
                to.blocks.insert(id, Arc::new(empty));
                borrowed.push(((lender, list), id));
                id
            }
        };
        let name = names.address(id);
        put(to, position, name);
    }
    known.model = None;
    new.model = None;
    Some((known, new))
}

/// Whether one of two states has null where the other has a block of the heap.
pub(crate) fn lacks_lists(names: &mut Names<'_>, sides: Sides<'_>) -> bool {
    !find_loans(names, sides).is_empty()
}

/// Walks through what both states have, from the variables on.
fn find_loans(names: &mut Names<'_>, (known, new): Sides<'_>) -> Vec<Loan> {
    let mut walk = Walk { sides: (known, new), pairs: Vec::new(), loans: Vec::new() };
    let globals = known.globals.iter().zip(new.globals.iter()).enumerate();
    for (slot, (a, b)) in globals {
        walk.slot(names, (*a, *b), Position::Global(slot));
    }
    for (frame, (a, b)) in known.frames.iter().zip(new.frames.iter()).enumerate() {
        for (slot, (a, b)) in a.registers.iter().zip(b.registers.iter()).enumerate() {
            walk.slot(names, (*a, *b), Position::Register(frame, slot));
        }
        let objects = a.objects.values().zip(b.objects.values());
        walk.pairs.extend(objects.map(|(&a, &b)| (a, b)));
    }
    let statics = known.static_blocks.iter().zip(new.static_blocks.iter());
    walk.pairs.extend(statics.filter_map(|(a, b)| Some(((*a)?, (*b)?))));
    if let (Some(a), Some(b)) = (&known.outside, &new.outside) {
        walk.slot(names, (a.result, b.result), Position::Result);
    }
    let mut next = 0;
    while let Some(&pair) = walk.pairs.get(next) {
        next += 1;
        walk.blocks(names, pair);
    }
    walk.loans
}

struct Walk<'s> {
    sides: Sides<'s>,
    pairs: Vec<(BlockId, BlockId)>,
    loans: Vec<Loan>,
}

impl Walk<'_> {
    fn slot(
        &mut self,
        names: &mut Names<'_>,
        values: (Option<TermId>, Option<TermId>),
        position: Position,
    ) {
        if let (Some(a), Some(b)) = values {
            self.values(names, (a, b), (position, position));
        }
    }

    /// The cells of two single blocks.
    fn blocks(&mut self, names: &mut Names<'_>, (a, b): (BlockId, BlockId)) {
        let (known, new) = self.sides;
        let (Some(x), Some(y)) = (known.blocks.get(&a), new.blocks.get(&b)) else { return };
        if !x.is_single() || !y.is_single() {
            return;
        }
        let size = names.model().pointer_size();
        let mut offsets: Vec<u64> = x.cells.keys().chain(y.cells.keys()).copied().collect();
        offsets.sort_unstable();
        offsets.dedup();
        for offset in offsets {
            let value = |names: &mut Names<'_>, block: &Block| match block.cells.get(&offset) {
                Some(cell) => (cell.size == size).then_some(cell.value),
                None => names.default_value(block, offset, size),
            };
            let (Some(v), Some(w)) = (value(names, x), value(names, y)) else { continue };
            let at = |block| Position::Cell { block, offset, size };
            self.values(names, (v, w), (at(a), at(b)));
        }
    }

    fn values(
        &mut self,
        names: &mut Names<'_>,
        (a, b): (TermId, TermId),
        (in_known, in_new): (Position, Position),
    ) {
        let bits = Sort::BitVector(names.pointer_bits());
        if names.terms.sort(a) != bits || names.terms.sort(b) != bits {
            return;
        }
        let loan = match (names.pointer(a), names.pointer(b)) {
            (Some((x, _)), Some((y, _))) => {
                let is_met = self.pairs.iter().any(|&(known, new)| known == x || new == y);
                if !is_met {
                    self.pairs.push((x, y));
                }
                return;
            }
            (Some((list, offset)), None) if is_start_and_null(names, offset, b) => {
                Loan { lender: Lender::Known, list, position: in_new }
            }
            (None, Some((list, offset))) if is_start_and_null(names, offset, a) => {
                Loan { lender: Lender::New, list, position: in_known }
            }
            _ => return,
        };
        self.loans.push(loan);
    }
}

fn is_start_and_null(names: &Names<'_>, offset: TermId, value: TermId) -> bool {
    names.constant(offset) == Some(0) && names.constant(value) == Some(0)
}

/// An empty list of nodes like those of a list, which is a single node perhaps; then it becomes a list of one.
fn empty_like(
    names: &mut Names<'_>,
    lender: &mut State,
    borrower: &State,
    list: BlockId,
) -> Option<Block> {
    let block = Arc::clone(lender.blocks.get(&list)?);
    let is_live_heap = block.kind == BlockKind::Heap && block.life == Life::Alive;
    if !is_live_heap || names.constant(block.size).is_none() {
        return None;
    }
    if let Some(tree) = block.tree() {
        let mut empty = block.as_ref().clone();
        empty.role = Tree { may_be_empty: true, ..tree.clone() }.into();
        return (tree.can_be_empty() && !speak_of_others(names, &tree.prototypes)).then_some(empty);
    }
    if block.is_single() {
        make_list(names, lender, borrower, list)?;
    }
    let block = lender.block(list);
    let segment = block.segment()?;
    let is_plain = segment.last.is_none()
        && segment.head == 0
        && names.constant(segment.ends.next) == Some(0)
        && !speak_of_others(names, &segment.prototypes);
    if !is_plain {
        return None;
    }
    let mut empty = block.as_ref().clone();
    let none = names.terms.bit_vector(0, names.pointer_bits());
    let length = segment.length.map(|_| none);
    empty.role =
        Segment { minimum: 0, order: None, length, spellings: Vec::new(), ..segment.clone() }
            .into();
    // What an empty list cannot have is given up.
    if segment.order.is_some() || !segment.spellings.is_empty() {
        let segment = Segment { order: None, spellings: Vec::new(), ..segment.clone() };
        lender.block_mut(list).role = segment.into();
    }
    Some(empty)
}

/// Whether nodes speak of what is around them.
fn speak_of_others(names: &Names<'_>, prototypes: &[Arc<Prototype>]) -> bool {
    prototypes.iter().any(|prototype| !names.outer_names(prototype).is_empty())
}

/// Takes a single node for a list of one, as there are others of its size in either state.
fn make_list(names: &mut Names<'_>, state: &mut State, other: &State, node: BlockId) -> Option<()> {
    let size = state.block(node).size;
    let (next, has_length) = [&*state, other].into_iter().find_map(|state| {
        let mut lists = state.blocks.values().filter(|block| block.size == size);
        lists.find_map(|block| {
            let segment = block.segment().filter(|segment| segment.last.is_none())?;
            let offsets = offsets_in_prototypes(names, &segment.prototypes, |its| its.next);
            (segment.head == 0 && offsets.len() == 1)
                .then(|| (offsets[0], segment.length.is_some()))
        })
    })?;
    let links = Links { next, previous: None, head: 0 };
    let end = state.block(node).cells.get(&next)?.value;
    if names.constant(end) != Some(0) {
        return None;
    }
    let referrers = names.referrers(state);
    let owned = names.payload(state, &referrers, node, &|offset| links.has(offset));
    let own = (&owned, Own::BlocksAndNumbers);
    let prototype = prototype_of(names, state, (node, node), links, own, &|_| false);
    let ends = Ends { next: end, previous: None };
    let origins = state.block(node).origins();
    let mut segment = Segment::new(ends, None, 0, vec![prototype], origins);
    segment.length = has_length.then(|| names.terms.bit_vector(1, names.pointer_bits()));
    for id in &owned {
        state.blocks.remove(id);
    }
    let block = state.block_mut(node);
    block.cells.clear();
    block.zero = None;
    block.contents = Contents::default();
    block.role = segment.into();
    Some(())
}
