//! Derivations: blocks that form an instance, with its arguments, what leads out of it, and what its numbers have to obey.

use std::collections::BTreeSet;

use heapwright_logic::TermId;

use crate::heap::block::BlockId;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::prove;

/// Blocks that form an instance.
#[derive(Clone, Debug)]
pub(crate) struct Derivation {
    pub(crate) root: BlockId,
    pub(crate) predicate: usize,
    pub(crate) arguments: Vec<TermId>,
    pub(crate) hole: Option<DerivedHole>,
    /// All of them, the root and stand-ins of filled holes included.
    pub(crate) blocks: BTreeSet<BlockId>,
    /// What its numbers have to obey.
    pub(super) laws: Vec<TermId>,
}

impl Derivation {
    /// Whether its numbers obey the laws of its cases.
    pub(crate) fn is_lawful(&self, reasoner: &mut Reasoner<'_>, state: &State) -> bool {
        self.laws.iter().all(|&law| prove(reasoner, state, law))
    }
}

/// A link that leads out.
#[derive(Clone, Debug)]
pub(crate) struct DerivedHole {
    pub(crate) predicate: usize,
    pub(crate) arguments: Vec<TermId>,
    pub(crate) value: TermId,
    /// The node that has the link, or what stands for it.
    pub(crate) above: BlockId,
    /// Whether an argument is its address, and it is not the root.
    pub(crate) names_above: bool,
    /// How many blocks are on the way to it.
    pub(crate) depth: u32,
}
