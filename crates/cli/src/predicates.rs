//! Inductive predicates on the command line: a file of the user's definitions, read for a program.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use heapwright_engine::Task;
use heapwright_engine_symbolic_heap::{Definitions, load_definitions};
use heapwright_frontend::InputError;

/// The definitions of a file, if there is one.
pub(crate) fn predicates(file: Option<&Path>, task: &Task) -> Result<Arc<Definitions>, InputError> {
    let Some(path) = file else { return Ok(Arc::default()) };
    let name = path.display().to_string();
    let text = fs::read_to_string(path)
        .map_err(|error| InputError::new(format!("--predicates: {name}: {error}")))?;
    let definitions = load_definitions(task, &text);
    definitions.map(Arc::new).map_err(|error| InputError::new(error.told(&name, &text)))
}
