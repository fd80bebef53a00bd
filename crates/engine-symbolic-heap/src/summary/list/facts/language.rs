//! Which prototypes may follow which along a segment. The languages themselves: [`crate::heap::language`].

use std::sync::Arc;

use crate::heap::block::Prototype;
use crate::heap::language::{Places, PrototypeSet, Sequence, settled};
use crate::heap::names::Names;
use crate::heap::segment::Segment;
use crate::heap::state::State;
use crate::summary::domain::Domain;
use crate::summary::list::facts::{ChainFact, Joining};
use crate::summary::list::fold::Pair;
use crate::summary::matched::Match;
use crate::summary::payload::{differ_in_a_constant, policy};

#[derive(Debug)]
pub(crate) struct Language;

impl ChainFact for Language {
    fn concatenate(
        &self,
        domain: &mut Domain<'_, '_>,
        state: &State,
        (pair, places): (&Pair, &Places),
        segment: &mut Segment,
    ) {
        if !policy(domain.precision).keeps_order() {
            return;
        }
        let (a, b) = (state.block(pair.first.block), state.block(pair.second.block));
        let (a, b) = places.renamed(a.words(), b.words());
        let likes = likes(&domain.reasoner.names, &segment.prototypes);
        segment.sequence = settled(a.then(b).blurred(&likes), segment.prototypes.len());
    }

    fn entails(
        &self,
        found: &mut Match,
        known: &Segment,
        new: Option<&Segment>,
        readings: &[PrototypeSet],
    ) -> bool {
        let Some(known) = &known.sequence else { return true };
        let new = new.map_or_else(|| Sequence::single(0), Segment::words);
        found.has_wider_ends |= known.has_more_ends(&new, readings);
        known.simulates(&new, readings)
    }

    fn join(
        &self,
        domain: &mut Domain<'_, '_>,
        found: &Match,
        Joining { before, new, places, .. }: Joining<'_>,
        segment: &mut Segment,
    ) -> Option<()> {
        segment.sequence = None;
        if !policy(domain.precision).keeps_order() {
            return Some(());
        }
        let likes = likes(&domain.reasoner.names, &segment.prototypes);
        let (words, others) = places.renamed(before.words(), new.words());
        let (words, others) = (words.blurred(&likes), others.blurred(&likes));
        // How a segment begins and ends may be told by a number: then it is not mixed.
        let is_tied = !found.differing.is_empty() || !words.has_comparable_ends(&others);
        if is_tied && !words.has_ends_of(&others) {
            return None;
        }
        segment.sequence = settled(words.or(others), segment.prototypes.len());
        Some(())
    }
}

/// Which prototypes are like each prototype, so that a sequence does not tell them apart. Where nodes own
/// more than a block only payload constants count: what one owns seldom depends on what the one before owns.
fn likes(names: &Names<'_>, prototypes: &[Arc<Prototype>]) -> Vec<PrototypeSet> {
    let only_marks_count =
        prototypes.iter().any(|prototype| prototype.height > 0 || prototype.blocks.len() > 2);
    let is_like = |one: &Arc<Prototype>, other: &Arc<Prototype>| {
        Arc::ptr_eq(one, other) || (only_marks_count && !differ_in_a_constant(names, one, other))
    };
    let like = |one| {
        let others = prototypes.iter().enumerate().filter(|(_, other)| is_like(one, other));
        others.map(|(index, _)| index).collect()
    };
    prototypes.iter().map(like).collect()
}
