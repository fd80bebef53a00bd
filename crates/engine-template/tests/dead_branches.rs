//! Law: no execution takes a branch that a proof calls dead, and the executions that a proof hands over
//! do not fail. On random programs over lists, trees and recursive functions.

use std::collections::BTreeSet;
use std::time::Duration;

use heapwright_engine::{
    Deadline, Engine, Evidence, Finding, Instance, Run, Task, listed_inputs, run_settings,
};
use heapwright_engine_template::{Settings, TemplateEngine};
use heapwright_frontend::{Settings as SourceSettings, Source, load};
use heapwright_generators::Family;
use heapwright_generators::program::DataModel as GeneratedModel;
use heapwright_interpreter::{Environment, RunReport, SeededInputs, TraceKind, run};
use heapwright_program::{DataModel, EdgeId, FunctionId};
use heapwright_property::{Property, Specification};

const SEEDS: u64 = 6;

fn task(family: Family, seed: u64) -> Task {
    let text = family.source(seed, GeneratedModel::Lp64);
    let settings = SourceSettings::new(DataModel::Lp64);
    let program = load(&[Source::new("test.c", text)], &settings).expect("C").program;
    let specification = Specification::of_property(Property::UnreachCall);
    Task { program, specification, malloc_may_fail: false }
}

fn evidence(task: &Task) -> Option<Box<dyn Evidence>> {
    let settings = Settings { most_copies: 3, ..Settings::default() };
    let deadline = Deadline::after(Duration::from_secs(2));
    match (TemplateEngine { settings }).run(task, &Run::alone(&deadline)) {
        Finding::Proved(proof) => {
            Some(proof.evidence(task, &Deadline::after(Duration::from_secs(5))))
        }
        Finding::Refuted(_) | Finding::Open(_) => None,
    }
}

/// The branches that a run took.
fn taken(report: &RunReport) -> BTreeSet<(FunctionId, EdgeId)> {
    let decisions = report.trace.iter().filter(|event| event.kind == TraceKind::Decision);
    decisions.map(|event| (event.function, event.edge)).collect()
}

fn no_run_takes_a_dead_branch(family: Family) {
    for seed in 0..SEEDS {
        let task = task(family, seed);
        let Some(mut evidence) = evidence(&task) else { continue };
        let dead: BTreeSet<_> = evidence.dead_edges().iter().copied().collect();
        let mut settings = run_settings(&task);
        settings.trace = 10_000;
        let mut reports: Vec<RunReport> = (0..20)
            .map(|it| run(&task.program, &settings, Environment::silent(SeededInputs::new(it))))
            .collect();
        for step in 0..evidence.step_count() {
            if let Instance::Run { inputs, .. } = evidence.instance(step) {
                let inputs = listed_inputs(&inputs);
                reports.push(run(&task.program, &settings, Environment::silent(inputs)));
            }
        }
        for report in reports {
            let wrong: Vec<_> = taken(&report).intersection(&dead).copied().collect();
            assert!(wrong.is_empty(), "{family} {seed}: {wrong:?} are taken");
        }
    }
}

#[test]
fn no_run_over_lists_takes_a_dead_branch() {
    no_run_takes_a_dead_branch(Family::Lists);
}

#[test]
fn no_run_over_trees_takes_a_dead_branch() {
    no_run_takes_a_dead_branch(Family::Trees);
}

#[test]
fn no_run_of_recursive_functions_takes_a_dead_branch() {
    no_run_takes_a_dead_branch(Family::Recursion);
}

#[test]
fn no_run_over_lists_with_marks_takes_a_dead_branch() {
    no_run_takes_a_dead_branch(Family::Marks);
}
