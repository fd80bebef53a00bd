//! The layout of a function: its locations in an order in which most edges lead to the next
//! instruction. Branch targets are locations until the end, then instructions.

use heapwright_base::{DenseId, IdVec};
use heapwright_program::{Body, EdgeId, FunctionId, LocationId, Operation};
use rustc_hash::FxHashMap;

use crate::compile::Compiler;
use crate::executable::EdgeOrigin;
use crate::instruction::{Instruction, Register};

pub(crate) const UNPLACED: u32 = u32::MAX;

pub(super) struct FunctionCompiler<'c, 'p> {
    pub(super) compiler: &'c mut Compiler<'p>,
    pub(super) function: FunctionId,
    first_temporary: Register,
    next_temporary: Register,
    most_registers: Register,
    /// Intermediate results of the current edge.
    pub(super) known: FxHashMap<heapwright_program::ExpressionId, Register>,
    edge: EdgeId,
    is_edge_start: bool,
    /// The first instruction of each location.
    places: IdVec<LocationId, u32>,
}

/// What a chain of edges does after one of them.
enum Next {
    Location(LocationId),
    /// The edge does not lead on.
    Nowhere,
}

impl<'c, 'p> FunctionCompiler<'c, 'p> {
    pub(super) fn new(
        compiler: &'c mut Compiler<'p>,
        function: FunctionId,
        first_temporary: Register,
    ) -> FunctionCompiler<'c, 'p> {
        FunctionCompiler {
            compiler,
            function,
            first_temporary,
            next_temporary: first_temporary,
            most_registers: first_temporary,
            known: FxHashMap::default(),
            edge: EdgeId::from_index(0),
            is_edge_start: false,
            places: IdVec::new(),
        }
    }

    /// Compiles the body and says how many registers the function needs, and where each location's
    /// first instruction is.
    pub(super) fn compile(mut self, body: &'p Body) -> (Register, IdVec<LocationId, u32>) {
        let start = self.compiler.executable.code.len();
        let outgoing = body.outgoing();
        self.places = IdVec::filled(UNPLACED, body.location_count);
        let mut waiting = vec![body.entry];
        while let Some(location) = waiting.pop() {
            let location = self.skip(body, &outgoing, location);
            if self.places[location] == UNPLACED {
                self.chain(body, &outgoing, location, &mut waiting);
            }
        }
        self.resolve_targets(body, &outgoing, start);
        (self.most_registers, self.places)
    }

    /// Places locations one after the other until the chain ends or meets one that has a place.
    fn chain(
        &mut self,
        body: &'p Body,
        outgoing: &IdVec<LocationId, Vec<EdgeId>>,
        first: LocationId,
        waiting: &mut Vec<LocationId>,
    ) {
        let mut location = first;
        // Ends because each round places a location.
        while self.places[location] == UNPLACED {
            self.places[location] = self.compiler.executable.code.len() as u32;
            match self.edges(body, &outgoing[location], location, waiting) {
                Next::Location(next) => location = self.skip(body, outgoing, next),
                Next::Nowhere => return,
            }
        }
        self.jump_back(body, &outgoing[location], location);
    }

    /// Compiles what leaves a location, and says where the next instruction belongs.
    fn edges(
        &mut self,
        body: &'p Body,
        edges: &[EdgeId],
        location: LocationId,
        waiting: &mut Vec<LocationId>,
    ) -> Next {
        let name = || &self.compiler.executable.program.functions[self.function].name;
        let &first =
            edges.first().unwrap_or_else(|| panic!("no edge leaves {location} of {}", name()));
        let edge = &body.edges[first];
        if let Operation::Assume { condition, holds } = edge.operation {
            self.begin(first);
            let Some(&second) = edges.get(1) else {
                return self.lone_assumption(condition, holds, edge.target);
            };
            let other = body.edges[second].target;
            let (yes, no) = if holds { (edge.target, other) } else { (other, edge.target) };
            self.branch(condition, false, no);
            waiting.push(no);
            return Next::Location(yes);
        }
        assert!(edges.len() == 1, "{} edges leave {location} of {}", edges.len(), name());
        self.begin(first);
        if self.operation(&edge.operation) { Next::Location(edge.target) } else { Next::Nowhere }
    }

    /// A condition without its opposite: an execution that does not pass does not count.
    fn lone_assumption(
        &mut self,
        condition: heapwright_program::ExpressionId,
        holds: bool,
        target: LocationId,
    ) -> Next {
        self.branch(condition, holds, target);
        self.emit(Instruction::AssumptionFailed);
        Next::Location(target)
    }

    /// Goes on at a location that has a place. Where that begins with a branch, as a loop does, the
    /// branch is repeated here instead of jumped to.
    fn jump_back(&mut self, body: &Body, edges: &[EdgeId], location: LocationId) {
        let place = self.places[location] as usize;
        let branch = self.compiler.executable.code[place];
        if let (Some(mut negated), &[first, second]) = (branch.negated(), edges) {
            let taken = branch_target(branch);
            let [a, b] = [first, second].map(|edge| body.edges[edge].target);
            let other = if a.index() as u32 == taken { b } else { a };
            self.begin(first);
            if let Some(target) = negated.target_mut() {
                *target = other.index() as u32;
            }
            self.emit_branch(negated, Some(false));
            self.emit(Instruction::Jump { target: taken });
        } else {
            self.is_edge_start = false;
            self.emit(Instruction::Jump { target: location.index() as u32 });
        }
    }

    /// Follows edges that do nothing, unless every location is to be kept.
    fn skip(
        &self,
        body: &Body,
        outgoing: &IdVec<LocationId, Vec<EdgeId>>,
        mut location: LocationId,
    ) -> LocationId {
        if self.compiler.keep_locations {
            return location;
        }
        // A cycle of such edges has at most this many.
        for _ in 0..body.location_count {
            match outgoing[location].as_slice() {
                &[edge] if body.edges[edge].operation == Operation::Skip => {
                    location = body.edges[edge].target;
                }
                _ => return location,
            }
        }
        location
    }

    fn resolve_targets(
        &mut self,
        body: &Body,
        outgoing: &IdVec<LocationId, Vec<EdgeId>>,
        start: usize,
    ) {
        for pc in start..self.compiler.executable.code.len() {
            let mut instruction = self.compiler.executable.code[pc];
            if let Some(target) = instruction.target_mut() {
                let location = LocationId::from_index(*target as usize);
                *target = self.places[self.skip(body, outgoing, location)];
                assert_ne!(*target, UNPLACED, "nothing was made of {location}");
                self.compiler.executable.code[pc] = instruction;
            }
        }
    }

    fn begin(&mut self, edge: EdgeId) {
        self.edge = edge;
        self.is_edge_start = true;
        self.next_temporary = self.first_temporary;
        self.known.clear();
    }

    pub(super) fn emit(&mut self, instruction: Instruction) {
        self.emit_branch(instruction, None);
    }

    pub(super) fn emit_branch(&mut self, instruction: Instruction, goes_on_if: Option<bool>) {
        let origin = EdgeOrigin { function: Some(self.function), edge: self.edge, goes_on_if };
        self.compiler.push(instruction, origin, self.is_edge_start);
        self.is_edge_start = false;
    }

    /// A register for an intermediate result of the current edge.
    pub(super) fn temporary(&mut self) -> Register {
        let register = self.next_temporary;
        self.next_temporary += 1;
        self.most_registers = self.most_registers.max(self.next_temporary);
        register
    }
}

fn branch_target(mut branch: Instruction) -> u32 {
    *branch.target_mut().expect("only branches are negated")
}
