//! Operations that may overflow, of which some shall end an execution that does, and others go on as machines do.
//!
//! The program has been read so that every overflow is a fault behind a branch. Where it ends, the fault becomes a failed
//! assumption; where it goes on, it becomes a way to where the operation is carried out.

use std::collections::BTreeSet;

use crate::operation::{Failure, Halt, Operation};
use crate::passes::map_bodies;
use crate::program::{Body, EdgeId, FunctionId, LocationId, Program, SignedOverflow};

/// The edges that say that an operation overflows, in program order.
#[must_use]
pub fn overflows(program: &Program) -> Vec<(FunctionId, EdgeId)> {
    let bodies = program.functions.enumerated();
    let bodies = bodies.filter_map(|(id, function)| Some((id, function.body.as_ref()?)));
    let faults = bodies.flat_map(|(id, body)| {
        let edges = body.edges.enumerated().filter(|(_, edge)| is_overflow(&edge.operation));
        edges.map(move |(edge, _)| (id, edge))
    });
    faults.collect()
}

/// The program in which these operations end an execution that overflows there, and all others wrap.
#[must_use]
pub fn end_overflow(program: Program, ends: &BTreeSet<(FunctionId, EdgeId)>) -> Program {
    let program = map_bodies(program, |_, id, body| {
        let mut changed = body.clone();
        for (edge, item) in body.edges.enumerated().filter(|(_, edge)| is_overflow(&edge.operation))
        {
            let goes_on = (!ends.contains(&(id, edge))).then(|| carried_out(body, item.source));
            let edge = &mut changed.edges[edge];
            match goes_on.flatten() {
                Some(target) => {
                    edge.operation = Operation::Skip;
                    edge.target = target;
                }
                None => edge.operation = Operation::Halt(Halt::AssumptionFailed),
            }
        }
        changed
    });
    Program { signed_overflow: SignedOverflow::Ends, ..program }
}

fn is_overflow(operation: &Operation) -> bool {
    matches!(operation, Operation::Fail(Failure::Overflow { .. }))
}

/// Where an operation is carried out, of whose overflow the location tells: behind the last of the branches that lead there.
fn carried_out(body: &Body, overflows: LocationId) -> Option<LocationId> {
    let branches: BTreeSet<LocationId> =
        body.edges.iter().filter(|edge| edge.target == overflows).map(|edge| edge.source).collect();
    let others = body.edges.iter().filter(|edge| {
        branches.contains(&edge.source)
            && edge.target != overflows
            && !branches.contains(&edge.target)
    });
    let others: BTreeSet<LocationId> = others.map(|edge| edge.target).collect();
    // To end an execution in place of going on would be an assumption that nobody is told of.
    assert!(others.len() <= 1, "an operation is carried out at {others:?}");
    others.first().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};

    const COUNTER: &str = "program LP64 overflow_fails
file \"count.c\"

function main() -> i32  @ 1:1 {
    local len: i32  @ 1:1

    entry L0, exit L6
    L0 -> L1: len = 0  @ 1:1
    L1 -> L2: [-5 <= len]
    L1 -> L4: [!(-5 <= len)]
    L2 -> L3: [len <= 2147483646]
    L2 -> L4: [!(len <= 2147483646)]
    L3 -> L1: len = len + 1  @ 1:9
    L4 -> L6: fail overflow \"the sum does not fit\"  @ 1:9
}
";

    fn with(ends: bool) -> String {
        let program = parse(COUNTER).expect("the text is a program");
        let all = overflows(&program);
        assert_eq!(all.len(), 1);
        let ends = all.into_iter().filter(|_| ends).collect();
        print(&end_overflow(program, &ends))
    }

    #[test]
    fn an_overflow_that_does_not_count_ends_as_a_failed_assumption_does() {
        let text = with(true);
        assert!(text.contains("overflow_ends"), "{text}");
        assert!(text.contains("L4 -> L6: halt assumption_failed"), "{text}");
    }

    #[test]
    fn an_overflow_that_counts_leads_behind_all_its_branches() {
        assert!(with(false).contains("L4 -> L3: skip"), "{}", with(false));
    }
}
