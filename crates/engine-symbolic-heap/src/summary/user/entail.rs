//! Comparing: a known instance covers a new one of the same predicate, or blocks from which one can be derived.

use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::{BlockId, End};
use crate::heap::instance::Instance;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::summary::domain::Domain;
use crate::summary::matched::{Chains, Match, Sides};
use crate::summary::matching::{match_values, pair, referrers_beside};
use crate::summary::mismatch::{Matched, Mismatch, Position};
use crate::summary::user::derivation::Derivation;
use crate::summary::user::derive::{Place, argument, derive, hole_argument};

/// Matches a known instance with an instance; blocks that may form one are looked at later.
pub(crate) fn match_instance(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (a, b): (BlockId, BlockId),
    found: &mut Match,
) -> Matched {
    let (x, y) = (Arc::clone(sides.0.block(a)), Arc::clone(sides.1.block(b)));
    let known = x.instance().expect("an instance");
    found.segments.push(Chains { known: a, new: b, links: None });
    let Some(new) = y.instance().filter(|new| known.is_like(new)) else { return Ok(()) };
    let arguments = known.arguments.iter().zip(&new.arguments);
    for (index, (&x, &y)) in arguments.enumerate() {
        match_argument(names, sides, (a, argument(index)), (x, y), found)?;
    }
    if let (Some(known), Some(new)) = (&known.hole, &new.hole) {
        let above = (known.above, new.above);
        let new = (new.value, new.arguments.as_slice());
        match_hole(names, sides, (a, known), new, found)?;
        match above {
            (Some(known), Some(new)) => pair(sides, found, known, new)?,
            (None, None) => {}
            (Some(_), None) | (None, Some(_)) => return Err(Mismatch::Links(a, b)),
        }
    }
    Ok(())
}

/// Whether a known instance covers what was matched with it.
pub(crate) fn is_instance_covered(
    domain: &mut Domain<'_, '_>,
    sides: Sides<'_>,
    found: &mut Match,
    chains: Chains,
) -> Result<bool, Mismatch> {
    let (a, b) = (chains.known, chains.new);
    let x = Arc::clone(sides.0.block(a));
    let known = x.instance().expect("an instance");
    if sides.1.block(b).instance().is_some_and(|new| known.is_like(new)) {
        return Ok(true);
    }
    let reasoner = &mut *domain.reasoner;
    let derivations = derive_new(&mut reasoner.names, sides.1, found, known, b);
    let mut is_lawful = |found: &Derivation| found.is_lawful(reasoner, sides.1);
    let derivation =
        derivations.into_iter().find(|found| is_lawful(found)).ok_or(Mismatch::Roles(a, b))?;
    let names = &mut domain.reasoner.names;
    for (index, (&x, &y)) in known.arguments.iter().zip(&derivation.arguments).enumerate() {
        match_argument(names, sides, (a, argument(index)), (x, y), found)?;
    }
    found.absorbed.extend(derivation.blocks.iter().copied().filter(|&id| id != b));
    match (&known.hole, &derivation.hole) {
        (None, None) => {}
        (Some(known), Some(hole)) if known.predicate == hole.predicate => {
            let new = (hole.value, hole.arguments.as_slice());
            match_hole(names, sides, (a, known), new, found)?;
            if let Some(above) = known.above {
                pair(sides, found, above, hole.above)?;
            }
        }
        (_, _) => return Err(Mismatch::Links(a, b)),
    }
    Ok(true)
}

/// The blocks of the new side from which an instance of the known one's predicate can be derived. What is matched for
/// itself is no part of them.
fn derive_new(
    names: &mut Names<'_>,
    new: &State,
    found: &Match,
    known: &Instance,
    b: BlockId,
) -> Vec<Derivation> {
    let referrers = referrers_beside(names, new, found, b);
    let definitions = &known.definitions;
    derive(names, Place { state: new, referrers: &referrers, definitions }, b, known.predicate)
}

fn match_hole(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (a, known): (BlockId, &crate::heap::instance::Hole),
    (value, arguments): (TermId, &[TermId]),
    found: &mut Match,
) -> Matched {
    match_argument(names, sides, (a, End::Next), (known.value, value), found)?;
    for (index, (&x, &y)) in known.arguments.iter().zip(arguments).enumerate() {
        match_argument(names, sides, (a, hole_argument(index)), (x, y), found)?;
    }
    Ok(())
}

fn match_argument(
    names: &mut Names<'_>,
    sides: Sides<'_>,
    (block, end): (BlockId, End),
    values: (TermId, TermId),
    found: &mut Match,
) -> Matched {
    match_values(names, sides, Position::End { block, end }, values, found)
}

/// Lets an instance of the general state cover the new side's as well: what its arguments are is joined elsewhere.
pub(crate) fn join_instance(sides: Sides<'_>, chains: Chains, general: &mut State) -> Option<()> {
    let mut instance = general.block(chains.known).instance()?.clone();
    instance.origins = instance.origins.union(sides.1.block(chains.new).origins());
    general.block_mut(chains.known).role = instance.into();
    Some(())
}
