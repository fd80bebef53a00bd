//! Laws: rules of a common form say what a search node by node says, and definitions of a common form what their
//! formula says.

use heapwright_base::DenseId;

use crate::class::{Instance, Library, Selection};
use crate::coerce::changes::{Changes, Counts, Notes};
use crate::coerce::implication::Implication;
use crate::coerce::native::Native;
use crate::coerce::readers::Readers;
use crate::coerce::{Applied, Coerced, Prepared, Rules};
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

/// A heap that chance makes, whose values are then open where chance says so; some are made wrong.
fn loosened(instance: &Instance, seed: u64) -> Structure {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut chance = |bound: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut structure = Structure::new(&instance.vocabulary, 1 + (seed % 5) as usize);
    let (nodes, universe) = (structure.len() as u64, structure.universe());
    let only = |node: u64| Row { one: 1 << node, zero: universe & !(1 << node) };
    for from in nodes_of(structure.blocks()) {
        instance
            .links
            .iter()
            .for_each(|&link| structure.set_binary_row(link, from, only(chance(nodes))));
    }
    for &pointer in &instance.pointers {
        structure.set_unary_row(pointer, only(chance(nodes)));
    }
    instance.define(&mut structure);
    let keeps_pointers = chance(4) != 0;
    let may_be_wrong = chance(8) == 0;
    let unary = structure.unary_count();
    for (index, row) in structure.rows_mut().iter_mut().enumerate().skip(1) {
        let is_pointer = instance.pointers.iter().any(|it| it.index() + 1 == index);
        if is_pointer && keeps_pointers {
            continue;
        }
        // Null and wild are no summaries.
        let places = if index == 1 { universe & !0b11 } else { universe };
        let open = chance(u64::MAX) & chance(u64::MAX) & places;
        *row = Row { one: row.one | open, zero: row.zero | open };
        if may_be_wrong && index > 1 && index <= unary && chance(8) == 0 {
            let bit = 1 << chance(nodes);
            *row = Row { one: row.one ^ bit, zero: row.zero ^ bit };
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
fn pointers_together_and_each_by_its_own_rules() {
    let (mut possible, mut impossible) = (0, 0);
    for instance in instances().into_iter().filter(|it| !it.links.is_empty()) {
        let rules = instance.rules.iter().enumerate();
        let apart = rules.map(|(index, rule)| Prepared::new(index, rule, &instance.vocabulary));
        let apart: Vec<Prepared> = apart.collect();
        let (count, counts) = (apart.len(), Counts::of(&instance.vocabulary));
        let apart = Rules::of(apart, counts);
        let together = Rules::new(&instance.rules, &instance.vocabulary);
        assert_eq!(together.prepared.len(), count - 2 * 5 + 1, "five for each pointer");
        for seed in 0..2_000 {
            let structure = loosened(&instance, seed);
            let (mut one, mut other) = (structure.clone(), structure);
            let is_possible = |coerced| matches!(coerced, Coerced::Possible { .. });
            let found = is_possible(together.apply_everywhere(&mut one));
            assert_eq!(found, is_possible(apart.apply_everywhere(&mut other)), "{seed}");
            if found {
                assert_eq!(one, other, "{seed}");
                possible += 1;
            } else {
                impossible += 1;
            }
        }
    }
    assert!(possible > 1_000 && impossible > 100, "{possible} {impossible}");
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
