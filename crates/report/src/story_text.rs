//! How a violation comes about, for people: a line a step, wrapped where the terminal is narrow.

use heapwright_trace::{Trace, printable};

use crate::check::ViolationReport;
use crate::check_text::{TextStyle, line, section};
use crate::story::Step;
use crate::wrap::hanging;

/// Columns that what a step does needs beside its text; with fewer it stands below.
const LEAST_RESULT: usize = 32;

/// The steps on which the fault depends, or all.
pub(crate) fn story(text: &mut String, violation: &ViolationReport, style: TextStyle) {
    let palette = style.palette;
    // The fault alone is in the snippet already.
    if violation.story.len() <= 1 && !style.full_trace {
        return;
    }
    let steps = match (&violation.trace, style.full_trace) {
        (Some(trace), true) => full_steps(trace),
        (Some(_) | None, _) => violation.story.clone(),
    };
    let title = match &violation.trace {
        Some(trace) if !style.full_trace && trace.steps.len() > steps.len() => {
            let at_least = if trace.is_cut { "the last " } else { "" };
            let all = trace.steps.len();
            format!(
                "how it comes about ({} of {at_least}{all} steps; --full-trace shows all)",
                steps.len()
            )
        }
        Some(_) | None => "how it comes about".to_owned(),
    };
    section(text, &title, palette);
    let main = violation.fault.place.as_ref().map_or("", |place| place.file.as_str());
    let place = |step: &Step| match step.place.file == main {
        true => format!("line {}", step.place.line),
        false => step.place.to_string(),
    };
    let places: Vec<String> = steps.iter().map(place).collect();
    let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let place_width = widest(&mut places.iter().map(String::len));
    let text_of = |step: &Step| cut(&printable(&step.text), 40);
    let text_width = widest(&mut steps.iter().map(|step| text_of(step).chars().count()));
    let number_width = steps.len().to_string().len();
    for (number, (step, place)) in steps.iter().zip(&places).enumerate() {
        let number = number + 1;
        let words = text_of(step);
        let result = printable(&step.result);
        let before =
            format!("  {number:number_width$}. {place:place_width$}  {words:text_width$}  ");
        let is_narrow = before.chars().count() + LEAST_RESULT > palette.width;
        match is_narrow && !result.is_empty() {
            true => {
                line(text, before.trim_end());
                let indent = " ".repeat(number_width + 4);
                text.push_str(&hanging(&indent, &result, palette.width));
            }
            false => text.push_str(&hanging(&before, &result, palette.width)),
        }
    }
}

/// Every step of a trace, as a story tells it.
fn full_steps(trace: &Trace) -> Vec<Step> {
    trace.full_story().into_iter().map(|told| Step::of(trace, &told)).collect()
}

/// At most so many characters.
fn cut(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => format!("{}…", text.chars().take(most - 1).collect::<String>()),
        false => text.to_owned(),
    }
}
