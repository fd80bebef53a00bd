//! Bounds: numbers of waiting nodes with which those are compared that a callee gets. What it makes of these goes back beside such a node.
//!
//! In a list or a heap they are numbers of nodes that wait in this call alone. A part of a search tree lies between two nodes, which may wait in calls further out:
//! of all that are known to be on one side, the nearest is held, so that there are two at most however deep a recursion is.

use rustc_hash::FxHashSet;

use heapwright_logic::TermId;

use crate::heap::names::Names;
use crate::heap::order::{Signedness, Strictness};
use crate::heap::state::State;
use crate::precision::{Precision, Sorting};
use crate::reasoning::orders::{is_ordered, order};

/// The bounds of what a callee gets, the lower ones first where there are both. `given`: names that it knows anyway.
pub(super) fn bounds(
    names: &Names<'_>,
    precision: &Precision,
    rest: &State,
    given: &FxHashSet<TermId>,
) -> Vec<TermId> {
    let of_nodes = rest.blocks.values().flat_map(|block| block.cells.values());
    let mut numbers: Vec<TermId> = of_nodes.map(|cell| cell.value).collect();
    match precision.sorting {
        Sorting::Unseen => return Vec::new(),
        Sorting::Downwards => {}
        Sorting::Seen if precision.trees.is_empty() => {}
        Sorting::Seen => numbers.extend(rest.held_outside()),
    }
    numbers.retain(|&number| names.terms.as_variable(number).is_some() && !given.contains(&number));
    let mut compared = Compared::default();
    for &conjunct in &rest.condition {
        for signs in Signedness::ALL {
            let found = order(names, signs, conjunct);
            compared.extend(found.map(|(low, high, _)| (signs, low, high)), (&numbers, given));
        }
    }
    if precision.sorting == Sorting::Seen && !precision.trees.is_empty() {
        let lower = nearest(names, rest, &compared.lower, |number, other| (number, other));
        let upper = nearest(names, rest, &compared.upper, |number, other| (other, number));
        return lower.into_iter().chain(upper).collect();
    }
    let is_bound = |number: &TermId| {
        let mut all = compared.lower.iter().chain(&compared.upper);
        all.any(|(_, bound)| bound == number)
    };
    let mut bounds = Vec::new();
    for number in numbers {
        if is_bound(&number) && !bounds.contains(&number) {
            bounds.push(number);
        }
    }
    bounds
}

/// Numbers that are said to be below, or above, some that a callee gets.
#[derive(Default)]
struct Compared {
    lower: Vec<(Signedness, TermId)>,
    upper: Vec<(Signedness, TermId)>,
}

impl Compared {
    fn extend(
        &mut self,
        found: Option<(Signedness, TermId, TermId)>,
        (numbers, given): (&[TermId], &FxHashSet<TermId>),
    ) {
        let Some((signs, low, high)) = found else { return };
        let side = match (given.contains(&low), given.contains(&high)) {
            (false, true) if numbers.contains(&low) => (&mut self.lower, low),
            (true, false) if numbers.contains(&high) => (&mut self.upper, high),
            (_, _) => return,
        };
        if !side.0.contains(&(signs, side.1)) {
            side.0.push((signs, side.1));
        }
    }
}

/// Those of some bounds behind which there is no other. `in_order`: a bound and a nearer one, the lower first.
fn nearest(
    names: &Names<'_>,
    state: &State,
    bounds: &[(Signedness, TermId)],
    in_order: fn(TermId, TermId) -> (TermId, TermId),
) -> Vec<TermId> {
    let is_farther = |(signs, one): (Signedness, TermId), (_, other): (Signedness, TermId)| {
        is_ordered(names, state, (signs, Strictness::Loose), in_order(one, other))
    };
    let mut found = Vec::new();
    for (index, &bound) in bounds.iter().enumerate() {
        // Of two that are equal, the first is kept.
        let is_behind = |(at, &other): (usize, &(Signedness, TermId))| {
            bound.1 != other.1
                && is_farther(bound, other)
                && (at < index || !is_farther(other, bound))
        };
        if !bounds.iter().enumerate().any(is_behind) && !found.contains(&bound.1) {
            found.push(bound.1);
        }
    }
    found
}

/// Whether what two calls hold are bounds on the same sides. A call that is bounded from below has nothing in common with one that is from above.
pub(super) fn are_alike(names: &Names<'_>, precision: &Precision, calls: [&State; 2]) -> bool {
    if precision.sorting != Sorting::Seen || precision.trees.is_empty() {
        return true;
    }
    let [one, other] = calls.map(|call| sides(names, call));
    one == other
}

/// Of each number that a call holds, whether it is said to be below another, and above another.
fn sides(names: &Names<'_>, call: &State) -> Vec<(bool, bool)> {
    let orders: Vec<(TermId, TermId)> = call
        .condition
        .iter()
        .flat_map(|&conjunct| Signedness::ALL.map(|signs| order(names, signs, conjunct)))
        .flatten()
        .filter(|(low, high, _)| [low, high].iter().all(|&&one| names.constant(one).is_none()))
        .map(|(low, high, _)| (low, high))
        .collect();
    let is_low = |number: TermId| orders.iter().any(|&(low, _)| low == number);
    let is_high = |number: TermId| orders.iter().any(|&(_, high)| high == number);
    call.held_outside().map(|number| (is_low(number), is_high(number))).collect()
}
