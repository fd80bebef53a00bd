//! Invariants as text: what is printed for a proved program is read back as it was.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Finding, Run, Task};
use heapwright_engine_symbolic_heap::{PathTurns, SymbolicHeapEngine, reread};
use heapwright_frontend::{Settings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::Specification;

/// The invariants of a program that is proved with them.
fn proved(name: &str, text: String, model: DataModel) -> Option<(Task, Vec<String>)> {
    let program = load(&[Source::new(name, text)], &Settings::new(model)).ok()?.program;
    let task = Task { program, specification: Specification::everyday(), malloc_may_fail: false };
    let mut engine = SymbolicHeapEngine::default();
    // No look at single paths: what they decide has no invariants.
    engine.settings.paths = PathTurns::Last;
    let deadline = Deadline::after(Duration::from_secs(10));
    match engine.run(&task, &Run::alone(&deadline)) {
        Finding::Proved(proof) => {
            let invariants = proof.invariants();
            Some((task, invariants))
        }
        Finding::Refuted(_) | Finding::Open(_) => None,
    }
}

/// Reads back every invariant of the programs; how many there were.
fn read_back(files: &[PathBuf], model: DataModel) -> (usize, usize) {
    let (mut programs, mut texts) = (0, 0);
    for file in files {
        let source = fs::read_to_string(file).expect("a file that can be read");
        let Some((task, invariants)) = proved(&file.display().to_string(), source, model) else {
            continue;
        };
        programs += usize::from(!invariants.is_empty());
        for invariant in invariants {
            let again = reread(&task, &invariant)
                .unwrap_or_else(|error| panic!("{}: {error}\n{invariant}", file.display()));
            assert_eq!(unordered(&again), unordered(&invariant), "{}", file.display());
            texts += 1;
        }
    }
    (programs, texts)
}

/// The lines of a text. The parts of a conjunction come in an order that says nothing, so conditions
/// and laws of elements are taken as what they consist of.
fn unordered(text: &str) -> Vec<Vec<String>> {
    let words = |line: &str| {
        let mut words: Vec<String> = line
            .split(|character: char| character.is_whitespace() || "()".contains(character))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        if line.trim_start().starts_with("where ") || line.contains(" holds ") {
            words.sort();
        }
        words
    };
    text.lines().map(words).collect()
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.retain(|file| file.extension().is_some_and(|found| found == ending));
    files.sort();
    files
}

#[test]
fn invariants_of_the_examples_are_read_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (programs, texts) = read_back(&files(&folder, "c"), DataModel::Lp64);
    println!("{programs} examples with {texts} invariants");
    assert!(programs >= 1 && texts >= 5, "{programs} examples with {texts} invariants");
}

#[test]
fn invariants_with_lists_in_lists_are_read_back() {
    let program = "
        extern void *malloc(__SIZE_TYPE__); extern void free(void *);
        extern int __VERIFIER_nondet_int(void);
        struct item { struct item *next; int number; };
        struct row { struct row *next, *previous; struct item *items; };
        int main(void) {
            struct row *rows = 0;
            while (__VERIFIER_nondet_int()) {
                struct row *row = malloc(sizeof *row);
                row->items = 0; row->previous = 0; row->next = rows;
                if (rows) rows->previous = row;
                rows = row;
                while (__VERIFIER_nondet_int()) {
                    struct item *item = malloc(sizeof *item);
                    int number = __VERIFIER_nondet_int();
                    item->number = number > 0 && number < 9 ? number : 5;
                    item->next = row->items; row->items = item;
                }
            }
            while (rows) {
                struct row *next = rows->next;
                while (rows->items) {
                    struct item *rest = rows->items->next;
                    free(rows->items); rows->items = rest;
                }
                free(rows); rows = next;
            }
            return 0;
        }";
    let proved = proved("rows.c", program.to_owned(), DataModel::Lp64);
    let (task, invariants) = proved.expect("a program that is proved");
    let is_nested = |text: &&String| text.contains("&inner.node") || text.contains("inner.n1");
    assert!(invariants.iter().any(|text| is_nested(&text)), "{}", invariants.concat());
    for invariant in invariants {
        assert_eq!(reread(&task, &invariant).as_ref(), Ok(&invariant));
    }
}

#[test]
fn invariants_with_trees_are_read_back() {
    let program = "
        extern void *malloc(__SIZE_TYPE__); extern void free(void *);
        extern int __VERIFIER_nondet_int(void);
        struct knot { int value; struct knot *left, *right, *parent; };
        int main(void) {
            struct knot *root = 0, *at = 0, *fresh;
            while (__VERIFIER_nondet_int()) {
                fresh = malloc(sizeof *fresh); fresh->left = fresh->right = fresh->parent = 0;
                int value = __VERIFIER_nondet_int();
                fresh->value = value > 0 && value < 9 ? value : 5;
                if (!root) { root = fresh; fresh = 0; continue; }
                at = root;
                while (at->left && at->right) at = __VERIFIER_nondet_int() ? at->left : at->right;
                if (!at->left) at->left = fresh; else at->right = fresh;
                fresh->parent = at; fresh = 0; at = 0;
            }
            at = root;
            while (at) {
                if (at->left) at = at->left;
                else if (at->right) at = at->right;
                else {
                    fresh = at->parent;
                    if (fresh && fresh->left == at) fresh->left = 0; else if (fresh) fresh->right = 0;
                    free(at); at = fresh;
                }
            }
            return 0;
        }";
    let proved = proved("knots.c", program.to_owned(), DataModel::Lp64);
    let (task, invariants) = proved.expect("a program that is proved");
    let all = invariants.concat();
    assert!(all.contains("tree by +8 +16 and up by +24, made at"), "{all}");
    assert!(all.contains("tree by +8 +16 and up by +24 from b"), "{all}");
    for invariant in invariants {
        let again =
            reread(&task, &invariant).unwrap_or_else(|error| panic!("{error}\n{invariant}"));
        assert_eq!(unordered(&again), unordered(&invariant));
    }
}

#[test]
fn entries_and_exits_of_recursive_calls_are_read_back() {
    let program = "
        extern void *malloc(__SIZE_TYPE__); extern void free(void *);
        extern int __VERIFIER_nondet_int(void);
        struct node { struct node *next; int value; };
        static struct node *build(int value) {
            if (!__VERIFIER_nondet_int()) return 0;
            struct node *fresh = malloc(sizeof *fresh);
            fresh->value = value; fresh->next = build(value); return fresh;
        }
        static _Bool drop(struct node *list) {
            if (!list) return 0;
            drop(list->next); free(list); return __VERIFIER_nondet_int();
        }
        int main(void) {
            int value = __VERIFIER_nondet_int();
            struct node *list = build(value);
            return drop(list) + value;
        }";
    let proved = proved("calls.c", program.to_owned(), DataModel::Lp64);
    let (task, invariants) = proved.expect("a program that is proved");
    let all = invariants.concat();
    for line in
        ["call of build", "call of drop", "held 64 bits: &b", "held 32 bits: ", "in drop at"]
    {
        assert!(all.contains(line), "{line}\n{all}");
    }
    assert!(all.contains("result 64 bits: &b") && all.contains("result truth: "), "{all}");
    for invariant in invariants {
        assert_eq!(reread(&task, &invariant).as_ref(), Ok(&invariant));
    }
}

#[test]
fn a_wrong_text_is_told_with_its_line() {
    let program = "int main(void) { int *p = 0; while (1) { } return 0; }".to_owned();
    let source = Source::new("test.c", program);
    let program = load(&[source], &Settings::new(DataModel::Lp64)).expect("correct C").program;
    let task = Task { program, specification: Specification::everyday(), malloc_may_fail: false };
    let message = |text: &str| reread(&task, text).expect_err(text).to_string();
    assert_eq!(message("in main at L1\n  q = 0"), "line 2: there is no variable `q`");
    assert_eq!(message("in start at L1"), "line 1: there is no such function");
    assert_eq!(message("in main at L99"), "line 1: the function has no such location");
    assert_eq!(message("b9: heap, freed"), "line 1: `SIZE bytes` is missing");
    assert_eq!(message("b9: heap, 8 bytes, red"), "line 1: `red` is not known of blocks");
    let list = "b9: heap, 8 bytes, list of 1+\nend = 0\neach\n";
    assert_eq!(message(list), "line 3: the `end` of this is missing");
    let kind = format!("{list}node: heap, 8 bytes\nthing: heap, 8 bytes\nend");
    assert_eq!(message(&kind), "line 5: this block is called `owned1`");
    let tree = "b9: heap, 8 bytes, tree by +0 +4 and up by +8\neach\nnode: heap, 8 bytes\nend";
    assert!(
        message(tree).starts_with("line 1: a tree whose nodes know their parents has a `back`")
    );
    assert!(message("b9: heap, 8 bytes, tree by +0").starts_with("line 1: not `tree by +OFFSET"));
    assert_eq!(message("call of sub"), "line 1: there is no such function");
    let sort = "call of main\n  held 8 bytes: 0";
    assert_eq!(message(sort), "line 2: neither `WIDTH bits` nor `truth`");
    let condition = "where x <s 4";
    assert_eq!(message(condition), "line 1: column 1: `x` is not known in `x <s 4`");
}

#[test]
fn invariants_of_the_corpus_are_read_back() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folders = ["sv-benchmarks/c/list-simple", "list-simple"].map(|folder| root.join(folder));
    let Some(folder) = folders.iter().find(|folder| folder.is_dir()) else {
        println!("skipped: there is no corpus at {}", root.display());
        return;
    };
    let mut files = files(folder, "i");
    if std::env::var_os("HEAPWRIGHT_LONG_TESTS").is_none() {
        files.truncate(8);
    }
    let (programs, texts) = read_back(&files, DataModel::Ilp32);
    println!("{programs} tasks of {} with {texts} invariants", files.len());
    assert!(texts > 0, "no invariant of {} tasks", files.len());
}
