//! The report in a browser: one file that needs no network and runs nothing that a source file says.
//!
//! All text passes [`escaped`]; the page's one script is allowed by its hash, and data is handed to it
//! as JSON in which no markup can begin. `markup` has the parts of the page, `source` the listing, `proof` what
//! holds, `flow` the control flow, `failure` where a proof failed.

mod failure;
mod flow;
mod index;
mod markup;
mod proof;
mod source;

pub use self::index::{IndexRow, index_html};

use heapwright_pictures::{PAGE_COLOURS, PAGE_COLOURS_DARK, PICTURE_STYLE, escaped};
use heapwright_trace::{Sources, Trace};
use serde::Serialize;

use crate::check::{Answer, CheckReport};
use crate::digest::{base64, sha256};

const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = include_str!("page.css");

/// Steps that a page has; of a longer trace the last ones.
const MOST_STEPS: usize = 400;

/// What the script gets.
#[derive(Default, Serialize)]
struct Data {
    steps: Vec<StepData>,
}

#[derive(Serialize)]
struct StepData {
    /// The number of its file on the page.
    file: usize,
    line: u32,
    text: String,
    result: String,
}

/// The page of a check.
#[must_use]
pub fn check_html(report: &CheckReport, version: &str) -> String {
    let trace = match &report.answer {
        Answer::Violated(violation) => violation.trace.as_ref().map(last_steps),
        Answer::Holds { .. } | Answer::Unknown { .. } | Answer::InputError { .. } => None,
    };
    let mut sources = Sources::default();
    let files = source::files(report, trace.as_ref());
    let data = data(trace.as_ref(), &files);
    let body = markup::body(report, trace.as_ref(), &files, &mut sources, version);
    let title = format!("{}: {}", markup::verdict(&report.answer), report.files.join(", "));
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'; img-src data:; \
         base-uri 'none'; form-action 'none'",
        base64(&sha256(SCRIPT.as_bytes()))
    );
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>{}</title>\n<style>\n:root{{{PAGE_COLOURS}}}\n\
         @media (prefers-color-scheme:dark){{:root{{{PAGE_COLOURS_DARK}}}}}\n\
         :root[data-theme=light]{{{PAGE_COLOURS}}}\n:root[data-theme=dark]{{{PAGE_COLOURS_DARK}}}\n\
         {STYLE}{PICTURE_STYLE}</style>\n</head>\n<body>\n{body}\
         <script type=\"application/json\" id=\"data\">{}</script>\n<script>{SCRIPT}</script>\n\
         </body>\n</html>\n",
        escaped(&title),
        json(&data)
    )
}

/// The trace without the beginning of a long one. Positions are then those of the steps that stay.
fn last_steps(trace: &Trace) -> Trace {
    let dropped = trace.steps.len().saturating_sub(MOST_STEPS);
    let mut trace = trace.clone();
    trace.steps.drain(..dropped);
    trace.story.retain(|told| told.step >= dropped);
    trace.story.iter_mut().for_each(|told| told.step -= dropped);
    trace.is_cut |= dropped > 0;
    trace
}

fn data(trace: Option<&Trace>, files: &[String]) -> Data {
    let Some(trace) = trace else { return Data::default() };
    let printable = heapwright_trace::printable;
    let step = |step: &heapwright_trace::Step| StepData {
        file: files.iter().position(|file| *file == step.place.file).unwrap_or(usize::MAX),
        line: step.place.line,
        text: printable(&step.text),
        result: printable(&step.result),
    };
    Data { steps: trace.steps.iter().map(step).collect() }
}

/// JSON that can stand in a page: no tag and no comment can begin in it.
fn json(data: &Data) -> String {
    let text = serde_json::to_string(data).expect("plain data");
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                safe.push_str(&format!("\\u{:04x}", character as u32));
            }
            character => safe.push(character),
        }
    }
    safe
}
