//! Places of which claims are assumed at a loop's head: witnesses, and what is read there.
//!
//! A claim about one block is assumed of each place that is read. A claim about two is assumed of pairs:
//! of the new place with itself, with the witnesses, and with the places before it.

use heapwright_logic::{Sort, TermId};

use crate::claims::{Claim, Leaf, Spot};
use crate::cut::Binding;
use crate::value::{BLOCK_BITS, Pointer};
use crate::walk::Checker;

/// More blocks of an object are not paired at one cut.
const MOST_PAIRED: usize = 10;

impl Checker<'_> {
    /// Assumes the claims of all places that were read at the heads of loops.
    pub(crate) fn assume_instances(&mut self) {
        // Ends because each place is looked at once, and claims only read at places that they are
        // given.
        while let Some((cut, at)) = self.wanted.pop() {
            let Some(head) = self.cuts[cut].head.clone() else { continue };
            let changes = &self.cuts[cut].changes;
            let mut objects: Vec<usize> = changes.bytes.keys().copied().collect();
            if self.tells_blocks_apart() {
                objects.extend(changes.ends.iter().filter(|it| !changes.bytes.contains_key(it)));
            }
            for object in objects {
                let is_of = self.is_of(at.block, object);
                if is_of == TermId::FALSE || !self.cuts[cut].assumed.insert((object, at)) {
                    continue;
                }
                self.assume(cut, &head, Some((object, at)));
                let paired = self.cuts[cut].paired.entry(object).or_default();
                if paired.len() < MOST_PAIRED && !paired.contains(&at.block) {
                    paired.push(at.block);
                }
            }
        }
    }

    /// Whether some claim says which block it is about.
    pub(crate) fn tells_blocks_apart(&self) -> bool {
        let claims = self.question.certificate.frames.iter().flat_map(|frame| &frame.claims);
        let mut leaves = claims.flat_map(|claim| &claim.leaves);
        leaves.any(|(_, leaf)| matches!(leaf, Leaf::Witness(_)))
    }

    pub(crate) fn witnesses_of(&mut self, claim: &Claim) -> Binding {
        let mut binding = Binding::new();
        for &spot in &claim.about {
            let witness = self.witness(spot);
            binding.insert(spot, witness);
        }
        binding
    }

    fn witness(&mut self, spot: Spot) -> Pointer {
        if let Some(&known) = self.witnesses.get(&spot) {
            return known;
        }
        let block = self.fresh("witness", Sort::BitVector(BLOCK_BITS));
        let offset = self.fresh("element", Sort::BitVector(self.width));
        let witness = Pointer { block, offset };
        self.witnesses.insert(spot, witness);
        witness
    }

    /// What a claim is assumed for before anything was read.
    pub(crate) fn first_bindings(&mut self, claim: &Claim) -> Vec<Binding> {
        let witnesses = self.witnesses_of(claim);
        let mut bindings = vec![witnesses.clone()];
        let mut swapped = witnesses.clone();
        for (&spot, &place) in &witnesses {
            let other = Spot { is_second: !spot.is_second, ..spot };
            if witnesses.contains_key(&other) {
                swapped.insert(other, place);
            }
        }
        if swapped != witnesses {
            bindings.push(swapped);
        }
        bindings
    }

    /// What a claim is assumed for once a place of an object was read at a cut.
    pub(crate) fn bindings_at(
        &mut self,
        cut: usize,
        claim: &Claim,
        (object, place): (usize, Pointer),
    ) -> Vec<Binding> {
        let witnesses = self.witnesses_of(claim);
        let spots: Vec<Spot> =
            claim.about.iter().filter(|it| it.object == object).copied().collect();
        if witnesses.len() == 1 {
            let bound = spots.iter().map(|&spot| Binding::from([(spot, place)]));
            return bound.collect();
        }
        let paired = &self.cuts[cut].paired;
        if paired.get(&object).is_some_and(|blocks| blocks.contains(&place.block)) {
            return Vec::new();
        }
        let mut bindings = Vec::new();
        for &spot in &spots {
            for (&other, &witness) in witnesses.iter().filter(|(other, _)| **other != spot) {
                let mut partners = vec![witness];
                if other.object == object {
                    partners.extend([place, witnesses[&spot]]);
                }
                let blocks = paired.get(&other.object).into_iter().flatten();
                partners.extend(blocks.map(|&block| Pointer { block, ..witness }));
                for partner in partners {
                    let mut binding = witnesses.clone();
                    binding.insert(spot, place);
                    binding.insert(other, partner);
                    bindings.push(binding);
                }
            }
        }
        bindings
    }
}
