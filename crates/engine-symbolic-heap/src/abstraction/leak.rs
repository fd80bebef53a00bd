//! Leaks: where a state is reduced, and where the program ends.

use heapwright_memory::FaultKind;
use heapwright_program::Place;
use heapwright_property::Part;

use crate::abstraction::garbage::{lost_blocks, unfreed_blocks};
use crate::abstraction::normalise::{Lost, normalise};
use crate::heap::state::State;
use crate::heap::trail::Alarm;
use crate::no_proof::NoProof;
use crate::reasoning::Reasoner;
use crate::summary::domain::Domain;
use crate::summary::row::slots::forget_empty_rows;

/// Normalises a state that arrives; a heap block that is lost on the way may be a leak.
pub(crate) fn reduce(domain: &mut Domain<'_, '_>, state: &mut State) -> Result<(), NoProof> {
    let specification = &domain.reasoner.names.task().specification;
    let matters =
        specification.asks(Part::ValidMemtrack) || specification.asks(Part::ValidMemcleanup);
    match normalise(domain, state) {
        Lost::Block if matters => {
            let place = state.frames.last().and_then(|frame| {
                let edges = domain.reasoner.names.facts.outgoing(frame.function, frame.location);
                edges
                    .first()
                    .map(|&edge| domain.reasoner.names.facts.edge(frame.function, edge).place)
            });
            Err(possible_leak(state, place))
        }
        Lost::Block | Lost::Nothing => Ok(()),
    }
}

/// Whether a program that ends in this state has lost a block, or left one, as far as it
/// matters.
pub(crate) fn leaks_at_end(reasoner: &mut Reasoner<'_>, state: &State) -> bool {
    let specification = &reasoner.names.task().specification;
    let track = specification.asks(Part::ValidMemtrack);
    let cleanup = specification.asks(Part::ValidMemcleanup);
    let mut settled;
    let mut state = state;
    if (track || cleanup) && state.has_elements() {
        settled = state.clone();
        forget_empty_rows(reasoner, &mut settled);
        state = &settled;
    }
    (track && !lost_blocks(reasoner, state).is_empty())
        || (cleanup && !unfreed_blocks(state).is_empty())
}

pub(crate) fn possible_leak(state: &State, place: Option<Place>) -> NoProof {
    NoProof::PossibleFault { kind: FaultKind::Leak, place, alarm: Alarm::of(state) }
}
