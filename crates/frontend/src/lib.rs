//! C in, a [`Program`](heapwright_program::Program) out.
//!
//! The rucc crates preprocess, parse and type-check; `lower/` turns the typed tree into automata.
//! Nothing above this crate knows their types, so that another front end could take their place.

mod compile_commands;
mod diagnostic;
mod lower;
mod models;
mod settings;
mod syntax;

pub use crate::compile_commands::{CompileCommand, read_compile_commands};
pub use crate::diagnostic::{Diagnostic, InputError, Position, Severity};
pub use crate::settings::{Flags, Settings, Source};

use heapwright_program::Program;

/// Reads C files and links them into one program.
pub fn load(sources: &[Source], settings: &Settings) -> Result<Loaded, InputError> {
    let units = sources
        .iter()
        .map(|source| syntax::read_unit(source, settings))
        .collect::<Result<Vec<_>, _>>()?;
    let program = lower::lower(&units, settings)?;
    let warnings = units.into_iter().flat_map(|unit| unit.warnings).collect();
    Ok(Loaded { program, warnings })
}

/// A program, with what the front end had to say about its source.
#[derive(Debug)]
pub struct Loaded {
    pub program: Program,
    pub warnings: Vec<Diagnostic>,
}
