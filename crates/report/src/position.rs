//! Places in words: what a report keeps of a place, without the program.

use std::fmt;

use heapwright_program::{Place, Program};
use heapwright_trace::printable;
use serde::Serialize;

/// A place in the user's own source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl Position {
    /// `None` for "nowhere in particular", and for our models of library functions: no user can
    /// look there.
    #[must_use]
    pub fn of(program: &Program, place: Place) -> Option<Position> {
        let file = program.files.get(place.file)?;
        let is_shown = place.line > 0 && !file.is_model;
        is_shown.then(|| Position {
            file: file.name.clone(),
            line: place.line,
            column: place.column,
        })
    }
}

impl fmt::Display for Position {
    /// `list.c:12`, which may go to a terminal
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", printable(&self.file), self.line)
    }
}

/// What a snippet says about a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Label {
    #[serde(flatten)]
    pub position: Position,
    pub text: String,
    /// The first column behind what it is about; 0 for the expression that begins at the position.
    #[serde(skip_serializing_if = "is_zero")]
    pub end_column: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Label {
    pub(crate) fn at(position: Option<Position>, text: impl Into<String>) -> Option<Label> {
        position.map(|position| Label { position, text: text.into(), end_column: 0 })
    }
}
