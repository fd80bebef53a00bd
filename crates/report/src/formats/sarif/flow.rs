//! The execution as a code flow: its steps in order, those of the story marked as essential.

use heapwright_trace::{Event, Sources, Step, Trace, Value};
use serde_json::{Map, Value as Json, json};

use super::place::physical;
use crate::position::Position;

/// Steps of a code flow beside those of the story; consumers show no more.
const MOST_STEPS: usize = 500;

pub(super) fn code_flow(trace: &Trace, sources: &mut Sources) -> Json {
    let first = trace.steps.len().saturating_sub(MOST_STEPS);
    let mut locations = Vec::new();
    for (index, step) in trace.steps.iter().enumerate() {
        let is_told = trace.story.iter().any(|told| told.step == index);
        if index >= first || is_told {
            locations.push(location(index, step, is_told, sources));
        }
    }
    json!({"threadFlows": [{"locations": locations}]})
}

fn location(index: usize, step: &Step, is_told: bool, sources: &mut Sources) -> Json {
    let place = &step.place;
    let position = Position { file: place.file.clone(), line: place.line, column: place.column };
    let words = match step.result.is_empty() {
        true => step.text.clone(),
        false => format!("{} — {}", step.text, step.result),
    };
    json!({
        "executionOrder": index + 1,
        "nestingLevel": step.depth.saturating_sub(1),
        "importance": if is_told { "essential" } else { "unimportant" },
        "kinds": kinds(step),
        "state": state(step),
        "location": {
            "message": {"text": words},
            "physicalLocation": physical(&position, place.end, sources),
            "logicalLocations": [{"name": step.function, "kind": "function"}],
        },
    })
}

/// What happens in a step, in the words of the standard.
fn kinds(step: &Step) -> Vec<&'static str> {
    let mut kinds: Vec<&str> = Vec::new();
    for event in &step.events {
        let words: &[&str] = match event {
            Event::Decision { truth: true, .. } => &["branch", "true"],
            Event::Decision { truth: false, .. } => &["branch", "false"],
            Event::Assign { .. } => &[],
            Event::Allocate { .. } => &["acquire", "memory"],
            Event::Free { .. } => &["release", "memory"],
            Event::Call { .. } => &["call", "function"],
            Event::Return { .. } => &["return", "function"],
            Event::Input { .. } => &["taint"],
            Event::Lose { .. } | Event::Fault => &["danger"],
        };
        kinds.extend(words);
    }
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// The variables of the call under way.
fn state(step: &Step) -> Json {
    let mut state = Map::new();
    for variable in step.state.frames.last().into_iter().flat_map(|frame| &frame.variables) {
        state.insert(variable.name.clone(), json!({"text": value_text(step, &variable.value)}));
    }
    Json::Object(state)
}

fn value_text(step: &Step, value: &Value) -> String {
    match value {
        Value::Number { text } | Value::Address { text } => text.clone(),
        Value::Null => "NULL".to_owned(),
        Value::Function { name } => name.clone(),
        Value::Uninitialised => "uninitialised".to_owned(),
        Value::Pointer { block, .. } | Value::Dangling { block, .. } => {
            let block = step.state.block(*block);
            block.map_or_else(|| "dangling".to_owned(), |block| block.name.clone())
        }
    }
}
