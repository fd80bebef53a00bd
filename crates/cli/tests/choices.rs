//! Choices of the implementation: no engine takes one for all. `tests/choices/open` has programs that go
//! wrong under some implementation of C, `tests/choices/settled` look-alikes that never do.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Run, Task};
use heapwright_engines::{EngineOptions, engines};
use heapwright_frontend::{Settings, Source, load};
use heapwright_program::{DataModel, Program};
use heapwright_property::Specification;
use heapwright_verdict::{Verdict, conclude};

fn folder(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/choices").join(name);
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn program(path: &Path) -> Program {
    let source = Source::new(path.display().to_string(), fs::read_to_string(path).unwrap());
    load(&[source], &Settings::new(DataModel::Lp64)).expect("correct C").program
}

fn task(path: &Path) -> Task {
    let specification = Specification::everyday();
    Task { program: program(path), specification, malloc_may_fail: false }
}

fn answer(task: &Task, engine: &dyn Engine) -> Verdict {
    let deadline = Deadline::after(Duration::from_secs(20));
    conclude(task, engine.run(task, &Run::alone(&deadline)), &Deadline::never())
}

#[test]
fn what_some_implementation_violates_is_proved_by_no_engine() {
    let mut wrong = Vec::new();
    for path in folder("open") {
        let task = task(&path);
        for engine in engines(&EngineOptions::default()) {
            if let Verdict::Holds(proof) = answer(&task, engine.as_ref()) {
                wrong.push(format!("{}: {}: {}", path.display(), engine.name(), proof.summary()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_no_implementation_violates_is_proved_by_some_engine_and_violated_by_none() {
    for path in folder("settled") {
        let task = task(&path);
        let verdicts: Vec<Verdict> = engines(&EngineOptions::default())
            .iter()
            .map(|engine| answer(&task, engine.as_ref()))
            .collect();
        let is_proved = verdicts.iter().any(|verdict| matches!(verdict, Verdict::Holds(_)));
        let is_violated = verdicts.iter().any(|verdict| matches!(verdict, Verdict::Violated(_)));
        assert!(is_proved && !is_violated, "{}: {verdicts:?}", path.display());
    }
}
