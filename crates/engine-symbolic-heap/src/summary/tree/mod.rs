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
//! - `entail` compares a tree with a tree, or with single nodes.

pub(crate) mod allocation_graph;
pub(crate) mod discover;
pub(crate) mod entail;
pub(crate) mod fold;
pub(crate) mod learn;
pub(crate) mod unfold;
