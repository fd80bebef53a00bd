//! Fillings: what a claim may have over the blocks in the holes of a tree, so that a simulation need not guess it.
//!
//! States of the claim are laid over states of the tree from the top down, by what cells look like alone: names and
//! what is given are not compared. What no hole is met with there, no simulation meets there, either.

use std::collections::{BTreeMap, BTreeSet};

use crate::automaton::{Automaton, Known, Parameter, Rule, StateId, Term, Value};
use crate::describes::{Course, Laid, Search};
use crate::forest::{Base, BlockId, Body};
use crate::simulate::may_hold;

/// What the claim has over the blocks in holes: a tree of some state, or a hole as well.
pub(crate) type Filling = BTreeMap<BlockId, Option<StateId>>;

/// Ways to fill the holes of a tree that are tried.
const MOST_FILLINGS: usize = 64;

/// A state of the claim over one of the tree, with the blocks in this one's holes.
type Place = (StateId, StateId, Vec<Option<BlockId>>);

impl Search<'_> {
    /// The ways in which the claim can go on over the holes of a closed block.
    pub(crate) fn fillings(&self, course: &Course, laid: &Laid) -> Vec<Filling> {
        let body = &self.other.blocks[&laid.over];
        let Body::Closed { automaton, state, .. } = body else { return Vec::new() };
        let mut held = vec![None; automaton.states[*state].parameters.len()];
        for (index, block) in body.holes() {
            held[index] = Some(block);
        }
        let met = Meetings { claimed: &laid.automaton, other: automaton };
        let met = met.from((*state, laid.state, held));
        let named: BTreeSet<BlockId> = course
            .names
            .iter()
            .filter(|(name, _)| matches!(name, Base::Block(_)))
            .filter_map(|(_, value)| match value.base() {
                Some(Base::Block(block)) => Some(block),
                Some(Base::Up(..)) | None => None,
            })
            .collect();
        let mut fillings = vec![Filling::new()];
        for (_, block) in body.holes() {
            let trees = met.get(&block).into_iter().flatten();
            let trees = trees.filter(|_| !named.contains(&block)).map(|state| Some(*state));
            let ways: Vec<Option<StateId>> = [None].into_iter().chain(trees).collect();
            let more = |filling: &Filling| {
                let with = |way: &Option<StateId>| {
                    let mut filling = filling.clone();
                    filling.insert(block, *way);
                    filling
                };
                ways.iter().map(with).collect::<Vec<Filling>>()
            };
            fillings = fillings.iter().flat_map(more).take(MOST_FILLINGS).collect();
        }
        fillings
    }
}

struct Meetings<'m> {
    claimed: &'m Automaton,
    other: &'m Automaton,
}

impl Meetings<'_> {
    /// The trees of the claim that are met where the other has holes, below this place.
    fn from(&self, top: Place) -> BTreeMap<BlockId, BTreeSet<StateId>> {
        let mut met: BTreeMap<BlockId, BTreeSet<StateId>> = BTreeMap::new();
        let mut seen: BTreeSet<Place> = BTreeSet::new();
        let mut pending = vec![top];
        while let Some(place) = pending.pop() {
            if !seen.insert(place.clone()) {
                continue;
            }
            let (over, claimed, held) = place;
            for rule in &self.other.states[over].rules {
                let rules = self.claimed.states[claimed].rules.iter();
                for (offset, cell) in rules.filter(|it| may_hold(it, rule)).flatten() {
                    let Term::Tree { state, .. } = &cell.holds else { continue };
                    match rule.get(offset).map(|it| &it.holds) {
                        Some(Term::Hole { parameter, .. }) => {
                            if let Some(block) = held[*parameter] {
                                met.entry(block).or_default().insert(*state);
                            }
                        }
                        Some(Term::Tree { state: below, arguments, .. }) => {
                            let given = self.given((rule, &held), *below, arguments);
                            pending.push((*below, *state, given));
                        }
                        Some(Term::Value(_)) | None => {}
                    }
                }
            }
        }
        met
    }

    /// The blocks in the holes of a tree below a rule.
    fn given(
        &self,
        (rule, held): (&Rule, &[Option<BlockId>]),
        below: StateId,
        arguments: &[Value<Known>],
    ) -> Vec<Option<BlockId>> {
        let block = |value: &Value<Known>| match value.base()? {
            Known::Parameter(index) => held[index],
            Known::Kid(offset) => match rule.get(&offset).map(|cell| &cell.holds) {
                Some(Term::Hole { parameter, .. }) => held[*parameter],
                Some(Term::Value(_) | Term::Tree { .. }) | None => None,
            },
            Known::Own => None,
        };
        let parameters = self.other.states[below].parameters.iter();
        let given = |(parameter, value): (&Parameter, &Value<Known>)| match parameter {
            Parameter::Hole { .. } => block(value),
            Parameter::Plain => None,
        };
        parameters.zip(arguments).map(given).collect()
    }
}
