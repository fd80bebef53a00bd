//! Lost blocks: those that nothing certainly leads to.

use std::collections::BTreeSet;

use heapwright_forest_text::{Base, BlockId, Body, Cells, Forest, Value};

use crate::value::Held;

/// The blocks that are not certainly reached from variables and objects. Of a tree, the blocks in its holes are
/// reached; what its states are given besides may be used or not, and what a block is told leads into a tree whose
/// top need not be reached from there.
pub(crate) fn lost(forest: &Forest, word: u64) -> BTreeSet<BlockId> {
    let mut reached: BTreeSet<BlockId> = BTreeSet::new();
    let mut pending: Vec<Held> = forest.variables.values().copied().collect();
    pending.extend(forest.objects.values().flat_map(|cells| words(cells, word)));
    while let Some(value) = pending.pop() {
        let Value::To(Base::Block(block), offset) = value else { continue };
        let body = &forest.blocks[&block];
        // One past the end counts, further away does not.
        let is_near = u64::try_from(offset).is_ok_and(|offset| offset <= body.size());
        if !is_near || !reached.insert(block) {
            continue;
        }
        match body {
            Body::Open { cells, .. } => pending.extend(words(cells, word)),
            Body::Closed { .. } => {
                let holes = body.holes().into_iter();
                pending.extend(holes.map(|(_, held)| Value::To(Base::Block(held), 0)));
            }
        }
    }
    forest.blocks.keys().copied().filter(|block| !reached.contains(block)).collect()
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
