//! Orders that lead through a number which is about to be forgotten: of `x <= g` and `g <= y`
//! remains `x <= y`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use heapwright_logic::{Sort, Term, TermId};
use rustc_hash::FxHashSet;

use crate::heap::names::Names;
use crate::heap::order::{Signedness, Strictness};
use crate::heap::state::State;
use crate::precision::Precision;
use crate::reasoning::Reasoner;
use crate::reasoning::orders::{order, unsigned_orders};
use crate::reasoning::path_condition::assume;
use crate::reasoning::range::is_at_most;

/// Orders that are asked for when one state is reduced.
const MOST_BRIDGES: usize = 32;

/// Orders between numbers that are looked through.
const MOST_ORDERS: usize = 200;

/// Says of live numbers what so far followed from dead ones in between.
pub(crate) fn bridge_orders(
    reasoner: &mut Reasoner<'_>,
    precision: &Precision,
    state: &mut State,
    live: &FxHashSet<TermId>,
) {
    if precision.sorting.is_seen() {
        bridge_sorted(&mut reasoner.names, Signedness::Signed, state, live);
        if unsigned_orders(&reasoner.names, state).next().is_some() {
            bridge_sorted(&mut reasoner.names, Signedness::Unsigned, state, live);
        }
    }
    let named = named_numbers(&reasoner.names, state);
    if named.is_empty() {
        return;
    }
    let mut asked = 0;
    let conjuncts: Vec<TermId> = state.condition.iter().copied().collect();
    let bridged = bridges(reasoner, state, &conjuncts, &named, live, &mut asked);
    state.change_prototypes(&mut |state, prototype| {
        let more = bridges(reasoner, state, &prototype.condition, &named, live, &mut asked);
        if !more.is_empty() {
            let prototype = Arc::make_mut(prototype);
            prototype.condition.extend(more);
            prototype.condition.sort_unstable();
            prototype.condition.dedup();
        }
    });
    for conjunct in bridged {
        assume(&mut reasoner.names, state, conjunct, None);
    }
}

/// The same for all live numbers, where lists are sorted, as far as it is seen without a question:
/// one number after the other goes, and those below it come before those above it.
fn bridge_sorted(
    names: &mut Names<'_>,
    signedness: Signedness,
    state: &mut State,
    live: &FxHashSet<TermId>,
) {
    let mut orders = Orders::default();
    for &conjunct in &state.condition {
        if let Term::Equal(a, b) = names.terms.node(conjunct) {
            orders.add((a, b), Strictness::Loose);
            orders.add((b, a), Strictness::Loose);
        }
        if let Some((low, high, strictness)) = order(names, signedness, conjunct) {
            orders.add((low, high), strictness);
        }
    }
    let is_live = |names: &Names<'_>, term: TermId| {
        names.terms.free_variables(&[term]).iter().all(|name| live.contains(name))
    };
    let mut dead: BTreeSet<TermId> = orders.0.keys().flat_map(|&(a, b)| [a, b]).collect();
    dead.retain(|&term| !is_live(names, term));
    for number in dead {
        orders.leave_out(number);
        if orders.0.len() > MOST_ORDERS {
            return;
        }
    }
    for ((low, high), strictness) in orders.0 {
        if let Sort::BitVector(_) = names.terms.sort(low) {
            let order = signedness.order(&mut names.terms, strictness, (low, high));
            if !state.condition.contains(&order) && names.truth(order).is_none() {
                assume(names, state, order, None);
            }
        }
    }
}

/// Which number is at most which, and whether it is less.
#[derive(Default)]
struct Orders(BTreeMap<(TermId, TermId), Strictness>);

impl Orders {
    fn add(&mut self, pair: (TermId, TermId), strictness: Strictness) {
        let known = self.0.entry(pair).or_insert(strictness);
        if strictness == Strictness::Strict {
            *known = strictness;
        }
    }

    /// What is below a number is below what is above it, which is said without it from now on.
    fn leave_out(&mut self, number: TermId) {
        let orders = std::mem::take(&mut self.0);
        let (mut lower, mut higher) = (Vec::new(), Vec::new());
        for ((low, high), strictness) in orders {
            if high == number {
                lower.push((low, strictness));
            } else if low == number {
                higher.push((high, strictness));
            } else {
                self.0.insert((low, high), strictness);
            }
        }
        for &(low, one) in lower.iter().filter(|(low, _)| *low != number) {
            for &(high, other) in higher.iter().filter(|(high, _)| *high != low) {
                let strictness = if one == Strictness::Strict { one } else { other };
                self.add((low, high), strictness);
            }
        }
    }
}

/// Numbers that variables of the program hold, and by which places of zeros, extents and rows are known, if they have a name.
pub(crate) fn named_numbers(names: &Names<'_>, state: &State) -> Vec<TermId> {
    let mut values = state.held_by_variables();
    let mut places: Vec<TermId> =
        state.blocks.values().filter_map(|block| block.zero.map(|zero| zero.at)).collect();
    places.extend(state.blocks.values().flat_map(|block| block.contents.places()));
    let rows = state.blocks.values().filter_map(|block| block.row());
    places.extend(rows.flat_map(|row| [row.from, row.to]));
    values.extend(names.terms.free_variables(&places));
    values.retain(|&value| is_name(names, value));
    values.sort_unstable();
    values.dedup();
    values
}

/// Whether a value is a number with a name.
pub(crate) fn is_name(names: &Names<'_>, value: TermId) -> bool {
    matches!(names.terms.sort(value), Sort::BitVector(_))
        && names.terms.as_variable(value).is_some()
        && !names.blocks_of_addresses.contains_key(&value)
}

/// Orders of live numbers with named ones that follow from conjuncts about dead ones.
fn bridges(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    conjuncts: &[TermId],
    named: &[TermId],
    live: &FxHashSet<TermId>,
    asked: &mut usize,
) -> Vec<TermId> {
    let mut found = Vec::new();
    for &conjunct in conjuncts {
        let Some((low, high, _)) = order(&reasoner.names, Signedness::Signed, conjunct) else {
            continue;
        };
        let is_dead = |names: &Names<'_>, term: TermId| {
            names.terms.as_variable(term).is_some()
                && !live.contains(&term)
                && !names.stand_ins.contains(&term)
        };
        let (dead_low, dead_high) = (is_dead(&reasoner.names, low), is_dead(&reasoner.names, high));
        if dead_low == dead_high {
            continue;
        }
        for &other in named {
            if reasoner.names.terms.width(other) != reasoner.names.terms.width(low)
                || *asked >= MOST_BRIDGES
            {
                continue;
            }
            *asked += 1;
            if dead_high && other != low && is_at_most(reasoner, state, high, other) {
                found.push(reasoner.names.terms.signed_less_equal(low, other));
            }
            if dead_low && other != high && is_at_most(reasoner, state, other, low) {
                found.push(reasoner.names.terms.signed_less_equal(other, high));
            }
        }
    }
    found
}
