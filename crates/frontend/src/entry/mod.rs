//! Functions without `main`: a harness in C that calls one in every state its callers may be in.
//!
//! The harness stands at the end of the function's own file, so that it sees all types and static
//! functions there. It is C, so that it can be read, compiled and run; its loops build lists and trees
//! of any size. What it takes for granted is told with every answer. Reading order: `shapes` (what
//! types stand for), `nullness`, `maker` (values), `records`, `owners`, `counted`, `call` (the arguments and the call),
//! `nodes`, `keep`, `upkeep`, `contract`, `asked` (calls inside the program); `footprint`, `suggest` and `handed` (what callers may have to promise).

mod asked;
mod call;
mod contract;
mod counted;
mod declarations;
mod external;
mod footprint;
mod handed;
mod keep;
mod library;
mod maker;
mod nodes;
mod nullness;
mod owners;
mod records;
mod shapes;
mod suggest;
mod upkeep;

use heapwright_program::Program;

pub(crate) use self::asked::{ASKS, Asked};
pub use self::contract::Contract;
pub use self::external::External;
pub(crate) use self::external::arbitrary;
pub use self::handed::Calls;
pub(crate) use self::handed::bottom_up;
use self::nullness::NullTests;
pub use self::suggest::{Sort, Subject, Suggestion};
use crate::diagnostic::InputError;
use crate::settings::Source;
use crate::syntax::Unit;

/// The function to call, and in which states.
#[derive(Clone, Debug)]
pub struct Entry {
    pub function: String,
    pub globals: Globals,
    pub contract: Contract,
}

/// What global variables hold when the function is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Globals {
    /// What they hold when the program starts.
    #[default]
    Initialised,
    /// Anything of their types.
    Arbitrary,
}

/// C that was added to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harness {
    /// The file behind whose end it stands.
    pub file: String,
    pub text: String,
    /// Whether the file's own `main` had to step aside.
    pub replaces_main: bool,
    /// What it takes for granted, for people.
    pub assumptions: Vec<String>,
}

/// What is added for an entry.
pub(crate) struct Added {
    /// The file behind which the harness stands.
    pub(crate) unit: usize,
    pub(crate) harness: Harness,
    pub(crate) asked: Vec<Asked>,
}

/// The macro that lets a file's own `main` step aside.
pub const MAIN_ASIDE: &str = "main=heapwright_own_main";

/// What the file's own `main` is called then.
const OWN_MAIN: &str = "heapwright_own_main";

impl Harness {
    /// The harness that calls the function, and what looks at calls inside the program.
    pub(crate) fn of(
        entry: &Entry,
        units: &[Unit],
        program: &Program,
    ) -> Result<Added, InputError> {
        let (index, unit, decl) = find(units, &entry.function)?;
        let tests = NullTests::of(program);
        let (text, assumptions) = call::harness(unit, decl, entry, &tests, program)?;
        let replaces_main = has_own_main(units);
        let harness = Harness { file: unit.name.clone(), text, replaces_main, assumptions };
        let asked = asked::asked(entry, units, &tests, program)?;
        Ok(Added { unit: index, harness, asked })
    }

    /// The same file with the harness behind it.
    pub(crate) fn append_to(&self, source: &Source) -> Source {
        append(source, &self.text)
    }
}

/// Whether a file has a `main` that stepped aside.
fn has_own_main(units: &[Unit]) -> bool {
    units.iter().any(|unit| declarations::definition(unit, OWN_MAIN).is_some())
}

/// The file that defines a function, and its definition.
fn find<'u>(
    units: &'u [Unit],
    function: &str,
) -> Result<(usize, &'u Unit, rucc_sema::DeclId), InputError> {
    let mut found = units.iter().enumerate().filter_map(|(index, unit)| {
        declarations::definition(unit, function).map(|decl| (index, unit, decl))
    });
    let Some(first) = found.next() else {
        if function == "main" && has_own_main(units) {
            let problem = "`main` is where the program starts; ask about it without --entry";
            return Err(InputError::new(problem));
        }
        return Err(InputError::new(format!(
            "there is no function `{function}` with a body; there are {}",
            function_names(units).join(", ")
        )));
    };
    match found.next() {
        None => Ok(first),
        Some(_) => Err(InputError::new(format!(
            "several files define a function `{function}`; give one of them"
        ))),
    }
}

/// What callers of a function may have to promise, as guesses; what is known of its callees tells some of them.
pub(crate) fn suggestions(
    units: &[Unit],
    program: &Program,
    function: &str,
    known: &Contract,
) -> Result<Vec<Suggestion>, InputError> {
    let (_, unit, decl) = find(units, function)?;
    let tests = NullTests::of(program);
    // A function that returns a record gets its address as a first parameter.
    let result = unit.kind(declarations::result_type(unit, decl));
    let hidden = usize::from(matches!(result, rucc_types::TypeKind::Record(_)));
    let footprint = footprint::Footprint::of(program, &tests, function, hidden);
    let mut found = handed::handed_on(units, (unit, decl), known);
    found.extend(suggest::suggestions(unit, function, &tests, footprint));
    Ok(found)
}

pub(crate) fn append(source: &Source, text: &str) -> Source {
    let mut source = source.clone();
    source.text.extend_from_slice(format!("\n#line 1 \"{HARNESS_FILE}\"\n{text}").as_bytes());
    source
}

/// The name of the file that a harness seems to stand in.
pub(crate) const HARNESS_FILE: &str = "<harness>";

/// The functions that the files define, without those of the system's headers, in their order.
pub(crate) fn function_names(units: &[Unit]) -> Vec<String> {
    let names = units.iter().flat_map(declarations::defined_here);
    names.filter(|name| name != OWN_MAIN).collect()
}
