//! Well-formedness: what every program obeys before and after every pass.
//!
//! The rules are the variants of [`Rule`], in the order in which they are checked. All defects are
//! collected. An id out of its table ends the check early, since nothing else could be looked up.

mod body;
mod declarations;
mod ids;
mod operation;

use std::fmt;

use crate::program::{EdgeId, FunctionId, Program};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// Every id names a thing in its table; locations are below the location count.
    KnownIds,
    /// Functions, records, global variables and file-scope objects have unique names, each kind
    /// among its own; so have the variables and the objects of a function. No name is empty.
    UniqueNames,
    /// Integers have 8, 16, 32, 64 or 128 bits; a pointer type says what it points to.
    ScalarTypes,
    /// Fields lie in their record, in order in a struct and at 0 in a union; bits lie in the
    /// field's type; sizes are multiples of alignments, which are powers of two; an incomplete
    /// record has no fields and size 0.
    RecordLayout,
    /// Both operands of an operator have the same type, one that it works on; an offset moves a
    /// pointer; conversions do not mix pointers and floats; variables have their own type.
    ExpressionTypes,
    /// Globals, and only they, belong to no function; a variable's machine type fits its C type.
    Variables,
    /// A global's initial value has its type and is constant.
    InitialValues,
    /// Static objects have a size that is not less than their type's and hold their bytes and
    /// addresses, which lead to what is always there; local objects belong to a function; alignments
    /// are powers of two.
    Objects,
    /// A function has a function type, its parameters are its parameter variables, each once, its
    /// result fits its type, and further arguments go into a local object of a variadic function.
    Signatures,
    /// Every location but the exit has an outgoing edge, the exit has none, and is not the entry.
    Exit,
    /// A location has one edge that is no assumption, or two assumptions that differ in `holds` only.
    Branching,
    /// `return`, `halt` and `fail` lead to the exit, and nothing else does but what is unsupported.
    ExitEdges,
    /// An operation uses variables and objects of its own function or of no function, and static
    /// ones.
    OwnThings,
    /// Only a function's own local objects come and go, and not its varargs; a size is given exactly
    /// if the object has none.
    Lifetimes,
    /// The values that an operation takes and gives have the types that it asks for.
    OperandTypes,
    /// An access's path follows the records, adds up to its offset, and to the address if that is
    /// constant from the base; bits lie in the type and are those of the field.
    AccessPaths,
    /// A direct call has as many arguments as parameters, more only if the callee is variadic or not
    /// prototyped or has no body, of the parameters' types, and wants no other result than there is.
    Calls,
}

/// Where a program breaks which rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect {
    pub rule: Rule,
    pub function: Option<FunctionId>,
    pub edge: Option<EdgeId>,
    pub message: String,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.rule)?;
        if let Some(function) = self.function {
            write!(f, " in {function}")?;
        }
        if let Some(edge) = self.edge {
            write!(f, " at {edge}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Checks all rules.
///
/// # Errors
/// All defects, in the order of the program.
pub fn well_formed(program: &Program) -> Result<(), Vec<Defect>> {
    let mut checker = Checker {
        program,
        type_count: program.types.types().count(),
        record_count: program.types.records().count(),
        defects: Vec::new(),
        function: None,
        edge: None,
    };
    checker.check_ids();
    if checker.defects.is_empty() {
        checker.check_declarations();
        checker.check_bodies();
    }
    if checker.defects.is_empty() { Ok(()) } else { Err(checker.defects) }
}

/// Panics in builds with debug assertions if a pass left a program that is not well formed.
pub fn debug_assert_well_formed(program: &Program, pass_name: &str) {
    if cfg!(debug_assertions)
        && let Err(defects) = well_formed(program)
    {
        let lines: Vec<String> = defects.iter().map(|defect| explain(program, defect)).collect();
        panic!("not well formed after {pass_name}:\n{}", lines.join("\n"));
    }
}

/// A defect with the name of its function and the text of its edge.
#[must_use]
pub fn explain(program: &Program, defect: &Defect) -> String {
    let mut text = format!("{:?}", defect.rule);
    let function = defect.function.and_then(|id| program.functions.get(id));
    if let Some(function) = function {
        text.push_str(&format!(" in {}", function.name));
    }
    let edges = function.and_then(|function| function.body.as_ref()).map(|body| &body.edges);
    if let (Some(id), Some(edge)) = (defect.edge, defect.edge.and_then(|id| edges?.get(id))) {
        let operation = crate::text::display_operation(program, &edge.operation);
        text.push_str(&format!(" at {id} ({} -> {}: {operation})", edge.source, edge.target));
    }
    format!("{text}: {}", defect.message)
}

/// The program under check, and where in it we are.
struct Checker<'a> {
    program: &'a Program,
    type_count: usize,
    record_count: usize,
    defects: Vec<Defect>,
    function: Option<FunctionId>,
    edge: Option<EdgeId>,
}

impl Checker<'_> {
    fn require(&mut self, rule: Rule, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            let (function, edge) = (self.function, self.edge);
            self.defects.push(Defect { rule, function, edge, message: message() });
        }
    }
}
