//! Law: the pictures of the page about shape classes are what the logic gives for `x = x->next`, step by step.
//! `HEAPWRIGHT_ACCEPT=1` draws them anew.

use std::fs;
use std::path::{Path, PathBuf};

use heapwright_pictures::structure_svg;
use heapwright_three_valued::class::{Instance, Library, Selection};
use heapwright_three_valued::text::{parse_structure, print_structure};
use heapwright_three_valued::{Coerced, Node, Structure, blur, focus_target};

/// A doubly linked list of two blocks or more, where a loop over it begins.
const BEFORE: &str = "\
blocks: a b*
main/x: a
c_next: a b
c_prev: a b
next: a->b? b->null? b->b?
prev: a->null b->a? b->b?
";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// Doubly linked lists with cancellation alone, and one pointer.
fn instance() -> Instance {
    let library = Library::built_in();
    let class = library.class("dlist").expect("it is built in");
    let families = class.families.iter().map(|family| family.name == "cancel").collect();
    let pointers = vec![("main/x".to_owned(), true)];
    Instance::of(class, &Selection { families, pointers, ..Selection::default() }).expect("it fits")
}

/// The picture of a structure is the one in the folder.
fn is_drawn(name: &str, structure: &Structure, instance: &Instance) {
    let text = print_structure(structure, &instance.vocabulary);
    let svg = structure_svg(&text, &["next", "prev"]).expect("a structure");
    let file = folder().join(format!("shape-classes-{name}.svg"));
    if std::env::var_os("HEAPWRIGHT_ACCEPT").is_some() {
        fs::write(&file, &svg).expect("the folder of the pages");
    }
    let known = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(known, svg, "{} is not up to date", file.display());
}

#[test]
fn pictures_of_a_step_along_a_list() {
    let instance = instance();
    let (next, x) = (instance.links[0], instance.pointers[0]);
    let before = parse_structure(BEFORE, &instance.vocabulary).expect("a structure");
    let page = fs::read_to_string(folder().join("shape-classes.md")).expect("the page");
    assert!(page.contains(BEFORE), "the page begins with another structure");
    is_drawn("before", &before, &instance);
    let from = before.unary(x).must().trailing_zeros() as Node;
    let focused = focus_target(&before, next, from);
    let [only, several] = &focused[..] else { panic!("{} structures", focused.len()) };
    is_drawn("focus-only", only, &instance);
    is_drawn("focus-several", several, &instance);
    for (name, focused) in [("only", only), ("several", several)] {
        let mut sharp = focused.clone();
        let coerced = instance.coerce(&mut sharp);
        assert!(matches!(coerced, Coerced::Possible { .. }), "{name}");
        is_drawn(&format!("coerce-{name}"), &sharp, &instance);
        let target = sharp.binary(next, from).must().trailing_zeros() as Node;
        instance.assign(&mut sharp, x, target);
        is_drawn(&format!("blur-{name}"), &blur(&sharp, &instance.vocabulary), &instance);
    }
}
