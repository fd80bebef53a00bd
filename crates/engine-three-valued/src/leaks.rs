//! Lost blocks: which blocks are certainly reached from a pointer of the program.

use heapwright_base::DenseId;
use heapwright_program::{ObjectKind, VariableKind};
use heapwright_property::Part;
use heapwright_three_valued::class::Instance;
use heapwright_three_valued::{BinaryId, Formula, Variable, nodes_of};

use crate::alarm::AlarmKind;
use crate::model::Model;
use crate::state::{Pointer, Slot, State};

/// What must be true of the heap when the program ends.
pub(crate) fn at_end(model: &Model<'_>, state: &State) -> Result<(), AlarmKind> {
    let specification = &model.atlas.task.specification;
    if specification.asks(Part::ValidMemcleanup) && blocks(model, state) != 0 {
        return Err(AlarmKind::Violation(Part::ValidMemcleanup));
    }
    at_cut(model, state)
}

/// A block that is lost stays lost, so it is enough to look at cut points and at the end.
pub(crate) fn at_cut(model: &Model<'_>, state: &State) -> Result<(), AlarmKind> {
    let specification = &model.atlas.task.specification;
    if !specification.asks(Part::ValidMemtrack) {
        return Ok(());
    }
    match blocks(model, state) & !reached(model, state) {
        0 => Ok(()),
        _ => Err(AlarmKind::Violation(Part::ValidMemtrack)),
    }
}

/// The blocks of the program.
fn blocks(model: &Model<'_>, state: &State) -> u64 {
    state.heap.blocks() & !model.number_nodes(&state.heap)
}

/// The blocks to which pointers certainly lead, over links.
fn reached(model: &Model<'_>, state: &State) -> u64 {
    let heap = &state.heap;
    let mut reached = 0u64;
    for (slot, pointer) in state.pointers.iter() {
        let Pointer::Block { node, offset } = *pointer else { continue };
        let size = model.size_of(heap, node);
        let is_reference = u64::try_from(offset).is_ok_and(|offset| offset <= size);
        if is_reference && holds_references(model, *slot) {
            reached |= 1 << node;
        }
    }
    // Ends because the set grows.
    loop {
        let mut more = reached;
        for from in nodes_of(reached) {
            for (_, link) in model.links() {
                let target = heap.binary(link, from).must();
                // A certain target of all blocks of the node, if that is one block itself.
                more |= target & heap.blocks() & !heap.summaries();
            }
            for &path in &model.paths {
                more |= heap.binary(path, from).must() & heap.blocks();
            }
        }
        if more == reached {
            return reached;
        }
        reached = more;
    }
}

/// Literals hold none, nor do temporaries: one that is dead keeps its value, and nothing.
fn holds_references(model: &Model<'_>, slot: Slot) -> bool {
    match slot {
        Slot::Variable(id) => model.program().variables[id].kind != VariableKind::Temporary,
        Slot::Cell(object, _) => {
            !matches!(model.program().objects[object].kind, ObjectKind::String { .. })
        }
    }
}

/// The predicates that hold only where links lead from the first node to the second.
pub(crate) fn path_predicates(instance: &Instance) -> Vec<BinaryId> {
    let mut paths: Vec<BinaryId> = instance.links.clone();
    for (id, predicate) in instance.vocabulary.binary().enumerated() {
        if let Some(definition) = &predicate.definition
            && is_path(definition, (0, 1), &paths)
        {
            paths.push(id);
        }
    }
    paths.retain(|id| id.index() >= instance.links.len());
    paths
}

/// Those of these predicates that speak of any number of links. Unless it is told apart what lies behind a link
/// before it is cut, nobody knows which blocks of a summary have to be reached in another way.
pub(crate) fn closures(instance: &Instance, paths: &[BinaryId]) -> Vec<BinaryId> {
    let binary = instance.vocabulary.binary();
    let is_closure =
        |id: &BinaryId| binary[*id].definition.as_ref().is_some_and(Formula::has_closure);
    paths.iter().copied().filter(is_closure).collect()
}

/// Whether the formula holds only where links lead from one variable to the other.
fn is_path(formula: &Formula, ends: (Variable, Variable), paths: &[BinaryId]) -> bool {
    match formula {
        Formula::Binary(predicate, from, to) => (*from, *to) == ends && paths.contains(predicate),
        Formula::Equal(one, other) => (*one, *other) == ends || (*other, *one) == ends,
        Formula::And(parts) => parts.iter().any(|part| is_path(part, ends, paths)),
        Formula::Or(parts) => parts.iter().all(|part| is_path(part, ends, paths)),
        Formula::Closure { left, right, step, from, to } => {
            (*from, *to) == ends && is_path(step, (*left, *right), paths)
        }
        Formula::Constant(value) => *value == heapwright_three_valued::Kleene::False,
        Formula::Nullary(_)
        | Formula::Unary(..)
        | Formula::Null(_)
        | Formula::Wild(_)
        | Formula::Not(_)
        | Formula::Exists(..)
        | Formula::ForAll(..) => false,
    }
}
