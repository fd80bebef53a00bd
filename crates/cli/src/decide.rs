//! Asking the engines: one after the other until one's claim becomes a verdict. All get a small share
//! of the time first; those that need more then share what is left.

use std::time::{Duration, Instant};

use heapwright_engine::{Attempt, Deadline, Engine, Run, Task};
use heapwright_interpreter::{DrawnInput, InputKind};
use heapwright_oracle::{Effort, Refutation};
use heapwright_property::Part;
use heapwright_report::{Answer, EngineRun, ReasonReport, Reproduction};
use heapwright_verdict::{ReplayedViolation, Scrutiny, Verdict, scrutinise};

use crate::guard::{Bug, Guard};

/// What came out, and who said so.
pub(crate) struct Decision {
    pub(crate) answer: Answer,
    pub(crate) engine: Option<String>,
    pub(crate) engines: Vec<EngineRun>,
    pub(crate) bugs: Vec<Bug>,
    /// Proofs that a run disagrees with, and whose they were.
    pub(crate) refuted: Vec<(String, Refutation)>,
}

/// Parts that no engine looks at yet: an engine that finds nothing wrong has proved nothing.
const UNSUPPORTED: [Part; 1] = [Part::NoOverflow];

/// The longest first share.
const FIRST_SHARE: Duration = Duration::from_secs(10);

pub(crate) fn decide(
    task: &Task,
    engines: &[Box<dyn Engine>],
    deadline: &Deadline,
    guard: &Guard,
    reproduction: &Reproduction,
    effort: Effort,
) -> Decision {
    let mut decision = Decision {
        answer: unknown(Vec::new()),
        engine: None,
        engines: Vec::new(),
        bugs: Vec::new(),
        refuted: Vec::new(),
    };
    if let Some(part) = UNSUPPORTED.into_iter().find(|part| task.specification.asks(*part)) {
        let reason = ReasonReport::general(format!("no engine can decide {part} yet"));
        return Decision { answer: unknown(vec![reason]), ..decision };
    }
    let mut waiting: Vec<(&'static str, Attempt<'_>, Vec<ReasonReport>)> =
        engines.iter().map(|engine| (engine.name(), engine.attempt(task), Vec::new())).collect();
    let mut reasons = Vec::new();
    for is_last in [false, true] {
        // In the second turn, an attempt knows what it learnt in the first.
        let asked = std::mem::take(&mut waiting);
        let count = asked.len();
        for (index, (name, mut attempt, given_before)) in asked.into_iter().enumerate() {
            if deadline.is_over() {
                reasons.extend(given_before);
                continue;
            }
            let share = match is_last {
                true => last_share(deadline, count - index),
                false => first_share(deadline),
            };
            let start = Instant::now();
            let conclusion = guard.catch(|| {
                let finding = attempt(&Run { deadline: &share });
                let scrutiny = Scrutiny { effort, proof_time: start.elapsed() };
                scrutinise(task, finding, scrutiny, deadline)
            });
            let verdict = conclusion.map(|conclusion| {
                let refutation = conclusion.refutation.map(|found| (name.to_owned(), *found));
                decision.refuted.extend(refutation);
                conclusion.verdict
            });
            let seconds = start.elapsed().as_secs_f64();
            decision.engines.push(EngineRun { engine: name.to_owned(), seconds });
            // The others may still know what one does not know, or fails to say.
            match verdict.map(|verdict| answer(task, name, &verdict, reproduction)) {
                // One that gave up before its time would only give up again.
                Ok(Answer::Unknown { reasons: given }) if !is_last && share.is_over() => {
                    waiting.push((name, attempt, given));
                }
                Ok(Answer::Unknown { reasons: given }) => reasons.extend(given),
                Ok(answer) => {
                    return Decision { answer, engine: Some(name.to_owned()), ..decision };
                }
                Err(bug) => {
                    let reason = ReasonReport::general(bug.summary());
                    reasons.push(ReasonReport { engine: Some(name.to_owned()), ..reason });
                    decision.bugs.push(bug);
                }
            }
        }
    }
    reasons.extend(waiting.into_iter().flat_map(|(_, _, given)| given));
    Decision { answer: unknown(reasons), ..decision }
}

/// What an engine gets before all others were asked.
fn first_share(deadline: &Deadline) -> Deadline {
    let share = deadline.remaining().map_or(FIRST_SHARE, |left| (left / 4).min(FIRST_SHARE));
    deadline.at_most(share)
}

/// What an engine gets of the time that so many share.
fn last_share(deadline: &Deadline, sharers: usize) -> Deadline {
    match deadline.remaining() {
        Some(left) => deadline.at_most(left / sharers as u32),
        None => deadline.clone(),
    }
}

fn answer(task: &Task, engine: &str, verdict: &Verdict, reproduction: &Reproduction) -> Answer {
    match verdict {
        Verdict::Holds(proof) => Answer::of_proof(proof),
        Verdict::Violated(violation) => {
            Answer::of_violation(task, violation, reproduction, assumptions(task, violation))
        }
        Verdict::Unknown(reasons) => {
            let of = |reason| ReasonReport::of(&task.program, engine, reason);
            unknown(reasons.iter().map(of).collect())
        }
    }
}

fn unknown(reasons: Vec<ReasonReport>) -> Answer {
    Answer::Unknown { reasons }
}

/// Under what a violation was looked for.
fn assumptions(task: &Task, violation: &ReplayedViolation) -> Vec<String> {
    let malloc = if task.malloc_may_fail { "malloc may fail" } else { "malloc does not fail" };
    let mut assumptions = vec![malloc.to_owned()];
    let is_choice = |drawn: &DrawnInput| matches!(drawn.kind, InputKind::Choice(_));
    // Where choices were made, they are among the inputs.
    if violation.report().sees_choices && !violation.inputs().iter().any(is_choice) {
        assumptions.push(PLAIN_WORLD.to_owned());
    }
    assumptions
}

/// The choices of an implementation that chooses nothing special, where a program sees them.
const PLAIN_WORLD: &str = "blocks and string literals have addresses of their own, and `malloc(0)` \
    is not null";
