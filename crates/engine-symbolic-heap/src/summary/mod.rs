//! Summaries: blocks that stand for unboundedly many nodes, and the prototypes that say what one node is.
//!
//! `predicate` says what a summary can do and lists them all; `fold` and `unfold` ask them in turn.

pub(crate) mod arrays;
pub(crate) mod cursors;
pub(crate) mod domain;
pub(crate) mod extents;
pub(crate) mod fold;
pub(crate) mod keys;
pub(crate) mod list;
pub(crate) mod matched;
pub(crate) mod matching;
pub(crate) mod mismatch;
pub(crate) mod payload;
pub(crate) mod predicate;
pub(crate) mod prototypes;
pub(crate) mod refusal;
pub(crate) mod row;
pub(crate) mod sorted;
pub(crate) mod spelling;
pub(crate) mod tree;
pub(crate) mod user;
pub(crate) mod zeros;
