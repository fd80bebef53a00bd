//! What a compiled program shows is among what the interpreter shows under some choices: the exit status
//! of the programs in `tests/choices/native` tells what was chosen.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use heapwright_frontend::{Settings, Source, load};
use heapwright_interpreter::{Environment, ListedInputs, Outcome, SeededInputs, run};
use heapwright_program::{DataModel, Program};

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/choices/native");
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn program(path: &Path) -> Program {
    let source = Source::new(path.display().to_string(), fs::read_to_string(path).unwrap());
    load(&[source], &Settings::new(DataModel::Lp64)).expect("correct C").program
}

/// The exit statuses of a program in all worlds that are tried.
fn statuses(program: &Program) -> BTreeSet<i32> {
    let settings = heapwright_interpreter::Settings::default();
    let worlds = (0..4).map(|world| {
        let mut inputs = ListedInputs::zeros();
        inputs.other_choices = world;
        run(program, &settings, Environment::silent(inputs))
    });
    let seeds = (0..100).map(|seed| {
        let mut inputs = SeededInputs::new(seed);
        inputs.varies_choices = true;
        run(program, &settings, Environment::silent(inputs))
    });
    let status = |outcome: Outcome| match outcome {
        Outcome::Exited(status) => status,
        other => panic!("{other:?}"),
    };
    worlds.chain(seeds).map(|report| status(report.outcome)).collect()
}

#[test]
fn what_a_compiled_program_shows_is_among_what_the_interpreter_shows() {
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: needs gcc");
        return;
    }
    let scratch = std::env::temp_dir().join(format!("heapwright-choices-{}", std::process::id()));
    fs::create_dir_all(&scratch).unwrap();
    for path in programs() {
        let statuses = statuses(&program(&path));
        for level in ["-O0", "-O1", "-O2"] {
            let binary = scratch.join("program");
            let compiled =
                Command::new("gcc").args([level, "-w", "-o"]).arg(&binary).arg(&path).status();
            assert!(compiled.unwrap().success(), "{}", path.display());
            let native = Command::new(&binary).status().unwrap().code().expect("it exits");
            assert!(
                statuses.contains(&native),
                "{} {level}: {native}, not among {statuses:?}",
                path.display()
            );
        }
    }
    fs::remove_dir_all(&scratch).unwrap();
}

/// The test can fail: with one world alone, some compiled program shows something else.
#[test]
fn one_world_is_not_enough_for_all_programs() {
    let settings = heapwright_interpreter::Settings::default();
    let mut differing = 0;
    for path in programs() {
        let program = program(&path);
        let plain = run(&program, &settings, Environment::silent(ListedInputs::zeros()));
        differing += usize::from(
            statuses(&program).iter().any(|&status| plain.outcome != Outcome::Exited(status)),
        );
    }
    assert!(differing >= 5, "only {differing} programs tell worlds apart");
}
