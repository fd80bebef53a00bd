//! Three-valued logical structures: heaps of any size as graphs whose nodes may stand for many blocks.
//!
//! A predicate has at a node, or between two, one of Kleene's values: 1, 0, or 1/2 for "either".
//! Concrete heaps are the structures without 1/2; an abstract one describes all concrete ones that
//! embed in it. This crate knows no program: it has the structures, the formulas with transitive
//! closure that speak of them, and the operations from which an analysis is made. Method: Sagiv,
//! Reps, Wilhelm, "Parametric shape analysis via 3-valued logic", TOPLAS 2002.
//!
//! Reading order: `kleene`, `vocabulary`, `structure` (bit planes), `formula`, `evaluate`, then the
//! operations `focus` (make a formula definite), `rule` and `coerce` (what must hold sharpens or
//! refutes), `blur` (nodes of one name become one), `embedding`, and `text`. The folder `class` reads
//! vocabularies, rules and what statements do from files.

mod blur;
pub mod class;
mod coerce;
mod definition;
mod embedding;
mod evaluate;
mod focus;
mod formula;
mod kleene;
mod rule;
mod structure;
pub mod text;
mod vocabulary;

pub use crate::blur::{Name, blur, blur_named, canonical_names, sort_named};
pub use crate::coerce::{Coerced, coerce, definition_rules};
pub use crate::embedding::{describes, describes_named, embeds, embeds_within, join, join_named};
pub use crate::evaluate::{Assignment, rows_of, truth, truth_at};
pub use crate::focus::{focus_pair, focus_target, focus_unary};
pub use crate::formula::{Formula, Variable};
pub use crate::kleene::Kleene;
pub use crate::rule::{Atom, Literal, Rule};
pub use crate::structure::{MOST_NODES, NULL, Node, Row, Structure, WILD, nodes_of};
pub use crate::vocabulary::{Binary, BinaryId, Nullary, NullaryId, Unary, UnaryId, Vocabulary};
