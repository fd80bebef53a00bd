//! What two neighbours have in common: the prototypes of their nodes, if these are not too many.
//!
//! A single node becomes a prototype here: what it owns goes into it, and stand-ins for its neighbours come
//! in place of its links.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::{BlockId, BlockKind, Field, Prototype};
use crate::heap::language::Places;
use crate::heap::names::Names;
use crate::heap::prototype::Fragment;
use crate::heap::state::State;
use crate::summary::domain::Domain;
use crate::summary::list::fold::{Pair, Side};
use crate::summary::list::links::{Links, origin_comes_again};
use crate::summary::list::sizes::differ_in_form;
use crate::summary::matched::Manner;
use crate::summary::matched::Match;
use crate::summary::payload::{have_other_constants, keeps_last_apart, loses_a_constant, policy};

/// Fields that hold the successor besides the link itself.
pub(crate) type Mentions = BTreeSet<Mention>;

/// A field of a node, or of a block that it owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mention {
    is_owned: bool,
    /// The size of the block, by which blocks are told apart.
    size: TermId,
    field: Field,
}

/// What a node has for itself, and not in common with the state around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    /// The blocks that only it reaches.
    Blocks,
    /// These, and the numbers that are nowhere else: of a node that stands for many.
    BlocksAndNumbers,
}

/// The prototypes of both neighbours, if they are not too many, and where those of each are among them.
pub(crate) fn common_prototypes(
    domain: &mut Domain<'_, '_>,
    state: &State,
    pair: &Pair,
) -> Option<(Vec<Arc<Prototype>>, Places)> {
    let prototypes = prototypes_of(&mut domain.reasoner.names, state, &pair.first, &|_| true);
    // What the second has as its successor it may hold for other reasons too: it is taken for
    // the successor where the first has its own, and wherever it stands only if that fails.
    let mentions = mentions(&mut domain.reasoner.names, &prototypes);
    let others = prototypes_of(&mut domain.reasoner.names, state, &pair.second, &|cell| {
        mentions.contains(&cell)
    });
    joined_prototypes(domain, state, pair, prototypes.clone(), &others).or_else(|| {
        let links = pair.second.links?;
        let successor = state.block(pair.second.at).cells[&links.next].value;
        if !domain.reasoner.names.holds_address(successor) {
            return None;
        }
        let wherever = prototypes_of(&mut domain.reasoner.names, state, &pair.second, &|_| true);
        if wherever == others {
            None
        } else {
            joined_prototypes(domain, state, pair, prototypes, &wherever)
        }
    })
}

fn joined_prototypes(
    domain: &mut Domain<'_, '_>,
    state: &State,
    pair: &Pair,
    mut prototypes: Vec<Arc<Prototype>>,
    others: &[Arc<Prototype>],
) -> Option<(Vec<Arc<Prototype>>, Places)> {
    let found = Match::of_one_state();
    // Nodes of one list may look different, but then they are made at the same place, or that of
    // the first comes again: without this a node would form a list with the first node of a list
    // that it owns. A node at which
    // a program is at work often differs from those that follow because it was changed.
    let (a, b) = (state.block(pair.first.block), state.block(pair.second.block));
    let is_list = !a.is_single();
    let same_origin = !a.origins().intersection(b.origins()).is_empty();
    let is_known = pair
        .first
        .links
        .is_some_and(|links| domain.learnt.lists.know((a, b), Field::Cell(links.next)));
    let is_mixed = differ_in_form(&domain.reasoner.names, a, b);
    // Nodes that are made in turn have payload constants by which they are told apart.
    let ends = (pair.first.block, pair.second.block);
    let is_in_turn = policy(domain.precision).keeps_order()
        && have_other_constants(&domain.reasoner.names, state, ends);
    let next = pair.first.next();
    let is_one_list = is_list
        || same_origin
        || is_known
        || is_mixed
        || is_in_turn
        || origin_comes_again(&mut domain.reasoner.names, state, ends, next);
    let shapes = (is_one_list || pair.has_compound()) && !pair.is_cursor;
    let manner = Manner { depth: 0, widens: false, shapes };
    if policy(domain.precision).keeps_order()
        && pair.is_cursor
        && !say_the_same(domain, state, &prototypes, others)
    {
        return None;
    }
    let is_last = is_last(&mut domain.reasoner.names, state, &pair.second);
    let mut places = Places::of(prototypes.len());
    for prototype in others {
        if loses_a_constant(domain, &prototypes, prototype)
            || (is_last && keeps_last_apart(domain, &prototypes, prototype))
        {
            return None;
        }
        let added =
            domain.add_prototype((state, state), &found, &mut prototypes, prototype, manner)?;
        places.add(added);
    }
    Some((prototypes, places))
}

/// Whether prototypes of two neighbours tell as much of their nodes.
fn say_the_same(
    domain: &mut Domain<'_, '_>,
    state: &State,
    one: &[Arc<Prototype>],
    other: &[Arc<Prototype>],
) -> bool {
    let mut found = Match::of_one_state();
    let sides = (state, state);
    one.iter().all(|prototype| domain.is_covered(sides, &mut found, other, prototype, 0))
        && other.iter().all(|prototype| domain.is_covered(sides, &mut found, one, prototype, 0))
}

/// Whether no node follows a single one.
fn is_last(names: &mut Names<'_>, state: &State, side: &Side) -> bool {
    let Some(links) = side.links else { return false };
    let next = names.pointer(state.block(side.at).cells[&links.next].value);
    let size = state.block(side.block).size;
    !next.is_some_and(|(id, _)| {
        let block = state.blocks.get(&id);
        block.is_some_and(|block| block.kind == BlockKind::Heap && block.size == size)
    })
}

/// The prototypes of a segment's nodes, or the prototype of a single one.
fn prototypes_of(
    names: &mut Names<'_>,
    state: &State,
    side: &Side,
    mentions: &dyn Fn(Mention) -> bool,
) -> Vec<Arc<Prototype>> {
    match side.links {
        None => state.block(side.block).prototypes().to_vec(),
        Some(links) => {
            let own = (&side.owned, Own::BlocksAndNumbers);
            vec![prototype_of(names, state, (side.block, side.at), links, own, mentions)]
        }
    }
}

/// Where nodes of some prototypes hold their successors.
pub(crate) fn mentions(names: &mut Names<'_>, prototypes: &[Arc<Prototype>]) -> Mentions {
    let mut mentions = Mentions::new();
    for prototype in prototypes {
        let next = names.closed_neighbours(prototype.height).next;
        for (index, block) in prototype.blocks.values().enumerate() {
            let (is_owned, size) = (index > 0, block.size);
            let fields = block.fields().filter(|(_, value)| *value == next);
            mentions.extend(fields.map(|(field, _)| Mention { is_owned, size, field }));
        }
    }
    mentions
}

/// The prototype of a single node, with what it has for itself; the link to the successor is in the
/// block `at`. `mentions`: which cells stand for the successor if they hold the same as the link
/// to it.
pub(crate) fn prototype_of(
    names: &mut Names<'_>,
    state: &State,
    (node, at): (BlockId, BlockId),
    links: Links,
    (owned, own): (&BTreeSet<BlockId>, Own),
    mentions: &dyn Fn(Mention) -> bool,
) -> Arc<Prototype> {
    let open = names.open_neighbours();
    let successor = state.block(at).cells[&links.next].value;
    let mut blocks = Vec::new();
    for &id in std::iter::once(&node).chain(owned) {
        let mut block = state.block(id).as_ref().clone();
        let (is_owned, size) = (id != node, block.size);
        for (field, held) in state.block(id).fields() {
            let value = if id == at && field == Field::Cell(links.next) {
                open.next
            } else if id == node && Some(field) == links.previous.map(Field::Cell) {
                open.previous
            } else if held == successor && mentions(Mention { is_owned, size, field }) {
                open.next
            } else {
                continue;
            };
            block.set_field(field, value);
        }
        blocks.push((id, Arc::new(block)));
    }
    // What is outside matters to numbers alone.
    let outer = match names.have_numbers(&blocks) {
        true => names.names_outside(state, &|id| {
            own == Own::BlocksAndNumbers && (id == node || owned.contains(&id))
        }),
        false => Vec::new(),
    };
    let condition = state.condition.iter().copied().collect();
    let fragment = Fragment { blocks, condition, links: Vec::new() };
    Arc::new(names.close(&fragment, &outer.into_iter().collect()))
}
