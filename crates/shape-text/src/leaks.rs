//! Lost blocks: every block must certainly be reached from a pointer of the program.

use heapwright_property::Part;

use crate::formula::{Formula, Variable};
use crate::heap::{Heap, Node};
use crate::meaning::Meaning;
use crate::read_formula::Symbol;
use crate::state::{Pointer, State};
use crate::step::{Objection, Stepper};
use crate::truth::Truth;

/// When the program ends.
pub(crate) fn at_end(stepper: &Stepper<'_>, state: &State) -> Result<(), Objection> {
    let specification = stepper.question.specification;
    let is_left = |node: Node| !stepper.claims.is_number(&state.heap, node);
    if specification.asks(Part::ValidMemcleanup) && state.heap.blocks().any(is_left) {
        return Err(Objection::Violation(Part::ValidMemcleanup));
    }
    at_claim(stepper, state)
}

/// When a state arrives at a claim: what is lost before that is lost still.
pub(crate) fn at_claim(stepper: &Stepper<'_>, state: &State) -> Result<(), Objection> {
    if !stepper.question.specification.asks(Part::ValidMemtrack) {
        return Ok(());
    }
    let heap = &state.heap;
    let mut is_reached = vec![false; heap.len()];
    for (slot, pointer) in &state.pointers {
        let Pointer::Block { node, offset } = *pointer else { continue };
        let size = stepper.claims.size_of(heap, node).ok_or(Objection::NotSpokenOf)?;
        let is_inside = u64::try_from(offset).is_ok_and(|offset| offset <= size);
        is_reached[node] |= is_inside && stepper.keeps(*slot);
    }
    let paths = paths(&stepper.claims.meaning);
    let mut work: Vec<Node> = (0..heap.len()).filter(|&node| is_reached[node]).collect();
    while let Some(from) = work.pop() {
        for to in heap.blocks() {
            if !is_reached[to] && leads(heap, &stepper.claims.meaning, &paths, from, to) {
                is_reached[to] = true;
                work.push(to);
            }
        }
    }
    match heap.blocks().all(|node| is_reached[node] || stepper.claims.is_number(heap, node)) {
        true => Ok(()),
        false => Err(Objection::Violation(Part::ValidMemtrack)),
    }
}

/// Whether every block of one node certainly leads to every block of the other.
fn leads(heap: &Heap, meaning: &Meaning, paths: &[usize], from: Node, to: Node) -> bool {
    let is_linked = (0..meaning.links).any(|link| heap.binary[link][from][to] == Truth::Yes);
    let is_on_path = paths.iter().any(|&path| heap.binary[path][from][to] == Truth::Yes);
    is_linked && !heap.is_many[to] || is_on_path
}

/// The defined predicates that hold only where links lead from the first node to the second.
pub(crate) fn paths(meaning: &Meaning) -> Vec<usize> {
    let mut paths: Vec<usize> = (0..meaning.links).collect();
    for defined in &meaning.defined {
        if let Symbol::Binary(predicate) = defined.symbol
            && is_path(&defined.definition, (0, 1), &paths)
        {
            paths.push(predicate);
        }
    }
    paths.retain(|&path| path >= meaning.links);
    paths
}

fn is_path(formula: &Formula, ends: (Variable, Variable), paths: &[usize]) -> bool {
    match formula {
        Formula::Constant(value) => *value == Truth::No,
        Formula::Binary(predicate, from, to) => (*from, *to) == ends && paths.contains(predicate),
        Formula::Equal(left, right) => (*left, *right) == ends || (*right, *left) == ends,
        Formula::All(parts) => parts.iter().any(|part| is_path(part, ends, paths)),
        Formula::Any(parts) => parts.iter().all(|part| is_path(part, ends, paths)),
        Formula::Path { left, right, step, from, to, .. } => {
            (*from, *to) == ends && is_path(step, (*left, *right), paths)
        }
        Formula::Unary(..)
        | Formula::IsNull(_)
        | Formula::IsWild(_)
        | Formula::IsBlock(_)
        | Formula::Not(_)
        | Formula::Exists(..)
        | Formula::ForAll(..) => false,
    }
}
