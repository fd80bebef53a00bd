//! The control flow of functions by lines: which line leads to which, for those who read the source beside it.

use std::collections::BTreeSet;

use heapwright_program::{Body, Edge, Function, LocationId, Program};

/// The lines of a function, and how control goes from one to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowReport {
    pub function: String,
    pub file: String,
    /// Where something happens, in order.
    pub lines: Vec<u32>,
    /// From one line to another; a line may lead to itself.
    pub ways: BTreeSet<(u32, u32)>,
}

/// The control flow of the user's functions, in the order of the program.
#[must_use]
pub fn control_flow(program: &Program) -> Vec<FlowReport> {
    program.functions.iter().filter_map(|function| flow(program, function)).collect()
}

fn flow(program: &Program, function: &Function) -> Option<FlowReport> {
    let body = function.body.as_ref()?;
    let file = program.files.get(function.place.file).filter(|file| !file.is_model)?;
    // What was made of macros of other files, or has no place, is passed through.
    let is_shown = |edge: &Edge| edge.place.file == function.place.file && edge.place.line > 0;
    let shown: Vec<&Edge> = body.edges.iter().filter(|edge| is_shown(edge)).collect();
    let lines: BTreeSet<u32> = shown.iter().map(|edge| edge.place.line).collect();
    let mut ways = BTreeSet::new();
    for edge in &shown {
        for line in next_lines(body, edge.target, &is_shown) {
            // Within a line control goes on all the time; going back in it is worth a word.
            if line != edge.place.line {
                ways.insert((edge.place.line, line));
            }
        }
    }
    let (function, file) = (function.name.clone(), file.name.clone());
    (!lines.is_empty()).then(|| FlowReport {
        function,
        file,
        lines: lines.into_iter().collect(),
        ways,
    })
}

/// The lines that come next from a location, through what is not shown.
fn next_lines(body: &Body, start: LocationId, is_shown: &dyn Fn(&Edge) -> bool) -> BTreeSet<u32> {
    let mut lines = BTreeSet::new();
    let mut seen = BTreeSet::from([start]);
    let mut waiting = vec![start];
    while let Some(location) = waiting.pop() {
        for edge in body.edges.iter().filter(|edge| edge.source == location) {
            if is_shown(edge) {
                lines.insert(edge.place.line);
            } else if seen.insert(edge.target) {
                waiting.push(edge.target);
            }
        }
    }
    lines
}
