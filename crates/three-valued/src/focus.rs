//! Focus: a structure becomes several that together describe the same heaps, in each of which a
//! predicate has a definite value where a statement is going to look.

use crate::kleene::Kleene;
use crate::structure::{Node, Row, Structure, nodes_of};
use crate::vocabulary::{BinaryId, UnaryId};

/// Makes a unary predicate definite at a node: it is 0, or 1, or the node is a summary and falls apart
/// into a part where it is 1 and one where it is 0.
#[must_use]
pub fn focus_unary(structure: &Structure, predicate: UnaryId, node: Node) -> Vec<Structure> {
    if structure.unary(predicate).at(node) != Kleene::Half {
        return vec![structure.clone()];
    }
    let with = |value| {
        let mut definite = structure.clone();
        definite.set_unary(predicate, node, value);
        definite
    };
    let mut found = vec![with(Kleene::False), with(Kleene::True)];
    if structure.is_summary(node) {
        let (mut parted, other) = part(structure, node);
        parted.set_unary(predicate, node, Kleene::True);
        parted.set_unary(predicate, other, Kleene::False);
        found.push(parted);
    }
    found
}

/// Makes a binary predicate definite between a single node and another one, in the same way.
#[must_use]
pub fn focus_pair(
    structure: &Structure,
    predicate: BinaryId,
    (from, to): (Node, Node),
) -> Vec<Structure> {
    assert!(!structure.is_summary(from), "focus on a pair that begins in a summary");
    if structure.binary(predicate, from).at(to) != Kleene::Half {
        return vec![structure.clone()];
    }
    let with = |value| {
        let mut definite = structure.clone();
        definite.set_binary(predicate, from, to, value);
        definite
    };
    let mut found = vec![with(Kleene::False), with(Kleene::True)];
    if structure.is_summary(to) {
        let (mut parted, other) = part(structure, to);
        parted.set_binary(predicate, from, to, Kleene::True);
        parted.set_binary(predicate, from, other, Kleene::False);
        found.push(parted);
    }
    found
}

/// Makes the target of a link definite: for each node that `link` may lead to from the single node
/// `from`, the structures in which it leads there and nowhere else. A summary target gives two: the
/// target is its only block, or one of several.
///
/// # Panics
/// When `from` is a summary: different blocks of it have different targets.
#[must_use]
pub fn focus_target(structure: &Structure, link: BinaryId, from: Node) -> Vec<Structure> {
    assert!(!structure.is_summary(from), "focus on a link of a summary node");
    let row = structure.binary(link, from);
    let candidates = if row.must() != 0 { row.must() } else { row.one };
    let is_definite = |node: Node| row.at(node) == Kleene::True && !structure.is_summary(node);
    let mut found = Vec::new();
    for target in nodes_of(candidates) {
        if is_definite(target) {
            found.push(leading_to(structure.clone(), link, from, target));
            continue;
        }
        let mut only = structure.clone();
        only.set_summary(target, false);
        found.push(leading_to(only, link, from, target));
        // A link that certainly leads to every block of the node: there is only one.
        if structure.is_summary(target) && row.at(target) == Kleene::Half {
            let (mut parted, _) = part(structure, target);
            parted.set_summary(target, false);
            found.push(leading_to(parted, link, from, target));
        }
    }
    found
}

fn leading_to(mut structure: Structure, link: BinaryId, from: Node, target: Node) -> Structure {
    let bit = 1 << target;
    let row = Row { one: bit, zero: structure.universe() & !bit };
    structure.set_binary_row(link, from, row);
    structure
}

/// A summary node as two, both summaries; the second is the last node.
fn part(structure: &Structure, node: Node) -> (Structure, Node) {
    (structure.with_copy(node), structure.len())
}
