//! The answer of `check` for people: what is wrong or proved, how it comes about, what to do next.

use std::fmt::Write;

use crate::check::{Answer, CheckReport, ProofCheck, ReasonReport, ViolationReport};
use crate::input::{InputArgument, InputReport};
use crate::palette::Palette;
use crate::parts::parts_table;
use crate::proof::{ProofCase, ProofPlace};
use crate::snippet::render;
use crate::story_text::story;
use crate::verdict_line::reason_text;
use crate::wrap::hanging;
use heapwright_pictures::{Charset, scene_of_step, terminal};
use heapwright_trace::{Sources, Trace, printable};

/// How much is told.
#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    pub palette: Palette,
    /// Every step of the execution, not only the story.
    pub full_trace: bool,
    /// Only the verdict with its place.
    pub is_quiet: bool,
    /// How long it took; where outputs are compared it would only differ.
    pub tells_time: bool,
}

/// The whole answer; ends with a newline. An input error has no text of its own: its diagnostics
/// are shown as they are.
#[must_use]
pub fn check_text(report: &CheckReport, style: TextStyle) -> String {
    let palette = style.palette;
    if style.is_quiet {
        return quiet(report, palette);
    }
    match &report.answer {
        Answer::Holds { summary, assumptions, invariants, proof_check } => {
            let mut text = holds(report, summary, proof_check, style);
            told_places(&mut text, &report.places, palette);
            assumed(&mut text, report, assumptions, palette);
            for (number, invariant) in (1..).zip(invariants) {
                line(&mut text, &format!("invariant {number}:"));
                line(&mut text, invariant.trim_end_matches('\n'));
            }
            text
        }
        Answer::Violated(violation) => violated(report, violation, style),
        Answer::Unknown { reasons } => unknown(report, reasons, style),
        Answer::InputError { .. } => String::new(),
    }
}

fn holds(report: &CheckReport, summary: &str, check: &ProofCheck, style: TextStyle) -> String {
    let palette = style.palette;
    let mut text = format!("{}: {}\n", palette.good("holds"), palette.bold(&parts(report)));
    text.push_str(&hanging("  ", summary, palette.width));
    let mut say = |words: &str| text.push_str(&hanging("  ", words, palette.width));
    say(&format!("{}; its own check accepts the proof", engine(report, "proved", style)));
    say(&format!("run: {}; none disagrees", check.summary));
    match check.not_exercised.as_slice() {
        [] => {}
        [first, rest @ ..] => {
            let more =
                if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            say(&format!("not run: {}{more}", printable(first)));
        }
    }
    text
}

/// The verdict and its place on one line.
fn quiet(report: &CheckReport, palette: Palette) -> String {
    match &report.answer {
        Answer::Holds { .. } => format!("{}\n", palette.good("holds")),
        Answer::Violated(violation) => {
            let fault = &violation.fault;
            let place = fault.place.as_ref().map_or(String::new(), |place| format!("{place}: "));
            let word = palette.bad("violated");
            format!("{place}{word}: {} [{}]\n", fault.message, fault.code.id)
        }
        Answer::Unknown { reasons } => {
            let why = reasons.first().map_or(String::new(), |it| format!(": {}", reason_text(it)));
            format!("{}{why}\n", palette.doubtful("unknown"))
        }
        Answer::InputError { .. } => String::new(),
    }
}

fn violated(report: &CheckReport, violation: &ViolationReport, style: TextStyle) -> String {
    let (fault, palette) = (&violation.fault, style.palette);
    let mut sources = Sources::default();
    let code = &fault.code;
    let title =
        format!("{} — {} [{}, CWE-{}]", violation.part.name(), fault.message, code.id, code.cwe);
    let mut text = render("violated", &title, &fault.labels, &mut sources, palette);
    text.push('\n');
    if let Some(trace) = &violation.trace {
        heap(&mut text, trace, palette);
    }
    story(&mut text, violation, style);
    inputs(&mut text, &violation.inputs, palette);
    if let Some(hint) = &violation.hint {
        // Colours are no columns.
        let told = hanging("help: ", &printable(hint), palette.width);
        text.push_str(&told.replacen("help", &format!("\n{}", palette.good("help")), 1));
    }
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
    text.push_str(&parts_table(&report.part_answers, palette));
    text.push('\n');
    let found = format!("{}; the execution was run again", engine(report, "found", style));
    text.push_str(&hanging("", &found, palette.width));
    assumed(&mut text, report, &violation.assumptions, palette);
    text
}

/// The heap where it fails, if there is something to see.
fn heap(text: &mut String, trace: &Trace, palette: Palette) {
    let Some(last) = trace.steps.len().checked_sub(1) else { return };
    let scene = scene_of_step(trace, last);
    let charset = if palette.is_unicode { Charset::Unicode } else { Charset::Ascii };
    let lines = terminal(&scene, palette.width.saturating_sub(2), charset);
    if lines.is_empty() {
        return;
    }
    section(text, &format!("heap at line {}", trace.steps[last].place.line), palette);
    lines.iter().for_each(|drawn| line(text, &format!("  {drawn}")));
}

/// Places of a proof that are told, and cases of each.
const MOST_PLACES: usize = 6;
const MOST_CASES: usize = 4;

/// What a proof says, in words.
fn told_places(text: &mut String, places: &[ProofPlace], palette: Palette) {
    if places.is_empty() {
        return;
    }
    line(text, &format!("  {}", palette.bold("what holds every time:")));
    for place in places.iter().take(MOST_PLACES) {
        let mut cases: Vec<&ProofCase> = place.cases.iter().collect();
        // The largest heap says most.
        cases.sort_by_key(|case| std::cmp::Reverse(case.scene.cards.len()));
        let mut told: Vec<&[String]> = Vec::new();
        cases.retain(|case| {
            let is_new = !told.contains(&case.sentences.as_slice());
            told.push(&case.sentences);
            is_new
        });
        text.push_str(&hanging("    ", &printable(&place.place), palette.width));
        for case in cases.iter().take(MOST_CASES) {
            let words = case.sentences.join("; ");
            let words = if words.is_empty() { "nothing in particular".to_owned() } else { words };
            text.push_str(&hanging("      • ", &words, palette.width));
        }
        if cases.len() > MOST_CASES {
            line(text, &format!("      … and {} more cases", cases.len() - MOST_CASES));
        }
    }
    if places.len() > MOST_PLACES {
        line(text, &format!("    … and {} more places", places.len() - MOST_PLACES));
    }
}

fn unknown(report: &CheckReport, reasons: &[ReasonReport], style: TextStyle) -> String {
    let palette = style.palette;
    let mut text = match parts(report) {
        asked if asked.is_empty() => format!("{}\n", palette.doubtful("unknown")),
        asked => format!("{}: {}\n", palette.doubtful("unknown"), palette.bold(&asked)),
    };
    for reason in distinct(reasons) {
        let engine = reason.engine.as_deref().map_or(String::new(), |name| format!("{name}: "));
        text.push_str(&hanging(&format!("  {engine}"), &reason_text(reason), palette.width));
    }
    if style.tells_time {
        line(&mut text, &format!("  after {:.2} s", report.seconds));
    }
    text.push_str(&parts_table(&report.part_answers, palette));
    if !report.searched.is_empty() {
        section(&mut text, "how far the search went", palette);
        for search in &report.searched {
            let before = format!("  {}: ", search.engine);
            text.push_str(&hanging(&before, &search.text, palette.width));
        }
    }
    if !report.granted.is_empty() {
        assumed(&mut text, report, &report.granted, palette);
    }
    if let Some(failure) = &report.failure {
        section(&mut text, "why the last candidate for an invariant failed", palette);
        text.push_str(&failure.text(palette));
    }
    let advice = advice(report, reasons);
    if !advice.is_empty() {
        section(&mut text, "what may help", palette);
        advice.iter().for_each(|advice| line(&mut text, &format!("  {advice}")));
    }
    text
}

/// Each reason once: an engine that is asked twice may give the same one.
pub(crate) fn distinct(reasons: &[ReasonReport]) -> Vec<&ReasonReport> {
    let mut distinct: Vec<&ReasonReport> = Vec::new();
    for reason in reasons {
        if !distinct.contains(&reason) {
            distinct.push(reason);
        }
    }
    distinct
}

/// What somebody could do, each once.
pub(crate) fn advice(report: &CheckReport, reasons: &[ReasonReport]) -> Vec<String> {
    let mut advice: Vec<String> = Vec::new();
    for step in reasons.iter().filter_map(|reason| advice_about(report, &reason.text)) {
        if !advice.contains(&step) {
            advice.push(step);
        }
    }
    advice
}

fn advice_about(report: &CheckReport, reason: &str) -> Option<String> {
    let files = report.files.join(" ");
    let has = |words: &[&str]| words.iter().any(|word| reason.contains(word));
    if has(&["holds if"]) {
        Some(format!(
            "take it for granted that nothing overflows: heapwright check --no-signed-overflow {files}"
        ))
    } else if has(&["call of external function"]) {
        Some(format!(
            "let functions without a body do anything: heapwright check --external arbitrary {files}"
        ))
    } else if has(&["inputs"]) {
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

fn engine(report: &CheckReport, done: &str, style: TextStyle) -> String {
    let time = match style.tells_time {
        true => format!(" in {:.2} s", report.seconds),
        false => String::new(),
    };
    match &report.engine {
        Some(name) => format!("{done} by the engine `{name}`{time}"),
        None => format!("{done}{time}"),
    }
}

fn assumed(text: &mut String, report: &CheckReport, assumptions: &[String], palette: Palette) {
    let model = format!("data model {}", report.data_model);
    let all: Vec<&str> = assumptions.iter().map(String::as_str).chain([model.as_str()]).collect();
    text.push_str(&hanging("  assumed: ", &all.join("; "), palette.width));
}

pub(crate) fn section(text: &mut String, title: &str, palette: Palette) {
    line(text, &format!("\n{}:", palette.bold(title)));
}

pub(crate) fn line(text: &mut String, content: &str) {
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
        super::inputs(&mut text, &inputs, Palette::PLAIN);
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
