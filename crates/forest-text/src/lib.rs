//! Certificates of proofs by forest automata: their text, and which concrete states they stand for.
//!
//! Reading order: `automaton` (sets of trees), `forest` (a state of the program), `bytes` (what cells hold), `unfold`
//! (a block is taken out of a tree), `ways` (to holes), `text` (written and read), `describes`, `simulate`, `fillings` and `pair` (when
//! a forest stands for another), `machine` (a running machine as a forest), `sample` (small memories that a forest stands for).

mod automaton;
mod bytes;
mod describes;
mod fillings;
mod forest;
mod machine;
mod pair;
mod sample;
mod simulate;
pub mod text;
mod unfold;
mod ways;

pub use crate::automaton::{Automaton, Cell, Known, Parameter, Rule, State, StateId, Term, Value};
pub use crate::bytes::{read, write};
pub use crate::describes::describes;
pub use crate::forest::{Base, BlockId, Body, Cells, Forest, Spot, instance};
pub use crate::machine::state_of;
pub use crate::sample::small_states;
pub use crate::unfold::{instantiate, opened};
pub use crate::ways::{Tops, hole_in, known_ups, way_to};
