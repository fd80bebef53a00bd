//! How many elements an array has room for, where a variable counts them.
//!
//! A vector has a length and a capacity, and `length <= capacity` is kept as long as both are there. Once the capacity is not used any more, the
//! size of the block is all that is left of it, and that so many elements as the length says have room in it is neither an order between two numbers nor a linear
//! law.

use heapwright_logic::TermId;
use rustc_hash::FxHashSet;

use crate::abstraction::project::is_name;
use crate::heap::block::{BlockId, Life};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::assume;
use crate::reasoning::places::prove;
use crate::summary::matched::{Joined, Match, Sides};

/// Numbers that an array is compared with.
const MOST_NUMBERS: usize = 6;

/// Arrays that are looked at.
const MOST_ARRAYS: usize = 4;

/// Says of numbers that so many elements have room in a block, where that follows from numbers which are about to be forgotten.
pub(crate) fn bridge_room(
    reasoner: &mut Reasoner<'_>,
    state: &mut State,
    live: &FxHashSet<TermId>,
) {
    for (_, size) in arrays(&mut reasoner.names, state) {
        if !is_told_by_dead(&reasoner.names, state, size, live) {
            continue;
        }
        for number in counts(&reasoner.names, state) {
            let facts = facts_of(&mut reasoner.names, number, size);
            let widest = facts.into_iter().find(|&fact| prove(reasoner, state, fact));
            if let Some(fact) = widest.filter(|fact| !state.condition.contains(fact)) {
                assume(&mut reasoner.names, state, fact, None);
            }
        }
    }
}

/// Says the same of numbers and sizes that have just been joined, where it holds on both sides.
pub(crate) fn join_room(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    found: &Match,
    (joined, others): (&[Joined], &[Joined]),
    general: &mut State,
) {
    for (id, size) in arrays(&mut reasoner.names, general) {
        let Some(known) = sides.0.blocks.get(&id) else { continue };
        let Some(new) = found.blocks.get(&id).and_then(|id| sides.1.blocks.get(id)) else {
            continue;
        };
        let size = Joined { value: size, known: known.size, new: new.size };
        let is_new = joined.iter().any(|number| number.value == size.value);
        let numbers = joined.iter().chain(others).filter(|number| number.value != size.value);
        for &number in numbers.take(MOST_NUMBERS) {
            let [said, of_known, of_new] =
                [(number.value, size.value), (number.known, size.known), (number.new, size.new)]
                    .map(|(number, size)| facts_of(&mut reasoner.names, number, size));
            for ((said, of_known), of_new) in said.into_iter().zip(of_known).zip(of_new) {
                let is_said =
                    sides.0.condition.contains(&of_known) || sides.1.condition.contains(&of_new);
                if (is_new || is_said)
                    && prove(reasoner, sides.0, of_known)
                    && prove(reasoner, sides.1, of_new)
                {
                    if !general.condition.contains(&said) {
                        assume(&mut reasoner.names, general, said, None);
                    }
                    break;
                }
            }
        }
    }
}

/// Blocks whose size is a number with a name.
fn arrays(names: &mut Names<'_>, state: &State) -> Vec<(BlockId, TermId)> {
    let live = state.blocks.iter().filter(|(_, block)| block.life == Life::Alive);
    live.filter(|(_, block)| is_name(names, block.size))
        .map(|(&id, block)| (id, block.size))
        .take(MOST_ARRAYS)
        .collect()
}

/// Whether something is said of a size together with a number that nobody holds any more.
fn is_told_by_dead(
    names: &Names<'_>,
    state: &State,
    size: TermId,
    live: &FxHashSet<TermId>,
) -> bool {
    state.condition.iter().any(|&conjunct| {
        let free = names.terms.free_variables(&[conjunct]);
        free.contains(&size) && free.iter().any(|name| !live.contains(name))
    })
}

/// Numbers of the program that may count elements.
fn counts(names: &Names<'_>, state: &State) -> Vec<TermId> {
    let mut numbers = state.held_by_members(names);
    let bits = names.pointer_bits();
    numbers.retain(|&number| is_name(names, number) && names.terms.width(number) <= bits);
    numbers.truncate(MOST_NUMBERS);
    numbers
}

/// That so many elements have room, and first that one more has, for each distance that elements of the program have: a number may be
/// the index of an element as well as a count. Each formula says more than those behind it that speak of the same distance.
fn facts_of(names: &mut Names<'_>, number: TermId, size: TermId) -> Vec<TermId> {
    let bits = names.pointer_bits();
    if names.terms.width(number) > bits {
        return Vec::new();
    }
    let number = names.terms.sign_extend(number, bits);
    let strides = names.facts.layout.strides.clone();
    let most = u128::MAX >> (128 - bits);
    let one = names.terms.bit_vector(1, bits);
    let one_more = names.terms.add(number, one);
    let fact = |(stride, number): (u64, TermId)| {
        let terms = &mut names.terms;
        // So that it does not wrap.
        let limit = terms.bit_vector(most / u128::from(stride), bits);
        let is_few = terms.unsigned_less_equal(number, limit);
        let stride = terms.bit_vector(u128::from(stride), bits);
        let end = terms.multiply(number, stride);
        let has_room = terms.unsigned_less_equal(end, size);
        terms.and(is_few, has_room)
    };
    let told = strides.into_iter().rev();
    told.flat_map(|stride| [(stride, one_more), (stride, number)]).map(fact).collect()
}
