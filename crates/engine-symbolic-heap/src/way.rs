//! The ways in which invariants are looked for, and their order.
//!
//! Constants in nodes may be marks that matter; if keeping them apart gives too many shapes, they
//! matter less each time. Trees are folded only if what failed without them has seen blocks that look
//! like nodes of trees; then these ways come next, unless they see that it was none. Each way gets a little time before any gets much.

use std::collections::VecDeque;

use crate::context::Marks;
use crate::tree::LearntTree;

/// One way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) marks: Marks,
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
    pub(crate) fn new() -> Ways {
        Ways { now: every_way(&[]).into(), slow: Vec::new(), trees: Vec::new(), lessons: 0 }
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
            self.now = every_way(&seen).into_iter().chain(others).collect();
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

fn every_way(trees: &[LearntTree]) -> Vec<Way> {
    let way = |marks| Way { marks, trees: trees.to_vec() };
    [Marks::Apart, Marks::Kinds, Marks::Numbers, Marks::Sequences, Marks::Elements]
        .map(way)
        .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_trees_there_are_five_ways() {
        let mut ways = Ways::new();
        let mut tried = Vec::new();
        while let Some(way) = ways.next() {
            tried.push(way.marks);
            ways.failed(way, true, Vec::new());
        }
        let all = [Marks::Apart, Marks::Kinds, Marks::Numbers, Marks::Sequences, Marks::Elements];
        assert_eq!(tried, all);
        ways.again();
        assert_eq!(ways.now.len(), all.len());
        assert!(ways.now.iter().all(|way| way.trees.is_empty()));
    }

    #[test]
    fn trees_that_are_seen_come_next_until_they_are_none() {
        let seen = vec![LearntTree::of_two_links(24)];
        let mut ways = Ways::new();
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
