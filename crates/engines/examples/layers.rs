//! What each layer says of a program: an engine alone, the check of its proof, the oracle.
//!
//! `layers FILE.c ENGINE`. The gate asks one layer after the other and stops at the first that refuses;
//! here all are asked, so that one sees which of them would refuse without the others.
//! `tests/holes/run` asks engines that have a hole.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "its output is its purpose")]

use std::process::ExitCode;
use std::time::Duration;

use heapwright_engine::{Deadline, Finding, Proof, Run, Task};
use heapwright_engines::{EngineOptions, engines};
use heapwright_frontend::{Settings, Source, load};
use heapwright_oracle::{Budget, Effort, examine};
use heapwright_program::DataModel;
use heapwright_property::Specification;
use heapwright_verdict::{Verdict, conclude};

/// For the engine, and as much again for each check.
const TIME: Duration = Duration::from_secs(20);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, name] = arguments.as_slice() else {
        eprintln!("layers FILE.c ENGINE");
        return ExitCode::FAILURE;
    };
    match ask(file, name) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn ask(file: &str, name: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let loaded = load(&[Source::new(file, text)], &Settings::new(DataModel::Lp64));
    let program = loaded.map_err(|error| format!("{error:?}"))?.program;
    let specification = Specification::everyday();
    let task = Task { program, specification, malloc_may_fail: false };
    let all = engines(&EngineOptions::default());
    let engine = all.iter().find(|engine| engine.name() == name);
    let engine = engine.ok_or_else(|| format!("no engine is called {name}"))?;
    let find = || engine.run(&task, &Run::alone(&Deadline::after(TIME)));
    match find() {
        Finding::Proved(proof) => {
            println!("engine: holds");
            tell_checks(&task, proof.as_ref());
        }
        Finding::Refuted(_) => println!("engine: violated"),
        Finding::Open(reasons) => {
            let reason = reasons.first().map_or("", |reason| &reason.text);
            println!("engine: unknown: {reason}");
        }
    }
    let verdict = conclude(&task, find(), &Deadline::after(TIME));
    println!("answer: {}", word_for(&verdict));
    Ok(())
}

fn tell_checks(task: &Task, proof: &dyn Proof) {
    match proof.check(task, &Deadline::after(TIME)) {
        Ok(()) => println!("check: passed"),
        Err(reason) => println!("check: refused: {}", reason.text),
    }
    let mut evidence = proof.evidence(task, &Deadline::after(TIME));
    let budget = Budget::of(Effort::Default, Duration::ZERO);
    let examination = examine(task, evidence.as_mut(), &budget, &Deadline::after(TIME));
    match examination.refutation {
        Some(refutation) => println!("oracle: refused: {refutation}"),
        None => println!("oracle: passed: {}", examination.summary()),
    }
}

fn word_for(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds(_) => "holds",
        Verdict::Violated(_) => "violated",
        Verdict::Unknown(_) => "unknown",
    }
}
