//! The precisions themselves: what each of them tells apart.

use crate::precision::{
    Arguments, Arrays, Copies, Counts, Cursors, Empties, Keys, LearntTree, Measuring, Payload,
    Precision, Relations, Sorting, Variants,
};
use crate::summary::tree::unfold::MOST_TOLD_APART;

/// The precision that sees how numbers go with each other.
pub(crate) fn with_relations() -> Precision {
    Precision { relations: Relations::Seen, ..Precision::for_lists(Payload::Numbers) }
}

/// The precision that also sees that lengths do not wrap.
pub(crate) fn with_lengths() -> Precision {
    Precision { relations: Relations::Lengths, ..with_relations() }
}

/// The precision that runs short loops round by round.
pub(crate) fn with_counts() -> Precision {
    Precision { counts: Counts::Apart, ..Precision::for_lists(Payload::Numbers) }
}

/// The precision that sees which lists have the same numbers.
pub(crate) fn with_copies() -> Precision {
    Precision { copies: Copies::Seen, ..Precision::for_lists(Payload::Numbers) }
}

/// The precisions that tell nodes apart by what variables hold: where the order of nodes matters, and where all of a list
/// have one or the other.
pub(crate) fn with_keys() -> [Precision; 2] {
    let way = |keys, marks| Precision { keys, ..Precision::for_lists(marks) };
    [way(Keys::Apart, Payload::Apart), way(Keys::InStates, Payload::Numbers)]
}

/// The precision that sees where texts end, and little else of what is in arrays.
pub(crate) fn with_texts() -> Precision {
    Precision { arrays: Arrays::Texts, relations: Relations::Texts, ..with_relations() }
}

/// The precision that sees what elements of arrays have in common.
pub(crate) fn with_laws() -> Precision {
    Precision { arrays: Arrays::Laws, counts: Counts::Flags, ..with_texts() }
}

/// The precision that sees how results of recursive functions go with what they were given.
pub(crate) fn with_arguments() -> Precision {
    Precision { arguments: Arguments::Held, ..with_relations() }
}

/// The precision that sees how many nodes trees have and how high they are, and how results of recursive functions go with that; for trees
/// whose nodes have two links.
pub(crate) fn with_measures(trees: &[LearntTree], arguments: Arguments) -> Option<Precision> {
    let are_measured = trees.iter().any(|tree| tree.links.children.len() == 2);
    let (trees, measuring) = (trees.to_vec(), Measuring::Seen);
    let way = Precision { trees, measuring, arguments, ..with_relations() };
    are_measured.then_some(way)
}

/// The precision that sees what pointers in arrays lead to.
pub(crate) fn with_rows() -> Precision {
    Precision { arrays: Arrays::Rows, ..with_laws() }
}

/// The precisions that tell nodes of these trees apart by which of their links lead on.
pub(crate) fn with_variants(trees: &[LearntTree]) -> Vec<Precision> {
    let way = |marks, cursors| {
        let trees = trees.to_vec();
        Precision { trees, cursors, variants: Variants::Apart, ..Precision::for_lists(marks) }
    };
    let folded = [Payload::Prototypes, Payload::Numbers].map(|marks| way(marks, Cursors::Folded));
    // A node that a program works on, and goes on from, has become of one variant just now.
    folded.into_iter().chain([way(Payload::Prototypes, Cursors::Apart)]).collect()
}

/// The precisions with these trees, in their order. `sees_sorting`: whether there is one that sees lists, or
/// trees, to be sorted.
pub(crate) fn every_way(trees: &[LearntTree], sees_sorting: bool) -> Vec<Precision> {
    let precision = |cursors, marks| {
        let trees = trees.to_vec();
        Precision { cursors, trees, ..Precision::for_lists(marks) }
    };
    let all = [
        Payload::Apart,
        Payload::Prototypes,
        Payload::Numbers,
        Payload::Sequences,
        Payload::Elements,
    ];
    let mut precisions = Vec::new();
    if trees.iter().any(|tree| tree.links.children.len() > MOST_TOLD_APART) {
        // So many links are in an array, and programs run through it, or go down by an index.
        let indexed = precision(Cursors::Apart, Payload::Numbers);
        precisions.push(Precision { counts: Counts::Apart, empties: Empties::Joined, ..indexed });
    }
    precisions.extend(all.map(|marks| precision(Cursors::Folded, marks)));
    if sees_sorting && !trees.is_empty() {
        // Where a program goes on its way down is what it found by comparing.
        let sorted = precision(Cursors::Single, Payload::Numbers);
        precisions.push(Precision { sorting: Sorting::Seen, ..sorted });
    }
    if !trees.is_empty() {
        // Sequences and elements of two nodes are for lists.
        let usual = [Payload::Apart, Payload::Prototypes, Payload::Numbers];
        precisions.extend(usual.map(|marks| precision(Cursors::Apart, marks)));
        let counts = precision(Cursors::Folded, Payload::Numbers);
        precisions.push(Precision { counts: Counts::Apart, ..counts });
    }
    if sees_sorting && !trees.is_empty() {
        // What a node has to do with those below it is often said of few constants, which calls hand down.
        let related = precision(Cursors::Folded, Payload::Numbers);
        let related = Precision { sorting: Sorting::Downwards, ..related };
        precisions.push(related.clone());
        precisions.push(Precision { counts: Counts::Apart, ..related.clone() });
        // A node that climbs is not yet related to the one above it, but those below it are.
        precisions.push(Precision { cursors: Cursors::Single, ..related });
    }
    if sees_sorting && trees.is_empty() {
        precisions.push(Precision {
            sorting: Sorting::Seen,
            ..precision(Cursors::Folded, Payload::Numbers)
        });
        // A flag may tell whether a list is sorted yet.
        precisions.push(Precision {
            sorting: Sorting::Seen,
            counts: Counts::Apart,
            ..precision(Cursors::Folded, Payload::Numbers)
        });
    }
    precisions
}
