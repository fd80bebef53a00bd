//! What constants in nodes mean, by the precision.

use crate::heap::block::{BlockId, BlockKind, Cell, Prototype};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::precision::{Marks, Precision};
use crate::summary::domain::Domain;
use crate::summary::list::composite::path_to_link;
use crate::summary::matched::Match;
use crate::summary::matching::is_implied;
use crate::summary::mismatch::Position;
use heapwright_logic::TermId;
use heapwright_program::sign_extend;
use std::sync::Arc;
/// Whether a value may be one by which the program tells nodes apart: it names it.
pub(crate) fn is_mark(names: &Names<'_>, value: TermId) -> bool {
    let Some(bits) = names.constant(value) else { return false };
    let number = sign_extend(bits, names.terms.width(value));
    names.facts.named_constants.contains(&number)
}

/// Where constants are marks, whether a difference is one of constants in a heap block.
pub(crate) fn differ_by_marks(domain: &mut Domain<'_, '_>, known: &State, found: &Match) -> bool {
    let is_marked = domain.precision.marks != Marks::Numbers
        && found.differing.iter().any(|(position, a, b)| {
            let block = match position {
                Position::Cell { block, .. } | Position::End { block, .. } => block,
                Position::Global(_)
                | Position::Register(..)
                | Position::Held(_)
                | Position::Result => return false,
            };
            let is_heap = known.block(*block).kind == BlockKind::Heap;
            is_heap && (is_mark(&domain.reasoner.names, *a) || is_mark(&domain.reasoner.names, *b))
        });
    domain.learnt.by_marks(is_marked)
}

/// Where constants are marks, whether a number of each node would have to become a constant that
/// it is known not to be.
pub(crate) fn excludes_a_mark(
    domain: &mut Domain<'_, '_>,
    conjuncts: &[TermId],
    new: &State,
    found: &Match,
) -> bool {
    if domain.precision.marks == Marks::Numbers {
        return false;
    }
    let is_marked = |names: &Names<'_>, name: &TermId| {
        found.opened.contains(name)
            && found.variables.get(name).is_some_and(|&value| is_mark(names, value))
    };
    let is_excluded = conjuncts.iter().any(|&conjunct| {
        let names = domain.reasoner.names.terms.free_variables(&[conjunct]);
        names.iter().any(|name| is_marked(&domain.reasoner.names, name))
            && !is_implied(domain.reasoner, conjunct, new, found)
    });
    domain.learnt.by_marks(is_excluded)
}

/// Whether different constants in nodes forbid that they are of one segment.
pub(crate) fn are_marked_apart(
    domain: &mut Domain<'_, '_>,
    kinds: &[Arc<Prototype>],
    kind: &Prototype,
) -> bool {
    let node = |kind: &Prototype| kind.blocks.values().next().map(Arc::clone);
    let Some(new) = node(kind) else { return false };
    if domain.precision.marks == Marks::Elements
        && kinds.iter().any(|known| is_part(&mut domain.reasoner.names, known, kind))
    {
        return true;
    }
    let kinds = kinds_to_be_told_apart(&mut domain.reasoner.names, domain.precision, kinds, kind);
    let are_apart = matches!(domain.precision.marks, Marks::Apart | Marks::Elements)
        && kinds.iter().filter_map(|known| node(known)).any(|known| {
            known.cells.iter().any(|(offset, cell)| {
                let Some(other) = new.cells.get(offset) else { return false };
                let is_number = !domain.reasoner.names.holds_address(cell.value)
                    && !domain.reasoner.names.holds_address(other.value);
                let is_marked = is_mark(&domain.reasoner.names, cell.value)
                    || is_mark(&domain.reasoner.names, other.value);
                is_number && is_marked && cell.value != other.value
            })
        });
    domain.learnt.by_marks(are_apart)
}

/// Whether a node has a number that the program names, other than zero, where another has any.
pub(crate) fn loses_a_mark(
    domain: &mut Domain<'_, '_>,
    kinds: &[Arc<Prototype>],
    kind: &Prototype,
) -> bool {
    let kinds = kinds_to_be_told_apart(&mut domain.reasoner.names, domain.precision, kinds, kind);
    let node = |kind: &Prototype| kind.blocks.values().next().map(Arc::clone);
    let is_telling = |value: TermId| {
        is_mark(&domain.reasoner.names, value) && domain.reasoner.names.constant(value) != Some(0)
    };
    let loses = |one: &Prototype, other: &Prototype| {
        let (Some(one), Some(other)) = (node(one), node(other)) else { return false };
        one.cells.iter().any(|(offset, cell)| {
            let is_same = other.cells.get(offset).is_some_and(|other| other == cell);
            is_telling(cell.value) && !is_same
        })
    };
    let is_lost = matches!(domain.precision.marks, Marks::Apart | Marks::Elements)
        && kinds.iter().any(|known| loses(known, kind) || loses(kind, known));
    domain.learnt.by_marks(is_lost)
}

/// Whether a node has a mark, other than zero, that no other has: where marks tell kinds apart, the
/// last node of a list may be known by it.
pub(crate) fn is_end_mark(
    domain: &mut Domain<'_, '_>,
    kinds: &[Arc<Prototype>],
    kind: &Prototype,
) -> bool {
    let node = |kind: &Prototype| kind.blocks.values().next().map(Arc::clone);
    let Some(new) = node(kind) else { return false };
    let has = |known: &Prototype, offset: u64, cell: &Cell| {
        node(known).is_some_and(|known| known.cells.get(&offset) == Some(cell))
    };
    let is_marked = matches!(domain.precision.marks, Marks::Apart | Marks::Kinds)
        && new.cells.iter().any(|(&offset, cell)| {
            is_mark(&domain.reasoner.names, cell.value)
                && domain.reasoner.names.constant(cell.value) != Some(0)
                && !kinds.iter().any(|known| has(known, offset, cell))
        });
    domain.learnt.by_marks(is_marked) && domain.precision.marks == Marks::Kinds
}

/// The kinds that marks may keep apart from another.
pub(crate) fn kinds_to_be_told_apart(
    names: &mut Names<'_>,
    precision: &Precision,
    kinds: &[Arc<Prototype>],
    kind: &Prototype,
) -> Vec<Arc<Prototype>> {
    let kinds = kinds
        .iter()
        .filter(|known| precision.marks != Marks::Elements || !go_together(names, known, kind));
    kinds.cloned().collect()
}

/// Whether one of two kinds is an element of several nodes and the other a single node.
pub(crate) fn go_together(names: &mut Names<'_>, one: &Prototype, other: &Prototype) -> bool {
    let [one, other] = [one, other].map(|kind| path_to_link(names, kind).is_some());
    one != other
}

/// Whether one of two kinds is an element of several nodes, and the other looks like its first
/// node without what always follows it.
pub(crate) fn is_part(names: &mut Names<'_>, one: &Prototype, other: &Prototype) -> bool {
    let node = |kind: &Prototype| kind.blocks.values().next().cloned();
    let (Some(first), Some(second)) = (node(one), node(other)) else { return false };
    go_together(names, one, other)
        && first.cells.iter().any(|(offset, cell)| {
            is_mark(names, cell.value)
                && second.cells.get(offset).is_some_and(|other| other.value == cell.value)
        })
}

/// Whether two single nodes of the same size have different marks.
pub(crate) fn have_other_marks(
    names: &Names<'_>,
    state: &State,
    (one, other): (BlockId, BlockId),
) -> bool {
    let (one, other) = (state.block(one), state.block(other));
    one.is_single()
        && other.is_single()
        && one.size == other.size
        && one.cells.iter().any(|(offset, cell)| {
            let there = other.cells.get(offset).map(|cell| cell.value);
            is_mark(names, cell.value)
                && there.is_some_and(|there| there != cell.value && is_mark(names, there))
        })
}

/// Whether nodes have different numbers in one place, and the program names one of them.
pub(crate) fn differ_in_a_mark(names: &Names<'_>, one: &Prototype, other: &Prototype) -> bool {
    let node = |kind: &Prototype| kind.blocks.values().next().cloned().expect("a kind has a node");
    let (one, other) = (node(one), node(other));
    let is_number = |value: TermId| !names.holds_address(value);
    one.cells.iter().any(|(offset, cell)| {
        let Some(there) = other.cells.get(offset) else { return false };
        let are_numbers = is_number(cell.value) && is_number(there.value);
        let is_marked = is_mark(names, cell.value) || is_mark(names, there.value);
        are_numbers && is_marked && cell.value != there.value
    })
}
