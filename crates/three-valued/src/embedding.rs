//! What a structure describes: embedding, and the join of structures whose nodes have the same names.

use crate::blur::canonical_names;
use crate::structure::{NULL, Node, Row, Structure, WILD};
use crate::vocabulary::{BinaryId, UnaryId, Vocabulary};
use heapwright_base::DenseId;

/// Whether the blurred structure `known` describes the blurred structure `new`, node by node of the
/// same name. Sound and quick, and complete when names are definite.
#[must_use]
pub fn describes(known: &Structure, new: &Structure, vocabulary: &Vocabulary) -> bool {
    have_same_names(known, new, vocabulary) && describes_named(known, new)
}

/// [`describes`] for structures whose nodes have the same names.
#[must_use]
pub fn describes_named(known: &Structure, new: &Structure) -> bool {
    debug_assert_eq!(known.len(), new.len(), "structures with other names");
    known.rows().iter().zip(new.rows()).all(|(known, new)| known.describes(*new))
}

/// The least structure that describes two blurred structures with the same names; `None` for others.
#[must_use]
pub fn join(left: &Structure, right: &Structure, vocabulary: &Vocabulary) -> Option<Structure> {
    have_same_names(left, right, vocabulary).then(|| join_named(left, right))
}

/// [`join`] for structures whose nodes have the same names.
#[must_use]
pub fn join_named(left: &Structure, right: &Structure) -> Structure {
    debug_assert_eq!(left.len(), right.len(), "structures with other names");
    let mut joined = left.clone();
    for (row, other) in joined.rows_mut().iter_mut().zip(right.rows()) {
        *row = Row { one: row.one | other.one, zero: row.zero | other.zero };
    }
    joined
}

fn have_same_names(left: &Structure, right: &Structure, vocabulary: &Vocabulary) -> bool {
    left.len() == right.len()
        && canonical_names(left, vocabulary) == canonical_names(right, vocabulary)
}

/// Whether `small` embeds in `large`: its nodes can be sent onto those of `large` so that every value
/// there describes the values that come to it. Tries all ways, so it is for small structures.
#[must_use]
pub fn embeds(small: &Structure, large: &Structure) -> bool {
    embeds_within(small, large, u64::MAX).expect("no limit")
}

/// [`embeds`], unless it takes more than so many tries.
#[must_use]
pub fn embeds_within(small: &Structure, large: &Structure, tries: u64) -> Option<bool> {
    if !large.rows()[0].describes(small.rows()[0]) {
        return Some(false);
    }
    let targets = vec![NULL, WILD];
    if !fits(small, large, &targets, 0) || !fits(small, large, &targets, 1) {
        return Some(false);
    }
    let mut search = Search { small, large, targets, tries };
    let found = search.extend();
    (search.tries > 0 || found).then_some(found)
}

struct Search<'s> {
    small: &'s Structure,
    large: &'s Structure,
    /// Where the first nodes go.
    targets: Vec<Node>,
    /// How many more may be made.
    tries: u64,
}

impl Search<'_> {
    fn extend(&mut self) -> bool {
        let node = self.targets.len();
        if node == self.small.len() {
            return (0..self.large.len()).all(|target| self.targets.contains(&target));
        }
        for target in 2..self.large.len() {
            let is_single = !self.large.is_summary(target);
            let is_taken = self.targets.contains(&target);
            if is_single && (is_taken || self.small.is_summary(node)) {
                continue;
            }
            self.tries = self.tries.saturating_sub(1);
            if self.tries == 0 {
                return false;
            }
            self.targets.push(target);
            if fits(self.small, self.large, &self.targets, node) && self.extend() {
                return true;
            }
            self.targets.pop();
        }
        false
    }
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
