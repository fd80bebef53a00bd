//! Whether a variable is still used: asked about the lowering's temporaries when looking for leaks.
//!
//! A question is a search from a location for a read that no write precedes. Few are asked, so
//! nothing is computed ahead.

use heapwright_base::{DenseId, IdVec};
use heapwright_program::analysis::written_variable;
use heapwright_program::{
    Body, EdgeId, Expression, FunctionId, LocationId, Operation, Program, VariableId,
    expressions_of,
};
use rustc_hash::FxHashMap;

pub(crate) struct Liveness<'p> {
    program: &'p Program,
    outgoing: FxHashMap<FunctionId, IdVec<LocationId, Vec<EdgeId>>>,
    answers: FxHashMap<(LocationId, VariableId), bool>,
}

impl<'p> Liveness<'p> {
    pub(crate) fn new(program: &'p Program) -> Liveness<'p> {
        Liveness { program, outgoing: FxHashMap::default(), answers: FxHashMap::default() }
    }

    /// Whether an execution from `location` may read the variable before writing it.
    pub(crate) fn is_live(
        &mut self,
        function: FunctionId,
        location: LocationId,
        variable: VariableId,
    ) -> bool {
        // A variable belongs to one function, so the location needs no function here.
        if let Some(&answer) = self.answers.get(&(location, variable)) {
            return answer;
        }
        let answer = self.search(function, location, variable);
        self.answers.insert((location, variable), answer);
        answer
    }

    /// Whether the variable is used after the operation of `edge`, which may write it.
    pub(crate) fn is_live_after(
        &mut self,
        function: FunctionId,
        edge: EdgeId,
        variable: VariableId,
    ) -> bool {
        let edge = &body(self.program, function).edges[edge];
        written_variable(&edge.operation) != Some(variable)
            && self.is_live(function, edge.target, variable)
    }

    fn search(&mut self, function: FunctionId, from: LocationId, variable: VariableId) -> bool {
        let body = body(self.program, function);
        let outgoing = self.outgoing.entry(function).or_insert_with(|| body.outgoing());
        let mut seen = vec![false; body.location_count];
        let mut waiting = vec![from];
        // Ends because each location is expanded once.
        while let Some(location) = waiting.pop() {
            if std::mem::replace(&mut seen[location.index()], true) {
                continue;
            }
            for &edge in &outgoing[location] {
                let edge = &body.edges[edge];
                if reads(self.program, &edge.operation, variable) {
                    return true;
                }
                if written_variable(&edge.operation) != Some(variable) {
                    waiting.push(edge.target);
                }
            }
        }
        false
    }
}

fn body(program: &Program, function: FunctionId) -> &Body {
    program.functions[function].body.as_ref().expect("a frame's function has a body")
}

fn reads(program: &Program, operation: &Operation, variable: VariableId) -> bool {
    let mut found = false;
    for expression in expressions_of(operation) {
        program.expressions.visit(expression, &mut |_, node| {
            found |= node == Expression::Variable(variable);
        });
    }
    found
}
