//! Comparing with an interpreter: the real one if it has been built, and stand-ins that obey or
//! break the interface, to test the comparison itself.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use heapwright_difftest::campaign::{self, Settings, Summary};
use heapwright_difftest::case::{Mode, Tools};
use heapwright_difftest::compare::{MismatchKind, SkipReason};
use heapwright_difftest::gcc::Gcc;
use heapwright_difftest::interpreter::{EXECUTABLE_VARIABLE, Interpreter};
use heapwright_difftest::process::Scratch;
use heapwright_generators::program::DataModel;

/// Passes the program to gcc, and reports the marked fault if there is one.
const HONEST: &str = r#"#!/bin/sh
for file; do :; done
marked=$(grep -n 'FAULT: ' "$file" | head -n 1)
gcc -w "$file" -o "$file.out" || exit 102
if [ -n "$marked" ]; then
  kind=${marked##*FAULT: }
  echo "fault: ${kind%% *} at $file:${marked%%:*}" >&2
  exit 101
fi
exec "$file.out"
"#;

/// Adds a line to the output of every program with a function `mix`.
const LYING: &str = r#"#!/bin/sh
for file; do :; done
gcc -w "$file" -o "$file.out" || exit 102
"$file.out"
code=$?
if grep -q 'static void mix' "$file"; then echo lie; fi
exit $code
"#;

const PANICKING: &str = "#!/bin/sh\necho \"thread 'main' panicked\" >&2\nexit 101\n";
const UNABLE: &str = "#!/bin/sh\nexit 102\n";

#[test]
fn agrees_with_the_interpreter() {
    let Some(executable) = Interpreter::locate() else {
        return skip(&format!("no heapwright executable; set {EXECUTABLE_VARIABLE}"));
    };
    let scratch = Scratch::new("probe").unwrap();
    let probe = Interpreter::new(executable.clone(), DataModel::Lp64).probe(&scratch);
    if let Err(reason) = probe {
        let is_named = std::env::var_os(EXECUTABLE_VARIABLE).is_some();
        assert!(!is_named, "{reason}");
        return skip(&reason);
    }
    let Some(tools) = tools(&executable) else { return };
    let modes = vec![Mode::Heap, Mode::Fault, Mode::Arithmetic];
    // Nothing is saved here, since shrinking takes long; the command does that for a seed.
    let settings = Settings { modes, count: 25, seed: 500, jobs: 2, out: None };
    let summary = campaign::run(&tools, &settings, &|_, _, _| {}).unwrap();
    assert!(!summary.has_mismatch(), "run the command with a seed of these:\n{}", summary.table());
}

#[test]
fn an_honest_interpreter_agrees() {
    let Some((summary, _scratch)) = run_with(HONEST, "honest", &[Mode::Heap, Mode::Arithmetic], 2)
    else {
        return;
    };
    assert!(!summary.has_mismatch(), "{}", summary.table());
    assert!(summary.tallies.values().all(|tally| tally.agreements == 2));
}

#[test]
fn a_wrong_output_is_saved_and_reduced() {
    let Some((summary, scratch)) = run_with(LYING, "lying", &[Mode::Arithmetic], 1) else { return };
    let tally = &summary.tallies[&Mode::Arithmetic];
    assert_eq!(tally.mismatches.get(&MismatchKind::Output), Some(&1), "{}", summary.table());
    let folder = scratch.path("mismatches").join("arithmetic-20000");
    let original = fs::read_to_string(folder.join("program.c")).unwrap();
    let reduced = fs::read_to_string(folder.join("reduced.c")).unwrap();
    assert!(reduced.contains("static void mix"), "{reduced}");
    assert!(reduced.lines().count() < 10, "{reduced}");
    assert!(original.lines().count() > 20, "{original}");
    assert!(fs::read_to_string(folder.join("interpreted.txt")).unwrap().contains("lie"));
}

#[test]
fn a_panic_is_no_fault() {
    let Some((summary, _scratch)) = run_with(PANICKING, "panicking", &[Mode::Fault], 1) else {
        return;
    };
    let mismatches = &summary.tallies[&Mode::Fault].mismatches;
    assert_eq!(mismatches.get(&MismatchKind::InterpreterCrash), Some(&1));
}

#[test]
fn what_is_unsupported_is_skipped() {
    let Some((summary, _scratch)) = run_with(UNABLE, "unable", &[Mode::Heap], 1) else { return };
    let skipped = &summary.tallies[&Mode::Heap].skipped;
    assert_eq!(skipped.get(&SkipReason::Unsupported), Some(&1));
    assert!(!summary.has_mismatch());
}

/// Runs a campaign with a stand-in for the interpreter; nothing if gcc is missing.
fn run_with(script: &str, name: &str, modes: &[Mode], count: usize) -> Option<(Summary, Scratch)> {
    let scratch = Scratch::new(name).unwrap();
    let executable = write_script(&scratch, script);
    let tools = tools(&executable)?;
    let out = Some(scratch.path("mismatches"));
    let settings = Settings { modes: modes.to_vec(), count, seed: 20_000, jobs: 1, out };
    let summary = campaign::run(&tools, &settings, &|_, _, _| {}).unwrap();
    Some((summary, scratch))
}

fn write_script(scratch: &Scratch, script: &str) -> PathBuf {
    let path = scratch.write("heapwright", script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn tools(executable: &Path) -> Option<Tools> {
    let data_model = DataModel::Lp64;
    let scratch = Scratch::new("detect").unwrap();
    match Gcc::detect(data_model, &scratch) {
        Ok(gcc) => {
            let interpreter = Some(Interpreter::new(executable.to_owned(), data_model));
            Some(Tools { gcc, data_model, interpreter, csmith: None, reduce_attempts: 60 })
        }
        Err(reason) => {
            skip(&reason);
            None
        }
    }
}

/// Written past the capture of the test harness, so that nobody takes a skipped test for a passed
/// one.
fn skip(reason: &str) {
    let mut stderr = std::io::stderr().lock();
    writeln!(stderr, "SKIPPED: {reason}").unwrap();
}
