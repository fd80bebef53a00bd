//! Definitions as lines of a certificate, one for each predicate.
//!
//! `predicate NAME/2 of 24 bytes: empty null; empty p1; node +0/8 = c1, +8/8 = this, +16/4 = 7, c1 is NAME(p1, this)`
//!
//! `p1` and so on are parameters, `c1` and so on links, in the order in which `is` tells where they lead. The fields are
//! known by offset and size alone, so that nobody needs the file or the types to read them.

use crate::definition::{
    Definition, Definitions, Empty, FieldOfNode, Link, MOST_PARAMETERS, Node, Value,
};

impl Definitions {
    /// One line for each predicate.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.predicates.iter().map(|predicate| self.line(predicate)).collect()
    }

    fn line(&self, predicate: &Definition) -> String {
        let Definition { name, parameters, size, empties, nodes } = predicate;
        let empties = empties.iter().map(|empty| match empty {
            Empty::Null => "empty null".to_owned(),
            Empty::Parameter(index) => format!("empty p{}", index + 1),
        });
        let nodes = nodes.iter().map(|node| format!("node {}", self.node(node)).trim().to_owned());
        let cases: Vec<String> = empties.chain(nodes).collect();
        format!("predicate {name}/{parameters} of {size} bytes: {}", cases.join("; "))
    }

    fn node(&self, node: &Node) -> String {
        let fields = node
            .fields
            .iter()
            .map(|field| format!("+{}/{} = {}", field.offset, field.size, word(field.value)));
        let links = node.links.iter().enumerate().map(|(index, link)| {
            let name = &self.predicates[link.predicate].name;
            let arguments: Vec<String> = link.arguments.iter().map(|&value| word(value)).collect();
            format!("c{} is {name}({})", index + 1, arguments.join(", "))
        });
        fields.chain(links).collect::<Vec<String>>().join(", ")
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
            let (name, parameters, size) = ((*name).to_owned(), *parameters, *size);
            let (mut empties, mut nodes) = (Vec::new(), Vec::new());
            for case in cases.split(';').map(str::trim) {
                let wrong = || (index, format!("`{case}` is no case of a predicate"));
                match case.split_once(' ').unwrap_or((case, "")) {
                    ("empty", "null") => empties.push(Empty::Null),
                    ("empty", word) => match value(word) {
                        Some(Value::Parameter(of)) => empties.push(Empty::Parameter(of)),
                        _ => return Err(wrong()),
                    },
                    ("node", parts) => nodes.push(node(parts, &names).ok_or_else(wrong)?),
                    _ => return Err(wrong()),
                }
            }
            predicates.push(Definition { name, parameters, size, empties, nodes });
        }
        Ok(Definitions { predicates })
    }
}

fn word(value: Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::This => "this".to_owned(),
        Value::Parameter(index) => format!("p{}", index + 1),
        Value::Link(index) => format!("c{}", index + 1),
        Value::Number(number) => number.to_string(),
    }
}

fn value(word: &str) -> Option<Value> {
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
            .or_else(|| word.parse().ok().map(Value::Number)),
    }
}

fn head(line: &str) -> Option<(&str, usize, u64, &str)> {
    let (head, cases) = line.split_once(": ")?;
    let (name, size) = head.split_once(" of ")?;
    let (name, parameters) = name.split_once('/')?;
    let size = size.strip_suffix(" bytes")?.parse().ok()?;
    let parameters = parameters.parse().ok().filter(|&count| count <= MOST_PARAMETERS)?;
    Some((name, parameters, size, cases))
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
            node.fields.push(FieldOfNode { offset, size, value: value(held)? });
        } else {
            let (link, call) = part.split_once(" is ")?;
            let (name, arguments) = call.strip_suffix(')')?.split_once('(')?;
            let predicate = names.iter().position(|known| *known == name)?;
            let words = arguments.split(',').map(str::trim).filter(|word| !word.is_empty());
            let arguments = words.map(value).collect::<Option<Vec<Value>>>()?;
            if value(link) != Some(Value::Link(node.links.len())) {
                return None;
            }
            node.links.push(Link { predicate, arguments });
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
