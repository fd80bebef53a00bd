//! Where a candidate for an invariant has a gap: a state that none of its states describes.

use heapwright_engine::Attention;

use crate::abstraction::entail::entails;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::no_proof::NoProof;
use crate::summary::domain::Domain;
use crate::summary::mismatch::{Mismatch, Position};

/// Tells those who look closely where each known state differs from one that has arrived.
pub(crate) fn tell_not_described<'s>(
    domain: &mut Domain<'_, '_>,
    arrived: &State,
    known: impl IntoIterator<Item = &'s State>,
    why: &NoProof,
) {
    if !domain.reasoner.is_watched(Attention::Gaps) {
        return;
    }
    let mut told = Vec::new();
    for known in known {
        if let Err(mismatch) = entails(domain, known, arrived) {
            told.push((known, difference(&domain.reasoner.names, known, &mismatch)));
        }
    }
    domain.reasoner.tell_not_described(arrived, &told, why);
}

/// A mismatch with names of the program where it has some.
pub(crate) fn difference(names: &Names<'_>, known: &State, mismatch: &Mismatch) -> String {
    let Some(position) = mismatch.position() else { return mismatch.to_string() };
    let variable = match position {
        Position::Global(slot) => {
            let mut globals =
                names.program().variables.ids().filter(|&id| names.facts.is_global(id));
            globals.find(|&id| names.facts.slot(id) == slot)
        }
        Position::Register(frame, slot) => {
            let function = known.frames[frame].function;
            let own = names.facts.variables_of(function);
            own.iter().copied().find(|&id| names.facts.slot(id) == slot)
        }
        Position::Held(_)
        | Position::Result
        | Position::Cell { .. }
        | Position::End { .. }
        | Position::Size { .. }
        | Position::Bound { .. }
        | Position::Place { .. }
        | Position::Zero { .. } => None,
    };
    match variable {
        Some(id) => {
            let name = format!("`{}`", names.program().variables[id].name);
            mismatch.to_string().replace(&position.to_string(), &name)
        }
        None => mismatch.to_string(),
    }
}
