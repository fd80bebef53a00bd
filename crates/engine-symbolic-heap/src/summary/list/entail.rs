//! Comparing: a known segment covers a new one, or a single node.

use std::sync::Arc;

use super::Mismatch;
use crate::heap::block::{BlockId, Prototype};
use crate::heap::language::PrototypeSet;
use crate::heap::names::Names;
use crate::heap::segment::Segment;
use crate::heap::state::State;
use crate::summary::domain::Domain;
use crate::summary::list::composite::compound_links;
use crate::summary::list::facts::FACTS;
use crate::summary::list::links::links_like;
use crate::summary::matched::{Chains, Match, Sides};
use crate::summary::matching::{match_ends, pair, referrers_beside};
use crate::summary::mismatch::Matched;
use crate::summary::prototypes::{Own, mentions, prototype_of};

/// Whether a segment covers the new side's segment or single node.
pub(crate) fn is_segment_covered(
    domain: &mut Domain<'_, '_>,
    sides: Sides<'_>,
    found: &mut Match,
    chains: Chains,
    depth: u32,
) -> bool {
    let segment = sides.0.block(chains.known).segment().expect("a segment");
    let new = sides.1.block(chains.new);
    if let Some(new) = new.segment() {
        // All are compared: names may be learnt from each.
        let prototypes = new.prototypes.iter();
        let readings: Vec<PrototypeSet> = prototypes
            .map(|prototype| prototypes_that_cover(domain, sides, found, segment, prototype, depth))
            .collect();
        let are_covered = readings.iter().all(|reading| !reading.is_empty());
        return are_covered
            && FACTS.iter().all(|fact| fact.entails(found, segment, Some(new), &readings));
    }
    if new.is_summary() {
        return false;
    }
    let readings =
        readings(&mut domain.reasoner.names, sides.1, found, &segment.prototypes, chains);
    let covering = readings.iter().find_map(|prototype| {
        let covering = prototypes_that_cover(domain, sides, found, segment, prototype, depth);
        (!covering.is_empty()).then_some(covering)
    });
    // A longer segment notes all the same whether it has other ends.
    covering.is_some_and(|covering| {
        FACTS.iter().rev().all(|fact| fact.entails(found, segment, None, &[covering]))
    })
}

/// The prototypes of a segment that cover a new one; one of them is enough if any may follow any.
pub(crate) fn prototypes_that_cover(
    domain: &mut Domain<'_, '_>,
    sides: Sides<'_>,
    found: &mut Match,
    segment: &Segment,
    new: &Prototype,
    depth: u32,
) -> PrototypeSet {
    if segment.sequence.is_none() {
        let is_covered = domain.is_covered(sides, found, &segment.prototypes, new, depth);
        return if is_covered {
            PrototypeSet::all(segment.prototypes.len())
        } else {
            PrototypeSet::default()
        };
    }
    let mut covering = PrototypeSet::default();
    for (index, known) in segment.prototypes.iter().enumerate() {
        let known = std::slice::from_ref(known);
        if domain.is_covered(sides, found, known, new, depth) {
            covering.insert(index);
        }
    }
    covering
}

/// The prototype of a single new node. What it has as its successor may stand in other cells too:
/// it is the successor where the known prototypes have theirs, or wherever it stands.
pub(crate) fn readings(
    names: &mut Names<'_>,
    new: &State,
    found: &mut Match,
    known: &[Arc<Prototype>],
    chains: Chains,
) -> Vec<Arc<Prototype>> {
    let id = chains.new;
    let (at, links) = chains.links.expect("a single node has links");
    let referrers = referrers_beside(names, new, found, id);
    let is_link = |block: BlockId, offset: u64| {
        (block == at && offset == links.next) || (block == id && Some(offset) == links.previous)
    };
    let owned = names.payload_beside(new, &referrers, id, &is_link);
    // There is one such node: its numbers are as good as the state's.
    let own = (&owned, Own::Blocks);
    let mentions = mentions(names, known);
    let mut prototypes =
        vec![prototype_of(names, new, (id, at), links, own, &|cell| mentions.contains(&cell))];
    if names.holds_address(new.block(at).cells[&links.next].value) {
        let wherever = prototype_of(names, new, (id, at), links, own, &|_| true);
        if wherever != prototypes[0] {
            prototypes.push(wherever);
        }
    }
    found.absorbed.extend(owned);
    prototypes
}

/// Matches a known segment with the new side's segment or single node.
pub(crate) fn match_segment(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (a, b): (BlockId, BlockId),
    found: &mut Match,
) -> Matched {
    let (x, y) = (Arc::clone(sides.0.block(a)), Arc::clone(sides.1.block(b)));
    let known = x.segment().expect("a segment");
    let (links, last) = match y.segment() {
        Some(new)
            if (known.head, known.back) != (new.head, new.back)
                || known.last.is_some() != new.last.is_some() =>
        {
            return Err(Mismatch::Links(a, b));
        }
        Some(new) => (None, new.last),
        None => {
            let links = compound_links(names, sides.1, found, known, b)
                .or_else(|| links_like(names, sides.1, found, known, b).map(|links| (b, links)));
            (Some(links.ok_or(Mismatch::Links(a, b))?), Some(b))
        }
    };
    if let (Some(known), Some(new)) = (known.last, last) {
        pair(sides, found, known, new)?;
    }
    found.segments.push(Chains { known: a, new: b, links });
    match_ends(names, sides, (a, &x, &y), links, found)
}
