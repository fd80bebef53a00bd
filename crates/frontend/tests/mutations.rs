//! Broken C: files of the corpus, cut short and with tokens and bytes changed at random, give a
//! program or an error that says something. Never a panic, never a hang.
#![allow(clippy::print_stderr, reason = "a test that skips itself must say so")]

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use common::{corpus, corpus_files, data_model, is_long_mode};
use heapwright_frontend::{Settings, Source, load};
use heapwright_generators::broken::broken;
use heapwright_generators::random::Random;
use heapwright_program::{DataModel, well_formed};

const MUTANTS: u64 = 300;
const MUTANTS_IN_LONG_MODE: u64 = 6000;
/// Small files in the short mode, so that there can be many.
const LARGEST: u64 = 30_000;
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn broken_files_are_told_from_programs() {
    let Some(corpus) = corpus() else { return };
    let largest = if is_long_mode() { 400_000 } else { LARGEST };
    let files: Vec<PathBuf> = corpus_files(&corpus)
        .into_iter()
        .filter(|file| file.metadata().is_ok_and(|about| about.len() < largest))
        .collect();
    let count = if is_long_mode() { MUTANTS_IN_LONG_MODE } else { MUTANTS };
    // The C parser's panics become errors; their messages would only hide what the test says.
    std::panic::set_hook(Box::new(|_| {}));
    let (sender, receiver) = mpsc::channel();
    let worker = std::thread::spawn(move || {
        for seed in 0..count {
            if sender.send(try_mutant(&files, seed)).is_err() {
                break;
            }
        }
    });
    let (mut accepted, mut internal, mut failures) = (0, Vec::new(), Vec::new());
    for seed in 0..count {
        match receiver.recv_timeout(PATIENCE) {
            Ok(Ok(Reading::Program)) => accepted += 1,
            Ok(Ok(Reading::Error)) => {}
            Ok(Ok(Reading::ParserPanic(message))) => internal.push(format!("{seed}: {message}")),
            Ok(Err(message)) => failures.push(format!("mutant {seed}: {message}")),
            Err(RecvTimeoutError::Timeout) => panic!("mutant {seed} takes too long"),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    worker.join().expect("the worker catches panics");
    drop(std::panic::take_hook());
    let panics = internal.len();
    eprintln!("{count} mutants, {accepted} are programs, {panics} broke the C parser");
    for message in internal {
        eprintln!("  mutant {message}");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What became of a mutant.
enum Reading {
    Program,
    Error,
    ParserPanic(String),
}

fn try_mutant(files: &[PathBuf], seed: u64) -> Result<Reading, String> {
    let mut random = Random::new(seed);
    let file = &files[random.below(files.len())];
    let name = file.display();
    let text = std::fs::read(file).map_err(|error| format!("{name}: {error}"))?;
    let text = broken(text, &mut random);
    let model = if seed.is_multiple_of(7) { DataModel::Ilp32 } else { data_model(file) };
    if let Some(folder) = std::env::var_os("HEAPWRIGHT_MUTANTS") {
        let ending = file.extension().unwrap_or_default();
        let path = PathBuf::from(folder).join(format!("mutant_{seed}")).with_extension(ending);
        std::fs::write(path, &text).map_err(|error| error.to_string())?;
    }
    let source = Source::new(name.to_string(), text);
    let settings = Settings::new(model);
    match catch_unwind(AssertUnwindSafe(|| load(&[source], &settings))) {
        Ok(Ok(loaded)) => match well_formed(&loaded.program) {
            Ok(()) => Ok(Reading::Program),
            Err(defects) => Err(format!("{name}: {}", defects[0])),
        },
        Ok(Err(error)) => {
            let message = error.to_string();
            if error.diagnostics.iter().any(|diagnostic| diagnostic.message.trim().is_empty()) {
                return Err(format!("{name}: an error without a message: {message:?}"));
            }
            match message.contains("internal error") {
                true => Ok(Reading::ParserPanic(message)),
                false if message.trim().is_empty() => Err(format!("{name}: an empty error")),
                false => Ok(Reading::Error),
            }
        }
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(format!("{name}: panic: {}", text.unwrap_or("no message")))
        }
    }
}

/// Nesting that a person does not write and a generator might.
#[test]
fn deep_nesting_does_not_exhaust_the_stack() {
    let depth = 20_000;
    let inside_main = |body: String| format!("int x; int main(void) {{ {body} return 0; }}");
    let programs = [
        inside_main(format!("x = {}1{};", "(".repeat(depth), ")".repeat(depth))),
        inside_main(format!("x = {}1;", "-".repeat(depth).replace('-', "- "))),
        inside_main(format!("x = {}1;", "1 + ".repeat(depth))),
        inside_main(format!("x = {}1;", "x ? 1 : ".repeat(depth))),
        inside_main(format!("{}{}", "{".repeat(depth), "}".repeat(depth))),
        inside_main(format!("{};", "if (x) ".repeat(depth))),
        inside_main(format!("{};", "x = ".repeat(depth) + "1")),
        inside_main(format!("int {}p;", "*".repeat(depth))),
        inside_main(format!("int a{};", "[1]".repeat(depth / 10))),
        format!("int a[] = {}1{};", "{".repeat(depth), "}".repeat(depth)),
        format!("{} int x; {}", "struct {".repeat(depth), "} a;".repeat(depth)),
        "(".repeat(depth * 10),
        format!("int f({}", "int (*)(".repeat(depth)),
    ];
    std::panic::set_hook(Box::new(|_| {}));
    for (number, text) in programs.into_iter().enumerate() {
        let settings = Settings::new(DataModel::Lp64);
        if let Err(error) = load(&[Source::new("deep.c", text)], &settings) {
            let message = error.to_string();
            assert!(!message.trim().is_empty(), "program {number} gives an empty error");
        }
    }
}
