//! Remainders by a number that is not told, as numbers of which only a little is known.
//!
//! A division by a variable costs a solver more than all else in a path condition together, and mostly all that is asked is whether the
//! result is a place in an array. On single paths the remainder stays exact, and what is always so of it is said as well.

use heapwright_logic::TermId;

use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::assume;

/// The remainder of two numbers; in a search for invariants, a number that is the same for the same two.
pub(super) fn remainder(
    reasoner: &mut Reasoner<'_>,
    state: &mut State,
    (left, right): (TermId, TermId),
    signed: bool,
) -> TermId {
    let names = &mut reasoner.names;
    let exact = match signed {
        true => names.terms.signed_remainder(left, right),
        false => names.terms.unsigned_remainder(left, right),
    };
    if names.terms.is_constant(exact) || exact == left {
        return exact;
    }
    let is_exact = !reasoner.arrays.are_smashed();
    let number = match (is_exact, state.remainders.get(&exact)) {
        (true, _) => exact,
        (false, Some(&known)) => known,
        (false, None) => {
            let number = names.fresh("remainder", names.terms.width(exact));
            state.remainders.insert(exact, number);
            number
        }
    };
    for fact in facts(names, (left, right), number, signed) {
        if names.truth(fact).is_none() && !state.condition.contains(&fact) {
            // Whatever satisfies the rest satisfies what is always so.
            let model = state.model.clone().filter(|_| is_exact);
            assume(names, state, fact, model);
        }
    }
    number
}

/// What is always so of a remainder: it is less than the divisor, and it is told where this goes in once or not at all.
fn facts(
    names: &mut Names<'_>,
    (left, right): (TermId, TermId),
    number: TermId,
    signed: bool,
) -> [TermId; 3] {
    let zero = names.terms.bit_vector(0, names.terms.width(left));
    // Without signs, or where both have none.
    let is_usual = match signed {
        true => {
            let is_positive = names.terms.signed_less(zero, right);
            let is_natural = names.terms.signed_less_equal(zero, left);
            names.terms.and(is_positive, is_natural)
        }
        false => names.terms.not_equal(right, zero),
    };
    let is_less = names.terms.unsigned_less(number, right);
    let is_short = names.terms.unsigned_less(left, right);
    let is_left = names.terms.equal(number, left);
    let rest = names.terms.subtract(left, right);
    let is_rest = names.terms.equal(number, rest);
    let is_long = names.terms.not(is_short);
    let is_short_behind = names.terms.unsigned_less(rest, right);
    let is_once = names.terms.and(is_long, is_short_behind);
    let told = names.terms.implies(is_short, is_left);
    let told_once = names.terms.implies(is_once, is_rest);
    [is_less, told, told_once].map(|fact| names.terms.implies(is_usual, fact))
}
