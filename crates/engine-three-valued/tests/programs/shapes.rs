//! The examples with shape classes of their own: structures with sharing, overlays and graphs, each with a wrong
//! twin.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Run, Task};
use heapwright_engine_three_valued::ThreeValuedEngine;
use heapwright_frontend::{Settings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::{Property, Specification};
use heapwright_three_valued::class::Library;
use heapwright_verdict::{Verdict, conclude};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shapes")
}

fn verdict(name: &str) -> Verdict {
    let classes = fs::read_to_string(folder().join("classes.txt")).expect("the class file");
    let mut library = Library::built_in();
    library
        .load("classes.txt", &classes)
        .map_err(|error| error.told("classes.txt", &classes))
        .unwrap();
    let text = fs::read_to_string(folder().join(format!("{name}.c"))).expect("the example");
    let source = Source::new(format!("{name}.c"), text);
    let program = load(&[source], &Settings::new(DataModel::Lp64)).expect("C").program;
    let specification = Specification::of_property(Property::UnreachCall);
    let task = Task { program, specification, malloc_may_fail: false };
    let deadline = Deadline::after(Duration::from_secs(60));
    let engine = ThreeValuedEngine { library: library.into(), ..ThreeValuedEngine::default() };
    let finding = engine.run(&task, &Run::alone(&deadline));
    conclude(&task, finding, &deadline)
}

/// The example is proved with the class of one of these titles, and its twin refuted.
fn is_decided(name: &str, titles: &[&str]) {
    match verdict(name) {
        Verdict::Holds(proof) => {
            let names = |title: &&str| {
                proof.invariants().iter().any(|line| line.contains(&format!("spurious: {title} (")))
            };
            assert!(titles.iter().any(names), "{:#?}", proof.invariants());
        }
        other => panic!("{name}: {other:?}"),
    }
    let twin = verdict(&format!("{name}_wrong"));
    assert!(matches!(twin, Verdict::Violated(_)), "{name}_wrong: {twin:?}");
}

#[test]
fn a_tree_with_a_common_leaf() {
    is_decided("common_leaf", &["binary tree with a common leaf"]);
}

#[test]
fn a_list_whose_nodes_lead_to_its_head() {
    is_decided("links_to_head", &["list whose nodes lead to its head"]);
}

#[test]
fn a_threaded_tree() {
    is_decided("threaded_tree", &["threaded binary tree"]);
}

#[test]
fn a_graph_without_cycles() {
    is_decided("dag", &["graph without cycles"]);
}

/// Samples look at blocks of one size, and ends of edges lead to others: another class may come first.
#[test]
fn a_graph_with_adjacency_lists() {
    is_decided("adjacency_lists", &["list of the edges of a graph", "doubly linked list"]);
}

#[test]
fn a_tree_whose_keys_are_in_order() {
    is_decided("search_tree", &["binary search tree"]);
}
