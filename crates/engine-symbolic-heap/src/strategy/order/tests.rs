//! Which precision comes after which.

use super::*;
use crate::precision::{Arguments, Arrays, Relations};

fn feedback(trees: &[LearntTree]) -> Feedback {
    Feedback {
        needs_time: true,
        payload_matters: true,
        has_lists: true,
        trees: trees.to_vec(),
        ..Feedback::default()
    }
}

#[test]
fn too_many_paths_make_states_meet_behind_branches() {
    let mut precisions = Precisions::new(false, &[]);
    let mut tried = Vec::new();
    while let Some(precision) = precisions.next() {
        tried.push(precision.points);
        precisions.failed(precision, Feedback { is_wide: true, ..feedback(&[]) });
    }
    assert_eq!(tried[..7], [AbstractionPoints::LoopHeads; 7]);
    assert_eq!(tried[7..], [AbstractionPoints::Joins; 2]);
}

#[test]
fn without_trees_there_are_seven_precisions() {
    let mut precisions = Precisions::new(false, &[]);
    let mut tried = Vec::new();
    while let Some(precision) = precisions.next() {
        tried.push(precision.payload);
        precisions.failed(precision, feedback(&[]));
    }
    // The last ones see how numbers go with each other, and small counts apart.
    let all = [
        Payload::Apart,
        Payload::Prototypes,
        Payload::Numbers,
        Payload::Sequences,
        Payload::Elements,
        Payload::Numbers,
        Payload::Numbers,
    ];
    assert_eq!(tried, all);
    precisions.again();
    assert_eq!(precisions.now.len(), all.len());
    assert!(precisions.now.iter().all(|precision| precision.trees.is_empty()));
}

#[test]
fn where_functions_call_themselves_arguments_are_held_before_numbers_are_related_alone() {
    let mut precisions = Precisions::new(false, &[]);
    let mut tried = Vec::new();
    while let Some(precision) = precisions.next() {
        tried.push((precision.arguments, precision.relations));
        precisions.failed(precision, Feedback { has_recursion: true, ..feedback(&[]) });
    }
    assert_eq!(tried.len(), 8);
    let held = tried.iter().position(|&(arguments, _)| arguments == Arguments::Held);
    let alone = tried.iter().position(|&(_, relations)| relations == Relations::Seen);
    assert_eq!((held, alone), (Some(5), Some(5)));
    assert_eq!(tried[6], (Arguments::Forgotten, Relations::Seen));
}

#[test]
fn where_marks_do_not_matter_other_ways_to_treat_them_are_left_out() {
    let mut precisions = Precisions::new(false, &[]);
    let mut tried = |feedback: &dyn Fn() -> Feedback| {
        let mut tried = Vec::new();
        while let Some(precision) = precisions.next() {
            tried.push(precision.payload);
            precisions.failed(precision, feedback());
        }
        precisions.again();
        tried
    };
    let few =
        [Payload::Apart, Payload::Sequences, Payload::Elements, Payload::Numbers, Payload::Numbers];
    assert_eq!(tried(&|| Feedback { payload_matters: false, ..feedback(&[]) }), few);
    // They may matter later on.
    assert_eq!(tried(&|| feedback(&[])).len(), 7);
    // Without lists it is all the same how their nodes are told apart.
    let without = || Feedback { payload_matters: false, has_lists: false, ..feedback(&[]) };
    let fewer = [Payload::Apart, Payload::Numbers, Payload::Numbers];
    assert_eq!(tried(&without), fewer);
    assert_eq!(tried(&|| Feedback { has_lists: false, ..feedback(&[]) }).len(), 4);
    // What failed for good would fail again.
    let for_good = || Feedback { needs_time: false, payload_matters: false, ..feedback(&[]) };
    // Where lengths may have wrapped, it is tried once more without.
    assert_eq!(tried(&for_good), [&few[..], &[Payload::Numbers]].concat());
    assert_eq!(tried(&for_good), []);
}

#[test]
fn trees_of_which_none_is_folded_get_no_more_time() {
    let seen = [LearntTree::of_two_links(24)];
    let mut precisions = Precisions::new(false, &[]);
    while let Some(precision) = precisions.next() {
        precisions.failed(precision, Feedback { is_idle: true, ..feedback(&seen) });
    }
    precisions.again();
    assert_eq!(precisions.now.len(), 7);
    assert!(
        precisions.now.iter().all(|precision| precision.trees.is_empty()),
        "{:?}",
        precisions.now
    );
}

#[test]
fn trees_that_were_seen_before_are_not_given_up_for_others() {
    let (all, some) = ([24, 16].map(LearntTree::of_two_links), [LearntTree::of_two_links(24)]);
    let mut precisions = Precisions::new(false, &[]);
    // A short look sees less than there is, and what was tried is not new.
    for seen in [&all[..], &some, &all] {
        let precision = precisions.next().expect("a way");
        precisions.failed(precision, feedback(seen));
    }
    precisions.again();
    let ways = |trees: &[LearntTree]| {
        precisions.now.iter().filter(|precision| precision.trees == trees).count()
    };
    assert_eq!((ways(&all), ways(&some)), (1, 1), "{:?}", precisions.now);
}

#[test]
fn elements_that_are_anywhere_make_their_laws_worth_a_look() {
    let mut precisions = Precisions::new(false, &[]);
    let mut tried = Vec::new();
    while let Some(precision) = precisions.next() {
        tried.push(precision.arrays);
        precisions.failed(precision, Feedback { has_elements: true, ..feedback(&[]) });
    }
    assert_eq!(tried.iter().filter(|&&arrays| arrays == Arrays::Laws).count(), 1);
    assert_eq!(tried.len(), 9, "where texts end is seen too");
    assert_eq!(tried.last(), Some(&Arrays::Laws));
}

#[test]
fn a_way_that_is_put_back_comes_first() {
    let mut precisions = Precisions::new(false, &[]);
    let precision = precisions.next().expect("a way");
    precisions.put_back(precision.clone());
    assert_eq!(precisions.next(), Some(precision));
}

#[test]
fn trees_that_are_seen_come_next_until_they_are_none() {
    let seen = vec![LearntTree::of_two_links(24)];
    let mut precisions = Precisions::new(false, &[]);
    let first = precisions.next().expect("a way");
    precisions.failed(first, feedback(&seen));
    let second = precisions.next().expect("a way");
    assert_eq!((second.payload, &second.trees), (Payload::Apart, &seen));
    precisions.failed(second, feedback(&[]));
    let rest: Vec<Precision> = std::iter::from_fn(|| precisions.next()).collect();
    assert!(rest.iter().all(|precision| precision.trees.is_empty()), "{rest:?}");
    precisions.again();
    assert!(
        precisions.now.iter().all(|precision| precision.trees.is_empty()),
        "{:?}",
        precisions.now
    );
}

#[test]
fn where_a_constant_goes_with_the_links_variants_come_next() {
    use std::collections::{BTreeMap, BTreeSet};

    use crate::heap::at_link::AtLink;
    use crate::precision::Variants;

    let seen = [LearntTree::of_two_links(24)];
    let next_way = |tags: [u128; 2]| {
        let mut variants = SeenVariants::default();
        for (links, tag) in [AtLink::Leaf, AtLink::Below].into_iter().zip(tags) {
            let constants = BTreeMap::from([(16, BTreeSet::from([tag]))]);
            variants.note(8, vec![links, AtLink::Leaf, AtLink::Bytes], &constants);
        }
        let mut precisions = Precisions::new(false, &[]);
        let first = precisions.next().expect("a way");
        precisions.failed(first, Feedback { variants, ..feedback(&seen) });
        let second = precisions.next().expect("a way");
        precisions.failed(second, feedback(&seen));
        precisions.next().expect("a way").variants
    };
    assert_eq!(next_way([0, 1]), Variants::Apart);
    assert_eq!(next_way([1, 1]), Variants::Alike);
}

#[test]
fn those_that_kept_states_small_come_first_in_the_next_round() {
    let mut precisions = Precisions::new(false, &[]);
    while let Some(precision) = precisions.next() {
        let largest = if precision.payload == Payload::Elements { 12 } else { 100 };
        precisions.failed(precision, Feedback { largest, ..feedback(&[]) });
    }
    precisions.again();
    let tried: Vec<Payload> = precisions.now.iter().map(|way| way.payload).collect();
    assert_eq!(tried[..3], [Payload::Elements, Payload::Apart, Payload::Prototypes]);
    assert_eq!(tried[4], Payload::Sequences);
}

#[test]
fn of_those_with_states_as_small_the_ones_that_join_empty_lists_come_first() {
    let mut precisions = Precisions::new(false, &[]);
    let first = precisions.next().expect("a way");
    precisions.failed(first, Feedback { largest: 12, has_empties: true, ..feedback(&[]) });
    while let Some(precision) = precisions.next() {
        precisions.failed(precision, Feedback { largest: 12, ..feedback(&[]) });
    }
    precisions.again();
    let joins = |way: &&Precision| way.empties == Empties::Joined;
    assert!(precisions.now.iter().filter(joins).count() >= 2);
    assert!(precisions.now.iter().take(2).all(|way| way.empties == Empties::Joined));
}
