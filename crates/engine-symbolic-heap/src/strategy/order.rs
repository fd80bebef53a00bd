//! The precisions in which invariants are looked for, and their order.
//!
//! Constants in nodes may be payload constants that matter; if keeping them apart gives too many shapes, they
//! matter less each time. Where nothing has come of payload constants, the precisions that only take them for something
//! else would do the same, and are left out. Trees are folded only if what failed without them has
//! seen blocks that look like nodes of trees; then these precisions come next, unless they see that it was
//! none: first such that forget what a program has seen of the links of a node at which it is, then
//! such that do not. Where assertions are asked for, there is a precision that sees how lists are sorted.
//! Where nodes were taken for those of one list because one operation makes them all, and more work is of no use, who
//! calls for them is told apart. Where there were too many paths from one loop head to the next, states meet behind branches in the
//! last precisions. Each precision gets a little work before any gets much; after that, those come first whose states stayed small,
//! since where nothing fits together, states grow as long as there is work.

use std::collections::VecDeque;

use crate::learnt::variants::{SeenVariants, Worth};
use crate::precision::{
    AbstractionPoints, Arguments, Callers, Counts, Cursors, Empties, LearntTree, Payload, Precision,
};
use crate::strategy::ways::{
    every_way, with_arguments, with_counts, with_laws, with_lengths, with_measures, with_relations,
    with_rows, with_texts, with_variants,
};
use crate::summary::tree::unfold::MOST_TOLD_APART;

/// What is learnt from a precision that did not lead to a proof.
#[derive(Debug, Default)]
pub(crate) struct Feedback {
    /// It might have, in more time.
    pub(crate) needs_time: bool,
    /// There were too many paths between two places where states meet.
    pub(crate) is_wide: bool,
    /// The most blocks of the heap that a state had.
    pub(crate) largest: u32,
    /// Ways that take payload constants for prototypes or numbers may do better.
    pub(crate) payload_matters: bool,
    /// There may be lists: two blocks of the heap were there at one time.
    pub(crate) has_lists: bool,
    /// Blocks that one operation makes for different callers were taken for nodes of one list.
    pub(crate) mixes_callers: bool,
    /// Elements of arrays were read or written, nobody knows which.
    pub(crate) has_elements: bool,
    /// Some of them were pointers.
    pub(crate) has_pointers: bool,
    /// Many shapes differ by which lists are empty.
    pub(crate) has_empties: bool,
    /// Functions call themselves.
    pub(crate) has_recursion: bool,
    /// What blocks had at the places of links.
    pub(crate) variants: SeenVariants,
    /// Nothing was folded in many steps.
    pub(crate) is_idle: bool,
    /// The trees that were seen.
    pub(crate) trees: Vec<LearntTree>,
}

/// The precisions that are still to be tried.
#[derive(Debug)]
pub(crate) struct Precisions {
    now: VecDeque<Precision>,
    /// Those that need more time.
    slow: Vec<Precision>,
    /// How large the states of those became that need more time, in powers of two.
    sizes: Vec<(Precision, u32)>,
    /// The trees that were seen, the last of which precisions have.
    lessons: Vec<Vec<LearntTree>>,
    /// Whether the precisions are among those to be tried in which states meet behind branches.
    with_joins: bool,
    /// Whether those are among them that see where texts end, and what elements of arrays have in common.
    with_laws: bool,
    /// Whether the one is among them that sees what pointers in arrays lead to.
    with_rows: bool,
    /// Whether the one is among them that sees that lengths do not wrap.
    with_lengths: bool,
    /// Whether the one is among them that sees how results go with arguments.
    with_arguments: bool,
    /// What is kept of what functions were given, if they call themselves.
    arguments: Arguments,
    /// Whether those are among them that join lists which may be empty.
    with_empties: bool,
    /// What blocks had at the places of links, in all searches.
    variants: SeenVariants,
    /// The trees of the ways among them that tell variants of nodes apart.
    with_variants: Vec<LearntTree>,
    /// Whether lists and trees may be seen to be sorted.
    sees_sorting: bool,
}

/// What is learnt of trees changes a few times at most before it is given up.
const MOST_LESSONS: usize = 3;

impl Precisions {
    /// `sees_sorting`: whether lists and trees may be seen to be sorted, after all else. `at_the_end`: those that are tried after
    /// all others, because of what the program does.
    pub(crate) fn new(sees_sorting: bool, at_the_end: &[Precision]) -> Precisions {
        Precisions {
            now: every_way(&[], sees_sorting)
                .into_iter()
                .chain([with_relations(), with_counts()])
                .chain(at_the_end.iter().cloned())
                .collect(),
            slow: Vec::new(),
            sizes: Vec::new(),
            lessons: Vec::new(),
            with_joins: false,
            with_laws: false,
            with_rows: false,
            with_lengths: false,
            with_arguments: false,
            arguments: Arguments::Forgotten,
            with_empties: false,
            variants: SeenVariants::default(),
            with_variants: Vec::new(),
            sees_sorting,
        }
    }

    pub(crate) fn next(&mut self) -> Option<Precision> {
        self.now.pop_front()
    }

    /// Whether none is left that more work could help.
    pub(crate) fn are_all_tried(&self) -> bool {
        self.now.is_empty() && self.slow.is_empty()
    }

    /// A precision was not tried for as long as it should have been, and comes again.
    pub(crate) fn put_back(&mut self, precision: Precision) {
        self.now.push_front(precision);
    }

    /// A precision did not lead to a proof, but something was learnt from it.
    pub(crate) fn failed(&mut self, precision: Precision, feedback: Feedback) {
        let alike = self.take_alike(&precision, &feedback);
        let Feedback {
            needs_time,
            is_wide,
            mixes_callers,
            has_elements,
            has_pointers,
            has_empties,
            has_recursion,
            variants,
            is_idle,
            has_lists,
            largest,
            trees: seen,
            ..
        } = feedback;
        let trees = precision.trees.clone();
        let is_with_trees = !trees.is_empty();
        // Where places in blocks are numbers like others, links seem to be anywhere.
        let knows_places = !precision.relations.are_seen();
        self.add_arrays(has_elements, has_pointers);
        // A fault that is left may need a list of more nodes than there can be.
        self.add_lengths(precision == with_relations() && has_lists && !needs_time);
        self.add_arguments(has_recursion);
        self.add_empties(has_empties);
        self.add_joins(is_wide);
        // What more work does not help may be that lists are taken for one that are not.
        let is_plain = precision == Precision::for_lists(Payload::Apart);
        if is_plain && mixes_callers && !needs_time {
            self.now.push_back(Precision { callers: Callers::Apart, ..precision.clone() });
        }
        // Short loops over the links of a node come with cursors whose links were looked at.
        if is_with_trees && runs_through_links(&precision) && !needs_time {
            self.now.push_back(Precision { cursors: Cursors::Apart, ..precision.clone() });
        }
        self.variants.learn(&variants);
        self.add_variants(&trees, needs_time);
        // Trees that are there show soon; lists may be long before two of their nodes are alike.
        if needs_time && !(is_idle && is_with_trees) {
            self.sizes.retain(|(other, _)| *other != precision);
            self.sizes.push((precision.clone(), largest.checked_ilog2().unwrap_or(0)));
            self.slow.push(precision);
            self.slow.extend(alike);
        }
        let are_no_trees = seen.is_empty() && is_with_trees;
        if are_no_trees {
            self.now.retain(|other| other.trees != trees);
            self.slow.retain(|other| other.trees != trees);
        }
        // A short look may see less again.
        let is_new = !seen.is_empty() && !self.lessons.iter().any(|more| are_among(&seen, more));
        if is_new && knows_places && self.lessons.len() < MOST_LESSONS {
            // What was seen before may be what there is, but most ways are tried with what is seen now.
            let is_kept =
                |other: &Precision| other.trees.is_empty() || other.payload == Payload::Apart;
            self.slow.retain(is_kept);
            let others = std::mem::take(&mut self.now).into_iter().filter(is_kept);
            let ways = every_way(&seen, self.sees_sorting).into_iter().chain(others);
            // How many nodes there are matters seldom, and is much to be asked.
            self.now = ways.chain(with_measures(&seen, self.arguments)).collect();
            self.lessons.push(seen);
        }
    }

    /// Many shapes differ by which lists are empty.
    fn add_empties(&mut self, may_help: bool) {
        if !may_help || self.with_empties {
            return;
        }
        self.with_empties = true;
        let ways = [Precision::for_lists(Payload::Apart), Precision::for_lists(Payload::Numbers)];
        // An array of lists is often walked through, so that those before an index are empty.
        for way in ways.into_iter().chain([with_counts()]).rev() {
            self.now.push_front(Precision { empties: Empties::Joined, ..way });
        }
    }

    /// Arrays are worth a look.
    fn add_arrays(&mut self, has_elements: bool, has_pointers: bool) {
        if has_elements && !self.with_laws {
            self.with_laws = true;
            self.now.extend([with_texts(), with_laws()]);
        }
        if has_pointers && !self.with_rows {
            self.with_rows = true;
            // Without it, each pointer that is added makes another shape.
            self.now.push_front(with_rows());
        }
    }

    /// Where it is seen what tells nodes apart, or a search with these trees has ended without a proof and it may be that.
    fn add_variants(&mut self, trees: &[LearntTree], needs_time: bool) {
        let is_worth_it = match self.variants.worth(trees) {
            Worth::Nothing => false,
            Worth::Perhaps => !needs_time,
            Worth::Much => true,
        };
        if is_worth_it && self.with_variants != trees {
            self.with_variants = trees.to_vec();
            for way in with_variants(trees).into_iter().rev() {
                self.now.push_front(way);
            }
        }
    }

    /// Too many paths lead from one loop head to the next.
    fn add_joins(&mut self, is_wide: bool) {
        if !is_wide || self.with_joins {
            return;
        }
        self.with_joins = true;
        for marks in [Payload::Apart, Payload::Numbers] {
            let way = Precision::for_lists(marks);
            self.now.push_back(Precision { points: AbstractionPoints::Joins, ..way });
        }
    }

    fn add_lengths(&mut self, may_help: bool) {
        if may_help && !self.with_lengths {
            self.with_lengths = true;
            self.now.push_front(with_lengths());
        }
    }

    /// Before the precision that sees as much but for that: without it, numbers that calls return are hard to ask about.
    fn add_arguments(&mut self, has_recursion: bool) {
        if !has_recursion || self.with_arguments {
            return;
        }
        self.arguments = Arguments::Held;
        self.with_arguments = true;
        let sees_numbers = |other: &Precision| *other == with_relations();
        let place = self.now.iter().position(sees_numbers).unwrap_or(self.now.len());
        self.now.insert(place, with_arguments());
    }

    /// The precisions that are still to be tried, and do the same as this one as long as payload constants do not
    /// matter, or there are no lists at all.
    fn take_alike(&mut self, precision: &Precision, feedback: &Feedback) -> Vec<Precision> {
        let Feedback { payload_matters, has_lists, .. } = *feedback;
        let is_alike = |other: &Precision| {
            let is_later = match (precision.payload, other.payload) {
                (Payload::Apart | Payload::Prototypes, Payload::Numbers) => !payload_matters,
                (Payload::Apart, Payload::Prototypes) => !payload_matters || !has_lists,
                (Payload::Apart, Payload::Sequences | Payload::Elements) => !has_lists,
                (Payload::Numbers | Payload::Sequences | Payload::Elements, _)
                | (_, Payload::Apart)
                | (Payload::Prototypes, _) => false,
            };
            is_later && *precision == Precision { payload: precision.payload, ..other.clone() }
        };
        let (alike, others): (Vec<Precision>, Vec<Precision>) =
            std::mem::take(&mut self.now).into_iter().partition(is_alike);
        self.now = others.into();
        alike
    }

    /// The precisions that needed more time come again; those with trees first, since they know more.
    pub(crate) fn again(&mut self) {
        let mut slow = std::mem::take(&mut self.slow);
        slow.sort_by_key(|precision| precision.trees.is_empty());
        self.sort_by_size(&mut slow);
        self.now = slow.into();
    }

    /// Among usual ways for lists, those come first that kept states small, and of these such that join lists which may be empty: they are
    /// there because others told too much apart. Ways that were not tried yet have no size.
    fn sort_by_size(&self, precisions: &mut [Precision]) {
        let is_usual = |way: &&mut Precision| way.trees.is_empty() && !way.sees_more_of_numbers();
        let size = |way: &Precision| {
            let known = self.sizes.iter().find(|(other, _)| other == way);
            (known.map_or(u32::MAX, |(_, size)| *size), way.empties == Empties::Apart)
        };
        let places: Vec<&mut Precision> = precisions.iter_mut().filter(is_usual).collect();
        let mut usual: Vec<Precision> = places.iter().map(|place| (**place).clone()).collect();
        usual.sort_by_key(size);
        for (place, way) in places.into_iter().zip(usual) {
            *place = way;
        }
    }
}

/// Whether small counts are told apart, but not what a cursor has seen of its links.
fn runs_through_links(precision: &Precision) -> bool {
    precision.counts == Counts::Apart && precision.cursors == Cursors::Folded
}

/// Whether the same trees have been seen before, perhaps with more links. Where there are few links, nodes that are made elsewhere make
/// other trees: one that is taken apart into a list has nodes of both.
fn are_among(trees: &[LearntTree], more: &[LearntTree]) -> bool {
    let is_in = |tree: &LearntTree| {
        more.iter().any(|other| {
            let links = &other.links;
            let has_many_links = links.children.len() > MOST_TOLD_APART;
            tree.size == other.size
                && (tree.links.head, tree.links.parent) == (links.head, links.parent)
                && tree.links.children.iter().all(|link| links.children.contains(link))
                && (tree.origins == other.origins
                    || has_many_links && tree.origins.is_subset(&other.origins))
        })
    };
    trees.len() == more.len() && trees.iter().all(is_in)
}

#[cfg(test)]
mod tests;
