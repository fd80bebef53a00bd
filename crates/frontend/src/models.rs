//! Our models of library functions: C files compiled into the executable, linked in when a program
//! needs a function and does not define it. The first line of a model lists what it defines.
//! Models of the environment draw inputs of their own and are linked only where that is wanted.

use std::collections::BTreeSet;

use crate::settings::{Flags, Source, World};

/// One C file of models.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) name: &'static str,
    text: &'static str,
}

macro_rules! models {
    ($($name:literal),* $(,)?) => {
        &[$(Model { name: $name, text: include_str!(concat!("../models/", $name)) }),*]
    };
}

const MODELS: &[Model] = models![
    "aligned_allocation.c",
    "allocation.c",
    "bit_search.c",
    "bits.c",
    "byte_order.c",
    "character.c",
    "ctype_tables.c",
    "errno.c",
    "error_text.c",
    "fortified.c",
    "integer_arithmetic.c",
    "integer_text.c",
    "intrinsic_pointers.c",
    "linked_list.c",
    "memory.c",
    "memory_copy.c",
    "memory_search.c",
    "number.c",
    "random.c",
    "real_text.c",
    "search.c",
    "search_tree.c",
    "sort.c",
    "sort_with_argument.c",
    "string.c",
    "string_case.c",
    "string_copy.c",
    "string_duplicate.c",
    "string_locale.c",
    "string_path.c",
    "string_search.c",
    "string_token.c",
    "verifier.c",
    "wide_string.c",
];

const ENVIRONMENT: &[Model] = models![
    "environment/calendar.c",
    "environment/clock.c",
    "environment/files.c",
    "environment/format.c",
    "environment/format_list.c",
    "environment/handlers.c",
    "environment/input.c",
    "environment/line.c",
    "environment/locale.c",
    "environment/output.c",
    "environment/process.c",
    "environment/random48.c",
    "environment/scan.c",
    "environment/scan_text.c",
    "environment/streams.c",
    "environment/variables.c",
    "environment/wide.c",
];

/// Models of functions of which C says what it says of operators: where `abs` overflows, its caller is
/// at fault. What the others compute is our own affair.
const COMPUTES_FOR_CALLERS: [&str; 1] = ["integer_arithmetic.c"];

impl Model {
    /// The functions that the model defines, from its first line.
    fn defines(&self) -> impl Iterator<Item = &'static str> {
        let first = self.text.lines().next().unwrap_or_default();
        first.strip_prefix("// defines:").unwrap_or_default().split_whitespace()
    }

    pub(crate) fn source(&self) -> Source {
        Source {
            name: format!("<model>/{}", self.name),
            text: self.text.as_bytes().to_vec(),
            is_preprocessed: false,
            flags: Flags::default(),
            is_model: true,
            is_trusted: !COMPUTES_FOR_CALLERS.contains(&self.name),
        }
    }
}

/// The models that define at least one of these names.
pub(crate) fn defining(
    names: BTreeSet<String>,
    world: World,
) -> impl Iterator<Item = &'static Model> {
    let further = match world {
        World::Real => &[],
        World::Modelled => ENVIRONMENT,
    };
    let models = MODELS.iter().chain(further);
    models.filter(move |model| model.defines().any(|name| names.contains(name)))
}
