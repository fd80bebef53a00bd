//! The engine `k-limited`: shape analysis by k-limited storage graphs, the smallest complete engine.
//!
//! Who wants to write an engine begins here. A state is a graph of few nodes, of which some stand for many
//! blocks of the heap; a step follows an edge of the program exactly, but for what the graph leaves open; at
//! loop heads graphs are limited, so that there are finitely many. What is reached is written down as text,
//! checked from that text alone, and run against the interpreter.
//!
//! Reading order: in the crate `graph-text`, `graph` (what is known of the heap), `state`, `describes` (what a
//! graph means) and `text`; here `value`, `step` (one edge), `limit` (what is forgotten at loop heads), `analysis`
//! (all paths), `engine`, `proof` (the check, and what the oracle runs), `facts` (what others may want to know).

mod alarm;
mod analysis;
mod engine;
mod facts;
mod limit;
mod proof;
mod step;
mod value;

pub use crate::engine::KLimitedEngine;
