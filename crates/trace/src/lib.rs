//! A failing execution as data: what every report of a violation is made from.
//!
//! A [`Trace`] has the steps of the run in the words of the source, and the state after each: calls,
//! variables and blocks with types and field names. It is made by running the program once more with
//! the inputs of a violation that the interpreter has already confirmed ([`record`]); no engine has a
//! part in it. Read in this order: `state` and `step` (the data), `source` (what the user wrote),
//! `capture` (a machine's memory, byte by byte), `typing` (what heap blocks are), `decode` (bytes to
//! fields), `events`, `record`, `words` (steps in sentences),
//! `story` (the steps that a reader needs).

mod capture;
mod decode;
mod events;
mod record;
mod source;
mod state;
mod step;
mod story;
mod typing;
mod words;

pub use crate::record::record;
pub use crate::source::{Excerpt, SourceText, Sources, printable};
pub use crate::state::{Block, Cell, Frame, Life, State, Storage, Value, Variable};
pub use crate::step::{Event, Mark, Span, Step, Trace};
pub use crate::story::{StoryStep, ordinal};
