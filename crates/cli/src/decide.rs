//! Asking the portfolio, and putting its decision into the words of the report.

use std::sync::{Mutex, PoisonError};

use heapwright_engine::{Reason, Task};
use heapwright_interpreter::{DrawnInput, InputKind};
use heapwright_portfolio::{Answered, Decision, Safeguard};
use heapwright_program::SignedOverflow;
use heapwright_property::Part;
use heapwright_report::{
    Answer, EngineRun, PartReport, PartVerdict, ReasonReport, Reproduction, search_reports,
};
use heapwright_report::{CheckReport, SearchReport};
use heapwright_verdict::{CheckedProof, NO_SIGNED_OVERFLOW, ReplayedViolation};

use crate::guard::{Bug, Guard};

/// Catches the panics of engines and keeps them for the user.
#[derive(Debug)]
pub(crate) struct Bugs<'g> {
    guard: &'g Guard,
    found: Mutex<Vec<Bug>>,
}

impl<'g> Bugs<'g> {
    pub(crate) fn new(guard: &'g Guard) -> Bugs<'g> {
        Bugs { guard, found: Mutex::default() }
    }

    pub(crate) fn into_found(self) -> Vec<Bug> {
        self.found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Safeguard for Bugs<'_> {
    fn run(&self, work: &mut dyn FnMut()) -> Result<(), Reason> {
        self.guard.catch(work).map_err(|bug| {
            let reason = Reason::new(bug.summary());
            self.found.lock().unwrap_or_else(PoisonError::into_inner).push(bug);
            reason
        })
    }
}

/// A decision as a report shows it.
pub(crate) struct Told {
    pub(crate) answer: Answer,
    pub(crate) engine: Option<String>,
    pub(crate) engines: Vec<EngineRun>,
    pub(crate) part_answers: Vec<PartReport>,
    pub(crate) searched: Vec<SearchReport>,
}

impl Told {
    /// The same report with this decision.
    pub(crate) fn fill(self, report: CheckReport) -> CheckReport {
        let Told { answer, engine, engines, part_answers, searched } = self;
        CheckReport { answer, engine, engines, part_answers, searched, ..report }
    }
}

/// Violated before unknown before holds. What is taken for granted about callers and missing functions
/// is said with the answer.
pub(crate) fn tell(
    task: &Task,
    decision: &Decision,
    reproduction: &Reproduction,
    granted: &[String],
) -> Told {
    let is_decided = decision.open_parts().is_empty();
    let (answer, engine) = match decision.violations.first() {
        Some(shown) => {
            let mut assumptions = assumptions(task, &shown.violation);
            assumptions.extend_from_slice(granted);
            let answer = Answer::of_violation(task, &shown.violation, reproduction, assumptions);
            (answer, Some(shown.engine.to_owned()))
        }
        None if is_decided && !decision.proofs.is_empty() => holds(decision, granted),
        None => {
            let reasons = decision.reasons.iter();
            let reasons = reasons.map(|given| reason_report(task, given.engine, &given.reason));
            (Answer::Unknown { reasons: reasons.collect() }, None)
        }
    };
    let run = |turn: &heapwright_portfolio::TurnTaken| EngineRun {
        engine: turn.engine.to_owned(),
        seconds: turn.time.as_secs_f64(),
        work: (turn.work > 0).then_some(turn.work),
    };
    Told {
        answer,
        engine,
        engines: decision.turns.iter().map(run).collect(),
        part_answers: decision.parts.iter().map(|part| part_report(task, decision, part)).collect(),
        searched: search_reports(&decision.facts),
    }
}

/// The answer that one or several proofs give.
fn holds(decision: &Decision, granted: &[String]) -> (Answer, Option<String>) {
    let mut used: Vec<usize> = Vec::new();
    for (_, answer) in &decision.parts {
        if let Answered::Holds { proof } = answer
            && !used.contains(proof)
        {
            used.push(*proof);
        }
    }
    let proofs: Vec<&CheckedProof> =
        used.iter().map(|&index| &decision.proofs[index].proof).collect();
    let mut engines: Vec<&str> = used.iter().map(|&index| decision.proofs[index].engine).collect();
    engines.sort_unstable();
    engines.dedup();
    let mut answer = Answer::of_proofs(&proofs);
    if let Answer::Holds { assumptions, .. } = &mut answer {
        assumptions.extend_from_slice(granted);
    }
    (answer, Some(engines.join(", ")))
}

fn part_report(
    task: &Task,
    decision: &Decision,
    (part, answered): &(Part, Answered),
) -> PartReport {
    let unknown = PartReport {
        part: *part,
        verdict: PartVerdict::Unknown,
        engine: None,
        up_to: Vec::new(),
        obstacle: None,
    };
    match answered {
        Answered::Holds { proof } => {
            let proved = &decision.proofs[*proof];
            let holds = |part: &Part| {
                let answer = decision.parts.iter().find(|(asked, _)| asked == part);
                answer.is_some_and(|(_, answer)| matches!(answer, Answered::Holds { .. }))
            };
            let up_to = proved.excused.iter().filter(|part| !holds(part)).copied().collect();
            let engine = Some(proved.engine.to_owned());
            PartReport { verdict: PartVerdict::Holds, engine, up_to, ..unknown }
        }
        Answered::Violated { violation } => {
            let engine = Some(decision.violations[*violation].engine.to_owned());
            PartReport { verdict: PartVerdict::Violated, engine, ..unknown }
        }
        Answered::Open { obstacle } => {
            let obstacle = obstacle.as_ref().map(|reason| reason_report(task, None, reason));
            PartReport { obstacle, ..unknown }
        }
    }
}

fn reason_report(task: &Task, engine: Option<&'static str>, reason: &Reason) -> ReasonReport {
    let report = ReasonReport::of(&task.program, engine.unwrap_or_default(), reason);
    ReasonReport { engine: engine.map(str::to_owned), ..report }
}

/// What the question takes for granted, in words.
pub(crate) fn settings_in_words(task: &Task) -> Vec<String> {
    let malloc = if task.malloc_may_fail { "malloc may fail" } else { "malloc does not fail" };
    let rules_out_overflow = task.program.signed_overflow == SignedOverflow::Ends;
    let overflow = rules_out_overflow.then_some(NO_SIGNED_OVERFLOW);
    [malloc].into_iter().chain(overflow).map(str::to_owned).collect()
}

/// Under what a violation was looked for.
fn assumptions(task: &Task, violation: &ReplayedViolation) -> Vec<String> {
    let mut assumptions = settings_in_words(task);
    let is_choice = |drawn: &DrawnInput| matches!(drawn.kind, InputKind::Choice(_));
    // Where choices were made, they are among the inputs.
    if violation.report().sees_choices && !violation.inputs().iter().any(is_choice) {
        assumptions.push(PLAIN_WORLD.to_owned());
    }
    assumptions
}

/// The choices of an implementation that chooses nothing special, where a program sees them.
const PLAIN_WORLD: &str = "blocks have addresses of their own, equal string literals are one, and \
    `malloc(0)` is not null";
