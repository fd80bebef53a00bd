//! Every concrete run is contained in what the engine computes.
//!
//! Programs are random, and so are their inputs. Without summaries, a path of the engine goes along
//! with the run: at each step one of its states has the run's state as a model, and it ends as the
//! run does. With summaries, each arrival at a loop head is a model of an invariant there. The
//! interpreter knows nothing of the engine, so this is a test of the whole of it: of evaluation,
//! memory, calls, forks, folding, unfolding, covering and generalising.

mod answers;
mod follow;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use heapwright_engine::Task;
use heapwright_frontend::{Source, load};
use heapwright_generators::{Family, linked};
use heapwright_program::DataModel;
use heapwright_property::Specification;

use crate::heap::block::DefaultBytes;
use crate::heap::state::State;
use crate::testing::containment::answers::Answers;
use crate::testing::containment::follow::{
    Followed, Tally, follow_invariants, follow_invariants_with_trees, follow_path,
};

/// More of everything.
fn is_long() -> bool {
    std::env::var_os("HEAPWRIGHT_LONG_TESTS").is_some()
}

/// The programs to run. `HEAPWRIGHT_SEEDS=100..200` runs these.
fn seeds(usual: u64, long: u64) -> Range<u64> {
    let given = std::env::var("HEAPWRIGHT_SEEDS").ok();
    let bounds = given.as_deref().and_then(|text| text.split_once(".."));
    match bounds.map(|(first, last)| (first.parse(), last.parse())) {
        Some((Ok(first), Ok(last))) => first..last,
        _ => 0..if is_long() { long } else { usual },
    }
}

fn read(name: &str, text: String, model: DataModel) -> Option<Task> {
    let settings = heapwright_frontend::Settings::new(model);
    let program = load(&[Source::new(name, text)], &settings).ok()?.program;
    program.function_named("main")?;
    Some(Task { program, specification: Specification::everyday(), malloc_may_fail: false })
}

fn task(text: String) -> Task {
    read("test.c", text.clone(), DataModel::Lp64).unwrap_or_else(|| panic!("bad C:\n{text}"))
}

/// Counts what came of a run; a run that is not contained is a failure, with all one needs to see.
fn count(tally: &mut Tally, followed: Result<Followed, String>, name: &str, text: &str, seed: u64) {
    match followed {
        Ok(followed) => tally.add(followed),
        Err(problem) => {
            tally.failures.push(format!("{name}, inputs of seed {seed}: {problem}\n{text}"));
        }
    }
}

fn conclude(what: &str, tally: &Tally) {
    println!("{what}: {tally}");
    let shown: Vec<&str> = tally.failures.iter().take(3).map(String::as_str).collect();
    assert!(
        shown.is_empty(),
        "{} runs are not contained\n{}",
        tally.failures.len(),
        shown.join("\n")
    );
    assert!(tally.to_the_end > 0, "no run was followed to its end");
}

#[test]
fn paths_contain_runs_of_list_programs() {
    let mut tally = Tally::default();
    for seed in 0..if is_long() { 3000 } else { 60 } {
        let text = linked::list_program(seed);
        let task = task(text.clone());
        for inputs in 1..=2 {
            let followed = follow_path(&task, inputs + 7 * seed);
            count(&mut tally, followed, "a list program", &text, inputs + 7 * seed);
        }
    }
    conclude("paths, list programs", &tally);
}

#[test]
fn invariants_contain_runs_of_list_programs() {
    let mut tally = Tally::default();
    for seed in 0..if is_long() { 1500 } else { 40 } {
        let text = linked::list_program(seed);
        let task = task(text.clone());
        for (inputs, followed) in follow_invariants(&task, 1..=8) {
            count(&mut tally, followed, "a list program", &text, inputs);
        }
    }
    conclude("invariants, list programs", &tally);
}

#[test]
fn paths_contain_runs_of_generated_programs() {
    let mut tally = Tally::default();
    for family in [Family::Heap, Family::Fault, Family::Arithmetic] {
        for seed in 0..if is_long() { 300 } else { 6 } {
            let model = heapwright_generators::program::DataModel::Lp64;
            let text = family.source(seed, model);
            let task = task(text.clone());
            count(&mut tally, follow_path(&task, 0), family.name(), &text, 0);
        }
    }
    conclude("paths, generated programs", &tally);
}

#[test]
fn examples_and_corpus_are_contained() {
    let mut paths = Tally::default();
    let mut invariants = Tally::default();
    for file in files() {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        // What the files say of their data model is the same for all but a few.
        let is_example = file.components().any(|part| part.as_os_str() == "examples");
        let model = if is_example { DataModel::Lp64 } else { DataModel::Ilp32 };
        let name = file.display().to_string();
        let Some(task) = read(&name, text, model) else { continue };
        for seed in 1..=3 {
            count(&mut paths, follow_path(&task, seed), &name, "", seed);
        }
        for (seed, followed) in follow_invariants(&task, 1..=3) {
            count(&mut invariants, followed, &name, "", seed);
        }
    }
    conclude("paths, examples and corpus", &paths);
    conclude("invariants, examples and corpus", &invariants);
}

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![root.join("examples")];
    if is_long() {
        let families = [
            "list-simple",
            "forester-heap",
            "heap-manipulation",
            "memsafety",
            "memsafety-ext",
            "memsafety-ext2",
            "list-ext3-properties",
            "ldv-regression",
            "list-ext-properties",
        ];
        let corpus = root.join("../shared/corpus");
        if !corpus.is_dir() {
            println!("skipped: there is no {}", corpus.display());
        }
        folders.extend(families.iter().map(|family| corpus.join(family)));
    }
    let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "c" || ending == "i"));
    files.sort();
    files
}

#[test]
fn invariants_contain_runs_of_owner_programs() {
    let mut tally = Tally::default();
    let runs = if is_long() { 30 } else { 8 };
    for seed in seeds(10, 3000) {
        let text = linked::owner_program(seed);
        let task = task(text.clone());
        for (inputs, followed) in follow_invariants(&task, 1..=runs) {
            count(&mut tally, followed, &format!("owner program {seed}"), &text, inputs);
        }
    }
    conclude("invariants, owner programs", &tally);
}

/// A program with a faulty run is never proved.
#[test]
fn owner_programs_that_fail_are_not_proved() {
    let (mut answers, mut wrong) = (Answers::default(), Vec::new());
    for seed in seeds(12, 3000) {
        let text = linked::owner_program(seed);
        let task = task(text.clone());
        if let Some(inputs) = answers.ask(&task, 1..=60) {
            wrong.push(format!("owner program {seed} fails on inputs of seed {inputs}\n{text}"));
        }
    }
    println!("answers, owner programs: {answers:?}");
    assert!(wrong.is_empty(), "{} wrong proofs\n{}", wrong.len(), wrong.join("\n"));
    assert!(answers.holds > 0 && answers.faulty > 0, "{answers:?}");
}

#[test]
fn invariants_contain_runs_of_marked_programs() {
    let mut tally = Tally::default();
    let runs = if is_long() { 30 } else { 8 };
    for seed in seeds(4, 3000) {
        let text = linked::marked_program(seed);
        let task = task(text.clone());
        for (inputs, followed) in follow_invariants(&task, 1..=runs) {
            count(&mut tally, followed, &format!("marked program {seed}"), &text, inputs);
        }
    }
    conclude("invariants, marked programs", &tally);
}

/// A program with a faulty run is never proved by the order of its payload constants.
#[test]
fn marked_programs_that_fail_are_not_proved() {
    let (mut answers, mut wrong) = (Answers::default(), Vec::new());
    for seed in seeds(40, 6000) {
        let text = linked::marked_program(seed);
        let task = task(text.clone());
        if let Some(inputs) = answers.ask_about_sequences(&task, 1..=200) {
            wrong.push(format!("marked program {seed} fails on inputs of seed {inputs}\n{text}"));
        }
    }
    println!("answers, marked programs: {answers:?}");
    assert!(wrong.is_empty(), "{} wrong proofs\n{}", wrong.len(), wrong.join("\n"));
    assert!(answers.holds > 0 && answers.faulty > 0, "{answers:?}");
}

#[test]
fn invariants_contain_runs_of_recursive_programs() {
    let mut tally = Tally::default();
    let runs = if is_long() { 20 } else { 6 };
    for seed in seeds(12, 3000) {
        let text = linked::recursive_program(seed);
        let task = task(text.clone());
        for (inputs, followed) in follow_invariants(&task, 1..=runs) {
            count(&mut tally, followed, &format!("recursive program {seed}"), &text, inputs);
        }
    }
    conclude("invariants, recursive programs", &tally);
}

#[test]
fn recursive_programs_that_fail_are_not_proved() {
    let (mut answers, mut wrong) = (Answers::default(), Vec::new());
    for seed in seeds(12, 3000) {
        let text = linked::recursive_program(seed);
        let task = task(text.clone());
        if let Some(inputs) = answers.ask(&task, 1..=60) {
            wrong
                .push(format!("recursive program {seed} fails on inputs of seed {inputs}\n{text}"));
        }
    }
    println!("answers, recursive programs: {answers:?}");
    assert!(wrong.is_empty(), "{} wrong proofs\n{}", wrong.len(), wrong.join("\n"));
    assert!(answers.holds > 0 && answers.faulty > 0, "{answers:?}");
}

#[test]
fn invariants_contain_runs_of_tree_programs() {
    let mut tally = Tally::default();
    let runs = if is_long() { 30 } else { 8 };
    for seed in seeds(10, 2000) {
        let text = linked::tree_program(seed);
        let task = task(text.clone());
        let mut all_followed = follow_invariants_with_trees(&task, 1..=runs);
        if is_long() {
            // Paths in trees are lists as well.
            all_followed.extend(follow_invariants(&task, 1..=runs));
        }
        for (inputs, followed) in all_followed {
            count(&mut tally, followed, &format!("tree program {seed}"), &text, inputs);
        }
    }
    conclude("invariants, tree programs", &tally);
}

/// A program with a faulty run is never proved.
#[test]
fn tree_programs_that_fail_are_not_proved() {
    let (mut answers, mut wrong) = (Answers::default(), Vec::new());
    for seed in seeds(12, 2000) {
        let text = linked::tree_program(seed);
        let task = task(text.clone());
        if let Some(inputs) = answers.ask_about_trees(&task, 1..=60) {
            wrong.push(format!("tree program {seed} fails on inputs of seed {inputs}\n{text}"));
        }
    }
    println!("answers, tree programs: {answers:?}");
    assert!(wrong.is_empty(), "{} wrong proofs\n{}", wrong.len(), wrong.join("\n"));
    assert!(answers.holds > 0 && answers.faulty > 0, "{answers:?}");
}

/// The check itself must be able to fail: a run with other inputs is not in a state of its own.
#[test]
fn a_run_that_differs_is_no_model() {
    let text = "
        extern int __VERIFIER_nondet_int(void);
        int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3) x = 1; else x = 2; return x; }";
    let task = task(text.to_owned());
    assert!(follow::follow_path_but(&task, 1, &|_| false).is_ok());
    // A state that is pushed out of step at the first branch.
    let problem = follow::follow_path_but(&task, 1, &|step| step == 2).unwrap_err();
    assert!(problem.contains("no state"), "{problem}");
}

/// Nor are lists shorter than the invariants say.
#[test]
fn invariants_that_say_too_much_are_found_out() {
    let text = "
        extern void *malloc(unsigned long); extern void free(void *);
        extern int __VERIFIER_nondet_int(void);
        struct node { struct node *next; int value; };
        int main(void) {
            struct node *head = 0, *next;
            while (__VERIFIER_nondet_int()) {
                next = malloc(sizeof *next); next->next = head; next->value = 7; head = next;
            }
            while (head) { next = head->next; free(head); head = next; }
            return 0;
        }";
    let task = task(text.to_owned());
    let contained = |change: &dyn Fn(&mut State)| {
        let followed = follow::follow_invariants_but(&task, 1..=8, change);
        assert!(!followed.is_empty(), "there are invariants");
        followed.iter().all(|(_, followed)| followed.is_ok())
    };
    assert!(contained(&|_| {}));
    assert!(!contained(&|state| {
        for id in state.blocks.keys().copied().collect::<Vec<_>>() {
            if let Some(mut segment) = state.block(id).segment().cloned() {
                segment.minimum += 2;
                state.block_mut(id).role = segment.into();
            }
        }
    }));
    // Nor of no node at all.
    assert!(!contained(&|state| {
        for id in state.blocks.keys().copied().collect::<Vec<_>>() {
            if let Some(mut segment) = state.block(id).segment().cloned() {
                segment.length = Some(segment.ends.next);
                state.block_mut(id).role = segment.into();
            }
        }
    }));
    assert!(!contained(&|state| {
        for id in state.blocks.keys().copied().collect::<Vec<_>>() {
            for prototype in state.block_mut(id).role.prototypes_mut() {
                let prototype = Arc::make_mut(prototype);
                for id in prototype.blocks.keys().copied().collect::<Vec<_>>() {
                    let block = Arc::make_mut(prototype.blocks.get_mut(&id).expect("its own key"));
                    block.rest = DefaultBytes::Zero;
                    block.cells.remove(&8);
                }
            }
        }
    }));
}
