//! Laws: rules of a common form say what a search node by node says, and definitions of a common form what their
//! formula says.

use heapwright_base::DenseId;

use crate::class::{Instance, Library, Selection};
use crate::coerce::Applied;
use crate::coerce::changes::{Changes, Counts, Notes};
use crate::coerce::implication::Implication;
use crate::coerce::native::Native;
use crate::coerce::readers::Readers;
use crate::definition::Definition;
use crate::evaluate::{Assignment, row, rows_of};
use crate::kleene::Kleene;
use crate::rule::Rule;
use crate::structure::{MOST_NODES, Row, Structure, nodes_of};
use crate::vocabulary::{BinaryId, UnaryId};

const STRUCTURES: u64 = 60;

fn instances() -> Vec<Instance> {
    let library = Library::built_in();
    let instance = |class: &crate::class::ShapeClass| {
        let pointers = vec![("a".to_owned(), true), ("b".to_owned(), true)];
        let families = vec![true; class.families.len()];
        Instance::of(class, &Selection { families, pointers, ..Selection::default() })
            .expect("it fits")
    };
    library.classes.iter().map(instance).collect()
}

/// A structure that chance makes; half of its values are open.
fn structure(instance: &Instance, seed: u64) -> Structure {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut chance = |bound: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let vocabulary = &instance.vocabulary;
    let mut structure = Structure::new(vocabulary, 2 + (seed % 3) as usize);
    let nodes: Vec<usize> = nodes_of(structure.blocks()).collect();
    let values = [Kleene::False, Kleene::True, Kleene::Half, Kleene::Half];
    for &node in &nodes {
        structure.set_summary(node, chance(2) == 0);
        for predicate in 1..vocabulary.unary().len() {
            let value = values[chance(4) as usize];
            structure.set_unary(UnaryId::from_index(predicate), node, value);
        }
        for predicate in 0..vocabulary.binary().len() {
            for to in 0..structure.len() {
                let value = values[chance(4) as usize];
                structure.set_binary(BinaryId::from_index(predicate), node, to, value);
            }
        }
    }
    structure
}

/// Applies a rule until it changes nothing.
fn exhausted(
    mut structure: Structure,
    instance: &Instance,
    apply: impl Fn(&mut Structure, &mut Notes<'_>) -> Applied,
) -> Option<Structure> {
    let counts = Counts::of(&instance.vocabulary);
    let nobody = Readers::new(&[], counts);
    loop {
        let mut changed = Changes::none(counts);
        changed.mark_all();
        let mut notes = Notes::new(&mut changed, &mut [], &nobody);
        apply(&mut structure, &mut notes).ok()?;
        if notes.count == 0 {
            return Some(structure);
        }
    }
}

#[test]
fn rules_of_a_common_form() {
    let mut compared = 0;
    for instance in instances() {
        for rule in &instance.rules {
            let Rule::Implication { body, head } = rule else { continue };
            let Some(native) = Native::of(body, *head) else { continue };
            let searched = Implication::new(body, *head);
            for seed in 0..STRUCTURES {
                let structure = structure(&instance, seed);
                let by_rows = |it: &mut Structure, notes: &mut Notes<'_>| native.apply(it, notes);
                let by_search =
                    |it: &mut Structure, notes: &mut Notes<'_>| searched.apply(it, notes);
                let found = exhausted(structure.clone(), &instance, by_rows);
                assert_eq!(found, exhausted(structure, &instance, by_search), "{native:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn definitions_of_a_common_form() {
    let mut compared = 0;
    for instance in instances() {
        for seed in 0..STRUCTURES {
            let structure = structure(&instance, seed);
            for (_, predicate) in instance.vocabulary.unary().enumerated() {
                let Some(formula) = predicate.definition.clone() else { continue };
                let blocks = structure.blocks();
                let found = Definition::new(formula.clone()).row(&structure);
                let meant = row(&structure, &formula, Assignment::default(), 0);
                let differs = (found.one ^ meant.one | found.zero ^ meant.zero) & blocks;
                assert_eq!(differs, 0, "{}: {structure:?}", predicate.name);
                compared += 1;
            }
            for (_, predicate) in instance.vocabulary.binary().enumerated() {
                let Some(formula) = predicate.definition.clone() else { continue };
                let mut found = [Row::default(); MOST_NODES];
                Definition::new(formula.clone()).find_rows(&structure, &mut found);
                let meant = rows_of(&structure, &formula);
                for from in nodes_of(structure.blocks()) {
                    assert_eq!(found[from], meant[from], "{}: {structure:?}", predicate.name);
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn most_rules_about_links_have_a_common_form() {
    for instance in instances().into_iter().filter(|it| !it.links.is_empty()) {
        let is_common = |rule: &&Rule| {
            let Rule::Implication { body, head } = rule else { return false };
            Native::of(body, *head).is_some()
        };
        let common = instance.rules.iter().filter(is_common).count();
        assert!(common >= 8, "{common}");
    }
}
