//! Numbers that differ by one at most: what is put into a balanced tree makes it one higher, or leaves it as high as it was.

use heapwright_logic::{Sort, TermId};
use rustc_hash::FxHashSet;

use crate::abstraction::project::is_name;
use crate::heap::block::End;
use crate::heap::state::State;
use crate::precision::{Measuring, Precision};
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::{Possible, assume};
use crate::reasoning::range::is_at_most;
use crate::summary::matched::{Joined, Sides};

/// Pairs of numbers that are compared.
const MOST_PAIRS: usize = 16;

/// Says of measures and of numbers that callers hold how they compare, where that follows from numbers which are about to be forgotten.
pub(crate) fn bridge_steps(
    reasoner: &mut Reasoner<'_>,
    precision: &Precision,
    state: &mut State,
    live: &FxHashSet<TermId>,
) {
    match precision.measuring {
        Measuring::Unseen => return,
        Measuring::Seen if state.outside.is_none() => return,
        Measuring::Seen => {}
    }
    let is_dead = |conjunct: &TermId| {
        let free = reasoner.names.terms.free_variables(&[*conjunct]);
        free.iter().any(|name| !live.contains(name))
    };
    if !state.condition.iter().any(is_dead) {
        return;
    }
    let width = Sort::BitVector(reasoner.names.pointer_bits());
    let is_wide = |value: &TermId| reasoner.names.terms.sort(*value) == width;
    let held: Vec<TermId> = state.held_outside().filter(is_wide).collect();
    let is_number = |value: &TermId| {
        let free = reasoner.names.terms.free_variables(&[*value]);
        !free.is_empty() && free.iter().all(|name| is_name(&reasoner.names, *name))
    };
    let held: Vec<TermId> = held.into_iter().filter(is_number).collect();
    let trees = state.blocks.values().filter(|block| block.tree().is_some());
    let measures = trees.flat_map(|block| [End::Height, End::Length].map(|end| block.end(end)));
    let measures: Vec<TermId> = measures.flatten().collect();
    if let Possible::Yes(model) = reasoner.possible(state, TermId::TRUE) {
        state.model = Some(model);
    }
    let mut found = Vec::new();
    let pairs = measures.iter().flat_map(|&one| held.iter().map(move |&other| (one, other)));
    for (one, other) in pairs.filter(|(one, other)| one != other).take(MOST_PAIRS) {
        for (low, high) in [(one, other), (other, one)] {
            let more = one_more(reasoner, low);
            let steps = [(high, low), (high, more)];
            if let Some((least, most)) =
                steps.into_iter().find(|&(least, most)| is_at_most(reasoner, state, least, most))
            {
                found.push(reasoner.names.terms.signed_less_equal(least, most));
            }
        }
    }
    for fact in found {
        if !state.condition.contains(&fact) {
            assume(&mut reasoner.names, state, fact, None);
        }
    }
}

/// Says of pairs of joined numbers that one is at most one more than the other.
pub(crate) fn join_steps(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    pairs: &[(Joined, Joined)],
    general: &mut State,
) {
    let width = reasoner.names.pointer_bits();
    let is_wide = |pair: &&(Joined, Joined)| reasoner.names.terms.width(pair.0.value) == width;
    let pairs: Vec<(Joined, Joined)> = pairs.iter().filter(is_wide).copied().collect();
    for (a, b) in pairs.into_iter().take(MOST_PAIRS) {
        for (low, high) in [(a, b), (b, a)] {
            let is_said = reasoner.names.terms.signed_less_equal(high.value, low.value);
            if general.condition.contains(&is_said) {
                continue;
            }
            let [said, known, new] =
                [low.value, low.known, low.new].map(|number| one_more(reasoner, number));
            if is_at_most(reasoner, sides.0, high.known, known)
                && is_at_most(reasoner, sides.1, high.new, new)
            {
                let step = reasoner.names.terms.signed_less_equal(high.value, said);
                assume(&mut reasoner.names, general, step, None);
            }
        }
    }
}

fn one_more(reasoner: &mut Reasoner<'_>, number: TermId) -> TermId {
    let terms = &mut reasoner.names.terms;
    let one = terms.bit_vector(1, terms.width(number));
    terms.add(number, one)
}
