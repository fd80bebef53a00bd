//! Trees of any size: a block that stands for a root and all nodes below it.
//!
//! A tree may have a *hole*: one link, of any of its nodes, that leads out of it, to a node that the
//! program points to. So the way from a root to a cursor is a tree with a hole, and what hangs below
//! the cursor is a tree of its own. Equality of pointers stays syntactic: no tree is empty, and the
//! name of its block is the address of its root.
//!
//! - `learn` tells from where blocks are made and how they point to each other which blocks are
//!   nodes of trees, in an exploration that folds lists only; `allocation_graph` is what it looks at;
//! - `discover` looks for the tree below a node in a heap;
//! - `fold` makes one block of it, `unfold` takes a node out again, at either end;
//! - `entail` compares a tree with a tree, or with single nodes;
//! - `order` says how the nodes of a search tree are sorted, `downward` how each is related to those below it, `measures` how
//!   many there are and how high they stand.

use crate::heap::block::{Block, BlockId};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::learnt::Learnt;
use crate::summary::domain::Domain;
use crate::summary::fold::{Candidate, Refused, Resort};
use crate::summary::matched::{Chains, Manner, Match, Sides};
use crate::summary::mismatch::{Matched, Mismatch};
use crate::summary::predicate::Predicate;
use crate::summary::tree::entail::{is_tree_covered, join_tree, match_tree_block};
use crate::summary::tree::fold::find_tree;
use crate::summary::tree::learn::learn_trees;
use crate::summary::tree::unfold::{unfold_above_hole, unfold_root};
use crate::summary::tree::variants::note_variants;

pub(crate) mod allocation_graph;
pub(crate) mod discover;
pub(crate) mod downward;
pub(crate) mod entail;
pub(crate) mod fold;
pub(crate) mod learn;
pub(crate) mod measures;
pub(crate) mod order;
pub(crate) mod shared_measures;
pub(crate) mod unfold;
pub(crate) mod variants;

/// The predicate of a tree whose nodes have the same links, with or without a hole.
#[derive(Debug)]
pub(crate) struct LinkedTree;

impl Predicate for LinkedTree {
    fn describes(&self, block: &Block) -> bool {
        block.tree().is_some()
    }

    fn observe(&self, names: &mut Names<'_>, learnt: &mut Learnt, state: &State) {
        learn_trees(names, learnt, state);
        // A node that comes out of a folded tree has any links that nodes of it may have.
        if learnt.trees.types.is_empty() {
            note_variants(names, learnt, state);
        }
    }

    fn discover(
        &self,
        domain: &mut Domain<'_, '_>,
        state: &State,
        refused: &Refused,
        resort: Resort,
    ) -> Option<Box<dyn Candidate>> {
        match resort {
            Resort::Usual => {
                find_tree(domain, state, refused).map(|tree| Box::new(tree) as Box<dyn Candidate>)
            }
            Resort::Last => None,
        }
    }

    fn unfold(&self, names: &mut Names<'_>, state: State, block: BlockId) -> Vec<State> {
        if state.block(block).is_peer() {
            unfold_above_hole(names, state, block)
        } else {
            unfold_root(names, state, block)
        }
    }

    fn match_blocks(
        &self,
        names: &mut Names<'_>,
        sides: Sides<'_>,
        blocks: (BlockId, BlockId),
        found: &mut Match,
    ) -> Matched {
        match_tree_block(names, sides, blocks, found)
    }

    fn entails(
        &self,
        domain: &mut Domain<'_, '_>,
        sides: Sides<'_>,
        found: &mut Match,
        chains: Chains,
        depth: u32,
    ) -> Result<bool, Mismatch> {
        is_tree_covered(domain, sides, found, chains, depth)
    }

    fn join(
        &self,
        domain: &mut Domain<'_, '_>,
        sides: (Sides<'_>, &Match),
        chains: Chains,
        manner: Manner,
        general: &mut State,
    ) -> Option<()> {
        join_tree(domain, sides, chains, manner, general)
    }
}
