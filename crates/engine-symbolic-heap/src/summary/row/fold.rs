//! Folding: a slot that owns what it leads to becomes a row, and rows side by side become one.
//!
//! Where nobody tells any more where a row begins or ends, zeros beside it become elements of it: null pointers.

use std::sync::Arc;

use heapwright_logic::TermId;
use rustc_hash::FxHashSet;

use crate::heap::block::{Block, BlockId, BlockKind, Cell, End, Field};
use crate::heap::contents::Extent;
use crate::heap::incoming::Referrers;
use crate::heap::names::Names;
use crate::heap::row::{Row, Slot, array_of, elements_block};
use crate::heap::state::State;
use crate::reasoning::places::{is_multiple, prove};
use crate::summary::domain::Domain;
use crate::summary::fold::{Candidate, Key, Refused};
use crate::summary::matched::{Manner, Match};
use crate::summary::mismatch::Side;
use crate::summary::refusal::Refusal;
use crate::summary::row::slots::{is_at_work, is_told, row_of_slot, whole_value};

/// What can become a row, or a longer one.
#[derive(Clone, Debug)]
enum RowCandidate {
    /// A slot, with what it owns.
    Slot { slot: BlockId, owned: Vec<BlockId> },
    /// Two rows, the second of which begins where the first one ends.
    Neighbours { first: BlockId, second: BlockId },
    /// A row, and zeros before or behind it: which of its array's extents.
    Zeros { row: BlockId, extent: usize, side: Side },
}

impl Candidate for RowCandidate {
    fn owned(&self) -> usize {
        match self {
            RowCandidate::Slot { owned, .. } => owned.len(),
            RowCandidate::Neighbours { .. } | RowCandidate::Zeros { .. } => 0,
        }
    }

    fn key(&self) -> Key {
        match *self {
            RowCandidate::Slot { slot, .. } => key((slot, slot), End::Array),
            RowCandidate::Neighbours { first, second } => key((first, second), End::To),
            RowCandidate::Zeros { row, side, .. } => key((row, row), side.end()),
        }
    }

    fn fold(&self, domain: &mut Domain<'_, '_>, state: &mut State) -> Result<(), Refusal> {
        match self {
            RowCandidate::Slot { slot, owned } => {
                let row = row_of_slot(&mut domain.reasoner.names, state, *slot, owned);
                for id in owned {
                    state.blocks.remove(id);
                }
                state.blocks.insert(*slot, Arc::new(row));
                Ok(())
            }
            RowCandidate::Neighbours { first, second } => unite(domain, state, (*first, *second)),
            RowCandidate::Zeros { row, extent, side } => {
                take_in_zeros(domain, state, (*row, *extent, *side))
            }
        }
    }
}

fn key((first, second): (BlockId, BlockId), end: End) -> Key {
    Key { blocks: [first, second, first, second], field: Some(Field::End(end)) }
}

/// Something to fold that has to do with rows.
pub(super) fn find_row(
    domain: &mut Domain<'_, '_>,
    state: &State,
    refused: &Refused,
) -> Option<Box<dyn Candidate>> {
    if !domain.precision.arrays.have_rows() || !state.has_elements() {
        return None;
    }
    let candidate = find_neighbours(domain, state, refused)
        .or_else(|| find_zeros(domain, state, refused))
        .or_else(|| find_slot(&mut domain.reasoner.names, state, refused))?;
    Some(Box::new(candidate))
}

fn find_neighbours(
    domain: &mut Domain<'_, '_>,
    state: &State,
    refused: &Refused,
) -> Option<RowCandidate> {
    let rows: Vec<(BlockId, Row)> =
        state.blocks.iter().filter_map(|(&id, block)| Some((id, block.row()?.clone()))).collect();
    for (first, a) in &rows {
        for (second, b) in rows.iter().filter(|(second, _)| second != first) {
            let is_new = !refused.contains(&key((*first, *second), End::To));
            if is_new && a.array == b.array && a.stride == b.stride {
                let is_beside = domain.reasoner.names.terms.equal(a.to, b.from);
                if prove(domain.reasoner, state, is_beside) {
                    return Some(RowCandidate::Neighbours { first: *first, second: *second });
                }
            }
        }
    }
    None
}

/// Zeros beside a row that begins or ends where nobody knows.
fn find_zeros(
    domain: &mut Domain<'_, '_>,
    state: &State,
    refused: &Refused,
) -> Option<RowCandidate> {
    let names = &domain.reasoner.names;
    let held: FxHashSet<TermId> =
        names.terms.free_variables(&state.held_by_members(names)).into_iter().collect();
    for (&id, block) in state.blocks.iter().filter(|(_, block)| block.row().is_some()) {
        let row = block.row().expect("a row");
        for side in Side::BOTH {
            if refused.contains(&key((id, id), side.end())) {
                continue;
            }
            let names = &mut domain.reasoner.names;
            let array = array_of(names, block).filter(|array| state.blocks.contains_key(array))?;
            let extents = state.block(array).contents.extents.clone();
            for (extent, zeros) in extents.iter().enumerate() {
                if is_of_zeros(domain, state, (row, array), zeros, side)
                    && !is_settled(domain, state, &held, (id, side))
                {
                    return Some(RowCandidate::Zeros { row: id, extent, side });
                }
            }
        }
    }
    None
}

/// Whether a row is to begin or end where it does: somebody tells where that is, and no program is at work further in. What
/// it has been at is not told apart any more.
fn is_settled(
    domain: &mut Domain<'_, '_>,
    state: &State,
    held: &FxHashSet<TermId>,
    bound: (BlockId, Side),
) -> bool {
    is_told(&domain.reasoner.names, state, held, bound)
        && !is_at_work(domain.reasoner, state, bound)
}

/// Whether an extent says that all elements before or behind a row, up to some place, are null.
fn is_of_zeros(
    domain: &mut Domain<'_, '_>,
    state: &State,
    (row, array): (&Row, BlockId),
    zeros: &Extent,
    side: Side,
) -> bool {
    let names = &mut domain.reasoner.names;
    let here = names.here(zeros.size);
    let nothing = names.terms.bit_vector(0, 8 * zeros.size as u32);
    let is_null = names.terms.equal(here, nothing);
    let length = names.terms.subtract(zeros.to, zeros.from);
    let is_alike = zeros.size == row.stride
        && zeros.stride == row.stride
        && zeros.beside.is_none()
        && zeros.law.contains(&is_null)
        && is_multiple(names, length, row.stride);
    if !is_alike {
        return false;
    }
    let is_beside = match side {
        Side::From => names.terms.equal(zeros.to, row.from),
        Side::To => names.terms.equal(row.to, zeros.from),
    };
    let is_ordered = names.terms.unsigned_less_equal(zeros.from, zeros.to);
    let is_inside = names.terms.unsigned_less_equal(zeros.to, state.block(array).size);
    [is_beside, is_ordered, is_inside].into_iter().all(|fact| prove(domain.reasoner, state, fact))
}

/// A slot that owns what it leads to.
fn find_slot(names: &mut Names<'_>, state: &State, refused: &Refused) -> Option<RowCandidate> {
    let referrers = names.referrers(state);
    state.blocks.iter().find_map(|(&slot, block)| {
        let is_new = block.slot().is_some() && !refused.contains(&key((slot, slot), End::Array));
        let owned =
            if is_new { owned_by_slot(names, state, &referrers, slot)? } else { return None };
        Some(RowCandidate::Slot { slot, owned })
    })
}

/// What a slot owns, if that is what it points to, and nothing else points to that.
fn owned_by_slot(
    names: &mut Names<'_>,
    state: &State,
    referrers: &Referrers,
    slot: BlockId,
) -> Option<Vec<BlockId>> {
    let value = whole_value(names, state.block(slot))?;
    let mut owned = names.payload(state, referrers, slot, &|_| false);
    // The array itself is no block that an element owns.
    owned.remove(&array_of(names, state.block(slot))?);
    let mut held = vec![value];
    held.extend(owned.iter().flat_map(|id| state.block(*id).all_values()));
    // What is not its own would be held by elements of a row that may have none, and nobody would certainly hold it.
    let is_heap =
        |id: &BlockId| state.blocks.get(id).is_some_and(|one| one.kind == BlockKind::Heap);
    let targets: Vec<BlockId> = names.may_refer_to(&held).into_iter().filter(is_heap).collect();
    let is_owner = !targets.is_empty() && targets.iter().all(|target| owned.contains(target));
    is_owner.then(|| owned.into_iter().collect())
}

/// Makes two rows one.
fn unite(
    domain: &mut Domain<'_, '_>,
    state: &mut State,
    (first, second): (BlockId, BlockId),
) -> Result<(), Refusal> {
    let mut row = state.block(first).row().expect("a row").clone();
    let other = state.block(second).row().expect("a row").clone();
    let refusal = Refusal::OtherPrototypes(first, second);
    add_prototypes(domain, state, &mut row, &other).ok_or(refusal)?;
    row.to = other.to;
    state.block_mut(first).role = row.into();
    state.blocks.remove(&second);
    Ok(())
}

/// Lets a row have the prototypes of another one of the state too.
fn add_prototypes(
    domain: &mut Domain<'_, '_>,
    state: &State,
    row: &mut Row,
    other: &Row,
) -> Option<()> {
    let found = Match::of_one_state();
    let manner = Manner { depth: 0, widens: false, shapes: true };
    for prototype in &other.prototypes {
        let sides = (state, state);
        domain.add_prototype(sides, &found, &mut row.prototypes, prototype, manner)?;
    }
    row.origins = row.origins.clone().union(other.origins.clone());
    Some(())
}

/// Lets a row have the null pointers beside it.
fn take_in_zeros(
    domain: &mut Domain<'_, '_>,
    state: &mut State,
    (id, extent, side): (BlockId, usize, Side),
) -> Result<(), Refusal> {
    let mut row = state.block(id).row().expect("a row").clone();
    let array = array_of(&domain.reasoner.names, state.block(id)).expect("a row has an array");
    let zeros = state.block(array).contents.extents[extent].clone();
    let nulls = row_of_nulls(&mut domain.reasoner.names, state, &row);
    add_prototypes(domain, state, &mut row, &nulls).ok_or(Refusal::OtherPrototypes(id, id))?;
    match side {
        Side::From => row.from = zeros.from,
        Side::To => row.to = zeros.to,
    }
    state.block_mut(id).role = row.into();
    state.block_mut(array).contents.extents.remove(extent);
    Ok(())
}

/// A row like another one whose elements are null.
fn row_of_nulls(names: &mut Names<'_>, state: &State, like: &Row) -> Row {
    let origin = *like.origins.iter().next().expect("rows are made somewhere");
    let mut block: Block = elements_block(names, origin, like.stride);
    let value = names.terms.bit_vector(0, 8 * like.stride as u32);
    block.cells.insert(0, Cell { size: like.stride, value });
    block.role = Slot { array: like.array, at: like.from }.into();
    let mut scratch = state.clone();
    let id = scratch.new_block_id();
    scratch.blocks.insert(id, Arc::new(block));
    let row = row_of_slot(names, &scratch, id, &[]);
    row.row().expect("a row").clone()
}
