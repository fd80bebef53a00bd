//! Whether every tree of a state has a link to what the state is given.

use std::collections::BTreeSet;

use heapwright_forest_text::{Automaton, Known, Parameter, Rule, StateId, Term, Value};

/// Places that are looked at.
const MOST_PLACES: usize = 200;

/// A state's parameter, and how far behind the start of the block it leads.
pub(super) type Place = (StateId, usize, i64);

/// Whether every tree has a link to what its state is given, a block of this size.
pub(super) struct Question<'q> {
    pub(super) automaton: &'q Automaton,
    pub(super) size: u64,
    pub(super) word: u64,
}

impl Question<'_> {
    /// In every rule there is the link, or a tree below that has it. Trees are finite, so the places that need each other are
    /// all right together: only those with a rule that has neither are not.
    pub(super) fn is_linked(&self, first: Place) -> bool {
        let mut places = BTreeSet::from([first]);
        let mut pending = vec![first];
        while let Some(place) = pending.pop() {
            if places.len() > MOST_PLACES {
                return false;
            }
            let rules = self.automaton.states[place.0].rules.iter();
            let below = rules.flat_map(|rule| self.below(rule, place));
            pending.extend(below.filter(|below| places.insert(*below)));
        }
        // Ends because each round has fewer places.
        loop {
            let before = places.len();
            let known = places.clone();
            places.retain(|place| {
                let mut rules = self.automaton.states[place.0].rules.iter();
                rules.all(|rule| {
                    self.is_in(rule, *place)
                        || self.below(rule, *place).any(|below| known.contains(&below))
                })
            });
            if !places.contains(&first) || places.len() == before {
                return places.contains(&first);
            }
        }
    }

    /// Whether a block of this rule has the link itself.
    fn is_in(&self, rule: &Rule, (_, index, at): Place) -> bool {
        rule.values().any(|cell| match cell.holds {
            Term::Value(Value::To(Known::Parameter(parameter), by)) => {
                let near = at.checked_add(by).and_then(|at| u64::try_from(at).ok());
                parameter == index
                    && cell.width == self.word
                    && near.is_some_and(|at| at <= self.size)
            }
            Term::Value(_) | Term::Tree { .. } | Term::Hole { .. } => false,
        })
    }

    /// The trees below that are given it.
    fn below<'r>(
        &'r self,
        rule: &'r Rule,
        (_, index, at): Place,
    ) -> impl Iterator<Item = Place> + 'r {
        rule.values().flat_map(move |cell| -> Vec<Place> {
            let Term::Tree { state, arguments, .. } = &cell.holds else { return Vec::new() };
            let parameters = self.automaton.states[*state].parameters.iter();
            let given = parameters.zip(arguments).enumerate();
            let place = |(position, (parameter, value)): (usize, (&Parameter, &Value<Known>))| {
                let Value::To(Known::Parameter(from), by) = *value else { return None };
                let is_it = from == index && *parameter == Parameter::Plain;
                Some((*state, position, at.checked_add(by)?)).filter(|_| is_it)
            };
            given.filter_map(place).collect()
        })
    }
}
