//! What is unknown, but would hold if some operations did not overflow: which ones.
//!
//! Numbers wrap, and after 2^31 nodes a counter says that a list is empty. Where that is all that stands between a program and its
//! proof, the answer is *unknown* and says so. The question is asked again of the program in which executions end that overflow; if it
//! holds, operations are let wrap again one by one, as long as it still does.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use heapwright_engine::{Deadline, Engine, Sharing, Silent, Task};
use heapwright_frontend::World;
use heapwright_oracle::Effort;
use heapwright_portfolio::{Cores, Extent, Forgetful, Portfolio, Safeguard, Shares};
use heapwright_program::analysis::for_each_read;
use heapwright_program::passes::{end_overflow, overflows};
use heapwright_program::{
    BinaryOperator, EdgeId, Expression, FunctionId, Operation, PathStep, Program, ScalarType,
    SignedOverflow, VariableId, VariableKind,
};
use heapwright_report::{Answer, ReasonReport};

use crate::arguments::CheckArguments;
use crate::decide::Bugs;
use crate::sources::SourceArguments;

/// The share of the time that is kept for this, and the most of it.
const SHARE: u32 = 20;
const MOST_TIME: Duration = Duration::from_secs(5);

/// Operations that are let wrap again one by one; of more, all are named.
const MOST_TRIED: usize = 12;

/// Operations that are named.
const MOST_NAMED: usize = 6;

/// How much longer than the first proof another may take.
const SLOWER: u32 = 4;
const LITTLE_TIME: Duration = Duration::from_millis(200);

/// Whether it is told what would hold if nothing overflowed.
fn tells_overflow(arguments: &CheckArguments) -> bool {
    !arguments.verdict_line && !arguments.quiet && arguments.bound.is_none()
}

/// Puts what would hold if some operations did not overflow before the reasons of an unknown answer.
pub(crate) fn tell_overflow(
    answer: &mut Answer,
    arguments: &CheckArguments,
    (task, engines): (&Task, &[Box<dyn Engine>]),
    (safeguard, deadline): (&Bugs<'_>, &Deadline),
) {
    let Answer::Unknown { reasons } = answer else { return };
    if !tells_overflow(arguments) {
        return;
    }
    let (effort, deadline) = (arguments.proof_check.into(), &deadline.at_most(MOST_TIME));
    let sources = &arguments.sources;
    let asked = Asked { sources, task, engines, safeguard, effort, deadline };
    reasons.splice(..0, asked.answer().map(ReasonReport::general));
}

/// The time without what is kept for that question.
pub(crate) fn search_deadline(
    arguments: &CheckArguments,
    task: &Task,
    deadline: &Deadline,
) -> Deadline {
    match arguments.timeout {
        Some(time) if tells_overflow(arguments) => deadline.at_most(time - time_kept(task, time)),
        Some(_) | None => deadline.clone(),
    }
}

/// Time to keep for this question, from so much.
fn time_kept(task: &Task, timeout: Duration) -> Duration {
    let asks = task.program.signed_overflow == SignedOverflow::Wraps;
    if asks && has_signed_arithmetic(&task.program) {
        most_time_kept(timeout)
    } else {
        Duration::ZERO
    }
}

/// The most that is kept of so much time.
pub(crate) fn most_time_kept(timeout: Duration) -> Duration {
    (timeout / SHARE).min(MOST_TIME)
}

/// Whether a function that is no model adds, subtracts or multiplies signed numbers.
fn has_signed_arithmetic(program: &Program) -> bool {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    let mut edges = bodies.flat_map(|body| body.edges.iter());
    edges.any(|edge| {
        let Operation::Assign { value, .. } = edge.operation else { return false };
        !program.files[edge.place.file].is_model && is_signed_arithmetic(program, value)
    })
}

fn is_signed_arithmetic(program: &Program, value: heapwright_program::ExpressionId) -> bool {
    match program.expressions.get(value) {
        Expression::Binary { operator, left, .. } => {
            use BinaryOperator::{Add, Multiply, Subtract};
            matches!(operator, Add | Subtract | Multiply)
                && matches!(
                    program.expressions.type_of(left),
                    ScalarType::Integer { signed: true, .. }
                )
        }
        Expression::Convert { operand, .. } => is_signed_arithmetic(program, operand),
        Expression::Constant { .. }
        | Expression::Variable(_)
        | Expression::ObjectAddress(_)
        | Expression::FunctionAddress(_)
        | Expression::Unary { .. } => false,
    }
}

/// Who is asked, and until when.
struct Asked<'a> {
    sources: &'a SourceArguments,
    task: &'a Task,
    engines: &'a [Box<dyn Engine>],
    safeguard: &'a (dyn Safeguard + Sync),
    effort: Effort,
    deadline: &'a Deadline,
}

impl Asked<'_> {
    /// "holds if `len` (count.c:7) does not overflow", if it does.
    fn answer(&self) -> Option<String> {
        if self.task.program.signed_overflow != SignedOverflow::Wraps || self.deadline.is_over() {
            return None;
        }
        let sources = self.sources.with_overflow(SignedOverflow::Fails);
        let program = sources.load(World::Modelled).ok()?.program;
        let all = overflows(&program);
        if all.is_empty() {
            return None;
        }
        let deadline = self.deadline;
        let begun = Instant::now();
        let mut ends: BTreeSet<(FunctionId, EdgeId)> = all.iter().copied().collect();
        if !self.holds(&program, &ends, deadline) {
            return None;
        }
        let time = begun.elapsed().saturating_mul(SLOWER).max(LITTLE_TIME);
        for operation in all.iter().filter(|_| all.len() <= MOST_TRIED) {
            let mut fewer = ends.clone();
            fewer.remove(operation);
            if self.holds(&program, &fewer, &deadline.at_most(time)) {
                ends = fewer;
            }
        }
        (!ends.is_empty()).then(|| in_words(&program, &ends))
    }

    /// Whether the program is proved in which these operations do not overflow.
    fn holds(
        &self,
        program: &Program,
        ends: &BTreeSet<(FunctionId, EdgeId)>,
        deadline: &Deadline,
    ) -> bool {
        let program = end_overflow(program.clone(), ends);
        let Task { specification, malloc_may_fail, .. } = self.task;
        let task = Task::new(program, specification.clone(), *malloc_may_fail);
        let portfolio = Portfolio {
            engines: self.engines,
            deadline,
            safeguard: self.safeguard,
            observer: &Silent,
            keeper: &Forgetful,
            effort: self.effort,
            shares: Shares::default(),
            extent: Extent::WholeQuestion,
            sharing: Sharing::Shared,
            cores: Cores::One,
        };
        let decision = portfolio.decide(&task);
        let is_decided = decision.open_parts().is_empty() && decision.violations.is_empty();
        is_decided && !decision.proofs.is_empty()
    }
}

fn in_words(program: &Program, ends: &BTreeSet<(FunctionId, EdgeId)>) -> String {
    let mut named: Vec<(String, String)> = Vec::new();
    for &(function, edge) in ends {
        let Some(body) = &program.functions[function].body else { continue };
        let place = body.edges[edge].place;
        let line = format!("{}:{}", program.files[place.file].name, place.line);
        let name = operand(program, function, edge)
            .map_or_else(|| "a number".to_owned(), |name| format!("`{name}`"));
        if !named.contains(&(name.clone(), line.clone())) {
            named.push((name, line));
        }
    }
    let more = named.len().saturating_sub(MOST_NAMED);
    named.truncate(MOST_NAMED);
    let one = |(name, line): &(String, String)| format!("{name} ({line})");
    let names: Vec<String> = named.iter().map(one).collect();
    match (names.as_slice(), more) {
        ([name], 0) => format!("holds if {name} does not overflow"),
        (_, 0) => format!("holds if none of these overflows: {}", names.join(", ")),
        _ => format!("holds if none of these overflows: {}, and {more} more", names.join(", ")),
    }
}

/// The variable or member that is about to be changed, by its name in C.
fn operand(program: &Program, function: FunctionId, overflow: EdgeId) -> Option<String> {
    let body = program.functions[function].body.as_ref()?;
    let source = body.edges[overflow].source;
    let mut read: Vec<VariableId> = Vec::new();
    for branch in body.edges.iter().filter(|edge| edge.target == source) {
        for_each_read(program, &branch.operation, &mut |variable| read.push(variable));
    }
    read.into_iter().find_map(|variable| match program.variables[variable].kind {
        VariableKind::Global { .. } | VariableKind::Parameter | VariableKind::Local => {
            Some(program.variables[variable].name.clone())
        }
        VariableKind::Temporary => {
            let mut loads = body.edges.iter().filter_map(|edge| match &edge.operation {
                Operation::Load { target, access } if *target == variable => Some(access.path),
                _ => None,
            });
            member(program, loads.next()?)
        }
    })
}

/// The last member that a path names.
fn member(program: &Program, path: heapwright_program::PathId) -> Option<String> {
    let steps = program.paths[path].steps.iter().rev();
    let mut names = steps.filter_map(|step| match *step {
        PathStep::Field { record, index } => {
            Some(program.types.record(record).fields[index as usize].name.clone())
        }
        PathStep::Element(_) => None,
    });
    names.find(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::Parser;
    use heapwright_engines::{EngineOptions, engines};
    use heapwright_portfolio::Unguarded;
    use heapwright_property::Specification;

    use super::*;
    use crate::arguments::{Arguments, Command};

    #[test]
    fn a_counter_is_named_that_must_not_overflow_and_one_that_may_is_not() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/overflow/counter.c");
        let words = ["heapwright".as_ref(), "check".as_ref(), file.as_os_str()];
        let Some(Command::Check(arguments)) = Arguments::try_parse_from(words).unwrap().command
        else {
            panic!("another command");
        };
        let input = arguments.sources.load(World::Modelled).unwrap();
        let task = Task::new(input.program, Specification::everyday(), false);
        let asked = Asked {
            sources: &arguments.sources,
            task: &task,
            engines: &engines(&EngineOptions::default()),
            safeguard: &Unguarded,
            effort: arguments.proof_check.into(),
            deadline: &Deadline::never(),
        };
        let answer = asked.answer().expect("it holds if nothing overflows");
        assert!(answer.starts_with("holds if `length` ("), "{answer}");
        assert!(answer.ends_with("counter.c:19) does not overflow"), "{answer}");
    }
}
