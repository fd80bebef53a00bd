//! Certificates as text: the states at loop heads, written and read.
//!
//! ```text
//! state f0 L3          in function 0, at location 3
//! called f0 E7         a call under way
//! number v2 5          a variable that is 5
//! alive o1             a local object
//! variable v1: n0+0    where a pointer leads: to the first byte of node 0
//! word o1 8: null      the same of a word of an object
//! node 16 many shared 0 cyclic 8
//! link 8: null n0+0    what a word of the last node holds
//! end
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use heapwright_base::DenseId;
use heapwright_program::{FunctionId, LocationId, Program};

use crate::graph::{Block, Graph, Node, Root, Target, Targets};
use crate::state::{Spot, State};

/// The text of states.
pub fn write<'s>(states: impl IntoIterator<Item = &'s State>) -> String {
    let name = |root: &Root| match root {
        Root::Variable(variable) => format!("variable {variable}"),
        Root::Word(object, offset) => format!("word {object} {offset}"),
    };
    let headline = |spot: &Spot| format!("state {} {}", spot.function, spot.location);
    let states = states.into_iter();
    states.map(|state| write_state(state, &headline(&state.spot), &name) + "end\n").collect()
}

/// The same of one state for people, with the names of the source.
pub fn tell(program: &Program, state: &State) -> String {
    let name = |root: &Root| match root {
        Root::Variable(variable) => program.variables[*variable].name.clone(),
        Root::Word(object, offset) => format!("{}+{offset}", program.objects[*object].name),
    };
    let Spot { function, location, .. } = state.spot;
    let function = &program.functions[function];
    let edges = function.body.iter().flat_map(|body| body.edges.iter());
    let place = edges.filter(|edge| edge.source == location).map(|edge| edge.place).next();
    let place = place.map_or(String::new(), |place| format!(" // {}", program.describe(place)));
    let text = write_state(state, &format!("in {} at {location}{place}", function.name), &name);
    let mut nodes = 0..;
    let named = |line: &str| match line.strip_prefix("node ") {
        Some(node) => format!("n{}: size {node}\n", nodes.next().expect("without end")),
        None => format!("{line}\n"),
    };
    text.lines().map(named).collect()
}

fn write_state(state: &State, headline: &str, name: &dyn Fn(&Root) -> String) -> String {
    let mut lines = vec![headline.to_owned()];
    let calls = state.spot.calls.iter();
    lines.extend(calls.map(|(caller, edge)| format!("called {caller} {edge}")));
    lines.extend(state.numbers.iter().map(|(variable, bits)| format!("number {variable} {bits}")));
    lines.extend(state.objects.iter().map(|object| format!("alive {object}")));
    let roots = state.graph.roots.iter();
    lines.extend(roots.map(|(root, held)| format!("{}:{}", name(root), targets_text(held))));
    lines.extend(state.graph.nodes.iter().flat_map(node_lines));
    lines.join("\n") + "\n"
}

/// A node and what its words hold.
fn node_lines(node: &Node) -> Vec<String> {
    let many = if node.is_many { " many" } else { "" };
    let mut line = format!("node {}{many}", node.size);
    for (name, bits) in [("shared", &node.shared), ("cyclic", &node.cyclic)] {
        for offset in bits {
            write!(line, " {name} {offset}").expect("strings take everything");
        }
    }
    let link = |(offset, held): (&u64, &Targets)| format!("link {offset}:{}", targets_text(held));
    [line].into_iter().chain(node.words.iter().map(link)).collect()
}

pub fn targets_text(targets: &Targets) -> String {
    let word = |target: &Target| match target {
        Target::Null => " null".to_owned(),
        Target::Wild => " wild".to_owned(),
        Target::Function(function) => format!(" {function}"),
        Target::In(Block::Object(object), offset) => format!(" {object}{offset:+}"),
        Target::In(Block::Node(node), offset) => format!(" {node}{offset:+}"),
    };
    targets.iter().map(word).collect()
}

/// The states of a text.
///
/// # Errors
/// The first line that says nothing.
pub fn read(text: &str) -> Result<Vec<State>, String> {
    let mut states = Vec::new();
    let mut open: Option<State> = None;
    for line in text.lines() {
        let wrong = || format!("`{line}` is no line of a certificate");
        let words: Vec<&str> = line.split([' ', ':']).filter(|word| !word.is_empty()).collect();
        match (words.as_slice(), &mut open) {
            (["state", function, location], None) => {
                let function: Option<FunctionId> = id("f", function);
                let location: Option<LocationId> = id("L", location);
                let (function, location) = function.zip(location).ok_or_else(wrong)?;
                open = Some(State {
                    spot: Spot { calls: Vec::new(), function, location },
                    graph: Graph::default(),
                    numbers: BTreeMap::new(),
                    objects: BTreeSet::new(),
                });
            }
            (["end"], Some(_)) => states.extend(open.take()),
            (words, Some(state)) => read_line(state, words).ok_or_else(wrong)?,
            (_, None) => return Err(wrong()),
        }
    }
    let all_nodes_exist = states.iter().all(|state: &State| {
        let words = state.graph.nodes.iter().flat_map(|node| node.words.values());
        let held = words.chain(state.graph.roots.values()).flatten();
        held.filter_map(|target| target.node()).all(|node| state.graph.nodes.get(node).is_some())
    });
    match open {
        None if all_nodes_exist => Ok(states),
        None => Err("a pointer leads to a node that is not there".to_owned()),
        Some(_) => Err("the last state has no end".to_owned()),
    }
}

fn read_line(state: &mut State, words: &[&str]) -> Option<()> {
    let graph = &mut state.graph;
    match words {
        ["called", caller, edge] => state.spot.calls.push((id("f", caller)?, id("E", edge)?)),
        ["number", variable, bits] => {
            state.numbers.insert(id("v", variable)?, bits.parse().ok()?);
        }
        ["alive", object] => {
            state.objects.insert(id("o", object)?);
        }
        ["variable", variable, held @ ..] => {
            graph.roots.insert(Root::Variable(id("v", variable)?), targets(held)?);
        }
        ["word", object, offset, held @ ..] => {
            let root = Root::Word(id("o", object)?, offset.parse().ok()?);
            graph.roots.insert(root, targets(held)?);
        }
        ["link", offset, held @ ..] => {
            let last = graph.nodes.iter_mut().last()?;
            last.words.insert(offset.parse().ok()?, targets(held)?);
        }
        ["node", size, bits @ ..] => {
            let is_many = bits.first() == Some(&"many");
            let mut node = Node { size: size.parse().ok()?, is_many, ..Node::default() };
            for pair in bits[usize::from(is_many)..].chunks(2) {
                match pair {
                    ["shared", offset] => node.shared.insert(offset.parse().ok()?),
                    ["cyclic", offset] => node.cyclic.insert(offset.parse().ok()?),
                    _ => return None,
                };
            }
            graph.nodes.push(node);
        }
        _ => return None,
    }
    Some(())
}

fn targets(words: &[&str]) -> Option<Targets> {
    let target = |word: &&str| {
        let (name, offset) = match word.find(['+', '-']) {
            Some(at) => (&word[..at], word[at..].parse().ok()?),
            None => (*word, 0),
        };
        Some(match *word {
            "null" => Target::Null,
            "wild" => Target::Wild,
            function if function.starts_with('f') => Target::Function(id("f", function)?),
            object if object.starts_with('o') => Target::In(Block::Object(id("o", name)?), offset),
            _ => Target::In(Block::Node(id("n", name)?), offset),
        })
    };
    words.iter().map(target).collect()
}

/// An id, as it is printed.
fn id<I: DenseId>(prefix: &str, word: &str) -> Option<I> {
    word.strip_prefix(prefix)?.parse::<u32>().ok().map(|index| I::from_index(index as usize))
}
