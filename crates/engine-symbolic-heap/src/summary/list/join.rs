//! Joining: a segment that describes another one, or a single node, as well.

use crate::heap::language::Places;
use crate::heap::role::Summary;
use crate::heap::state::State;
use crate::summary::domain::Domain;
use crate::summary::list::entail::readings;
use crate::summary::list::facts::{FACTS, Joining};
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
    let before = segment.clone();
    let mut places = Places::of(segment.prototypes.len());
    if let Some(new) = new.segment() {
        for prototype in &new.prototypes {
            places.add(domain.add_prototype(
                sides,
                found,
                &mut segment.prototypes,
                prototype,
                manner,
            )?);
        }
    } else {
        // Where the successor stands in other cells as well, it stands there as the successor.
        let mut scratch = found.clone();
        let names = &mut domain.reasoner.names;
        let readings = readings(names, sides.1, &mut scratch, &segment.prototypes, chains);
        let mut readings = readings.iter().rev();
        let added = readings.find_map(|prototype| {
            domain.add_prototype(sides, found, &mut segment.prototypes, prototype, manner)
        });
        places.add(added?);
    }
    for fact in FACTS {
        let known = sides.0.block(chains.known).segment().expect("a segment");
        let joining = Joining { known, before: &before, new, places: &places };
        fact.join(domain, found, joining, &mut segment)?;
    }
    // Only one that ends in null can be empty.
    let is_at_null = domain.reasoner.names.constant(segment.ends.next) == Some(0);
    if segment.may_be_empty() && (!is_at_null || !segment.is_well_formed()) {
        return None;
    }
    general.block_mut(chains.known).role = segment.into();
    settle_size(&mut domain.reasoner.names, general, chains.known);
    Some(())
}
