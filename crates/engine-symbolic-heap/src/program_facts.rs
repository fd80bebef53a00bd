//! Facts about the program that all states share: they are found once and never change.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use heapwright_base::{DenseId, IdVec};
use heapwright_engine::Task;
use heapwright_program::analysis::{Graph, Liveness, written_variable};
use heapwright_program::{
    AddressTarget, Body, Callee, DataModel, Edge, EdgeId, Expression, Function, FunctionId,
    LocationId, ObjectKind, Operation, Program, VariableId, VariableKind, sign_extend,
};
use rustc_hash::FxHashSet;

use crate::landmarks::Landmarks;
use crate::layout_facts::LayoutFacts;

/// What is known of a program before it runs.
#[derive(Debug)]
pub(crate) struct ProgramFacts<'t> {
    pub(crate) task: &'t Task,
    pub(crate) program: &'t Program,
    /// How many edges all functions have.
    pub(crate) edges: u64,
    /// The slot of each variable in its function's registers, or among the globals.
    slots: IdVec<VariableId, u32>,
    slot_counts: IdVec<FunctionId, u32>,
    pub(crate) global_count: usize,
    outgoing: IdVec<FunctionId, Option<IdVec<LocationId, Vec<EdgeId>>>>,
    loop_heads: IdVec<FunctionId, Vec<bool>>,
    joins: IdVec<FunctionId, Vec<bool>>,
    /// Functions whose addresses the program takes.
    addressed: IdVec<FunctionId, bool>,
    /// Functions on cycles of direct calls.
    recursive: IdVec<FunctionId, bool>,
    /// Found when it is first asked for.
    liveness: IdVec<FunctionId, OnceLock<Liveness>>,
    variables: IdVec<FunctionId, Arc<Vec<VariableId>>>,
    /// Numbers that bounds are widened to.
    pub(crate) landmarks: Landmarks,
    pub(crate) layout: LayoutFacts,
    /// Integers that the program names: what it may tell nodes apart by.
    pub(crate) named_constants: FxHashSet<i128>,
    /// Global integers that some function gives a value.
    pub(crate) changing_globals: Vec<VariableId>,
    /// Whether a variable never gets anything but constants.
    pub(crate) flags: IdVec<VariableId, bool>,
}

impl<'t> ProgramFacts<'t> {
    pub(crate) fn of(task: &'t Task) -> ProgramFacts<'t> {
        let program = &task.program;
        let functions = &program.functions;
        let mut slot_counts: IdVec<FunctionId, u32> = IdVec::filled(0, functions.len());
        let mut global_count = 0;
        let mut variables: IdVec<FunctionId, Vec<VariableId>> =
            IdVec::filled(Vec::new(), functions.len());
        let mut slots = IdVec::new();
        for (id, variable) in program.variables.enumerated() {
            let count = match variable.function {
                Some(function) => {
                    variables[function].push(id);
                    &mut slot_counts[function]
                }
                None => &mut global_count,
            };
            slots.push(*count);
            *count += 1;
        }
        ProgramFacts {
            task,
            program,
            edges: functions.iter().filter_map(|f| f.body.as_ref()).map(edge_count).sum(),
            slots,
            slot_counts,
            global_count: global_count as usize,
            outgoing: functions.iter().map(|f| f.body.as_ref().map(Body::outgoing)).collect(),
            loop_heads: functions.iter().map(loop_heads).collect(),
            joins: functions.iter().map(joins).collect(),
            liveness: functions.iter().map(|_| OnceLock::new()).collect(),
            variables: variables.iter().map(|own| Arc::new(own.clone())).collect(),
            landmarks: Landmarks::of(program),
            layout: LayoutFacts::of(program),
            named_constants: named_constants(program),
            addressed: addressed_functions(program),
            recursive: recursive_functions(program),
            changing_globals: changing_globals(program),
            flags: flags(program),
        }
    }

    /// Whether the program takes a function's address: of others there is no pointer, and they need no block.
    pub(crate) fn is_addressed(&self, function: FunctionId) -> bool {
        self.addressed[function]
    }

    /// Whether a function calls itself, directly or through others.
    pub(crate) fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive[function]
    }

    /// Whether any function does.
    pub(crate) fn has_recursion(&self) -> bool {
        self.recursive.iter().any(|&is_recursive| is_recursive)
    }

    pub(crate) fn model(&self) -> DataModel {
        self.program.model
    }

    pub(crate) fn slot(&self, variable: VariableId) -> usize {
        self.slots[variable] as usize
    }

    pub(crate) fn is_global(&self, variable: VariableId) -> bool {
        matches!(self.program.variables[variable].kind, VariableKind::Global { .. })
    }

    pub(crate) fn slot_count(&self, function: FunctionId) -> usize {
        self.slot_counts[function] as usize
    }

    pub(crate) fn outgoing(&self, function: FunctionId, location: LocationId) -> &[EdgeId] {
        match &self.outgoing[function] {
            Some(edges) => &edges[location],
            None => &[],
        }
    }

    pub(crate) fn is_loop_head(&self, function: FunctionId, location: LocationId) -> bool {
        self.loop_heads[function].get(location.index()).copied().unwrap_or(false)
    }

    /// Whether several edges lead to a location.
    pub(crate) fn is_join(&self, function: FunctionId, location: LocationId) -> bool {
        self.joins[function].get(location.index()).copied().unwrap_or(false)
    }

    /// Whether the lowering's own variable may still be read at a location.
    pub(crate) fn is_live(
        &self,
        function: FunctionId,
        location: LocationId,
        variable: VariableId,
    ) -> bool {
        let liveness = self.liveness[function].get_or_init(|| Liveness::of(self.program, function));
        liveness.is_live(location, variable)
    }

    /// The variables of a function, in the order of their slots.
    pub(crate) fn variables_of(&self, function: FunctionId) -> Arc<Vec<VariableId>> {
        Arc::clone(&self.variables[function])
    }

    pub(crate) fn edge(&self, function: FunctionId, edge: EdgeId) -> &'t Edge {
        let body = self.program.functions[function].body.as_ref().expect("a body");
        &body.edges[edge]
    }
}

/// Targets of edges that go back, in a depth-first walk: every cycle has one.
fn loop_heads(function: &Function) -> Vec<bool> {
    let Some(body) = &function.body else { return Vec::new() };
    let outgoing = body.outgoing();
    let mut heads = vec![false; body.location_count];
    // 0 new, 1 on the stack, 2 done.
    let mut colour = vec![0u8; body.location_count];
    let mut stack = vec![(body.entry, 0usize)];
    colour[body.entry.index()] = 1;
    while let Some((location, next)) = stack.pop() {
        let edges = &outgoing[location];
        if let Some(&edge) = edges.get(next) {
            stack.push((location, next + 1));
            let target = body.edges[edge].target;
            match colour[target.index()] {
                0 => {
                    colour[target.index()] = 1;
                    stack.push((target, 0));
                }
                1 => heads[target.index()] = true,
                _ => {}
            }
        } else {
            colour[location.index()] = 2;
        }
    }
    heads
}

/// Targets of several edges.
fn joins(function: &Function) -> Vec<bool> {
    let Some(body) = &function.body else { return Vec::new() };
    let mut counts = vec![0u32; body.location_count];
    for edge in body.edges.iter() {
        counts[edge.target.index()] += 1;
    }
    counts.into_iter().map(|count| count > 1).collect()
}

/// Integers that the program names: what it may tell nodes apart by.
fn named_constants(program: &Program) -> FxHashSet<i128> {
    let mut named: FxHashSet<i128> = FxHashSet::default();
    named.insert(0);
    let expressions = &program.expressions;
    for id in expressions.ids() {
        if let Expression::Constant { ty, bits } = expressions.get(id)
            && ty.is_integer()
        {
            named.insert(sign_extend(bits, ty.value_bits(program.model)));
        }
    }
    named
}

fn edge_count(body: &Body) -> u64 {
    body.edges.len() as u64
}

/// The functions whose addresses are in expressions or in static objects.
fn addressed_functions(program: &Program) -> IdVec<FunctionId, bool> {
    let mut addressed = IdVec::filled(false, program.functions.len());
    for id in program.expressions.ids() {
        if let Expression::FunctionAddress(function) = program.expressions.get(id) {
            addressed[function] = true;
        }
    }
    for object in &program.objects {
        let ObjectKind::Static { addresses, .. } = &object.kind else { continue };
        for address in addresses {
            if let AddressTarget::Function(function) = address.target {
                addressed[function] = true;
            }
        }
    }
    addressed
}

/// The functions on cycles of direct calls.
fn recursive_functions(program: &Program) -> IdVec<FunctionId, bool> {
    let mut calls = Vec::new();
    for (caller, function) in program.functions.enumerated() {
        for edge in function.body.iter().flat_map(|body| &body.edges) {
            if let Operation::Call { callee: Callee::Direct(callee), .. } = &edge.operation {
                calls.push((caller.index(), callee.index()));
            }
        }
    }
    let graph = Graph::new(program.functions.len(), calls);
    let mut recursive = IdVec::filled(false, program.functions.len());
    for component in graph.strong_components() {
        let is_cycle = component.len() > 1 || graph.has_edge(component[0], component[0]);
        for member in component {
            recursive[FunctionId::from_index(member)] = is_cycle;
        }
    }
    recursive
}

/// Global integers that some function gives a value, in their order.
fn changing_globals(program: &Program) -> Vec<VariableId> {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    let edges = bodies.flat_map(|body| body.edges.iter());
    let written = edges.filter_map(|edge| written_variable(&edge.operation));
    let is_global_integer = |id: &VariableId| {
        let variable = &program.variables[*id];
        matches!(variable.kind, VariableKind::Global { .. }) && variable.scalar.is_integer()
    };
    let changing: BTreeSet<VariableId> = written.filter(is_global_integer).collect();
    changing.into_iter().collect()
}

/// The variables of functions that are assigned to, and only constants.
fn flags(program: &Program) -> IdVec<VariableId, bool> {
    let mut flags = IdVec::filled(false, program.variables.len());
    let mut others: FxHashSet<VariableId> = FxHashSet::default();
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        for edge in body.edges.iter() {
            match edge.operation {
                Operation::Assign { target, value } => match program.expressions.get(value) {
                    Expression::Constant { ty, .. } if ty.is_integer() => flags[target] = true,
                    _ => _ = others.insert(target),
                },
                Operation::Input { target, .. }
                | Operation::Load { target, .. }
                | Operation::Allocate { target, .. }
                | Operation::BlockSize { target, .. }
                | Operation::Call { target: Some(target), .. } => _ = others.insert(target),
                Operation::Skip
                | Operation::Assume { .. }
                | Operation::Store { .. }
                | Operation::Copy { .. }
                | Operation::Disjoint { .. }
                | Operation::Fill { .. }
                | Operation::Free { .. }
                | Operation::Enter { .. }
                | Operation::Leave { .. }
                | Operation::Call { target: None, .. }
                | Operation::Return { .. }
                | Operation::Halt(_)
                | Operation::Fail(_)
                | Operation::Unsupported { .. } => {}
            }
        }
    }
    for (id, variable) in program.variables.enumerated() {
        // Callers give parameters their values.
        let is_local = matches!(variable.kind, VariableKind::Local | VariableKind::Temporary);
        flags[id] &= is_local && !others.contains(&id);
    }
    flags
}
