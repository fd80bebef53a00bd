//! What the program uses and leaves to others: functions of the verification task, functions and
//! objects that nobody defines.

use std::collections::BTreeSet;

use heapwright_interpreter::{InputKind, is_library_function, static_serial};
use heapwright_memory::FaultKind;
use heapwright_program::{Callee, Expression, Function, ObjectKind, Operation, Program};

use super::{Piece, Subject, literal};

/// The same random numbers as in the verifier: from the input functions.
const RANDOM: &str = include_str!("../../models/random.c");

pub(super) fn piece(subject: &Subject<'_>) -> Piece {
    let program = &subject.task.program;
    let mut piece = Piece::default();
    error_functions(subject, &mut piece);
    for (name, text) in TASK_FUNCTIONS {
        if !is_defined_by_program(program, name) {
            piece.text.push_str(text);
        }
    }
    let is_modelled = |name: &&str| {
        let function = program.function_named(name).map(|id| &program.functions[id]);
        function.is_some_and(|function| is_model(program, function))
    };
    if ["rand", "random", "rand_r"].iter().any(is_modelled) {
        piece.text.push('\n');
        piece.text.push_str(RANDOM);
    }
    missing_functions(program, &mut piece);
    missing_objects(subject, &mut piece);
    piece
}

const TASK_FUNCTIONS: &[(&str, &str)] = &[
    (
        "__VERIFIER_assume",
        "
void __VERIFIER_assume(int condition)
{
    if (!condition) {
        note(\"this is another execution: an assumption does not hold\");
        exit(125);
    }
}
",
    ),
    ("__VERIFIER_atomic_begin", "\nvoid __VERIFIER_atomic_begin(void) {}\n"),
    ("__VERIFIER_atomic_end", "\nvoid __VERIFIER_atomic_end(void) {}\n"),
];

/// Functions whose call is the violation: defined here if the program leaves them out. One that it
/// has is watched, because it may do nothing at all.
fn error_functions(subject: &Subject<'_>, piece: &mut Piece) {
    let program = &subject.task.program;
    let asked = subject.task.specification.error_functions.iter().map(String::as_str);
    let names: BTreeSet<&str> = asked.chain(["reach_error", "__VERIFIER_error"]).collect();
    for name in names {
        let said = literal(format!("`{name}` is reached").as_bytes());
        let is_used = program.function_named(name).is_some();
        if is_used && !is_defined_by_program(program, name) {
            piece.text.push_str(&format!(
                "\nvoid {name}(void)\n{{\n    note({said});\n    abort();\n}}\n"
            ));
        }
    }
    let report = subject.violation.report();
    let reached = report.fault().filter(|fault| fault.kind == FaultKind::ErrorReached);
    let reached = reached.and_then(|fault| fault.detail.as_deref());
    if let Some(name) = reached.filter(|name| is_defined_by_program(program, name)) {
        let said = literal(format!("`{name}` is reached").as_bytes());
        piece.flags.push("-finstrument-functions".to_owned());
        piece.text.push_str(&format!(
            "
// Called at the start of every function of the program.
extern void {name}();

__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *function, void *site)
{{
    if (function == (void *){name}) {{
        note({said});
        abort();
    }}
}}

__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *function, void *site)
{{
}}
"
        ));
    }
}

/// Functions that neither the program nor a library has. The execution does not call them, but the
/// linker wants them.
fn missing_functions(program: &Program, piece: &mut Piece) {
    let missing: Vec<&str> = used_functions(program)
        .into_iter()
        .filter(|function| function.body.is_none() && !is_library_function(&function.name))
        .map(|function| function.name.as_str())
        .filter(|name| !is_known_to_libraries(name))
        .collect();
    if missing.is_empty() {
        return;
    }
    piece.text.push_str(MISSING);
    for (number, name) in missing.into_iter().enumerate() {
        let name = literal(name.as_bytes());
        piece.text.push_str(&format!("MISSING(missing_{number}, {name})\n"));
    }
}

const MISSING: &str = "
// Functions that nobody defines. The execution does not call them.
#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
#define MISSING(identifier, name) \\
    void identifier(void) __asm__(TEXT(__USER_LABEL_PREFIX__) name); \\
    void identifier(void) \\
    { \\
        note(\"this is another execution: it calls \" name); \\
        exit(125); \\
    }
";

/// Objects that are declared and nowhere defined, with the bytes that the execution found there.
fn missing_objects(subject: &Subject<'_>, piece: &mut Piece) {
    for (id, object) in subject.task.program.objects.enumerated() {
        let size = object.size.unwrap_or(0).max(1);
        if object.kind != ObjectKind::External || is_known_to_libraries(&object.name) {
            continue;
        }
        let bytes = subject.violation.inputs().iter().filter_map(|input| match input.kind {
            InputKind::UninitialisedByte { serial, offset } if serial == static_serial(id) => {
                (input.bits != 0).then(|| format!("[{offset}] = {:#04x}", input.bits))
            }
            _ => None,
        });
        let bytes: BTreeSet<String> = bytes.collect();
        let bytes: Vec<String> = bytes.into_iter().collect();
        let bytes = if bytes.is_empty() { "0".to_owned() } else { bytes.join(", ") };
        let (name, alignment) = (&object.name, object.alignment);
        piece.text.push_str(&format!(
            "\n// Declared, and defined nowhere.\nunsigned char {name}[{size}] \
             __attribute__((aligned({alignment}))) = {{{bytes}}};\n"
        ));
    }
}

/// Objects and functions of C libraries that the interpreter has no function for.
pub(super) fn is_known_to_libraries(name: &str) -> bool {
    const KNOWN: &[&str] = &[
        "stdin",
        "stdout",
        "stderr",
        "environ",
        "optarg",
        "optind",
        "opterr",
        "optopt",
        "timezone",
        "daylight",
        "tzname",
        "malloc",
        "calloc",
        "realloc",
        "free",
        "memcpy",
        "memmove",
        "memset",
        "abort",
        "exit",
        "_exit",
        "_Exit",
        "sigaction",
        "signal",
        "pthread_create",
        "pthread_join",
        "pthread_exit",
        "fork",
        "vfork",
        "setjmp",
        "_setjmp",
        "longjmp",
    ];
    // Such names belong to compilers and libraries.
    let is_reserved = name.starts_with("__") && !name.starts_with("__VERIFIER");
    is_reserved || KNOWN.contains(&name)
}

/// Whether the program has a function of this name with a body of its own.
pub(super) fn is_defined_by_program(program: &Program, name: &str) -> bool {
    let function = program.function_named(name).map(|id| &program.functions[id]);
    function.is_some_and(|function| function.body.is_some() && !is_model(program, function))
}

/// Whether the function's body is one of our models.
fn is_model(program: &Program, function: &Function) -> bool {
    let first = function.body.as_ref().and_then(|body| body.edges.iter().next());
    first.is_some_and(|edge| program.files[edge.place.file].is_model)
}

/// The functions that the program calls or points to, each once.
fn used_functions(program: &Program) -> Vec<&Function> {
    let mut used = BTreeSet::new();
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    for edge in bodies.flat_map(|body| &body.edges) {
        if let Operation::Call { callee: Callee::Direct(callee), .. } = edge.operation {
            used.insert(callee);
        }
    }
    for id in program.expressions.ids() {
        if let Expression::FunctionAddress(function) = program.expressions.get(id) {
            used.insert(function);
        }
    }
    used.into_iter().map(|id| &program.functions[id]).collect()
}
