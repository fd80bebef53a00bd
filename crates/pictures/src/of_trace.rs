//! Scenes of a run: calls with their variables, blocks with their fields, and what changed.

use std::collections::BTreeSet;

use heapwright_trace::{Block, Frame, Life, Mark, State, Step, Storage, Trace, Value, Variable};

use crate::lost::Lost;
use crate::relevance::relevant_blocks;
use crate::scene::{Card, Kind, Look, Row, Scene, Shown, Tone};

/// Rows of a card; cells of a strip.
const MOST_ROWS: usize = 8;
const MOST_CELLS: usize = 12;

/// A scene for each step of a trace.
#[must_use]
pub fn scenes_of_trace(trace: &Trace) -> Vec<Scene> {
    let relevant = relevant_blocks(trace);
    (0..trace.steps.len()).map(|step| scene(trace, step, &relevant)).collect()
}

/// What is to be seen after a step. The fault is marked in the last one.
#[must_use]
pub fn scene_of_step(trace: &Trace, number: usize) -> Scene {
    scene(trace, number, &relevant_blocks(trace))
}

fn scene(trace: &Trace, number: usize, relevant: &BTreeSet<u64>) -> Scene {
    let step = &trace.steps[number];
    let before = number.checked_sub(1).map(|number| &trace.steps[number].state);
    let is_last = number + 1 == trace.steps.len();
    let mark = trace.mark.as_ref().filter(|_| is_last);
    let lost = Lost::of(step);
    let mut scene = Scene {
        title: format!("Step {} of {}, line {}", number + 1, trace.steps.len(), step.place.line),
        ..Scene::default()
    };
    frames(&mut scene, step, before);
    let shown = step.state.blocks.iter().filter(|block| is_drawn(&step.state, block));
    let (drawn, rest): (Vec<_>, Vec<_>) = shown.partition(|block| relevant.contains(&block.serial));
    for block in drawn {
        let old = before.and_then(|state| state.block(block.serial));
        scene.cards.push(card(&step.state, block, old.map(|old| &**old), mark, &lost));
    }
    if !rest.is_empty() {
        scene.notes.push(format!("… and {} more blocks", rest.len()));
    }
    scene
}

/// Heap blocks always; others if they are structured, or something points to them.
fn is_drawn(state: &State, block: &Block) -> bool {
    let is_pointed = || {
        let cells = state.blocks.iter().flat_map(|block| &block.cells).map(|cell| &cell.value);
        let mut values = state.variables().map(|variable| &variable.value).chain(cells);
        values.any(|value| value.target().is_some_and(|(serial, _)| serial == block.serial))
    };
    match block.storage {
        Storage::Heap => true,
        Storage::Stack | Storage::Static => block.life == Life::Alive || is_pointed(),
        Storage::String => is_pointed(),
    }
}

fn frames(scene: &mut Scene, step: &Step, before: Option<&State>) {
    if !step.state.globals.is_empty() {
        let old = before.map_or(&[][..], |state| &state.globals);
        let rows = variables(&step.state, &step.state.globals, old);
        scene.frames.push(frame_card("globals", "", Look::Plain, rows));
    }
    let innermost = step.state.frames.len().saturating_sub(1);
    for (index, frame) in step.state.frames.iter().enumerate() {
        let old = before.and_then(|state| state.frames.get(index));
        let old = old.filter(|old| old.function == frame.function);
        let old = old.map_or(&[][..], |old: &Frame| &old.variables);
        let rows = variables(&step.state, &frame.variables, old);
        let line =
            frame.place.as_ref().map_or(String::new(), |place| format!("line {}", place.line));
        let look = if index == innermost { Look::Current } else { Look::Plain };
        scene.frames.push(frame_card(&frame.function, &line, look, rows));
    }
}

fn frame_card(title: &str, note: &str, look: Look, rows: Vec<Row>) -> Card {
    Card {
        id: title.to_owned(),
        title: title.to_owned(),
        note: note.to_owned(),
        kind: Kind::One,
        look,
        group: String::new(),
        rows,
        pills: Vec::new(),
    }
}

fn variables(state: &State, variables: &[Variable], before: &[Variable]) -> Vec<Row> {
    let row = |variable: &Variable| {
        let old = before.iter().find(|old| old.name == variable.name);
        Row {
            name: variable.name.clone(),
            shown: shown(state, &variable.value, false),
            is_changed: old.is_none_or(|old| old.value != variable.value),
            is_hit: false,
            is_ahead: false,
        }
    };
    variables.iter().map(row).collect()
}

fn shown(state: &State, value: &Value, is_gone: bool) -> Shown {
    match value {
        Value::Number { text } | Value::Address { text } => Shown::Text(text.clone()),
        Value::Function { name } => Shown::Text(format!("{name}()")),
        Value::Null => Shown::Null,
        Value::Uninitialised => Shown::Uninitialised,
        Value::Pointer { block, offset } | Value::Dangling { block, offset } => {
            if state.block(*block).is_none() {
                return Shown::Text("dangling".to_owned());
            }
            let inside = (*offset != 0).then(|| place_inside(state, *block, *offset));
            let is_stale = is_gone || matches!(value, Value::Dangling { .. });
            Shown::Link { target: card_id(*block), inside, is_stale }
        }
    }
}

fn place_inside(state: &State, serial: u64, offset: i64) -> String {
    let block = state.block(serial);
    let cell = block
        .and_then(|block| block.cells.iter().find(|cell| i64::try_from(cell.offset) == Ok(offset)));
    cell.map_or_else(|| format!("{offset:+}"), |cell| cell.name.clone())
}

fn card_id(serial: u64) -> String {
    format!("block {serial}")
}

fn card(
    state: &State,
    block: &Block,
    before: Option<&Block>,
    mark: Option<&Mark>,
    lost: &Lost,
) -> Card {
    let is_gone = block.life != Life::Alive;
    let mark = mark.filter(|mark| mark.block == block.serial);
    let lost = lost.words(block.serial);
    let mut rows: Vec<Row> = Vec::new();
    for (index, cell) in block.cells.iter().enumerate() {
        let old = before.and_then(|old| old.cells.get(index));
        rows.push(Row {
            name: cell.name.clone(),
            shown: shown(state, &cell.value, is_gone),
            is_changed: old.is_none_or(|old| old.value != cell.value),
            is_hit: mark.is_some_and(|mark| is_touched(mark, cell.offset, cell.size)),
            is_ahead: false,
        });
    }
    let is_strip = rows.len() > 1
        && block.cells.iter().all(|cell| cell.name.starts_with('[') && cell.name.ends_with(']'))
        && rows.iter().all(|row| row.shown.target().is_none());
    if let Some(ghost) = mark.and_then(|mark| outside(mark, block, is_strip)) {
        rows.push(ghost);
    }
    let rows = match is_strip {
        true => fewer(rows, MOST_CELLS, "⋯"),
        false => fewer(rows, MOST_ROWS, "more fields"),
    };
    let note = number_of(&block.name);
    Card {
        id: card_id(block.serial),
        title: match (&block.ty, block.storage) {
            (Some(ty), Storage::Heap) => ty.clone(),
            (Some(ty), Storage::Stack | Storage::Static) => format!("{}: {ty}", block.name),
            (Some(_) | None, Storage::String) => "string".to_owned(),
            (None, Storage::Heap) => format!("{} bytes", block.size),
            (None, Storage::Stack | Storage::Static) => block.name.clone(),
        },
        note,
        kind: if is_strip { Kind::Strip } else { Kind::One },
        look: match (is_gone, lost.is_some()) {
            (true, _) => Look::Gone,
            (false, true) => Look::Lost,
            (false, false) => Look::Plain,
        },
        group: block.ty.clone().unwrap_or_else(|| format!("{} bytes", block.size)),
        rows,
        pills: pills(block, lost),
    }
}

/// `#3` of `node #3`
fn number_of(name: &str) -> String {
    name.rfind('#').map_or(String::new(), |at| name[at..].to_owned())
}

fn pills(block: &Block, lost: Option<&str>) -> Vec<(Tone, String)> {
    let line = block.released.as_ref().map(|place| place.line);
    let gone = match (block.life, line) {
        (Life::Alive, _) => None,
        (Life::Freed, Some(line)) => Some(format!("freed at line {line}")),
        (Life::Freed, None) => Some("freed".to_owned()),
        (Life::OutOfScope, _) => Some("out of scope".to_owned()),
    };
    let lost = lost.map(str::to_owned);
    gone.into_iter().chain(lost).map(|words| (Tone::Bad, words)).collect()
}

fn is_touched(mark: &Mark, offset: u64, size: u64) -> bool {
    let (start, end) = (i128::from(offset), i128::from(offset) + i128::from(size));
    let first = i128::from(mark.offset);
    mark.size > 0 && first < end && start < first + i128::from(mark.size)
}

/// A row for what a fault touches outside a block.
fn outside(mark: &Mark, block: &Block, is_strip: bool) -> Option<Row> {
    let is_outside = mark.size > 0
        && (mark.offset < 0 || mark.offset as u64 + mark.size > block.size)
        && block.life == Life::Alive;
    let element = block.cells.first().map_or(1, |cell| cell.size.max(1)) as i64;
    let name = match is_strip && mark.offset % element == 0 {
        true => format!("[{}]", mark.offset / element),
        false => format!("{} bytes in, past the end", mark.offset),
    };
    is_outside.then(|| Row {
        name,
        shown: Shown::Text("outside".to_owned()),
        is_changed: false,
        is_hit: true,
        is_ahead: false,
    })
}

/// The first rows, those that matter, and the last one; what is left out is said.
fn fewer(rows: Vec<Row>, most: usize, words: &str) -> Vec<Row> {
    if rows.len() <= most {
        return rows;
    }
    let count = rows.len();
    let is_needed = |row: &Row| row.is_hit || row.shown.target().is_some();
    let mut kept: Vec<bool> = rows.iter().map(is_needed).collect();
    let mut room = (most - 1).saturating_sub(kept.iter().filter(|kept| **kept).count());
    let order = std::iter::once(count - 1).chain(0..count);
    for index in order {
        if room > 0 && !kept[index] {
            kept[index] = true;
            room -= 1;
        }
    }
    let mut fewer = Vec::new();
    let mut gap = 0;
    for (row, is_kept) in rows.into_iter().zip(kept) {
        if !is_kept {
            gap += 1;
            continue;
        }
        if gap > 0 {
            fewer.push(Row::new(words, Shown::Remark(gap.to_string())));
            gap = 0;
        }
        fewer.push(row);
    }
    if gap > 0 {
        fewer.push(Row::new(words, Shown::Remark(gap.to_string())));
    }
    fewer
}
