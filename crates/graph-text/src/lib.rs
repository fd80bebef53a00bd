//! Certificates of proofs by storage graphs: their text, and which concrete states they stand for.
//!
//! Reading order: `graph` (what is known of the heap), `state`, `text` (written and read), `describes` (what a
//! graph means), `machine` (a running machine as a graph), `sample` (small memories that a graph describes).

mod describes;
mod graph;
mod machine;
mod sample;
mod state;
pub mod text;

pub use crate::describes::describes;
pub use crate::graph::{Block, Graph, MOST_WORDS, Node, NodeId, Root, Target, Targets};
pub use crate::machine::state_of;
pub use crate::sample::small_states;
pub use crate::state::{Spot, State};
