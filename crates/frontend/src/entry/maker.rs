//! Any value of a type, as C: numbers are inputs, pointers lead to fresh memory.
//!
//! Records have functions of their own (`records`); other values are expressions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use rucc_types::{RecordId, TypeId, TypeKind};

use super::contract::Contract;
use super::library::{Need, PREPARE_SHARED};
use super::nullness::NullTests;
use super::shapes::Shape;
use crate::syntax::Unit;

/// No object is larger: sizes are computed without overflow.
pub(crate) const MOST_BYTES: u64 = 1 << 28;

/// Arrays of pointers to memory of their own are not summarised, so they are short.
const MOST_POINTERS: u64 = 3;

/// Bytes behind a `void *` of which nothing is known.
const UNKNOWN_BYTES: u64 = 16;

pub(crate) struct Maker<'u> {
    pub(crate) unit: &'u Unit,
    pub(crate) tests: &'u NullTests,
    pub(super) prototypes: String,
    pub(super) functions: String,
    inputs: BTreeSet<(&'static str, &'static str)>,
    /// The names of records whose functions are written or being written.
    pub(super) records: BTreeMap<RecordId, String>,
    /// Records whose fields are being filled: a pointer back to one may be null.
    pub(super) open: Vec<RecordId>,
    callbacks: BTreeMap<String, String>,
    /// Whether one object of the caller may stand for all that nodes point to.
    pub(crate) shares: bool,
    pub(super) needs: BTreeSet<Need>,
    /// What it says of types holds of all objects that are made.
    pub(super) contract: Contract,
    /// What it says that does not fit the types.
    pub(super) mistakes: Vec<String>,
    pub(crate) assumptions: Vec<String>,
}

/// The text with names that no other harness in the same file has.
pub(crate) fn named(text: &str, namespace: &str) -> String {
    text.replace('@', namespace)
}

impl<'u> Maker<'u> {
    pub(crate) fn new(unit: &'u Unit, tests: &'u NullTests) -> Maker<'u> {
        Maker {
            unit,
            tests,
            prototypes: String::new(),
            functions: String::new(),
            inputs: BTreeSet::new(),
            records: BTreeMap::new(),
            open: Vec::new(),
            callbacks: BTreeMap::new(),
            shares: true,
            needs: BTreeSet::new(),
            contract: Contract::default(),
            mistakes: Vec::new(),
            assumptions: Vec::new(),
        }
    }

    pub(crate) fn assume(&mut self, text: String) {
        if !self.assumptions.contains(&text) {
            self.assumptions.push(text);
        }
    }

    /// Everything that the values need, as C. Names of our own begin with `@` until [`named`].
    pub(crate) fn into_text(mut self) -> (String, Vec<String>) {
        let mut text = String::from("extern void __VERIFIER_assume(int);\n");
        let wants_length = self.needs.contains(&Need::Text);
        if wants_length {
            self.inputs.insert(("ulong", "unsigned long"));
        }
        for (name, ty) in &self.inputs {
            let _ = writeln!(text, "extern {ty} __VERIFIER_nondet_{name}(void);");
        }
        for need in &self.needs {
            text += need.text();
        }
        text += &self.prototypes;
        text += &self.functions;
        (text, self.assumptions)
    }

    /// What has to be done before values are made.
    pub(crate) fn preparation(&self) -> &'static str {
        if self.needs.contains(&Need::Shared) { PREPARE_SHARED } else { "" }
    }

    pub(crate) fn choice(&mut self) -> &'static str {
        self.inputs.insert(("bool", "_Bool"));
        "__VERIFIER_nondet_bool()"
    }

    /// An expression of this type with any value.
    pub(crate) fn value(&mut self, ty: TypeId, what: &str) -> String {
        if let Some((name, result)) = self.unit.input_function(ty) {
            self.inputs.insert((name, result));
            return format!("__VERIFIER_nondet_{name}()");
        }
        match self.unit.kind(ty) {
            TypeKind::Pointer(_) => {
                let target = self.unit.pointee(ty).expect("a pointer");
                self.pointer(target, what)
            }
            _ => self.refuse(&format!("any value of the type of {what}")),
        }
    }

    /// An expression that points to something fresh: never null, except for lists and trees, which
    /// may be empty.
    pub(crate) fn pointer(&mut self, target: TypeId, what: &str) -> String {
        if self.unit.is_character(target) {
            self.needs.insert(Need::Text);
            return "@text()".to_owned();
        }
        match self.unit.kind(target) {
            TypeKind::Void => {
                self.needs.insert(Need::Bytes);
                self.assume(format!("{what} points to {UNKNOWN_BYTES} bytes without pointers"));
                format!("@bytes({UNKNOWN_BYTES})")
            }
            TypeKind::Function(_) => self.callback(target, what),
            TypeKind::Record(record) => self.record_pointer(record, target, what),
            TypeKind::Array { elem, len } => match self.unit.element_count(len) {
                Some(count) if self.unit.is_plain(elem) => {
                    let size = self.size(elem) * count;
                    self.needs.insert(Need::Bytes);
                    format!("@bytes({size})")
                }
                _ => self.refuse(&format!("the array that {what} points to")),
            },
            _ if self.unit.is_plain(target) => {
                self.needs.insert(Need::Bytes);
                format!("@bytes({})", self.size(target))
            }
            _ => self.cell(target, what),
        }
    }

    pub(crate) fn size(&self, ty: TypeId) -> u64 {
        let layout = rucc_types::layout(&self.unit.types, ty, &self.unit.target);
        layout.map_or(1, |layout| layout.size)
    }

    /// A block with one value that is no record.
    fn cell(&mut self, target: TypeId, what: &str) -> String {
        let Some(spelling) = self.unit.spelling(target) else {
            return self.refuse(&format!("what {what} points to"));
        };
        let value = self.value(target, &format!("`*` of {what}"));
        let number = self.callbacks.len();
        let name = format!("@cell_{number}");
        self.callbacks.insert(name.clone(), name.clone());
        let is_pointer = matches!(self.unit.kind(target), TypeKind::Pointer(_));
        let store = if is_pointer {
            format!("*(void **)it = (void *){value};")
        } else {
            format!("*it = {value};")
        };
        let _ = write!(
            self.functions,
            "\nstatic void *{name}(void)\n{{\n    __typeof__({spelling}) *it = \
             __builtin_malloc(sizeof *it);\n    __VERIFIER_assume(it != 0);\n    {store}\n    \
             return (void *)it;\n}}\n"
        );
        format!("{name}()")
    }

    fn record_pointer(&mut self, record: RecordId, target: TypeId, what: &str) -> String {
        if self.is_stream(record) {
            self.needs.insert(Need::Stream);
            return "@stream()".to_owned();
        }
        if !self.unit.is_complete(record) {
            // Nobody can look into it.
            self.needs.insert(Need::Bytes);
            return "@bytes(1)".to_owned();
        }
        let Some(name) = self.record_functions(record, target) else {
            return self.refuse(&format!("the record that {what} points to"));
        };
        match self.unit.shape(record) {
            Shape::Object if self.open.contains(&record) => {
                format!("({} ? @make_{name}() : 0)", self.choice())
            }
            Shape::Object
            | Shape::List { .. }
            | Shape::DoublyLinkedList { .. }
            | Shape::Tree { .. } => format!("@make_{name}()"),
        }
    }

    pub(crate) fn is_stream(&self, record: RecordId) -> bool {
        let tag = self.unit.types.record_info(record).tag;
        tag.is_some_and(|tag| self.unit.names.resolve(tag) == "_IO_FILE")
    }

    /// The statements that give a place any value, its type being that of a member or element.
    pub(crate) fn fill(&mut self, place: &str, ty: TypeId, what: &str, depth: usize) -> String {
        let indent = "    ".repeat(depth);
        if self.unit.is_plain(ty) && matches!(self.unit.kind(ty), TypeKind::Array { .. }) {
            // Fresh memory holds anything.
            return String::new();
        }
        match self.unit.kind(ty) {
            TypeKind::Array { elem, len } => {
                let Some(count) = self.unit.element_count(len) else {
                    return String::new();
                };
                let index = format!("i{depth}");
                let inner = format!("{place}[{index}]");
                let body = self.fill(&inner, elem, what, depth + 1);
                format!(
                    "{indent}for (unsigned {index} = 0; {index} < {count}; {index}++) {{\n{body}\
                     {indent}}}\n"
                )
            }
            TypeKind::Record(record) => match self.record_functions(record, ty) {
                Some(name) => format!("{indent}@fill_{name}((void *)&{place});\n"),
                None if self.unit.is_plain(ty) => String::new(),
                None => format!("{indent}{};\n", self.refuse(&format!("the value of {what}"))),
            },
            TypeKind::Pointer(_) => {
                let value = self.value(ty, what);
                self.assign(place, ty, &value, depth)
            }
            _ => match self.unit.input_function(ty) {
                Some(_) => format!("{indent}{place} = {};\n", self.value(ty, what)),
                None => String::new(),
            },
        }
    }

    /// The statements that let a pointer lead to a fresh array.
    pub(crate) fn array(
        &mut self,
        pointer: &str,
        length: &str,
        element: TypeId,
        what: &str,
    ) -> String {
        self.needs.insert(Need::Bytes);
        if self.unit.has_pointers(element) {
            return self.short_array(pointer, length, element, what);
        }
        let size = self.size(element).max(1);
        let most = MOST_BYTES / size;
        let mut text = format!(
            "    __VERIFIER_assume((unsigned long)({length}) <= {most});\n    {pointer} = \
             @bytes((unsigned long)({length}) * {size});\n"
        );
        if !self.unit.is_plain(element) {
            let elements = format!("the elements of {what}");
            let body = self.fill(&format!("{pointer}[at]"), element, &elements, 2);
            let _ = write!(
                text,
                "    for (unsigned long at = 0; at < (unsigned long)({length}); at++) \
                 {{\n{body}    }}\n"
            );
        }
        text
    }

    /// An array of what leads to memory of its own: case by case, each of a constant length.
    fn short_array(&mut self, pointer: &str, length: &str, element: TypeId, what: &str) -> String {
        self.assume(format!("{what} has at most {MOST_POINTERS} elements"));
        let size = self.size(element).max(1);
        let mut text = format!("    __VERIFIER_assume({length} <= {MOST_POINTERS});\n");
        for count in 0..=MOST_POINTERS {
            let _ = write!(
                text,
                "    if ({length} == {count}) {{\n        {pointer} = @bytes({});\n",
                count * size
            );
            for at in 0..count {
                let place = match self.unit.kind(element) {
                    TypeKind::Pointer(_) => format!("((void **){pointer})[{at}]"),
                    _ => format!("{pointer}[{at}]"),
                };
                let elements = format!("an element of {what}");
                text += &match self.is_pointer_of_the_caller(element) {
                    true => self.shared_element(&place, &elements),
                    false => self.fill(&place, element, &elements, 2),
                };
            }
            text += "    }\n";
        }
        text
    }

    /// Whether an element leads to what only the caller knows and nobody here frees.
    fn is_pointer_of_the_caller(&self, element: TypeId) -> bool {
        let target = self.unit.pointee(element).map(|target| self.unit.kind(target));
        self.shares && !self.tests.frees_contents && target == Some(TypeKind::Void)
    }

    fn shared_element(&mut self, place: &str, what: &str) -> String {
        self.needs.insert(Need::Shared);
        self.assume(format!("{what} points to 16 bytes that the caller owns, the same for all"));
        format!("        {place} = @shared;\n")
    }

    pub(crate) fn is_signed(&self, ty: TypeId) -> bool {
        let info = rucc_types::integer_info(&self.unit.types, ty, &self.unit.target);
        info.is_some_and(|info| info.signed)
    }

    /// The statement that makes a pointer point elsewhere, be it const.
    pub(crate) fn assign(&self, place: &str, ty: TypeId, value: &str, depth: usize) -> String {
        let indent = "    ".repeat(depth);
        let quals = self.unit.types.quals(self.unit.types.canonical(ty));
        if quals.has(rucc_types::Qualifiers::CONST) {
            format!("{indent}*(void **)&{place} = (void *){value};\n")
        } else {
            format!("{indent}{place} = (void *){value};\n")
        }
    }

    /// The same pointer, null or not as wanted.
    pub(crate) fn with_null(&mut self, value: String, may_be_null: bool, target: TypeId) -> String {
        match (may_be_null, self.is_possibly_empty(target)) {
            (true, true) | (false, false) => value,
            (false, true) => {
                self.needs.insert(Need::NonNull);
                format!("@not_null({value})")
            }
            (true, false) => format!("({} ? (void *){value} : 0)", self.choice()),
        }
    }

    /// Whether pointers to this type are made that may be null.
    pub(crate) fn is_possibly_empty(&self, target: TypeId) -> bool {
        match self.unit.kind(target) {
            TypeKind::Record(record) => {
                self.unit.is_complete(record)
                    && !self.is_stream(record)
                    && self.unit.record_name(target).is_some()
                    && (self.unit.shape(record) != Shape::Object || self.open.contains(&record))
            }
            _ => false,
        }
    }

    /// A function of this type that gives anything and changes nothing.
    fn callback(&mut self, ty: TypeId, what: &str) -> String {
        let TypeKind::Function(function) = self.unit.kind(ty) else { unreachable!("a function") };
        let signature = self.unit.types.signature(function).clone();
        let spelling = self.unit.spelling(self.unit.types.canonical(ty));
        let spelled: Option<Vec<String>> =
            signature.params.iter().map(|&parameter| self.unit.spelling(parameter)).collect();
        let (Some(key), Some(parameters), Some(result)) =
            (spelling, spelled, self.unit.spelling(signature.ret))
        else {
            return self.refuse(&format!("the function that {what} points to"));
        };
        self.assume(format!("functions such as {what} give any result and change nothing"));
        if let Some(known) = self.callbacks.get(&key) {
            return format!("({known})");
        }
        let name = format!("@callback_{}", self.callbacks.len());
        self.callbacks.insert(key, name.clone());
        let result_what = format!("the result of {what}");
        let body = match self.unit.kind(signature.ret) {
            TypeKind::Void => String::new(),
            TypeKind::Record(_) | TypeKind::Array { .. } => {
                let fill = self.fill("it", signature.ret, &result_what, 1);
                format!("    __typeof__({result}) it;\n{fill}    return it;\n")
            }
            _ => format!("    return {};\n", self.value(signature.ret, &result_what)),
        };
        let mut list: Vec<String> = (parameters.iter().enumerate())
            .map(|(index, spelling)| format!("__typeof__({spelling}) argument_{index}"))
            .collect();
        if signature.variadic {
            list.push("...".to_owned());
        } else if list.is_empty() && signature.prototyped {
            list.push("void".to_owned());
        }
        let list = list.join(", ");
        let _ =
            write!(self.functions, "\nstatic __typeof__({result}) {name}({list})\n{{\n{body}}}\n");
        format!("({name})")
    }

    /// An expression that says that there is no such value yet.
    pub(crate) fn refuse(&mut self, what: &str) -> String {
        self.needs.insert(Need::Refuse);
        let text = what.replace(['"', '\\'], "'");
        format!("(__heapwright_unmodelled(\"{text}\"), (void *)0)")
    }
}
