//! Blurring: nodes with the same canonical name become one, so that a class has finitely many
//! structures; the nodes of the result are in the order of their names.

use crate::structure::{MOST_NODES, NULL, Node, Row, Structure, WILD, mask, nodes_of};
use crate::vocabulary::Vocabulary;

/// The values of the abstraction predicates at a node. Two nodes have one name only if these are
/// equal, 1/2 counting as a value of its own: a coarser notion would depend on the order of merging.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name([u64; 4]);

/// Predicates that a name has room for.
const MOST_PREDICATES: usize = 128;

/// The name of each node. Null and wild have names that no block has.
#[must_use]
pub fn canonical_names(structure: &Structure, vocabulary: &Vocabulary) -> Vec<Name> {
    // A value that may be 0 is 1 here, so that a name is never that of null or wild. Most values are 0.
    let mut zero = Name::default();
    let count = vocabulary.abstraction().count();
    assert!(count <= MOST_PREDICATES, "too many abstraction predicates");
    for index in 0..count {
        zero.0[index / 32] |= 1 << (index % 32 * 2);
    }
    let mut names = vec![zero; structure.len()];
    for (index, predicate) in vocabulary.abstraction().enumerate() {
        let row = structure.unary(predicate);
        let (word, shift) = (index / 32, index % 32 * 2);
        for node in nodes_of(row.one) {
            names[node].0[word] |= 2 << shift;
        }
        for node in nodes_of(row.must()) {
            names[node].0[word] &= !(1 << shift);
        }
    }
    names[NULL] = Name::default();
    names[WILD] = Name::default();
    names
}

/// The canonical abstraction: blocks of one name are merged.
#[must_use]
pub fn blur(structure: &Structure, vocabulary: &Vocabulary) -> Structure {
    blur_named(structure, vocabulary).0
}

/// The canonical abstraction, and the name of each of its nodes.
#[must_use]
pub fn blur_named(structure: &Structure, vocabulary: &Vocabulary) -> (Structure, Vec<Name>) {
    in_order_of_names(structure, vocabulary, Namesakes::BecomeOne)
}

/// The same structure with its nodes in the order of their names, and these; several may have one name.
#[must_use]
pub fn sort_named(structure: &Structure, vocabulary: &Vocabulary) -> (Structure, Vec<Name>) {
    in_order_of_names(structure, vocabulary, Namesakes::StayApart)
}

/// What becomes of nodes that have the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Namesakes {
    BecomeOne,
    StayApart,
}

fn in_order_of_names(
    structure: &Structure,
    vocabulary: &Vocabulary,
    namesakes: Namesakes,
) -> (Structure, Vec<Name>) {
    let names = canonical_names(structure, vocabulary);
    let mut order = [0u8; MOST_NODES];
    for (node, place) in order.iter_mut().enumerate() {
        *place = node as u8;
    }
    let order = &mut order[2..structure.len()];
    order.sort_unstable_by_key(|&node| (names[usize::from(node)], node));
    let mut targets = [NULL; MOST_NODES];
    targets[WILD] = WILD;
    let mut kept = vec![Name::default(); 2];
    for &node in order.iter() {
        let name = names[usize::from(node)];
        let is_new = kept.len() == 2 || kept.last() != Some(&name);
        if is_new || namesakes == Namesakes::StayApart {
            kept.push(name);
        }
        targets[usize::from(node)] = kept.len() - 1;
    }
    let targets = &targets[..structure.len()];
    let is_in_order = targets.iter().enumerate().all(|(node, target)| node == *target);
    let merged =
        if is_in_order { structure.clone() } else { merge(structure, targets, kept.len()) };
    (merged, kept)
}

/// The structure with `count` nodes in which each node of this one goes to its target.
fn merge(structure: &Structure, targets: &[Node], count: usize) -> Structure {
    let (rows, unary) = (structure.rows(), structure.unary_count());
    let mut sources = [0; MOST_NODES];
    for (source, &target) in targets.iter().enumerate() {
        sources[target] |= 1u64 << source;
    }
    let scatter = |row: Row| scatter(row, targets, &sources[..count]);
    let mut result = Vec::with_capacity(1 + unary + structure.binary_count() * count);
    result.push(rows[0]);
    result.extend(rows[1..=unary].iter().map(|row| scatter(*row)));
    for predicate in rows[1 + unary..].chunks_exact(structure.len()) {
        let start = result.len();
        result.resize(start + count, Row::default());
        for (row, &target) in predicate.iter().zip(targets) {
            let scattered = scatter(*row);
            let into = &mut result[start + target];
            into.one |= scattered.one;
            into.zero |= scattered.zero;
        }
    }
    let mut merged = Structure::of_rows(count, unary, result);
    for (target, sources) in sources[..count].iter().enumerate() {
        if sources.count_ones() > 1 {
            merged.set_summary(target, true);
        }
    }
    debug_assert_eq!(merged.rows()[1].must(), 0, "a node that certainly stands for several");
    merged
}

/// The values at the targets of all nodes; `sources` are those of each target. Most values are 0: a target is that
/// unless a node that goes there may be 1, and it may be 0 unless all that go there are 1.
fn scatter(row: Row, targets: &[Node], sources: &[u64]) -> Row {
    let mut scattered = Row { one: 0, zero: mask(sources.len()) };
    for source in nodes_of(row.one) {
        scattered.one |= 1 << targets[source];
    }
    let must = row.must();
    for source in nodes_of(must) {
        let target = targets[source];
        if sources[target] & !must == 0 {
            scattered.zero &= !(1 << target);
        }
    }
    scattered
}
