//! Which prototypes may follow which along a segment. The languages themselves: [`crate::heap::language`].

use std::sync::Arc;

use crate::heap::block::Prototype;
use crate::heap::language::{KindSet, Places, Sequence, settled};
use crate::heap::names::Names;
use crate::heap::segment::Segment;
use crate::heap::state::State;
use crate::summary::domain::Domain;
use crate::summary::list::facts::{ChainFact, Joining};
use crate::summary::list::fold::Pair;
use crate::summary::matched::Match;
use crate::summary::payload::{differ_in_a_mark, policy};

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
        let likes = likes(&domain.reasoner.names, &segment.kinds);
        segment.sequence = settled(a.then(b).blurred(&likes), segment.kinds.len());
    }

    fn entails(
        &self,
        found: &mut Match,
        known: &Segment,
        new: Option<&Segment>,
        readings: &[KindSet],
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
        Joining { before, new, places }: Joining<'_>,
        segment: &mut Segment,
    ) -> Option<()> {
        segment.sequence = None;
        if !policy(domain.precision).keeps_order() {
            return Some(());
        }
        let likes = likes(&domain.reasoner.names, &segment.kinds);
        let (words, others) = places.renamed(before.words(), new.words());
        let (words, others) = (words.blurred(&likes), others.blurred(&likes));
        // How a segment begins and ends may be told by a number: then it is not mixed.
        let is_tied = !found.differing.is_empty() || !words.has_comparable_ends(&others);
        if is_tied && !words.has_ends_of(&others) {
            return None;
        }
        segment.sequence = settled(words.or(others), segment.kinds.len());
        Some(())
    }
}

/// Which kinds are like each kind, so that a sequence does not tell them apart. Where nodes own
/// more than a block only marks count: what one owns seldom depends on what the one before owns.
fn likes(names: &Names<'_>, kinds: &[Arc<Prototype>]) -> Vec<KindSet> {
    let only_marks_count = kinds.iter().any(|kind| kind.height > 0 || kind.blocks.len() > 2);
    let is_like = |one: &Arc<Prototype>, other: &Arc<Prototype>| {
        Arc::ptr_eq(one, other) || (only_marks_count && !differ_in_a_mark(names, one, other))
    };
    let like = |one| {
        let others = kinds.iter().enumerate().filter(|(_, other)| is_like(one, other));
        others.map(|(index, _)| index).collect()
    };
    kinds.iter().map(like).collect()
}
