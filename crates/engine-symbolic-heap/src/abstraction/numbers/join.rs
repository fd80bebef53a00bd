//! Joining numbers: what is said of a number that stands for one of two.
//!
//! Ranges are read off the path conditions, and widened to landmarks: constants that the program
//! compares with. Orders between numbers are kept where they hold on both sides, and within a kind
//! of node the two sides themselves, as alternatives, for as long as they are small.

use std::collections::BTreeMap;

use heapwright_logic::{Sort, TermId};

use crate::context::Context;
use crate::heap::range::Range;
use crate::heap::state::State;
use crate::reasoning::path_condition::Possible;
use crate::summary::matched::{Match, Sides};

/// Pairs of numbers whose order is asked for in one generalisation.
const MOST_ORDERS: usize = 24;

/// The largest formula that alternatives may make.
const LARGEST_ALTERNATIVE: usize = 60;

/// A number of the general state, and what it is in either state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joined {
    pub(crate) value: TermId,
    pub(crate) known: TermId,
    pub(crate) new: TermId,
}

impl Context<'_> {
    /// Keeps what the new condition implies; gives the numbers of which more was said.
    pub(crate) fn weaken_condition(
        &mut self,
        (known, new): Sides<'_>,
        found: &Match,
        conjuncts: &[TermId],
        general: &mut State,
    ) -> Vec<Joined> {
        let mut loose: Vec<TermId> = Vec::new();
        let mut kept: Vec<TermId> = Vec::new();
        for &conjunct in &known.condition {
            if !conjuncts.contains(&conjunct) || self.is_implied(conjunct, new, found) {
                kept.push(conjunct);
            } else {
                loose.extend(self.names.terms.free_variables(&[conjunct]));
            }
        }
        general.condition = kept.into_iter().collect();
        loose.sort_unstable();
        loose.dedup();
        loose
            .into_iter()
            .filter(|&value| matches!(self.names.terms.sort(value), Sort::BitVector(_)))
            .filter_map(|value| {
                let new = *found.variables.get(&value)?;
                Some(Joined { value, known: value, new })
            })
            .collect()
    }

    /// A variable for a number or truth value of which there are two.
    pub(crate) fn joined_number(&mut self, like: TermId) -> TermId {
        match self.names.terms.sort(like) {
            // A plain variable, so that it covers any truth value the next time.
            Sort::Boolean => self.names.fresh_truth("either"),
            _ => self.names.fresh("number", self.names.terms.width(like)),
        }
    }

    /// Says of joined numbers what holds on both sides.
    pub(crate) fn join_numbers(
        &mut self,
        sides: Sides<'_>,
        found: &Match,
        joined: &[Joined],
        eager: bool,
        general: &mut State,
    ) {
        let numbers: Vec<Joined> = joined
            .iter()
            .copied()
            .filter(|number| matches!(self.names.terms.sort(number.value), Sort::BitVector(_)))
            .collect();
        for number in &numbers {
            let range = self.joined_range(sides, number, eager);
            self.assume_range(general, number.value, range);
        }
        let mut pairs = Vec::new();
        let partners = self.partners(sides.0, found);
        for (index, &number) in numbers.iter().enumerate() {
            let others = numbers[index + 1..].iter().chain(&partners);
            pairs.extend(others.filter(|other| other.value != number.value).map(|&o| (number, o)));
        }
        pairs.retain(|(a, b)| self.names.terms.width(a.value) == self.names.terms.width(b.value));
        pairs.truncate(MOST_ORDERS);
        for (a, b) in pairs {
            for (low, high) in [(a, b), (b, a)] {
                if self.is_at_most(sides.0, low.known, high.known)
                    && self.is_at_most(sides.1, low.new, high.new)
                {
                    let order = self.names.terms.signed_less_equal(low.value, high.value);
                    self.assume(general, order, None);
                }
            }
        }
    }

    /// Variables of the program that hold the same number on both sides, by name.
    fn partners(&mut self, known: &State, found: &Match) -> Vec<Joined> {
        self.named_numbers(known)
            .into_iter()
            .filter_map(|value| {
                let new = match found.variables.get(&value) {
                    Some(&new) => new,
                    None if found.is_one_state() => value,
                    None => return None,
                };
                Some(Joined { value, known: value, new })
            })
            .collect()
    }

    fn joined_range(&mut self, (known, new): Sides<'_>, number: &Joined, eager: bool) -> Range {
        let bits = self.names.terms.width(number.value);
        let (old, mut extra) = (self.range(known, number.known), self.range(new, number.new));
        // What the form of a term does not tell, the solver may.
        if extra.low < old.low {
            let bound = self.names.terms.bit_vector(old.low as u128, bits);
            if self.is_at_most(new, bound, number.new) {
                extra.low = old.low;
            }
        }
        if extra.high > old.high {
            let bound = self.names.terms.bit_vector(old.high as u128, bits);
            if self.is_at_most(new, number.new, bound) {
                extra.high = old.high;
            }
        }
        self.widened(old, extra, bits, eager)
    }

    /// Whether one number is at most another on a path, signed.
    pub(crate) fn is_at_most(&mut self, state: &State, low: TermId, high: TermId) -> bool {
        if low == high {
            return true;
        }
        let (a, b) = (self.range(state, low), self.range(state, high));
        if a.high <= b.low {
            return true;
        }
        let contrary = self.names.terms.signed_less(high, low);
        matches!(self.possible(state, contrary), Possible::No)
    }

    /// The hull of two ranges; a bound that moved goes to a landmark further out.
    fn widened(&self, old: Range, extra: Range, bits: u32, eager: bool) -> Range {
        let hull = old.hull(extra);
        if !eager {
            return hull;
        }
        let full = Range::full(bits);
        let mut range = hull;
        if hull.low < old.low {
            let marks = self.names.facts.landmarks.iter().rev();
            range.low = marks.copied().find(|&mark| mark <= hull.low).unwrap_or(full.low);
        }
        if hull.high > old.high {
            let marks = self.names.facts.landmarks.iter();
            range.high = marks.copied().find(|&mark| mark >= hull.high).unwrap_or(full.high);
        }
        Range { low: range.low.max(full.low), high: range.high.min(full.high) }
    }

    /// Adds that the joined numbers are as on one side or as on the other.
    pub(crate) fn keep_alternatives(
        &mut self,
        (known, new): Sides<'_>,
        found: &Match,
        joined: &[Joined],
        conjuncts: &[TermId],
        general: &mut State,
    ) {
        if joined.is_empty() {
            return;
        }
        let mut names: BTreeMap<TermId, TermId> = BTreeMap::new();
        for number in joined {
            if self.names.terms.as_variable(number.known).is_some() {
                names.entry(number.known).or_insert(number.value);
            }
        }
        let known_conjuncts: Vec<TermId> =
            known.condition.iter().copied().filter(|c| conjuncts.contains(c)).collect();
        let one =
            self.side(&known_conjuncts, &names, joined.iter().map(|j| (j.value, j.known)), None);
        // From names of the new side to those of the general state.
        let mut names: BTreeMap<TermId, TermId> = BTreeMap::new();
        for number in joined {
            if self.names.terms.as_variable(number.new).is_some() {
                names.entry(number.new).or_insert(number.value);
            }
        }
        let own: Vec<TermId> = names.keys().copied().collect();
        for (&a, &b) in &found.variables {
            if self.names.terms.as_variable(b).is_some() {
                names.entry(b).or_insert(a);
            }
        }
        let new_conjuncts: Vec<TermId> = new
            .condition
            .iter()
            .copied()
            .filter(|&conjunct| {
                self.names.terms.free_variables(&[conjunct]).iter().any(|name| own.contains(name))
            })
            .collect();
        let translated = (!found.is_one_state()).then_some(());
        let other =
            self.side(&new_conjuncts, &names, joined.iter().map(|j| (j.value, j.new)), translated);
        let (Some(one), Some(other)) = (one, other) else { return };
        let either = self.names.terms.or(one, other);
        if self.names.terms.reachable(&[either]).len() <= LARGEST_ALTERNATIVE {
            self.assume(general, either, None);
        }
    }

    /// One alternative: conjuncts by the names of the general state, and what the numbers are.
    /// `translated`: conjuncts with names that have no translation are left out.
    fn side(
        &mut self,
        conjuncts: &[TermId],
        names: &BTreeMap<TermId, TermId>,
        numbers: impl Iterator<Item = (TermId, TermId)>,
        translated: Option<()>,
    ) -> Option<TermId> {
        let is_nameable = |context: &Self, term: TermId| {
            context.names.terms.free_variables(&[term]).iter().all(|name| {
                !context.names.blocks_of_addresses.contains_key(name)
                    && (translated.is_none() || names.contains_key(name))
            })
        };
        let mut parts = Vec::new();
        for &conjunct in conjuncts {
            if is_nameable(self, conjunct) {
                parts.push(self.names.terms.substitute(conjunct, names));
            }
        }
        for (value, term) in numbers {
            if names.get(&term) != Some(&value) && is_nameable(self, term) {
                let term = self.names.terms.substitute(term, names);
                parts.push(self.names.terms.equal(value, term));
            }
        }
        if parts.is_empty() {
            return None;
        }
        let mut all = self.names.terms.boolean(true);
        for part in parts {
            all = self.names.terms.and(all, part);
        }
        Some(all)
    }
}
