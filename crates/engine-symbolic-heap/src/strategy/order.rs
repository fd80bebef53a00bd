//! The ways in which invariants are looked for, and their order.
//!
//! Constants in nodes may be marks that matter; if keeping them apart gives too many shapes, they
//! matter less each time. Where nothing has come of marks, the ways that only take them for something
//! else would do the same, and are left out. Trees are folded only if what failed without them has
//! seen blocks that look like nodes of trees; then these ways come next, unless they see that it was
//! none: first such that forget what a program has seen of the links of a node at which it is, then
//! such that do not. Where assertions are asked for, there is a way that sees how lists are sorted.
//! Where there were too many paths from one loop head to the next, states meet behind branches in the
//! last ways. Each way gets a little time before any gets much.

use std::collections::VecDeque;

use crate::precision::{Cursors, LearntTree, Marks, Meetings, Precision, Sorting};

/// What is learnt from a way that did not lead to a proof.
#[derive(Debug, Default)]
pub(crate) struct Lesson {
    /// It might have, in more time.
    pub(crate) needs_time: bool,
    /// There were too many paths between two places where states meet.
    pub(crate) is_wide: bool,
    /// Ways that take marks for kinds or numbers may do better.
    pub(crate) marks_matter: bool,
    /// Nothing was folded in many steps.
    pub(crate) is_idle: bool,
    /// The trees that were seen.
    pub(crate) trees: Vec<LearntTree>,
}

/// The ways that are still to be tried.
#[derive(Debug)]
pub(crate) struct Ways {
    now: VecDeque<Precision>,
    /// Those that need more time.
    slow: Vec<Precision>,
    /// The trees of the last ways.
    trees: Vec<LearntTree>,
    /// How often others were seen.
    lessons: u32,
    /// Whether the ways are among those to be tried in which states meet behind branches.
    with_joins: bool,
}

/// What is learnt of trees changes a few times at most before it is given up.
const MOST_LESSONS: u32 = 3;

impl Ways {
    /// `sees_sorting`: whether lists may be seen to be sorted, after all else.
    pub(crate) fn new(sees_sorting: bool) -> Ways {
        Ways {
            now: every_way(&[], sees_sorting).into(),
            slow: Vec::new(),
            trees: Vec::new(),
            lessons: 0,
            with_joins: false,
        }
    }

    pub(crate) fn next(&mut self) -> Option<Precision> {
        self.now.pop_front()
    }

    /// A way was not tried for as long as it should have been.
    pub(crate) fn put_back(&mut self, way: Precision) {
        self.now.push_front(way);
    }

    /// A way did not lead to a proof, but something was learnt from it.
    pub(crate) fn failed(&mut self, way: Precision, lesson: Lesson) {
        let Lesson { needs_time, is_wide, marks_matter, is_idle, trees: seen } = lesson;
        let is_with_trees = !way.trees.is_empty();
        if is_wide && !self.with_joins {
            self.with_joins = true;
            for marks in [Marks::Apart, Marks::Numbers] {
                self.now.push_back(Precision {
                    meetings: Meetings::Joins,
                    ..Precision::for_lists(marks)
                });
            }
        }
        let alike = if marks_matter { Vec::new() } else { self.take_alike(&way) };
        // Trees that are there show soon; lists may be long before two of their nodes are alike.
        if needs_time && !(is_idle && is_with_trees) {
            self.slow.push(way);
            self.slow.extend(alike);
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
            let is_current = |way: &Precision| way.trees.is_empty();
            self.slow.retain(is_current);
            let others = std::mem::take(&mut self.now).into_iter().filter(is_current);
            self.now = every_way(&seen, false).into_iter().chain(others).collect();
            self.trees = seen;
        }
    }

    /// The ways that are still to be tried, and do the same as this one as long as marks do not matter.
    fn take_alike(&mut self, way: &Precision) -> Vec<Precision> {
        let is_alike = |other: &Precision| {
            let is_later = match way.marks {
                Marks::Apart => matches!(other.marks, Marks::Kinds | Marks::Numbers),
                Marks::Kinds => other.marks == Marks::Numbers,
                Marks::Numbers | Marks::Sequences | Marks::Elements => false,
            };
            is_later && *way == Precision { marks: way.marks, ..other.clone() }
        };
        let (alike, others): (Vec<Precision>, Vec<Precision>) =
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

/// The ways with these trees, in their order. `sees_sorting`: whether there is one that sees lists
/// to be sorted.
pub(crate) fn every_way(trees: &[LearntTree], sees_sorting: bool) -> Vec<Precision> {
    let way = |cursors, marks| {
        let trees = trees.to_vec();
        Precision { cursors, trees, ..Precision::for_lists(marks) }
    };
    let all = [Marks::Apart, Marks::Kinds, Marks::Numbers, Marks::Sequences, Marks::Elements];
    let mut ways = all.map(|marks| way(Cursors::Folded, marks)).to_vec();
    if !trees.is_empty() {
        // Sequences and elements of two nodes are for lists.
        let usual = [Marks::Apart, Marks::Kinds, Marks::Numbers];
        ways.extend(usual.map(|marks| way(Cursors::Apart, marks)));
    }
    if sees_sorting {
        ways.push(Precision { sorting: Sorting::Seen, ..way(Cursors::Folded, Marks::Numbers) });
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lesson(trees: &[LearntTree]) -> Lesson {
        Lesson { needs_time: true, marks_matter: true, trees: trees.to_vec(), ..Lesson::default() }
    }

    #[test]
    fn too_many_paths_make_states_meet_behind_branches() {
        let mut ways = Ways::new(false);
        let mut tried = Vec::new();
        while let Some(way) = ways.next() {
            tried.push(way.meetings);
            ways.failed(way, Lesson { is_wide: true, ..lesson(&[]) });
        }
        assert_eq!(tried[..5], [Meetings::LoopHeads; 5]);
        assert_eq!(tried[5..], [Meetings::Joins; 2]);
    }

    #[test]
    fn without_trees_there_are_five_ways() {
        let mut ways = Ways::new(false);
        let mut tried = Vec::new();
        while let Some(way) = ways.next() {
            tried.push(way.marks);
            ways.failed(way, lesson(&[]));
        }
        let all = [Marks::Apart, Marks::Kinds, Marks::Numbers, Marks::Sequences, Marks::Elements];
        assert_eq!(tried, all);
        ways.again();
        assert_eq!(ways.now.len(), all.len());
        assert!(ways.now.iter().all(|way| way.trees.is_empty()));
    }

    #[test]
    fn where_marks_do_not_matter_other_ways_to_treat_them_are_left_out() {
        let mut ways = Ways::new(false);
        let mut tried = |lesson: &dyn Fn() -> Lesson| {
            let mut tried = Vec::new();
            while let Some(way) = ways.next() {
                tried.push(way.marks);
                ways.failed(way, lesson());
            }
            ways.again();
            tried
        };
        let few = [Marks::Apart, Marks::Sequences, Marks::Elements];
        assert_eq!(tried(&|| Lesson { marks_matter: false, ..lesson(&[]) }), few);
        // They may matter later on.
        assert_eq!(tried(&|| lesson(&[])).len(), 5);
        // What failed for good would fail again.
        let for_good = || Lesson { needs_time: false, marks_matter: false, ..lesson(&[]) };
        assert_eq!(tried(&for_good), few);
        assert_eq!(tried(&for_good), []);
    }

    #[test]
    fn trees_of_which_none_is_folded_get_no_more_time() {
        let seen = [LearntTree::of_two_links(24)];
        let mut ways = Ways::new(false);
        while let Some(way) = ways.next() {
            ways.failed(way, Lesson { is_idle: true, ..lesson(&seen) });
        }
        ways.again();
        assert_eq!(ways.now.len(), 5);
        assert!(ways.now.iter().all(|way| way.trees.is_empty()), "{:?}", ways.now);
    }

    #[test]
    fn a_way_that_is_put_back_comes_first() {
        let mut ways = Ways::new(false);
        let way = ways.next().expect("a way");
        ways.put_back(way.clone());
        assert_eq!(ways.next(), Some(way));
    }

    #[test]
    fn trees_that_are_seen_come_next_until_they_are_none() {
        let seen = vec![LearntTree::of_two_links(24)];
        let mut ways = Ways::new(false);
        let first = ways.next().expect("a way");
        ways.failed(first, lesson(&seen));
        let second = ways.next().expect("a way");
        assert_eq!((second.marks, &second.trees), (Marks::Apart, &seen));
        ways.failed(second, lesson(&[]));
        let rest: Vec<Precision> = std::iter::from_fn(|| ways.next()).collect();
        assert!(rest.iter().all(|way| way.trees.is_empty()), "{rest:?}");
        ways.again();
        assert!(ways.now.iter().all(|way| way.trees.is_empty()), "{:?}", ways.now);
    }
}
