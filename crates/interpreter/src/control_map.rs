//! From places of the program back to instructions: where a location begins, where an edge calls,
//! and which two edges are the ends of one branch.

use std::ops::Range;

use heapwright_base::IdVec;
use heapwright_program::{EdgeId, FunctionId, LocationId, Operation, Program};
use rustc_hash::FxHashMap;

use crate::compile::UNPLACED;
use crate::executable::EdgeOrigin;
use crate::instruction::Instruction;

/// The way back, for programs that are compiled with every location.
#[derive(Debug)]
pub(crate) struct ControlMap {
    places: IdVec<FunctionId, IdVec<LocationId, u32>>,
    /// The instruction that calls, for each call edge.
    calls: FxHashMap<(FunctionId, EdgeId), u32>,
    /// The other edge of a branch.
    opposites: FxHashMap<(FunctionId, EdgeId), EdgeId>,
}

impl ControlMap {
    pub(crate) fn new(program: &Program) -> ControlMap {
        let mut opposites = FxHashMap::default();
        for (id, function) in program.functions.enumerated() {
            let Some(body) = &function.body else { continue };
            for edges in &body.outgoing() {
                if let &[first, second] = edges.as_slice() {
                    opposites.insert((id, first), second);
                    opposites.insert((id, second), first);
                }
            }
        }
        let places = IdVec::filled(IdVec::new(), program.functions.len());
        ControlMap { places, calls: FxHashMap::default(), opposites }
    }

    /// Adds a function, whose instructions are those of the range.
    pub(crate) fn add(
        &mut self,
        function: FunctionId,
        places: IdVec<LocationId, u32>,
        code: &[Instruction],
        origins: &[EdgeOrigin],
        range: Range<usize>,
    ) {
        self.places[function] = places;
        for pc in range {
            let calls =
                matches!(code[pc], Instruction::Call { .. } | Instruction::CallIndirect { .. });
            if calls {
                self.calls.insert((function, origins[pc].edge), pc as u32);
            }
        }
    }

    /// The first instruction of a location; `None` for one that nothing leads to.
    pub(crate) fn place(&self, function: FunctionId, location: LocationId) -> Option<usize> {
        let place = *self.places.get(function)?.get(location)?;
        (place != UNPLACED).then_some(place as usize)
    }

    /// The instruction of an edge that calls.
    pub(crate) fn call(&self, function: FunctionId, edge: EdgeId) -> Option<usize> {
        self.calls.get(&(function, edge)).map(|&pc| pc as usize)
    }

    /// The end of a branch at which its condition has this value, `edge` being either end.
    pub(crate) fn end_of_branch(
        &self,
        program: &Program,
        function: FunctionId,
        edge: EdgeId,
        truth: bool,
    ) -> EdgeId {
        let body = program.functions[function].body.as_ref().expect("it has edges");
        match body.edges[edge].operation {
            Operation::Assume { holds, .. } if holds != truth => {
                self.opposites.get(&(function, edge)).copied().unwrap_or(edge)
            }
            _ => edge,
        }
    }
}
