//! Folding and unfolding, whatever the predicate.

use std::fmt;

use heapwright_engine::Detail;
use heapwright_logic::TermId;
use rustc_hash::FxHashSet;

use crate::heap::block::{BlockId, BlockKind, Field};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::Possible;
use crate::summary::domain::Domain;
use crate::summary::predicate::{PREDICATES, Predicate, predicate_of};
use crate::summary::refusal::Refusal;
use crate::summary::row::cells::has_pointers;

/// Blocks that can become an instance of a predicate.
pub(crate) trait Candidate {
    /// How many blocks its nodes own: what is inside comes before what is around.
    fn owned(&self) -> usize;

    fn key(&self) -> Key;

    /// Makes them one block, if the prototypes of their nodes allow it.
    fn fold(&self, domain: &mut Domain<'_, '_>, state: &mut State) -> Result<(), Refusal>;
}

/// By what a candidate is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) blocks: [BlockId; 4],
    pub(crate) field: Option<Field>,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut blocks = self.blocks.to_vec();
        blocks.dedup();
        let names: Vec<String> = blocks.iter().map(ToString::to_string).collect();
        write!(f, "{}", names.join(" and "))
    }
}

/// Candidates that were tried in vain.
pub(crate) type Refused = FxHashSet<Key>;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resort {
    Usual,
    /// Where there is nothing else to fold.
    Last,
}

/// Every block is looked at for something to fold: so many of them are as much work as an edge.
const BLOCKS_FOR_A_UNIT: u64 = 4;

/// Folds all that can be folded; what owns least comes first.
pub(crate) fn fold(domain: &mut Domain<'_, '_>, state: &mut State) {
    for predicate in PREDICATES {
        predicate.observe(&mut domain.reasoner.names, domain.learnt, state);
    }
    domain.learnt.has_lists |=
        state.blocks.values().filter(|block| block.kind == BlockKind::Heap).nth(1).is_some();
    domain.learnt.has_pointers |=
        state.blocks.values().any(|block| has_pointers(&domain.reasoner.names, block));
    let mut refused = Refused::default();
    // Ends because each round removes a block, or something from what is tried.
    while let Some(candidate) = discover(domain, state, &mut refused) {
        refused.insert(candidate.key());
        match candidate.fold(domain, state) {
            Ok(()) => {
                domain.reasoner.services.statistics.foldings += 1;
                domain.reasoner.tell(Detail::Folded, |names| {
                    format!("{}, which gives\n{}", candidate.key(), names.describe(state))
                });
                refused.clear();
            }
            Err(refusal) => {
                let text = |_: &mut Names<'_>| format!("{}: {refusal}", candidate.key());
                domain.reasoner.tell(Detail::Refused, text);
            }
        }
    }
    let blocks = state.blocks.values().filter(|block| block.kind == BlockKind::Heap).count();
    domain.learnt.largest = domain.learnt.largest.max(blocks as u32);
}

fn discover(
    domain: &mut Domain<'_, '_>,
    state: &State,
    refused: &mut Refused,
) -> Option<Box<dyn Candidate>> {
    let units = state.blocks.len() as u64 / BLOCKS_FOR_A_UNIT;
    domain.reasoner.services.deadline.spend(units);
    let mut best: Option<Box<dyn Candidate>> = None;
    for resort in [Resort::Usual, Resort::Last] {
        for predicate in &PREDICATES {
            let least = best.as_ref().map(|best| best.owned());
            if least == Some(0) {
                break;
            }
            let mut found = predicate.discover(domain, state, refused, resort);
            // Ends because each round refuses a candidate.
            while let Some(reserved) =
                found.take_if(|found| is_reserved(domain, state, *predicate, found.as_ref()))
            {
                refused.insert(reserved.key());
                found = predicate.discover(domain, state, refused, resort);
            }
            if let Some(found) = found
                && least.is_none_or(|least| found.owned() < least)
            {
                best = Some(found);
            }
        }
        if best.is_some() {
            break;
        }
    }
    best
}

/// Whether a candidate of what is built in has blocks that may be nodes of a user's predicate.
fn is_reserved(
    domain: &Domain<'_, '_>,
    state: &State,
    predicate: &dyn Predicate,
    candidate: &dyn Candidate,
) -> bool {
    let definitions = &domain.reasoner.services.settings.predicates;
    let is_node = |id: &BlockId| {
        let block = state.block(*id);
        let size = domain.reasoner.names.constant(block.size);
        size.is_some_and(|size| definitions.have_nodes_of(size as u64))
            && !predicate.describes(block)
    };
    !definitions.is_empty()
        && !predicate.is_of_users()
        && candidate.key().blocks.iter().any(is_node)
}

/// Takes out the node that a block stands for.
pub(crate) fn unfold(reasoner: &mut Reasoner<'_>, state: State, block: BlockId) -> Vec<State> {
    reasoner.services.statistics.unfoldings += 1;
    let first = state.block(block).peer_of().unwrap_or(block);
    // Numbers may exclude some of the cases.
    let summary = state.block(first);
    let is_told =
        summary.segment().is_some_and(|one| one.length.is_some() || !one.spellings.is_empty())
            || summary.tree().is_some_and(|one| one.measures.is_some())
            || summary.instance().is_some_and(|one| one.definitions.have_laws());
    let mut cases = match predicate_of(state.block(first)) {
        Some(predicate) => predicate.unfold(&mut reasoner.names, state, block),
        None => vec![state],
    };
    if is_told {
        cases.retain_mut(|case| is_possible(reasoner, case));
    }
    cases
}

/// Whether the path condition can hold; the state gets a model of it.
fn is_possible(reasoner: &mut Reasoner<'_>, state: &mut State) -> bool {
    match reasoner.possible(state, TermId::TRUE) {
        Possible::No => false,
        Possible::Yes(model) => {
            state.model = Some(model);
            true
        }
        Possible::Perhaps => true,
    }
}
