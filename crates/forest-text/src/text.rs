//! Certificates as text: the forests at loop heads, written and read.
//!
//! ```text
//! forest f0 L3                    in function 0, at location 3
//! loses                           blocks may be lost
//! called f0 E7                    a call under way
//! variable v1 b0+0                a pointer to the first byte of block 0; #5 is the number 5
//! object o1                       an object that is alive
//! cell 8/8 b0+0                   its eight bytes from byte 8 on
//! block b0 q0 b1+0 u0.1+0         the top of a tree, with the arguments of its state
//! state q0 16 3 plain hole1       its blocks have 16 bytes and are of sort 3; the second parameter is a hole that is told one thing
//! rule q0 0/8 tree q0 +0 own+0 p1+0; 8/8 p0+0
//! end
//! ```

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use heapwright_base::DenseId;
use heapwright_program::Program;

use crate::automaton::{Automaton, Cell, Known, Parameter, Rule, State, StateId, Term, Value};
use crate::forest::{Base, BlockId, Body, Cells, Forest, Spot};

/// The text of forests, all blocks of which are closed.
pub fn write<'s>(forests: impl IntoIterator<Item = &'s Forest>) -> String {
    forests.into_iter().map(|forest| lines(forest, None).join("\n") + "\nend\n").collect()
}

/// The same of one forest for people, with the names of the source.
#[must_use]
pub fn tell(program: &Program, forest: &Forest) -> String {
    lines(forest, Some(program)).join("\n") + "\n"
}

fn lines(forest: &Forest, program: Option<&Program>) -> Vec<String> {
    let Spot { calls, function, location } = &forest.spot;
    let mut lines = vec![match program {
        None => format!("forest {function} {location}"),
        Some(program) => {
            let item = &program.functions[*function];
            let mut edges = item.body.iter().flat_map(|body| body.edges.iter());
            let place = edges.find(|edge| edge.source == *location).map(|edge| edge.place);
            let place = place.map_or(String::new(), |it| format!(" // {}", program.describe(it)));
            format!("in {} at {location}{place}", item.name)
        }
    }];
    if forest.may_lose {
        lines.push("loses".to_owned());
    }
    lines.extend(calls.iter().map(|(caller, edge)| format!("called {caller} {edge}")));
    for (variable, value) in &forest.variables {
        let name = program.map_or(variable.to_string(), |it| it.variables[*variable].name.clone());
        lines.push(format!("variable {name} {}", value_text(*value, base_text)));
    }
    for (object, cells) in &forest.objects {
        let name = program.map_or(object.to_string(), |it| it.objects[*object].name.clone());
        if program.is_some() && cells.is_empty() {
            continue;
        }
        lines.push(format!("object {name}"));
        lines.extend(cells.iter().map(cell_line));
    }
    for (block, body) in &forest.blocks {
        match body {
            Body::Open { size, cells, .. } => {
                lines.push(format!("block {block} open {size}"));
                lines.extend(cells.iter().map(cell_line));
            }
            Body::Closed { automaton, state, arguments } => {
                lines.push(format!("block {block} {state}{}", values_text(arguments, base_text)));
                lines.extend(automaton_lines(automaton));
            }
        }
    }
    lines
}

fn cell_line((offset, cell): (&u64, &Cell<Value<Base>>)) -> String {
    format!("cell {offset}/{} {}", cell.width, value_text(cell.holds, base_text))
}

fn automaton_lines(automaton: &Automaton) -> Vec<String> {
    let mut lines = Vec::new();
    for (id, state) in automaton.states.enumerated() {
        let parameter = |parameter: &Parameter| match parameter {
            Parameter::Plain => " plain".to_owned(),
            Parameter::Hole { ups } => format!(" hole{ups}"),
        };
        let parameters: String = state.parameters.iter().map(parameter).collect();
        lines.push(format!("state {id} {} {}{parameters}", state.size, state.sort));
        for rule in &state.rules {
            let cell = |(offset, cell): (&u64, &Cell<Term>)| {
                format!("{offset}/{} {}", cell.width, term_text(&cell.holds))
            };
            let cells: Vec<String> = rule.iter().map(cell).collect();
            lines.push(format!("rule {id} {}", cells.join("; ")));
        }
    }
    lines
}

fn term_text(term: &Term) -> String {
    match term {
        Term::Value(value) => value_text(*value, known_text),
        Term::Tree { state, arguments, by } => {
            format!("tree {state} {by:+}{}", values_text(arguments, known_text))
        }
        Term::Hole { parameter, ups, by } => {
            format!("hole {parameter} {by:+}{}", values_text(ups, known_text))
        }
    }
}

fn values_text<B: Copy>(values: &[Value<B>], name: impl Fn(B) -> String + Copy) -> String {
    values.iter().map(|value| format!(" {}", value_text(*value, name))).collect()
}

fn value_text<B: Copy>(value: Value<B>, name: impl Fn(B) -> String) -> String {
    let at = |name: &dyn Display, by: i64| format!("{name}{by:+}");
    match value {
        Value::Any => "any".to_owned(),
        Value::Bits(bits) => format!("#{bits}"),
        Value::Object(object, by) => at(&object, by),
        Value::Function(function) => function.to_string(),
        Value::To(base, by) => at(&name(base), by),
    }
}

fn base_text(base: Base) -> String {
    match base {
        Base::Block(block) => block.to_string(),
        Base::Up(block, index) => format!("u{}.{index}", block.index()),
    }
}

fn known_text(known: Known) -> String {
    match known {
        Known::Own => "own".to_owned(),
        Known::Parameter(index) => format!("p{index}"),
        Known::Kid(offset) => format!("k{offset}"),
    }
}

/// The forests of a text.
///
/// # Errors
/// The first line that says nothing, or what is named and is not there.
pub fn read(text: &str) -> Result<Vec<Forest>, String> {
    let mut forests = Vec::new();
    let mut open: Option<Reader> = None;
    for line in text.lines() {
        let wrong = || format!("`{line}` is no line of a certificate");
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        match (words.as_slice(), &mut open) {
            (["forest", function, location], None) => {
                let (function, location) = (id("f", function), id("L", location));
                let (function, location) = function.zip(location).ok_or_else(wrong)?;
                open = Some(Reader::at(Spot { calls: Vec::new(), function, location }));
            }
            (["end"], Some(_)) => {
                let forest = open.take().and_then(Reader::finish);
                forests.push(forest.ok_or("a forest names what is not there")?);
            }
            (words, Some(reader)) => reader.line(words).ok_or_else(wrong)?,
            (_, None) => return Err(wrong()),
        }
    }
    if open.is_none() { Ok(forests) } else { Err("the last forest has no end".to_owned()) }
}

struct Reader {
    forest: Forest,
    /// The last block, and what was read of its automaton.
    block: Option<(BlockId, StateId, Vec<Value<Base>>, Automaton)>,
    cells: Option<heapwright_program::ObjectId>,
}

impl Reader {
    fn at(spot: Spot) -> Reader {
        let (blocks, variables, objects) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let forest = Forest { spot, blocks, variables, objects, may_lose: false };
        Reader { forest, block: None, cells: None }
    }

    fn line(&mut self, words: &[&str]) -> Option<()> {
        let forest = &mut self.forest;
        match words {
            ["loses"] => forest.may_lose = true,
            ["called", caller, edge] => forest.spot.calls.push((id("f", caller)?, id("E", edge)?)),
            ["variable", variable, held] => {
                forest.variables.insert(id("v", variable)?, value(held, base)?);
            }
            ["object", object] => {
                self.cells = Some(id("o", object)?);
                forest.objects.insert(self.cells?, Cells::new());
            }
            ["cell", place, held] => {
                let (offset, width) = range(place)?;
                let cell = Cell { width, holds: value(held, base)? };
                forest.objects.get_mut(&self.cells?)?.insert(offset, cell);
            }
            ["block", block, state, arguments @ ..] => {
                self.close_block();
                let arguments =
                    arguments.iter().map(|it| value(it, base)).collect::<Option<_>>()?;
                let automaton = Automaton::default();
                self.block = Some((id("b", block)?, id("q", state)?, arguments, automaton));
            }
            ["state", name, size, sort, parameters @ ..] => {
                let automaton = &mut self.block.as_mut()?.3;
                let parameters =
                    parameters.iter().map(|it| parameter(it)).collect::<Option<_>>()?;
                let rules = std::collections::BTreeSet::new();
                let (size, sort) = (size.parse().ok()?, sort.parse().ok()?);
                let state = State { size, sort, parameters, rules };
                let is_next = id::<StateId>("q", name)? == automaton.states.push(state);
                is_next.then_some(())?;
            }
            ["rule", name, cells @ ..] => {
                let automaton = &mut self.block.as_mut()?.3;
                let name: StateId = id("q", name)?;
                automaton.states.get(name)?;
                automaton.states[name].rules.insert(rule(&cells.join(" "))?);
            }
            _ => return None,
        }
        Some(())
    }

    fn close_block(&mut self) {
        if let Some((block, state, arguments, automaton)) = self.block.take() {
            let body = Body::Closed { automaton: Arc::new(automaton), state, arguments };
            self.forest.blocks.insert(block, body);
        }
    }

    /// The forest, if all that it names is there.
    fn finish(mut self) -> Option<Forest> {
        self.close_block();
        let forest = &self.forest;
        let is_there = |value: &Value<Base>| match value.base() {
            None => true,
            Some(Base::Block(block) | Base::Up(block, _)) => forest.blocks.contains_key(&block),
        };
        let are_sound = forest.blocks.values().all(|body| match body {
            Body::Open { .. } => false,
            Body::Closed { automaton, state, arguments } => {
                let state = automaton.states.get(*state);
                automaton.is_sound()
                    && state.is_some_and(|state| {
                        let is_fit =
                            |(parameter, value): (&Parameter, &Value<Base>)| match parameter {
                                Parameter::Plain => true,
                                Parameter::Hole { .. } => {
                                    matches!(value, Value::To(Base::Block(_), 0))
                                }
                            };
                        state.parameters.len() == arguments.len()
                            && state.parameters.iter().zip(arguments).all(is_fit)
                    })
                    && arguments.iter().all(is_there)
            }
        });
        // Many trees may have a link to a block, but only one tells it something.
        let told: Vec<BlockId> = forest.blocks.values().flat_map(Body::told).collect();
        let is_told_once =
            told.iter().all(|block| told.iter().filter(|it| *it == block).count() == 1);
        let are_roots_there = forest.roots().all(|value| is_there(&value));
        (are_sound && is_told_once && are_roots_there).then_some(self.forest)
    }
}

fn rule(text: &str) -> Option<Rule> {
    let mut rule = Rule::new();
    for cell in text.split(';') {
        let words: Vec<&str> = cell.split(' ').filter(|word| !word.is_empty()).collect();
        let Some((place, term)) = words.split_first() else { continue };
        let (offset, width) = range(place)?;
        let values = |words: &[&str]| words.iter().map(|it| value(it, known)).collect();
        let holds = match term {
            [held] => Term::Value(value(held, known)?),
            ["tree", state, by, rest @ ..] => {
                let arguments: Option<Vec<Value<Known>>> = values(rest);
                Term::Tree { state: id("q", state)?, arguments: arguments?, by: by.parse().ok()? }
            }
            ["hole", parameter, by, rest @ ..] => {
                let ups: Option<Vec<Value<Known>>> = values(rest);
                let parameter = parameter.parse().ok()?;
                Term::Hole { parameter, ups: ups?, by: by.parse().ok()? }
            }
            _ => return None,
        };
        rule.insert(offset, Cell { width, holds });
    }
    Some(rule)
}

fn range(word: &str) -> Option<(u64, u64)> {
    let (offset, width) = word.split_once('/')?;
    Some((offset.parse().ok()?, width.parse().ok()?))
}

fn parameter(word: &str) -> Option<Parameter> {
    match word.strip_prefix("hole") {
        Some(ups) => Some(Parameter::Hole { ups: ups.parse().ok()? }),
        None => (word == "plain").then_some(Parameter::Plain),
    }
}

fn value<B>(word: &str, base: impl Fn(&str) -> Option<B>) -> Option<Value<B>> {
    if let Some(bits) = word.strip_prefix('#') {
        return Some(Value::Bits(bits.parse().ok()?));
    }
    let Some(at) = word.find(['+', '-']) else {
        return if word == "any" {
            Some(Value::Any)
        } else {
            Some(Value::Function(id("f", word)?))
        };
    };
    let (name, by) = (&word[..at], word[at..].parse().ok()?);
    // `own` is no object.
    match id("o", name) {
        Some(object) => Some(Value::Object(object, by)),
        None => Some(Value::To(base(name)?, by)),
    }
}

fn base(name: &str) -> Option<Base> {
    match name.strip_prefix('u') {
        Some(up) => {
            let (block, index) = up.split_once('.')?;
            Some(Base::Up(BlockId::from_index(block.parse().ok()?), index.parse().ok()?))
        }
        None => Some(Base::Block(id("b", name)?)),
    }
}

fn known(name: &str) -> Option<Known> {
    match (name, name.split_at_checked(1)?) {
        ("own", _) => Some(Known::Own),
        (_, ("p", index)) => Some(Known::Parameter(index.parse().ok()?)),
        (_, ("k", offset)) => Some(Known::Kid(offset.parse().ok()?)),
        _ => None,
    }
}

/// An id, as it is printed.
fn id<I: DenseId>(prefix: &str, word: &str) -> Option<I> {
    word.strip_prefix(prefix)?.parse::<u32>().ok().map(|index| I::from_index(index as usize))
}
