//! C in, a [`Program`](heapwright_program::Program) out.
//!
//! The rucc crates preprocess, parse and type-check; `lower/` turns the typed tree into automata.
//! Nothing above this crate knows their types, so that another front end could take their place.

mod compile_commands;
mod diagnostic;
mod entry;
mod lower;
mod models;
mod settings;
mod symbols;
mod syntax;

pub use crate::compile_commands::{CompileCommand, read_compile_commands};
pub use crate::diagnostic::{Diagnostic, InputError, Position, Severity};
pub use crate::entry::{
    Calls, Contract, Entry, External, Globals, Harness, MAIN_ASIDE, Sort, Subject, Suggestion,
};
pub use crate::settings::{Flags, Functions, Settings, Source, Standard, World};
pub use crate::symbols::Symbols;

use std::collections::BTreeSet;

use heapwright_program::Program;

/// Virtual memory for the stack of the front end, which recurs as deep as its input is nested;
/// only what is used counts.
const STACK_BYTES: usize = 512 << 20;

/// Reads C files and links them into one program.
pub fn load(sources: &[Source], settings: &Settings) -> Result<Loaded, InputError> {
    on_large_stack(|| load_here(sources, settings))
}

fn on_large_stack<T: Send>(
    work: impl FnOnce() -> Result<T, InputError> + Send,
) -> Result<T, InputError> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .name("front end".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|error| InputError::new(format!("cannot start a thread: {error}")))?;
        // A panic of the lowering is a bug of ours, and the caller's to report.
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn load_here(sources: &[Source], settings: &Settings) -> Result<Loaded, InputError> {
    let sources = with_main_aside(sources, settings);
    let mut units = sources
        .iter()
        .map(|source| syntax::read_unit(source, settings))
        .collect::<Result<Vec<_>, _>>()?;
    let mut assumptions = Vec::new();
    let mut sources = sources;
    if settings.external != External::Unknown && settings.world == World::Modelled {
        let program = lower::lower(&units, settings, Functions::All)?;
        let (changed, assumed) = entry::arbitrary(&settings.external, &sources, &units, &program);
        for (index, source) in changed {
            units[index] = syntax::read_unit(&source, settings)?;
            sources[index] = source;
        }
        assumptions = assumed;
    }
    let (mut harness, mut asked) = (None, Vec::new());
    if let Some(entry) = &settings.entry {
        let program = lower::lower(&units, settings, Functions::All)?;
        let added = Harness::of(entry, &units, &program)?;
        assumptions.extend(added.harness.assumptions.iter().cloned());
        sources[added.unit] = added.harness.append_to(&sources[added.unit]);
        for one in &added.asked {
            sources[one.unit] = one.append_to(&sources[one.unit]);
        }
        let changed = added.asked.iter().map(|one| one.unit).chain([added.unit]);
        for index in changed.collect::<BTreeSet<_>>() {
            units[index] = syntax::read_unit(&sources[index], settings)?;
        }
        (harness, asked) = (Some(added.harness), added.asked);
    }
    let mut program = lower::lower(&units, settings, settings.functions)?;
    lower::look_at_calls(&mut program, &asked);
    let warnings = units.into_iter().flat_map(|unit| unit.warnings).collect();
    Ok(Loaded { program, warnings, harness, assumptions })
}

/// Where a function is called in place of `main`, the program's own `main` is a function like others.
fn with_main_aside(sources: &[Source], settings: &Settings) -> Vec<Source> {
    let mut sources = sources.to_vec();
    if settings.entry.is_some() {
        for source in &mut sources {
            source.flags.defines.push(MAIN_ASIDE.to_owned());
        }
    }
    sources
}

/// The functions that could be called in place of `main`: those with a body in these files.
pub fn functions(sources: &[Source], settings: &Settings) -> Result<Vec<String>, InputError> {
    on_large_stack(|| {
        let units = sources
            .iter()
            .map(|source| syntax::read_unit(source, settings))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(entry::function_names(&units))
    })
}

/// What callers of a function may have to promise: guesses, each to be tried as a clause of its contract. The contract
/// of the settings' entry says what is known of functions that it calls.
pub fn suggestions(
    sources: &[Source],
    settings: &Settings,
    function: &str,
) -> Result<Vec<Suggestion>, InputError> {
    on_large_stack(|| {
        let sources = with_main_aside(sources, settings);
        let units = sources
            .iter()
            .map(|source| syntax::read_unit(source, settings))
            .collect::<Result<Vec<_>, _>>()?;
        let program = lower::lower(&units, settings, Functions::All)?;
        let known = settings.entry.as_ref().map(|entry| entry.contract.clone());
        entry::suggestions(&units, &program, function, &known.unwrap_or_default())
    })
}

/// Which function may call which, callees first.
pub fn calls(sources: &[Source], settings: &Settings) -> Result<Vec<Calls>, InputError> {
    on_large_stack(|| {
        let units = sources
            .iter()
            .map(|source| syntax::read_unit(source, settings))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(entry::bottom_up(&lower::lower(&units, settings, Functions::All)?))
    })
}

/// The external names of a file: what it defines, and what others have to define for it.
pub fn symbols(source: &Source, settings: &Settings) -> Result<Symbols, InputError> {
    on_large_stack(|| Ok(symbols::symbols(&syntax::read_unit(source, settings)?)))
}

/// A program, with what the front end had to say about its source.
#[derive(Debug)]
pub struct Loaded {
    pub program: Program,
    pub warnings: Vec<Diagnostic>,
    /// The C that calls the function that was asked for.
    pub harness: Option<Harness>,
    /// What was taken for granted about callers and missing functions, for people.
    pub assumptions: Vec<String>,
}
