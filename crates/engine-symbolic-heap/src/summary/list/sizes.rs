//! Sizes: nodes of one list may have different ones.
//!
//! A list may hold structs that begin alike and go on differently, or nodes that end in as many bytes as each needs:
//! a key, say. Each prototype tells its own size, a constant or a term over numbers that each node has for
//! itself, and what its bytes are that no cell covers. The block of the segment has a size that no node falls short of,
//! so what is said of addresses by sizes holds for whichever node comes first or last.
//!
//! An owner and what it owns must not become one list, so blocks of different sizes are neighbours
//! of one list only if the first size comes again along it, or is known of a segment already.

use crate::heap::block::{Block, BlockId, DefaultBytes, Field};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::summary::list::links::comes_again;
use crate::summary::matched::Match;
use crate::summary::matching::match_terms;

/// The size of a node, if it is a constant, and what the bytes are that no cell covers.
type Form = (Option<u64>, DefaultBytes);

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
    let (its_forms, others) = (forms(names, a), forms(names, b));
    have_common(&its_forms, &others)
        || comes_again(names, state, (first, second), next, &|names, block| {
            have_common(&its_forms, &forms(names, block))
        })
}

/// Whether the nodes of two blocks differ in size, or in bytes that were never written.
pub(crate) fn differ_in_form(names: &Names<'_>, a: &Block, b: &Block) -> bool {
    forms(names, a) != forms(names, b)
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
    if is_list {
        return have_common(&forms(names, x), &forms(names, y));
    }
    // Not `x.size == y.size`: one name may stand for different numbers on the two sides.
    x.rest == y.rest && match_terms(names, (x.size, y.size), found)
}

/// Gives a segment and its last node a size that no node of its prototypes falls short of.
pub(crate) fn settle_size(names: &mut Names<'_>, state: &mut State, id: BlockId) {
    let block = state.block(id);
    let mut sizes = block.prototypes().iter().map(|prototype| prototype.node().size);
    let Some(first) = sizes.next() else { return };
    let is_of_all = sizes.all(|size| size == first);
    let variables = names.terms.free_variables(&[first]);
    let is_of_state = variables.iter().all(|name| !names.stand_ins.contains(name));
    let size = if is_of_all && is_of_state {
        first
    } else {
        let least = block.prototypes().iter().map(|prototype| least_size(names, prototype.node()));
        let least = least.min().expect("it has prototypes");
        names.terms.bit_vector(u128::from(least), names.pointer_bits())
    };
    for id in std::iter::once(id).chain(block.partner()) {
        if state.block(id).size != size {
            state.block_mut(id).size = size;
        }
    }
}

/// A size that a node does not fall short of: cells are inside.
fn least_size(names: &Names<'_>, node: &Block) -> u64 {
    let (size, _) = own_form(names, node);
    size.unwrap_or_else(|| {
        let last = node.cells.iter().next_back();
        last.map_or(0, |(&offset, cell)| offset + cell.size)
    })
}

/// The forms of all nodes that a block stands for.
fn forms(names: &Names<'_>, block: &Block) -> Vec<Form> {
    if !block.is_summary() {
        return vec![own_form(names, block)];
    }
    let mut forms = Vec::new();
    for prototype in block.prototypes() {
        let form = own_form(names, prototype.node());
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

fn own_form(names: &Names<'_>, block: &Block) -> Form {
    let size = names.constant(block.size).and_then(|size| u64::try_from(size).ok());
    (size, block.rest)
}

fn have_common(forms: &[Form], others: &[Form]) -> bool {
    forms.iter().any(|form| others.contains(form))
}
