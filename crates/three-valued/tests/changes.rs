//! Law: rules that are applied where something has changed give what all rules give everywhere.

use heapwright_three_valued::class::{Heaps, Instance, Library, Selection};
use heapwright_three_valued::{Coerced, Structure, blur, focus_target, nodes_of};

/// Heaps of each size that structures are made of.
const HEAPS: usize = 40;
const MOST_BLOCKS: usize = 5;

fn instance(class: &str) -> Instance {
    let library = Library::built_in();
    let class = library.class(class).expect("built in");
    let families = vec![true; class.families.len()];
    let pointers = vec![("x".to_owned(), true), ("y".to_owned(), true)];
    Instance::of(class, &Selection { families, pointers, ..Selection::default() }).expect("it fits")
}

fn sharpened(instance: &Instance, mut structure: Structure) -> Option<Structure> {
    match instance.coerce(&mut structure) {
        Coerced::Possible { .. } => Some(structure),
        Coerced::Impossible { .. } => None,
    }
}

/// Structures as an exploration goes on from: blurred, then sharpened.
fn structures(instance: &Instance) -> Vec<Structure> {
    let heaps = (1..=MOST_BLOCKS).flat_map(|blocks| Heaps::new(instance, blocks, HEAPS));
    let blurred = heaps.map(|heap| blur(&heap, &instance.vocabulary));
    blurred.filter_map(|structure| sharpened(instance, structure)).collect()
}

/// Assigns every single node to one pointer, and to both; gives the number of structures that were compared.
fn assignments(class: &str) -> usize {
    let instance = instance(class);
    let mut compared = 0;
    for structure in structures(&instance) {
        for target in nodes_of(structure.universe() & !structure.summaries()) {
            for count in 1..=instance.pointers.len() {
                let pointers = &instance.pointers[..count];
                let mut quick = structure.clone();
                for &pointer in pointers {
                    instance.assign(&mut quick, pointer, target);
                }
                let whole = sharpened(&instance, quick.clone());
                let quick = match instance.coerce_assigned(&mut quick, pointers) {
                    Coerced::Possible { .. } => Some(quick),
                    Coerced::Impossible { .. } => None,
                };
                assert_eq!(quick, whole, "{class}: {count} lead to {target}");
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn of_pointers() {
    for class in ["list", "dlist", "tree", "ptree"] {
        assert!(assignments(class) > 100, "{class}");
    }
}

/// Focuses on every link of every single block, then stores every single node there; gives the number of
/// structures that were compared.
fn compare(class: &str) -> usize {
    let instance = instance(class);
    let mut compared = 0;
    for structure in structures(&instance) {
        for from in nodes_of(structure.blocks() & !structure.summaries()) {
            for (role, &link) in instance.links.iter().enumerate() {
                let found = instance.focus(&structure, link, from);
                let all = focus_target(&structure, link, from);
                let all: Vec<Structure> =
                    all.into_iter().filter_map(|it| sharpened(&instance, it)).collect();
                assert_eq!(found, all, "{class}: focus on {role} of {from}");
                for sharp in found {
                    compared += stores(&instance, &sharp, from, role);
                }
            }
        }
    }
    compared
}

fn stores(instance: &Instance, sharp: &Structure, from: usize, role: usize) -> usize {
    let targets = sharp.universe() & !sharp.summaries();
    for target in nodes_of(targets) {
        let mut quick = sharp.clone();
        instance.store(&mut quick, from, role, target);
        let whole = sharpened(instance, quick.clone());
        let quick = match instance.coerce_since(&mut quick, sharp) {
            Coerced::Possible { .. } => Some(quick),
            Coerced::Impossible { .. } => None,
        };
        assert_eq!(quick, whole, "{role} of {from} = {target}");
    }
    targets.count_ones() as usize
}

#[test]
fn of_lists() {
    assert!(compare("list") > 1_000);
    assert!(compare("dlist") > 1_000);
}

#[test]
fn of_trees() {
    assert!(compare("tree") > 1_000);
    assert!(compare("ptree") > 1_000);
}
