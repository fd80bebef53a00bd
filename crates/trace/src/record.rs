//! Recording: the failing run once more, its last part watched edge by edge.
//!
//! A fast run says how long it is. All but the last edges of a long one are run without watching, so
//! that the cost is bounded whatever the length.

use std::collections::BTreeSet;

use heapwright_engine::{Deadline, REPLAY_STEPS, Task, run_settings};
use heapwright_interpreter::{
    Environment, Executable, Machine, Outcome, RecordedInputs, Settings, locate_loss,
};
use heapwright_memory::Access;
use heapwright_property::Part;
use heapwright_verdict::ReplayedViolation;

use crate::capture::RawState;
use crate::decode::Decoder;
use crate::events::{Draft, Watcher};
use crate::source::Sources;
use crate::step::{Event, Mark, Step, Trace};
use crate::story;

/// Instructions at the end of a run that are watched.
const WATCHED: u64 = 4000;
/// Bytes that may be looked at in all of them together, and what a block counts beside its own bytes.
const LOOKED_AT: u64 = 20_000_000;
const BLOCK: u64 = 256;

/// The execution that a violation was confirmed with. `None` if it cannot be told again, as when the
/// fault is before the first edge, or not in time.
#[must_use]
pub fn record(
    task: &Task,
    violation: &ReplayedViolation,
    sources: &mut Sources,
    deadline: &Deadline,
) -> Option<Trace> {
    let mut settings = run_settings(task);
    settings.limits.steps = REPLAY_STEPS;
    settings.cancelled = Some(deadline.flag());
    settings.compile.keep_locations = true;
    settings.record_inputs = false;
    let executable = Executable::compile(&task.program, &settings.compile);
    let new = || {
        let inputs = RecordedInputs::new(violation.inputs());
        Machine::new(&executable, &settings, Environment::silent(inputs))
    };
    let mut first = new();
    let report = first.run();
    if deadline.is_over() {
        return None;
    }
    let lost = lost_block(violation, &executable, &settings);
    let end = lost.map_or(report.steps, |(_, step)| step + 1);
    let state_size =
        first.memory().storage_bytes() + BLOCK * first.memory().blocks().count() as u64;
    let window = WATCHED.min(LOOKED_AT / state_size.max(1)).max(50);
    let mut machine = new();
    let is_cut = end > window;
    if is_cut {
        machine.run_for(end - window);
    }
    let mut watcher = Watcher::new(&machine, is_cut);
    while machine.outcome().is_none() && machine.steps() < end {
        if deadline.is_over() {
            return None;
        }
        machine.step_observed(&mut |machine, passed| watcher.passed(machine, passed, sources));
    }
    if let Some((serial, _)) = lost {
        watcher.add(Event::Lose { block: serial });
    }
    let mark = mark(violation);
    watcher.finish(&machine, sources);
    let drafts = watcher.drafts;
    (!drafts.is_empty()).then(|| {
        let kept: BTreeSet<u64> = mark.iter().map(|mark| mark.block).collect();
        let states: Vec<&RawState> = drafts.iter().map(|draft| &draft.state).collect();
        let mut decoder = Decoder::new(&task.program, &states, kept);
        let steps = drafts.iter().map(|draft| step(draft, &mut decoder, sources)).collect();
        let mut trace = Trace { steps, is_cut, mark, story: Vec::new() };
        crate::words::tell(&mut trace, sources);
        trace.story = story::story(&trace, sources);
        trace
    })
}

fn step(draft: &Draft, decoder: &mut Decoder<'_>, sources: &mut Sources) -> Step {
    Step {
        place: draft.place.clone(),
        function: draft.function.clone(),
        depth: draft.depth,
        events: draft.events.clone(),
        text: String::new(),
        result: String::new(),
        state: decoder.state(&draft.state, sources),
    }
}

/// The block that is lost, and the number of instructions before.
fn lost_block(
    violation: &ReplayedViolation,
    executable: &Executable<'_>,
    settings: &Settings,
) -> Option<(u64, u64)> {
    let block = violation.block().filter(|_| violation.part() == Part::ValidMemtrack)?;
    let loss = locate_loss(executable, settings, violation.inputs(), block.serial)?;
    Some((block.serial, loss.step))
}

fn mark(violation: &ReplayedViolation) -> Option<Mark> {
    if let Some(block) = violation.block() {
        return Some(Mark { block: block.serial, offset: 0, size: 0 });
    }
    let fault = violation.report().fault()?;
    let block = fault.blocks.first()?;
    let size = match fault.access {
        Some(Access::Read { size } | Access::Write { size }) => size,
        Some(Access::Free | Access::Call) | None => 0,
    };
    Some(Mark { block: block.serial, offset: block.offset, size })
}

/// Whether a run ended by what the program did wrong.
pub(crate) fn is_fault(outcome: Option<&Outcome>) -> bool {
    match outcome {
        Some(Outcome::Fault(_)) => true,
        Some(
            Outcome::Exited(_)
            | Outcome::Aborted
            | Outcome::Returned
            | Outcome::AssumptionFailed
            | Outcome::Unsupported { .. }
            | Outcome::Limit(_),
        )
        | None => false,
    }
}
