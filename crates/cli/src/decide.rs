//! Asking the engines: one after the other until one's claim becomes a verdict.

use std::time::Instant;

use heapwright_engine::{Deadline, Engine, Run, Task};
use heapwright_property::Part;
use heapwright_report::{Answer, EngineRun, ReasonReport, Reproduction};
use heapwright_verdict::{Verdict, conclude};

use crate::guard::{Bug, Guard};

/// What came out, and who said so.
pub(crate) struct Decision {
    pub(crate) answer: Answer,
    pub(crate) engine: Option<String>,
    pub(crate) engines: Vec<EngineRun>,
    pub(crate) bugs: Vec<Bug>,
}

/// Parts that no engine looks at yet: an engine that finds nothing wrong has proved nothing.
const UNSUPPORTED: [Part; 1] = [Part::NoOverflow];

pub(crate) fn decide(
    task: &Task,
    engines: &[Box<dyn Engine>],
    deadline: &Deadline,
    guard: &Guard,
    reproduction: &Reproduction,
) -> Decision {
    let mut decision = Decision {
        answer: unknown(Vec::new()),
        engine: None,
        engines: Vec::new(),
        bugs: Vec::new(),
    };
    if let Some(part) = UNSUPPORTED.into_iter().find(|part| task.specification.asks(*part)) {
        let reason = ReasonReport::general(format!("no engine can decide {part} yet"));
        return Decision { answer: unknown(vec![reason]), ..decision };
    }
    let mut reasons = Vec::new();
    for engine in engines {
        let start = Instant::now();
        let name = engine.name();
        let verdict = guard.catch(|| {
            let finding = engine.run(task, &Run { deadline });
            conclude(task, finding, deadline)
        });
        let seconds = start.elapsed().as_secs_f64();
        decision.engines.push(EngineRun { engine: name.to_owned(), seconds });
        // The others may still know what one does not know, or fails to say.
        match verdict.map(|verdict| answer(task, name, &verdict, reproduction)) {
            Ok(Answer::Unknown { reasons: given }) => reasons.extend(given),
            Ok(answer) => return Decision { answer, engine: Some(name.to_owned()), ..decision },
            Err(bug) => {
                let reason = ReasonReport::general(bug.summary());
                reasons.push(ReasonReport { engine: Some(name.to_owned()), ..reason });
                decision.bugs.push(bug);
            }
        }
        if deadline.is_over() {
            break;
        }
    }
    Decision { answer: unknown(reasons), ..decision }
}

fn answer(task: &Task, engine: &str, verdict: &Verdict, reproduction: &Reproduction) -> Answer {
    match verdict {
        Verdict::Holds(proof) => Answer::of_proof(proof),
        Verdict::Violated(violation) => {
            Answer::of_violation(task, violation, reproduction, assumptions(task))
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
fn assumptions(task: &Task) -> Vec<String> {
    let malloc = if task.malloc_may_fail { "malloc may fail" } else { "malloc does not fail" };
    vec![malloc.to_owned()]
}
