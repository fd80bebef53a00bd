//! Ways to holes: which states lie between the top of a tree and a hole, and what comes down there unchanged.

use std::collections::BTreeMap;

use crate::automaton::{Automaton, Known, Parameter, StateId, Term, Value};
use crate::forest::{Base, BlockId, Body, Forest};

/// What the parameters of a state are in the forest, where they come down from the top unchanged.
pub type Tops = Vec<Option<Value<Base>>>;

/// The states below the top on the way to a hole, each with its parameter for it.
#[must_use]
pub fn way_to(
    automaton: &Automaton,
    top: (StateId, usize),
    arguments: &[Value<Base>],
    own: BlockId,
) -> BTreeMap<(StateId, usize), Tops> {
    let mut found: BTreeMap<(StateId, usize), Tops> = BTreeMap::new();
    let tops = arguments.iter().map(|it| Some(*it)).collect();
    let mut pending = vec![(top, tops, Some(own))];
    // Ends because what is known of a state only becomes less.
    while let Some(((state, hole), tops, own)) = pending.pop() {
        for cell in automaton.states[state].rules.iter().flat_map(|rule| rule.values()) {
            let Term::Tree { state: below, arguments, .. } = &cell.holds else { continue };
            let Some(hole_below) = hole_in(automaton, *below, arguments, hole) else { continue };
            let arriving: Tops = arguments.iter().map(|it| top_of(*it, &tops, own)).collect();
            let known = found.get(&(*below, hole_below));
            let both: Tops = match known {
                None => arriving,
                Some(known) => {
                    let both = known.iter().zip(&arriving);
                    both.map(|(one, other)| one.filter(|_| one == other)).collect()
                }
            };
            if known != Some(&both) {
                found.insert((*below, hole_below), both.clone());
                pending.push(((*below, hole_below), both, None));
            }
        }
    }
    found
}

/// What a value of a rule is in the forest.
fn top_of(value: Value<Known>, tops: &Tops, own: Option<BlockId>) -> Option<Value<Base>> {
    match value {
        Value::To(Known::Parameter(index), by) => tops[index].map(|it| it.moved(by)),
        Value::To(Known::Own, by) => own.map(|own| Value::To(Base::Block(own), by)),
        Value::To(Known::Kid(_), _) | Value::Any => None,
        Value::Bits(_) | Value::Object(..) | Value::Function(_) => {
            Some(value.renamed(|_| Value::Any))
        }
    }
}

/// The parameter of a tree to which a hole is handed on.
#[must_use]
pub fn hole_in(
    automaton: &Automaton,
    state: StateId,
    arguments: &[Value<Known>],
    hole: usize,
) -> Option<usize> {
    let parameters = automaton.states[state].parameters.iter();
    let mut both = parameters.zip(arguments);
    both.position(|(parameter, argument)| {
        *parameter != Parameter::Plain && *argument == Value::To(Known::Parameter(hole), 0)
    })
}

/// What blocks in holes are told, where that has a name in the forest.
#[must_use]
pub fn known_ups(forest: &Forest) -> BTreeMap<Base, Value<Base>> {
    let mut known: BTreeMap<Base, Option<Value<Base>>> = BTreeMap::new();
    for (block, body) in &forest.blocks {
        let Body::Closed { automaton, state, arguments } = body else { continue };
        for (hole, held) in body.holes() {
            let mut places = way_to(automaton, (*state, hole), arguments, *block);
            let first = arguments.iter().map(|it| Some(*it)).collect();
            let below =
                std::mem::take(&mut places).into_iter().map(|(key, tops)| (key, tops, None));
            let all = below.chain([((*state, hole), first, Some(*block))]);
            for ((state, hole), tops, own) in all {
                for cell in automaton.states[state].rules.iter().flat_map(|rule| rule.values()) {
                    let Term::Hole { parameter, ups, .. } = &cell.holds else { continue };
                    for (index, up) in ups.iter().enumerate().filter(|_| *parameter == hole) {
                        let value = top_of(*up, &tops, own);
                        let entry = known.entry(Base::Up(held, index)).or_insert(value);
                        *entry = entry.filter(|it| Some(*it) == value);
                    }
                }
            }
        }
    }
    let mut known: BTreeMap<Base, Value<Base>> =
        known.into_iter().filter_map(|(base, value)| Some((base, value?))).collect();
    // What one block is told may be what another is told: names are put in until there are no more.
    for _ in 0..known.len() {
        let before = known.clone();
        for value in known.values_mut() {
            *value = value.renamed(|base| before.get(&base).copied().unwrap_or(Value::To(base, 0)));
        }
    }
    known
}
