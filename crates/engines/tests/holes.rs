//! The holes of `tests/holes`: every patch still applies to the source, and without it no engine proves
//! the wrong programs beside it. What refuses them with the patch: `tests/holes/run`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use heapwright_engine::{Deadline, Run, Task};
use heapwright_engines::{EngineOptions, engines};
use heapwright_frontend::{Settings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::Specification;
use heapwright_verdict::{Verdict, conclude};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn holes() -> Vec<PathBuf> {
    let paths = entries(&root().join("tests/holes"));
    paths.into_iter().filter(|path| path.is_dir()).collect()
}

fn programs(hole: &Path) -> Vec<PathBuf> {
    let is_c = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "c");
    entries(hole).into_iter().filter(is_c).collect()
}

#[test]
fn every_hole_can_be_put_back() {
    if Command::new("git").arg("--version").output().is_err() {
        eprintln!("skipped: git is not here to say whether patches apply");
        return;
    }
    let mut rotten = Vec::new();
    for hole in holes() {
        let patch = fs::canonicalize(hole.join("hole.patch")).expect("a hole has a patch");
        let apply = Command::new("git")
            .args(["apply", "--check"])
            .arg(&patch)
            .current_dir(root())
            .output()
            .expect("git runs");
        if !apply.status.success() {
            rotten.push(String::from_utf8_lossy(&apply.stderr).into_owned());
        }
    }
    assert!(rotten.is_empty(), "write these patches anew:\n{}", rotten.concat());
}

#[test]
fn every_hole_says_what_it_is_and_has_a_program() {
    let names: Vec<&str> = engines(&EngineOptions::default()).iter().map(|it| it.name()).collect();
    let holes = holes();
    assert!(holes.len() >= 9, "{holes:?}");
    for hole in holes {
        let text = fs::read_to_string(hole.join("hole.patch")).expect("a hole has a patch");
        let engine = text.lines().find_map(|line| line.strip_prefix("engine: "));
        assert!(engine.is_some_and(|engine| names.contains(&engine)), "{}", hole.display());
        assert!(!programs(&hole).is_empty(), "{}", hole.display());
    }
}

#[test]
fn without_its_hole_no_engine_proves_a_wrong_program() {
    for path in holes().iter().flat_map(|hole| programs(hole)) {
        let text = fs::read_to_string(&path).unwrap();
        let source = Source::new(path.display().to_string(), text);
        let program = load(&[source], &Settings::new(DataModel::Lp64)).expect("correct C").program;
        let specification = Specification::everyday();
        let task = Task { program, specification, malloc_may_fail: false };
        for engine in engines(&EngineOptions::default()) {
            let deadline = Deadline::after(Duration::from_secs(10));
            let finding = engine.run(&task, &Run::alone(&deadline));
            let verdict = conclude(&task, finding, &Deadline::never());
            let is_proved = matches!(verdict, Verdict::Holds(_));
            assert!(!is_proved, "{} proves {}", engine.name(), path.display());
        }
    }
}
