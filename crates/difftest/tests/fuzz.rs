//! The bodies of the fuzz targets, run on their seeds and on broken ones.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use heapwright_difftest::fuzz::Target;
use heapwright_generators::broken::broken;
use heapwright_generators::random::Random;

/// Broken texts made of each seed.
const ROUNDS: u64 = 150;

fn seeds(target: Target) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let entries = fs::read_dir(folder.join(target.name())).expect("every target has seeds");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{target:?} has no seeds");
    files
}

fn run(target: Target, text: &[u8], failures: &mut Vec<String>) {
    if catch_unwind(AssertUnwindSafe(|| target.run(text))).is_err() {
        failures.push(format!("{target:?}:\n{}", String::from_utf8_lossy(text)));
    }
}

#[test]
fn broken_text_is_read_or_refused() {
    let mut failures = Vec::new();
    for target in Target::ALL {
        for file in seeds(target) {
            let seed = fs::read(&file).unwrap();
            run(target, &seed, &mut failures);
            for round in 0..ROUNDS {
                let mut random = Random::new(round);
                let mut text = broken(seed.clone(), &mut random);
                for _ in 0..round % 4 {
                    text = broken(text, &mut random);
                }
                run(target, &text, &mut failures);
            }
        }
    }
    let shown: Vec<&str> = failures.iter().take(5).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} texts\n{}", failures.len(), shown.join("\n"));
}

#[test]
fn every_target_is_one_of_cargo_fuzz() {
    let manifest = include_str!("../../../fuzz/Cargo.toml");
    for target in Target::ALL {
        let name = format!("name = \"{}\"", target.name());
        assert!(manifest.contains(&name), "fuzz/Cargo.toml does not know {target:?}");
    }
}
