//! The story: of all steps, the few that a reader needs, found backwards from the fault.
//!
//! Needed are what happened to the block in question, where the variables that now point to it (or to
//! nothing) got their values, the calls that are under way, and the last decisions; a step of a loop
//! is told once.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::source::Sources;
use crate::step::{Event, Trace};

/// Steps of a story, the fault itself included.
const LONGEST: usize = 10;
/// Calls under way that are told.
const MOST_CALLS: usize = 3;

/// A step of the story.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoryStep {
    /// Its index in the trace.
    pub step: usize,
    /// What it does, as the source has it where that is short.
    pub text: String,
    /// What is then so: `head is node #3`.
    pub result: String,
}

/// The steps that lead to the end of a trace, in order.
pub(crate) fn story(trace: &Trace, sources: &mut Sources) -> Vec<StoryStep> {
    let Some(last) = trace.steps.len().checked_sub(1) else { return Vec::new() };
    let mut chosen: BTreeSet<usize> = BTreeSet::from([last]);
    let add = |steps: Vec<usize>, chosen: &mut BTreeSet<usize>| {
        for step in steps {
            if chosen.len() < LONGEST {
                chosen.insert(step);
            }
        }
    };
    add(block_steps(trace), &mut chosen);
    add(pointer_steps(trace, sources), &mut chosen);
    add(calls_under_way(trace), &mut chosen);
    add(input_steps(trace), &mut chosen);
    add(last_decisions(trace), &mut chosen);
    let rounds = rounds(trace);
    let told = |step: usize| {
        let item = &trace.steps[step];
        let result = item.result.clone();
        let round = rounds.get(&step).filter(|round| **round > 1 && step != last);
        let result = match round {
            Some(round) if result.is_empty() => format!("for the {} time", ordinal(*round)),
            Some(round) => format!("{result}, for the {} time", ordinal(*round)),
            None => result,
        };
        StoryStep { step, text: item.text.clone(), result }
    };
    chosen.into_iter().map(told).collect()
}

/// Where the fault's block was made, freed and lost.
fn block_steps(trace: &Trace) -> Vec<usize> {
    let Some(mark) = &trace.mark else { return Vec::new() };
    let is_about = |event: &Event| match event {
        Event::Allocate { block } | Event::Free { block } | Event::Lose { block } => {
            *block == mark.block
        }
        Event::Decision { .. }
        | Event::Assign { .. }
        | Event::Call { .. }
        | Event::Return { .. }
        | Event::Input { .. }
        | Event::Fault => false,
    };
    let steps = trace.steps.iter().enumerate();
    steps.filter(|(_, step)| step.events.iter().any(is_about)).map(|(index, _)| index).collect()
}

/// Where the variables of the faulting line got their values, the last one first.
fn pointer_steps(trace: &Trace, sources: &mut Sources) -> Vec<usize> {
    let last = trace.steps.last().expect("not empty");
    let line = sources.file(&last.place.file).and_then(|text| text.line(last.place.line));
    let line = line.unwrap_or_default().to_owned();
    let Some(frame) = last.state.frames.last() else { return Vec::new() };
    let is_used = |name: &str| words_of(&line).any(|word| word == name);
    let mut steps = Vec::new();
    for variable in frame.variables.iter().filter(|variable| is_used(&variable.name)) {
        let is_it = |event: &Event| matches!(event, Event::Assign { variable: name } if *name == variable.name);
        let before = trace.steps.iter().enumerate().rev().skip(1);
        let mut writes = before.filter(|(_, step)| {
            step.depth == last.depth
                && step.function == last.function
                && step.events.iter().any(is_it)
        });
        steps.extend(writes.next().map(|(index, _)| index));
    }
    steps.sort_unstable_by(|one, other| other.cmp(one));
    steps
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !(character.is_alphanumeric() || character == '_'))
}

/// The last calls without a return, innermost first.
fn calls_under_way(trace: &Trace) -> Vec<usize> {
    let mut open = Vec::new();
    for (index, step) in trace.steps.iter().enumerate() {
        for event in &step.events {
            match event {
                Event::Call { .. } => open.push(index),
                Event::Return { .. } => {
                    open.pop();
                }
                Event::Decision { .. }
                | Event::Assign { .. }
                | Event::Allocate { .. }
                | Event::Free { .. }
                | Event::Input { .. }
                | Event::Lose { .. }
                | Event::Fault => {}
            }
        }
    }
    open.into_iter().rev().take(MOST_CALLS).collect()
}

/// The last inputs.
fn input_steps(trace: &Trace) -> Vec<usize> {
    let steps = trace.steps.iter().enumerate().rev();
    let inputs = steps
        .filter(|(_, step)| step.events.iter().any(|event| matches!(event, Event::Input { .. })));
    inputs.map(|(index, _)| index).take(2).collect()
}

/// The last time of each decision, the latest first.
fn last_decisions(trace: &Trace) -> Vec<usize> {
    let mut last: BTreeMap<(String, u32, u32, bool), usize> = BTreeMap::new();
    for (index, step) in trace.steps.iter().enumerate() {
        for event in &step.events {
            if let Event::Decision { truth, place, .. } = event {
                last.insert((place.file.clone(), place.line, place.column, *truth), index);
            }
        }
    }
    let mut steps: Vec<usize> = last.into_values().collect();
    steps.sort_unstable_by(|one, other| other.cmp(one));
    steps
}

/// For the how many-th time a step's line does what it does there.
fn rounds(trace: &Trace) -> BTreeMap<usize, usize> {
    let mut counts: BTreeMap<(String, u32, Vec<&str>), usize> = BTreeMap::new();
    let mut rounds = BTreeMap::new();
    for (index, step) in trace.steps.iter().enumerate() {
        let done = step.events.iter().map(|event| match event {
            Event::Decision { truth: true, .. } => "true",
            Event::Decision { truth: false, .. } => "false",
            Event::Assign { .. } => "assign",
            Event::Allocate { .. } => "allocate",
            Event::Free { .. } => "free",
            Event::Call { .. } => "call",
            Event::Return { .. } => "return",
            Event::Input { .. } => "input",
            Event::Lose { .. } | Event::Fault => "end",
        });
        let key = (step.place.file.clone(), step.place.line, done.collect());
        let count = counts.entry(key).or_insert(0);
        *count += 1;
        rounds.insert(index, *count);
    }
    rounds
}

/// `3rd`
#[must_use]
pub fn ordinal(number: usize) -> String {
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
