//! The program as one automaton: what it consists of, and where each part comes from.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::IdVec;
use heapwright_program::{
    Body, Callee, EdgeId, FunctionId, LocationId, ObjectId, Operation, Program, VariableId,
};
use rustc_hash::FxHashMap;

use crate::analysis::region::Region;

/// What becomes of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// All are inlined. A function that is on the chain of calls so often already is not called
    /// again: the run is cut there.
    Inlined { depth: u32 },
    /// Recursive functions are summarised, all others inlined.
    RecursionSummarised,
    /// All functions are summarised.
    Summarised,
}

/// One automaton for the whole program.
#[derive(Debug)]
pub struct Inlined {
    /// The program with `main`'s body replaced by the automaton; the other bodies are gone. Regions
    /// have no edges between them, but for those from the automaton's entry to theirs.
    pub program: Program,
    pub main: FunctionId,
    /// Where `main` starts.
    pub entry: LocationId,
    /// Where each location comes from: the function, its location there, the chain of calls.
    pub origins: IdVec<LocationId, Origin>,
    /// The functions that are summarised.
    pub regions: BTreeMap<FunctionId, Region>,
    /// Calls that are too deep in a recursion: runs end there.
    pub cuts: BTreeSet<EdgeId>,
    /// The edge of the program that each edge is a copy, or a part, of.
    pub edge_origins: IdVec<EdgeId, Option<(FunctionId, EdgeId)>>,
    pub sources: Sources,
}

/// The calls that lead to a copy, outermost first: callers and their edges.
pub type Stack = Vec<(FunctionId, EdgeId)>;

/// What copies were made from, with the calls that lead there; what is not here is `main`'s own.
#[derive(Debug, Default)]
pub struct Sources {
    pub variables: FxHashMap<VariableId, (usize, VariableId)>,
    pub objects: FxHashMap<ObjectId, (Stack, ObjectId)>,
    /// Of edges that allocate.
    pub sites: FxHashMap<EdgeId, (Stack, FunctionId, EdgeId)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub function: FunctionId,
    pub location: LocationId,
    /// `main.f`
    pub chain: String,
    /// `main`, or the summarised function whose copy this is part of.
    pub region: FunctionId,
    pub calls: Stack,
}

impl Inlined {
    #[must_use]
    pub fn body(&self) -> &Body {
        self.program.functions[self.main].body.as_ref().expect("main was given a body")
    }

    /// The region that an edge belongs to.
    #[must_use]
    pub fn region_of(&self, edge: EdgeId) -> FunctionId {
        self.origins[self.body().edges[edge].source].region
    }

    /// The summarised function that an operation calls.
    #[must_use]
    pub fn summarised(&self, operation: &Operation) -> Option<(FunctionId, &Region)> {
        let Operation::Call { callee: Callee::Direct(function), .. } = operation else {
            return None;
        };
        self.regions.get(function).map(|region| (*function, region))
    }
}
