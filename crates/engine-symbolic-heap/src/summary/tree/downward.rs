//! Downward relations of trees: found where a tree is folded, shared out where a node comes out of it.
//!
//! Besides the relations a tree tells the number in its root, and the one in the node that has its hole. Both are what they are in every
//! concrete tree, so whether a link from a node, or from a hole, keeps a relation is a question about numbers of the state.
//! All relations that hold of the first nodes are taken, and those that do not hold of more are dropped, as Houdini does (Flanagan, Leino, 2001).

use std::collections::BTreeMap;

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId, Cell, End, Field, Prototype};
use crate::heap::downward::{Downward, MOST_DOWNWARD, Relation};
use crate::heap::names::Names;
use crate::heap::order::Place;
use crate::heap::state::State;
use crate::heap::tree::{Tree, TreeLinks};
use crate::precision::{Precision, Sorting};
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::{Possible, assume};
use crate::reasoning::range::{is_at_most, is_less};
use crate::summary::matched::{Chains, Match, Sides};
use crate::summary::matching::match_values;
use crate::summary::mismatch::{Matched, Mismatch, Position};
use crate::summary::sorted::{number_of_node, put_number, unify};
use crate::summary::tree::discover::{FoundTree, link_value};
use crate::summary::tree::unfold::{Link, MOST_TOLD_APART};

/// The widest numbers that are looked at, in bytes.
const WIDEST: u64 = 8;

/// How the nodes of a tree that stands in a heap are related to those below them.
pub(crate) fn related_tree(
    reasoner: &mut Reasoner<'_>,
    precision: &Precision,
    state: &State,
    tree: &FoundTree,
) -> Vec<Downward> {
    let are_seen = match precision.sorting {
        Sorting::Unseen | Sorting::Seen => false,
        Sorting::Downwards => tree.links.children.len() <= MOST_TOLD_APART,
    };
    if !are_seen {
        return Vec::new();
    }
    let known = tree.blocks.iter().find_map(|(id, _)| state.block(*id).tree());
    let candidates: Vec<(Place, Vec<Relation>)> = match known {
        Some(known) => {
            known.downward.iter().map(|one| (one.place, one.relations.clone())).collect()
        }
        None => {
            let places = common_places(&reasoner.names, state, tree).into_iter();
            places.map(|place| (place, Relation::ALL.to_vec())).collect()
        }
    };
    let found = candidates
        .into_iter()
        .filter_map(|(place, relations)| read_downward(reasoner, state, tree, (place, &relations)));
    found.take(MOST_DOWNWARD).collect()
}

/// Where the first two nodes of a tree have numbers that may be related.
pub(crate) fn common_places(names: &Names<'_>, state: &State, tree: &FoundTree) -> Vec<Place> {
    let [(root, _), (other, _), ..] = tree.blocks.as_slice() else { return Vec::new() };
    let (root, other) = (state.block(*root), state.block(*other));
    let is_number = |value: TermId| !names.holds_address(value);
    root.cells
        .iter()
        .filter(|(offset, cell)| {
            let has_same =
                |of_other: &Cell| of_other.size == cell.size && is_number(of_other.value);
            !tree.links.has(**offset)
                && cell.size <= WIDEST
                && is_number(cell.value)
                && other.cells.get(*offset).is_some_and(has_same)
        })
        .map(|(&offset, cell)| Place { offset, size: cell.size })
        .collect()
}

/// Those of some relations that hold along all links of a tree that stands in a heap, with its numbers, if there are any.
pub(crate) fn read_downward(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    tree: &FoundTree,
    (place, relations): (Place, &[Relation]),
) -> Option<Downward> {
    let NumbersOfLinks { pairs, root, above_hole } =
        numbers_of_links(&mut reasoner.names, state, tree, place)?;
    let trees = tree.blocks.iter().filter_map(|(id, _)| state.block(*id).tree());
    let told: Vec<&Downward> = trees.filter_map(|tree| related_at(tree, place)).collect();
    let mut relations = relations.to_vec();
    relations.retain(|relation| {
        told.iter().all(|one| one.relations.contains(relation))
            && pairs.iter().all(|&pair| holds(reasoner, state, *relation, pair))
    });
    (!relations.is_empty()).then_some(Downward { place, relations, root, above_hole })
}

/// What a tree tells of a place.
fn related_at(tree: &Tree, place: Place) -> Option<&Downward> {
    tree.downward.iter().find(|one| one.place == place)
}

/// The numbers at both ends of all links of a tree that stands in a heap.
struct NumbersOfLinks {
    /// Of the node above, and of the one below.
    pairs: Vec<(TermId, TermId)>,
    root: TermId,
    above_hole: Option<TermId>,
}

fn numbers_of_links(
    names: &mut Names<'_>,
    state: &State,
    tree: &FoundTree,
    place: Place,
) -> Option<NumbersOfLinks> {
    // Of the topmost node of each block, and of the one that has its links.
    let mut numbers: BTreeMap<BlockId, (TermId, Option<TermId>)> = BTreeMap::new();
    for (id, _) in &tree.blocks {
        let block = state.block(*id);
        let of_block = match block.tree() {
            Some(tree) => related_at(tree, place).map(|one| (one.root, one.above_hole))?,
            None => {
                let number = number_of_node(names, block, place)?;
                (number, Some(number))
            }
        };
        numbers.insert(*id, of_block);
    }
    let (mut pairs, mut above_hole) = (Vec::new(), None);
    for (id, _) in &tree.blocks {
        let (_, above) = numbers[id];
        for (field, value) in links_of(names, state.block(*id), &tree.links)? {
            if tree.hole.is_some_and(|hole| (hole.holder, hole.field) == (*id, field)) {
                above_hole = above;
            } else if !tree.is_leaf(names, value) {
                let (below, _) = names.pointer(value)?;
                pairs.push((above?, numbers.get(&below)?.0));
            }
        }
    }
    let (root, _) = numbers[&tree.root];
    (above_hole.is_some() == tree.hole.is_some()).then_some(NumbersOfLinks {
        pairs,
        root,
        above_hole,
    })
}

/// What the links of a single node hold, or the hole of a tree.
fn links_of(
    names: &mut Names<'_>,
    block: &Block,
    links: &TreeLinks,
) -> Option<Vec<(Field, TermId)>> {
    match block.tree() {
        Some(tree) => {
            Some(tree.hole.map(|value| (Field::End(End::Next), value)).into_iter().collect())
        }
        None => {
            let value =
                |&offset: &u64| Some((Field::Cell(offset), link_value(names, block, offset)?));
            links.children.iter().map(value).collect()
        }
    }
}

/// Whether the numbers at both ends of a link are related.
fn holds(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    relation: Relation,
    (node, child): (TermId, TermId),
) -> bool {
    match relation {
        Relation::Greater => is_less(reasoner, state, child, node),
        Relation::AtLeast => is_at_most(reasoner, state, child, node),
        Relation::Less => is_less(reasoner, state, node, child),
        Relation::AtMost => is_at_most(reasoner, state, node, child),
        Relation::NonzeroOverZero | Relation::ZeroOverNonzero | Relation::OneMore => {
            let says = relation.says(&mut reasoner.names.terms, (node, child));
            let contrary = reasoner.names.terms.not(says);
            matches!(reasoner.possible(state, contrary), Possible::No)
        }
    }
}

/// What is known of a node that comes out of a tree, and of what is below it, at one place.
#[derive(Debug)]
pub(crate) struct RelatedNode {
    place: Place,
    number: TermId,
    /// Of what is below each link.
    pub(crate) below: Vec<Option<Downward>>,
}

impl RelatedNode {
    /// A number of its own that a node of a prototype has, and what is known to be it.
    pub(crate) fn given(&self, prototype: &Prototype) -> Option<(TermId, TermId)> {
        let cell = prototype.node().cells.get(&self.place.offset)?;
        let is_own = cell.size == self.place.size && prototype.numbers.contains(&cell.value);
        is_own.then_some((cell.value, self.number))
    }

    /// Says which number the node has. `false` if it has another one.
    pub(crate) fn tell_node(
        &self,
        names: &mut Names<'_>,
        state: &mut State,
        node: &mut Block,
    ) -> bool {
        let held = node.cells.get(&self.place.offset).filter(|cell| cell.size == self.place.size);
        let is_same = held.map(|cell| names.terms.equal(cell.value, self.number));
        put_number(names, state, node, self.place, self.number);
        is_same.and_then(|is_same| names.truth(is_same)) != Some(false)
    }
}

/// Where the root of a tree has the hole, its number is the one above the hole.
pub(crate) fn unify_at_hole(names: &mut Names<'_>, state: &mut State, root: BlockId) {
    for index in 0..MOST_DOWNWARD {
        // Read again: names may be other ones by now.
        let one = state.block(root).tree().and_then(|tree| tree.downward.get(index).cloned());
        if let Some(Downward { root, above_hole: Some(above), .. }) = one {
            unify(names, state, (root, above));
        }
    }
}

/// What is known of the root of a tree that has such links.
pub(crate) fn related_root(
    names: &mut Names<'_>,
    state: &mut State,
    tree: &Tree,
    choice: &[Link],
) -> Vec<RelatedNode> {
    let mut nodes = Vec::new();
    for one in &tree.downward {
        let below = below(names, state, (one, one.root), choice);
        nodes.push(RelatedNode { place: one.place, number: one.root, below });
    }
    nodes
}

/// What is known of the node that has the hole, if it is not the root, and of the tree without it, whose hole it is in.
pub(crate) fn related_above_hole(
    names: &mut Names<'_>,
    state: &mut State,
    tree: &Tree,
    choice: &[Link],
) -> (Vec<RelatedNode>, Vec<Downward>) {
    let (mut nodes, mut rest) = (Vec::new(), Vec::new());
    for one in &tree.downward {
        let number = one.above_hole.expect("there is a hole");
        let above = names.fresh("above", names.terms.width(number));
        tell_link(names, state, &one.relations, (above, number));
        tell_way(names, state, &one.relations, (one.root, above));
        let below = below(names, state, (one, number), choice);
        nodes.push(RelatedNode { place: one.place, number, below });
        rest.push(Downward { above_hole: Some(above), ..one.clone() });
    }
    (nodes, rest)
}

/// What is known of the trees below a node with some number.
fn below(
    names: &mut Names<'_>,
    state: &mut State,
    (one, number): (&Downward, TermId),
    choice: &[Link],
) -> Vec<Option<Downward>> {
    let mut all = Vec::new();
    for link in choice {
        let above_hole = match link {
            Link::Leaf | Link::Hole | Link::Bytes => {
                all.push(None);
                continue;
            }
            Link::Below | Link::Either => None,
            Link::BelowWithHole => one.above_hole,
        };
        let root = names.fresh("below", names.terms.width(number));
        tell_link(names, state, &one.relations, (number, root));
        if let Some(above) = above_hole {
            tell_way(names, state, &one.relations, (root, above));
        }
        all.push(Some(Downward { root, above_hole, ..one.clone() }));
    }
    all
}

/// Says that the numbers at both ends of a link are related.
fn tell_link(
    names: &mut Names<'_>,
    state: &mut State,
    relations: &[Relation],
    pair: (TermId, TermId),
) {
    for relation in relations.iter().filter(|one| !one.follows_from(relations)) {
        let says = relation.says(&mut names.terms, pair);
        if !state.condition.contains(&says) {
            assume(names, state, says, None);
        }
    }
}

/// Says of the numbers at both ends of a way down, which may have no link, what follows.
fn tell_way(
    names: &mut Names<'_>,
    state: &mut State,
    relations: &[Relation],
    pair: (TermId, TermId),
) {
    let on_way: Vec<Relation> = relations.iter().filter_map(|one| one.on_every_way()).collect();
    if pair.0 != pair.1 {
        tell_link(names, state, &on_way, pair);
    }
}

/// Whether the new side's tree or nodes are related as those of a tree are. Where they are nodes, matches their numbers.
pub(crate) fn match_downward(
    reasoner: &mut Reasoner<'_>,
    sides: Sides<'_>,
    found: &mut Match,
    (tree, nodes): (&Tree, Option<&FoundTree>),
    chains: Chains,
) -> Result<bool, Mismatch> {
    let mut is_covered = true;
    for (index, known) in tree.downward.iter().enumerate() {
        match common_downward(reasoner, sides.1, known, (chains.new, nodes)) {
            Some(new) => {
                is_covered &= new.relations == known.relations;
                if nodes.is_some() {
                    let pair = (index, known, &new);
                    match_numbers_of(&mut reasoner.names, sides, chains, pair, found)?;
                }
            }
            None => is_covered = false,
        }
    }
    Ok(is_covered)
}

/// Those relations of a known tree that hold of the new side's tree or nodes as well, with the numbers of these.
fn common_downward(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    known: &Downward,
    (id, nodes): (BlockId, Option<&FoundTree>),
) -> Option<Downward> {
    let Some(nodes) = nodes else {
        let mut new = related_at(state.block(id).tree()?, known.place)?.clone();
        new.relations.retain(|relation| known.relations.contains(relation));
        return (!new.relations.is_empty()).then_some(new);
    };
    read_downward(reasoner, state, nodes, (known.place, &known.relations))
}

/// Matches the numbers that trees tell of a place.
fn match_numbers_of(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    chains: Chains,
    (index, known, new): (usize, &Downward, &Downward),
    found: &mut Match,
) -> Matched {
    for ((end, x), (_, y)) in known.ends(index).zip(new.ends(index)) {
        let position = Position::End { block: chains.known, end };
        match_values(names, sides, position, (x, y), found)?;
    }
    Ok(())
}

/// Matches the numbers that two trees tell of the same places. What only one tells is given up later.
pub(crate) fn match_ends_downward(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (known, new): (&Tree, &Tree),
    chains: Chains,
    found: &mut Match,
) -> Matched {
    for (index, one) in known.downward.iter().enumerate() {
        if let Some(other) = related_at(new, one.place) {
            match_numbers_of(names, sides, chains, (index, one, other), found)?;
        }
    }
    Ok(())
}

/// Drops what does not hold of the new side's tree or nodes.
pub(crate) fn join_downward(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    downward: &mut Vec<Downward>,
    new: (BlockId, Option<&FoundTree>),
) {
    downward.retain_mut(|known| match common_downward(reasoner, state, known, new) {
        Some(common) => {
            known.relations = common.relations;
            true
        }
        None => false,
    });
}
