//! A test suite of Test-Comp with the one test that shows a violation.

use std::fmt::Write;

use super::stamp::{Stamp, file_hash};
use super::xml::text as xml;
use crate::check::{Answer, CheckReport};

/// A file of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestSuiteFile {
    pub name: &'static str,
    pub text: String,
}

/// The files of a suite; none where no execution is known.
#[must_use]
pub fn test_suite(report: &CheckReport, stamp: Stamp<'_>) -> Vec<TestSuiteFile> {
    let Answer::Violated(violation) = &report.answer else { return Vec::new() };
    let file = report.files.first().map_or("", String::as_str);
    let architecture = if report.data_model == "ILP32" { "32bit" } else { "64bit" };
    let goal = format!(
        "COVER( init(main()), FQL(COVER EDGES(@CALL({}))) )",
        report.error_functions.first().map_or("reach_error", String::as_str)
    );
    let mut metadata = head("test-metadata");
    for (key, value) in [
        ("sourcecodelang", "C"),
        ("producer", "Heapwright"),
        ("specification", &goal),
        ("programfile", file),
        ("programhash", &file_hash(file).unwrap_or_default()),
        ("entryfunction", "main"),
        ("architecture", architecture),
        ("creationtime", &stamp.iso()),
    ] {
        writeln!(metadata, "  <{key}>{}</{key}>", xml(value)).expect("a string takes everything");
    }
    metadata.push_str("</test-metadata>\n");
    let mut test = head("testcase");
    for input in violation.inputs.iter().filter(|input| input.is_call()) {
        let function = xml(input.name.trim_end_matches("()"));
        writeln!(test, "  <input variable=\"{function}\">{}</input>", xml(&input.value))
            .expect("a string takes everything");
    }
    test.push_str("</testcase>\n");
    vec![
        TestSuiteFile { name: "metadata.xml", text: metadata },
        TestSuiteFile { name: "testcase-1.xml", text: test },
    ]
}

fn head(root: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<!DOCTYPE {root} PUBLIC \
         \"+//IDN sosy-lab.org//DTD test-format {root} 1.1//EN\" \
         \"https://sosy-lab.org/test-format/{root}-1.1.dtd\">\n<{root}>\n"
    )
}
