//! A witness of a violation: the run with its results, and what goes wrong in it where.

use heapwright_engine::{Deadline, Finding, REPLAY_STEPS, Task, run_settings};
use heapwright_frontend::{InputError, World};
use heapwright_interpreter::{DrawnInput, Environment, Executable, Machine};
use heapwright_report::{
    Answer, Entry, Location, Reproduction, RunCommand, SegmentItem, ViolationReport, Waypoint,
    WaypointType,
};
use heapwright_trace::{Event, Trace};
use heapwright_verdict::{ReplayedViolation, Verdict, conclude};

use super::question::specification;
use super::{Outcome, ValidateArguments, decide, first_reason};
use crate::inputs::ListInputs;
use crate::question::signed_overflow;

pub(super) fn check(
    arguments: &ValidateArguments,
    entry: &Entry,
    segments: &[SegmentItem],
    deadline: &Deadline,
) -> Result<Outcome, InputError> {
    let waypoints: Vec<&Waypoint> = segments
        .iter()
        .flat_map(|segment| &segment.segment)
        .map(|item| &item.waypoint)
        .filter(|waypoint| waypoint.action == "follow")
        .collect();
    let target = waypoints.last().filter(|last| last.kind == WaypointType::Target);
    let Some(target) = target else {
        return Err(InputError::new("the last waypoint of a violation has to be its target"));
    };
    let specification = specification(&entry.metadata.task)?;
    let overflow = signed_overflow(&specification, false)?;
    let input = arguments.sources.with_overflow(overflow).load(World::Modelled)?;
    let task = Task::new(input.program, specification, arguments.malloc_may_fail);
    let values = results(&waypoints);
    let replayed = replay(&task, &values, deadline)?;
    let way = format!("replayed with {} results of calls", values.len());
    if let Some(violation) = replayed {
        return Ok(compare(&task, &violation, target, &waypoints, &way, deadline));
    }
    // The witness leaves open what this execution needs: somebody has to find it.
    let decision = decide(&task, deadline);
    Ok(match decision.violations.first() {
        Some(shown) => {
            let way = format!("found again by `{}`", shown.engine);
            compare(&task, &shown.violation, target, &waypoints, &way, deadline)
        }
        None if decision.open_parts().is_empty() && !decision.proofs.is_empty() => {
            Outcome::Rejected("what it says to be violated is proved to hold".to_owned())
        }
        None => Outcome::Unknown(format!(
            "the results of calls lead to no violation, and none was found ({})",
            first_reason(&decision)
        )),
    })
}

/// What calls return, in order, as `run --inputs` takes it.
fn results(waypoints: &[&Waypoint]) -> Vec<String> {
    let returns = waypoints.iter().filter(|it| it.kind == WaypointType::FunctionReturn);
    let value = |waypoint: &&&Waypoint| {
        let constraint = waypoint.constraint.as_ref()?;
        let text: String = constraint.value.split_whitespace().collect();
        let value = text.strip_prefix("\\result==")?;
        Some(value.trim_matches(['(', ')']).trim_end_matches(['U', 'L', 'u', 'l']).to_owned())
    };
    returns.filter_map(|waypoint| value(&waypoint)).collect()
}

/// Runs the program with these results; the violation has to pass the gate.
fn replay(
    task: &Task,
    values: &[String],
    deadline: &Deadline,
) -> Result<Option<ReplayedViolation>, InputError> {
    let inputs = ListInputs::parse(values).map_err(InputError::new)?;
    let mut settings = run_settings(task);
    settings.limits.steps = REPLAY_STEPS;
    settings.cancelled = Some(deadline.flag());
    let executable = Executable::compile(&task.program, &settings.compile);
    let mut machine = Machine::new(&executable, &settings, Environment::silent(inputs));
    let drawn: Vec<DrawnInput> = machine.run().inputs_drawn;
    Ok(match conclude(task, Finding::Refuted(drawn), deadline) {
        Verdict::Violated(violation) => Some(*violation),
        Verdict::Holds(_) | Verdict::Unknown(_) => None,
    })
}

/// Whether an execution is the one that the witness speaks of.
fn compare(
    task: &Task,
    violation: &ReplayedViolation,
    target: &Waypoint,
    waypoints: &[&Waypoint],
    way: &str,
    deadline: &Deadline,
) -> Outcome {
    let Some(report) = told(task, violation, deadline) else {
        return Outcome::Unknown("the time limit was reached".to_owned());
    };
    let part = report.part;
    let Some(place) = &report.fault.place else {
        return Outcome::Unknown(format!("{part} is violated, but at no place of the source"));
    };
    let here = format!("{part} is violated at {place}");
    if !is_at(&target.location, &place.file, place.line) {
        let line = target.location.line;
        return Outcome::Unknown(format!("{here} ({way}), not at the target in line {line}"));
    }
    match report.trace.as_ref().filter(|trace| !trace.is_cut) {
        Some(trace) if !takes(trace, waypoints) => Outcome::Unknown(format!(
            "{here} ({way}), but not by the branches that the witness follows"
        )),
        Some(_) => Outcome::Confirmed(format!("{here} ({way})")),
        None => {
            Outcome::Confirmed(format!("{here} ({way}; branches of so long a run not compared)"))
        }
    }
}

fn told(
    task: &Task,
    violation: &ReplayedViolation,
    deadline: &Deadline,
) -> Option<ViolationReport> {
    let run = RunCommand { options: Vec::new(), files: Vec::new(), is_modelled: true };
    let reproduction = Reproduction { run, native: None };
    match Answer::of_violation(task, violation, &reproduction, Vec::new()) {
        Answer::Violated(mut report) => {
            report.tell_story(task, violation, deadline);
            Some(*report)
        }
        Answer::Holds { .. } | Answer::Unknown { .. } | Answer::InputError { .. } => None,
    }
}

/// Whether a run takes the branches of these waypoints in their order.
fn takes(trace: &Trace, waypoints: &[&Waypoint]) -> bool {
    let mut wanted = waypoints.iter().filter(|it| it.kind == WaypointType::Branching).peekable();
    for event in trace.steps.iter().flat_map(|step| &step.events) {
        let Event::Decision { truth, place, .. } = event else { continue };
        let is_next = wanted.peek().is_some_and(|waypoint| {
            let value = waypoint.constraint.as_ref().map(|constraint| constraint.value.as_str());
            is_at(&waypoint.location, &place.file, place.line)
                && value == Some(if *truth { "true" } else { "false" })
        });
        if is_next {
            wanted.next();
        }
    }
    wanted.peek().is_none()
}

/// Names of files differ by folders where a witness was made elsewhere.
fn is_at(location: &Location, file: &str, line: u32) -> bool {
    let base = |path: &str| path.rsplit('/').next().map(str::to_owned);
    location.line == line && base(&location.file_name) == base(file)
}
