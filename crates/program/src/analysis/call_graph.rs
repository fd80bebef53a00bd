//! The call graph: who may call whom, who is recursive, in which order to summarise.
//!
//! A call through a pointer may reach every function whose address is taken and whose signature
//! fits: as many arguments as parameters (more for a variadic one), each passed in the same way, and
//! a result if one is wanted. Only size and float or not count, because C programs call through
//! pointers of other types, signed for unsigned or pointer for integer, and get away with it.

use heapwright_base::{DenseId, IdVec};

use crate::analysis::bit_set::BitSet;
use crate::analysis::graph::Graph;
use crate::analysis::references::References;
use crate::expression::ExpressionId;
use crate::operation::{Callee, Operation};
use crate::program::{FunctionId, Program, VariableId};
use crate::types::{DataModel, ScalarType, Type};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallGraph {
    callees: IdVec<FunctionId, Vec<FunctionId>>,
    callers: IdVec<FunctionId, Vec<FunctionId>>,
    components: Vec<Vec<FunctionId>>,
    recursive: BitSet,
}

impl CallGraph {
    #[must_use]
    pub fn of(program: &Program) -> CallGraph {
        let references = References::of(program);
        let count = program.functions.len();
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for (caller, function) in program.functions.enumerated() {
            for edge in function.body.iter().flat_map(|body| &body.edges) {
                for callee in possible_callees(program, &references, &edge.operation) {
                    edges.push((caller.index(), callee.index()));
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let graph = Graph::new(count, edges);
        let components = graph.strong_components();
        let mut recursive = BitSet::new(count);
        for component in &components {
            for &member in component {
                if component.len() > 1 || graph.has_edge(member, member) {
                    recursive.insert(member);
                }
            }
        }
        let ids = |nodes: Vec<usize>| nodes.into_iter().map(FunctionId::from_index).collect();
        CallGraph {
            callees: graph.successors.into_iter().map(ids).collect(),
            callers: graph.predecessors.into_iter().map(ids).collect(),
            components: components.into_iter().map(ids).collect(),
            recursive,
        }
    }

    /// The functions that `function` may call, ascending.
    #[must_use]
    pub fn callees(&self, function: FunctionId) -> &[FunctionId] {
        &self.callees[function]
    }

    #[must_use]
    pub fn callers(&self, function: FunctionId) -> &[FunctionId] {
        &self.callers[function]
    }

    /// Groups of functions that call each other, callees before callers.
    #[must_use]
    pub fn bottom_up(&self) -> &[Vec<FunctionId>] {
        &self.components
    }

    /// Whether a call of the function may lead to another call of it.
    #[must_use]
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive.contains(function.index())
    }

    /// The functions that a call of `root` may reach, ascending, with `root`.
    #[must_use]
    pub fn reachable_from(&self, root: FunctionId) -> Vec<FunctionId> {
        let mut seen = BitSet::new(self.callees.len());
        let mut pending = vec![root];
        while let Some(function) = pending.pop() {
            if seen.insert(function.index()) {
                pending.extend(&self.callees[function]);
            }
        }
        seen.iter().map(FunctionId::from_index).collect()
    }
}

/// The functions that an operation may call, ascending.
#[must_use]
pub fn possible_callees(
    program: &Program,
    references: &References,
    operation: &Operation,
) -> Vec<FunctionId> {
    let Operation::Call { target, callee, arguments } = operation else { return Vec::new() };
    match callee {
        Callee::Direct(function) => vec![*function],
        Callee::Indirect(pointer) => {
            if let crate::Expression::FunctionAddress(function) = program.expressions.get(*pointer)
            {
                return vec![function];
            }
            let taken = program.functions.ids().filter(|id| references.is_address_taken(*id));
            taken.filter(|id| fits(program, *id, *target, arguments)).collect()
        }
    }
}

fn fits(
    program: &Program,
    function: FunctionId,
    target: Option<VariableId>,
    arguments: &[ExpressionId],
) -> bool {
    let function = &program.functions[function];
    let Type::Function { parameters: declared, variadic, .. } = program.types.get(function.ty)
    else {
        return false;
    };
    // A function without a body may have no parameter variables; then only its type can tell.
    let parameters: Vec<_> = if function.body.is_none() && function.parameters.is_empty() {
        declared.iter().map(|ty| program.types.scalar(*ty)).collect()
    } else {
        function.parameters.iter().map(|id| Some(program.variables[*id].scalar)).collect()
    };
    let is_open = *variadic || declared.is_empty();
    let has_count =
        arguments.len() == parameters.len() || (is_open && arguments.len() > parameters.len());
    let has_types = arguments.iter().zip(&parameters).all(|(argument, parameter)| {
        let argument = program.expressions.type_of(*argument);
        parameter.is_none_or(|parameter| is_passed_alike(program.model, argument, parameter))
    });
    let has_result = target.is_none_or(|target| {
        let wanted = program.variables[target].scalar;
        function.result.is_some_and(|result| is_passed_alike(program.model, wanted, result))
    });
    has_count && has_types && has_result
}

fn is_passed_alike(model: DataModel, first: ScalarType, second: ScalarType) -> bool {
    first.size(model) == second.size(model) && first.is_float() == second.is_float()
}
