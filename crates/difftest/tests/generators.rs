//! The generators keep their promises: the same seed gives the same program, clean programs are
//! clean under gcc's sanitizers, and planted faults are caught where they are marked.

use std::collections::BTreeSet;
use std::io::Write;

use heapwright_difftest::campaign::{self, Settings, Summary};
use heapwright_difftest::case::{Mode, Tools};
use heapwright_difftest::csmith::Csmith;
use heapwright_difftest::gcc::Gcc;
use heapwright_difftest::process::Scratch;
use heapwright_generators::program::{DataModel, Expectation, FaultKind};

const OWN_MODES: [Mode; 3] = [Mode::Heap, Mode::Fault, Mode::Arithmetic];
const MODELS: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

fn source(mode: Mode, seed: u64, data_model: DataModel) -> String {
    mode.generate(seed, data_model).expect("a mode of our own").source
}

#[test]
fn a_seed_gives_the_same_program_again() {
    for mode in OWN_MODES {
        for data_model in MODELS {
            for seed in 0..50 {
                assert_eq!(source(mode, seed, data_model), source(mode, seed, data_model));
            }
        }
    }
}

#[test]
fn different_seeds_give_different_programs() {
    for mode in OWN_MODES {
        let programs: BTreeSet<String> =
            (0..500).map(|seed| source(mode, seed, DataModel::Lp64)).collect();
        assert_eq!(programs.len(), 500, "{mode}");
    }
}

#[test]
fn every_faulty_program_has_exactly_one_marked_line() {
    for seed in 0..500 {
        let program = source(Mode::Fault, seed, DataModel::Lp64);
        assert_eq!(program.matches("/* FAULT: ").count(), 1, "seed {seed}");
    }
}

#[test]
fn every_kind_of_heap_fault_is_planted() {
    let planted: BTreeSet<FaultKind> = (0..300)
        .filter_map(|seed| match Mode::Fault.generate(seed, DataModel::Lp64)?.expectation {
            Expectation::Fault { kind, .. } => Some(kind),
            Expectation::Clean => None,
        })
        .collect();
    let expected = BTreeSet::from([
        FaultKind::NullDereference,
        FaultKind::DanglingDereference,
        FaultKind::OutOfBounds,
        FaultKind::InvalidFree,
        FaultKind::DoubleFree,
        FaultKind::Leak,
    ]);
    assert_eq!(planted, expected);
}

#[test]
fn exit_codes_stay_clear_of_those_of_the_interpreter() {
    for mode in OWN_MODES {
        for seed in 0..50 {
            let program = source(mode, seed, DataModel::Lp64);
            let (_, main) = program.split_once("int main(void)").expect("a main function");
            assert!(main.contains("(int)(checksum % 100u)"), "{mode} {seed}");
        }
    }
}

#[test]
fn heap_programs_are_clean() {
    assert_promises_are_kept(Mode::Heap, 30);
}

#[test]
fn faults_are_caught_where_they_are_marked() {
    assert_promises_are_kept(Mode::Fault, 30);
}

#[test]
fn arithmetic_programs_are_clean() {
    assert_promises_are_kept(Mode::Arithmetic, 30);
}

#[test]
fn csmith_programs_can_be_had() {
    let scratch = Scratch::new("csmith-test").unwrap();
    if let Err(reason) = Csmith::detect(&scratch) {
        return skip("csmith", &reason);
    }
    assert_promises_are_kept(Mode::Csmith, 3);
}

/// Compiles strictly (`-Wall -Werror=implicit` among others) and runs under the sanitizers.
fn assert_promises_are_kept(mode: Mode, count: usize) {
    let scratch = Scratch::new("detect").unwrap();
    let gcc = match Gcc::detect(DataModel::Lp64, &scratch) {
        Ok(gcc) => gcc,
        Err(reason) => return skip(mode.name(), &reason),
    };
    let csmith = Csmith::detect(&scratch).ok();
    let tools =
        Tools { gcc, data_model: DataModel::Lp64, interpreter: None, csmith, reduce_attempts: 0 };
    let settings = Settings { modes: vec![mode], count, seed: 10_000, jobs: 1, out: None };
    let summary: Summary = campaign::run(&tools, &settings, &|_, _, _| {}).unwrap();
    assert!(!summary.has_mismatch(), "{}", summary.table());
}

/// Written past the capture of the test harness, so that nobody takes a skipped test for a passed
/// one.
fn skip(what: &str, reason: &str) {
    let mut stderr = std::io::stderr().lock();
    writeln!(stderr, "SKIPPED {what}: {reason}").unwrap();
}
