//! Orders of numbers that a program reads without a sign, where states meet.

use heapwright_logic::TermId;

use crate::abstraction::numbers::pairs::are_alike;
use crate::heap::order::{Signedness, Strictness};
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::orders::{is_before, unsigned_orders};
use crate::reasoning::path_condition::assume;
use crate::summary::matched::{Joined, Sides};

/// Pairs of numbers whose order is asked for in one join.
const MOST_ORDERS: usize = 64;

/// Says of pairs of numbers which is less than which, or at most as large, if one side compares numbers of that width so.
pub(super) fn join_unsigned_orders(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    pairs: &[(Joined, Joined)],
    general: &mut State,
) {
    let compared: Vec<TermId> = [sides.0, sides.1]
        .into_iter()
        .flat_map(|state| unsigned_orders(&reasoner.names, state))
        .map(|(low, _, _)| low)
        .collect();
    if compared.is_empty() {
        return;
    }
    let widths: Vec<u32> = compared.iter().map(|&low| reasoner.names.terms.width(low)).collect();
    let mut pairs: Vec<(Joined, Joined)> = pairs.to_vec();
    pairs.retain(|pair| {
        let names = &reasoner.names;
        are_alike(names, pair) && widths.contains(&names.terms.width(pair.0.value))
    });
    for &(a, b) in pairs.iter().take(MOST_ORDERS) {
        for (low, high) in [(a, b), (b, a)] {
            join_unsigned_order(reasoner, sides, (low, high), general);
        }
    }
}

fn join_unsigned_order(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    (low, high): (Joined, Joined),
    general: &mut State,
) {
    for strictness in [Strictness::Strict, Strictness::Loose] {
        let kind = (Signedness::Unsigned, strictness);
        if is_before(reasoner, sides.0, kind, (low.known, high.known))
            && is_before(reasoner, sides.1, kind, (low.new, high.new))
        {
            let names = &mut reasoner.names;
            let pair = (low.value, high.value);
            let order = Signedness::Unsigned.order(&mut names.terms, strictness, pair);
            assume(names, general, order, None);
            return;
        }
    }
}
