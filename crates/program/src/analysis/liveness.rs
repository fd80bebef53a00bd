//! Liveness: which variables of a function may still be read from a location on.
//!
//! Only the function's own variables are tracked, densely; globals count as live everywhere, and so
//! does a variable that the function never mentions.

use heapwright_base::{DenseId, IdVec};
use rustc_hash::FxHashMap;

use crate::analysis::bit_set::BitSet;
use crate::analysis::graph::Graph;
use crate::expression::Expression;
use crate::obligation::expressions_of;
use crate::operation::Operation;
use crate::program::{Edge, FunctionId, LocationId, Program, VariableId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Liveness {
    variables: Vec<VariableId>,
    index: FxHashMap<VariableId, usize>,
    live: IdVec<LocationId, BitSet>,
}

impl Liveness {
    /// The liveness in a function; a function without a body has no locations.
    #[must_use]
    pub fn of(program: &Program, function: FunctionId) -> Liveness {
        let variables = own_variables(program, function);
        let index = variables.iter().enumerate().map(|(index, id)| (*id, index)).collect();
        let mut liveness = Liveness { variables, index, live: IdVec::new() };
        if let Some(body) = &program.functions[function].body {
            let size = liveness.variables.len();
            liveness.live = IdVec::filled(BitSet::new(size), body.location_count);
            liveness.propagate(program, body);
        }
        liveness
    }

    fn propagate(&mut self, program: &Program, body: &crate::program::Body) {
        let effects: Vec<Effect> =
            body.edges.iter().map(|edge| self.effect(program, edge)).collect();
        let incoming = body.incoming();
        // Successors come off the stack before predecessors, which leaves little to repeat. Only
        // what the entry leads to matters; the exit may be unreachable, and nothing is live there.
        let mut pending = Graph::of_body(body).reverse_postorder(body.entry.index());
        let mut is_pending = BitSet::new(body.location_count);
        for &location in &pending {
            is_pending.insert(location);
        }
        // Ends because the sets only grow.
        while let Some(location) = pending.pop() {
            is_pending.remove(location);
            for &id in &incoming[LocationId::from_index(location)] {
                let edge = &body.edges[id];
                let mut before = self.live[edge.target].clone();
                let effect = &effects[id.index()];
                if let Some(written) = effect.written {
                    before.remove(written);
                }
                for &read in &effect.read {
                    before.insert(read);
                }
                let has_grown = self.live[edge.source].union(&before);
                if has_grown && is_pending.insert(edge.source.index()) {
                    pending.push(edge.source.index());
                }
            }
        }
    }

    fn effect(&self, program: &Program, edge: &Edge) -> Effect {
        let mut read = Vec::new();
        for_each_read(program, &edge.operation, &mut |variable| {
            read.extend(self.index.get(&variable));
        });
        let written = written_variable(&edge.operation);
        let written = written.and_then(|variable| self.index.get(&variable).copied());
        Effect { read, written }
    }

    /// Whether the variable's value at `location` may be read later.
    #[must_use]
    pub fn is_live(&self, location: LocationId, variable: VariableId) -> bool {
        self.index.get(&variable).is_none_or(|&index| self.live[location].contains(index))
    }

    /// The function's variables that are live at `location`, ascending.
    pub fn live_at(&self, location: LocationId) -> impl Iterator<Item = VariableId> + '_ {
        self.live[location].iter().map(|index| self.variables[index])
    }
}

/// The parameters and what the body mentions, ascending; cheaper than a look at all variables.
fn own_variables(program: &Program, function: FunctionId) -> Vec<VariableId> {
    let mut variables = program.functions[function].parameters.clone();
    for edge in program.functions[function].body.iter().flat_map(|body| &body.edges) {
        for_each_read(program, &edge.operation, &mut |variable| variables.push(variable));
        variables.extend(written_variable(&edge.operation));
    }
    variables.retain(|variable| program.variables[*variable].function == Some(function));
    variables.sort_unstable();
    variables.dedup();
    variables
}

struct Effect {
    read: Vec<usize>,
    written: Option<usize>,
}

/// The variable that an operation writes.
#[must_use]
pub fn written_variable(operation: &Operation) -> Option<VariableId> {
    match operation {
        Operation::Assign { target, .. }
        | Operation::Input { target, .. }
        | Operation::Load { target, .. }
        | Operation::Allocate { target, .. }
        | Operation::BlockSize { target, .. } => Some(*target),
        Operation::Call { target, .. } => *target,
        Operation::Skip
        | Operation::Assume { .. }
        | Operation::Store { .. }
        | Operation::Copy { .. }
        | Operation::Fill { .. }
        | Operation::Disjoint { .. }
        | Operation::Free { .. }
        | Operation::Enter { .. }
        | Operation::Leave { .. }
        | Operation::Return { .. }
        | Operation::Halt(_)
        | Operation::Fail(_)
        | Operation::Unsupported { .. } => None,
    }
}

/// Calls `visit` for every variable that an operation reads, also through the base of an access.
pub fn for_each_read(program: &Program, operation: &Operation, visit: &mut impl FnMut(VariableId)) {
    let base = match operation {
        // Name-based engines start from the base, which the address need not mention.
        Operation::Load { access, .. } | Operation::Store { access, .. } => Some(access.base),
        _ => None,
    };
    for expression in expressions_of(operation).into_iter().chain(base) {
        program.expressions.visit(expression, &mut |_, node| {
            if let Expression::Variable(variable) = node {
                visit(variable);
            }
        });
    }
}
