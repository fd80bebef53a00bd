//! Folding: all blocks that nothing outside of the heap leads to become parts of trees, and every block is closed.
//!
//! `plan` says which blocks stay cut points and which link holds each other one; `build` makes automata of that.

mod back;
mod build;
mod missing;
mod plan;
mod seconds;

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_base::DenseId;
use heapwright_forest_text::{
    Base, BlockId, Body, Cell, Cells, Forest, Parameter, Value, known_ups,
};

use crate::abstraction::Likeness;
use crate::alarm::Doubt;
pub(crate) use crate::fold::back::BackLinks;
pub(crate) use crate::fold::build::shifted;
use crate::fold::build::{build, with_plain};
use crate::fold::missing::Missing;
pub(crate) use crate::fold::plan::Circles;
use crate::fold::plan::Plan;
pub(crate) use crate::fold::seconds::SecondLinks;
use crate::memo::Memo;

/// Cut points of a forest, and parameters of a state.
const MOST_CUTS: usize = 14;
pub(crate) const MOST_PARAMETERS: usize = 10;

/// What folding tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Precision {
    pub(crate) likeness: Likeness,
    pub(crate) circles: Circles,
    pub(crate) second_links: SecondLinks,
    pub(crate) strangers: Strangers,
}

/// What becomes of an address where nobody knows the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strangers {
    /// The block becomes a cut point, so that it has a name.
    Named,
    /// It is forgotten where it is, as the link from the last block of a ring to the one before it, if the first holds
    /// both ends. So rings may be parts of larger structures.
    Forgotten,
}

/// The forest with every block closed.
pub(crate) fn folded(
    mut forest: Forest,
    word: u64,
    precision: Precision,
    (memo, back): (&mut Memo, &mut BackLinks),
) -> Result<Forest, Doubt> {
    for body in forest.blocks.values_mut() {
        if let Body::Open { cells, .. } = body {
            cells.retain(|_, cell| cell.holds != Value::Any);
            cut_zeros(cells, word);
        }
    }
    name_ups(&mut forest);
    let mut cuts = held_from_outside(&forest);
    // Ends because each round has one cut point more, knows one word less, or one more that leads back.
    let plan = loop {
        let plan = Plan::of(&forest, &cuts, (precision, back));
        match plan.missing() {
            None => {
                let words = back.not_known(&plan);
                if precision.circles == Circles::Held || words.is_empty() {
                    break plan;
                }
                back.learn(words);
                cuts = held_from_outside(&forest);
            }
            Some(Missing { words, .. })
                if precision.strangers == Strangers::Forgotten && !words.is_empty() =>
            {
                forget_words(&mut forest, words)?;
            }
            Some(_) if cuts.len() >= MOST_CUTS => {
                let what =
                    "cut points without a bound: links lead across trees at ever more places";
                return Err(Doubt::not_carried(what));
            }
            Some(Missing { block, .. }) => cuts.push(block),
        }
    };
    if plan.most_needs() > MOST_PARAMETERS {
        return Err(Doubt::not_carried("blocks that know of so many others"));
    }
    let mut closed = forest.clone();
    closed.blocks.clear();
    for (index, cut) in cuts.iter().enumerate() {
        let body = memo.closed(build(&plan, *cut)?, *cut)?;
        closed.blocks.insert(BlockId::from_index(index), body);
    }
    let name = |block: BlockId| {
        BlockId::from_index(cuts.iter().position(|cut| *cut == block).expect("only cuts are left"))
    };
    closed.substitute(|base| match base {
        Base::Block(block) => Value::To(Base::Block(name(block)), 0),
        Base::Up(block, index) => Value::To(Base::Up(name(block), index), 0),
    });
    Ok(closed)
}

/// Words of open blocks, and arguments of closed ones, may be anything.
fn forget_words(forest: &mut Forest, words: Vec<(BlockId, u64)>) -> Result<(), Doubt> {
    for (block, word) in words {
        match forest.blocks.get_mut(&block) {
            Some(Body::Open { cells, .. }) => {
                cells.remove(&word);
            }
            Some(Body::Closed { automaton, state, arguments }) => {
                let index = word as usize;
                if automaton.states[*state].parameters[index] != Parameter::Plain {
                    let mut plain = (**automaton).clone();
                    *state = with_plain(&mut plain, *state, index)?;
                    *automaton = Arc::new(plain);
                }
                arguments[index] = Value::Any;
            }
            None => {}
        }
    }
    Ok(())
}

/// Puts names in the place of what a block in a hole is told, except in that block itself: there it is the same
/// whatever holds it.
fn name_ups(forest: &mut Forest) {
    let known = known_ups(forest);
    let own: BTreeMap<BlockId, Body> = forest.blocks.clone();
    forest.substitute(|base| known.get(&base).copied().unwrap_or(Value::To(base, 0)));
    for (block, body) in &mut forest.blocks {
        let mut before = own[block].clone();
        for (value, before) in body.values_mut().into_iter().zip(before.values_mut()) {
            if matches!(before.base(), Some(Base::Up(of, _)) if of == *block) {
                *value = *before;
            }
        }
    }
}

/// The blocks that variables and objects lead to, in their order.
fn held_from_outside(forest: &Forest) -> Vec<BlockId> {
    let mut cuts = Vec::new();
    for value in forest.roots() {
        if let Some(Base::Block(block) | Base::Up(block, _)) = value.base()
            && !cuts.contains(&block)
        {
            cuts.push(block);
        }
    }
    cuts
}

/// Cuts runs of zeros into words, as they are where a pointer was written.
fn cut_zeros(cells: &mut Cells, word: u64) {
    let runs: Vec<(u64, u64)> = cells
        .iter()
        .filter(|(_, cell)| cell.holds == Value::NULL && cell.width > word)
        .map(|(offset, cell)| (*offset, cell.width))
        .collect();
    for (start, width) in runs {
        cells.remove(&start);
        let mut at = start;
        while at < start + width {
            let next = (at / word + 1) * word;
            let end = next.min(start + width);
            cells.insert(at, Cell { width: end - at, holds: Value::NULL });
            at = end;
        }
    }
}
