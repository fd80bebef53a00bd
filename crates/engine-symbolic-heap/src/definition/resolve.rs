//! From a file to definitions: names get their meaning, fields their places in the program's records.

use heapwright_program::{Program, Record, RecordKind, Type};

use crate::definition::check::{Problem, check};
use crate::definition::file::{
    CaseText, DefinitionError, DefinitionFile, ItemText, PredicateText, Word,
};
use crate::definition::{
    Definition, Definitions, Empty, FieldOfNode, Link, MOST_PARAMETERS, Node, Value,
};

type Resolved<T> = Result<T, DefinitionError>;

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
            (_, Some(parameter)) => &text.parameters[parameter],
            (Some(node), None) => nodes.map(|case| &case.name).nth(node).unwrap_or(&text.name),
            (None, None) => &text.name,
        };
        word.error(problem.message)
    }

    fn predicate(&self, program: &Program, text: &PredicateText) -> Resolved<Definition> {
        let record = find_record(program, &text.record)?;
        for (index, parameter) in text.parameters.iter().enumerate() {
            let before = text.parameters[..index].iter().any(|known| known.text == parameter.text);
            if before || is_reserved(&parameter.text) {
                return Err(parameter.error(format!("`{}` has a meaning already", parameter.text)));
            }
            if index == MOST_PARAMETERS {
                let message = format!("a predicate has at most {MOST_PARAMETERS} parameters");
                return Err(parameter.error(message));
            }
        }
        let (mut empties, mut nodes) = (Vec::new(), Vec::new());
        for case in &text.cases {
            match is_empty(case) {
                true => empties.push(empty(text, case)?),
                false => nodes.push(self.node(program, record, text, case)?),
            }
        }
        let (name, parameters) = (text.name.text.clone(), text.parameters.len());
        Ok(Definition { name, parameters, size: record.size, empties, nodes })
    }

    fn node(
        &self,
        program: &Program,
        record: &Record,
        text: &PredicateText,
        case: &CaseText,
    ) -> Resolved<Node> {
        let mut links: Vec<&str> = Vec::new();
        for item in &case.items {
            let ItemText::Link { arguments, .. } = item else { continue };
            let link = &arguments[0];
            let is_parameter = text.parameters.iter().any(|known| known.text == link.text);
            if is_parameter || is_reserved(&link.text) {
                return Err(link.error("a link is what a field of this node holds"));
            }
            if links.contains(&link.text.as_str()) {
                let message = "one block is the node of one instance; it cannot be that of two";
                return Err(link.error(message));
            }
            links.push(&link.text);
        }
        let value = |word: &Word| -> Resolved<Option<Value>> {
            let parameter = text.parameters.iter().position(|known| known.text == word.text);
            let link = links.iter().position(|known| *known == word.text);
            match word.text.as_str() {
                "_" => Ok(None),
                "this" => Ok(Some(Value::This)),
                "null" => Ok(Some(Value::Null)),
                name => {
                    let found = parameter.map(Value::Parameter).or(link.map(Value::Link));
                    let found = found.or_else(|| name.parse().ok().map(Value::Number));
                    found.map(Some).ok_or_else(|| {
                        let message = "is neither a parameter, nor where an instance begins";
                        word.error(format!("`{name}` {message}; `_` is anything"))
                    })
                }
            }
        };
        let mut node = Node::default();
        for item in &case.items {
            match item {
                ItemText::Empty(word) => {
                    return Err(word.error("a case with `this ==` has no node, and nothing else"));
                }
                ItemText::Field { path, value: word } => {
                    let held = value(word)?;
                    node.fields.extend(find_field(program, record, path, (word, held))?);
                }
                ItemText::Link { predicate, arguments } => {
                    let arguments = &arguments[1..];
                    node.links.push(self.link(predicate, arguments, &value)?);
                }
            }
        }
        node.fields.sort_by_key(|field| field.offset);
        Ok(node)
    }

    fn link(
        &self,
        predicate: &Word,
        arguments: &[Word],
        value: &dyn Fn(&Word) -> Resolved<Option<Value>>,
    ) -> Resolved<Link> {
        let index = self.predicates.iter().position(|text| text.name.text == predicate.text);
        let index = index.ok_or_else(|| {
            predicate.error(format!("there is no predicate `{}` in this file", predicate.text))
        })?;
        let wanted = self.predicates[index].parameters.len();
        if arguments.len() != wanted {
            let message = format!(
                "`{}` has {wanted} parameters beside `this`, and gets {} arguments",
                predicate.text,
                arguments.len()
            );
            return Err(predicate.error(message));
        }
        let argument = |word: &Word| match value(word)? {
            None | Some(Value::Number(_)) => Err(word.error("an argument is a pointer")),
            Some(value) => Ok(value),
        };
        let arguments = arguments.iter().map(argument).collect::<Resolved<Vec<Value>>>()?;
        Ok(Link { predicate: index, arguments })
    }
}

fn is_reserved(name: &str) -> bool {
    let is_number = name.chars().next().is_some_and(|c| c.is_ascii_digit());
    is_number || ["this", "null", "_"].contains(&name)
}

/// Whether a case has no node.
fn is_empty(case: &CaseText) -> bool {
    matches!(case.items.as_slice(), [ItemText::Empty(_)])
}

fn empty(text: &PredicateText, case: &CaseText) -> Resolved<Empty> {
    let [ItemText::Empty(word)] = case.items.as_slice() else { unreachable!("it is empty") };
    if ["null", "0"].contains(&word.text.as_str()) {
        return Ok(Empty::Null);
    }
    let parameter = text.parameters.iter().position(|known| known.text == word.text);
    let message = "`this` is `null` or a parameter where there is no node";
    parameter.map(Empty::Parameter).ok_or_else(|| word.error(message))
}

fn find_record<'p>(program: &'p Program, name: &Word) -> Resolved<&'p Record> {
    let mut records = program.types.records().map(|(_, record)| record);
    let is_it = |record: &&Record| record.name == name.text && record.kind == RecordKind::Struct;
    let record = records.find(is_it);
    let record = record.filter(|record| record.is_complete);
    record.ok_or_else(|| name.error(format!("the program has no `struct {}`", name.text)))
}

/// The place of a field; none if it may hold anything.
fn find_field(
    program: &Program,
    record: &Record,
    path: &[Word],
    (word, value): (&Word, Option<Value>),
) -> Resolved<Option<FieldOfNode>> {
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
    let (field, last) = (found.expect("a path has a field"), &path[path.len() - 1]);
    let scalar = program.types.scalar(field.ty).filter(|_| field.bits.is_none());
    let Some(scalar) = scalar else {
        return Err(last.error("only fields that hold one pointer or number are told of"));
    };
    let size = scalar.size(program.model);
    let value = match value {
        // `0` is null where a pointer is.
        Some(Value::Number(0)) if scalar.is_pointer() => Some(Value::Null),
        Some(Value::Number(number)) => match size >= 16 || number >> (8 * size) == 0 {
            true => Some(Value::Number(number)),
            false => return Err(word.error("the field is too narrow for this number")),
        },
        value => value,
    };
    let is_number = matches!(value, Some(Value::Number(_)));
    match (value, is_number == scalar.is_pointer()) {
        (None, _) => Ok(None),
        (Some(_), true) => Err(word.error("pointers are in fields of pointers, numbers in others")),
        (Some(value), false) => Ok(Some(FieldOfNode { offset, size, value })),
    }
}
