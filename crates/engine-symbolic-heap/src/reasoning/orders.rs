//! Orders between numbers that follow from other orders of a path condition, without a question to a solver.

use heapwright_logic::{Predicate, Term, TermId};

use crate::heap::names::Names;
use crate::heap::order::Strictness;
use crate::heap::state::State;

/// Whether one number is at most another, or less, since conjuncts lead from one to the other.
pub(crate) fn is_ordered(
    names: &Names<'_>,
    state: &State,
    (low, high): (TermId, TermId),
    strictness: Strictness,
) -> bool {
    let mut steps: Vec<(TermId, TermId, Strictness)> = Vec::new();
    for &conjunct in &state.condition {
        if let Term::Equal(a, b) = names.terms.node(conjunct) {
            steps.extend([(a, b, Strictness::Loose), (b, a, Strictness::Loose)]);
        }
        steps.extend(order(names, conjunct));
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

/// The two sides of a signed order, the lower first.
pub(crate) fn order(names: &Names<'_>, conjunct: TermId) -> Option<(TermId, TermId, Strictness)> {
    match names.terms.node(conjunct) {
        Term::Relation(Predicate::SignedLess, low, high) => Some((low, high, Strictness::Strict)),
        Term::Not(inner) => match names.terms.node(inner) {
            Term::Relation(Predicate::SignedLess, high, low) => {
                Some((low, high, Strictness::Loose))
            }
            _ => None,
        },
        _ => None,
    }
}
