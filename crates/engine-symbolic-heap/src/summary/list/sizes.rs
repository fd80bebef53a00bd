//! Sizes: nodes of one list may have different ones.
//!
//! A list may hold structs that begin alike and go on differently. Each prototype tells its own
//! size, and what its bytes are that no cell covers. The block of the segment has the smallest size
//! of its prototypes, so what is said of addresses by sizes holds for whichever node comes first or last.
//!
//! An owner and what it owns must not become one list, so blocks of different sizes are neighbours
//! of one list only if the first size comes again along it, or is known of a segment already.

use crate::heap::block::{Block, BlockId, DefaultBytes, Field, Prototype};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::summary::list::links::comes_again;
use crate::summary::matched::Match;
use crate::summary::matching::match_terms;

/// The size of a node, and what the bytes are that no cell covers.
type Form = (u64, DefaultBytes);

/// Whether two neighbours may be nodes of one list by their sizes; the first has its link at
/// `next`.
pub(crate) fn are_of_one_form(
    names: &mut Names<'_>,
    state: &State,
    (first, second): (BlockId, BlockId),
    next: Field,
) -> bool {
    let (a, b) = (state.block(first), state.block(second));
    let is_single = |block: &Block| block.is_single();
    if a.size == b.size && a.rest == b.rest && is_single(a) && is_single(b) {
        return true;
    }
    let (Some(its_forms), Some(others)) = (forms(names, a), forms(names, b)) else {
        return a.size == b.size && a.rest == b.rest;
    };
    have_common(&its_forms, &others)
        || comes_again(names, state, (first, second), next, &|names, block| {
            forms(names, block).is_some_and(|again| have_common(&its_forms, &again))
        })
}

/// Whether the nodes of two blocks differ in size, or in bytes that were never written.
pub(crate) fn differ_in_form(names: &Names<'_>, a: &Block, b: &Block) -> bool {
    match (forms(names, a), forms(names, b)) {
        (Some(forms), Some(others)) => forms != others,
        _ => false,
    }
}

/// Whether two blocks match by their sizes and by what their other bytes are. The prototypes of a list
/// tell this of its nodes, and are compared later.
pub(crate) fn match_forms(
    names: &mut Names<'_>,
    (x, y): (&Block, &Block),
    found: &mut Match,
) -> bool {
    if x.is_peer() {
        return true;
    }
    let is_list = x.segment().is_some() && (y.segment().is_some() || y.is_single());
    if let Some(is_common) = have_common_form(names, x, y).filter(|_| is_list) {
        return is_common;
    }
    // Not `x.size == y.size`: one name may stand for different numbers on the two sides.
    x.rest == y.rest && match_terms(names, (x.size, y.size), found)
}

/// Whether a known list and the new side's list or node have a form in common; nothing if sizes
/// are not known as numbers.
fn have_common_form(names: &Names<'_>, known: &Block, new: &Block) -> Option<bool> {
    Some(have_common(&forms(names, known)?, &forms(names, new)?))
}

/// Gives a segment and its last node the smallest size of its prototypes.
pub(crate) fn settle_size(names: &mut Names<'_>, state: &mut State, id: BlockId) {
    let block = state.block(id);
    let Some(forms) = forms(names, block) else { return };
    let Some(smallest) = forms.iter().map(|(size, _)| *size).min() else { return };
    let size = names.terms.bit_vector(u128::from(smallest), names.pointer_bits());
    for id in std::iter::once(id).chain(block.partner()) {
        if state.block(id).size != size {
            state.block_mut(id).size = size;
        }
    }
}

/// Whether a prototype may come to others: sizes that are not numbers are all the same.
pub(crate) fn may_be_mixed(
    names: &Names<'_>,
    prototypes: &[std::sync::Arc<Prototype>],
    prototype: &Prototype,
) -> bool {
    let form = form_of_prototype(names, prototype);
    prototypes.iter().all(|known| match (form_of_prototype(names, known), form) {
        (Some(_), Some(_)) => true,
        (_, _) => known.node().size == prototype.node().size,
    })
}

/// The forms of all nodes that a block stands for; none if a size is not a number.
fn forms(names: &Names<'_>, block: &Block) -> Option<Vec<Form>> {
    if !block.is_summary() {
        return Some(vec![own_form(names, block)?]);
    }
    let mut forms = Vec::new();
    for prototype in block.prototypes() {
        let form = form_of_prototype(names, prototype)?;
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    Some(forms)
}

fn form_of_prototype(names: &Names<'_>, prototype: &Prototype) -> Option<Form> {
    own_form(names, prototype.node())
}

fn own_form(names: &Names<'_>, block: &Block) -> Option<Form> {
    let size = u64::try_from(names.constant(block.size)?).ok()?;
    Some((size, block.rest))
}

fn have_common(forms: &[Form], others: &[Form]) -> bool {
    forms.iter().any(|form| others.contains(form))
}
