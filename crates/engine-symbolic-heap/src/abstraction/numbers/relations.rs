//! Relations between numbers that a join keeps: strict orders, and linear laws.
//!
//! A size is four times a capacity, a cursor's offset eight times a counter, the nodes of a list and a
//! counter make the number of rounds. Nothing rests on how they are found
//! ([`crate::abstraction::numbers::laws`]), and the invariant has to be closed in the end.

use heapwright_logic::{Sort, TermId};
use rustc_hash::FxHashSet;

use crate::abstraction::numbers::laws::{MOST_NUMBERS, Read, Side, common_laws};
use crate::abstraction::project::is_name;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::precision::{Precision, Relations};
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::{Possible, assume};
use crate::reasoning::range::is_less;
use crate::summary::matched::Joined;
use crate::summary::matched::{Match, Sides};

/// Sizes of blocks that laws speak of, where they were numbers before.
const MOST_SIZES: usize = 3;

/// The widest numbers that laws speak of.
const WIDEST: u32 = 64;

/// Says of pairs of numbers which is less than which.
pub(crate) fn join_strict_orders(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    pairs: &[(Joined, Joined)],
    relations: Relations,
    general: &mut State,
) {
    for &(a, b) in pairs {
        let widths = [a, b].map(|number| reasoner.names.terms.width(number.value));
        // An index may be narrower than the place of a zero.
        if widths[0] == widths[1] || relations == Relations::Texts {
            let most = widths[0].max(widths[1]);
            let wide = [a, b].map(|number| number.extended(&mut reasoner.names, most));
            join_strict_order(reasoner, sides, (wide[0], wide[1]), general);
        }
    }
}

/// Says of pairs of numbers that they differ, where one side says so in so many words.
pub(crate) fn join_differences(
    reasoner: &mut Reasoner<'_>,
    (known, new): Sides<'_>,
    pairs: &[(Joined, Joined)],
    general: &mut State,
) {
    for &(a, b) in pairs {
        let terms = &mut reasoner.names.terms;
        if terms.width(a.value) != terms.width(b.value) {
            continue;
        }
        let on_known = terms.not_equal(a.known, b.known);
        let on_new = terms.not_equal(a.new, b.new);
        let is_said = known.condition.contains(&on_known) || new.condition.contains(&on_new);
        if is_said && holds(reasoner, known, on_known) && holds(reasoner, new, on_new) {
            let differ = reasoner.names.terms.not_equal(a.value, b.value);
            assume(&mut reasoner.names, general, differ, None);
        }
    }
}

fn holds(reasoner: &mut Reasoner<'_>, state: &State, condition: TermId) -> bool {
    let contrary = reasoner.names.terms.not(condition);
    matches!(reasoner.possible(state, contrary), Possible::No)
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

/// Keeps the laws of joined numbers and others that hold on both sides.
pub(crate) fn join_laws(
    reasoner: &mut Reasoner<'_>,
    (known, new): Sides<'_>,
    (found, precision): (&Match, &Precision),
    joined: &[Joined],
    general: &mut State,
) {
    let is_narrow = |number: &Joined| reasoner.names.terms.width(number.value) <= WIDEST;
    let mut numbers: Vec<Joined> = joined.iter().copied().filter(is_narrow).collect();
    numbers.truncate(MOST_NUMBERS);
    let count = numbers.len();
    if count == 0 {
        return;
    }
    let sizes = known.blocks.values().map(|block| block.size);
    let sizes = sizes.filter(|&size| is_name(&reasoner.names, size)).take(MOST_SIZES);
    let mut others = held_numbers(&reasoner.names, known);
    others.extend(sizes.collect::<Vec<TermId>>());
    for value in others {
        let new = match found.variables.get(&value) {
            Some(&new) => new,
            None if found.is_one_state() => value,
            None => continue,
        };
        if numbers.iter().all(|number| number.value != value) {
            numbers.push(Joined { value, known: value, new });
        }
    }
    numbers.truncate(MOST_NUMBERS);
    let of = |choose: fn(&Joined) -> TermId| numbers.iter().map(choose).collect::<Vec<TermId>>();
    let sides = [
        Side { state: known, numbers: of(|number| number.known) },
        Side { state: new, numbers: of(|number| number.new) },
    ];
    let values = of(|number| number.value);
    let speaks_of_joined = |law: &Read| (0..count).any(|number| law.has(number));
    for law in common_laws(reasoner, precision, &sides) {
        if speaks_of_joined(&law) && law.is_worth_saying() {
            let law = law.says(&mut reasoner.names, &values);
            assume(&mut reasoner.names, general, law, None);
        }
    }
}

/// Says of live numbers what so far followed from dead ones: the laws that hold between them.
pub(crate) fn bridge_laws(
    reasoner: &mut Reasoner<'_>,
    precision: &Precision,
    state: &mut State,
    live: &FxHashSet<TermId>,
) {
    let numbers = numbers_beside_dead(&reasoner.names, state, live);
    if numbers.is_empty() {
        return;
    }
    let sides = [Side { state: &*state, numbers: numbers.clone() }];
    let laws = common_laws(reasoner, precision, &sides);
    for law in laws {
        let law = law.says(&mut reasoner.names, &numbers);
        if !state.condition.contains(&law) {
            assume(&mut reasoner.names, state, law, None);
        }
    }
}

/// Live numbers of which something is said together with dead ones, if it may be a law.
fn numbers_beside_dead(names: &Names<'_>, state: &State, live: &FxHashSet<TermId>) -> Vec<TermId> {
    let is_dead = |variable: &TermId| {
        !live.contains(variable)
            && !names.stand_ins.contains(variable)
            && !names.blocks_of_addresses.contains_key(variable)
    };
    let mut numbers = Vec::new();
    for &conjunct in &state.condition {
        let free = names.terms.free_variables(&[conjunct]);
        if free.len() > 1 && free.iter().any(is_dead) {
            numbers.extend(free.into_iter().filter(|variable| {
                live.contains(variable)
                    && !names.blocks_of_addresses.contains_key(variable)
                    && is_number(names, *variable)
            }));
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers.truncate(MOST_NUMBERS);
    numbers
}

/// Numbers with a name that variables, blocks and ends of summaries hold.
pub(crate) fn held_numbers(names: &Names<'_>, state: &State) -> Vec<TermId> {
    let mut values = state.held_by_variables();
    values.extend(state.blocks.values().flat_map(|block| block.fields()).map(|(_, value)| value));
    values.retain(|&value| {
        is_number(names, value)
            && names.terms.as_variable(value).is_some()
            && !names.blocks_of_addresses.contains_key(&value)
    });
    values.sort_unstable();
    values.dedup();
    values
}

fn is_number(names: &Names<'_>, value: TermId) -> bool {
    matches!(names.terms.sort(value), Sort::BitVector(bits) if bits <= WIDEST)
}
