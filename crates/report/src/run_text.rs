//! What `run` writes to standard error when a program ends.

use std::fmt::Write;

use crate::fault::FaultReport;
use crate::palette::Palette;
use crate::position::Position;
use crate::run::{Ending, RunSummary};
use crate::snippet::render;
use heapwright_trace::Sources;

/// Callers that are listed.
const MOST_FRAMES: usize = 10;

/// Empty for a program that ends as it should, unless more is asked for.
#[must_use]
pub fn run_text(summary: &RunSummary, is_verbose: bool, palette: Palette) -> String {
    let mut text = String::new();
    match &summary.ending {
        Ending::Exited { .. } | Ending::Aborted => {}
        Ending::AssumptionFailed => {
            text.push_str("an assumption of the task failed: this execution does not count\n");
        }
        Ending::Fault(fault) => text.push_str(&fault_text(fault, palette)),
        Ending::Unsupported { construct, place } => {
            line(&mut text, &format!("unsupported: {construct}{}", at(place.as_ref())));
        }
        Ending::Limit { message } => line(&mut text, &format!("limit: {message}")),
        Ending::Cancelled => line(&mut text, "interrupted"),
    }
    if !summary.further_leaks.is_empty() {
        let more = summary.further_leaks.len();
        line(&mut text, &format!("note: {more} more blocks are lost; --verbose lists them"));
    }
    if summary.inputs_exhausted {
        line(&mut text, "note: the program drew more inputs than were given; the rest were 0");
    }
    if is_verbose {
        verbose(&mut text, summary);
    }
    text
}

fn fault_text(fault: &FaultReport, palette: Palette) -> String {
    let head = format!("fault: {}{}", fault.kind, at(fault.place.as_ref()));
    let mut sources = Sources::default();
    let mut text = format!("{}\n", palette.bad(&head));
    text.push_str(&render("error", &fault.message, &fault.labels, &mut sources, palette));
    text.push('\n');
    for block in &fault.blocks {
        let (serial, name, size, life) = (block.serial, &block.name, block.size, block.life);
        line(&mut text, &format!("block {serial}: {name}, {size} bytes, {life}"));
    }
    let callers = fault.stack.iter().skip(1);
    for frame in callers.clone().take(MOST_FRAMES) {
        line(&mut text, &format!("in `{}`{}", frame.function, at(frame.place.as_ref())));
    }
    let more = callers.count().saturating_sub(MOST_FRAMES);
    if more > 0 {
        line(&mut text, &format!("… and {more} more calls"));
    }
    text
}

fn verbose(text: &mut String, summary: &RunSummary) {
    for leak in &summary.further_leaks {
        line(text, &format!("note: lost: {}", allocation(leak)));
    }
    for block in &summary.unfreed {
        line(text, &format!("note: not freed but still pointed to: {}", allocation(block)));
    }
    for note in &summary.notes {
        line(text, &format!("note: {} at {}", note.text, note.position));
    }
    for input in &summary.inputs {
        let place = at(input.place.as_ref());
        line(text, &format!("note: input {} = {}{place}", input.name, input.value));
    }
    if summary.uninitialised_reads > 0 {
        let count = summary.uninitialised_reads;
        line(text, &format!("note: {count} uninitialised bytes were read"));
    }
    line(text, &format!("note: {} steps", summary.steps));
}

fn allocation(report: &FaultReport) -> String {
    let block = report.blocks.first();
    let size = block.map_or(0, |block| block.size);
    let place = block.and_then(|block| block.allocated.as_ref());
    format!("{size} bytes allocated{}", at(place))
}

fn at(place: Option<&Position>) -> String {
    place.map_or(String::new(), |place| format!(" at {place}"))
}

fn line(text: &mut String, content: &str) {
    writeln!(text, "{content}").expect("a string takes everything");
}
