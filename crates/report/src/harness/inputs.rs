//! The `__VERIFIER_nondet_…` functions: they give what the execution drew, in the same order.

use std::collections::BTreeMap;
use std::fmt::Write;

use heapwright_interpreter::{DrawnInput, InputKind};
use heapwright_program::{
    DataModel, FloatFormat, InputSource, Operation, Program, ScalarType, sign_extend,
};

use super::outside::is_defined_by_program;
use super::{Piece, Subject, literal};
use crate::input::InputReport;

const PREFIX: &str = "__VERIFIER_nondet_";

pub(super) fn piece(subject: &Subject<'_>) -> Piece {
    let program = &subject.task.program;
    let functions = functions(program);
    let drawn: Vec<(&DrawnInput, &str)> =
        subject.violation.inputs().iter().filter_map(|drawn| Some((drawn, name(drawn)?))).collect();
    let foreign = drawn.iter().filter(|(_, name)| !name.starts_with(PREFIX));
    let mut foreign: Vec<&str> = foreign.map(|(_, name)| *name).collect();
    foreign.sort_unstable();
    foreign.dedup();
    let of = |name: &str| format!("what `{name}` gives comes from the machine that it runs on");
    let mut caveats: Vec<String> = foreign.into_iter().map(of).collect();
    if subject.violation.inputs().iter().any(|drawn| matches!(drawn.kind, InputKind::Choice(_))) {
        caveats.push(CHOSEN.to_owned());
    }
    if functions.is_empty() {
        return Piece { caveats, ..Piece::default() };
    }
    let mut text = String::from(TABLE_START);
    for (drawn, name) in drawn.iter().filter(|(_, name)| name.starts_with(PREFIX)) {
        text.push_str(&entry(program, drawn, name));
    }
    text.push_str(TABLE_END);
    for (name, ty) in functions {
        text.push_str(&function(name, ty, program.model));
    }
    Piece { text, caveats, ..Piece::default() }
}

const CHOSEN: &str = "at which addresses blocks and string literals lie is for the compiler and \
    the allocator to choose: it shows the violation only where they choose as the execution does";

fn name(drawn: &DrawnInput) -> Option<&str> {
    match &drawn.kind {
        InputKind::Nondeterministic(name) => Some(name),
        InputKind::UninitialisedVariable(_)
        | InputKind::UninitialisedByte { .. }
        | InputKind::AllocationFails { .. }
        | InputKind::Choice(_)
        | InputKind::Character => None,
    }
}

/// The input functions that the program calls, with what they give.
fn functions(program: &Program) -> BTreeMap<&str, ScalarType> {
    let mut functions = BTreeMap::new();
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    for edge in bodies.flat_map(|body| &body.edges) {
        if let Operation::Input { target, source: InputSource::Nondeterministic(name) } =
            &edge.operation
            && !is_defined_by_program(program, name)
            && name.starts_with(PREFIX)
        {
            functions.entry(name.as_str()).or_insert(program.variables[*target].scalar);
        }
    }
    functions
}

const TABLE_START: &str = "
struct input {
    const char *function;
    unsigned long long value, high;
};

// The inputs in the order in which the execution asks for them.
static const struct input inputs[] = {
";

const TABLE_END: &str = "    {0, 0, 0},
};

static const struct input *next_input(const char *function)
{
    static const struct input *next = inputs;
    if (next->function == 0) {
        note(\"all inputs are used up\");
        check_leaks();
        exit(125);
    }
    if (strcmp(next->function, function) != 0) {
        note(\"this is another execution: it asks for inputs in another order\");
        exit(125);
    }
    return next++;
}
";

/// A line of the table.
fn entry(program: &Program, drawn: &DrawnInput, name: &str) -> String {
    let report = InputReport::of(program, drawn);
    let (low, high) = match drawn.ty {
        ScalarType::Integer { signed: true, width } if width <= 64 => {
            (sign_extend(drawn.bits, u32::from(width)) as i64 as u64, 0)
        }
        _ => (drawn.bits as u64, (drawn.bits >> 64) as u64),
    };
    let number = |word: u64| match word as i64 {
        small @ -0xffff_ffff..=0xffff_ffff => small.to_string(),
        _ => format!("{word:#x}ULL"),
    };
    let mut text = format!("    {{{}, {}", literal(name.as_bytes()), number(low));
    if high != 0 {
        write!(text, ", {}", number(high)).expect("a string takes everything");
    }
    let place = report.place.map_or(String::new(), |place| format!(" // {place}"));
    let is_plain = matches!(drawn.ty, ScalarType::Integer { .. } | ScalarType::Bool);
    let value =
        if is_plain || place.is_empty() { String::new() } else { format!(": {}", report.value) };
    format!("{text}}},{place}{value}\n")
}

/// The definition of one function.
fn function(name: &str, ty: ScalarType, model: DataModel) -> String {
    let c_type = c_type(name, ty, model);
    let bits = match ty {
        ScalarType::Float(FloatFormat::Single) => {
            Some("unsigned int bits = (unsigned int)input->value;")
        }
        ScalarType::Float(FloatFormat::Double) => Some("unsigned long long bits = input->value;"),
        ScalarType::Float(FloatFormat::Extended | FloatFormat::Quadruple) => {
            Some("unsigned long long bits[2] = {input->value, input->high};")
        }
        ScalarType::Bool | ScalarType::Integer { .. } | ScalarType::Pointer => None,
    };
    let fetch = format!("next_input({})", literal(name.as_bytes()));
    match (bits, ty) {
        (Some(bits), _) => format!(
            "
{c_type} {name}(void)
{{
    const struct input *input = {fetch};
    {bits}
    {c_type} value = 0;
    memcpy(&value, &bits, sizeof value < sizeof bits ? sizeof value : sizeof bits);
    return value;
}}
"
        ),
        (None, ScalarType::Integer { width, .. }) if width > 64 => format!(
            "
{c_type} {name}(void)
{{
    const struct input *input = {fetch};
    return ({c_type})input->high << 64 | input->value;
}}
"
        ),
        (None, ScalarType::Pointer) => format!(
            "
{c_type}{name}(void)
{{
    return (void *)(size_t){fetch}->value;
}}
"
        ),
        (None, _) => format!(
            "
{c_type} {name}(void)
{{
    return ({c_type}){fetch}->value;
}}
"
        ),
    }
}

/// The type as C spells it: by the function's name where that fits, so that it stays right under
/// another data model, and by its width otherwise.
fn c_type(name: &str, ty: ScalarType, model: DataModel) -> &'static str {
    let (signed, width) = match ty {
        ScalarType::Bool => return "_Bool",
        ScalarType::Pointer => return "void *",
        ScalarType::Float(FloatFormat::Single) => return "float",
        ScalarType::Float(FloatFormat::Double) => return "double",
        ScalarType::Float(FloatFormat::Extended) => return "long double",
        ScalarType::Float(FloatFormat::Quadruple) => return "__float128",
        ScalarType::Integer { signed, width } => (signed, width),
    };
    let long = model.offset_type();
    match (name.strip_prefix(PREFIX).unwrap_or(name), signed) {
        ("long", true) if ty == long => "long",
        ("ulong", false) if ty == model.size_type() => "unsigned long",
        ("size_t", false) if ty == model.size_type() => "size_t",
        _ => match (width, signed) {
            (..=8, true) => "signed char",
            (..=8, false) => "unsigned char",
            (..=16, true) => "short",
            (..=16, false) => "unsigned short",
            (..=32, true) => "int",
            (..=32, false) => "unsigned int",
            (..=64, true) => "long long",
            (..=64, false) => "unsigned long long",
            (_, true) => "__int128",
            (_, false) => "unsigned __int128",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_follow_the_name_only_where_it_tells_the_truth() {
        let long = ScalarType::Integer { signed: true, width: 64 };
        assert_eq!(c_type("__VERIFIER_nondet_long", long, DataModel::Lp64), "long");
        assert_eq!(c_type("__VERIFIER_nondet_long", ScalarType::INT, DataModel::Lp64), "int");
        assert_eq!(c_type("__VERIFIER_nondet_long", ScalarType::INT, DataModel::Ilp32), "long");
        assert_eq!(
            c_type("__VERIFIER_nondet_u32", ScalarType::UNSIGNED, DataModel::Lp64),
            "unsigned int"
        );
    }
}
