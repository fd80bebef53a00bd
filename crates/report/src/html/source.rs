//! The listing: source lines with what there is to say about them below.

use std::collections::BTreeSet;
use std::fmt::Write;

use heapwright_pictures::escaped;
use heapwright_trace::{Sources, Trace};

use super::markup::prose;
use crate::check::{Answer, CheckReport};
use crate::position::Label;
use crate::proof::ProofPlace;

/// Lines of a file that are all shown; of a larger one those around what is said.
const MOST_LINES: usize = 5000;
const AROUND: u32 = 200;
/// Characters of a line.
const MOST_CHARACTERS: usize = 400;

/// The files that the page lists, the one of the fault first.
pub(super) fn files(report: &CheckReport, trace: Option<&Trace>) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    let mut add = |file: &str| {
        if !files.iter().any(|known| known == file) {
            files.push(file.to_owned());
        }
    };
    if let Answer::Violated(violation) = &report.answer {
        violation.fault.labels.iter().for_each(|label| add(&label.position.file));
    }
    trace.iter().flat_map(|trace| &trace.steps).for_each(|step| add(&step.place.file));
    report.places.iter().filter_map(|place| place.file.as_deref()).for_each(&mut add);
    report.files.iter().for_each(|file| add(file));
    files
}

/// What there is to say about lines.
pub(super) struct Said<'r> {
    /// Of a violation, or reasons; the first is what it is about.
    pub(super) labels: &'r [Label],
    /// Of a proof, by their numbers on the page.
    pub(super) places: &'r [ProofPlace],
}

/// The lines of a file; nothing where it cannot be read.
pub(super) fn listing(
    number: usize,
    file: &str,
    said: &Said<'_>,
    marked: &BTreeSet<u32>,
    sources: &mut Sources,
) -> String {
    let Some(source) = sources.file(file) else {
        return format!("<p class=\"mute\">{} cannot be read any more.</p>\n", escaped(file));
    };
    let is_long = source.lines().count() > MOST_LINES;
    let is_shown = |line: u32| !is_long || marked.iter().any(|it| it.abs_diff(line) <= AROUND);
    let mut text = format!("<ol class=\"source\" aria-label=\"{}\">\n", escaped(file));
    let mut is_gap = false;
    for (line, content) in (1u32..).zip(source.lines()) {
        if !is_shown(line) {
            is_gap = true;
            continue;
        }
        if std::mem::take(&mut is_gap) {
            text.push_str("<li class=\"mute\"><span class=\"n\">⋯</span></li>\n");
        }
        let content: String = content.chars().take(MOST_CHARACTERS).collect();
        writeln!(
            text,
            "<li id=\"F{number}L{line}\"><span class=\"n\">{line}</span><span>{}</span></li>",
            escaped(&content)
        )
        .expect("a string takes everything");
        for (index, label) in said.labels.iter().enumerate() {
            if label.position.file == file && label.position.line == line {
                let class = if index == 0 { "label first" } else { "label" };
                writeln!(text, "<li class=\"{class}\">↑ {}</li>", prose(&label.text))
                    .expect("a string takes everything");
            }
        }
        for (index, place) in said.places.iter().enumerate() {
            if place.file.as_deref() == Some(file) && place.line == Some(line) {
                let cases = match place.cases.len() {
                    1 => "one case".to_owned(),
                    count => format!("{count} cases"),
                };
                writeln!(
                    text,
                    "<li class=\"label\">↑ <a href=\"#place-{index}\">what holds here: {cases}</a></li>"
                )
                .expect("a string takes everything");
            }
        }
    }
    text.push_str("</ol>\n");
    text
}
