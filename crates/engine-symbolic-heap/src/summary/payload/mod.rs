//! Payload abstraction: what constants in nodes mean. A program may tell its nodes apart by them, or they
//! are just numbers. A precision names one of the policies below, each of which has a file.

mod apart;
mod elements;
mod numbers;
mod prototypes;
mod sequences;

use std::sync::Arc;

use heapwright_logic::TermId;
use heapwright_program::sign_extend;

use crate::heap::block::{BlockId, BlockKind, Cell, Prototype};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::precision::{Payload, Precision};
use crate::summary::domain::Domain;
use crate::summary::matched::Match;
use crate::summary::matching::is_implied;
use crate::summary::mismatch::Position;

/// What constants in nodes are taken for. A policy decides what is kept, never what is true.
pub(crate) trait PayloadAbstraction: Sync {
    /// Whether different constants tell nodes apart; otherwise they are numbers in a range.
    fn tells_constants(&self) -> bool {
        true
    }

    /// Known prototypes that must not be of one segment with a new one if constants in them differ.
    fn rivals(
        &self,
        _: &mut Names<'_>,
        _: &[Arc<Prototype>],
        _: &Prototype,
    ) -> Vec<Arc<Prototype>> {
        Vec::new()
    }

    /// Whether a prototype is a part of a known one, which it must not be joined with.
    fn are_parts(&self, _: &mut Names<'_>, _: &[Arc<Prototype>], _: &Prototype) -> bool {
        false
    }

    /// Whether a constant that only the last node of a list has matters, here or to a later policy.
    fn looks_at_last_nodes(&self) -> bool {
        false
    }

    /// Whether that node stays outside of the segment.
    fn keeps_last_nodes_apart(&self) -> bool {
        false
    }

    /// Whether segments know which of their prototypes may follow which.
    fn keeps_order(&self) -> bool {
        false
    }

    /// Whether two neighbours that always come together are one element of a segment.
    fn has_elements(&self) -> bool {
        false
    }
}

/// The policy of a precision.
pub(crate) fn policy(precision: &Precision) -> &'static dyn PayloadAbstraction {
    match precision.payload {
        Payload::Apart => &apart::Apart,
        Payload::Prototypes => &prototypes::Prototypes,
        Payload::Numbers => &numbers::Numbers,
        Payload::Elements => &elements::Elements,
        Payload::Sequences => &sequences::Sequences,
    }
}

/// Whether a value may be one by which the program tells nodes apart: it names it.
pub(crate) fn is_payload_constant(names: &Names<'_>, value: TermId) -> bool {
    let Some(bits) = names.constant(value) else { return false };
    let number = sign_extend(bits, names.terms.width(value));
    names.facts.named_constants.contains(&number)
}

/// Where constants are payload constants, whether a difference is one of constants in a heap block.
pub(crate) fn differ_by_constants(
    domain: &mut Domain<'_, '_>,
    known: &State,
    found: &Match,
) -> bool {
    let is_marked = policy(domain.precision).tells_constants()
        && found.differing.iter().any(|(position, a, b)| {
            let block = match position {
                Position::Cell { block, .. } | Position::End { block, .. } => block,
                Position::Global(_)
                | Position::Register(..)
                | Position::Held(_)
                | Position::Size { .. }
                | Position::Bound { .. }
                | Position::Place { .. }
                | Position::Zero { .. }
                | Position::Result => return false,
            };
            let is_heap = known.block(*block).kind == BlockKind::Heap;
            is_heap
                && (is_payload_constant(&domain.reasoner.names, *a)
                    || is_payload_constant(&domain.reasoner.names, *b))
        });
    domain.learnt.by_payload(is_marked)
}

/// Where constants are payload constants, whether a number of each node would have to become a constant that
/// it is known not to be.
pub(crate) fn excludes_a_constant(
    domain: &mut Domain<'_, '_>,
    conjuncts: &[TermId],
    new: &State,
    found: &Match,
) -> bool {
    if !policy(domain.precision).tells_constants() {
        return false;
    }
    let is_marked = |names: &Names<'_>, name: &TermId| {
        found.opened.contains(name)
            && found.variables.get(name).is_some_and(|&value| is_payload_constant(names, value))
    };
    let is_excluded = conjuncts.iter().any(|&conjunct| {
        let names = domain.reasoner.names.terms.free_variables(&[conjunct]);
        names.iter().any(|name| is_marked(&domain.reasoner.names, name))
            && !is_implied(domain.reasoner, conjunct, new, found)
    });
    domain.learnt.by_payload(is_excluded)
}

/// Whether different constants in nodes forbid that they are of one segment.
pub(crate) fn are_told_apart(
    domain: &mut Domain<'_, '_>,
    known: &[Arc<Prototype>],
    new: &Prototype,
) -> bool {
    let policy = policy(domain.precision);
    if policy.are_parts(&mut domain.reasoner.names, known, new) {
        return true;
    }
    let are_apart = policy
        .rivals(&mut domain.reasoner.names, known, new)
        .iter()
        .any(|known| differ_in_a_constant(&domain.reasoner.names, known, new));
    domain.learnt.by_payload(are_apart)
}

/// Whether a node has a number that the program names, other than zero, where another has any.
pub(crate) fn loses_a_constant(
    domain: &mut Domain<'_, '_>,
    known: &[Arc<Prototype>],
    new: &Prototype,
) -> bool {
    let rivals = policy(domain.precision).rivals(&mut domain.reasoner.names, known, new);
    let names = &domain.reasoner.names;
    let is_telling =
        |value: TermId| is_payload_constant(names, value) && names.constant(value) != Some(0);
    let loses = |one: &Prototype, other: &Prototype| {
        one.node().cells.iter().any(|(offset, cell)| {
            is_telling(cell.value) && other.node().cells.get(offset) != Some(cell)
        })
    };
    let is_lost = rivals.iter().any(|known| loses(known, new) || loses(new, known));
    domain.learnt.by_payload(is_lost)
}

/// Whether the last node of a list is kept apart, because it may be known by a constant, other than
/// zero, that no other node has.
pub(crate) fn keeps_last_apart(
    domain: &mut Domain<'_, '_>,
    known: &[Arc<Prototype>],
    new: &Prototype,
) -> bool {
    let (names, policy) = (&domain.reasoner.names, policy(domain.precision));
    let has =
        |known: &Prototype, offset: u64, cell: &Cell| known.node().cells.get(&offset) == Some(cell);
    let is_marked = policy.looks_at_last_nodes()
        && new.node().cells.iter().any(|(&offset, cell)| {
            is_payload_constant(names, cell.value)
                && names.constant(cell.value) != Some(0)
                && !known.iter().any(|known| has(known, offset, cell))
        });
    domain.learnt.by_payload(is_marked) && policy.keeps_last_nodes_apart()
}

/// Whether two single nodes of the same size have different payload constants.
pub(crate) fn have_other_constants(
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
            is_payload_constant(names, cell.value)
                && there
                    .is_some_and(|there| there != cell.value && is_payload_constant(names, there))
        })
}

/// Whether nodes have different numbers in one place, and the program names one of them.
pub(crate) fn differ_in_a_constant(names: &Names<'_>, one: &Prototype, other: &Prototype) -> bool {
    let (one, other) = (one.node(), other.node());
    let is_number = |value: TermId| !names.holds_address(value);
    one.cells.iter().any(|(offset, cell)| {
        let Some(there) = other.cells.get(offset) else { return false };
        let are_numbers = is_number(cell.value) && is_number(there.value);
        let is_marked =
            is_payload_constant(names, cell.value) || is_payload_constant(names, there.value);
        are_numbers && is_marked && cell.value != there.value
    })
}
