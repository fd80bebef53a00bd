//! Unfolding: the block at the top of a tree becomes an open block, in one case for each rule.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::automaton::{Cell, Rule, Term, Value};
use crate::forest::{Base, BlockId, Body, Cells, Forest, instance};

/// The forests in which a block is open.
#[must_use]
pub fn opened(forest: &Forest, block: BlockId) -> Vec<Forest> {
    let Body::Closed { automaton, state, .. } = &forest.blocks[&block] else {
        return vec![forest.clone()];
    };
    let rules = automaton.states[*state].rules.iter();
    rules.map(|rule| instantiate(forest.clone(), block, rule)).collect()
}

/// The forest in which a closed block is as this rule of its state says.
#[must_use]
pub fn instantiate(mut forest: Forest, block: BlockId, rule: &Rule) -> Forest {
    let (size, sort) = (forest.blocks[&block].size(), forest.blocks[&block].sort());
    let Some(Body::Closed { automaton, arguments, .. }) = forest.blocks.remove(&block) else {
        panic!("{block} is not closed");
    };
    forest.blocks.insert(block, Body::Open { size, sort, cells: Cells::new() });
    let mut kids: BTreeMap<u64, BlockId> = BTreeMap::new();
    for (offset, cell) in rule {
        match &cell.holds {
            Term::Value(_) => {}
            Term::Tree { state, .. } => {
                let kid = forest.fresh();
                let (automaton, arguments) = (Arc::clone(&automaton), Vec::new());
                forest.blocks.insert(kid, Body::Closed { automaton, state: *state, arguments });
                kids.insert(*offset, kid);
            }
            Term::Hole { parameter, .. } => {
                if let Some(Base::Block(held)) = arguments[*parameter].base() {
                    kids.insert(*offset, held);
                }
            }
        }
    }
    let mut told = BTreeMap::new();
    let mut cells = Cells::new();
    for (offset, cell) in rule {
        let value = |value: &Value<_>| instance(*value, block, &arguments, &kids);
        let to_kid = |by: i64| Value::To(Base::Block(kids[offset]), by);
        let holds = match &cell.holds {
            Term::Value(held) => value(held),
            Term::Tree { state, arguments, by } => {
                let arguments = arguments.iter().map(value).collect();
                let automaton = Arc::clone(&automaton);
                let body = Body::Closed { automaton, state: *state, arguments };
                forest.blocks.insert(kids[offset], body);
                to_kid(*by)
            }
            Term::Hole { ups, by, .. } => {
                let ups = ups.iter().enumerate();
                told.extend(ups.map(|(index, up)| (Base::Up(kids[offset], index), value(up))));
                to_kid(*by)
            }
        };
        if holds != Value::Any {
            cells.insert(*offset, Cell { width: cell.width, holds });
        }
    }
    forest.blocks.insert(block, Body::Open { size, sort, cells });
    if !told.is_empty() {
        // What is told may itself be what another block is told, of a hole of the same rule.
        for _ in 0..2 {
            forest.substitute(|base| told.get(&base).copied().unwrap_or(Value::To(base, 0)));
        }
    }
    forest
}
