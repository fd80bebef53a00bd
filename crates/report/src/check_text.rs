//! The answer of `check` for people: what is wrong or proved, how it comes about, what to do next.

use std::fmt::Write;

use crate::check::{Answer, CheckReport, ProofCheck, ReasonReport, ViolationReport};
use crate::input::{InputArgument, InputReport};
use crate::palette::Palette;
use crate::snippet::{Sources, render};
use crate::verdict_line::reason_text;

/// The whole answer; ends with a newline. An input error has no text of its own: its diagnostics
/// are shown as they are.
#[must_use]
pub fn check_text(report: &CheckReport, palette: Palette) -> String {
    match &report.answer {
        Answer::Holds { summary, assumptions, invariants, proof_check } => {
            let mut text = holds(report, summary, proof_check, palette);
            assumed(&mut text, report, assumptions);
            for (number, invariant) in (1..).zip(invariants) {
                line(&mut text, &format!("invariant {number}:"));
                text.push_str(invariant);
            }
            text
        }
        Answer::Violated(violation) => violated(report, violation, palette),
        Answer::Unknown { reasons } => unknown(report, reasons, palette),
        Answer::InputError { .. } => String::new(),
    }
}

fn holds(report: &CheckReport, summary: &str, check: &ProofCheck, palette: Palette) -> String {
    let mut text = format!("{}: {}\n", palette.good("holds"), palette.bold(&parts(report)));
    line(&mut text, &format!("  {summary}"));
    line(&mut text, &format!("  {}; its own check accepts the proof", engine(report, "proved")));
    line(&mut text, &format!("  run: {}; none disagrees with the proof", check.summary));
    match check.not_exercised.as_slice() {
        [] => {}
        [first, rest @ ..] => {
            let more =
                if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            line(&mut text, &format!("  not run: {first}{more}"));
        }
    }
    text
}

fn violated(report: &CheckReport, violation: &ViolationReport, palette: Palette) -> String {
    let fault = &violation.fault;
    let positions = fault.labels.iter().map(|label| &label.position);
    let sources = Sources::read(positions.chain(violation.story.iter().map(|step| &step.place)));
    let title = format!("{} — {}", violation.part.name(), fault.message);
    let mut text = render("violated", &title, &fault.labels, &sources, palette);
    text.push('\n');
    // The fault alone is in the snippet already.
    if violation.story.len() > 1 {
        section(&mut text, "how it comes about", palette);
        let places = violation.story.iter().map(|step| step.place.to_string());
        let places: Vec<String> = places.collect();
        let width = places.iter().map(String::len).max().unwrap_or(0);
        for (number, (step, place)) in violation.story.iter().zip(&places).enumerate() {
            line(&mut text, &format!("  {}. {place:width$}  {}", number + 1, step.text));
        }
    }
    inputs(&mut text, &violation.inputs, palette);
    section(&mut text, "to see it again", palette);
    let is_short = violation.reproduce.len() <= LONGEST_COMMAND;
    let command = match is_short {
        true => &violation.reproduce,
        false => {
            "a long command, because of the inputs: it is in the output of `check --json`; or \
                  use `check --repro`"
        }
    };
    line(&mut text, &format!("  {command}"));
    if let Some(harness) = &violation.harness {
        let file = &harness.file;
        line(&mut text, &format!("  or natively: the first lines of {file} say how to compile it"));
    }
    text.push('\n');
    line(&mut text, &format!("{}; the execution was run again", engine(report, "found")));
    assumed(&mut text, report, &violation.assumptions);
    text
}

fn unknown(report: &CheckReport, reasons: &[ReasonReport], palette: Palette) -> String {
    let mut text = match parts(report) {
        asked if asked.is_empty() => format!("{}\n", palette.doubtful("unknown")),
        asked => format!("{}: {}\n", palette.doubtful("unknown"), palette.bold(&asked)),
    };
    for reason in reasons {
        let engine = reason.engine.as_deref().map_or(String::new(), |name| format!("{name}: "));
        line(&mut text, &format!("  {engine}{}", reason_text(reason)));
    }
    let mut advice: Vec<String> =
        reasons.iter().filter_map(|reason| advice(report, &reason.text)).collect();
    advice.dedup();
    if !advice.is_empty() {
        section(&mut text, "what may help", palette);
        advice.iter().for_each(|advice| line(&mut text, &format!("  {advice}")));
    }
    text
}

/// What somebody could do about a reason.
fn advice(report: &CheckReport, reason: &str) -> Option<String> {
    let files = report.files.join(" ");
    let has = |words: &[&str]| words.iter().any(|word| reason.contains(word));
    if has(&["inputs"]) {
        Some(format!("try some inputs: heapwright run --seed 1 {files}"))
    } else if has(&["not modelled", "no body"]) {
        Some(format!("see everything that is not modelled: heapwright show --format stats {files}"))
    } else if has(&["time", "limit"]) {
        Some("give it more time with --timeout, or a smaller program".to_owned())
    } else {
        None
    }
}

/// Bytes of a command that somebody would still copy.
const LONGEST_COMMAND: usize = 1000;
/// Lines of inputs that are shown, and values in one of them; the rest is counted.
const MOST_INPUTS: usize = 12;
const MOST_VALUES: usize = 8;

fn inputs(text: &mut String, inputs: &[InputReport], palette: Palette) {
    if inputs.is_empty() {
        return;
    }
    section(text, "inputs", palette);
    let is_character = |input: &InputReport| matches!(input.argument, InputArgument::Character(_));
    let others: Vec<&InputReport> = inputs.iter().filter(|input| !is_character(input)).collect();
    // A loop that asks again and again gets one line.
    let groups: Vec<&[&InputReport]> = others.chunk_by(|one, next| goes_on(one, next)).collect();
    for group in groups.iter().take(MOST_INPUTS) {
        line(text, &format!("  {}", group_text(group)));
    }
    if groups.len() > MOST_INPUTS {
        let shown: usize = groups.iter().take(MOST_INPUTS).map(|group| group.len()).sum();
        line(text, &format!("  … and {} more", others.len() - shown));
    }
    let characters = inputs.len() - others.len();
    if characters > 0 {
        line(text, &format!("  {characters} characters of standard input (see below)"));
    }
}

/// Whether an input is of the same kind and place as the one before: the next answer of a function,
/// the next byte of a block.
fn goes_on(one: &InputReport, next: &InputReport) -> bool {
    if one.place != next.place {
        return false;
    }
    match (&one.argument, &next.argument) {
        (InputArgument::Value(_), InputArgument::Value(_)) => one.name == next.name,
        (
            InputArgument::Byte { serial, offset, .. },
            InputArgument::Byte { serial: block, offset: following, .. },
        ) => serial == block && offset + 1 == *following,
        _ => false,
    }
}

/// `__VERIFIER_nondet_int() = 1, 5, 0 at list.c:12`
fn group_text(group: &[&InputReport]) -> String {
    let (first, last) = (group[0], group[group.len() - 1]);
    let name = match (&first.argument, &last.argument) {
        (InputArgument::Byte { serial, offset, .. }, InputArgument::Byte { offset: end, .. })
            if offset < end =>
        {
            format!("bytes {offset} to {end} of block {serial}, uninitialised")
        }
        _ => first.name.clone(),
    };
    let place = first.place.as_ref().map_or(String::new(), |place| format!(" at {place}"));
    let values: Vec<&str> =
        group.iter().take(MOST_VALUES).map(|input| input.value.as_str()).collect();
    let more = match group.len() - values.len() {
        0 => String::new(),
        more => format!(", … ({more} more)"),
    };
    format!("{name} = {}{more}{place}", values.join(", "))
}

/// What was asked; empty where the work never got that far.
fn parts(report: &CheckReport) -> String {
    report.parts.iter().map(|part| part.name()).collect::<Vec<_>>().join(", ")
}

fn engine(report: &CheckReport, done: &str) -> String {
    match &report.engine {
        Some(name) => format!("{done} by the engine `{name}`"),
        None => done.to_owned(),
    }
}

fn assumed(text: &mut String, report: &CheckReport, assumptions: &[String]) {
    let model = format!("data model {}", report.data_model);
    let all: Vec<&str> = assumptions.iter().map(String::as_str).chain([model.as_str()]).collect();
    line(text, &format!("  assumed: {}", all.join("; ")));
}

fn section(text: &mut String, title: &str, palette: Palette) {
    line(text, &format!("\n{}:", palette.bold(title)));
}

fn line(text: &mut String, content: &str) {
    writeln!(text, "{content}").expect("a string takes everything");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn byte(offset: u64, value: u8) -> InputReport {
        InputReport {
            kind: "byte",
            name: format!("byte {offset} of block 2, uninitialised"),
            value: value.to_string(),
            place: None,
            argument: InputArgument::Byte { serial: 2, offset, value },
        }
    }

    #[test]
    fn bytes_that_follow_each_other_get_one_line() {
        let inputs = [byte(8, 5), byte(9, 107), byte(16, 1)];
        let mut text = String::new();
        super::inputs(&mut text, &inputs, Palette { is_coloured: false });
        let expected = "\ninputs:\n  bytes 8 to 9 of block 2, uninitialised = 5, 107\n  byte 16 of \
                        block 2, uninitialised = 1\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_long_group_is_cut_and_counted() {
        let inputs: Vec<InputReport> = (0..10).map(|offset| byte(offset, 0)).collect();
        let group: Vec<&InputReport> = inputs.iter().collect();
        let expected =
            "bytes 0 to 9 of block 2, uninitialised = 0, 0, 0, 0, 0, 0, 0, 0, … (2 more)";
        assert_eq!(group_text(&group), expected);
    }
}
