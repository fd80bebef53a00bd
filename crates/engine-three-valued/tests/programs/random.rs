//! Law: no run of a random program disagrees with a proof, neither with its result nor with a structure.

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Finding, Run, Task};
use heapwright_engine_three_valued::{Choice, ThreeValuedEngine};
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

/// Milliseconds for the search for a proof and for the runs that may disagree with it.
#[derive(Clone, Copy)]
struct Pace {
    search: u64,
    runs: u64,
    /// Whether the search is given processor time, of all threads together.
    is_alone: bool,
}

const CAREFUL: Pace = Pace { search: 2_000, runs: 1_000, is_alone: false };
/// For many programs, where nothing else is tested meanwhile: what others do on the machine takes no proof away.
const QUICK: Pace = Pace { search: 40, runs: 30, is_alone: true };

impl Pace {
    fn search(self) -> Deadline {
        let time = Duration::from_millis(self.search);
        if self.is_alone { Deadline::never().at_most_work(time) } else { Deadline::after(time) }
    }
}

/// What came of programs.
#[derive(Clone, Copy, Debug, Default)]
struct Outcomes {
    proved: usize,
    refuted: usize,
    open: usize,
}

/// Asks about a program, and notes the answer; no run may disagree with a proof.
fn ask(
    (family, seed, property): (Family, u64, Property),
    engine: &ThreeValuedEngine,
    pace: Pace,
    outcomes: &mut Outcomes,
) {
    let task = task(family, seed, property);
    let deadline = pace.search();
    let proof = match engine.run(&task, &Run::alone(&deadline)) {
        Finding::Proved(proof) => proof,
        Finding::Refuted(_) => {
            outcomes.refuted += 1;
            return;
        }
        Finding::Open(_) => {
            outcomes.open += 1;
            return;
        }
    };
    let deadline = Deadline::after(Duration::from_secs(5));
    let mut evidence = proof.evidence(&task, &deadline);
    let budget = Budget::of(Effort::Default, Duration::from_millis(pace.runs));
    let found = examine(&task, evidence.as_mut(), &budget, &deadline);
    let problem = found.refutation.map(|refutation| refutation.problem);
    assert!(problem.is_none(), "{} {seed} {property:?}: {problem:?}", family.name());
    outcomes.proved += 1;
}

fn no_run_disagrees(family: Family) {
    let engine = ThreeValuedEngine::default();
    for seed in 0..SEEDS {
        for property in [Property::UnreachCall, Property::ValidMemsafety] {
            ask((family, seed, property), &engine, CAREFUL, &mut Outcomes::default());
        }
    }
}

const FAMILIES: [Family; 5] =
    [Family::Lists, Family::Trees, Family::Owners, Family::Heap, Family::Traps];

/// Asks about programs with selections of families that chance chooses.
fn with_any_families(seeds: std::ops::Range<u64>, pace: Pace) -> Outcomes {
    let mut outcomes = Outcomes::default();
    for seed in seeds {
        let family = FAMILIES[(seed % 5) as usize];
        let property = match seed / 5 % 2 {
            0 => Property::UnreachCall,
            _ => Property::ValidMemsafety,
        };
        let choice = Choice::Shuffled(seed);
        let engine = ThreeValuedEngine { choice, ..ThreeValuedEngine::default() };
        ask((family, seed, property), &engine, pace, &mut outcomes);
    }
    outcomes
}

#[test]
fn of_programs_with_any_families() {
    assert!(with_any_families(0..60, CAREFUL).proved > 0);
}

/// `HEAPWRIGHT_SEEDS=0..1000` for a part of them.
#[test]
#[ignore = "takes hours"]
fn of_a_hundred_thousand_programs_with_any_families() {
    let part = std::env::var("HEAPWRIGHT_SEEDS").unwrap_or_else(|_| "0..100000".to_owned());
    let (from, to) = part.split_once("..").expect("two numbers");
    let seeds = from.parse().expect("a number")..to.parse().expect("a number");
    let outcomes = with_any_families(seeds, QUICK);
    eprintln!("{outcomes:?}, no run disagrees with a proof");
    assert!(outcomes.proved > 0);
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
