//! From a file to definitions: names get their meaning, fields their places in the program's records.

use heapwright_program::{DataModel, Program, Record, RecordKind, ScalarType, Type};

use crate::definition::check::{Problem, check};
use crate::definition::file::{
    CaseText, DefinitionError, DefinitionFile, ItemText, ParameterText, PredicateText, SumText,
    Word,
};
use crate::definition::numbers::{NumberType, Resolved, Scope};
use crate::definition::{
    Definition, Definitions, Empty, EmptyCase, FieldOfNode, Kind, Link, MOST_PARAMETERS, Node,
    Value,
};

impl DefinitionFile {
    /// The definitions for a program, if nothing is wrong with them.
    pub fn resolve(&self, program: &Program) -> Resolved<Definitions> {
        let mut predicates: Vec<Definition> = Vec::new();
        for text in &self.predicates {
            if predicates.iter().any(|known| known.name == text.name.text) {
                return Err(text.name.error("there are two predicates of this name"));
            }
            predicates.push(self.predicate(program, text)?);
        }
        let definitions = Definitions { predicates };
        let pointer = program.model.pointer_size();
        check(&definitions, pointer).map_err(|problem| self.told(problem))?;
        Ok(definitions)
    }

    /// A problem with the place in the file that it is about.
    pub(crate) fn told(&self, problem: Problem) -> DefinitionError {
        let text = &self.predicates[problem.predicate];
        let nodes = text.cases.iter().filter(|case| !is_empty(case));
        let word = match (problem.node, problem.parameter) {
            (_, Some(parameter)) => &text.parameters[parameter].name,
            (Some(node), None) => nodes.map(|case| &case.name).nth(node).unwrap_or(&text.name),
            (None, None) => &text.name,
        };
        word.error(problem.message)
    }

    fn predicate(&self, program: &Program, text: &PredicateText) -> Resolved<Definition> {
        let record = find_record(program, &text.record)?;
        let scope = parameters_of(text, program.model)?;
        let (mut empties, mut nodes) = (Vec::new(), Vec::new());
        for case in &text.cases {
            let scope = Scope { parameters: scope.parameters.clone(), ..Scope::default() };
            match is_empty(case) {
                true => empties.push(empty(scope, case)?),
                false => nodes.push(self.node((program, record), scope, case)?),
            }
        }
        let parameters = scope.parameters.iter().map(|(_, number)| match number {
            None => Kind::Pointer,
            Some(number) => Kind::Number { bytes: number.bytes },
        });
        let (name, parameters) = (text.name.text.clone(), parameters.collect());
        Ok(Definition { name, parameters, size: record.size, empties, nodes })
    }

    fn node<'t>(
        &'t self,
        (program, record): (&Program, &Record),
        mut scope: Scope<'t>,
        case: &'t CaseText,
    ) -> Resolved<Node> {
        declare_links(&mut scope, case)?;
        for item in &case.items {
            self.declare_numbers((program, record), &mut scope, item)?;
        }
        let mut node = Node::default();
        for item in &case.items {
            match item {
                ItemText::Empty(word) => {
                    let message = "a case with `this ==` has no node: it begins with that, and only \
                                   comparisons of parameters follow";
                    return Err(word.error(message));
                }
                ItemText::Field { path, value } => {
                    let place = find_field(program, record, path)?;
                    node.fields.extend(place.field(&scope, value)?);
                }
                ItemText::Link { predicate, arguments, .. } => {
                    let link = self.link(&mut scope, program.model, predicate, arguments)?;
                    node.links.push(link);
                }
                ItemText::Law { left, comparison, right } => {
                    scope.law((left, comparison, right))?;
                }
            }
        }
        node.fields.sort_by_key(|field| field.offset);
        node.variables = scope.variables.iter().map(|(_, number)| number.bytes).collect();
        node.laws = scope.laws;
        Ok(node)
    }

    /// Names that are in fields of numbers, or in the place of a parameter that is one, are numbers of the case.
    fn declare_numbers<'t>(
        &self,
        (program, record): (&Program, &Record),
        scope: &mut Scope<'t>,
        item: &'t ItemText,
    ) -> Resolved<()> {
        match item {
            ItemText::Field { path, value } => {
                let place = find_field(program, record, path)?;
                if let Some(number) = NumberType::of_scalar(place.scalar, program.model) {
                    scope.declare(value, number);
                }
            }
            ItemText::Link { predicate, arguments, .. } => {
                let target = &self.predicates[self.named(predicate)?];
                for (argument, parameter) in arguments.iter().zip(&target.parameters) {
                    let number = number_of(parameter, program.model)?;
                    if let (Some(number), true) = (number, argument.rest.is_empty()) {
                        scope.declare(&argument.first, number);
                    }
                }
            }
            ItemText::Empty(_) | ItemText::Law { .. } => {}
        }
        Ok(())
    }

    fn named(&self, predicate: &Word) -> Resolved<usize> {
        let index = self.predicates.iter().position(|text| text.name.text == predicate.text);
        index.ok_or_else(|| {
            predicate.error(format!("there is no predicate `{}` in this file", predicate.text))
        })
    }

    fn link(
        &self,
        scope: &mut Scope<'_>,
        model: DataModel,
        predicate: &Word,
        arguments: &[SumText],
    ) -> Resolved<Link> {
        let index = self.named(predicate)?;
        let wanted = &self.predicates[index].parameters;
        if arguments.len() != wanted.len() {
            let message = format!(
                "`{}` has {} parameters beside `this`, and gets {} arguments",
                predicate.text,
                wanted.len(),
                arguments.len()
            );
            return Err(predicate.error(message));
        }
        let mut values = Vec::new();
        for (argument, parameter) in arguments.iter().zip(wanted) {
            values.push(match number_of(parameter, model)? {
                Some(number) => scope.argument(argument, number)?,
                None => pointer(scope, argument)?,
            });
        }
        Ok(Link { predicate: index, arguments: values })
    }
}

/// The parameters of a predicate, each of which has a name of its own.
fn parameters_of(text: &PredicateText, model: DataModel) -> Resolved<Scope<'_>> {
    let mut scope = Scope::default();
    for (index, parameter) in text.parameters.iter().enumerate() {
        let name = &parameter.name;
        let before = text.parameters[..index].iter().any(|known| known.name.text == name.text);
        if before || is_reserved(&name.text) {
            return Err(name.error(format!("`{}` has a meaning already", name.text)));
        }
        if index == MOST_PARAMETERS {
            let message = format!("a predicate has at most {MOST_PARAMETERS} parameters");
            return Err(name.error(message));
        }
        scope.parameters.push((&name.text, number_of(parameter, model)?));
    }
    Ok(scope)
}

/// The type of a parameter that is a number.
fn number_of(parameter: &ParameterText, model: DataModel) -> Resolved<Option<NumberType>> {
    match parameter.number.as_slice() {
        [] => Ok(None),
        words => NumberType::of_words(words, model).map(Some),
    }
}

fn declare_links<'t>(scope: &mut Scope<'t>, case: &'t CaseText) -> Resolved<()> {
    for item in &case.items {
        let ItemText::Link { link, .. } = item else { continue };
        let is_parameter = scope.parameters.iter().any(|(known, _)| *known == link.text);
        if is_parameter || is_reserved(&link.text) {
            return Err(link.error("a link is what a field of this node holds"));
        }
        if scope.links.contains(&link.text.as_str()) {
            let message = "one block is the node of one instance; it cannot be that of two";
            return Err(link.error(message));
        }
        scope.links.push(&link.text);
    }
    Ok(())
}

/// What is passed on in the place of a pointer.
fn pointer(scope: &Scope<'_>, argument: &SumText) -> Resolved<Value> {
    let wrong = || argument.first.error("an argument is a pointer here");
    let value = scope.value(&argument.first)?.filter(|_| argument.rest.is_empty());
    let value = value.ok_or_else(wrong)?;
    let is_number = matches!(value, Value::Number(_)) || scope.type_of(value).is_some();
    if is_number { Err(wrong()) } else { Ok(value) }
}

fn is_reserved(name: &str) -> bool {
    let is_number = name.chars().next().is_some_and(|c| c.is_ascii_digit());
    is_number || ["this", "null", "_"].contains(&name)
}

/// Whether a case has no node.
fn is_empty(case: &CaseText) -> bool {
    let is_law = |item: &ItemText| matches!(item, ItemText::Law { .. });
    match case.items.as_slice() {
        [ItemText::Empty(_), laws @ ..] => laws.iter().all(is_law),
        _ => false,
    }
}

fn empty(mut scope: Scope<'_>, case: &CaseText) -> Resolved<EmptyCase> {
    let [ItemText::Empty(word), laws @ ..] = case.items.as_slice() else {
        unreachable!("it is empty")
    };
    for law in laws {
        if let ItemText::Law { left, comparison, right } = law {
            scope.law((left, comparison, right))?;
        }
    }
    let message = "`this` is `null` or a parameter where there is no node";
    let this = match word.text.as_str() {
        "null" | "0" => Empty::Null,
        name => {
            let is_it =
                |(known, number): &(&str, Option<NumberType>)| *known == name && number.is_none();
            let parameter = scope.parameters.iter().position(is_it);
            Empty::Parameter(parameter.ok_or_else(|| word.error(message))?)
        }
    };
    Ok(EmptyCase { this, laws: scope.laws })
}

fn find_record<'p>(program: &'p Program, name: &Word) -> Resolved<&'p Record> {
    let mut records = program.types.records().map(|(_, record)| record);
    let is_it = |record: &&Record| record.name == name.text && record.kind == RecordKind::Struct;
    let record = records.find(is_it);
    let record = record.filter(|record| record.is_complete);
    record.ok_or_else(|| name.error(format!("the program has no `struct {}`", name.text)))
}

/// Where a field is, and what it holds.
struct Place<'t> {
    name: &'t Word,
    offset: u64,
    scalar: ScalarType,
    model: DataModel,
}

impl Place<'_> {
    /// The field with a value; none if it may hold anything.
    fn field(&self, scope: &Scope<'_>, word: &Word) -> Resolved<Option<FieldOfNode>> {
        let Place { name, offset, scalar, model } = *self;
        let size = scalar.size(model);
        let Some(value) = scope.value(word)? else { return Ok(None) };
        if let (Value::Number(number), false) = (value, scalar.is_pointer())
            && size < 16
            && number >> (8 * size) != 0
        {
            return Err(word.error("the field is too narrow for this number"));
        }
        // `0` is null where a pointer is.
        let value = match value {
            Value::Number(0) if scalar.is_pointer() => Value::Null,
            value => value,
        };
        let number = scope.type_of(value);
        let is_number = matches!(value, Value::Number(_)) || number.is_some();
        if is_number == scalar.is_pointer() {
            return Err(word.error("pointers are in fields of pointers, numbers in others"));
        }
        match (number, NumberType::of_scalar(scalar, model)) {
            (Some(_), None) => Err(name.error("the field holds no whole number")),
            (Some(number), Some(own)) if number.bytes != own.bytes => {
                Err(word.error("the field has another width than this number"))
            }
            (Some(_), Some(_)) | (None, _) => Ok(Some(FieldOfNode { offset, size, value })),
        }
    }
}

fn find_field<'t>(program: &Program, record: &Record, path: &'t [Word]) -> Resolved<Place<'t>> {
    let (mut record, mut offset) = (record, 0);
    let mut found = None;
    for (index, name) in path.iter().enumerate() {
        let field = record.fields.iter().find(|field| field.name == name.text);
        let missing = || name.error(format!("`struct {}` has no such field", record.name));
        let field = field.ok_or_else(missing)?;
        offset += field.offset;
        found = Some(field);
        match program.types.get(field.ty) {
            Type::Record(inner) => record = program.types.record(*inner),
            _ if index + 1 < path.len() => {
                return Err(name.error("this field is no record and has no fields"));
            }
            _ => {}
        }
    }
    let (field, name) = (found.expect("a path has a field"), &path[path.len() - 1]);
    let scalar = program.types.scalar(field.ty).filter(|_| field.bits.is_none());
    let message = "only fields that hold one pointer or number are told of";
    let scalar = scalar.ok_or_else(|| name.error(message))?;
    Ok(Place { name, offset, scalar, model: program.model })
}
