//! What a structure describes: embedding, and the join of structures whose nodes have the same names.

use crate::blur::canonical_names;
use crate::structure::{NULL, Node, Row, Structure, WILD};
use crate::vocabulary::{BinaryId, UnaryId, Vocabulary};
use heapwright_base::DenseId;

/// Whether the blurred structure `known` describes the blurred structure `new`, node by node of the
/// same name. Sound and quick, and complete when names are definite.
#[must_use]
pub fn describes(known: &Structure, new: &Structure, vocabulary: &Vocabulary) -> bool {
    have_same_names(known, new, vocabulary)
        && known.rows().iter().zip(new.rows()).all(|(known, new)| known.describes(*new))
}

/// The least structure that describes two blurred structures with the same names; `None` for others.
#[must_use]
pub fn join(left: &Structure, right: &Structure, vocabulary: &Vocabulary) -> Option<Structure> {
    if !have_same_names(left, right, vocabulary) {
        return None;
    }
    let mut joined = left.clone();
    for (row, other) in joined.rows_mut().iter_mut().zip(right.rows()) {
        *row = Row { one: row.one | other.one, zero: row.zero | other.zero };
    }
    Some(joined)
}

fn have_same_names(left: &Structure, right: &Structure, vocabulary: &Vocabulary) -> bool {
    left.len() == right.len()
        && canonical_names(left, vocabulary) == canonical_names(right, vocabulary)
}

/// Whether `small` embeds in `large`: its nodes can be sent onto those of `large` so that every value
/// there describes the values that come to it. Tries all ways, so it is for small structures.
#[must_use]
pub fn embeds(small: &Structure, large: &Structure) -> bool {
    if !large.rows()[0].describes(small.rows()[0]) {
        return false;
    }
    let mut targets = vec![NULL, WILD];
    fits(small, large, &targets, 0)
        && fits(small, large, &targets, 1)
        && extend(small, large, &mut targets)
}

fn extend(small: &Structure, large: &Structure, targets: &mut Vec<Node>) -> bool {
    let node = targets.len();
    if node == small.len() {
        return (0..large.len()).all(|target| targets.contains(&target));
    }
    (2..large.len()).any(|target| {
        let is_taken = targets.contains(&target);
        let is_single = !large.is_summary(target);
        if is_single && (is_taken || small.is_summary(node)) {
            return false;
        }
        targets.push(target);
        let found = fits(small, large, targets, node) && extend(small, large, targets);
        targets.pop();
        found
    })
}

/// Whether the values of the node, and those between it and the nodes before it, fit their targets.
fn fits(small: &Structure, large: &Structure, targets: &[Node], node: Node) -> bool {
    if targets.len() <= node {
        return false;
    }
    let unary = (1..small.unary_count()).map(UnaryId::from_index).all(|predicate| {
        let large = large.unary(predicate).at(targets[node]);
        large.describes(small.unary(predicate).at(node))
    });
    let binary = |predicate: BinaryId, from: Node, to: Node| {
        let large = large.binary(predicate, targets[from]).at(targets[to]);
        large.describes(small.binary(predicate, from).at(to))
    };
    unary
        && (0..small.binary_count()).map(BinaryId::from_index).all(|predicate| {
            (0..=node).all(|other| binary(predicate, node, other) && binary(predicate, other, node))
        })
}
