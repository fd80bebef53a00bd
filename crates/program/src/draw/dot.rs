//! Drawings as Graphviz text.

use std::fmt::Write;

use crate::analysis::{CallGraph, Loops};
use crate::operation::Operation;
use crate::program::{FunctionId, Program};
use crate::text::display_operation;

const HEAD: &str = "    bgcolor=\"transparent\";\n    \
    node [shape=box, style=\"rounded,filled\", fontname=\"monospace\", fontsize=10, \
    color=\"#8a8f98\", fillcolor=\"#f4f5f7\", height=0.25];\n    \
    edge [fontname=\"monospace\", fontsize=10, color=\"#8a8f98\", fontcolor=\"#3a6ea5\"];\n";

/// The automaton of one function: a box a location, an arrow an operation; heads of loops stand out.
#[must_use]
pub fn function_dot(program: &Program, function: FunctionId) -> String {
    let item = &program.functions[function];
    let mut text = format!("digraph {} {{\n{HEAD}", quoted(&item.name));
    if let Some(body) = &item.body {
        let loops = Loops::of(body);
        for index in 0..body.location_count {
            let location = heapwright_base::DenseId::from_index(index);
            let look = if loops.is_head(location) {
                ", fillcolor=\"#fdf0d5\", color=\"#c98a1b\", penwidth=1.6"
            } else if location == body.entry || location == body.exit {
                ", fillcolor=\"#e3edf7\", color=\"#3a6ea5\""
            } else {
                ""
            };
            let _ = writeln!(text, "    {location} [label=\"{location}\"{look}];");
        }
        for edge in &body.edges {
            let label = quoted(&display_operation(program, &edge.operation));
            let look = match &edge.operation {
                Operation::Assume { .. } => ", style=dashed",
                Operation::Fail(_) | Operation::Unsupported { .. } => ", fontcolor=\"#b3382c\"",
                _ => "",
            };
            let _ = writeln!(text, "    {} -> {} [label={label}{look}];", edge.source, edge.target);
        }
    }
    text.push_str("}\n");
    text
}

/// Who may call whom, from `main` on, or everyone if there is no `main`; recursion stands out.
#[must_use]
pub fn call_graph_dot(program: &Program) -> String {
    let calls = CallGraph::of(program);
    let mut text = format!("digraph \"calls\" {{\n{HEAD}");
    let functions = super::shown_functions(program, &calls);
    for &id in &functions {
        let look = match (&program.functions[id].body, calls.is_recursive(id)) {
            (None, _) => ", style=\"rounded,dashed\"",
            (Some(_), true) => ", fillcolor=\"#fdf0d5\", color=\"#c98a1b\"",
            (Some(_), false) => "",
        };
        let name = quoted(&program.functions[id].name);
        let _ = writeln!(text, "    {id} [label={name}{look}];");
    }
    for &id in &functions {
        for callee in calls.callees(id) {
            let _ = writeln!(text, "    {id} -> {callee};");
        }
    }
    text.push_str("}\n");
    text
}

fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{text}\"")
}
