//! Measures of a tree from which a node is taken: they are shared out between the node and what is below it.

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId, End, Prototype};
use crate::heap::measures::{Measures, Siblings, Whole};
use crate::heap::names::Names;
use crate::heap::order::Place;
use crate::heap::state::State;
use crate::heap::tree::Tree;
use crate::reasoning::path_condition::require;
use crate::summary::sorted::{put_number, unify};
use crate::summary::tree::unfold::Link;

/// What is known of a node that comes out of a tree, and of what is below it.
#[derive(Debug)]
pub(crate) struct MeasuredNode {
    /// What the node holds.
    stored: Vec<(Place, TermId)>,
    /// Of what is below each link.
    pub(crate) below: Vec<Option<Measures>>,
}

impl MeasuredNode {
    /// A number of its own that a node of a prototype has, and what is known to be it.
    pub(crate) fn given(&self, prototype: &Prototype) -> Option<(TermId, TermId)> {
        self.stored.iter().find_map(|(place, number)| {
            let cell = prototype.node().cells.get(&place.offset)?;
            let is_own = cell.size == place.size && prototype.numbers.contains(&cell.value);
            is_own.then_some((cell.value, *number))
        })
    }

    /// Says which numbers the node has. `false` if it has others.
    pub(crate) fn tell_node(
        &self,
        names: &mut Names<'_>,
        state: &mut State,
        node: &mut Block,
    ) -> bool {
        self.stored.iter().all(|&(place, number)| {
            let held = node.cells.get(&place.offset).filter(|cell| cell.size == place.size);
            let is_same = held.map(|cell| names.terms.equal(cell.value, number));
            put_number(names, state, node, place, number);
            is_same.and_then(|is_same| names.truth(is_same)) != Some(false)
        })
    }
}

/// A tree whose root has nothing below it, nor a hole below a link, has one node.
pub(crate) fn settle_single(
    names: &mut Names<'_>,
    state: &mut State,
    root: BlockId,
    choice: &[Link],
) {
    let has_more = |link: &Link| match link {
        Link::Below | Link::Either | Link::BelowWithHole => true,
        Link::Leaf | Link::Bytes | Link::Hole => false,
    };
    if choice.iter().any(has_more) {
        return;
    }
    let one = number(names, 1);
    for end in [End::Length, End::Height] {
        // Read again: names may be other ones by now.
        let measure = state.block(root).end(end);
        if let Some(measure) = measure {
            unify_to(names, state, (one, measure));
        }
    }
}

/// Lets a measure be a number.
fn unify_to(names: &mut Names<'_>, state: &mut State, (number, measure): (TermId, TermId)) {
    let is_it = names.terms.equal(number, measure);
    if names.truth(is_it) == Some(false) {
        state.condition.push_back(TermId::FALSE);
    }
    unify(names, state, (number, measure));
}

/// What is known of the root of a tree that has such links; nothing if measures are not told.
pub(crate) fn measured_root(
    names: &mut Names<'_>,
    state: &mut State,
    tree: &Tree,
    choice: &[Link],
) -> Option<MeasuredNode> {
    let measures = tree.measures.as_ref()?;
    let is_below = |link: &Link| matches!(link, Link::Below | Link::BelowWithHole);
    let count = choice.iter().filter(|link| is_below(link)).count();
    let sizes = sizes_below(names, state, measures.size, count);
    let heights = match &measures.whole {
        Some(whole) => heights_below(names, state, whole, count).into_iter().map(Some).collect(),
        None => vec![None; count],
    };
    let mut parts = sizes.into_iter().zip(heights);
    let mut below = Vec::new();
    for link in choice {
        let Some((size, height)) = is_below(link).then(|| parts.next()).flatten() else {
            below.push(None);
            continue;
        };
        let whole = height.zip(measures.whole.as_ref());
        let whole = whole.map(|(height, whole)| Whole { height, ..whole.clone() });
        let measures = Measures { size, whole };
        tell_laws(names, state, &measures);
        below.push(Some(measures));
    }
    let stored = measures.whole.iter().flat_map(|whole| {
        let numbers = whole
            .stored
            .iter()
            .map(|one| (one.place, one.number(&mut names.terms, (measures.size, whole.height))));
        numbers.collect::<Vec<_>>()
    });
    Some(MeasuredNode { stored: stored.collect(), below })
}

/// How many nodes are in each of so many trees below a root.
fn sizes_below(
    names: &mut Names<'_>,
    state: &mut State,
    size: TermId,
    count: usize,
) -> Vec<TermId> {
    let one = number(names, 1);
    let mut left = names.terms.subtract(size, one);
    let mut sizes = Vec::new();
    for index in 0..count {
        if index + 1 == count {
            sizes.push(left);
        } else {
            let size = names.fresh("size", names.terms.width(left));
            let is_part = names.terms.signed_less(size, left);
            require(names, state, is_part);
            left = names.terms.subtract(left, size);
            sizes.push(size);
        }
    }
    sizes
}

/// How high each of so many trees below a root is.
fn heights_below(
    names: &mut Names<'_>,
    state: &mut State,
    whole: &Whole,
    count: usize,
) -> Vec<TermId> {
    let one = number(names, 1);
    let most = names.terms.subtract(whole.height, one);
    match (count, whole.siblings) {
        (0, _) => Vec::new(),
        (1, Siblings::Any) => vec![most],
        (1, Siblings::Balanced) => {
            let is_low = names.terms.equal(most, one);
            require(names, state, is_low);
            vec![most]
        }
        (1, Siblings::Level) => {
            require(names, state, TermId::FALSE);
            vec![most]
        }
        (_, Siblings::Level) => vec![most; count],
        (_, siblings @ (Siblings::Any | Siblings::Balanced)) => {
            let width = names.terms.width(most);
            let heights: Vec<TermId> = (0..count).map(|_| names.fresh("height", width)).collect();
            let mut is_highest = TermId::FALSE;
            for &height in &heights {
                let is_in = names.terms.signed_less_equal(height, most);
                require(names, state, is_in);
                if siblings == Siblings::Balanced {
                    let least = names.terms.subtract(most, one);
                    let is_near = names.terms.signed_less_equal(least, height);
                    require(names, state, is_near);
                }
                let is_most = names.terms.equal(height, most);
                is_highest = names.terms.or(is_highest, is_most);
            }
            require(names, state, is_highest);
            heights
        }
    }
}

/// Says what holds of the measures of every tree.
pub(crate) fn tell_laws(names: &mut Names<'_>, state: &mut State, measures: &Measures) {
    let most = most_nodes(names);
    let (one, room) = (number(names, 1), number(names, most));
    tell_at_most(names, state, (one, measures.size));
    tell_at_most(names, state, (measures.size, room));
    let Some(whole) = &measures.whole else { return };
    let highest = number(names, whole.siblings.highest(most));
    tell_at_most(names, state, (one, whole.height));
    tell_at_most(names, state, (whole.height, measures.size));
    if whole.siblings != Siblings::Any {
        tell_at_most(names, state, (whole.height, highest));
    }
}

fn tell_at_most(names: &mut Names<'_>, state: &mut State, (low, high): (TermId, TermId)) {
    let is_so = names.terms.signed_less_equal(low, high);
    if !state.condition.contains(&is_so) {
        require(names, state, is_so);
    }
}

/// Nodes lie apart and have room for a link, so there are no more than there are places for links.
fn most_nodes(names: &Names<'_>) -> u128 {
    let bytes = u128::from(names.model().pointer_size());
    (1 << names.pointer_bits()) / bytes
}

pub(crate) fn number(names: &mut Names<'_>, value: u128) -> TermId {
    let bits = names.pointer_bits();
    names.terms.bit_vector(value, bits)
}
