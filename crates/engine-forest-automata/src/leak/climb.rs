//! Climbing: whether links lead from the block that fills a hole's link up to the top of the tree, as parents do.
//!
//! Each block on the way has a link to the one above it, which tells it its own address. So who comes to the block with the
//! link to the hole comes to the top.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_forest_text::{Automaton, Known, Parameter, Rule, StateId, Term, Value, hole_in};

/// A state on the way and its parameter for the hole.
type Place = (StateId, usize);

/// How a state is given things: the size of the block above, and the arguments.
type Given<'a> = (u64, &'a [Value<Known>]);

/// Whether what is told in a hole, so many bytes on, leads to the block that tells it, and from there up to the top.
pub(super) fn climbs(automaton: &Automaton, top: Place, (up, by): (usize, i64), word: u64) -> bool {
    let mut given: BTreeMap<Place, Vec<Given<'_>>> = BTreeMap::new();
    let mut seen = BTreeSet::from([top]);
    let mut pending = vec![top];
    while let Some(place) = pending.pop() {
        let (id, hole) = place;
        let state = &automaton.states[id];
        for cell in state.rules.iter().flat_map(Rule::values) {
            match &cell.holds {
                Term::Hole { parameter, ups, .. } if *parameter == hole => {
                    if !is_own(ups[up], by, state.size) {
                        return false;
                    }
                }
                Term::Tree { state: below, arguments, .. } => {
                    let Some(inner) = hole_in(automaton, *below, arguments, hole) else { continue };
                    let next = (*below, inner);
                    given.entry(next).or_default().push((state.size, arguments));
                    if seen.insert(next) {
                        pending.push(next);
                    }
                }
                Term::Hole { .. } | Term::Value(_) => {}
            }
        }
    }
    // The top may be below itself as well.
    given.iter().all(|(place, given)| {
        let parameters = 0..automaton.states[place.0].parameters.len();
        parameters.into_iter().any(|index| leads_up(automaton, (place.0, index), given, word))
    })
}

/// Whether every block of a state has a link to a parameter that is the block above it.
fn leads_up(
    automaton: &Automaton,
    (id, index): (StateId, usize),
    given: &[Given<'_>],
    word: u64,
) -> bool {
    let state = &automaton.states[id];
    let is_link = |rule: &Rule| {
        rule.values().any(|cell| match cell.holds {
            Term::Value(Value::To(Known::Parameter(parameter), by)) => {
                let is_fit = |above: &Given<'_>| is_own(above.1[index], by, above.0);
                parameter == index && cell.width == word && given.iter().all(is_fit)
            }
            Term::Value(_) | Term::Tree { .. } | Term::Hole { .. } => false,
        })
    };
    state.parameters[index] == Parameter::Plain && state.rules.iter().all(is_link)
}

/// Whether a value is a block's own address, and so many bytes behind that is still at the block.
fn is_own(value: Value<Known>, further: i64, size: u64) -> bool {
    let Value::To(Known::Own, by) = value else { return false };
    let at = by.checked_add(further).and_then(|at| u64::try_from(at).ok());
    at.is_some_and(|at| at <= size)
}
