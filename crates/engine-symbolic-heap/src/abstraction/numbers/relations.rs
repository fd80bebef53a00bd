//! Relations between numbers that a join keeps: strict orders, and one number as a multiple of another.
//!
//! A size is four times a capacity, a cursor's offset eight times a counter. Such a law is guessed from one
//! model of either side, as the line through two points, and kept if it holds on both sides. Nothing
//! rests on the guess: what is kept was asked for, and the invariant has to be closed in the end.

use std::sync::Arc;

use heapwright_logic::{Model, TermId};
use heapwright_program::sign_extend;

use crate::abstraction::numbers::join::Joined;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::{Possible, assume};
use crate::summary::matched::Sides;

/// Pairs of numbers that are looked at in one join.
const MOST_PAIRS: usize = 48;

/// The steepest line, and the farthest from zero.
const STEEPEST: i128 = 4096;
const FARTHEST: i128 = 1 << 20;

/// The widest numbers that lines are drawn through.
const WIDEST: u32 = 64;

/// A line: `y` is so many times `x`, and so much more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    slope: i128,
    start: i128,
}

impl Line {
    /// The line through two points.
    fn through((x0, y0): (i128, i128), (x1, y1): (i128, i128)) -> Option<Line> {
        let (run, rise) = (x1 - x0, y1 - y0);
        if run == 0 || rise == 0 || rise % run != 0 {
            return None;
        }
        let slope = rise / run;
        let start = y0 - slope * x0;
        (slope.abs() <= STEEPEST && start.abs() <= FARTHEST).then_some(Line { slope, start })
    }

    /// That a point is on it.
    fn meets(self, names: &mut Names<'_>, x: TermId, y: TermId) -> TermId {
        let width = names.terms.width(x).max(names.terms.width(y));
        let (x, y) = (names.terms.sign_extend(x, width), names.terms.sign_extend(y, width));
        let slope = names.terms.bit_vector(self.slope as u128, width);
        let start = names.terms.bit_vector(self.start as u128, width);
        let product = names.terms.multiply(x, slope);
        let there = names.terms.add(product, start);
        names.terms.equal(y, there)
    }
}

/// Says of joined numbers how they go with each other, and with those that were not joined.
pub(crate) fn join_relations(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    joined: &[Joined],
    others: &[Joined],
    general: &mut State,
) {
    let mut pairs = Vec::new();
    for (index, &number) in joined.iter().enumerate() {
        let others = joined[index + 1..].iter().chain(others);
        pairs.extend(others.filter(|other| other.value != number.value).map(|&o| (number, o)));
    }
    pairs.truncate(MOST_PAIRS);
    let points = Points::of(reasoner, sides);
    for &(a, b) in &pairs {
        if reasoner.names.terms.width(a.value) == reasoner.names.terms.width(b.value) {
            join_strict_order(reasoner, sides, (a, b), general);
        }
        let Some(points) = &points else { continue };
        for (x, y) in [(a, b), (b, a)] {
            if join_line(reasoner, sides, points, (x, y), general) {
                break;
            }
        }
    }
}

fn join_strict_order(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    (a, b): (Joined, Joined),
    general: &mut State,
) {
    for (low, high) in [(a, b), (b, a)] {
        if is_less(reasoner, sides.0, low.known, high.known)
            && is_less(reasoner, sides.1, low.new, high.new)
        {
            let order = reasoner.names.terms.signed_less(low.value, high.value);
            assume(&mut reasoner.names, general, order, None);
        }
    }
}

fn is_less(reasoner: &mut Reasoner<'_>, state: &State, low: TermId, high: TermId) -> bool {
    let contrary = reasoner.names.terms.signed_less_equal(high, low);
    low != high && matches!(reasoner.possible(state, contrary), Possible::No)
}

/// Keeps the line through two numbers, if both sides are on it.
fn join_line(
    reasoner: &mut Reasoner<'_>,
    (known, new): Sides<'_>,
    points: &Points,
    (x, y): (Joined, Joined),
    general: &mut State,
) -> bool {
    let width = |number: Joined| reasoner.names.terms.width(number.value);
    if width(x).max(width(y)) > WIDEST {
        return false;
    }
    let one = points.known.point(&reasoner.names, x.known, y.known);
    let other = points.new.point(&reasoner.names, x.new, y.new);
    let Some(line) = Line::through(one, other) else { return false };
    let on_known = line.meets(&mut reasoner.names, x.known, y.known);
    let on_new = line.meets(&mut reasoner.names, x.new, y.new);
    if !holds(reasoner, known, on_known) || !holds(reasoner, new, on_new) {
        return false;
    }
    let law = line.meets(&mut reasoner.names, x.value, y.value);
    assume(&mut reasoner.names, general, law, None);
    true
}

fn holds(reasoner: &mut Reasoner<'_>, state: &State, condition: TermId) -> bool {
    let contrary = reasoner.names.terms.not(condition);
    matches!(reasoner.possible(state, contrary), Possible::No)
}

/// One execution of either side.
struct Points {
    known: Execution,
    new: Execution,
}

struct Execution(Arc<Model>);

impl Points {
    fn of(reasoner: &mut Reasoner<'_>, (known, new): Sides<'_>) -> Option<Points> {
        let mut one = |state: &State| match reasoner.possible(state, TermId::TRUE) {
            Possible::Yes(model) => Some(Execution(model)),
            Possible::No | Possible::Perhaps => None,
        };
        Some(Points { known: one(known)?, new: one(new)? })
    }
}

impl Execution {
    /// What two numbers are in it, signed.
    fn point(&self, names: &Names<'_>, x: TermId, y: TermId) -> (i128, i128) {
        let value = |term| {
            let bits = self.0.evaluate(&names.terms, term).as_bit_vector().bits();
            sign_extend(bits, names.terms.width(term))
        };
        (value(x), value(y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_through_both_points() {
        let line = Line::through((4, 16), (8, 32));
        assert_eq!(line, Some(Line { slope: 4, start: 0 }));
        let line = Line::through((0, 7), (3, 1));
        assert_eq!(line, Some(Line { slope: -2, start: 7 }));
    }

    #[test]
    fn no_line_goes_up_by_a_fraction_nor_stands_still() {
        assert_eq!(Line::through((0, 0), (2, 3)), None);
        assert_eq!(Line::through((1, 5), (1, 9)), None);
        assert_eq!(Line::through((1, 5), (2, 5)), None);
    }
}
