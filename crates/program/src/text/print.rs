//! The whole program as text: files, records, globals, static objects, then the functions.
//!
//! Everything stands in the order of its ids. Where that is not the order of the text (a variable
//! of one function may come between those of another), a declaration says its id: `#12`.

use std::fmt::Write;

use heapwright_base::DenseId;
use rustc_hash::FxHashMap;

use crate::program::{
    AddressTarget, Edge, FileId, Function, FunctionId, InitialAddress, Object, ObjectId,
    ObjectKind, Place, Program, Variable, VariableId, VariableKind,
};
use crate::text::expression::Printer;
use crate::text::names::Names;
use crate::text::quote;
use crate::text::types::{keyword, type_text};
use crate::types::{Record, ScalarType, Type, TypeId};

/// The text of a program, from which [`parse`](crate::text::parse) makes it again.
#[must_use]
pub fn print(program: &Program) -> String {
    let names = Names::of(program);
    let mut output = Output::new(program, &names);
    let words = [program.model.name(), program.signed_overflow.name()].join(" ");
    output.line(format!("program {words}").trim_end());
    for file in &program.files {
        let model = if file.is_model { " model" } else { "" };
        output.line(&format!("file {}{model}", quote::string(&file.name)));
    }
    for (_, record) in program.types.records() {
        output.record(record);
    }
    output.blank_line();
    output.declarations(None, "");
    for id in program.functions.ids() {
        output.blank_line();
        output.function(id);
    }
    output.text
}

/// The text of one function, as [`print()`] has it.
#[must_use]
pub fn print_function(program: &Program, function: FunctionId) -> String {
    let names = Names::of(program);
    let mut output = Output::new(program, &names);
    // Ids that were due would depend on the functions before this one.
    output.shows_ids = false;
    output.function(function);
    output.text
}

/// Whether the function's type is what its parameters and its result type make.
pub(crate) fn has_derived_type(program: &Program, function: &Function) -> bool {
    let Type::Function { parameters, .. } = program.types.get(function.ty) else { return false };
    let own = function.parameters.iter().map(|id| program.variables[*id].ty);
    parameters.iter().copied().eq(own)
}

/// The C type of what a function gives back.
pub(crate) fn result_type(program: &Program, function: &Function) -> Option<TypeId> {
    match program.types.get(function.ty) {
        Type::Function { result, .. } => Some(*result),
        _ => None,
    }
}

struct Output<'a> {
    program: &'a Program,
    names: &'a Names,
    printer: Printer<'a>,
    /// What is still to be declared, by function.
    variables: FxHashMap<Option<FunctionId>, Vec<VariableId>>,
    objects: FxHashMap<Option<FunctionId>, Vec<ObjectId>>,
    text: String,
    shows_ids: bool,
    next_variable: usize,
    next_object: usize,
    /// The file that places are in unless they say otherwise.
    file: FileId,
}

impl<'a> Output<'a> {
    fn new(program: &'a Program, names: &'a Names) -> Output<'a> {
        let variables = program.variables.enumerated();
        let objects = program.objects.enumerated();
        Output {
            program,
            names,
            variables: grouped(variables.map(|(id, variable)| (variable.function, id))),
            objects: grouped(objects.map(|(id, object)| (object.function, id))),
            printer: Printer { program, names: Some(names), scope: None },
            text: String::new(),
            shows_ids: true,
            next_variable: 0,
            next_object: 0,
            file: FileId::from_index(0),
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn blank_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    fn ty(&self, id: TypeId) -> String {
        type_text(&self.program.types, self.names, id)
    }

    fn place(&self, place: Place) -> String {
        let Place { file, line, column } = place;
        match (file == self.file, line, column) {
            (true, 0, 0) => String::new(),
            (true, ..) => format!("  @ {line}:{column}"),
            (false, ..) => format!("  @ {file}:{line}:{column}"),
        }
    }

    fn record(&mut self, record: &Record) {
        self.blank_line();
        let Record { name, kind, is_complete, size, alignment, fields } = record;
        let incomplete = if *is_complete { "" } else { " incomplete" };
        let brace = if fields.is_empty() { "" } else { " {" };
        let head = format!("{} {}{incomplete}", keyword(*kind), quote::tag(name));
        self.line(&format!("{head}, size {size}, align {alignment}{brace}"));
        for field in fields {
            let bits = field.bits.map_or(String::new(), |bits| {
                format!(" bits {}..{}", bits.offset, u16::from(bits.offset) + u16::from(bits.width))
            });
            let (offset, name, ty) = (field.offset, quote::tag(&field.name), self.ty(field.ty));
            let line = format!("    {offset}: {name}: {ty}{bits}");
            self.line(&line);
        }
        if !fields.is_empty() {
            self.line("}");
        }
    }

    /// The variables and objects of a function, or of no function.
    fn declarations(&mut self, function: Option<FunctionId>, indent: &str) {
        for id in self.variables.remove(&function).unwrap_or_default() {
            self.variable(id, &self.program.variables[id], indent);
        }
        for id in self.objects.remove(&function).unwrap_or_default() {
            self.object(id, &self.program.objects[id], indent);
        }
    }

    fn variable(&mut self, id: VariableId, variable: &Variable, indent: &str) {
        let kind = match variable.kind {
            VariableKind::Global { .. } => "global",
            VariableKind::Parameter => "parameter",
            VariableKind::Local => "local",
            VariableKind::Temporary => "temporary",
        };
        let number = due(self.shows_ids, &mut self.next_variable, id.index());
        let ty = self.ty(variable.ty);
        let machine = if self.program.types.scalar(variable.ty) == Some(variable.scalar) {
            String::new()
        } else {
            format!(" as {}", variable.scalar)
        };
        let initial = match variable.kind {
            VariableKind::Global { initial } => {
                format!(" = {}", self.printer.expression(initial, Some(variable.scalar)))
            }
            VariableKind::Parameter | VariableKind::Local | VariableKind::Temporary => {
                String::new()
            }
        };
        let name = quote::name(&variable.name);
        let place = self.place(variable.place);
        self.line(&format!("{indent}{kind} {name}{number}: {ty}{machine}{initial}{place}"));
    }

    fn object(&mut self, id: ObjectId, object: &Object, indent: &str) {
        let (kind, bytes, addresses): (_, &[u8], &[InitialAddress]) = match &object.kind {
            ObjectKind::Static { bytes, addresses } => ("static", bytes, addresses),
            ObjectKind::String { bytes } => ("string", bytes, &[]),
            ObjectKind::External => ("external", &[], &[]),
            ObjectKind::Local => ("object", &[], &[]),
        };
        let number = due(self.shows_ids, &mut self.next_object, id.index());
        let size = match object.size {
            None => ", size dynamic".to_owned(),
            size if size == self.program.types.size(object.ty, self.program.model) => String::new(),
            Some(size) => format!(", size {size}"),
        };
        let (name, ty, align) = (quote::name(&object.name), self.ty(object.ty), object.alignment);
        let place = self.place(object.place);
        let constant = if object.is_constant { ", const" } else { "" };
        self.line(&format!(
            "{indent}{kind} {name}{number}: {ty}{size}, align {align}{constant}{place}"
        ));
        if !bytes.is_empty() {
            for line in quote::bytes(bytes) {
                self.line(&format!("{indent}    = {line}"));
            }
        }
        for address in addresses {
            self.initial_address(address, object.function, indent);
        }
    }

    fn initial_address(
        &mut self,
        address: &InitialAddress,
        scope: Option<FunctionId>,
        indent: &str,
    ) {
        let printer = Printer { scope, ..self.printer };
        let target = match address.target {
            AddressTarget::Object(object) => printer.object(object),
            AddressTarget::Function(function) => printer.function_address(function),
        };
        let addend = match address.addend {
            0 => String::new(),
            addend => format!(" + {addend}"),
        };
        self.line(&format!("{indent}    at {}: &{target}{addend}", address.offset));
    }

    fn function(&mut self, id: FunctionId) {
        let program = self.program;
        let function = &program.functions[id];
        let printer = Printer { scope: Some(id), ..self.printer };
        let outer = std::mem::replace(&mut self.printer, printer);
        let head = self.function_head(function);
        let outer_file = std::mem::replace(&mut self.file, function.place.file);
        let start = self.text.len();
        self.declarations(Some(id), "    ");
        if let Some(body) = &function.body {
            if self.text.len() > start {
                self.blank_line();
            }
            let count = least_location_count(body);
            let locations = match body.location_count {
                count_here if count_here == count => String::new(),
                count_here => format!(", {count_here} locations"),
            };
            self.line(&format!("    entry {}, exit {}{locations}", body.entry, body.exit));
            for edge in &body.edges {
                self.edge(edge);
            }
        }
        let has_braces = self.text.len() > start;
        self.text.insert_str(start, &format!("{head}{}\n", if has_braces { " {" } else { "" }));
        if has_braces {
            self.line("}");
        }
        self.printer = outer;
        self.file = outer_file;
    }

    /// `function insert(head, value) -> struct node*  @ 3:14`
    fn function_head(&self, function: &Function) -> String {
        let mut parts: Vec<String> =
            function.parameters.iter().map(|id| self.printer.variable(*id)).collect();
        let is_variadic =
            matches!(self.program.types.get(function.ty), Type::Function { variadic: true, .. });
        parts.extend(is_variadic.then(|| "...".to_owned()));
        let mut head = format!("function {}({})", quote::name(&function.name), parts.join(", "));
        let result = result_type(self.program, function);
        if let Some(result) = result {
            let _ = write!(head, " -> {}", self.ty(result));
        }
        if !has_derived_type(self.program, function) {
            let _ = write!(head, ", type {}", self.ty(function.ty));
        }
        let derived = result.and_then(|result| self.program.types.scalar(result));
        if function.result != derived {
            let scalar = function.result.map_or("none".to_owned(), |ty: ScalarType| ty.to_string());
            let _ = write!(head, ", result {scalar}");
        }
        if let Some(object) = function.varargs {
            let _ = write!(head, ", varargs {}", self.printer.object(object));
        }
        head.push_str(&self.place(function.place));
        head
    }

    fn edge(&mut self, edge: &Edge) {
        let operation = self.printer.operation(self.names, &edge.operation);
        let place = self.place(edge.place);
        self.line(&format!("    {} -> {}: {operation}{place}", edge.source, edge.target));
    }
}

/// The number of locations that the text of a body needs at least.
pub(super) fn least_location_count(body: &crate::program::Body) -> usize {
    let ends = body.edges.iter().flat_map(|edge| [edge.source, edge.target]);
    ends.chain([body.entry, body.exit]).map(|location| location.index() + 1).max().unwrap_or(0)
}

fn grouped<I>(
    items: impl Iterator<Item = (Option<FunctionId>, I)>,
) -> FxHashMap<Option<FunctionId>, Vec<I>> {
    let mut groups: FxHashMap<_, Vec<I>> = FxHashMap::default();
    for (function, id) in items {
        groups.entry(function).or_default().push(id);
    }
    groups
}

/// An id is shown only if it is not the one after the last.
fn due(shows_ids: bool, next: &mut usize, index: usize) -> String {
    let is_due = *next == index;
    *next = index + 1;
    if is_due || !shows_ids { String::new() } else { format!(" #{index}") }
}
