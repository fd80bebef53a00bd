//! Folding: blocks that form an instance of a user's predicate become one.
//!
//! A single node stays as it is, and so does one that leads to the hole at once: a program is at work there. Of all that
//! can be folded, what has most blocks comes first, so that a part is not taken for an instance of another predicate.

use std::sync::Arc;

use imbl::OrdSet;

use crate::definition::Definitions;
use crate::heap::block::{BlockId, DefaultBytes, End, Field};
use crate::heap::contents::Contents;
use crate::heap::instance::{Hole, Instance};
use crate::heap::state::State;
use crate::summary::domain::Domain;
use crate::summary::fold::{Candidate, Key, Refused};
use crate::summary::refusal::Refusal;
use crate::summary::user::derivation::Derivation;
use crate::summary::user::derive::{Place, derive};
use crate::summary::user::unfold::tell_node;

/// Blocks that can become an instance.
struct UserCandidate {
    definitions: Arc<Definitions>,
    derivation: Derivation,
}

/// The largest instance that can be folded.
pub(crate) fn find_instance(
    domain: &mut Domain<'_, '_>,
    state: &State,
    refused: &Refused,
) -> Option<Box<dyn Candidate>> {
    let definitions = Arc::clone(&domain.reasoner.services.settings.predicates);
    if definitions.is_empty() {
        return None;
    }
    let reasoner = &mut *domain.reasoner;
    let referrers = reasoner.names.referrers(state);
    let place = Place { state, referrers: &referrers, definitions: &definitions };
    let mut best: Option<Derivation> = None;
    for &root in state.blocks.keys() {
        if refused.contains(&key_of_root(root)) {
            continue;
        }
        for predicate in 0..definitions.predicates.len() {
            for found in derive(&mut reasoner.names, place, root, predicate) {
                let is_large = match &found.hole {
                    Some(hole) => hole.depth >= 2,
                    None => found.blocks.len() >= 2,
                };
                let is_better = |best: &Derivation| found.blocks.len() > best.blocks.len();
                let is_better = best.as_ref().is_none_or(is_better);
                if is_large && is_better && found.is_lawful(reasoner, state) {
                    best = Some(found);
                }
            }
        }
    }
    best.map(|derivation| {
        let definitions = Arc::clone(&definitions);
        Box::new(UserCandidate { definitions, derivation }) as Box<dyn Candidate>
    })
}

/// Not that of a tree with the same root.
fn key_of_root(root: BlockId) -> Key {
    Key { blocks: [root; 4], field: Some(Field::End(End::Argument(0))) }
}

impl Candidate for UserCandidate {
    fn owned(&self) -> usize {
        0
    }

    fn key(&self) -> Key {
        key_of_root(self.derivation.root)
    }

    fn fold(&self, domain: &mut Domain<'_, '_>, state: &mut State) -> Result<(), Refusal> {
        fold_instance(state, &self.definitions, &self.derivation);
        let block = Arc::clone(state.block(self.derivation.root));
        let instance = block.instance().expect("it was folded");
        tell_node(&mut domain.reasoner.names, state, instance);
        Ok(())
    }
}

/// Makes blocks one instance.
pub(crate) fn fold_instance(
    state: &mut State,
    definitions: &Arc<Definitions>,
    derivation: &Derivation,
) {
    let Derivation { root, predicate, arguments, hole, blocks, .. } = derivation;
    let mut origins = OrdSet::new();
    for id in blocks {
        origins = origins.union(state.block(*id).origins());
    }
    let stand_in = hole.as_ref().filter(|hole| hole.names_above).map(|hole| {
        let mut block = state.block(hole.above).as_ref().clone();
        block.cells.clear();
        block.zero = None;
        block.contents = Contents::default();
        block.rest = DefaultBytes::Uninitialised;
        block.make_peer_of(*root);
        (hole.above, block)
    });
    let hole = hole.as_ref().map(|hole| Hole {
        predicate: hole.predicate,
        arguments: hole.arguments.clone(),
        value: hole.value,
        above: hole.names_above.then_some(hole.above),
    });
    let mut block = state.block(*root).as_ref().clone();
    block.cells.clear();
    block.zero = None;
    block.contents = Contents::default();
    block.rest = DefaultBytes::Uninitialised;
    let (definitions, arguments) = (Arc::clone(definitions), arguments.clone());
    let predicate = *predicate;
    block.role = Instance { definitions, predicate, arguments, hole, origins }.into();
    for id in blocks {
        state.blocks.remove(id);
    }
    state.blocks.insert(*root, Arc::new(block));
    if let Some((above, block)) = stand_in {
        state.blocks.insert(above, Arc::new(block));
    }
}
