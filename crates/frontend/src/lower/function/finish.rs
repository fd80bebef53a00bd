//! Completing an automaton: jumps become edges, and what cannot be reached is dropped.

use heapwright_base::{DenseId, IdVec};
use heapwright_program::{
    Body, Edge, Halt, InputSource, LocationId, Operation, ScalarType, VariableId,
};

use super::{FunctionLowering, Jump, JumpTarget, ScopeId, Target};

impl FunctionLowering<'_, '_> {
    /// Turns jumps into edges, drops what cannot be reached and gives the function its body.
    pub(crate) fn finish(mut self) {
        let jumps = std::mem::take(&mut self.jumps);
        self.find_bypassed(&jumps);
        let mut same: IdVec<LocationId, LocationId> =
            (0..self.location_count).map(LocationId::from_index).collect();
        let mut empty_jumps = Vec::new();
        for jump in jumps {
            self.place = jump.place;
            let Some(target) = self.resolve(jump.to) else {
                // The label stands in an operand that is never evaluated.
                self.here = Some(jump.source);
                self.unsupported("a jump into an operand of sizeof or typeof");
                self.emit_last(Operation::Halt(Halt::Abort));
                continue;
            };
            let operations = self.transition(jump.from, target);
            if operations.is_empty() {
                empty_jumps.push((jump, target));
                continue;
            }
            self.here = Some(jump.source);
            let last = operations.len() - 1;
            for (index, operation) in operations.into_iter().enumerate() {
                if index == last {
                    self.emit_to(operation, target.location);
                } else {
                    self.emit(operation);
                }
            }
        }
        // The chains have made new locations.
        while same.len() < self.location_count {
            let next = same.next_id();
            same.push(next);
        }
        for (jump, target) in empty_jumps {
            let source = root(&mut same, jump.source);
            let goal = root(&mut same, target.location);
            if source == goal {
                // `for (;;) ;` is a loop all the same.
                self.place = jump.place;
                self.here = Some(source);
                self.emit_to(Operation::Skip, goal);
            } else {
                same[source] = goal;
            }
        }
        let function = self.function;
        let body = self.compact(&mut same);
        self.unit.linker.program.functions[function].body = Some(body);
    }

    fn resolve(&self, to: JumpTarget) -> Option<Target> {
        match to {
            JumpTarget::Known(target) => Some(target),
            JumpTarget::Label(label) => Some(Target {
                location: *self.labels.get(&label)?,
                scope: self.label_scopes[&label],
            }),
            JumpTarget::Case(case) => self.cases.get(&case).copied(),
        }
    }

    /// What a jump from a scope to a target ends and begins.
    fn transition(&mut self, from: ScopeId, to: Target) -> Vec<Operation> {
        let (from_chain, to_chain) = (self.chain(from), self.chain(to.scope));
        let common = from_chain.iter().zip(&to_chain).take_while(|(a, b)| a == b).count();
        let (left, entered) = (&from_chain[common..], &to_chain[common..]);
        let null = self.unit.zero(ScalarType::Pointer);
        let program = &self.unit.linker.program;
        let is_pointer = |&&id: &&VariableId| program.variables[id].scalar.is_pointer();
        let mut operations = Vec::new();
        // A return ends the frame and with it all variables.
        if to.scope != self.outside() {
            let lost = left.iter().flat_map(|&scope| &self.scopes[scope].variables);
            let lost = lost.filter(is_pointer);
            operations.extend(lost.map(|&target| Operation::Assign { target, value: null }));
        }
        for &scope in left.iter().rev() {
            let dying = self.scopes[scope].objects.iter().rev();
            operations.extend(dying.map(|&object| Operation::Leave { object }));
        }
        for &scope in entered {
            // An object of dynamic size comes to life at its declaration.
            let born = self.scopes[scope].objects.iter();
            let born = born.filter(|&&object| program.objects[object].size.is_some());
            operations.extend(born.map(|&object| Operation::Enter { object, size: None }));
        }
        for &scope in entered {
            let unset = self.scopes[scope].variables.iter();
            let unset = unset.filter(|&variable| self.bypassed.contains(variable));
            let source = InputSource::Uninitialised;
            operations
                .extend(unset.map(|&target| Operation::Input { target, source: source.clone() }));
        }
        operations
    }

    /// Notes the variables whose declaration lies between a jump and its target.
    fn find_bypassed(&mut self, jumps: &[Jump]) {
        for jump in jumps {
            let Some(target) = self.resolve(jump.to) else { continue };
            for &(scope, count) in self.declared.get(&target.location).into_iter().flatten() {
                let before = jump.declared.iter().find(|(known, _)| *known == scope);
                let first = before.map_or(0, |&(_, count)| count).min(count);
                self.bypassed.extend(&self.scopes[scope].variables[first..count]);
            }
        }
    }

    /// The scopes around `scope`, outermost first.
    fn chain(&self, scope: ScopeId) -> Vec<ScopeId> {
        let mut chain: Vec<ScopeId> =
            std::iter::successors(Some(scope), |&scope| self.scopes[scope].parent).collect();
        chain.reverse();
        chain
    }

    /// Renumbers the reachable locations in the order in which control meets them.
    fn compact(&self, same: &mut IdVec<LocationId, LocationId>) -> Body {
        let entry = root(same, LocationId::from_index(0));
        let exit = self.exit;
        let mut outgoing: IdVec<LocationId, Vec<usize>> =
            IdVec::filled(Vec::new(), self.location_count);
        for (index, edge) in self.edges.iter().enumerate() {
            outgoing[root(same, edge.source)].push(index);
        }
        let mut numbers: IdVec<LocationId, Option<LocationId>> =
            IdVec::filled(None, self.location_count);
        let mut order = Vec::new();
        let mut stack = vec![entry];
        while let Some(location) = stack.pop() {
            if numbers[location].is_some() {
                continue;
            }
            numbers[location] = Some(LocationId::from_index(order.len()));
            order.push(location);
            for &index in outgoing[location].iter().rev() {
                stack.push(root(same, self.edges[index].target));
            }
        }
        let exit_number = *numbers[exit].get_or_insert_with(|| {
            order.push(exit);
            LocationId::from_index(order.len() - 1)
        });
        let mut edges = IdVec::new();
        for location in order.iter().copied() {
            for &index in &outgoing[location] {
                let edge = &self.edges[index];
                let target = numbers[root(same, edge.target)].expect("a reachable location");
                let source = numbers[location].expect("a reachable location");
                edges.push(Edge { source, target, ..edge.clone() });
            }
        }
        let entry = numbers[entry].expect("the entry is reachable");
        Body { entry, exit: exit_number, location_count: order.len(), edges }
    }
}

/// The location that stands for `location` after empty jumps are gone.
fn root(same: &mut IdVec<LocationId, LocationId>, mut location: LocationId) -> LocationId {
    while same[location] != location {
        // Each look halves the way, so that long chains stay cheap.
        same[location] = same[same[location]];
        location = same[location];
    }
    location
}
