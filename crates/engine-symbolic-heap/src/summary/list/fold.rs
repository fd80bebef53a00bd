//! Folding: neighbours in a chain that nothing else points to become one segment.
//!
//! The links are found in the heap, not in types: a pointer-sized cell of one heap block that points
//! into another block, of the same size or of one that comes again. What a node owns goes into its
//! prototype, so inner lists are folded before the list of their owners. Method: Dudka, Peringer, Vojnar,
//! SAS 2013, with prototypes in place of one shape for all.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId, End, Field, Prototype};
use crate::heap::contents::Contents;
use crate::heap::incoming::{Referrer, Referrers, is_held_by_variable};
use crate::heap::language::Places;
use crate::heap::names::Names;
use crate::heap::segment::{Ends, Segment};
use crate::heap::state::State;
use crate::learnt::Learnt;
use crate::summary::domain::Domain;
use crate::summary::fold::{Candidate, Key, Refused};
use crate::summary::keys::are_apart_by_keys;
use crate::summary::list::composite::{is_end_of_element, share_a_block};
use crate::summary::list::facts::FACTS;
use crate::summary::list::facts::order::forgets_comparison;
use crate::summary::list::links::{
    Links, PairLinks, back_links, comes_again, last_node, links_of_pair,
};
use crate::summary::list::sizes::{are_of_one_form, settle_size};
use crate::summary::payload::policy;
use crate::summary::prototypes::common_prototypes;
use crate::summary::refusal::Refusal;
use crate::summary::tree::learn::is_link_of_tree;

/// Two neighbours that can be one segment.
pub(crate) struct Pair {
    pub(crate) first: Side,
    pub(crate) second: Side,
    /// Where in a node the links point to.
    pub(crate) head: u64,
    /// Where in a node the links back point to.
    pub(crate) back: u64,
    /// Whether nodes know their predecessors.
    pub(crate) is_doubly_linked: bool,
    /// The first is a single node that a variable points to: a program is at work on it.
    pub(crate) is_cursor: bool,
}

impl Pair {
    /// How many blocks its nodes own.
    pub(crate) fn size(&self) -> usize {
        self.first.owned.len() + self.second.owned.len()
    }

    /// How many levels of lists are inside of its nodes.
    fn height(&self, state: &State) -> u32 {
        let nested = [&self.first, &self.second].into_iter().flat_map(|side| &side.owned);
        nested.map(|&id| state.block(id).height()).max().unwrap_or(0)
    }
}

/// How deep lists may be nested in lists. What is nested deeper is a recursive structure that is no list, of which each
/// round would make one that is deeper by a level, and comparing nodes takes ever longer.
const MOST_NESTED: u32 = 6;

/// One of two neighbours.
#[derive(Clone)]
pub(crate) struct Side {
    pub(crate) block: BlockId,
    /// The block that has the link to the next: itself, or one that it owns.
    pub(crate) at: BlockId,
    /// Of a single node; the nodes of a segment have theirs in their prototypes.
    pub(crate) links: Option<Links>,
    pub(crate) owned: BTreeSet<BlockId>,
}

impl Side {
    /// Where its last node, or it itself, has the link to the next.
    pub(crate) fn next(&self) -> Field {
        self.links.map_or(Field::End(End::Next), |links| Field::Cell(links.next))
    }

    /// The link to the next.
    pub(crate) fn link(&self, state: &State) -> TermId {
        state.block(self.at).field(self.next()).expect("a node has a link")
    }
}

impl Candidate for Pair {
    fn owned(&self) -> usize {
        self.size()
    }

    fn key(&self) -> Key {
        if self.has_compound() {
            return Key { blocks: self.key_of_elements(), field: None };
        }
        key_of_pair((self.first.block, self.second.block), self.first.next())
    }

    fn fold(&self, domain: &mut Domain<'_, '_>, state: &mut State) -> Result<(), Refusal> {
        fold_pair(domain, state, self)
    }
}

fn key_of_pair((first, second): (BlockId, BlockId), next: Field) -> Key {
    Key { blocks: [first, second, first, second], field: Some(next) }
}

/// Makes two neighbours one segment, if their prototypes allow it.
fn fold_pair(domain: &mut Domain<'_, '_>, state: &mut State, pair: &Pair) -> Result<(), Refusal> {
    if forgets_comparison(domain, state, pair) {
        return Err(Refusal::ComparedCursor(pair.first.block));
    }
    let ends = (pair.first.block, pair.second.block);
    if are_apart_by_keys(domain, state, ends) {
        return Err(Refusal::OtherKeys(pair.first.block, pair.second.block));
    }
    let refusal = Refusal::OtherPrototypes(pair.first.block, pair.second.block);
    if pair.height(state) > MOST_NESTED {
        return Err(Refusal::NestedTooDeep(pair.first.block, pair.second.block));
    }
    let common = common_prototypes(domain, state, pair).ok_or(refusal)?;
    merge(domain, state, pair, common);
    Ok(())
}

/// The pair that owns least: what is inside comes before what is around.
pub(crate) fn find_pair(
    domain: &mut Domain<'_, '_>,
    state: &State,
    refused: &Refused,
) -> Option<Pair> {
    let referrers = domain.reasoner.names.referrers(state);
    let mut best: Option<Pair> = None;
    for (&first, block) in &state.blocks {
        if !state.is_node(first) {
            continue;
        }
        for (field, value) in block.fields() {
            let is_onward = match field {
                Field::Cell(_) | Field::End(End::Next) => true,
                Field::End(
                    End::Previous
                    | End::Leaf
                    | End::First
                    | End::Last
                    | End::BeforeHole
                    | End::BehindHole
                    | End::Root(_)
                    | End::AboveHole(_)
                    | End::Length
                    | End::Height
                    | End::Argument(_)
                    | End::HoleArgument(_)
                    | End::Array
                    | End::From
                    | End::To,
                ) => false,
            };
            if domain.reasoner.names.terms.width(value) != domain.reasoner.names.pointer_bits()
                || !is_onward
            {
                continue;
            }
            let Some((second, head)) = domain.reasoner.names.pointer(value) else { continue };
            let Some(head) = domain.reasoner.names.constant(head) else { continue };
            if refused.contains(&key_of_pair((first, second), field)) {
                continue;
            }
            let ends = (first, second);
            let Ok(pair) = pair_up(domain, state, &referrers, ends, (field, head as u64)) else {
                continue;
            };
            if pair.size() == 0 {
                return Some(pair);
            }
            if best.as_ref().is_none_or(|best| pair.size() < best.size()) {
                best = Some(pair);
            }
        }
    }
    best
}

/// Two neighbours as one segment, if they can be: the first has, at `next`, a link to offset
/// `head` of the second.
fn pair_up(
    domain: &mut Domain<'_, '_>,
    state: &State,
    referrers: &Referrers,
    (first, second): (BlockId, BlockId),
    (next, head): (Field, u64),
) -> Result<Pair, Refusal> {
    if first == second || !state.blocks.contains_key(&second) || !state.is_node(second) {
        return Err(Refusal::NoNode(second));
    }
    let (a, b) = (state.block(first), state.block(second));
    if is_link_of_tree(&domain.reasoner.names, domain.learnt, (a, b), next) {
        return Err(Refusal::LinkOfTree);
    }
    if !are_of_one_form(&mut domain.reasoner.names, state, (first, second), next) {
        return Err(Refusal::OtherForm(first, second));
    }
    let links =
        links_of_pair(&mut domain.reasoner.names, state, referrers, (first, second), (next, head));
    let PairLinks { first: links, second: links_of_second, back } =
        links.ok_or(Refusal::NoLinks(first, second))?;
    let is_doubly_linked = match b.segment() {
        Some(segment) => segment.last.is_some(),
        None => links_of_second.is_some_and(|links| links.previous.is_some()),
    };
    let agrees = |block: &Block| match block.segment() {
        Some(segment) => {
            (segment.head, segment.back) == (head, back)
                && segment.last.is_some() == is_doubly_linked
        }
        None => !block.is_summary(),
    };
    if !agrees(a) || !agrees(b) {
        return Err(Refusal::NoLinks(first, second));
    }
    if !are_of_one_list(&mut domain.reasoner.names, domain.learnt, state, (first, second), next)
        || has_number_for_link(&mut domain.reasoner.names, (a, b), links)
    {
        return Err(Refusal::OtherOrigin(first, second));
    }
    let owned_by_first = owned(&mut domain.reasoner.names, state, referrers, first, links);
    let owned_by_second =
        owned(&mut domain.reasoner.names, state, referrers, second, links_of_second);
    let strangers = [first, second, last_node(a, first)];
    if strangers.iter().any(|id| owned_by_first.contains(id) || owned_by_second.contains(id)) {
        return Err(Refusal::OwnsNeighbour(first, second));
    }
    let is_cursor = is_held_by_variable(state, referrers, first)
        && (a.is_single() || policy(domain.precision).has_elements());
    let first = Side { block: first, at: first, links, owned: owned_by_first };
    let second = Side { block: second, at: second, links: links_of_second, owned: owned_by_second };
    let pair = Pair { first, second, head, back, is_doubly_linked, is_cursor };
    is_free(&mut domain.reasoner.names, state, referrers, &pair)?;
    let ends = (pair.first.block, pair.second.block);
    if is_end_of_element(&domain.reasoner.names, domain.precision, state, referrers, ends.0)
        || share_a_block(&mut domain.reasoner.names, domain.precision, state, referrers, ends, next)
    {
        return Err(Refusal::PartOfElement(ends.0));
    }
    Ok(pair)
}

/// Whether nothing but the links of the first holds the second block, what it owns, and the link
/// back of what follows it.
fn is_free(
    names: &mut Names<'_>,
    state: &State,
    referrers: &Referrers,
    pair: &Pair,
) -> Result<(), Refusal> {
    let (Side { block: first, .. }, Side { block: second, .. }) = (&pair.first, &pair.second);
    let (first, second) = (*first, *second);
    let (a, b) = (state.block(first), state.block(second));
    let last = last_node(a, first);
    let is_single = last_node(b, second) == second;
    let back = match pair.second.links {
        Some(links) => back_links(names, state, second, links),
        None => 0,
    };
    let keeps_name = pair.is_doubly_linked && is_single;
    let (next, links) = (pair.first.next(), pair.first.links);
    let value = a.field(next);
    let is_link = |holder: &Referrer| match *holder {
        Referrer::Block(id, Some(field)) if id == first => {
            field == next
                || links.is_some_and(|links| {
                    Some(field) != links.previous.map(Field::Cell) && a.field(field) == value
                })
        }
        Referrer::Block(id, Some(field)) => {
            pair.first.owned.contains(&id) && state.block(id).field(field) == value
        }
        Referrer::Root | Referrer::Block(_, None) => false,
    };
    let holders_of_second = referrers.get(&second).into_iter().flatten();
    let others = holders_of_second.filter(|holder| match holder {
        Referrer::Root => true,
        // Its own link to itself, or one of many nodes: it must not outlive its name.
        Referrer::Block(id, field) if *id == second => {
            !b.is_single()
                || field.is_none_or(|field| {
                    let is_link = pair.second.links.is_some_and(|links| links.is_at(field));
                    !keeps_name && is_link
                })
        }
        Referrer::Block(id, _) => !pair.second.owned.contains(id) && !is_link(holder),
    });
    if others.count() != back {
        return Err(Refusal::HeldFromOutside(second));
    }
    // And nothing but the link back what is last now, unless it is also the first.
    if pair.is_doubly_linked && last != first && referrers.get(&last).map(Vec::len) != Some(1) {
        return Err(Refusal::HeldFromOutside(last));
    }
    Ok(())
}

/// Nodes of one list are made at the same place, or at places that come again along the list, whoever calls for them.
/// A node and the block that it owns may look the same, but are made at two places.
fn are_of_one_list(
    names: &mut Names<'_>,
    learnt: &Learnt,
    state: &State,
    (first, second): (BlockId, BlockId),
    next: Field,
) -> bool {
    let (a, b) = (state.block(first), state.block(second));
    if !a.is_single() || !b.is_single() || a.origin == b.origin {
        return true;
    }
    if learnt.lists.know((a, b), next) {
        return true;
    }
    let origins = [a.origin, b.origin];
    comes_again(names, state, (first, second), next, &|names, block| {
        origins.into_iter().any(|origin| names.are_made_alike(origin, block.origin))
    })
}

/// Whether the first is made elsewhere and has a number that varies where nodes have a link back: it is an owner that
/// counts its nodes, each of which knows it.
fn has_number_for_link(
    names: &mut Names<'_>,
    (a, b): (&Block, &Block),
    links: Option<Links>,
) -> bool {
    let Some(previous) = links.and_then(|links| links.previous) else { return false };
    let Some(value) = a.field(Field::Cell(previous)) else { return false };
    let is_elsewhere = a.is_single() && b.is_single() && a.origin != b.origin;
    is_elsewhere && names.pointer(value).is_none() && names.constant(value).is_none()
}

/// What a single node owns; the nodes of a segment own theirs in their prototypes.
fn owned(
    names: &mut Names<'_>,
    state: &State,
    referrers: &Referrers,
    node: BlockId,
    links: Option<Links>,
) -> BTreeSet<BlockId> {
    match links {
        Some(links) => names.payload(state, referrers, node, &|offset| links.has(offset)),
        None => BTreeSet::new(),
    }
}

fn merge(
    domain: &mut Domain<'_, '_>,
    state: &mut State,
    pair: &Pair,
    (prototypes, places): (Vec<Arc<Prototype>>, Places),
) {
    let (first, second) = (pair.first.block, pair.second.block);
    let a = Arc::clone(state.block(first));
    let b = Arc::clone(state.block(second));
    if let Some(links) = pair.first.links {
        domain.learnt.lists.learn((&a, &b), links.next);
    }
    let mut chain = a.as_ref().clone();
    let previous = match pair.first.links {
        _ if !pair.is_doubly_linked => None,
        Some(links) => {
            let back = links.previous.expect("a doubly linked node has a link back");
            a.field(Field::Cell(back))
        }
        None => a.end(End::Previous),
    };
    let ends = Ends { next: pair.second.link(state), previous };
    let new_last = last_node(&b, second);
    let old_last = last_node(&a, first);
    let last = pair.is_doubly_linked.then_some(new_last);
    let origins = a.origins().union(b.origins());
    let head = pair.head;
    let mut segment = Segment::new(ends, last, head, prototypes, origins);
    segment.back = pair.back;
    for fact in FACTS {
        fact.concatenate(domain, state, (pair, &places), &mut segment);
    }
    for fact in FACTS {
        fact.tell_folded(domain, state, &segment);
    }
    chain.cells.clear();
    chain.zero = None;
    chain.contents = Contents::default();
    chain.role = segment.into();
    let mut stand_in = b.as_ref().clone();
    state.blocks.remove(&second);
    if old_last != first {
        state.blocks.remove(&old_last);
    }
    for id in pair.first.owned.iter().chain(&pair.second.owned) {
        state.blocks.remove(id);
    }
    if pair.is_doubly_linked {
        stand_in.make_peer_of(first);
        stand_in.cells.clear();
        stand_in.zero = None;
        stand_in.contents = Contents::default();
        state.blocks.insert(new_last, Arc::new(stand_in));
    }
    state.blocks.insert(first, Arc::new(chain));
    settle_size(&mut domain.reasoner.names, state, first);
}
