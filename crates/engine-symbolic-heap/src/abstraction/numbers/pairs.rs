//! Which numbers are compared where states meet.

use heapwright_logic::TermId;

use crate::abstraction::numbers::relations::held_numbers;
use crate::abstraction::project::{is_name, named_numbers};
use crate::heap::names::Names;
use crate::heap::order::{Signedness, Strictness};
use crate::heap::state::State;
use crate::precision::Sorting;
use crate::reasoning::orders::is_ordered;
use crate::summary::matched::{Joined, Match};

/// Names of numbers in sizes of blocks that are compared.
const MOST_SIZES: usize = 3;

/// Members of objects that are compared.
const MOST_MEMBERS: usize = 4;

/// Variables of the program that hold the same number on both sides, by name, and numbers by which sizes are told: an index is compared with
/// them, wherever the program keeps them. Where nodes are sorted, these and all that blocks hold.
pub(super) fn partners(
    names: &mut Names<'_>,
    known: &State,
    found: &Match,
    sorting: Sorting,
) -> Vec<Joined> {
    let mut named = match sorting {
        Sorting::Unseen => named_numbers(names, known),
        Sorting::Seen | Sorting::Downwards => held_numbers(names, known),
    };
    if found.relations.are_seen() {
        let sizes: Vec<TermId> = known.blocks.values().map(|block| block.size).collect();
        let mut sizes = names.terms.free_variables(&sizes);
        sizes.retain(|size| !named.contains(size));
        named.extend(sizes.into_iter().take(MOST_SIZES));
        let mut members = known.held_by_members(names);
        members.retain(|&value| is_name(names, value) && !named.contains(&value));
        named.extend(members.into_iter().take(MOST_MEMBERS));
    }
    named
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

/// Each two of some numbers, and each with each of their partners.
pub(super) fn pairs(numbers: &[Joined], partners: &[Joined]) -> Vec<(Joined, Joined)> {
    let mut pairs = Vec::new();
    for (index, &number) in numbers.iter().enumerate() {
        let others = numbers[index + 1..].iter().chain(partners);
        pairs.extend(others.filter(|other| other.value != number.value).map(|&o| (number, o)));
    }
    pairs
}

/// Whether two numbers are of one width.
pub(super) fn are_alike(names: &Names<'_>, (a, b): &(Joined, Joined)) -> bool {
    names.terms.width(a.value) == names.terms.width(b.value)
}

/// Reads two numbers with as many bits as the wider one has.
pub(super) fn widen_both(names: &mut Names<'_>, (a, b): &mut (Joined, Joined)) {
    let most = names.terms.width(a.value).max(names.terms.width(b.value));
    *a = a.extended(names, most);
    *b = b.extended(names, most);
}

/// Whether it is said which of two numbers is less.
pub(super) fn is_said(names: &Names<'_>, state: &State, (a, b): (TermId, TermId)) -> bool {
    let kind = (Signedness::Signed, Strictness::Strict);
    [(a, b), (b, a)].into_iter().any(|pair| is_ordered(names, state, kind, pair))
}
