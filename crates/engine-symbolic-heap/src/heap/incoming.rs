//! Who holds the address of whom, and which blocks only one node reaches.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId, BlockKind, Field};
use crate::heap::names::Names;
use crate::heap::state::State;

/// Where an address is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Referrer {
    /// In a variable, or in the path condition.
    Root,
    /// In a field of a block, or in the prototypes of its nodes.
    Block(BlockId, Option<Field>),
}

/// The holders of each block, once for each time that they hold it.
pub(crate) type Referrers = BTreeMap<BlockId, Vec<Referrer>>;

impl Names<'_> {
    /// All holders of all blocks.
    pub(crate) fn referrers(&mut self, state: &State) -> Referrers {
        let mut referrers = Referrers::new();
        let mut note = |names: &Self, holder: Referrer, value: TermId| {
            for block in names.may_refer_to(&[value]) {
                if state.blocks.contains_key(&block) {
                    referrers.entry(block).or_default().push(holder);
                }
            }
        };
        for value in state.held_by_variables() {
            note(self, Referrer::Root, value);
        }
        for (&id, block) in &state.blocks {
            for (field, value) in block.fields() {
                note(self, Referrer::Block(id, Some(field)), value);
            }
            for prototype in block.prototypes() {
                for name in self.outer_names(prototype) {
                    note(self, Referrer::Block(id, None), name);
                }
            }
        }
        for &conjunct in &state.condition {
            note(self, Referrer::Root, conjunct);
        }
        referrers
    }

    /// The heap blocks that are reached from a node, but not by its links, and that nothing else
    /// holds; freed ones too, since a node may still point to what it owned.
    pub(crate) fn payload(
        &mut self,
        state: &State,
        referrers: &Referrers,
        node: BlockId,
        is_link: &dyn Fn(u64) -> bool,
    ) -> BTreeSet<BlockId> {
        self.payload_beside(state, referrers, node, &|id, offset| id == node && is_link(offset))
    }

    /// The same, where the links may be in any block.
    pub(crate) fn payload_beside(
        &mut self,
        state: &State,
        referrers: &Referrers,
        node: BlockId,
        is_link: &dyn Fn(BlockId, u64) -> bool,
    ) -> BTreeSet<BlockId> {
        let mut reached: BTreeSet<BlockId> = BTreeSet::new();
        let mut work = vec![node];
        while let Some(id) = work.pop() {
            let block = state.block(id);
            let is_link = |field: Field| match field {
                Field::Cell(offset) => is_link(id, offset),
                Field::End(_) => false,
            };
            let mut values: Vec<TermId> = block
                .fields()
                .filter(|(field, _)| !is_link(*field))
                .map(|(_, value)| value)
                .collect();
            for prototype in block.prototypes() {
                values.extend(self.outer_names(prototype));
            }
            let mut met = self.may_refer_to(&values);
            met.extend(block.partner().filter(|_| id != node));
            for target in met {
                let is_candidate = target != node
                    && state.blocks.get(&target).is_some_and(|block| block.kind == BlockKind::Heap);
                if is_candidate && reached.insert(target) {
                    work.push(target);
                }
            }
        }
        // Ends because each round but the last removes a block.
        loop {
            let shared: Vec<BlockId> = reached
                .iter()
                .copied()
                .filter(|id| {
                    let is_held_elsewhere = referrers.get(id).is_some_and(|referrers| {
                        referrers.iter().any(|holder| match holder {
                            Referrer::Root => true,
                            Referrer::Block(block, Some(Field::Cell(offset)))
                                if is_link(*block, *offset) =>
                            {
                                true
                            }
                            Referrer::Block(block, _) => *block != node && !reached.contains(block),
                        })
                    });
                    let partner = state.block(*id).partner();
                    is_held_elsewhere || partner.is_some_and(|partner| !reached.contains(&partner))
                })
                .collect();
            if shared.is_empty() {
                return reached;
            }
            for id in shared {
                reached.remove(&id);
            }
        }
    }

    /// Whether blocks hold variables that are no addresses.
    pub(crate) fn have_numbers(&self, blocks: &[(BlockId, Arc<Block>)]) -> bool {
        let terms: Vec<TermId> = blocks.iter().flat_map(|(_, block)| block.all_terms()).collect();
        self.terms.free_variables(&terms).into_iter().any(|variable| {
            !self.blocks_of_addresses.contains_key(&variable) && !self.links.contains(&variable)
        })
    }

    /// The variables in all values of a state but those of some blocks.
    pub(crate) fn names_outside(
        &self,
        state: &State,
        inside: &dyn Fn(BlockId) -> bool,
    ) -> Vec<TermId> {
        let mut values = state.held_by_variables();
        for (&id, block) in &state.blocks {
            if !inside(id) {
                values.extend(block.all_values());
            }
        }
        self.terms.free_variables(&values)
    }
}

/// Whether a variable, or a block that is not on the heap, holds a block.
pub(crate) fn is_held_by_variable(state: &State, referrers: &Referrers, block: BlockId) -> bool {
    referrers.get(&block).into_iter().flatten().any(|holder| match holder {
        Referrer::Root => true,
        Referrer::Block(id, _) => {
            !matches!(state.block(*id).kind, BlockKind::Heap | BlockKind::Elements)
        }
    })
}
