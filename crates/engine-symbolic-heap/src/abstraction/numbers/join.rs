//! Joining numbers: what is said of a number that stands for one of two.
//!
//! Ranges are read off the path conditions, and widened to landmarks: constants that the program
//! compares with. Orders between numbers are kept where they hold on both sides, and within a prototype
//! of node the two sides themselves, as alternatives, for as long as they are small.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::{Sort, TermId};
use heapwright_program::{VariableId, sign_extend};

use crate::abstraction::numbers::pairs::{are_alike, is_said, pairs, partners, widen_both};
use crate::abstraction::numbers::relations::{join_differences, join_laws, join_strict_orders};
use crate::abstraction::numbers::rests::join_rests;
use crate::abstraction::numbers::room::join_room;
use crate::abstraction::numbers::steps::join_steps;
use crate::abstraction::numbers::unsigned::join_unsigned_orders;
use crate::heap::block::{Block, Life};
use crate::heap::names::Names;
use crate::heap::range::Range;
use crate::heap::state::{Frame, State};
use crate::precision::{Keys, Measuring, Precision, Relations, Sorting};
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::{Possible, assume};
use crate::reasoning::range::{assume_range, is_at_most, range};
use crate::summary::matched::{Joined, Match, Sides};
use crate::summary::matching::is_implied;
use crate::summary::zeros::told_zero;

/// Pairs of numbers whose order is asked for in one generalisation.
const MOST_ORDERS: usize = 24;

/// Pairs of which it is asked whether one is less than the other.
const MOST_STRICT_ORDERS: usize = 48;

/// Both where lists and trees are sorted: their ends are numbers too.
const MOST_ORDERS_OF_SORTED: usize = 96;

/// The same where texts are seen: few numbers go without a neighbour there.
const MOST_ORDERS_OF_TEXTS: usize = 96;

/// The largest formula that alternatives may make.
const LARGEST_ALTERNATIVE: usize = 60;

/// Keeps what the new condition implies; gives the numbers of which more was said.
pub(crate) fn weaken_condition(
    reasoner: &mut Reasoner<'_>,
    (known, new): Sides<'_>,
    found: &Match,
    conjuncts: &[TermId],
    general: &mut State,
) -> Vec<Joined> {
    let mut loose: Vec<TermId> = Vec::new();
    let mut kept: Vec<TermId> = Vec::new();
    for &conjunct in &known.condition {
        if !conjuncts.contains(&conjunct) || is_implied(reasoner, conjunct, new, found) {
            kept.push(conjunct);
        } else {
            loose.extend(reasoner.names.terms.free_variables(&[conjunct]));
        }
    }
    general.condition = kept.into_iter().collect();
    loose.sort_unstable();
    loose.dedup();
    loose
        .into_iter()
        .filter(|&value| matches!(reasoner.names.terms.sort(value), Sort::BitVector(_)))
        .filter_map(|value| {
            let new = *found.variables.get(&value)?;
            Some(Joined { value, known: value, new })
        })
        .collect()
}

/// A variable for a number or truth value of which there are two.
pub(crate) fn joined_number(names: &mut Names<'_>, like: TermId) -> TermId {
    match names.terms.sort(like) {
        // A plain variable, so that it covers any truth value the next time.
        Sort::Boolean => names.fresh_truth("either"),
        _ => names.fresh("number", names.terms.width(like)),
    }
}

/// Says of joined numbers what holds on both sides.
pub(crate) fn join_numbers(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    found: &Match,
    joined: &[Joined],
    (widens, precision): (bool, &Precision),
    general: &mut State,
) {
    let numbers: Vec<Joined> = joined
        .iter()
        .copied()
        .filter(|number| matches!(reasoner.names.terms.sort(number.value), Sort::BitVector(_)))
        .collect();
    if numbers.is_empty() {
        return;
    }
    let relations = precision.relations;
    let sees_more = relations.are_seen() || precision.sorting.is_seen();
    let (known, new) = match sees_more {
        true => (with_execution(reasoner, sides.0), with_execution(reasoner, sides.1)),
        false => (sides.0.clone(), sides.1.clone()),
    };
    let sides = (&known, &new);
    let stops = stops(&mut reasoner.names, sides.0, relations);
    for number in &numbers {
        let landmarks = widens.then(|| stops.of(&reasoner.names, sides.0, number.known));
        let range = joined_range(reasoner, sides, number, landmarks.as_deref());
        assume_range(&mut reasoner.names, general, number.value, range);
    }
    let partners = partners(&mut reasoner.names, sides.0, found, precision.sorting);
    let mut pairs = pairs(&numbers, &partners);
    if precision.sorting.is_seen() {
        pairs.retain(|pair| are_alike(&reasoner.names, pair));
        join_unsigned_orders(reasoner, sides, &pairs, general);
    }
    if sees_more {
        let strict = &pairs[..pairs.len().min(most_strict_orders(precision.sorting))];
        join_strict_orders(reasoner, sides, strict, relations, general);
    }
    if relations.are_seen() {
        join_laws(reasoner, sides, (found, precision), &numbers, general);
        join_rests(reasoner, sides, found, (&numbers, &partners), general);
        join_room(reasoner, sides, found, (&numbers, &partners), general);
    }
    match relations {
        Relations::Unseen | Relations::Seen | Relations::Lengths => {
            pairs.retain(|pair| are_alike(&reasoner.names, pair));
            join_differences(reasoner, sides, &pairs, general);
            pairs.truncate(match precision.sorting {
                Sorting::Unseen => MOST_ORDERS,
                Sorting::Seen | Sorting::Downwards => MOST_ORDERS_OF_SORTED,
            });
        }
        // An index may be narrower than the place of a zero.
        Relations::Texts => {
            pairs.truncate(MOST_ORDERS_OF_TEXTS);
            for pair in &mut pairs {
                widen_both(&mut reasoner.names, pair);
            }
            join_differences(reasoner, sides, &pairs, general);
        }
    }
    // What follows from strict orders that are said already is not said again.
    if precision.sorting.is_seen() {
        pairs.retain(|(a, b)| !is_said(&reasoner.names, general, (a.value, b.value)));
    }
    join_orders(reasoner, sides, (&pairs, precision.measuring), general);
}

/// Pairs of numbers of which it is asked which is less.
fn most_strict_orders(sorting: Sorting) -> usize {
    match sorting {
        Sorting::Unseen => MOST_STRICT_ORDERS,
        Sorting::Seen | Sorting::Downwards => MOST_ORDERS_OF_SORTED,
    }
}

/// Says of pairs of numbers which is at most which, or one more at most.
fn join_orders(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    (pairs, measuring): (&[(Joined, Joined)], Measuring),
    general: &mut State,
) {
    for &(a, b) in pairs {
        for (low, high) in [(a, b), (b, a)] {
            if is_at_most(reasoner, sides.0, low.known, high.known)
                && is_at_most(reasoner, sides.1, low.new, high.new)
            {
                let order = reasoner.names.terms.signed_less_equal(low.value, high.value);
                assume(&mut reasoner.names, general, order, None);
            }
        }
    }
    match measuring {
        Measuring::Unseen => {}
        Measuring::Seen => join_steps(reasoner, sides, pairs, general),
    }
}

/// The state with an execution at hand, which refutes most of what is asked without a question.
fn with_execution(reasoner: &mut Reasoner<'_>, state: &State) -> State {
    let mut state = state.clone();
    if state.model.is_none()
        && let Possible::Yes(model) = reasoner.possible(&state, TermId::TRUE)
    {
        state.model = Some(model);
    }
    state
}

/// Where ranges that grow may stop.
struct Stops {
    /// At constants that the program compares with.
    compared: Compared,
    /// Where numbers are related to each other, at those that variables hold: what grows up to such a variable
    /// will be known to be at most that.
    held: Vec<i128>,
}

/// Which constants a number may stop at.
enum Compared {
    /// Those of the whole program.
    WithAny,
    /// Those with which the program compares a variable that holds the number, if one does. Programs that read texts name
    /// many characters, at each of which the place in a text would stop.
    WithHolder,
}

impl Stops {
    /// Those of one number, in order.
    fn of(&self, names: &Names<'_>, known: &State, number: TermId) -> Vec<i128> {
        let landmarks = &names.facts.landmarks;
        let own: Vec<VariableId> = match self.compared {
            Compared::WithAny => Vec::new(),
            Compared::WithHolder => holders(names, known, number),
        };
        let mut stops = match own.is_empty() {
            true => landmarks.all.clone(),
            false => own.iter().flat_map(|&one| landmarks.of_variable(one)).copied().collect(),
        };
        stops.extend(&self.held);
        stops.sort_unstable();
        stops.dedup();
        stops
    }
}

/// The variables of active functions that hold a number.
fn holders(names: &Names<'_>, state: &State, number: TermId) -> Vec<VariableId> {
    let of_frame = |frame: &Frame| {
        let holds =
            |variable: &VariableId| frame.registers[names.facts.slot(*variable)] == Some(number);
        names.facts.variables_of(frame.function).iter().copied().filter(holds).collect::<Vec<_>>()
    };
    state.frames.iter().flat_map(of_frame).collect()
}

fn stops(names: &mut Names<'_>, known: &State, relations: Relations) -> Stops {
    let compared = match relations {
        Relations::Unseen | Relations::Seen | Relations::Lengths => Compared::WithAny,
        Relations::Texts => Compared::WithHolder,
    };
    let mut held = Vec::new();
    if !relations.are_seen() {
        return Stops { compared, held };
    }
    for value in known.held_by_members(names) {
        let Sort::BitVector(bits) = names.terms.sort(value) else { continue };
        if let Some(constant) = names.constant(value) {
            let landmark = sign_extend(constant, bits);
            held.push(landmark);
            // The last byte of a buffer is for the zero.
            if relations == Relations::Texts {
                held.push(landmark - 1);
            }
        }
        // Walks along a text that is known stop at its end.
        if relations == Relations::Texts
            && let Some((block, _)) = names.pointer(value)
            && let Some(block) = known.blocks.get(&block)
        {
            let ends = [1, 4].map(|size| told_zero(names, block, size));
            let characters = ends.into_iter().flatten().map(|(offset, zero)| offset / zero.size);
            held.extend(characters.map(i128::from));
        }
    }
    held.extend(rooms(names, known));
    Stops { compared, held }
}

/// Arrays that numbers may count the elements of.
const MOST_ROOMS: usize = 3;

/// How many elements there is room for in arrays of a size that is told: what counts them grows up to that.
fn rooms(names: &Names<'_>, known: &State) -> Vec<i128> {
    let is_array = |block: &&Arc<Block>| {
        let mut cells = block.cells.values();
        block.life == Life::Alive
            && block.is_single()
            && !block.is_of_program()
            && cells.all(|cell| !names.holds_address(cell.value))
    };
    let arrays = known.blocks.values().filter(is_array);
    let sizes = arrays.filter_map(|block| names.constant(block.size)).take(MOST_ROOMS);
    let strides = &names.facts.layout.strides;
    sizes
        .flat_map(|size| strides.iter().map(move |&stride| size as i128 / i128::from(stride)))
        .collect()
}

fn joined_range(
    reasoner: &mut Reasoner<'_>,
    (known, new): Sides<'_>,
    number: &Joined,
    widened_to: Option<&[i128]>,
) -> Range {
    let bits = reasoner.names.terms.width(number.value);
    let (old, mut extra) = (
        range(&mut reasoner.names, known, number.known),
        range(&mut reasoner.names, new, number.new),
    );
    // What the form of a term does not tell, the solver may.
    if extra.low < old.low {
        let bound = reasoner.names.terms.bit_vector(old.low as u128, bits);
        if is_at_most(reasoner, new, bound, number.new) {
            extra.low = old.low;
        }
    }
    if extra.high > old.high {
        let bound = reasoner.names.terms.bit_vector(old.high as u128, bits);
        if is_at_most(reasoner, new, number.new, bound) {
            extra.high = old.high;
        }
    }
    match widened_to {
        Some(landmarks) => widened(landmarks, old, extra, bits),
        None => old.hull(extra),
    }
}

/// The hull of two ranges; a bound that moved goes to a landmark further out.
fn widened(landmarks: &[i128], old: Range, extra: Range, bits: u32) -> Range {
    let hull = old.hull(extra);
    let full = Range::full(bits);
    let mut range = hull;
    if hull.low < old.low {
        let marks = landmarks.iter().rev();
        range.low = marks.copied().find(|&mark| mark <= hull.low).unwrap_or(full.low);
    }
    if hull.high > old.high {
        let marks = landmarks.iter();
        range.high = marks.copied().find(|&mark| mark >= hull.high).unwrap_or(full.high);
    }
    Range { low: range.low.max(full.low), high: range.high.min(full.high) }
}

/// Adds that the joined numbers are as on one side or as on the other. Where nodes are told apart by what variables hold, a number that all
/// nodes share is no node's own: each has that one, or another.
pub(crate) fn keep_alternatives(
    names: &mut Names<'_>,
    (known, new): Sides<'_>,
    found: &Match,
    (joined, keys): (&[Joined], Keys),
    conjuncts: &[TermId],
    general: &mut State,
) {
    if joined.is_empty() {
        return;
    }
    let is_own = |names: &Names<'_>, number: TermId| {
        names.terms.as_variable(number).is_some()
            && (!keys.keep_states_apart() || found.levels.contains_key(&number))
    };
    let mut translation: BTreeMap<TermId, TermId> = BTreeMap::new();
    for number in joined {
        if is_own(names, number.known) {
            translation.entry(number.known).or_insert(number.value);
        }
    }
    let known_conjuncts: Vec<TermId> =
        known.condition.iter().copied().filter(|c| conjuncts.contains(c)).collect();
    let one = side(
        names,
        &known_conjuncts,
        &translation,
        joined.iter().map(|j| (j.value, j.known)),
        None,
    );
    // From names of the new side to those of the general state.
    let mut translation: BTreeMap<TermId, TermId> = BTreeMap::new();
    for number in joined {
        if is_own(names, number.new) {
            translation.entry(number.new).or_insert(number.value);
        }
    }
    let own: Vec<TermId> = translation.keys().copied().collect();
    for (&a, &b) in &found.variables {
        if names.terms.as_variable(b).is_some() {
            translation.entry(b).or_insert(a);
        }
    }
    let new_conjuncts: Vec<TermId> = new
        .condition
        .iter()
        .copied()
        .filter(|&conjunct| {
            names.terms.free_variables(&[conjunct]).iter().any(|name| own.contains(name))
        })
        .collect();
    let translated = (!found.is_one_state()).then_some(());
    let other = side(
        names,
        &new_conjuncts,
        &translation,
        joined.iter().map(|j| (j.value, j.new)),
        translated,
    );
    let (Some(one), Some(other)) = (one, other) else { return };
    let either = names.terms.or(one, other);
    if names.terms.reachable(&[either]).len() <= LARGEST_ALTERNATIVE {
        assume(names, general, either, None);
    }
}

/// One alternative: conjuncts by the names of the general state, and what the numbers are.
/// `translated`: conjuncts with names that have no translation are left out.
fn side(
    names: &mut Names<'_>,
    conjuncts: &[TermId],
    translation: &BTreeMap<TermId, TermId>,
    numbers: impl Iterator<Item = (TermId, TermId)>,
    translated: Option<()>,
) -> Option<TermId> {
    let is_nameable = |names: &Names<'_>, term: TermId| {
        names.terms.free_variables(&[term]).iter().all(|name| {
            !names.blocks_of_addresses.contains_key(name)
                && (translated.is_none() || translation.contains_key(name))
        })
    };
    let mut parts = Vec::new();
    for &conjunct in conjuncts {
        if is_nameable(names, conjunct) {
            parts.push(names.terms.substitute(conjunct, translation));
        }
    }
    for (value, term) in numbers {
        if translation.get(&term) != Some(&value) && is_nameable(names, term) {
            let term = names.terms.substitute(term, translation);
            parts.push(names.terms.equal(value, term));
        }
    }
    if parts.is_empty() {
        return None;
    }
    let mut all = names.terms.boolean(true);
    for part in parts {
        all = names.terms.and(all, part);
    }
    Some(all)
}
