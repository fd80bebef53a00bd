//! Structures and formulas as text, in both directions.
//!
//! A structure is written as its blocks, a star for a summary, and then what is not 0:
//!
//! ```text
//! blocks: a b*
//! x: a
//! r_x: a b
//! next: a->b? b->b? b->null?
//! ```
//!
//! A formula is written with `!`, `&`, `|`, `->`, `=`, `!=`, `exists v, w: …`, `forall v: …`, and
//! closures of binary predicates: `next*(u, v)` is a path of any length, `next+(u, v)` one of at
//! least one step, `tc(a, b: …)(u, v)` the same for any formula.

mod formula;
mod lexer;
mod rule;
mod structure;

use crate::vocabulary::{BinaryId, NullaryId, UnaryId, Vocabulary};

pub use crate::text::formula::{parse_formula, print_formula};
pub use crate::text::rule::parse_rule;
pub(crate) use crate::text::structure::name_of as node_name;
pub use crate::text::structure::{parse_structure, print_structure};

/// What the names of predicates in a text stand for.
pub trait Names {
    fn nullary_named(&self, name: &str) -> Option<NullaryId>;
    fn unary_named(&self, name: &str) -> Option<UnaryId>;
    fn binary_named(&self, name: &str) -> Option<BinaryId>;
}

impl Names for Vocabulary {
    fn nullary_named(&self, name: &str) -> Option<NullaryId> {
        Vocabulary::nullary_named(self, name)
    }

    fn unary_named(&self, name: &str) -> Option<UnaryId> {
        Vocabulary::unary_named(self, name)
    }

    fn binary_named(&self, name: &str) -> Option<BinaryId> {
        Vocabulary::binary_named(self, name)
    }
}

/// What is wrong with a text, and at which byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    pub position: usize,
    pub message: String,
}

impl std::fmt::Display for TextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.position)
    }
}

impl std::error::Error for TextError {}
