//! Steps in words: what a step does, as it is written, and what is then so.

use std::sync::Arc;

use crate::source::Sources;
use crate::state::{Block, Life, State, Storage, Value};
use crate::step::{Event, Step, Trace};

/// Fields whose new values are told; a step that writes more is a copy of a whole block.
const MOST_FIELDS: usize = 2;

/// Puts every step into words.
pub(crate) fn tell(trace: &mut Trace, sources: &mut Sources) {
    let last = trace.steps.len().saturating_sub(1);
    for index in 0..trace.steps.len() {
        let step = &trace.steps[index];
        let result = match (index == last, has_lost(step)) {
            // The fault is told by those who know it.
            (true, false) => String::new(),
            (true, true) | (false, _) => {
                let before = index.checked_sub(1).map(|before| &trace.steps[before].state);
                result(trace, before, step)
            }
        };
        let text = text(step, sources);
        (trace.steps[index].text, trace.steps[index].result) = (text, result);
    }
}

fn has_lost(step: &Step) -> bool {
    step.events.iter().any(|event| matches!(event, Event::Lose { .. }))
}

fn text(step: &Step, sources: &mut Sources) -> String {
    let call = step.events.iter().rev().find_map(|event| {
        let Event::Call { function, arguments } = event else { return None };
        Some(format!("calls `{function}({})`", arguments.join(", ")))
    });
    let line = || {
        let line = sources.file(&step.place.file).and_then(|file| file.line(step.place.line))?;
        Some(without_comment(line).trim().trim_end_matches('{').trim().to_owned())
    };
    call.or_else(line).unwrap_or_default()
}

fn without_comment(line: &str) -> &str {
    let end = ["//", "/*"].into_iter().filter_map(|mark| line.find(mark)).min();
    &line[..end.unwrap_or(line.len())]
}

fn result(trace: &Trace, before: Option<&State>, step: &Step) -> String {
    let state = &step.state;
    let name = |serial: u64| block_name(trace, state, serial);
    let mut results = Vec::new();
    for event in &step.events {
        match event {
            Event::Decision { written, truth, .. } => {
                let truth = if *truth { "true" } else { "false" };
                results.push(format!("`{written}` is {truth}"));
            }
            Event::Allocate { block } => results.push(format!("{} is allocated", name(*block))),
            Event::Free { block } => results.push(format!("{} is freed", name(*block))),
            Event::Lose { block } => {
                results.push(format!("{} can no longer be reached", name(*block)));
            }
            Event::Return { .. } => results.push("returns".to_owned()),
            Event::Input { name, value } => results.push(format!("`{name}` gives {value}")),
            Event::Assign { variable } => {
                results.retain(|result: &String| !result.starts_with(&format!("`{variable}` is ")));
                results.extend(assigned(trace, state, variable));
            }
            Event::Call { .. } | Event::Fault => {}
        }
    }
    if results.is_empty() {
        results = before.map_or(Vec::new(), |before| written_fields(trace, before, state));
    }
    results.join(", ")
}

/// `head` is node #3
fn assigned(trace: &Trace, state: &State, variable: &str) -> Option<String> {
    let found = state.variables().find(|known| known.name == *variable)?;
    Some(format!("`{variable}` is {}", value_name(trace, state, &found.value)?))
}

/// `next` of node #3 is NULL
fn written_fields(trace: &Trace, before: &State, state: &State) -> Vec<String> {
    let mut fields = Vec::new();
    for block in state.blocks.iter().filter(|block| block.storage == Storage::Heap) {
        let old = before.block(block.serial).filter(|old| !Arc::ptr_eq(old, block));
        fields.extend(old.into_iter().flat_map(|old| changes(trace, state, old, block)));
    }
    match fields.len() > MOST_FIELDS {
        true => Vec::new(),
        false => fields,
    }
}

fn changes(trace: &Trace, state: &State, old: &Block, block: &Block) -> Vec<String> {
    let known = |offset: u64| old.cells.iter().find(|cell| cell.offset == offset);
    let is_new = |offset: u64, value: &Value| known(offset).is_none_or(|old| old.value != *value);
    let changed = block.cells.iter().filter(|cell| is_new(cell.offset, &cell.value));
    let told = changed.filter_map(|cell| {
        let value = value_name(trace, state, &cell.value)?;
        Some(format!("`{}` of {} is {value}", cell.name, block.name))
    });
    told.collect()
}

fn value_name(trace: &Trace, state: &State, value: &Value) -> Option<String> {
    let name = match value {
        Value::Number { text } | Value::Address { text } => text.clone(),
        Value::Null => "NULL".to_owned(),
        Value::Pointer { block, .. } => block_name(trace, state, *block),
        Value::Dangling { block, .. } => {
            let is_freed = state.block(*block).is_none_or(|block| block.life == Life::Freed);
            let how = if is_freed { "freed" } else { "out of scope" };
            format!("{}, which is {how}", block_name(trace, state, *block))
        }
        Value::Function { name } => name.clone(),
        Value::Uninitialised => return None,
    };
    Some(name)
}

fn block_name(trace: &Trace, state: &State, serial: u64) -> String {
    let later = trace.steps.iter().find_map(|step| step.state.block(serial));
    let block = state.block(serial).or(later);
    block.map_or_else(|| "the block".to_owned(), |block| block.name.clone())
}
