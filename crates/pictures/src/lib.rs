//! Heaps drawn as one would on a whiteboard.
//!
//! A [`Scene`] is what is to be seen: cards with rows, and what each row leads to. `of_trace` makes
//! scenes of the states of a run, `of_heap_text` of the abstract heaps of a proof (with `fields` for the
//! names in them, and `words` for sentences). `relevance` chooses among
//! many blocks, `lost` says which nobody can reach. `layout` (with `measure`) places the cards of all scenes of a story once, so that nothing
//! jumps from step to step; `svg` (with `cards`, `arrows`, `extent` and `style`), `dot` and `terminal` draw them.
//! `of_structure` draws three-valued structures, in the style of their field, and what `of_graph` makes of storage graphs and
//! forest automata; `families` puts them side by side.

mod arrows;
mod cards;
mod dot;
mod extent;
mod families;
mod fields;
mod instances;
mod layout;
mod lost;
mod measure;
mod measured_trees;
mod of_graph;
mod of_heap_text;
mod of_structure;
mod of_trace;
mod relevance;
mod rows;
mod scene;
mod sorted;
mod spelling;
mod style;
mod svg;
mod terminal;
mod words;

pub use crate::dot::dot;
pub use crate::families::{Panel, side_by_side};
pub use crate::layout::{Layout, Rect};
pub use crate::of_graph::{of_forest, of_storage_graph};
pub use crate::of_heap_text::{AbstractHeap, abstract_heap};
pub use crate::of_structure::structure_svg;
pub use crate::of_trace::{scene_of_step, scenes_of_trace};
pub use crate::scene::{Card, Kind, Look, Row, Scene, Shown, Tone};
pub use crate::style::{PAGE_COLOURS, PAGE_COLOURS_DARK, PICTURE_STYLE};
pub use crate::svg::{escaped, svg, svg_in_page, svg_of_steps, svg_page};
pub use crate::terminal::{Charset, terminal};
