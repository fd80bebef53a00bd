//! The rules of the crate, on this workspace.

use std::path::{Path, PathBuf};

use heapwright_tidy::rooms::Layers;
use heapwright_tidy::{Source, allowed, differences, shape, sources};

/// The engine's rooms, the ground floor first.
const SYMBOLIC_HEAP: Layers = Layers {
    crate_name: "engine-symbolic-heap",
    order: &[
        "statistics",
        "definition",
        "settings",
        "services",
        "landmarks",
        "layout_facts",
        "program_facts",
        "heap",
        "no_proof",
        "precision",
        "learnt",
        "reasoning",
        "summary",
        "abstraction",
        "execution",
        "interprocedural",
        "analysis",
        "proof",
        "strategy",
        "engine",
    ],
    outer: &["lib", "testing"],
};

fn workspace() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.join("../..").canonicalize().expect("the workspace")
}

fn all_sources() -> Vec<Source> {
    let sources = sources(&workspace()).expect("the source can be read");
    assert!(sources.len() > 300, "only {} files were found", sources.len());
    sources
}

#[test]
fn rules_are_broken_only_where_it_is_allowed() {
    let sources = all_sources();
    let mut found = shape::findings(&sources);
    found.extend(SYMBOLIC_HEAP.findings(&sources));
    let list = include_str!("../allowed.txt");
    let problems = differences(&found, &allowed(list).expect("`rule place count` in each line"));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Not a rule: prints which room uses which, for `cargo test -p heapwright-tidy -- --nocapture uses`.
#[test]
fn uses_are_counted() {
    let uses = SYMBOLIC_HEAP.uses(&all_sources());
    assert!(!uses.is_empty());
    for ((from, to), count) in uses {
        println!("{from} -> {to}: {count}");
    }
}
