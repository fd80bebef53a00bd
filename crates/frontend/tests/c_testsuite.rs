//! c-testsuite: 220 small programs that print what is known and return 0, run in the interpreter.
#![allow(clippy::print_stderr, reason = "a test that skips itself must say so")]

mod common;

use std::path::Path;

use common::{corpus, load_file};
use heapwright_interpreter::{Environment, ListedInputs, Outcome, Settings, run};
use heapwright_program::DataModel;

#[test]
fn every_program_prints_what_is_expected() {
    let Some(corpus) = corpus() else { return };
    let programs: Vec<_> = common::corpus_files(&corpus.join("c-testsuite"));
    let failures: Vec<String> =
        programs.iter().filter_map(|program| failure(program).err()).collect();
    let passed = programs.len() - failures.len();
    eprintln!("{passed} of {} programs of c-testsuite pass", programs.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What a program does other than expected.
fn failure(program: &Path) -> Result<(), String> {
    let name = program.display();
    let loaded = load_file(program, DataModel::Lp64).map_err(|error| format!("{name}: {error}"))?;
    let mut output = Vec::new();
    let mut settings = Settings::default();
    settings.limits.steps = 1_000_000_000;
    let environment = Environment::silent(ListedInputs::new(Vec::new())).with_output(&mut output);
    let report = run(&loaded.program, &settings, environment);
    if report.outcome != Outcome::Exited(0) {
        return Err(format!("{name}: {:?}", report.outcome));
    }
    let expected = std::fs::read(format!("{name}.expected")).map_err(|error| error.to_string())?;
    if output != expected {
        return Err(format!("{name} printed:\n{}", String::from_utf8_lossy(&output)));
    }
    Ok(())
}
