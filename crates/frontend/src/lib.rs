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
pub use crate::settings::{Flags, Settings, Source, World};

use heapwright_program::Program;

/// Virtual memory for the stack of the front end, which recurs as deep as its input is nested;
/// only what is used counts.
const STACK_BYTES: usize = 512 << 20;

/// Reads C files and links them into one program.
pub fn load(sources: &[Source], settings: &Settings) -> Result<Loaded, InputError> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .name("front end".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || load_here(sources, settings))
            .map_err(|error| InputError::new(format!("cannot start a thread: {error}")))?;
        // A panic of the lowering is a bug of ours, and the caller's to report.
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn load_here(sources: &[Source], settings: &Settings) -> Result<Loaded, InputError> {
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
