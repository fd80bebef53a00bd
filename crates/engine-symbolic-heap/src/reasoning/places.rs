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

/// The same place with what is added to an index said behind its extension, if that does not wrap: `a[i - 1]` is four bytes before
/// `a[i]` then by its form.
pub(crate) fn plain_place(reasoner: &mut Reasoner<'_>, state: &State, place: TermId) -> TermId {
    let plain = spread(&mut reasoner.names, place);
    if plain == place {
        return place;
    }
    let is_same = reasoner.names.terms.equal(place, plain);
    if prove(reasoner, state, is_same) { plain } else { place }
}

/// A term in which constants are added last, as if no narrow number wrapped.
fn spread(names: &mut Names<'_>, term: TermId) -> TermId {
    match names.terms.node(term) {
        Term::SignExtend { term: narrow, width } => {
            let (base, offset) = names.terms.split_offset(narrow);
            let Some(base) = base else { return term };
            let base = names.terms.sign_extend(base, width);
            let offset = names.terms.bit_vector(offset.to_signed().cast_unsigned(), width);
            names.terms.add(base, offset)
        }
        Term::ZeroExtend { term: narrow, width } => {
            let (base, offset) = names.terms.split_offset(narrow);
            let Some(base) = base else { return term };
            let base = names.terms.zero_extend(base, width);
            let offset = names.terms.bit_vector(offset.to_signed().cast_unsigned(), width);
            names.terms.add(base, offset)
        }
        Term::Binary(Operator::Add, a, b) => {
            let (a, b) = (spread(names, a), spread(names, b));
            names.terms.add(a, b)
        }
        Term::Binary(Operator::Multiply, a, b) if names.constant(b).is_some() => {
            let a = spread(names, a);
            names.terms.multiply(a, b)
        }
        Term::Binary(Operator::ShiftLeft, a, b) if names.constant(b).is_some() => {
            let a = spread(names, a);
            names.terms.shift_left(a, b)
        }
        _ => term,
    }
}
