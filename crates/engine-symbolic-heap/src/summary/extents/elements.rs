//! Elements lengthen the extents that they lie beside, or begin new ones.

use heapwright_logic::TermId;

use crate::heap::block::BlockId;
use crate::heap::contents::{Beside, Contents, Element, Extent};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::{is_multiple, prove, step_behind};
use crate::summary::extents::laws::laws_of_element;

/// Lets elements lengthen extents, or begin new ones.
pub(super) fn fold_elements(reasoner: &mut Reasoner<'_>, state: &mut State, id: BlockId) {
    let Contents { elements, mut extents } = state.block(id).contents.clone();
    for element in elements.iter().filter(|element| element.size.is_power_of_two()) {
        let Element { at, size, value } = *element;
        if lengthen(reasoner, state, &mut extents, (at, size), (None, &[value])) {
            continue;
        }
        let stride = stride_of(&mut reasoner.names, at, size);
        let law = laws_of_element(reasoner, state, (at, value), stride);
        if !law.is_empty() {
            let to = step_behind(&mut reasoner.names, at, stride);
            extents.push(Extent { from: at, to, stride, size, beside: None, law });
        }
    }
    state.block_mut(id).contents.extents = extents;
}

/// How far behind an element the next one of its kind may be: a member of records that lie side by side has others between.
fn stride_of(names: &mut Names<'_>, at: TermId, size: u64) -> u64 {
    let (_, offset) = names.terms.split_offset(at);
    let offset = names.terms.constant(offset);
    let moving = names.terms.subtract(at, offset);
    let strides = names.facts.layout.strides.iter().rev().copied();
    let fits = |stride: &u64| {
        stride.is_power_of_two() && *stride > size && is_multiple(names, moving, *stride)
    };
    let is_told = names.constant(moving).is_some();
    strides.filter(|_| !is_told).find(fits).unwrap_or(size)
}

/// Lengthens an extent by an element that obeys its law, or finds that it is within one. `values`: the element, and the
/// one beside it.
pub(super) fn lengthen(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    extents: &mut [Extent],
    (at, size): (TermId, u64),
    (beside, values): (Option<Beside>, &[TermId]),
) -> bool {
    let alike = |extent: &&mut Extent| extent.size == size && extent.beside == beside;
    let mut is_done = false;
    for extent in extents.iter_mut().filter(alike) {
        let law = reasoner.names.law_of_element(extent, (at, values[0]), values.get(1).copied());
        let behind = step_behind(&mut reasoner.names, at, extent.stride);
        let is_end = reasoner.names.terms.equal(extent.to, at);
        let is_start = reasoner.names.terms.equal(extent.from, behind);
        let distance = reasoner.names.terms.subtract(at, extent.from);
        if prove(reasoner, state, is_end) {
            // Bounds need not be places of elements.
            if is_multiple(&reasoner.names, distance, extent.stride) && prove(reasoner, state, law)
            {
                extent.to = behind;
                is_done = true;
            }
        } else if prove(reasoner, state, is_start) {
            if prove(reasoner, state, law) {
                extent.from = at;
                is_done = true;
            }
        } else {
            // Members of one record are not those of an extent of others.
            let within = reasoner.names.is_within(extent, at);
            is_done |= is_multiple(&reasoner.names, distance, extent.stride)
                && prove(reasoner, state, within);
        }
    }
    is_done
}
