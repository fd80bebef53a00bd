//! `main` of a harness: it makes the arguments, calls the function, and keeps what the caller keeps (`keep`).

use std::fmt::Write;

use heapwright_program::Program;
use rucc_sema::{DeclId, DeclKind, Definition, StorageDuration};
use rucc_types::{TypeId, TypeKind};

use super::contract::Clause;
use super::declarations::{definition, is_constant, is_of_user, result_type};
use super::maker::{Maker, named};
use super::nullness::NullTests;
use super::shapes::{Shape, counts_bytes, counts_elements};
use super::{Entry, Globals};
use crate::diagnostic::InputError;
use crate::syntax::Unit;

/// One parameter, as the harness makes it.
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) ty: TypeId,
    pub(super) spelling: String,
    index: usize,
}

pub(super) struct Call<'c, 'u> {
    pub(super) maker: Maker<'u>,
    pub(super) function: &'c str,
    function_id: Option<heapwright_program::FunctionId>,
    pub(super) clauses: &'c [Clause],
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: String,
}

/// The text of the harness, and what it takes for granted.
pub(super) fn harness(
    unit: &Unit,
    decl: DeclId,
    entry: &Entry,
    tests: &NullTests,
    program: &Program,
) -> Result<(String, Vec<String>), InputError> {
    let clauses = entry.contract.of(&entry.function);
    let mut call = Call::of((unit, decl), (&entry.function, clauses), tests, program);
    call.maker.contract = entry.contract.clone();
    call.check_names()?;
    match entry.globals {
        Globals::Initialised => {
            call.maker.assume("global variables hold what they are initialised with".to_owned());
        }
        Globals::Arbitrary => call.set_globals(),
    }
    call.make_numbers();
    call.make_others();
    call.make_members();
    if call.parameters.iter().filter(|parameter| unit.has_pointers(parameter.ty)).count() > 1 {
        call.maker.assume("arguments share no memory".to_owned());
    }
    call.require_conditions();
    let kept = call.keep_what_is_given() + &call.call_and_keep(decl);
    call.check_upkeep(decl);
    if let Some(mistake) = call.maker.mistakes.first() {
        return Err(InputError::new(format!("contract: {mistake}")));
    }
    let Call { maker, body, function, .. } = call;
    let body = maker.preparation().to_owned() + &body;
    let (helpers, assumptions) = maker.into_text();
    let text = format!(
        "/* Calls `{function}` with any arguments. */\n#undef main\n{helpers}\n{kept}int main(void)\n\
         {{\n{body}    return 0;\n}}\n"
    );
    Ok((named(&text, "heapwright_"), assumptions))
}

impl<'c, 'u> Call<'c, 'u> {
    /// A function of a file, and what callers promise to it.
    pub(super) fn of(
        (unit, decl): (&'u Unit, DeclId),
        (function, clauses): (&'c str, &'c [Clause]),
        tests: &'u NullTests,
        program: &Program,
    ) -> Call<'c, 'u> {
        let mut call = Call {
            maker: Maker::new(unit, tests),
            function,
            function_id: program.function_named(function),
            clauses,
            parameters: Vec::new(),
            body: String::new(),
        };
        call.declare_parameters(decl);
        call
    }
}

impl Call<'_, '_> {
    fn declare_parameters(&mut self, decl: DeclId) {
        let unit = self.maker.unit;
        let parameters = unit.tast[unit.tast[decl].params].to_vec();
        for (index, id) in parameters.into_iter().enumerate() {
            let parameter = &unit.tast[id];
            let name = parameter.name.map(|name| unit.names.resolve(name).to_owned());
            let name = name.filter(|name| name != self.function);
            self.parameters.push(Parameter {
                name: name.unwrap_or_else(|| format!("argument_{index}")),
                ty: parameter.ty,
                spelling: self.plain_spelling(parameter.ty),
                index,
            });
        }
    }

    /// The type of a variable that can be assigned to.
    fn plain_spelling(&self, ty: TypeId) -> String {
        let unit = self.maker.unit;
        match unit.kind(ty) {
            TypeKind::Record(_) => unit.record_name(ty),
            TypeKind::Pointer(_) => {
                let target = unit.pointee(ty).expect("a pointer");
                unit.spelling(target).or_else(|| unit.record_name(target)).map(
                    |target| match target.contains(['(', '[']) {
                        true => format!("__typeof__({target}) *"),
                        false => format!("{target} *"),
                    },
                )
            }
            _ => unit.input_function(ty).map(|(_, result)| result.to_owned()),
        }
        .unwrap_or_else(|| "void *".to_owned())
    }

    /// Names in the contract that are no parameters are mistakes.
    pub(super) fn check_names(&self) -> Result<(), InputError> {
        for clause in self.clauses {
            let name = match clause {
                Clause::NonNull(name)
                | Clause::MaybeNull(name)
                | Clause::List(name)
                | Clause::Tree(name)
                | Clause::Text(name)
                | Clause::Owned(name)
                | Clause::Member { node: name, .. }
                | Clause::Length { array: name, .. } => name,
                Clause::Last { .. } | Clause::Kept => {
                    return Err(self.mistake("has a clause that is for types"));
                }
                Clause::Condition(_) => continue,
            };
            let parameter = self.parameters.iter().find(|parameter| parameter.name == *name);
            let Some(parameter) = parameter else {
                return Err(self.mistake(&format!("has no parameter `{name}`")));
            };
            let target = self.maker.unit.pointee(parameter.ty);
            let shape = target.and_then(|target| match self.maker.unit.kind(target) {
                TypeKind::Record(record) => Some(self.maker.unit.shape(record)),
                _ => None,
            });
            let fits = match clause {
                Clause::List(_) => {
                    matches!(shape, Some(Shape::List { .. } | Shape::DoublyLinkedList { .. }))
                }
                Clause::Tree(_) => matches!(shape, Some(Shape::Tree { .. })),
                Clause::Member { .. } => shape.is_some_and(|shape| shape != Shape::Object),
                Clause::Text(_) => {
                    target.is_some_and(|target| self.maker.unit.is_character(target))
                }
                Clause::NonNull(_)
                | Clause::MaybeNull(_)
                | Clause::Owned(_)
                | Clause::Length { .. } => target.is_some(),
                Clause::Last { .. } | Clause::Kept | Clause::Condition(_) => true,
            };
            if !fits {
                return Err(self.mistake(&format!("has a `{name}` of another type")));
            }
        }
        Ok(())
    }

    fn mistake(&self, problem: &str) -> InputError {
        InputError::new(format!("contract: `{}` {problem}", self.function))
    }

    fn set_globals(&mut self) {
        let unit = self.maker.unit;
        for &id in unit.tast.top_level() {
            let decl = &unit.tast[id];
            let Some(name) = decl.name.map(|name| unit.names.resolve(name)) else { continue };
            let is_variable = decl.kind == DeclKind::Object
                && decl.state != Definition::Declared
                && decl.duration == StorageDuration::Static
                && !is_constant(unit, decl.ty);
            if !is_variable || !is_of_user(unit, id) {
                continue;
            }
            let what = format!("the global `{name}`");
            self.body += &match unit.pointee(decl.ty) {
                Some(target) => {
                    let value = self.maker.pointer(target, &what);
                    let value = self.maker.with_null(value, true, target);
                    self.maker.assign(name, decl.ty, &value, 1)
                }
                None => self.maker.fill(name, decl.ty, &what, 1),
            };
        }
        self.maker.assume(
            "global variables of its file hold anything of their types, static ones in functions and \
             those of other files what they are initialised with"
                .to_owned(),
        );
    }

    /// Numbers come first: they may be lengths.
    fn make_numbers(&mut self) {
        for index in 0..self.parameters.len() {
            let parameter = &self.parameters[index];
            if self.maker.unit.input_function(parameter.ty).is_none() {
                continue;
            }
            let (name, ty) = (parameter.name.clone(), parameter.ty);
            let spelling = parameter.spelling.clone();
            let value = self.maker.value(ty, &format!("`{name}`"));
            let _ = writeln!(self.body, "    {spelling} {name} = {value};");
        }
    }

    fn make_others(&mut self) {
        for index in 0..self.parameters.len() {
            let parameter = &self.parameters[index];
            let (name, ty) = (parameter.name.clone(), parameter.ty);
            if self.maker.unit.input_function(ty).is_some() {
                continue;
            }
            let spelling = parameter.spelling.clone();
            let what = format!("`{name}`");
            if let Some(target) = self.maker.unit.pointee(ty) {
                let _ = writeln!(self.body, "    {spelling} {name};");
                if self.member_place(&name).is_some() {
                    continue;
                }
                let text = self.make_pointer(index, target, &what);
                self.body += &text;
            } else if matches!(self.maker.unit.kind(ty), TypeKind::Record(_)) {
                let _ = writeln!(self.body, "    {spelling} {name};");
                let text = self.maker.fill(&name, ty, &what, 1);
                self.body += &text;
            } else {
                let refusal = self.maker.refuse(&format!("an argument for {what}"));
                let _ = writeln!(self.body, "    {spelling} {name} = {refusal};");
            }
        }
    }

    fn make_pointer(&mut self, index: usize, target: TypeId, what: &str) -> String {
        let name = self.parameters[index].name.clone();
        if let Some(length) = self.length_of(index, target) {
            let is_signed = self
                .parameters
                .iter()
                .any(|parameter| parameter.name == length && self.maker.is_signed(parameter.ty));
            let sign = if is_signed {
                format!("    __VERIFIER_assume({length} >= 0);\n")
            } else {
                String::new()
            };
            self.maker.assume(format!("{what} has `{length}` elements"));
            return sign + &self.maker.array(&name, &length, target, what);
        }
        let value = self.maker.pointer(target, what);
        let may_be_null = self.may_be_null(index, what);
        self.describe(target, what);
        let value = self.maker.with_null(value, may_be_null, target);
        format!("    {name} = (void *){value};\n")
    }

    /// The contract's word, or what the code looks for.
    pub(super) fn may_be_null(&mut self, index: usize, what: &str) -> bool {
        let name = &self.parameters[index].name;
        for clause in self.clauses {
            if matches!(clause, Clause::NonNull(wanted) if wanted == name) {
                self.maker.assume(format!("{what} is not null (contract)"));
                return false;
            }
            if matches!(clause, Clause::MaybeNull(wanted) if wanted == name) {
                return true;
            }
        }
        let position = self.parameters[index].index + usize::from(self.returns_record());
        let function = self.function_id;
        let is_tested =
            function.is_some_and(|function| self.maker.tests.has_parameter(function, position));
        if !is_tested {
            self.maker.assume(format!("{what} is not null: `{}` does not test it", self.function));
        }
        is_tested
    }

    /// A function that returns a record gets its address as a first parameter.
    fn returns_record(&self) -> bool {
        let unit = self.maker.unit;
        definition(unit, self.function).is_some_and(|decl| {
            let result = result_type(unit, decl);
            matches!(unit.kind(result), TypeKind::Record(_))
        })
    }

    fn describe(&mut self, target: TypeId, what: &str) {
        let unit = self.maker.unit;
        let text = match unit.kind(target) {
            _ if unit.is_character(target) => format!("{what} is a text of any length"),
            TypeKind::Record(record) => match unit.shape(record) {
                Shape::Object => format!("{what} points to one object"),
                Shape::List { next } => {
                    format!("{what} is a list of any length that `{next}` links and null ends")
                }
                Shape::DoublyLinkedList { next, previous } => format!(
                    "{what} is a list of any length, linked by `{next}` and `{previous}`, from its \
                     first node on"
                ),
                Shape::Tree { children, .. } => {
                    let children = children.join("`, `");
                    format!("{what} is a tree of any size with children `{children}`")
                }
            },
            TypeKind::Void | TypeKind::Function(_) => return,
            _ => format!("{what} points to one object"),
        };
        self.maker.assume(text);
    }

    /// How many elements the array has that a parameter points to: the contract's word, or that of a
    /// number beside it whose name says so.
    fn length_of(&self, index: usize, target: TypeId) -> Option<String> {
        let parameter = &self.parameters[index];
        for clause in self.clauses {
            if let Clause::Length { array, length } = clause
                && *array == parameter.name
            {
                return Some(length.clone());
            }
            if let Clause::Text(name) | Clause::List(name) | Clause::Tree(name) = clause
                && *name == parameter.name
            {
                return None;
            }
        }
        let unit = self.maker.unit;
        let counts: fn(&str) -> bool = match unit.kind(target) {
            TypeKind::Function(_) | TypeKind::Record(_) => return None,
            TypeKind::Void => counts_bytes,
            TypeKind::Pointer(_) => {
                let inner = unit.pointee(target).expect("a pointer");
                if self.maker.is_possibly_empty(inner) {
                    return None;
                }
                counts_elements
            }
            _ if unit.is_character(target) => counts_bytes,
            _ => counts_elements,
        };
        let beside = [index.checked_add(1), index.checked_sub(1)];
        let beside = beside.into_iter().flatten().filter_map(|at| self.parameters.get(at));
        let is_number = |parameter: &&Parameter| {
            matches!(unit.kind(parameter.ty), TypeKind::Int(_)) && counts(&parameter.name)
        };
        beside.filter(is_number).map(|parameter| parameter.name.clone()).next()
    }

    fn require_conditions(&mut self) {
        for clause in self.clauses {
            if let Clause::Condition(condition) = clause {
                let _ = writeln!(self.body, "    __VERIFIER_assume({condition});");
                self.maker.assume(format!("`{condition}` (contract)"));
            }
        }
    }
}
