//! Law: no run of a random program disagrees with a proof, neither with its result nor with a structure.

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Finding, Run, Task};
use heapwright_engine_three_valued::ThreeValuedEngine;
use heapwright_frontend::{Settings, Source, load};
use heapwright_generators::Family;
use heapwright_generators::program::DataModel as GeneratedModel;
use heapwright_oracle::{Budget, Effort, examine};
use heapwright_program::DataModel;
use heapwright_property::{Property, Specification};

const SEEDS: u64 = 6;

fn task(family: Family, seed: u64, property: Property) -> Task {
    let text = family.source(seed, GeneratedModel::Lp64);
    let source = Source::new("test.c", text);
    let program = load(&[source], &Settings::new(DataModel::Lp64)).expect("C").program;
    let specification = Specification::of_property(property);
    Task { program, specification, malloc_may_fail: false }
}

fn no_run_disagrees(family: Family) {
    for seed in 0..SEEDS {
        for property in [Property::UnreachCall, Property::ValidMemsafety] {
            let task = task(family, seed, property);
            let deadline = Deadline::after(Duration::from_secs(2));
            let finding = ThreeValuedEngine::default().run(&task, &Run::alone(&deadline));
            let Finding::Proved(proof) = finding else { continue };
            let deadline = Deadline::after(Duration::from_secs(5));
            let mut evidence = proof.evidence(&task, &deadline);
            let budget = Budget::of(Effort::Default, Duration::from_secs(1));
            let found = examine(&task, evidence.as_mut(), &budget, &deadline);
            let problem = found.refutation.map(|refutation| refutation.problem);
            assert!(problem.is_none(), "{} {seed} {property:?}: {problem:?}", family.name());
        }
    }
}

#[test]
fn of_programs_over_the_heap() {
    no_run_disagrees(Family::Heap);
}

#[test]
fn of_programs_over_lists() {
    no_run_disagrees(Family::Lists);
}

#[test]
fn of_programs_over_nodes_that_own_blocks() {
    no_run_disagrees(Family::Owners);
}

#[test]
fn of_programs_over_trees() {
    no_run_disagrees(Family::Trees);
}

#[test]
fn of_programs_with_a_trap() {
    no_run_disagrees(Family::Traps);
}
