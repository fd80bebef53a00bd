//! Bugs are planted into programs that are proved: a mutant of which some run fails is proved no more.

use std::path::{Path, PathBuf};

use heapwright_engine::{Finding, Task, run_settings, violation_of};
use heapwright_generators::mutate::mutant;
use heapwright_generators::random::Random;
use heapwright_interpreter::{Environment, Executable, Machine, SeededInputs};

use crate::corpus::{files, task_of};
use crate::{PARTS, deadline, finding};

/// Runs of a mutant, and their steps.
const RUNS: u64 = 40;
const STEPS: u64 = 50_000;

#[derive(Debug, Default)]
struct Count {
    originals: usize,
    mutants: usize,
    wrong: usize,
    proved: usize,
}

/// Whether the engine proves it, and its own check agrees. Nothing is run.
fn is_proved(task: &Task) -> bool {
    match finding(task) {
        Finding::Proved(proof) => proof.check(task, &deadline()).is_ok(),
        Finding::Refuted(_) | Finding::Open(_) => false,
    }
}

fn some_run_fails(task: &Task) -> bool {
    let mut settings = run_settings(task);
    settings.limits.steps = STEPS;
    settings.record_inputs = false;
    let executable = Executable::compile(&task.program, &settings.compile);
    (0..RUNS).any(|seed| {
        let environment = Environment::silent(SeededInputs::new(seed));
        let report = Machine::new(&executable, &settings, environment).run();
        violation_of(task, &report).is_some()
    })
}

/// Plants bugs, so many in each file that is proved, and tells how many there are.
fn plant(files: &[PathBuf], each: usize, tell: impl Fn(&Path, &Count)) -> Count {
    let mut count = Count::default();
    for (index, file) in files.iter().enumerate() {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let Some(task) = task_of(file, text.clone(), &PARTS) else { continue };
        if some_run_fails(&task) || !is_proved(&task) {
            continue;
        }
        count.originals += 1;
        let mut random = Random::new(index as u64 + 1);
        let mut wrong = 0;
        // Most mutants of a program with long headers are harmless.
        for _ in 0..10 * each {
            if wrong == each {
                break;
            }
            let Some(mutant) = mutant(&text, &mut random) else { continue };
            let Some(task) = task_of(file, mutant.text.clone(), &PARTS) else { continue };
            count.mutants += 1;
            if some_run_fails(&task) {
                wrong += 1;
                assert!(!is_proved(&task), "{} is proved:\n{}", file.display(), mutant.text);
            } else if is_proved(&task) {
                count.proved += 1;
            }
        }
        count.wrong += wrong;
        tell(file, &count);
    }
    count
}

#[test]
fn no_planted_bug_is_proved_away() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let count = plant(&files(&examples), 1, |_, _| {});
    assert!(count.originals >= 5 && count.wrong >= 5, "{count:?}");
}

/// Of the C files in the folders of `HEAPWRIGHT_FOLDERS`.
#[test]
#[ignore = "takes minutes"]
fn no_planted_bug_in_a_folder_is_proved_away() {
    let folders = std::env::var("HEAPWRIGHT_FOLDERS").unwrap_or_default();
    let files: Vec<PathBuf> =
        folders.split_whitespace().flat_map(|folder| files(Path::new(folder))).collect();
    plant(&files, 8, |file, count| eprintln!("{}: {count:?}", file.display()));
}
