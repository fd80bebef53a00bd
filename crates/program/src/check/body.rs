//! The rules for the automata: exits and branches.

use heapwright_base::DenseId;

use crate::check::{Checker, Rule};
use crate::operation::Operation;
use crate::program::{Body, EdgeId, LocationId};

impl Checker<'_> {
    pub(super) fn check_bodies(&mut self) {
        for (id, function) in self.program.functions.enumerated() {
            if let Some(body) = &function.body {
                self.function = Some(id);
                self.body(body);
            }
        }
        self.function = None;
    }

    fn body(&mut self, body: &Body) {
        self.require(Rule::Exit, body.entry != body.exit, || "the entry is the exit".to_owned());
        for (index, outgoing) in body.outgoing().iter().enumerate() {
            let location = LocationId::from_index(index);
            if location == body.exit {
                self.require(Rule::Exit, outgoing.is_empty(), || {
                    format!("an edge leaves the exit {location}")
                });
            } else {
                self.require(Rule::Exit, !outgoing.is_empty(), || {
                    format!("no edge leaves {location}")
                });
                self.branching(body, location, outgoing);
            }
        }
        for (id, edge) in body.edges.enumerated() {
            self.edge = Some(id);
            self.exit_edge(&edge.operation, edge.target == body.exit);
            self.check_operation(&edge.operation);
        }
        self.edge = None;
    }

    fn branching(&mut self, body: &Body, location: LocationId, outgoing: &[EdgeId]) {
        let operations: Vec<&Operation> =
            outgoing.iter().map(|id| &body.edges[*id].operation).collect();
        let is_good = match operations[..] {
            [] => return,
            [only] => !matches!(only, Operation::Assume { .. }),
            [
                Operation::Assume { condition: first, holds },
                Operation::Assume { condition: second, holds: also_holds },
            ] => first == second && holds != also_holds,
            _ => false,
        };
        self.require(Rule::Branching, is_good, || {
            format!("the edges from {location} are neither one step nor two sides of a condition")
        });
    }

    fn exit_edge(&mut self, operation: &Operation, is_to_exit: bool) {
        let holds = match operation {
            Operation::Return { .. } | Operation::Halt(_) | Operation::Fail(_) => is_to_exit,
            Operation::Unsupported { .. } => true,
            Operation::Skip
            | Operation::Assume { .. }
            | Operation::Assign { .. }
            | Operation::Input { .. }
            | Operation::Load { .. }
            | Operation::Store { .. }
            | Operation::Copy { .. }
            | Operation::Fill { .. }
            | Operation::Disjoint { .. }
            | Operation::Allocate { .. }
            | Operation::Free { .. }
            | Operation::BlockSize { .. }
            | Operation::Enter { .. }
            | Operation::Leave { .. }
            | Operation::Call { .. } => !is_to_exit,
        };
        self.require(Rule::ExitEdges, holds, || {
            if is_to_exit { "leads to the exit" } else { "does not lead to the exit" }.to_owned()
        });
    }
}
