//! Blurring: nodes with the same canonical name become one, so that a class has finitely many
//! structures; the nodes of the result are in the order of their names.

use crate::structure::{NULL, Node, Row, Structure, WILD, nodes_of};
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
    let mut names = vec![Name::default(); structure.len()];
    for (index, predicate) in vocabulary.abstraction().enumerate() {
        assert!(index < MOST_PREDICATES, "too many abstraction predicates");
        let row = structure.unary(predicate);
        let (word, shift) = (index / 32, index % 32 * 2);
        // A value that may be 0 is 1 here, so that a name is never that of null or wild.
        for node in nodes_of(row.zero) {
            names[node].0[word] |= 1 << shift;
        }
        for node in nodes_of(row.one) {
            names[node].0[word] |= 2 << shift;
        }
    }
    names[NULL] = Name::default();
    names[WILD] = Name::default();
    names
}

/// The canonical abstraction: blocks of one name are merged.
#[must_use]
pub fn blur(structure: &Structure, vocabulary: &Vocabulary) -> Structure {
    let names = canonical_names(structure, vocabulary);
    let mut order: Vec<Node> = (2..structure.len()).collect();
    order.sort_by_key(|&node| names[node]);
    let mut targets = vec![NULL; structure.len()];
    targets[WILD] = WILD;
    let mut count = 2;
    for (position, &node) in order.iter().enumerate() {
        let is_new = position == 0 || names[order[position - 1]] != names[node];
        count += usize::from(is_new);
        targets[node] = count - 1;
    }
    merge(structure, vocabulary, &targets, count)
}

/// The structure with `count` nodes in which each node of this one goes to its target.
fn merge(
    structure: &Structure,
    vocabulary: &Vocabulary,
    targets: &[Node],
    count: usize,
) -> Structure {
    let mut merged = Structure::new(vocabulary, count - 2);
    let rows = structure.rows();
    let unary = structure.unary_count();
    let result = merged.rows_mut();
    result[0] = rows[0];
    for index in 1..=unary {
        result[index] = scatter(rows[index], targets);
    }
    result[1 + unary..].fill(Row::default());
    for (index, row) in rows[1 + unary..].iter().enumerate() {
        let (predicate, from) = (index / structure.len(), index % structure.len());
        let scattered = scatter(*row, targets);
        let into = &mut result[1 + unary + predicate * count + targets[from]];
        into.one |= scattered.one;
        into.zero |= scattered.zero;
    }
    let mut seen = 0u64;
    for &target in targets {
        if seen >> target & 1 == 1 {
            merged.set_summary(target, true);
        }
        seen |= 1 << target;
    }
    debug_assert_eq!(merged.rows()[1].must(), 0, "a node that certainly stands for several");
    merged
}

fn scatter(row: Row, targets: &[Node]) -> Row {
    let mut scattered = Row::default();
    for (source, &target) in targets.iter().enumerate() {
        scattered.one |= (row.one >> source & 1) << target;
        scattered.zero |= (row.zero >> source & 1) << target;
    }
    scattered
}
