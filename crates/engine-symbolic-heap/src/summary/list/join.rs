//! Joining: a segment that describes another one, or a single node, as well.

use crate::heap::language::{Places, settled};
use crate::heap::segment::Sorted;
use crate::heap::state::State;
use crate::precision::Marks;
use crate::summary::domain::Domain;
use crate::summary::list::entail::readings;
use crate::summary::list::facts::language::likes;
use crate::summary::list::sizes::settle_size;
use crate::summary::matched::{Chains, Manner, Match, Sides};
/// Lets a segment of the general state cover the new side's segment or single node as well.
pub(crate) fn join_segment(
    domain: &mut Domain<'_, '_>,
    (sides, found): (Sides<'_>, &Match),
    chains: Chains,
    manner: Manner,
    general: &mut State,
) -> Option<()> {
    // Not that of the known state: what its ends hold may be general already.
    let mut segment = general.block(chains.known).segment().expect("a segment").clone();
    let new = sides.1.block(chains.new);
    segment.origins = segment.origins.union(new.origins());
    let words = segment.words();
    let mut places = Places::of(segment.kinds.len());
    if let Some(new) = new.segment() {
        let order = |sorted: Option<Sorted>| sorted.map(|sorted| sorted.order);
        if order(segment.order) != order(new.order) {
            segment.order = None;
        }
        segment.minimum = segment.minimum.min(new.minimum);
        for kind in &new.kinds {
            places.add(domain.add_prototype(sides, found, &mut segment.kinds, kind, manner)?);
        }
    } else {
        segment.minimum = segment.minimum.min(1);
        // Where the successor stands in other cells as well, it stands there as the successor.
        let mut scratch = found.clone();
        let names = &mut domain.reasoner.names;
        let readings = readings(names, sides.1, &mut scratch, &segment.kinds, chains);
        let mut readings = readings.iter().rev();
        let added = readings
            .find_map(|kind| domain.add_prototype(sides, found, &mut segment.kinds, kind, manner));
        places.add(added?);
    }
    segment.sequence = None;
    if domain.precision.marks == Marks::Sequences {
        let likes = likes(&domain.reasoner.names, &segment.kinds);
        let (words, others) = places.renamed(words, new.words());
        let (words, others) = (words.blurred(&likes), others.blurred(&likes));
        // How a segment begins and ends may be told by a number: then it is not mixed.
        let is_tied = !found.differing.is_empty() || !words.has_comparable_ends(&others);
        if is_tied && !words.has_ends_of(&others) {
            return None;
        }
        segment.sequence = settled(words.or(others), segment.kinds.len());
    }
    general.block_mut(chains.known).role = segment.into();
    settle_size(&mut domain.reasoner.names, general, chains.known);
    Some(())
}
