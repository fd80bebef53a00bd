//! The holder of a block in a hole: the block of the tree with the link to it becomes open.
//!
//! It is the top of the tree, or some block further down; then what lies above it is a tree with a hole for it.

use std::sync::Arc;

use heapwright_forest_text::{
    Automaton, Base, BlockId, Body, Forest, Parameter, Rule, StateId, Term, Tops, Value,
    instantiate, way_to,
};

use crate::alarm::Doubt;
use crate::rework::Rework;
use crate::value::Held;

/// The forests in which the block with the link to this one is open.
pub(crate) fn holder_opened(forest: &Forest, held: BlockId) -> Result<Vec<Forest>, Doubt> {
    let Some((top, hole)) = forest.holder(held) else {
        panic!("{held} is in no hole");
    };
    let Body::Closed { automaton, state, arguments } = &forest.blocks[&top] else {
        panic!("{top} is not closed");
    };
    let mut found = Vec::new();
    for rule in with_link(automaton, *state, hole) {
        found.push(instantiate(forest.clone(), top, rule));
    }
    for ((below, hole_below), tops) in way_to(automaton, (*state, hole), arguments, top) {
        for rule in with_link(automaton, below, hole_below) {
            let case = Case { top, hole, below, hole_below, tops: &tops };
            found.extend(case.forest(forest, held, rule)?);
        }
    }
    Ok(found)
}

/// The rules whose block has the link to a hole.
fn with_link(automaton: &Automaton, state: StateId, hole: usize) -> impl Iterator<Item = &Rule> {
    let is_link = move |rule: &&Rule| {
        let mut cells = rule.values();
        cells.any(|cell| matches!(cell.holds, Term::Hole { parameter, .. } if parameter == hole))
    };
    automaton.states[state].rules.iter().filter(is_link)
}

/// The holder is a block below the top.
struct Case<'c> {
    top: BlockId,
    hole: usize,
    below: StateId,
    hole_below: usize,
    tops: &'c Tops,
}

impl Case<'_> {
    fn forest(&self, forest: &Forest, held: BlockId, rule: &Rule) -> Result<Option<Forest>, Doubt> {
        let Body::Closed { automaton, state, arguments } = &forest.blocks[&self.top] else {
            return Ok(None);
        };
        let parameters = &automaton.states[self.below].parameters;
        let has_others = parameters
            .iter()
            .enumerate()
            .any(|(index, it)| *it != Parameter::Plain && index != self.hole_below);
        if has_others {
            return Err(Doubt::not_carried(
                "two cut points in one part of a tree, one found from behind",
            ));
        }
        let holder = forest.fresh();
        // What the block above tells it.
        let told: Vec<usize> = (0..parameters.len())
            .filter(|index| *index != self.hole_below && self.tops[*index].is_none())
            .collect();
        let argument = |index: usize| match told.iter().position(|it| *it == index) {
            Some(up) => Value::To(Base::Up(holder, up), 0),
            None if index == self.hole_below => Value::To(Base::Block(held), 0),
            None => self.tops[index].unwrap_or(Value::Any),
        };
        let arguments_below: Vec<Held> = (0..parameters.len()).map(argument).collect();
        let mut above = (**automaton).clone();
        let rework = Rework {
            becomes: Parameter::Hole { ups: told.len() },
            further: &[],
            at_hole: &|_, _, _, _| Vec::new(),
            instead: &|below, arguments, by, parameter| {
                if below != (self.below, self.hole_below) {
                    return Vec::new();
                }
                let ups = told.iter().map(|index| arguments[*index]).collect();
                vec![Term::Hole { parameter, ups, by }]
            },
        };
        let Some(top) = rework.apply(&mut above, *state, self.hole) else {
            return Err(Doubt::not_carried("links between parts of a tree"));
        };
        if above.states[top].rules.is_empty() {
            return Ok(None);
        }
        let mut arguments = arguments.clone();
        arguments[self.hole] = Value::To(Base::Block(holder), 0);
        let mut next = forest.clone();
        let below = Body::Closed {
            automaton: Arc::clone(automaton),
            state: self.below,
            arguments: arguments_below,
        };
        let above = Body::Closed { automaton: Arc::new(above), state: top, arguments };
        next.blocks.insert(self.top, above);
        next.blocks.insert(holder, below);
        Ok(Some(instantiate(next, holder, rule)))
    }
}
