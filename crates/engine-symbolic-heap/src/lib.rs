//! The engine `symbolic-heap`: byte-precise symbolic execution with path conditions.
//!
//! The state is that of the separation-logic analysis SLCPA (stack part, heap part, pure part): a
//! call stack, blocks with cells, and a conjunction of terms. Questions about allocation are
//! answered by the form of a pointer first and by the solver last. Every path is followed to its
//! end, so a program whose paths are finite in number and length is decided.
//!
//! The rooms, each of which uses only those above it; `crates/tidy` checks that:
//!
//! | room | what is in it |
//! | --- | --- |
//! | `heap` | names and terms, blocks, states, prototypes of nodes, what is well formed, the text |
//! | `reasoning` | what follows from a path condition: models, ranges, references |
//! | `summary` | blocks that stand for many nodes: lists with facts along the chain, trees |
//! | `abstraction` | operators on states: normal form, matching, entailment, join |
//! | `execution` | what each operation of the program does to a state |
//! | `interprocedural` | recursive calls: localised, looked up, combined |
//! | `analysis` | the two explorations, both for the driver in the crate `exploration` |
//! | `proof` | inductive invariants, certificates, what the oracle gets to see |
//! | `strategy` | precisions in their order, searches, shares of the time |
//!
//! Beside them: `definition` (predicates of users), `program_facts`, `services`, `precision` and `learnt`; an
//! `analysis::search` has one of each and lends them to the operations.

mod abstraction;
mod analysis;
mod definition;
mod engine;
mod execution;
mod heap;
mod interprocedural;
mod landmarks;
mod layout_facts;
mod learnt;
mod no_proof;
mod precision;
mod program_facts;
mod proof;
mod reasoning;
mod services;
mod settings;
mod statistics;
mod strategy;
mod summary;
#[cfg(test)]
mod testing;

use std::sync::Arc;

use heapwright_engine::{Deadline, Task};

use crate::analysis::search::Search;

pub use crate::definition::file::{DefinitionError, DefinitionFile, FilePlace};
pub use crate::definition::{Definitions, MOST_PARAMETERS};
pub use crate::engine::SymbolicHeapEngine;
pub use crate::heap::text::parse::HeapSyntaxError;
pub use crate::heap::text::print::LEGEND;
use crate::interprocedural::{describe_part, parse_part};
use crate::precision::{Payload, Precision};
pub use crate::settings::{Allocation, PathTurns, Settings};
pub use crate::statistics::Statistics;
use crate::summary::user::small_heaps::check_small_heaps;

/// The definitions of a file for a task's program, if nothing is wrong with them.
pub fn load_definitions(task: &Task, text: &str) -> Result<Definitions, DefinitionError> {
    let file = DefinitionFile::parse(text)?;
    let definitions = Arc::new(file.resolve(&task.program)?);
    let (settings, precision) = (Settings::default(), Precision::for_lists(Payload::Numbers));
    let mut search = Search::new(task, &settings, precision, Deadline::never());
    // A program without a start has no heaps either.
    if let Ok(start) = search.reasoner.names.start.clone() {
        let checked = check_small_heaps(&mut search.reasoner, &start, &definitions);
        checked.map_err(|problem| file.told(problem))?;
    }
    drop(search);
    Ok(Arc::unwrap_or_clone(definitions))
}

/// Reads an invariant of a program from its text, and prints it again.
pub fn reread(task: &Task, text: &str) -> Result<String, HeapSyntaxError> {
    let settings = Settings::default();
    let mut search =
        Search::new(task, &settings, Precision::for_lists(Payload::Numbers), Deadline::never());
    let (part, state) = parse_part(&mut search.reasoner.names, text)?;
    Ok(describe_part(&mut search.reasoner.names, part, &state))
}
