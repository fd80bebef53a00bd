//! JUnit's XML, which build servers show: one test a part of the question.

use std::fmt::Write;

use super::xml::text as xml;
use crate::check::{Answer, CheckReport, ViolationReport};
use crate::parts::{PartReport, PartVerdict};
use crate::verdict_line::reason_text;

/// How many tests went how.
#[derive(Default)]
struct Counts {
    tests: u32,
    failures: u32,
    errors: u32,
    skipped: u32,
}

/// The results of a check.
#[must_use]
pub fn check_junit(report: &CheckReport) -> String {
    let name = xml(&report.files.join(" "));
    let mut counts = Counts::default();
    let mut cases = String::new();
    let mut case = |title: &str, inner: String| {
        writeln!(cases, "    <testcase classname=\"{name}\" name=\"{title}\">{inner}</testcase>")
            .expect("a string takes everything");
    };
    match &report.answer {
        Answer::InputError { message } => {
            counts.tests += 1;
            counts.errors += 1;
            case("input", format!("<error message=\"input\">{}</error>", xml(message)));
        }
        Answer::Holds { .. } => {
            for part in &report.parts {
                counts.tests += 1;
                case(part.name(), String::new());
            }
        }
        Answer::Violated(violation) => {
            for part in &report.part_answers {
                case(part.part.name(), part_result(part, Some(violation), &mut counts));
            }
        }
        Answer::Unknown { reasons } => {
            let why: Vec<String> = reasons.iter().map(reason_text).collect();
            let skipped = format!("<skipped message=\"unknown: {}\"/>", xml(&why.join("; ")));
            for part in &report.part_answers {
                let inner = part_result(part, None, &mut counts);
                let has_own_reason =
                    part.obstacle.is_some() || part.verdict != PartVerdict::Unknown;
                case(part.part.name(), if has_own_reason { inner } else { skipped.clone() });
            }
            if report.part_answers.is_empty() {
                counts.tests += 1;
                counts.skipped += 1;
                case("check", skipped);
            }
        }
    }
    let Counts { tests, failures, errors, skipped } = counts;
    let counts = format!(
        "tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" \
         time=\"{:.3}\"",
        report.seconds
    );
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n  \
         <testsuite name=\"heapwright {name}\" {counts}>\n{cases}  </testsuite>\n</testsuites>\n"
    )
}

/// What stands in the test of a part.
fn part_result(
    part: &PartReport,
    violation: Option<&ViolationReport>,
    counts: &mut Counts,
) -> String {
    counts.tests += 1;
    match part.verdict {
        PartVerdict::Holds => String::new(),
        PartVerdict::Violated => {
            counts.failures += 1;
            let told = violation.filter(|violation| violation.part == part.part);
            told.map_or_else(|| "<failure message=\"violated\"/>".to_owned(), failure)
        }
        PartVerdict::Unknown => {
            counts.skipped += 1;
            let why = part.obstacle.as_ref().map_or("not decided".to_owned(), reason_text);
            format!("<skipped message=\"unknown: {}\"/>", xml(&why))
        }
    }
}

fn failure(violation: &ViolationReport) -> String {
    let fault = &violation.fault;
    let place = fault.place.as_ref().map_or(String::new(), |place| format!("{place}: "));
    let steps = violation.story.iter().map(|step| match step.result.is_empty() {
        true => format!("{}: {}", step.place, step.text),
        false => format!("{}: {} — {}", step.place, step.text, step.result),
    });
    format!(
        "<failure type=\"{}\" message=\"{}\">{}</failure>",
        fault.code.id,
        xml(&format!("{place}{}", fault.message)),
        xml(&steps.collect::<Vec<_>>().join("\n"))
    )
}
