//! What a reference is: a whole word that is an address in a block, or one past its end.
//!
//! So counts the interpreter too (`crates/memory`, reachability). A hash of an address, a byte of it,
//! a comparison or a difference keeps no block alive, although its term has the address in it. Two
//! questions follow, and they err on opposite sides:
//!
//! - Does something *certainly* refer to a block? Only then is it not lost. The value must be a
//!   pointer into the block by its form, or in every model of the path condition.
//! - *May* something refer to a block, or can the block be found from it? Only if not can the block be
//!   cut off, or be owned by another alone. Every address in a term counts.

use std::collections::BTreeSet;

use heapwright_logic::{Sort, TermId};
use imbl::OrdMap;
use rustc_hash::FxHashSet;

use crate::heap::block::{Block, BlockId, BlockKind, Cell, End, Life, Prototype};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::Possible;

/// Where names mean something: in a state, or in prototypes within it.
#[derive(Clone)]
struct Scope<'s> {
    state: &'s State,
    prototypes: Vec<&'s Prototype>,
}

impl<'s> Scope<'s> {
    fn of(state: &'s State) -> Scope<'s> {
        Scope { state, prototypes: Vec::new() }
    }

    fn within(&self, prototype: &'s Prototype) -> Scope<'s> {
        let mut inner = self.clone();
        inner.prototypes.push(prototype);
        inner
    }

    fn size_of(&self, id: BlockId) -> Option<TermId> {
        let own = self.prototypes.iter().rev().find_map(|prototype| prototype.blocks.get(&id));
        own.or_else(|| self.state.blocks.get(&id)).map(|block| block.size)
    }
}

/// What is certainly reached from some values and blocks.
#[derive(Debug, Default)]
pub(crate) struct Reached {
    pub(crate) blocks: FxHashSet<BlockId>,
    waiting: Vec<BlockId>,
}

impl Reached {
    pub(crate) fn add(&mut self, block: BlockId) {
        if self.blocks.insert(block) {
            self.waiting.push(block);
        }
    }
}

impl Reasoner<'_> {
    /// The block that the value of a variable certainly refers to.
    pub(crate) fn variable_refers_to(&mut self, state: &State, value: TermId) -> Option<BlockId> {
        let word = word_of(&mut self.names, value)?;
        self.word_refers_to(&Scope::of(state), word)
    }

    /// Whether a pointer certainly is an address in its block, or one past the end.
    pub(crate) fn is_in_block(&mut self, state: &State, (id, offset): (BlockId, TermId)) -> bool {
        let block = state.blocks.get(&id).filter(|block| !block.may_be_empty());
        let size = block.map(|block| block.size);
        size.is_some_and(|size| self.is_within(state, offset, size))
    }

    /// Adds all blocks that are certainly reached from those that were added. What is in a block is
    /// followed only if it `is_kept`.
    pub(crate) fn reach(
        &mut self,
        state: &State,
        reached: &mut Reached,
        is_kept: &dyn Fn(BlockId) -> bool,
    ) {
        let elements = state.elements(&self.names);
        while let Some(id) = reached.waiting.pop() {
            let Some(block) = state.blocks.get(&id).filter(|block| block.life == Life::Alive)
            else {
                continue;
            };
            if !is_kept(id) {
                continue;
            }
            // From its last node a list is reached by the links back, from a hole a tree by those up.
            if let Some(first) = block.peer_of() {
                reached.add(first);
            }
            for target in self.block_refers_to(&Scope::of(state), block) {
                reached.add(target);
            }
            for &(_, element) in elements.iter().filter(|(array, _)| *array == id) {
                reached.add(element);
            }
        }
    }

    /// Whether each node of a list or tree certainly reaches all live heap blocks that it owns.
    pub(crate) fn nodes_keep_their_own(&mut self, state: &State, block: &Block) -> bool {
        block.prototypes().iter().all(|prototype| {
            let kept = self.kept_by_node(&Scope::of(state), prototype);
            prototype.blocks.iter().all(|(id, owned)| {
                let is_live_heap = owned.kind == BlockKind::Heap && owned.life == Life::Alive;
                !is_live_heap
                    || owned.is_peer()
                    || kept.contains(id) && self.nodes_keep_their_own(state, owned)
            })
        })
    }

    /// The blocks that a block certainly refers to: itself, or each of the nodes that it stands for.
    fn block_refers_to<'s>(&mut self, scope: &Scope<'s>, block: &'s Block) -> BTreeSet<BlockId> {
        let words = if block.is_summary() {
            // Every tree with a sentinel has a link to it.
            let ends = [End::Next, End::Previous, End::Leaf];
            ends.into_iter().filter_map(|end| block.end(end)).collect()
        } else {
            words_of(&mut self.names, &block.cells)
        };
        let mut targets: BTreeSet<BlockId> =
            words.into_iter().filter_map(|word| self.word_refers_to(scope, word)).collect();
        if block.may_be_empty() || block.row().is_some() {
            return targets;
        }
        // There is at least one node, and it is of any prototype.
        let mut of_all: Option<BTreeSet<BlockId>> = None;
        for prototype in block.prototypes() {
            let kept = self.kept_by_node(scope, prototype);
            let outer = kept.into_iter().filter(|id| !prototype.blocks.contains_key(id)).collect();
            of_all = Some(match of_all {
                Some(others) => &others & &outer,
                None => outer,
            });
        }
        targets.extend(of_all.into_iter().flatten());
        targets
    }

    /// What a node of a prototype certainly reaches: blocks that it owns, and those of the state that it
    /// or one of its own refers to.
    fn kept_by_node<'s>(
        &mut self,
        scope: &Scope<'s>,
        prototype: &'s Prototype,
    ) -> BTreeSet<BlockId> {
        let scope = scope.within(prototype);
        let &(node, _) = prototype.blocks.get_min().expect("a prototype has a node");
        let mut kept = BTreeSet::from([node]);
        let mut waiting = vec![node];
        while let Some(id) = waiting.pop() {
            let Some(block) = prototype.blocks.get(&id).filter(|block| block.life == Life::Alive)
            else {
                continue;
            };
            let mut targets = self.block_refers_to(&scope, block);
            if let Some(first) = block.peer_of() {
                targets.insert(first);
            }
            for target in targets {
                if kept.insert(target) {
                    waiting.push(target);
                }
            }
        }
        kept
    }

    /// The block of which a word certainly is an address, or one past the end.
    fn word_refers_to(&mut self, scope: &Scope<'_>, word: TermId) -> Option<BlockId> {
        if let Some((id, offset)) = self.names.pointer(word) {
            let size = scope.size_of(id)?;
            return self.is_within(scope.state, offset, size).then_some(id);
        }
        // A pointer with a tag is an address in the block all the same.
        self.names.may_refer_to(&[word]).into_iter().find(|&id| {
            let Some(size) = scope.size_of(id) else { return false };
            let address = self.names.address(id);
            let offset = self.names.terms.subtract(word, address);
            self.is_within(scope.state, offset, size)
        })
    }

    fn is_within(&mut self, state: &State, offset: TermId, size: TermId) -> bool {
        match (self.names.constant(offset), self.names.constant(size)) {
            (Some(offset), Some(size)) => offset <= size,
            (Some(0), None) => true,
            _ => {
                let beyond = self.names.terms.unsigned_less(size, offset);
                matches!(self.possible(state, beyond), Possible::No)
            }
        }
    }
}

/// The number in a variable as a word: a wider one has zeros above it.
fn word_of(names: &mut Names<'_>, value: TermId) -> Option<TermId> {
    let bits = names.pointer_bits();
    match names.terms.sort(value) {
        Sort::BitVector(width) if width == bits => Some(value),
        Sort::BitVector(width) if width > bits => {
            let above = names.terms.extract(value, width - 1, bits);
            let is_plain = names.constant(above) == Some(0);
            is_plain.then(|| names.terms.extract(value, bits - 1, 0))
        }
        Sort::BitVector(_) | Sort::Boolean | Sort::Array { .. } => None,
    }
}

/// The words in the bytes of a block: cells, parts of wider ones, and narrow ones side by side.
fn words_of(names: &mut Names<'_>, cells: &OrdMap<u64, Cell>) -> Vec<TermId> {
    let size = names.model().pointer_size();
    let bits = names.pointer_bits();
    let mut words = Vec::new();
    for (&offset, cell) in cells {
        if cell.size == size {
            words.push(cell.value);
            continue;
        }
        if !names.holds_address(cell.value) {
            continue;
        }
        if cell.size > size {
            let starts = (0..=cell.size - size).map(|byte| 8 * byte as u32);
            words.extend(starts.map(|low| names.terms.extract(cell.value, low + bits - 1, low)));
        } else {
            words.extend(word_from(names, cells, offset));
        }
    }
    words
}

/// The word that begins with a narrow cell, if the cells behind it leave no gap.
fn word_from(names: &mut Names<'_>, cells: &OrdMap<u64, Cell>, offset: u64) -> Option<TermId> {
    let end = offset + names.model().pointer_size();
    let mut word = cells[&offset].value;
    let mut position = offset + cells[&offset].size;
    while position < end {
        let cell = *cells.get(&position)?;
        let taken = cell.size.min(end - position);
        let part = names.terms.extract(cell.value, 8 * taken as u32 - 1, 0);
        word = names.terms.concat(part, word);
        position += taken;
    }
    Some(word)
}
