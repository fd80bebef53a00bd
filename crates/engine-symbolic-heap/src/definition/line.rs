//! Definitions as lines of a certificate, one for each predicate.
//!
//! `predicate NAME/2 of 24 bytes: empty null; empty p1; node +0/8 = c1, +8/8 = this, +16/4 = 7, c1 is NAME(p1, this)`
//!
//! `p1` and so on are parameters, `c1` and so on links, in the order in which `is` tells where they lead. The fields are
//! known by offset and size alone, so that nobody needs the file or the types to read them. Where there are numbers,
//!
//! `predicate NAME/2[p2/8] of 24 bytes: empty null with p2 == 0; node +0/8 = c1, v1/8, c1 is NAME(p1, v1), p2 == v1 + 1`
//!
//! says that the second parameter has eight bytes, that the case names a number `v1` of eight bytes, and its laws.

use std::fmt;

use crate::definition::law::Law;
use crate::definition::{
    Definition, Definitions, Empty, EmptyCase, FieldOfNode, Kind, Link, MOST_PARAMETERS, Node,
    Value,
};

impl Definitions {
    /// One line for each predicate.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.predicates.iter().map(|predicate| self.line(predicate)).collect()
    }

    fn line(&self, predicate: &Definition) -> String {
        let Definition { name, parameters, size, empties, nodes } = predicate;
        let empties = empties.iter().map(|empty| {
            let this = match empty.this {
                Empty::Null => "empty null".to_owned(),
                Empty::Parameter(index) => format!("empty {}", Value::Parameter(index)),
            };
            let laws: Vec<String> = empty.laws.iter().map(ToString::to_string).collect();
            let with = if laws.is_empty() { "" } else { " with " };
            format!("{this}{with}{}", laws.join(" and "))
        });
        let nodes = nodes.iter().map(|node| format!("node {}", self.node(node)).trim().to_owned());
        let cases: Vec<String> = empties.chain(nodes).collect();
        let kinds = kinds_in_words(parameters);
        let count = parameters.len();
        format!("predicate {name}/{count}{kinds} of {size} bytes: {}", cases.join("; "))
    }

    fn node(&self, node: &Node) -> String {
        let fields = node
            .fields
            .iter()
            .map(|field| format!("+{}/{} = {}", field.offset, field.size, field.value));
        let variables = node.variables.iter().enumerate();
        let variables =
            variables.map(|(index, bytes)| format!("{}/{bytes}", Value::Variable(index)));
        let links = node.links.iter().enumerate().map(|(index, link)| {
            let name = &self.predicates[link.predicate].name;
            let arguments: Vec<String> = link.arguments.iter().map(ToString::to_string).collect();
            format!("{} is {name}({})", Value::Link(index), arguments.join(", "))
        });
        let laws = node.laws.iter().map(ToString::to_string);
        fields.chain(variables).chain(links).chain(laws).collect::<Vec<String>>().join(", ")
    }

    /// The definitions of such lines, each without its first word; or what is wrong, and in which of them.
    pub(crate) fn of_lines(lines: &[&str]) -> Result<Definitions, (usize, String)> {
        let mut heads = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let head = head(line).ok_or((index, "not `NAME/PARAMETERS of SIZE bytes: CASES`"));
            heads.push(head.map_err(|(index, text)| (index, text.to_owned()))?);
        }
        let names: Vec<&str> = heads.iter().map(|head| head.0).collect();
        let mut predicates = Vec::new();
        for (index, (name, parameters, size, cases)) in heads.iter().enumerate() {
            let (mut empties, mut nodes) = (Vec::new(), Vec::new());
            for case in cases.split(';').map(str::trim) {
                let wrong = || (index, format!("`{case}` is no case of a predicate"));
                match case.split_once(' ').unwrap_or((case, "")) {
                    ("empty", words) => empties.push(empty(words).ok_or_else(wrong)?),
                    ("node", parts) => nodes.push(node(parts, &names).ok_or_else(wrong)?),
                    _ => return Err(wrong()),
                }
            }
            let (name, parameters, size) = ((*name).to_owned(), parameters.clone(), *size);
            predicates.push(Definition { name, parameters, size, empties, nodes });
        }
        Ok(Definitions { predicates })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => write!(f, "null"),
            Value::This => write!(f, "this"),
            Value::Parameter(index) => write!(f, "p{}", index + 1),
            Value::Link(index) => write!(f, "c{}", index + 1),
            Value::Variable(index) => write!(f, "v{}", index + 1),
            Value::Number(number) => write!(f, "{number}"),
        }
    }
}

impl Value {
    pub(super) fn of_word(word: &str) -> Option<Value> {
        let index = |prefix: char| {
            let number: usize = word.strip_prefix(prefix)?.parse().ok()?;
            number.checked_sub(1)
        };
        match word {
            "null" => Some(Value::Null),
            "this" => Some(Value::This),
            _ => None
                .or_else(|| index('p').map(Value::Parameter))
                .or_else(|| index('c').map(Value::Link))
                .or_else(|| index('v').map(Value::Variable))
                .or_else(|| word.parse().ok().map(Value::Number)),
        }
    }
}

/// `[p1/8 p3/4]`: how many bytes those parameters have that are numbers.
fn kinds_in_words(parameters: &[Kind]) -> String {
    let numbers = parameters.iter().enumerate().filter_map(|(index, kind)| match kind {
        Kind::Pointer => None,
        Kind::Number { bytes } => Some(format!("{}/{bytes}", Value::Parameter(index))),
    });
    let numbers: Vec<String> = numbers.collect();
    if numbers.is_empty() { String::new() } else { format!("[{}]", numbers.join(" ")) }
}

/// `2[p2/8]`
fn kinds(text: &str) -> Option<Vec<Kind>> {
    let (count, numbers) = match text.split_once('[') {
        Some((count, numbers)) => (count, numbers.strip_suffix(']')?),
        None => (text, ""),
    };
    let count = count.parse().ok().filter(|&count| count <= MOST_PARAMETERS)?;
    let mut kinds = vec![Kind::Pointer; count];
    for number in numbers.split_whitespace() {
        let (word, bytes) = number.split_once('/')?;
        let Some(Value::Parameter(index)) = Value::of_word(word) else { return None };
        *kinds.get_mut(index)? = Kind::Number { bytes: bytes.parse().ok()? };
    }
    Some(kinds)
}

fn head(line: &str) -> Option<(&str, Vec<Kind>, u64, &str)> {
    let (head, cases) = line.split_once(": ")?;
    let (name, size) = head.split_once(" of ")?;
    let (name, parameters) = name.split_once('/')?;
    let size = size.strip_suffix(" bytes")?.parse().ok()?;
    Some((name, kinds(parameters)?, size, cases))
}

/// `null with p1 == 0 and p2 <=s p3`
fn empty(text: &str) -> Option<EmptyCase> {
    let (this, laws) = match text.split_once(" with ") {
        Some((this, laws)) => (this, laws.split(" and ").map(Law::parse).collect::<Option<_>>()?),
        None => (text, Vec::new()),
    };
    match Value::of_word(this)? {
        Value::Null => Some(EmptyCase { this: Empty::Null, laws }),
        Value::Parameter(index) => Some(EmptyCase { this: Empty::Parameter(index), laws }),
        Value::This | Value::Link(_) | Value::Variable(_) | Value::Number(_) => None,
    }
}

fn node(text: &str, names: &[&str]) -> Option<Node> {
    let mut node = Node::default();
    let mut rest = text;
    while !rest.is_empty() {
        let (part, behind) = first_part(rest);
        rest = behind;
        if let Some((place, held)) = part.strip_prefix('+').and_then(|p| p.split_once(" = ")) {
            let (offset, size) = place.split_once('/')?;
            let (offset, size) = (offset.parse().ok()?, size.parse().ok()?);
            node.fields.push(FieldOfNode { offset, size, value: Value::of_word(held)? });
        } else if let Some((link, call)) = part.split_once(" is ") {
            let (name, arguments) = call.strip_suffix(')')?.split_once('(')?;
            let predicate = names.iter().position(|known| *known == name)?;
            let words = arguments.split(',').map(str::trim).filter(|word| !word.is_empty());
            let arguments = words.map(Value::of_word).collect::<Option<Vec<Value>>>()?;
            if Value::of_word(link) != Some(Value::Link(node.links.len())) {
                return None;
            }
            node.links.push(Link { predicate, arguments });
        } else if let Some((name, bytes)) = part.split_once('/') {
            if Value::of_word(name) != Some(Value::Variable(node.variables.len())) {
                return None;
            }
            node.variables.push(bytes.parse().ok()?);
        } else {
            node.laws.push(Law::parse(part)?);
        }
    }
    Some(node)
}

/// The text up to a comma that is in no parentheses, and what is behind it.
fn first_part(text: &str) -> (&str, &str) {
    let mut depth = 0u32;
    for (position, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => return (text[..position].trim(), text[position + 1..].trim()),
            _ => {}
        }
    }
    (text.trim(), "")
}
