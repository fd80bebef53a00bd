//! Law: no run of a random program disagrees with a proof, neither with its result nor with a forest.

use std::time::Duration;

use heapwright_engine::{Deadline, Finding, Task};
use heapwright_frontend::{Settings, Source, load};
use heapwright_generators::Family;
use heapwright_generators::program::DataModel as GeneratedModel;
use heapwright_oracle::{Budget, Effort, examine};
use heapwright_program::DataModel;
use heapwright_property::{Part, Specification};

use crate::{deadline, finding};

const FAMILIES: [Family; 5] =
    [Family::Lists, Family::Trees, Family::Owners, Family::Heap, Family::Traps];
const PARTS: [Part; 4] =
    [Part::ValidDeref, Part::ValidFree, Part::UnreachCall, Part::ValidMemtrack];

/// Whether the program is proved; no run may disagree with the proof, and its check must accept it.
fn is_proved(family: Family, seed: u64, part: Part) -> bool {
    let (generated, model) = match seed % 4 {
        3 => (GeneratedModel::Ilp32, DataModel::Ilp32),
        _ => (GeneratedModel::Lp64, DataModel::Lp64),
    };
    let source = Source::new("test.c", family.source(seed, generated));
    let program = load(&[source], &Settings::new(model)).expect("C").program;
    let specification = Specification { parts: vec![part], ..Specification::everyday() };
    let task = Task::new(program, specification, seed % 2 == 1);
    let Finding::Proved(proof) = finding(&task) else { return false };
    let name = format!("{} {seed} {part}", family.name());
    if let Err(reason) = proof.check(&task, &deadline()) {
        panic!("{name}: the check refuses what was found: {}", reason.text);
    }
    let deadline = Deadline::after(Duration::from_secs(5));
    let mut evidence = proof.evidence(&task, &deadline);
    let budget = Budget::of(Effort::Default, Duration::from_secs(1));
    let found = examine(&task, evidence.as_mut(), &budget, &deadline);
    let problem = found.refutation.map(|refutation| refutation.problem);
    assert!(problem.is_none(), "{name}: {problem:?}");
    true
}

fn proved(seeds: std::ops::Range<u64>) -> usize {
    let is_proved = |seed: &u64| {
        let family = FAMILIES[(seed % 5) as usize];
        is_proved(family, *seed, PARTS[(seed / 5 % 4) as usize])
    };
    seeds.filter(is_proved).count()
}

#[test]
fn of_random_programs() {
    assert!(proved(0..40) > 0);
}

/// `HEAPWRIGHT_SEEDS=0..1000` for a part of them.
#[test]
#[ignore = "takes hours"]
fn of_a_hundred_thousand_random_programs() {
    let part = std::env::var("HEAPWRIGHT_SEEDS").unwrap_or_else(|_| "0..100000".to_owned());
    let (from, to) = part.split_once("..").expect("two numbers");
    let seeds = from.parse().expect("a number")..to.parse().expect("a number");
    let proved = proved(seeds.clone());
    eprintln!("{} programs, {proved} proved, no run disagrees", seeds.end - seeds.start);
    assert!(proved > 0);
}
