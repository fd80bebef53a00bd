//! Lost blocks: those that nothing certainly leads to.

use std::collections::BTreeSet;

use heapwright_forest_text::{
    Automaton, Base, BlockId, Body, Cells, Forest, Known, Parameter, Rule, StateId, Term, Value,
    known_ups,
};

use crate::value::Held;

/// Places that are looked at to find out whether all trees have a link.
const MOST_PLACES: usize = 200;

/// The blocks that are not certainly reached from variables and objects. Of a tree, the blocks in its holes are
/// reached, and what some link of every such tree leads to; what its states are given besides may be used or not, and
/// what a block is told leads into a tree whose top need not be reached from there.
pub(crate) fn lost(forest: &Forest, word: u64) -> BTreeSet<BlockId> {
    let lost = Reached::of(forest, word).missed();
    if lost.is_empty() {
        return lost;
    }
    // Seldom needed, and more work.
    let known = known_ups(forest);
    let mut named = forest.clone();
    named.substitute(|base| known.get(&base).copied().unwrap_or(Value::To(base, 0)));
    let mut reached = Reached::of(&named, word);
    reached.follow_given();
    reached.missed()
}

struct Reached<'f> {
    forest: &'f Forest,
    word: u64,
    blocks: BTreeSet<BlockId>,
}

impl<'f> Reached<'f> {
    /// By variables, objects, cells and holes.
    fn of(forest: &'f Forest, word: u64) -> Reached<'f> {
        let mut reached = Reached { forest, word, blocks: BTreeSet::new() };
        let mut pending: Vec<Held> = forest.variables.values().copied().collect();
        pending.extend(forest.objects.values().flat_map(|cells| words(cells, word)));
        reached.follow(pending);
        reached
    }

    fn missed(&self) -> BTreeSet<BlockId> {
        let blocks = self.forest.blocks.keys().copied();
        blocks.filter(|block| !self.blocks.contains(block)).collect()
    }

    /// Adds what values lead to, by cells and holes.
    fn follow(&mut self, mut pending: Vec<Held>) {
        while let Some(value) = pending.pop() {
            let Value::To(Base::Block(block), offset) = value else { continue };
            let body = &self.forest.blocks[&block];
            // One past the end counts, further away does not.
            let is_near = u64::try_from(offset).is_ok_and(|offset| offset <= body.size());
            if !is_near || !self.blocks.insert(block) {
                continue;
            }
            match body {
                Body::Open { cells, .. } => pending.extend(words(cells, self.word)),
                Body::Closed { .. } => {
                    let holes = body.holes().into_iter();
                    pending.extend(holes.map(|(_, held)| Value::To(Base::Block(held), 0)));
                }
            }
        }
    }

    /// Adds what reached trees certainly lead to by what their states are given. Ends because each round reaches more.
    fn follow_given(&mut self) {
        loop {
            let given: Vec<Held> = self.blocks.iter().flat_map(|it| self.given(*it)).collect();
            let before = self.blocks.len();
            self.follow(given);
            if self.blocks.len() == before {
                return;
            }
        }
    }

    /// The blocks that a tree's state is given and that each such tree has a link to.
    fn given(&self, block: BlockId) -> Vec<Held> {
        let body = &self.forest.blocks[&block];
        let Body::Closed { automaton, state, arguments } = body else { return Vec::new() };
        let mut found = Vec::new();
        for (index, value) in arguments.iter().enumerate() {
            let Value::To(Base::Block(to), by) = *value else { continue };
            let question =
                Question { automaton, size: self.forest.blocks[&to].size(), word: self.word };
            if !self.blocks.contains(&to) && question.is_linked((*state, index, by)) {
                found.push(Value::To(Base::Block(to), 0));
            }
        }
        found
    }
}

/// A state's parameter, and how far behind the start of the block it leads.
type Place = (StateId, usize, i64);

/// Whether every tree has a link to what its state is given, a block of this size.
struct Question<'q> {
    automaton: &'q Automaton,
    size: u64,
    word: u64,
}

impl Question<'_> {
    /// In every rule there is the link, or a tree below that has it. Trees are finite, so the places that need each other are
    /// all right together: only those with a rule that has neither are not.
    fn is_linked(&self, first: Place) -> bool {
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

/// What whole words hold.
fn words(cells: &Cells, word: u64) -> Vec<Held> {
    cells.values().filter(|cell| cell.width == word).map(|cell| cell.holds).collect()
}

/// Leaves lost blocks out. Nothing certain leads to them; what may lead to them may be anything.
pub(crate) fn forget(forest: &mut Forest, lost: &BTreeSet<BlockId>) {
    let holes = lost.iter().flat_map(|block| forest.blocks[block].holes());
    let unheld: BTreeSet<BlockId> = holes.map(|(_, held)| held).collect();
    forest.blocks.retain(|block, _| !lost.contains(block));
    forest.substitute(|base| match base {
        Base::Block(block) if lost.contains(&block) => Value::Any,
        Base::Up(block, _) if lost.contains(&block) || unheld.contains(&block) => Value::Any,
        Base::Block(_) | Base::Up(..) => Value::To(base, 0),
    });
}
