//! The ways in which invariants are looked for, and their order.
//!
//! Constants in nodes may be marks that matter; if keeping them apart gives too many shapes, they
//! matter less each time. Where nothing has come of marks, the ways that only treat them otherwise
//! would do the same, and are left out. Trees are folded only if what failed without them has seen
//! blocks that look like nodes of trees; then these ways come next, unless they see that it was none.
//! Each way gets a little time before any gets much.

use std::collections::VecDeque;

use heapwright_engine::Reason;

use crate::TIME_IS_OVER;
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

/// How a way failed to lead to a proof.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) reason: Reason,
    /// The trees that it has seen.
    pub(crate) trees: Vec<LearntTree>,
    /// Whether another way to treat marks may do better.
    pub(crate) marks_matter: bool,
}

impl Failure {
    /// Whether more time may help.
    pub(crate) fn needs_time(&self) -> bool {
        self.reason.text == TIME_IS_OVER
    }
}

impl Ways {
    pub(crate) fn new() -> Ways {
        Ways { now: every_way(&[]).into(), slow: Vec::new(), trees: Vec::new(), lessons: 0 }
    }

    pub(crate) fn next(&mut self) -> Option<Way> {
        self.now.pop_front()
    }

    /// A way was not tried for as long as it should have been.
    pub(crate) fn put_back(&mut self, way: Way) {
        self.now.push_front(way);
    }

    /// A way did not lead to a proof.
    pub(crate) fn failed(&mut self, way: Way, failure: &Failure) {
        let is_with_trees = !way.trees.is_empty();
        let mut alike = Vec::new();
        if !failure.marks_matter {
            alike = self.take_alike(&way);
        }
        if failure.needs_time() {
            self.slow.push(way);
            self.slow.extend(alike);
        }
        let seen = failure.trees.clone();
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

    /// The ways that are still to be tried, and do the same as this one as long as marks do not matter.
    fn take_alike(&mut self, way: &Way) -> Vec<Way> {
        let is_alike = |other: &Way| {
            let is_later = match way.marks {
                Marks::Apart => matches!(other.marks, Marks::Kinds | Marks::Numbers),
                Marks::Kinds => other.marks == Marks::Numbers,
                Marks::Numbers | Marks::Elements => false,
            };
            is_later && other.trees == way.trees
        };
        let (alike, others): (Vec<Way>, Vec<Way>) =
            std::mem::take(&mut self.now).into_iter().partition(is_alike);
        self.now = others.into();
        alike
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
    [Marks::Apart, Marks::Kinds, Marks::Numbers, Marks::Elements].map(way).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A failure for want of time.
    fn slow(marks_matter: bool, trees: Vec<LearntTree>) -> Failure {
        Failure { reason: Reason::new(TIME_IS_OVER), trees, marks_matter }
    }

    /// The ways that come when each fails like this.
    fn tried(ways: &mut Ways, failure: &Failure) -> Vec<Marks> {
        let mut tried = Vec::new();
        while let Some(way) = ways.next() {
            tried.push(way.marks);
            ways.failed(way, failure);
        }
        tried
    }

    #[test]
    fn without_trees_there_are_four_ways() {
        let mut ways = Ways::new();
        let every = [Marks::Apart, Marks::Kinds, Marks::Numbers, Marks::Elements];
        assert_eq!(tried(&mut ways, &slow(true, Vec::new())), every);
        ways.again();
        assert_eq!(ways.now.len(), 4);
        assert!(ways.now.iter().all(|way| way.trees.is_empty()));
    }

    #[test]
    fn where_marks_do_not_matter_other_ways_to_treat_them_are_left_out() {
        let mut ways = Ways::new();
        assert_eq!(tried(&mut ways, &slow(false, Vec::new())), [Marks::Apart, Marks::Elements]);
        // They may matter later on.
        ways.again();
        let every = [Marks::Apart, Marks::Kinds, Marks::Numbers, Marks::Elements];
        assert_eq!(tried(&mut ways, &slow(true, Vec::new())), every);
        // What failed for good would fail again.
        let mut ways = Ways::new();
        let failure = Failure { reason: Reason::new("a leak"), ..slow(false, Vec::new()) };
        assert_eq!(tried(&mut ways, &failure), [Marks::Apart, Marks::Elements]);
        ways.again();
        assert_eq!(ways.next(), None);
    }

    #[test]
    fn a_way_that_is_put_back_comes_first() {
        let mut ways = Ways::new();
        let way = ways.next().expect("a way");
        ways.put_back(way.clone());
        assert_eq!(ways.next(), Some(way));
    }

    #[test]
    fn trees_that_are_seen_come_next_until_they_are_none() {
        let seen = vec![LearntTree::of_two_links(24)];
        let mut ways = Ways::new();
        let first = ways.next().expect("a way");
        ways.failed(first, &slow(true, seen.clone()));
        let second = ways.next().expect("a way");
        assert_eq!((second.marks, &second.trees), (Marks::Apart, &seen));
        ways.failed(second, &slow(true, Vec::new()));
        let rest: Vec<Way> = std::iter::from_fn(|| ways.next()).collect();
        assert!(rest.iter().all(|way| way.trees.is_empty()), "{rest:?}");
        ways.again();
        assert!(ways.now.iter().all(|way| way.trees.is_empty()), "{:?}", ways.now);
    }
}
