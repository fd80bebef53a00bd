//! Tasks: a program with a question, and the questions about parts of it.

use heapwright_memory::FaultKind;
use heapwright_program::{Failure, Halt, Operation, Program, SignedOverflow};
use heapwright_property::{Part, Specification};

use crate::violation::part_of;

/// A question about a program.
#[derive(Clone, Debug)]
pub struct Task {
    pub program: Program,
    pub specification: Specification,
    /// Whether `malloc` may give a null pointer.
    pub malloc_may_fail: bool,
}

impl Task {
    /// The task of a program as it was read. A failed assertion that nobody asks about is what C says
    /// that it is: the program aborts.
    #[must_use]
    pub fn new(program: Program, specification: Specification, malloc_may_fail: bool) -> Task {
        let mut task = Task { program, specification, malloc_may_fail };
        let asks_about_assertions =
            task.specification.assertions && task.specification.asks(Part::UnreachCall);
        if !asks_about_assertions {
            abort_at_failed_assertions(&mut task.program);
            task.specification.assertions = false;
        }
        task
    }

    /// The same question about some of its parts. Executions that violate another part first are
    /// excused: they end there, and somebody else answers for them.
    #[must_use]
    pub fn apart(&self, parts: &[Part]) -> Task {
        let mut specification = self.specification.clone();
        let is_wanted = |part: &Part| parts.contains(part);
        let (asked, other): (Vec<Part>, Vec<Part>) =
            specification.parts.iter().copied().partition(is_wanted);
        specification.parts = asked;
        specification.excused.extend(other);
        if !parts.contains(&Part::UnreachCall) {
            // One with a body is a function like any other.
            let has_body = |name: &String| {
                let function = self.program.function_named(name);
                function.is_some_and(|id| self.program.functions[id].body.is_some())
            };
            specification.error_functions.retain(|name| !has_body(name));
        }
        Task::new(self.program.clone(), specification, self.malloc_may_fail)
    }

    /// Whether the question is about signed overflow, and the program was read so that it does not tell
    /// of it: whoever finds nothing wrong has proved nothing.
    #[must_use]
    pub fn misses_overflow(&self) -> bool {
        self.specification.asks(Part::NoOverflow)
            && self.program.signed_overflow != SignedOverflow::Fails
    }

    /// Whether an execution that commits this fault is somebody else's to judge.
    #[must_use]
    pub fn excuses(&self, kind: FaultKind) -> bool {
        self.part_of(kind).is_some_and(|part| self.specification.excuses(part))
    }

    /// The part that a fault would violate, whether it is asked about or not.
    #[must_use]
    pub fn part_of(&self, kind: FaultKind) -> Option<Part> {
        part_of(kind, self.specification.assertions)
    }
}

fn abort_at_failed_assertions(program: &mut Program) {
    for id in program.functions.ids() {
        let Some(body) = &mut program.functions[id].body else { continue };
        for edge in body.edges.ids() {
            let operation = &mut body.edges[edge].operation;
            if matches!(operation, Operation::Fail(Failure::Assertion { .. })) {
                *operation = Operation::Halt(Halt::Abort);
            }
        }
    }
}
