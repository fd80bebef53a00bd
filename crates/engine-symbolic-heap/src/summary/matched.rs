//! What matching two states finds: which block and which value of one stands where in the other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use heapwright_logic::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::heap::block::{BlockId, Cell, Field, Zero};
use crate::heap::names::Names;
use crate::heap::state::{Outside, State};
use crate::precision::Relations;
use crate::summary::list::links::Links;
use crate::summary::mismatch::{Position, Side};

/// A segment of the known side, and what stands in its place on the new side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chains {
    pub(crate) known: BlockId,
    pub(crate) new: BlockId,
    /// Of a single new node, with the block that has the link to the next.
    pub(crate) links: Option<(BlockId, Links)>,
}

/// An extent of the known side, and what stands in its place on the new side.
#[derive(Clone, Debug)]
pub(crate) struct ExtentMatch {
    pub(crate) known: (BlockId, usize),
    /// Which of the new block's, side by side; none if there it is empty.
    pub(crate) new: Vec<usize>,
    /// Conjuncts of the known law that hold on the new side.
    pub(crate) law: Vec<TermId>,
    /// Whether these are all.
    pub(crate) is_whole: bool,
}

/// What matching two states found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Match {
    /// Known block to new block, and back. The two ends of a known segment may be one new block.
    pub(crate) blocks: FxHashMap<BlockId, BlockId>,
    pub(crate) back: FxHashMap<BlockId, BlockId>,
    pub(crate) pending: Vec<(BlockId, BlockId)>,
    /// Known variable to new term.
    pub(crate) variables: BTreeMap<TermId, TermId>,
    /// Both states are the same one: only names of opened prototypes are matched.
    pub(crate) one_state: bool,
    /// Numbers of opened prototypes of the known side.
    pub(crate) opened: FxHashSet<TermId>,
    /// Numbers of opened prototypes of either side, with how many prototypes around them are opened.
    pub(crate) levels: FxHashMap<TermId, u32>,
    /// Blocks of opened prototypes, of either side.
    pub(crate) opened_blocks: FxHashSet<BlockId>,
    /// Places in the known state whose number does not cover the new state's, with both.
    pub(crate) differing: Vec<(Position, TermId, TermId)>,
    /// Cells of the known state whose bytes are arbitrary in the new one.
    pub(crate) forgotten: Vec<(BlockId, u64)>,
    /// Blocks of the known state whose zero is not known to be in the new one.
    pub(crate) unterminated: Vec<BlockId>,
    /// Blocks of the known state whose bytes that no cell covers may be anything in the new one.
    pub(crate) unsettled: Vec<BlockId>,
    /// Extents of the known state, with what is left of their laws in the new one.
    pub(crate) extents: Vec<ExtentMatch>,
    /// Segments whose prototypes are still to be compared, with the new side's segment or single node.
    pub(crate) segments: Vec<Chains>,
    /// Segments that do not cover the new side's.
    pub(crate) looser: Vec<Chains>,
    /// Known segments have numbers in common that are not in common in the new state.
    pub(crate) has_other_spellings: bool,
    /// A chain whose numbers are told one by one is shorter than the other side's can be.
    pub(crate) has_other_lengths: bool,
    /// Known segments that are empty on the new side: null stands where their names are.
    pub(crate) empty: BTreeSet<BlockId>,
    /// A known segment allows more prototypes at its ends than what it covers.
    pub(crate) has_wider_ends: bool,
    /// Blocks of the new side that belong to a node which a known segment covers.
    pub(crate) absorbed: FxHashSet<BlockId>,
    /// Rows that only the new side has, with the known array: on the known side they are empty.
    pub(crate) adopted: Vec<(BlockId, BlockId)>,
    /// What numbers may differ.
    pub(crate) relations: Relations,
}

impl Match {
    /// For comparing prototypes within one state.
    pub(crate) fn of_one_state() -> Match {
        Match { one_state: true, ..Match::default() }
    }

    pub(crate) fn is_one_state(&self) -> bool {
        self.one_state
    }

    /// The same names, and nothing that was found to differ: what an inner comparison starts from.
    pub(crate) fn inner(&self) -> Match {
        Match {
            differing: Vec::new(),
            forgotten: Vec::new(),
            unterminated: Vec::new(),
            unsettled: Vec::new(),
            extents: Vec::new(),
            segments: Vec::new(),
            looser: Vec::new(),
            has_wider_ends: false,
            absorbed: FxHashSet::default(),
            adopted: Vec::new(),
            ..self.clone()
        }
    }

    /// Takes over what an inner comparison learnt of names outside it.
    pub(crate) fn learn(&mut self, inner: &Match) {
        let is_inner =
            |a: &BlockId| inner.opened_blocks.contains(a) && !self.opened_blocks.contains(a);
        let learnt: Vec<(BlockId, BlockId)> =
            inner.blocks.iter().filter(|(a, _)| !is_inner(a)).map(|(&a, &b)| (a, b)).collect();
        for (a, b) in learnt {
            self.blocks.entry(a).or_insert(b);
            self.back.entry(b).or_insert(a);
        }
        let empty: Vec<BlockId> = inner.empty.iter().copied().filter(|a| !is_inner(a)).collect();
        self.empty.extend(empty);
        for (&a, &b) in inner.variables.iter() {
            if !inner.opened.contains(&a) || self.opened.contains(&a) {
                self.variables.insert(a, b);
            }
        }
    }

    pub(crate) fn partner(&self, known: BlockId) -> Option<BlockId> {
        if self.one_state && !self.opened_blocks.contains(&known) {
            return Some(known);
        }
        self.blocks.get(&known).copied()
    }

    /// Whether a known block has something on the new side, be it nothing at all.
    pub(crate) fn has_known(&self, known: BlockId) -> bool {
        self.partner(known).is_some() || self.empty.contains(&known)
    }

    pub(crate) fn has_new(&self, new: BlockId) -> bool {
        self.back.contains_key(&new) || self.absorbed.contains(&new)
    }

    /// Whether numbers differ, and the ends of a segment too: numbers may tell how it begins or ends.
    pub(crate) fn mixes_ends(&self) -> bool {
        self.has_wider_ends && !self.differing.is_empty()
    }

    /// Whether all that matters of the new state is in the known one, conditions apart.
    pub(crate) fn is_exact(&self) -> bool {
        self.differing.is_empty()
            && self.forgotten.is_empty()
            && self.unterminated.is_empty()
            && self.unsettled.is_empty()
            && self.extents.iter().all(|extent| extent.is_whole)
            && self.looser.is_empty()
            && !self.has_other_spellings
            && self.adopted.is_empty()
    }
}

/// The known state and the new one.
pub(crate) type Sides<'s> = (&'s State, &'s State);

/// A number of the general state, and what it is in either state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joined {
    pub(crate) value: TermId,
    pub(crate) known: TermId,
    pub(crate) new: TermId,
}

impl Joined {
    /// The same number with more bits, signed.
    pub(crate) fn extended(self, names: &mut Names<'_>, width: u32) -> Joined {
        let Joined { value, known, new } = self;
        let [value, known, new] =
            [value, known, new].map(|term| names.terms.sign_extend(term, width));
        Joined { value, known, new }
    }
}

/// How freely two things are generalised.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// How deep in prototypes of prototypes.
    pub(crate) depth: u32,
    /// Numbers are widened at once.
    pub(crate) widens: bool,
    /// Segments inside may get more prototypes; otherwise only numbers are generalised.
    pub(crate) shapes: bool,
}

impl Manner {
    pub(crate) fn deeper(self) -> Manner {
        Manner { depth: self.depth + 1, ..self }
    }
}

/// Puts a value where a position says.
pub(crate) fn put(state: &mut State, position: Position, value: TermId) {
    match position {
        Position::Global(slot) => Arc::make_mut(&mut state.globals)[slot] = Some(value),
        Position::Register(frame, slot) => {
            Arc::make_mut(&mut state.frames[frame].registers)[slot] = Some(value);
        }
        Position::Held(index) => outside_mut(state).held[index] = value,
        Position::Result => outside_mut(state).result = Some(value),
        Position::Cell { block, offset, size } => {
            state.block_mut(block).cells.insert(offset, Cell { size, value });
        }
        Position::End { block, end } | Position::Place { block, end, .. } => {
            state.block_mut(block).set_field(Field::End(end), value);
        }
        Position::Size { block } => state.block_mut(block).size = value,
        Position::Bound { block, extent, side, .. } => {
            let extent = &mut state.block_mut(block).contents.extents[extent];
            match side {
                Side::From => extent.from = value,
                Side::To => extent.to = value,
            }
        }
        Position::Zero { block, size, .. } => {
            state.block_mut(block).zero = Some(Zero { size, at: value });
        }
    }
}

fn outside_mut(state: &mut State) -> &mut Outside {
    Arc::make_mut(state.outside.as_mut().expect("a state with callers that are cut off"))
}
