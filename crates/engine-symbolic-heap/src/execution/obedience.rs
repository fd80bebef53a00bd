//! Whether elements still obey a law once one of them is written.
//!
//! Where a law speaks of two elements of one array, a write changes what is said of two places: of the element itself, and of the one
//! that it is beside. The other of the two was often not looked at by the program; what extents say of it is looked up
//! in a copy of the state that is forgotten again.

use crate::execution::access::in_bounds;
use crate::execution::contents::{Spot, read_beside, recall};
use crate::heap::contents::{Beside, Extent};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::{Possible, assume};
use crate::reasoning::places::prove;
use heapwright_logic::TermId;

/// Whether the element at a place obeys a law once a value is written to a spot: it is this element, or the one beside it.
pub(super) fn obeys(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    extent: &Extent,
    at: Spot,
    (spot, value): (Spot, Option<TermId>),
) -> bool {
    let Some(value) = value.filter(|_| spot.size == extent.size) else { return false };
    let is_here = at.block == spot.block && at.at == spot.at;
    let (here, there) = match extent.beside {
        None => (Some(value), None),
        Some(beside) => {
            if beside.block == at.block {
                return keeps_off(&reasoner.names, extent, beside)
                    && neighbours_obey(reasoner, state, (extent, beside), at, (spot, value));
            }
            let place = reasoner.names.terms.add(at.at, beside.distance);
            let other = Spot { block: beside.block, at: place, ..at };
            let is_there = other.block == spot.block && place == spot.at;
            let here = if is_here { Some(value) } else { recall(reasoner, state, at) };
            let there = if is_there { Some(value) } else { recall(reasoner, state, other) };
            if there.is_none() {
                return false;
            }
            (here, there)
        }
    };
    let Some(here) = here else { return false };
    let law = reasoner.names.law_of_element(extent, (at.at, here), there);
    prove(reasoner, state, law)
}

/// Whether an element and the one beside it in the same block share no byte.
fn keeps_off(names: &Names<'_>, extent: &Extent, beside: Beside) -> bool {
    let distance = names.constant(beside.distance);
    distance.is_some_and(|distance| distance != 0 && distance % u128::from(extent.stride) == 0)
}

/// The same for two elements of one block, of which one is written: if the place is one of the extent, and both are in the block.
fn neighbours_obey(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (extent, beside): (&Extent, Beside),
    at: Spot,
    (spot, value): (Spot, TermId),
) -> bool {
    let there = Spot { at: reasoner.names.terms.add(at.at, beside.distance), ..at };
    let (is_here, is_there) = (at.at == spot.at, there.at == spot.at);
    if is_here == is_there {
        return false;
    }
    let other = if is_here { there } else { at };
    let mut before = state.clone();
    let within = reasoner.names.is_within(extent, at.at);
    let bits = reasoner.names.pointer_bits();
    let size = reasoner.names.terms.bit_vector(other.size.into(), bits);
    let is_inside = in_bounds(&mut reasoner.names, other.at, state.block(other.block).size, size);
    for fact in [within, is_inside] {
        match reasoner.possible(&before, fact) {
            // Nothing is said of such a place.
            Possible::No => return true,
            Possible::Yes(model) => assume(&mut reasoner.names, &mut before, fact, Some(model)),
            Possible::Perhaps => return false,
        }
    }
    // What is there before the write tells of what lies beyond.
    let nowhere = Beside { block: spot.block, distance: reasoner.names.terms.bit_vector(0, bits) };
    let _ = read_beside(reasoner, &mut before, nowhere, spot, STEPS);
    let Some(other) = read_beside(reasoner, &mut before, nowhere, other, STEPS) else {
        return false;
    };
    let pair = if is_here { (value, other) } else { (other, value) };
    let law = reasoner.names.law_of_element(extent, (at.at, pair.0), Some(pair.1));
    prove(reasoner, &before, law)
}

/// How far laws lead from the elements that are looked at.
const STEPS: usize = 1;
