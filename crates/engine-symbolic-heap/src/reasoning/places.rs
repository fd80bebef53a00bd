//! Places in arrays: what their form tells, and what follows of them.

use heapwright_logic::{Operator, Term, TermId};

use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::Possible;

/// Whether a formula follows from the path condition.
pub(crate) fn prove(reasoner: &mut Reasoner<'_>, state: &State, formula: TermId) -> bool {
    let negation = reasoner.names.terms.not(formula);
    reasoner.names.truth(formula) == Some(true)
        || state.condition.contains(&formula)
        || matches!(reasoner.possible(state, negation), Possible::No)
}

/// So many bytes behind a place.
pub(crate) fn step_behind(names: &mut Names<'_>, place: TermId, bytes: u64) -> TermId {
    let bytes = names.terms.bit_vector(u128::from(bytes), names.terms.width(place));
    names.terms.add(place, bytes)
}

/// Whether the form of a term tells that it is a multiple of a power of two, however it wraps.
pub(crate) fn is_multiple(names: &Names<'_>, term: TermId, power: u64) -> bool {
    if power == 1 {
        return true;
    }
    if let Some(constant) = names.constant(term) {
        return constant % u128::from(power) == 0;
    }
    let both = |a, b| is_multiple(names, a, power) && is_multiple(names, b, power);
    match names.terms.node(term) {
        Term::Binary(Operator::Add | Operator::Subtract, a, b) => both(a, b),
        Term::Binary(Operator::Multiply, a, b) => {
            is_multiple(names, a, power) || is_multiple(names, b, power)
        }
        Term::Binary(Operator::ShiftLeft, a, b) => {
            let shift = names.constant(b).and_then(|shift| u32::try_from(shift).ok());
            is_multiple(names, a, power)
                || shift.is_some_and(|shift| shift >= power.trailing_zeros())
        }
        _ => false,
    }
}
