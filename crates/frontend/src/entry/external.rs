//! Functions that nobody defines, taken for anything: bodies in C that give any result and write what
//! their parameters let them write.
//!
//! How far a pointer leads, only conventions tell: one object, or as many as a number beside it says.
//! Where a function could change pointers, or where nothing tells how much it may write, the body says
//! that it is not modelled.

use std::collections::BTreeSet;

use heapwright_program::{Callee, Expression, Operation, Program};
use rucc_sema::{DeclFlags, DeclId};
use rucc_types::{Qualifiers, TypeId, TypeKind};

use super::append;
use super::declarations::is_external;
use super::maker::{Maker, named};
use super::nullness::NullTests;
use super::shapes::{counts_bytes, counts_elements};
use crate::settings::Source;
use crate::syntax::Unit;

/// Which functions without a body may do anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum External {
    /// None: an execution that calls one is not answered for.
    #[default]
    Unknown,
    /// All of them.
    Arbitrary,
    /// Those of these names.
    ArbitraryNamed(BTreeSet<String>),
}

impl External {
    fn contains(&self, name: &str) -> bool {
        match self {
            External::Unknown => false,
            External::Arbitrary => true,
            External::ArbitraryNamed(names) => names.contains(name),
        }
    }
}

/// The sources that change because they get bodies for functions, and what is assumed of these.
pub(crate) fn arbitrary(
    external: &External,
    sources: &[Source],
    units: &[Unit],
    program: &Program,
) -> (Vec<(usize, Source)>, Vec<String>) {
    let mut missing = missing_functions(program);
    missing.retain(|name| external.contains(name));
    let tests = NullTests::default();
    let mut changed = Vec::new();
    let mut assumptions = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        let mut maker = Maker::new(unit, &tests);
        maker.shares = false;
        let mut text = String::new();
        for &id in unit.tast.top_level() {
            let Some(name) = unit.tast[id].name.map(|name| unit.names.resolve(name)) else {
                continue;
            };
            if is_external(unit, id) && missing.remove(name) {
                text += &body(&mut maker, id, name);
            }
        }
        if !text.is_empty() {
            let (helpers, more) = maker.into_text();
            let text = named(&format!("{helpers}{LEND}{text}"), "heapwright_external_");
            changed.push((index, append(&sources[index], &text)));
            assumptions.extend(more);
        }
    }
    if !assumptions.is_empty() {
        assumptions.push(LIMITS.to_owned());
    }
    (changed, assumptions)
}

/// Functions without a body that the program calls or points to.
fn missing_functions(program: &Program) -> BTreeSet<String> {
    let mut missing = BTreeSet::new();
    let mut add = |id: heapwright_program::FunctionId| {
        let function = &program.functions[id];
        if function.body.is_none() {
            missing.insert(function.name.clone());
        }
    };
    for function in &program.functions {
        let Some(body) = &function.body else { continue };
        for edge in &body.edges {
            if let Operation::Call { callee: Callee::Direct(callee), .. } = edge.operation {
                add(callee);
            }
        }
    }
    for id in program.expressions.ids() {
        if let Expression::FunctionAddress(function) = program.expressions.get(id) {
            add(function);
        }
    }
    missing
}

/// What is assumed of all functions without a body.
const LIMITS: &str = "functions without a body write at most what their parameters that are not const \
    point to, one object or as many as a number beside them says; they keep, free and call nothing that \
    they are given, and write no variables of the program";

/// What a result leads to is neither lost nor may it not be freed: who owns it, nobody knows.
const LEND: &str = "
extern void *__heapwright_permanent(__SIZE_TYPE__) __attribute__((weak));

static void *@lend(void *it)
{
    void **keeper = __heapwright_permanent(sizeof(void *));
    *keeper = it;
    return it;
}
";

/// The definition of one function.
fn body(maker: &mut Maker<'_>, id: DeclId, name: &str) -> String {
    let unit = maker.unit;
    let decl = &unit.tast[id];
    let TypeKind::Function(function) = unit.kind(decl.ty) else { unreachable!("a function") };
    let signature = unit.types.signature(function).clone();
    let spelled: Option<Vec<String>> =
        signature.params.iter().map(|&parameter| unit.spelling(parameter)).collect();
    let (Some(spelled), Some(result)) = (spelled, unit.spelling(signature.ret)) else {
        return String::new();
    };
    maker.assume(format!("`{name}`, which has no body, gives any result"));
    let mut list: Vec<String> = (spelled.iter().enumerate())
        .map(|(index, spelling)| format!("__typeof__({spelling}) argument_{index}"))
        .collect();
    if signature.variadic {
        list.push("...".to_owned());
    } else if list.is_empty() && signature.prototyped {
        list.push("void".to_owned());
    }
    let mut text = String::new();
    let names = unit.parameter_names.get(name).cloned().unwrap_or_default();
    for (index, &ty) in signature.params.iter().enumerate() {
        let parameter = Written { function: name, index, names: &names, types: &signature.params };
        text += &parameter.write(maker, ty);
    }
    text += &ending(maker, id, name, signature.ret, &result);
    format!("\n__typeof__({result}) {name}({})\n{{\n{text}}}\n", list.join(", "))
}

fn ending(maker: &mut Maker<'_>, id: DeclId, name: &str, ty: TypeId, spelling: &str) -> String {
    let unit = maker.unit;
    if unit.tast[id].flags.contains(DeclFlags::NORETURN) {
        return "    __builtin_abort();\n".to_owned();
    }
    let what = format!("the result of `{name}`");
    match unit.kind(ty) {
        TypeKind::Void => String::new(),
        TypeKind::Record(_) => {
            let fill = maker.fill("it", ty, &what, 1);
            format!("    __typeof__({spelling}) it;\n{fill}    return it;\n")
        }
        TypeKind::Pointer(_) => {
            let target = unit.pointee(ty).expect("a pointer");
            let value = maker.pointer(target, &what);
            let value = maker.with_null(value, true, target);
            let is_function = matches!(unit.kind(target), TypeKind::Function(_));
            if is_function {
                return format!("    return (void *){value};\n");
            }
            maker.assume(format!("{what} is null, or leads to memory that nobody else uses"));
            format!("    return @lend((void *){value});\n")
        }
        _ => format!("    return {};\n", maker.value(ty, &what)),
    }
}

/// A parameter through which a function may write.
struct Written<'w> {
    function: &'w str,
    index: usize,
    names: &'w [String],
    types: &'w [TypeId],
}

impl Written<'_> {
    fn write(&self, maker: &mut Maker<'_>, ty: TypeId) -> String {
        let unit = maker.unit;
        let Some(target) = unit.pointee(ty) else {
            return if unit.has_pointers(ty) { self.refuse(maker) } else { String::new() };
        };
        let is_constant = unit.types.quals(unit.types.canonical(target)).has(Qualifiers::CONST);
        match unit.kind(target) {
            TypeKind::Function(_) => return String::new(),
            TypeKind::Record(record) if !unit.is_complete(record) || maker.is_stream(record) => {
                return String::new();
            }
            _ => {}
        }
        if unit.has_pointers(target) {
            return self.refuse(maker);
        }
        if is_constant {
            return String::new();
        }
        let argument = format!("argument_{}", self.index);
        let size = maker.size(target).max(1);
        // Nobody passes a pointer to one byte.
        let is_bytes = size == 1 && !matches!(unit.kind(target), TypeKind::Bool);
        match self.length(unit, is_bytes) {
            Some(length) => havoc(&argument, &format!("(unsigned long){length} * {size}")),
            None if is_bytes || self.has_nameless_number(unit) => self.refuse(maker),
            None if unit.is_plain(target) => havoc(&argument, &size.to_string()),
            None => {
                let fill = maker.fill(&format!("(*{argument})"), target, self.function, 2);
                format!("    if ({argument} != 0) {{\n{fill}    }}\n")
            }
        }
    }

    /// The number beside the parameter that says how many elements there are.
    fn length(&self, unit: &Unit, is_bytes: bool) -> Option<String> {
        let beside = [self.index.checked_add(1), self.index.checked_sub(1)];
        let counts: fn(&str) -> bool = if is_bytes { counts_bytes } else { counts_elements };
        beside.into_iter().flatten().find_map(|index| {
            let name = self.names.get(index)?;
            let is_number = matches!(unit.kind(*self.types.get(index)?), TypeKind::Int(_));
            (is_number && counts(name)).then(|| format!("argument_{index}"))
        })
    }

    /// Whether a number beside the parameter could say how many elements there are, had it a name.
    fn has_nameless_number(&self, unit: &Unit) -> bool {
        let beside = [self.index.checked_add(1), self.index.checked_sub(1)];
        beside.into_iter().flatten().any(|index| {
            let is_number =
                self.types.get(index).is_some_and(|&ty| matches!(unit.kind(ty), TypeKind::Int(_)));
            is_number && self.names.get(index).is_none_or(String::is_empty)
        })
    }

    fn refuse(&self, maker: &mut Maker<'_>) -> String {
        let name = self.names.get(self.index).filter(|name| !name.is_empty());
        let name = name.map_or_else(|| format!("{}", self.index + 1), |name| format!("`{name}`"));
        let text = format!("what `{}` does through its parameter {name}", self.function);
        format!("    {};\n", maker.refuse(&text))
    }
}

/// Bytes of fresh memory are any bytes.
fn havoc(argument: &str, size: &str) -> String {
    format!(
        "    if ({argument} != 0) {{\n        void *any = __builtin_malloc({size});\n        \
         __VERIFIER_assume(any != 0);\n        __builtin_memcpy((void *){argument}, any, {size});\n        \
         __builtin_free(any);\n    }}\n"
    )
}
