//! The ways in which invariants are looked for, and their order.
//!
//! Constants in nodes may be marks that matter; if keeping them apart gives too many shapes, they
//! matter less each time. Trees are folded only if what failed without them has seen blocks that look
//! like nodes of trees; then these ways come next, unless they see that it was none: first such that forget what a program
//! has seen of the links of a node at which it is, then such that do not. Where assertions are asked
//! for, the last way sees how lists are sorted. Each way gets a little time
//! before any gets much.

use std::collections::VecDeque;

use crate::context::{Cursors, Marks, Sorting};
use crate::tree::LearntTree;

/// One way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) marks: Marks,
    pub(crate) cursors: Cursors,
    pub(crate) sorting: Sorting,
    /// Trees that may be folded.
    pub(crate) trees: Vec<LearntTree>,
}

/// The ways that are still to be tried.
#[derive(Debug)]
pub(crate) struct Ways {
    now: VecDeque<Way>,
    /// Those that need more time.
    slow: Vec<Way>,
    /// The trees of the last ways.
    trees: Vec<LearntTree>,
    /// How often others were seen.
    lessons: u32,
}

/// What is learnt of trees changes a few times at most before it is given up.
const MOST_LESSONS: u32 = 3;

impl Ways {
    /// `sees_sorting`: whether lists may be seen to be sorted, after all else.
    pub(crate) fn new(sees_sorting: bool) -> Ways {
        let now = every_way(&[], sees_sorting).into();
        Ways { now, slow: Vec::new(), trees: Vec::new(), lessons: 0 }
    }

    pub(crate) fn next(&mut self) -> Option<Way> {
        self.now.pop_front()
    }

    /// A way did not lead to a proof, but has seen these trees.
    pub(crate) fn failed(&mut self, way: Way, needs_time: bool, seen: Vec<LearntTree>) {
        let is_with_trees = !way.trees.is_empty();
        if needs_time {
            self.slow.push(way);
        }
        let are_no_trees = seen.is_empty() && is_with_trees;
        if are_no_trees {
            self.lessons = MOST_LESSONS;
            self.now.retain(|way| way.trees.is_empty());
            self.slow.retain(|way| way.trees.is_empty());
        }
        let is_new = !seen.is_empty() && seen != self.trees;
        if is_new && self.lessons < MOST_LESSONS {
            self.lessons += 1;
            // Ways with fewer trees have nothing more to find.
            let is_current = |way: &Way| way.trees.is_empty();
            self.slow.retain(is_current);
            let others = std::mem::take(&mut self.now).into_iter().filter(is_current);
            self.now = every_way(&seen, false).into_iter().chain(others).collect();
            self.trees = seen;
        }
    }

    /// The ways that needed more time come again; those with trees first, since they know more.
    pub(crate) fn again(&mut self) {
        let mut slow = std::mem::take(&mut self.slow);
        slow.sort_by_key(|way| way.trees.is_empty());
        self.now = slow.into();
    }
}

/// The ways with these trees, in their order. `sees_sorting`: whether there is one that sees lists
/// to be sorted.
pub(crate) fn every_way(trees: &[LearntTree], sees_sorting: bool) -> Vec<Way> {
    let way = |cursors, marks| {
        let trees = trees.to_vec();
        Way { marks, cursors, sorting: Sorting::Unseen, trees }
    };
    let all = [Marks::Apart, Marks::Kinds, Marks::Numbers, Marks::Elements];
    let mut ways = all.map(|marks| way(Cursors::Folded, marks)).to_vec();
    if !trees.is_empty() {
        // Elements of two nodes are for lists.
        let usual = [Marks::Apart, Marks::Kinds, Marks::Numbers];
        ways.extend(usual.map(|marks| way(Cursors::Apart, marks)));
    }
    if sees_sorting {
        ways.push(Way { sorting: Sorting::Seen, ..way(Cursors::Folded, Marks::Numbers) });
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_trees_there_are_four_ways() {
        let mut ways = Ways::new(false);
        let mut tried = Vec::new();
        while let Some(way) = ways.next() {
            tried.push(way.marks);
            ways.failed(way, true, Vec::new());
        }
        assert_eq!(tried, [Marks::Apart, Marks::Kinds, Marks::Numbers, Marks::Elements]);
        ways.again();
        assert_eq!(ways.now.len(), 4);
        assert!(ways.now.iter().all(|way| way.trees.is_empty()));
    }

    #[test]
    fn trees_that_are_seen_come_next_until_they_are_none() {
        let seen = vec![LearntTree::of_two_links(24)];
        let mut ways = Ways::new(false);
        let first = ways.next().expect("a way");
        ways.failed(first, true, seen.clone());
        let second = ways.next().expect("a way");
        assert_eq!((second.marks, &second.trees), (Marks::Apart, &seen));
        ways.failed(second, true, Vec::new());
        let rest: Vec<Way> = std::iter::from_fn(|| ways.next()).collect();
        assert!(rest.iter().all(|way| way.trees.is_empty()), "{rest:?}");
        ways.again();
        assert!(ways.now.iter().all(|way| way.trees.is_empty()), "{:?}", ways.now);
    }
}
