//! Measures: how many nodes a tree has and how high it is, what its nodes keep of that, and what becomes of it in folds and unfolds.
//!
//! The size of a tree is one more than those of what is below its root together, its height is one more than the greater of theirs. So both are terms of
//! the state's numbers. What all nodes keep (that siblings are equally high, or nearly, and that a number in each node is a measure of what
//! hangs there) is found as downward relations are: all that holds of the first nodes, less what does not hold of more.
//!
//! Some laws hold of every tree: it is at most as high as it has nodes, no memory has room for more than some number of nodes, and a balanced tree of so many
//! nodes is not high. The last is why heights do not wrap, however few bits nodes have for them.

use std::sync::Arc;

use heapwright_logic::{Sort, TermId};

use crate::heap::block::{Block, BlockId, Cell, End, Field, Prototype};
use crate::heap::measures::{MOST_STORED, Measures, Siblings, Stored, Whole};
use crate::heap::names::Names;
use crate::heap::order::Place;
use crate::heap::state::State;
use crate::heap::tree::Tree;
use crate::precision::{Measuring, Precision};
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::Possible;
use crate::reasoning::range::is_at_most;
use crate::summary::matched::{Chains, Match, Sides};
use crate::summary::matching::match_values;
use crate::summary::mismatch::{Matched, Mismatch, Position};
use crate::summary::sorted::number_of_node;
use crate::summary::tree::discover::{FoundTree, Hole, link_value};
use crate::summary::tree::downward::common_places;
use crate::summary::tree::shared_measures::{number, tell_laws};

/// The measures of a tree that stands in a heap, if they are told.
pub(crate) fn measured_tree(
    reasoner: &mut Reasoner<'_>,
    precision: &Precision,
    state: &mut State,
    tree: &FoundTree,
) -> Option<Measures> {
    match precision.measuring {
        Measuring::Unseen => return None,
        Measuring::Seen => {}
    }
    let mut trees = tree.blocks.iter().filter_map(|(id, _)| state.block(*id).tree());
    let told = trees.find_map(|tree| tree.measures.as_ref()?.whole.as_ref());
    let candidates: Vec<Stored> = match told {
        Some(told) => told.stored.clone(),
        None => common_places(&reasoner.names, state, tree)
            .into_iter()
            .flat_map(Stored::all_at)
            .collect(),
    };
    let measures = read_measures(reasoner, state, tree, (Siblings::Level, &candidates))?;
    tell_laws(&mut reasoner.names, state, &measures);
    Some(measures)
}

/// The measures of a tree that stands in a heap, and what its nodes keep at least of what is said.
pub(crate) fn read_measures(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    tree: &FoundTree,
    (siblings, stored): (Siblings, &[Stored]),
) -> Option<Measures> {
    if tree.links.children.len() != 2 {
        return None;
    }
    let stored = stored.to_vec();
    let mut reading = Reading { state, tree, siblings, stored };
    let (size, height) = reading.block(reasoner, tree.root)?;
    let Reading { siblings, mut stored, .. } = reading;
    stored.truncate(MOST_STORED);
    let whole = height.filter(|_| tree.hole.is_none());
    let whole = whole.map(|height| Whole { height, siblings, stored });
    Some(Measures { size, whole })
}

/// A tree whose measures are read.
struct Reading<'s> {
    state: &'s State,
    tree: &'s FoundTree,
    /// What all nodes keep that were looked at.
    siblings: Siblings,
    stored: Vec<Stored>,
}

/// How many nodes there are, and how high they stand if nothing is left out.
type Measured = (TermId, Option<TermId>);

impl Reading<'_> {
    /// What has the root of a block as its root.
    fn block(&mut self, reasoner: &mut Reasoner<'_>, id: BlockId) -> Option<Measured> {
        let (state, tree) = (self.state, self.tree);
        let block = state.block(id);
        let Some(summary) = block.tree() else { return self.node(reasoner, (id, block)) };
        let measures = summary.measures.as_ref()?;
        let Some(value) = summary.hole else {
            let whole = measures.whole.as_ref();
            if let Some(whole) = whole {
                self.siblings = self.siblings.min(whole.siblings);
                self.stored.retain(|one| whole.stored.contains(one));
            }
            return Some((measures.size, whole.map(|whole| whole.height)));
        };
        let is_hole = tree.hole.is_some_and(|hole| hole.holder == id);
        if is_hole {
            return Some((measures.size, None));
        }
        let (below, _) = reasoner.names.pointer(value)?;
        let (size, _) = self.block(reasoner, below)?;
        Some((reasoner.names.terms.add(measures.size, size), None))
    }

    fn node(
        &mut self,
        reasoner: &mut Reasoner<'_>,
        (id, block): (BlockId, &Block),
    ) -> Option<Measured> {
        let nothing = number(&mut reasoner.names, 0);
        let one = number(&mut reasoner.names, 1);
        let (mut size, mut heights) = (one, Vec::new());
        for &offset in &self.tree.links.children {
            let value = link_value(&mut reasoner.names, block, offset)?;
            let field = Field::Cell(offset);
            let is_hole = |hole: Hole| (hole.holder, hole.field) == (id, field);
            let (below, height) = if self.tree.hole.is_some_and(is_hole) {
                (nothing, None)
            } else if self.tree.is_leaf(&reasoner.names, value) {
                (nothing, Some(nothing))
            } else {
                let (below, _) = reasoner.names.pointer(value)?;
                self.block(reasoner, below)?
            };
            size = reasoner.names.terms.add(size, below);
            heights.push(height);
        }
        let [Some(left), Some(right)] = heights[..] else { return Some((size, None)) };
        self.compare(reasoner, (left, right));
        let higher = higher(reasoner, self.state, (left, right));
        let height = reasoner.names.terms.add(higher, one);
        self.look_at_stored(reasoner, block, (size, height));
        Some((size, Some(height)))
    }

    /// What is still kept behind a node with siblings of these heights.
    fn compare(&mut self, reasoner: &mut Reasoner<'_>, (left, right): (TermId, TermId)) {
        let one = number(&mut reasoner.names, 1);
        let [more_left, more_right] = [left, right].map(|it| reasoner.names.terms.add(it, one));
        let state = self.state;
        let mut fits = |left, right| is_at_most(reasoner, state, left, right);
        if self.siblings == Siblings::Level && !(fits(left, right) && fits(right, left)) {
            self.siblings = Siblings::Balanced;
        }
        if self.siblings == Siblings::Balanced
            && !(fits(left, more_right) && fits(right, more_left))
        {
            self.siblings = Siblings::Any;
        }
    }

    fn look_at_stored(
        &mut self,
        reasoner: &mut Reasoner<'_>,
        block: &Block,
        measured: (TermId, TermId),
    ) {
        let state = self.state;
        self.stored.retain(|one| {
            let Some(held) = number_of_node(&mut reasoner.names, block, one.place) else {
                return false;
            };
            let number = one.number(&mut reasoner.names.terms, measured);
            is_same(reasoner, state, (held, number))
        });
    }
}

fn is_same(reasoner: &mut Reasoner<'_>, state: &State, (one, other): (TermId, TermId)) -> bool {
    let differ = reasoner.names.terms.not_equal(one, other);
    match reasoner.names.truth(differ) {
        Some(differ) => !differ,
        None => matches!(reasoner.possible(state, differ), Possible::No),
    }
}

/// The greater of two heights.
fn higher(reasoner: &mut Reasoner<'_>, state: &State, (left, right): (TermId, TermId)) -> TermId {
    if is_at_most(reasoner, state, left, right) {
        right
    } else if is_at_most(reasoner, state, right, left) {
        left
    } else {
        let is_lower = reasoner.names.terms.signed_less_equal(left, right);
        reasoner.names.terms.if_then_else(is_lower, right, left)
    }
}

/// The numbers of prototypes that a tree tells of all its nodes are left to each node.
pub(crate) fn free_stored(names: &mut Names<'_>, node: &mut Block, stored: &[Stored]) {
    for one in stored {
        let Place { offset, size } = one.place;
        if node.cells.get(&offset).is_some_and(|cell| cell.size == size) {
            let value = names.fresh("measure", 8 * size as u32);
            node.cells.insert(offset, Cell { size, value });
        }
    }
}

/// Drops what prototypes of a measured tree say of how numbers of nodes compare with numbers outside: it would be said once more for each way in
/// which a node has come there.
pub(crate) fn forget_outside(names: &Names<'_>, prototypes: &mut [Arc<Prototype>]) {
    for prototype in prototypes {
        let is_outside = |name: &TermId| {
            let is_number = matches!(names.terms.sort(*name), Sort::BitVector(_));
            is_number && !names.holds_address(*name) && !prototype.numbers.contains(name)
        };
        let is_comparison =
            |conjunct: &TermId| names.terms.free_variables(&[*conjunct]).iter().any(is_outside);
        if prototype.condition.iter().any(is_comparison) {
            let kept =
                prototype.condition.iter().copied().filter(|it| !is_comparison(it)).collect();
            Arc::make_mut(prototype).condition = kept;
        }
    }
}

/// Whether the new side's tree or nodes keep what a tree says. Where they are nodes, matches their measures.
pub(crate) fn match_measures(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    found: &mut Match,
    (tree, nodes): (&Tree, Option<&FoundTree>),
    chains: Chains,
) -> Result<bool, Mismatch> {
    let Some(known) = &tree.measures else { return Ok(true) };
    let Some(new) = measures_of_new(reasoner, sides.1, known, (chains.new, nodes)) else {
        return Ok(false);
    };
    if nodes.is_some() {
        match_numbers(&mut reasoner.names, sides, (known, &new), chains, found)?;
    }
    Ok(match (&known.whole, &new.whole) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(known), Some(new)) => {
            known.siblings <= new.siblings
                && known.stored.iter().all(|one| new.stored.contains(one))
        }
    })
}

/// The measures of the new side's tree or nodes, and what they keep of what a known tree says.
fn measures_of_new(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    known: &Measures,
    (id, nodes): (BlockId, Option<&FoundTree>),
) -> Option<Measures> {
    let Some(nodes) = nodes else { return state.block(id).tree()?.measures.clone() };
    let kept = known.whole.as_ref();
    let stored = kept.map(|whole| whole.stored.clone()).unwrap_or_default();
    let siblings = kept.map(|whole| whole.siblings).unwrap_or_default();
    read_measures(reasoner, state, nodes, (siblings, &stored))
}

fn match_numbers(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (known, new): (&Measures, &Measures),
    chains: Chains,
    found: &mut Match,
) -> Matched {
    let position = |end| Position::End { block: chains.known, end };
    match_values(names, sides, position(End::Length), (known.size, new.size), found)?;
    match (&known.whole, &new.whole) {
        (Some(x), Some(y)) => {
            match_values(names, sides, position(End::Height), (x.height, y.height), found)
        }
        (_, _) => Ok(()),
    }
}

/// Matches the measures of two trees. What only one tells is given up later.
pub(crate) fn match_measures_of_trees(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (known, new): (&Tree, &Tree),
    chains: Chains,
    found: &mut Match,
) -> Matched {
    match (&known.measures, &new.measures) {
        (Some(known), Some(new)) => match_numbers(names, sides, (known, new), chains, found),
        (_, _) => Ok(()),
    }
}

/// Drops what the new side's tree or nodes do not keep.
pub(crate) fn join_measures(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    measures: &mut Option<Measures>,
    (id, nodes): (BlockId, Option<&FoundTree>),
) {
    let Some(known) = measures else { return };
    let Some(new) = measures_of_new(reasoner, state, known, (id, nodes)) else {
        *measures = None;
        return;
    };
    known.whole = known.whole.take().zip(new.whole).map(|(mut known, new)| {
        known.siblings = known.siblings.min(new.siblings);
        known.stored.retain(|one| new.stored.contains(one));
        known
    });
}
