//! Which calls are cut off: those of functions that call themselves, directly or through others.
//!
//! Calls through pointers are not guessed at. If one leads to a function whose call is still active,
//! it is a recursion, and is cut off as soon as it is seen.

use std::collections::BTreeSet;

use heapwright_base::{DenseId, IdVec};
use heapwright_program::analysis::Graph;
use heapwright_program::{Callee, FunctionId, Operation, Program};

use crate::context::Context;
use crate::heap::state::State;

/// How calls of recursive functions were treated in a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CutCalls {
    /// As all others: the recursion ended.
    None,
    /// They were cut off, shallowly those of these functions.
    Recursive { shallow: BTreeSet<FunctionId> },
}

impl Context<'_> {
    /// How calls are treated now.
    pub(crate) fn cut_calls(&self) -> CutCalls {
        match self.recursive {
            Some(_) => CutCalls::Recursive { shallow: self.shallow.clone() },
            None => CutCalls::None,
        }
    }

    /// Treats calls as another proof did.
    pub(crate) fn cut_like(&mut self, calls: &CutCalls) {
        match calls {
            CutCalls::None => self.follow_recursion(),
            CutCalls::Recursive { shallow } => {
                self.cut_recursion();
                self.shallow.clone_from(shallow);
            }
        }
    }

    /// From now on, calls of recursive functions are cut off.
    pub(crate) fn cut_recursion(&mut self) {
        if self.recursive.is_none() {
            self.recursive = Some(recursive_functions(self.names.program()));
        }
    }

    /// Calls are followed again, as without summaries.
    pub(crate) fn follow_recursion(&mut self) {
        self.recursive = None;
    }

    /// Whether calls of some functions are cut off wherever they are made.
    pub(crate) fn has_recursion(&self) -> bool {
        self.recursive.iter().flat_map(IdVec::iter).any(|&is_recursive| is_recursive)
    }

    pub(crate) fn is_cut_off(&self, state: &State, callee: FunctionId) -> bool {
        self.recursive.as_ref().is_some_and(|recursive| {
            recursive[callee] || state.frames.iter().any(|frame| frame.function == callee)
        })
    }
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
