//! The story: of the thousands of events of a run, the few that a reader needs.
//!
//! Needed are the calls that are under way at the end and what happened to the blocks in question;
//! the rest of the room goes to the last decisions, each once however often a loop took it.

use std::collections::BTreeMap;

use heapwright_base::DenseId;
use heapwright_interpreter::{TraceEvent, TraceKind};
use heapwright_program::{Operation, Place, Program};
use serde::Serialize;

use crate::condition::condition_text;
use crate::fault::FaultReport;
use crate::position::Position;

/// One step of the story.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    pub place: Position,
    pub text: String,
}

/// Steps of a story, the fault itself included.
const LONGEST: usize = 8;
/// Calls under way that are shown.
const MOST_CALLS: usize = 3;

/// The steps that lead to a fault, in the order in which they happened, and the fault.
#[must_use]
pub(crate) fn story(program: &Program, trace: &[TraceEvent], fault: &FaultReport) -> Vec<Step> {
    let mut chosen: BTreeMap<usize, Step> = BTreeMap::new();
    let mut add = |index: usize, place: Place, text: String| {
        if chosen.len() + 1 < LONGEST
            && let Some(place) = Position::of(program, place)
        {
            chosen.entry(index).or_insert(Step { place, text });
        }
    };
    for (index, text) in block_events(program, trace, fault) {
        add(index, trace[index].place, text);
    }
    for index in calls_under_way(trace) {
        let TraceKind::Call(function) = trace[index].kind else { continue };
        add(index, trace[index].place, format!("calls `{}`", program.functions[function].name));
    }
    for (index, text) in last_decisions(program, trace) {
        add(index, trace[index].place, text);
    }
    let mut steps: Vec<Step> = chosen.into_values().collect();
    if let Some(first) = fault.labels.first() {
        // The decision that an assertion makes is the fault.
        steps.retain(|step| step.text != first.text);
        steps.push(Step { place: first.position.clone(), text: first.text.clone() });
    }
    steps
}

/// The allocation and the release of the fault's blocks. Which block an event is about is not in
/// the trace, so that it has to be the only one of its kind at its place.
fn block_events(
    program: &Program,
    trace: &[TraceEvent],
    fault: &FaultReport,
) -> Vec<(usize, String)> {
    let only = |kind: TraceKind, position: &Option<Position>| {
        let position = position.as_ref()?;
        let is_meant = |event: &TraceEvent| {
            event.kind == kind && Position::of(program, event.place).as_ref() == Some(position)
        };
        let mut events = trace.iter().enumerate().filter(|(_, event)| is_meant(event));
        let (index, _) = events.next()?;
        events.next().is_none().then_some(index)
    };
    let mut events = Vec::new();
    for block in &fault.blocks {
        let allocated = only(TraceKind::Allocate, &block.allocated);
        events.extend(allocated.map(|index| (index, "allocates the block".to_owned())));
        let released = only(TraceKind::Free, &block.released);
        // The release at the fault's own place is the fault.
        let released = released.filter(|_| block.released != fault.place);
        events.extend(released.map(|index| (index, "frees the block".to_owned())));
    }
    events
}

/// The last calls without a return, innermost first.
fn calls_under_way(trace: &[TraceEvent]) -> Vec<usize> {
    let mut open = Vec::new();
    for (index, event) in trace.iter().enumerate() {
        match event.kind {
            TraceKind::Call(_) => open.push(index),
            TraceKind::Return => {
                open.pop();
            }
            TraceKind::Decision | TraceKind::Allocate | TraceKind::Free | TraceKind::Input => {}
        }
    }
    open.into_iter().rev().take(MOST_CALLS).collect()
}

/// Decisions in the user's code, the last one first; each edge once.
fn last_decisions(program: &Program, trace: &[TraceEvent]) -> Vec<(usize, String)> {
    let mut counts: BTreeMap<(usize, usize), (usize, usize)> = BTreeMap::new();
    for (index, event) in trace.iter().enumerate() {
        let is_written = event.place.line > 0 && !program.files[event.place.file].is_model;
        if event.kind == TraceKind::Decision && is_written {
            let key = (event.function.index(), event.edge.index());
            let entry = counts.entry(key).or_insert((index, 0));
            *entry = (index, entry.1 + 1);
        }
    }
    let mut last: Vec<(usize, usize)> = counts.into_values().collect();
    last.sort_unstable_by(|one, other| other.cmp(one));
    let describe = |(index, count): (usize, usize)| {
        let text = decision_text(program, &trace[index])?;
        let again =
            if count > 1 { format!(" (for the {} time)", ordinal(count)) } else { String::new() };
        Some((index, format!("{text}{again}")))
    };
    last.into_iter().filter_map(describe).collect()
}

fn decision_text(program: &Program, event: &TraceEvent) -> Option<String> {
    let body = program.functions[event.function].body.as_ref()?;
    let operation = &body.edges[event.edge].operation;
    let Operation::Assume { condition, holds } = operation else { return None };
    let truth = if *holds { "true" } else { "false" };
    let condition = condition_text(program, body, *condition);
    Some(format!("`{condition}` is {truth}"))
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_are_english() {
        let words: Vec<String> = [1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal).to_vec();
        assert_eq!(words, ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th"]);
    }
}
