//! Structures as text.

use std::fmt::Write;

use heapwright_base::DenseId;

use crate::kleene::Kleene;
use crate::structure::{MOST_NODES, NULL, Node, Row, Structure, WILD, nodes_of};
use crate::text::TextError;
use crate::vocabulary::{UnaryId, Vocabulary};

/// A structure as text that [`parse_structure`] reads. Blocks are called `a`, `b`, …, `a1`, ….
#[must_use]
pub fn print_structure(structure: &Structure, vocabulary: &Vocabulary) -> String {
    let mut text = "blocks:".to_owned();
    for node in nodes_of(structure.blocks()) {
        let star = if structure.is_summary(node) { "*" } else { "" };
        write!(text, " {}{star}", name_of(node)).expect("strings take everything");
    }
    text.push('\n');
    for (id, predicate) in vocabulary.nullary().enumerated() {
        match structure.nullary(id) {
            Kleene::False => {}
            value => writeln!(text, "{}: {value}", predicate.name).expect("a string"),
        }
    }
    for (id, predicate) in vocabulary.unary().enumerated().skip(1) {
        line(&mut text, &predicate.name, &items("", structure.unary(id)));
    }
    for (id, predicate) in vocabulary.binary().enumerated() {
        let of = |from| items(&format!("{}->", name_of(from)), structure.binary(id, from));
        line(&mut text, &predicate.name, &(0..structure.len()).map(of).collect::<String>());
    }
    text
}

fn line(text: &mut String, name: &str, items: &str) {
    if !items.is_empty() {
        writeln!(text, "{name}:{items}").expect("strings take everything");
    }
}

fn items(prefix: &str, row: Row) -> String {
    let mut text = String::new();
    for node in nodes_of(row.one) {
        let mark = if row.at(node) == Kleene::Half { "?" } else { "" };
        write!(text, " {prefix}{}{mark}", name_of(node)).expect("strings take everything");
    }
    text
}

/// What a node is called.
pub(crate) fn name_of(node: Node) -> String {
    match node {
        NULL => "null".to_owned(),
        WILD => "wild".to_owned(),
        block => {
            let letter = char::from(b'a' + ((block - 2) % 26) as u8);
            let round = (block - 2) / 26;
            if round == 0 { letter.to_string() } else { format!("{letter}{round}") }
        }
    }
}

/// Reads a structure. What is not mentioned is 0.
pub fn parse_structure(text: &str, vocabulary: &Vocabulary) -> Result<Structure, TextError> {
    let mut names = vec!["null".to_owned(), "wild".to_owned()];
    let mut structure = None;
    for (position, line) in lines(text) {
        let error = |message: String| TextError { position, message };
        let (name, items) = line.split_once(':').ok_or_else(|| error("`:` is missing".into()))?;
        let items: Vec<&str> = items.split_whitespace().collect();
        let Some(structure) = structure.as_mut() else {
            if name.trim() != "blocks" {
                return Err(error("a structure begins with its `blocks:`".to_owned()));
            }
            structure = Some(blocks(&items, vocabulary, &mut names).map_err(error)?);
            continue;
        };
        fill(structure, vocabulary, &names, name.trim(), &items).map_err(error)?;
    }
    structure.ok_or(TextError { position: 0, message: "there is no structure".to_owned() })
}

/// The lines that say something, with where they begin.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = move |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
    text.lines().filter(|line| !line.trim().is_empty()).map(move |line| (start(line), line))
}

fn blocks(
    items: &[&str],
    vocabulary: &Vocabulary,
    names: &mut Vec<String>,
) -> Result<Structure, String> {
    if items.len() + 2 > MOST_NODES {
        return Err(format!("more than {} blocks", MOST_NODES - 2));
    }
    let mut structure = Structure::new(vocabulary, items.len());
    for item in items {
        let name = item.trim_end_matches('*');
        if names.iter().any(|known| known == name) {
            return Err(format!("there is a node `{name}` already"));
        }
        structure.set_summary(names.len(), item.ends_with('*'));
        names.push(name.to_owned());
    }
    Ok(structure)
}

fn fill(
    structure: &mut Structure,
    vocabulary: &Vocabulary,
    names: &[String],
    name: &str,
    items: &[&str],
) -> Result<(), String> {
    let node = |name: &str| {
        let found = names.iter().position(|known| known == name);
        found.ok_or_else(|| format!("there is no node `{name}`"))
    };
    if let Some(predicate) = vocabulary.nullary_named(name) {
        let value = Kleene::ALL.into_iter().find(|value| items == [value.to_string()]);
        structure.set_nullary(predicate, value.ok_or("a value is 0, 1/2 or 1")?);
    } else if let Some(predicate) = vocabulary.unary_named(name) {
        if predicate == UnaryId::from_index(0) {
            return Err("summaries are marked by a star".to_owned());
        }
        for item in items {
            let (item, value) = marked(item);
            structure.set_unary(predicate, node(item)?, value);
        }
    } else if let Some(predicate) = vocabulary.binary_named(name) {
        for item in items {
            let (item, value) = marked(item);
            let (from, to) = item.split_once("->").ok_or("a link is written `a->b`")?;
            structure.set_binary(predicate, node(from)?, node(to)?, value);
        }
    } else {
        return Err(format!("there is no predicate `{name}`"));
    }
    Ok(())
}

fn marked(item: &str) -> (&str, Kleene) {
    match item.strip_suffix('?') {
        Some(item) => (item, Kleene::Half),
        None => (item, Kleene::True),
    }
}
