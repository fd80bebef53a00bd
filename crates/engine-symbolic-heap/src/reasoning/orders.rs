//! Orders between numbers, with their signs or without: what follows from other orders of a path condition is seen without a question to a solver.

use heapwright_logic::{Predicate, Term, TermId};

use crate::heap::names::Names;
use crate::heap::order::{Signedness, Strictness};
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::Possible;
use crate::reasoning::range::{is_at_most, is_less};

/// Whether one number is less than another on a path, or at most as large.
pub(crate) fn is_before(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    (signedness, strictness): (Signedness, Strictness),
    (low, high): (TermId, TermId),
) -> bool {
    match (signedness, strictness) {
        (Signedness::Signed, Strictness::Strict) => is_less(reasoner, state, low, high),
        (Signedness::Signed, Strictness::Loose) => is_at_most(reasoner, state, low, high),
        (Signedness::Unsigned, _) => {
            let says = signedness.order(&mut reasoner.names.terms, strictness, (low, high));
            let contrary = reasoner.names.terms.not(says);
            matches!(reasoner.possible(state, contrary), Possible::No)
        }
    }
}

/// Whether one number is at most another, or less, since conjuncts lead from one to the other.
pub(crate) fn is_ordered(
    names: &Names<'_>,
    state: &State,
    (signedness, strictness): (Signedness, Strictness),
    (low, high): (TermId, TermId),
) -> bool {
    let mut steps: Vec<(TermId, TermId, Strictness)> = Vec::new();
    for &conjunct in &state.condition {
        if let Term::Equal(a, b) = names.terms.node(conjunct) {
            steps.extend([(a, b, Strictness::Loose), (b, a, Strictness::Loose)]);
        }
        steps.extend(order(names, signedness, conjunct));
    }
    // Numbers that are at least as large; the first of them is not less than itself.
    let mut reached: Vec<(TermId, Strictness)> = vec![(low, Strictness::Loose)];
    let mut next = 0;
    while let Some(&(from, so_far)) = reached.get(next) {
        next += 1;
        for &(_, to, step) in steps.iter().filter(|(start, _, _)| *start == from) {
            let way = (to, if so_far == Strictness::Strict { so_far } else { step });
            if to == high && (strictness == Strictness::Loose || way.1 == Strictness::Strict) {
                return true;
            }
            if !reached.contains(&way) {
                reached.push(way);
            }
        }
    }
    false
}

/// The two sides of an order, the lower first.
pub(crate) fn order(
    names: &Names<'_>,
    signedness: Signedness,
    conjunct: TermId,
) -> Option<(TermId, TermId, Strictness)> {
    let is_read_so = |predicate: Predicate| match predicate {
        Predicate::SignedLess => signedness == Signedness::Signed,
        Predicate::UnsignedLess => signedness == Signedness::Unsigned,
        Predicate::UnsignedMultiplyOverflows | Predicate::SignedMultiplyOverflows => false,
    };
    match names.terms.node(conjunct) {
        Term::Relation(predicate, low, high) if is_read_so(predicate) => {
            Some((low, high, Strictness::Strict))
        }
        Term::Not(inner) => match names.terms.node(inner) {
            Term::Relation(predicate, high, low) if is_read_so(predicate) => {
                Some((low, high, Strictness::Loose))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether a path condition compares one of some numbers, read without a sign, with another that is no constant.
pub(crate) fn is_compared_unsigned(names: &Names<'_>, state: &State, numbers: &[TermId]) -> bool {
    unsigned_orders(names, state)
        .any(|(low, high, _)| numbers.contains(&low) || numbers.contains(&high))
}

/// The orders of a path condition between two numbers that are read without a sign. Addresses are none, nor are constants: below one,
/// a number is in a range.
pub(crate) fn unsigned_orders<'s>(
    names: &Names<'s>,
    state: &State,
) -> impl Iterator<Item = (TermId, TermId, Strictness)> {
    let is_number = |term: TermId| names.constant(term).is_none() && !names.holds_address(term);
    state.condition.iter().filter_map(move |&conjunct| {
        let found = order(names, Signedness::Unsigned, conjunct)?;
        (is_number(found.0) && is_number(found.1)).then_some(found)
    })
}
