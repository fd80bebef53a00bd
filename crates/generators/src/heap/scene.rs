//! A scene is one feature snippet: a data structure or a corner of C, as data.
//! It has declarations, a way to set up and to tear down, and verbs: statements that may follow one
//! another in any order and any number, so that the composer can make thousands of programs of it.
//!
//! All text is a template (see [`crate::text::fill`]). Besides the scene's own names these exist:
//! `$p` the prefix of its identifiers, `$v` and `$w` expressions for values in 0..1000, `$k` a
//! number in 1..=6, and in faults `$fault`, the marker of the faulty line. `$v` and `$w` may draw a
//! random number, so a statement must not depend on the order in which C evaluates its operands.

use crate::program::FaultKind;
use crate::random::Random;

/// One thing that can be done with the scene's structure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verb {
    /// Functions that the statement needs; declared once, when the verb is first used.
    pub(crate) helper: &'static str,
    pub(crate) statement: &'static str,
}

/// A statement that commits exactly one fault, and loses no block before it does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlantedFault {
    pub(crate) kind: FaultKind,
    pub(crate) helper: &'static str,
    pub(crate) statement: &'static str,
}

/// One feature snippet; the composer turns it into a function of its own.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// Values for the `$names` of this scene's templates.
    pub(crate) names: Vec<(&'static str, String)>,
    pub(crate) declarations: String,
    pub(crate) setup: &'static str,
    pub(crate) verbs: &'static [Verb],
    pub(crate) teardown: &'static str,
    pub(crate) faults: &'static [PlantedFault],
}

/// Writes a scene whose identifiers start with the given prefix.
pub(crate) type Author = fn(&mut Random, &str) -> Scene;

/// Short for a verb without helper functions.
pub(crate) const fn plain(statement: &'static str) -> Verb {
    Verb { helper: "", statement }
}

/// Short for a verb with a helper function.
pub(crate) const fn verb(helper: &'static str, statement: &'static str) -> Verb {
    Verb { helper, statement }
}

/// Short for a fault without helper functions.
pub(crate) const fn fault(kind: FaultKind, statement: &'static str) -> PlantedFault {
    PlantedFault { kind, helper: "", statement }
}

/// Integer types for fields and elements; all hold the values 0..100.
pub(crate) const INTEGER_TYPES: [&str; 11] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "char",
];

/// Integer types that hold the values 0..1000.
pub(crate) const KEY_TYPES: [&str; 8] =
    ["short", "unsigned short", "int", "int", "unsigned int", "long", "unsigned long", "long long"];
