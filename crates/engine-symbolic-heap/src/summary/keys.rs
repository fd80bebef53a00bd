//! Keys: nodes told apart by numbers that variables hold.
//!
//! A program that looks for a key walks past nodes that have another one. So the nodes before its cursor are known not to have
//! the key, and one may be known to have it. Folded with others, they would be nodes of which nothing is known. In precisions of
//! their own, states are joined, and perhaps neighbours folded, only if their nodes are tied to the same variables in the same way.
//!
//! Nothing is said by a tie that is not said already, by cells and conditions: it only decides what stays apart.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::{Sort, Term, TermId};
use heapwright_program::ObjectId;

use crate::heap::block::{Block, BlockId, BlockKind};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::summary::domain::Domain;
use crate::summary::matched::{Match, Sides};

/// How the number at a place of a node, or of all nodes of a segment, goes with what somebody holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Tie {
    offset: u64,
    size: u64,
    relation: Relation,
    holder: Holder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Relation {
    Same,
    Other,
}

/// Who holds a number, by names that mean the same in all states at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    Global(usize),
    /// Frame and slot.
    Register(usize, usize),
    /// Of an object of the whole program, at an offset.
    Static(usize, u64),
    /// Of an object of a frame, at an offset.
    Local(usize, ObjectId, u64),
    /// The program has compared with this constant.
    Constant(u128),
}

/// Whether two neighbours are not folded since their nodes are tied to other variables.
pub(crate) fn are_apart_by_keys(
    domain: &Domain<'_, '_>,
    state: &State,
    (one, other): (BlockId, BlockId),
) -> bool {
    if !domain.precision.keys.keep_neighbours_apart() {
        return false;
    }
    let names = &domain.reasoner.names;
    let held = Held::of(names, state);
    held.ties(names, state, state.block(one)) != held.ties(names, state, state.block(other))
}

/// Whether two states are not joined since nodes in the same place are tied to other variables.
pub(crate) fn differ_by_keys(domain: &Domain<'_, '_>, sides: Sides<'_>, found: &Match) -> bool {
    if !domain.precision.keys.keep_states_apart() {
        return false;
    }
    let names = &domain.reasoner.names;
    let (known, new) = sides;
    let (held_in_known, held_in_new) = (Held::of(names, known), Held::of(names, new));
    found.blocks.iter().any(|(a, b)| {
        let (Some(a), Some(b)) = (known.blocks.get(a), new.blocks.get(b)) else { return false };
        a.kind == BlockKind::Heap
            && held_in_known.ties(names, known, a) != held_in_new.ties(names, new, b)
    })
}

/// Numbers that variables hold, with all that hold them.
struct Held(BTreeMap<TermId, Vec<Holder>>);

impl Held {
    fn of(names: &Names<'_>, state: &State) -> Held {
        let mut held: BTreeMap<TermId, Vec<Holder>> = BTreeMap::new();
        let mut hold = |value: Option<TermId>, holder: Holder| {
            if let Some(value) = value
                && is_number(names, value)
                && names.constant(value).is_none()
            {
                held.entry(value).or_default().push(holder);
            }
        };
        for (slot, &value) in state.globals.iter().enumerate() {
            hold(value, Holder::Global(slot));
        }
        for (index, frame) in state.frames.iter().enumerate() {
            for (slot, &value) in frame.registers.iter().enumerate() {
                hold(value, Holder::Register(index, slot));
            }
            for (&object, id) in &frame.objects {
                for (offset, value) in members(names, state, *id) {
                    hold(Some(value), Holder::Local(index, object, offset));
                }
            }
        }
        for (index, id) in state.static_blocks.iter().enumerate() {
            for (offset, value) in id.iter().flat_map(|id| members(names, state, *id)) {
                hold(Some(value), Holder::Static(index, offset));
            }
        }
        Held(held)
    }

    /// How the numbers of a node are tied, or those of the nodes of a segment.
    fn ties(&self, names: &Names<'_>, state: &State, block: &Block) -> BTreeSet<Tie> {
        if block.is_single() {
            return self.ties_of_node(names, block, &mut state.condition.iter().copied());
        }
        let prototypes = block.prototypes().iter().map(|prototype| {
            let mut condition = prototype.condition.iter().copied();
            self.ties_of_node(names, prototype.node(), &mut condition)
        });
        // What is so of some nodes only is not so of the next.
        prototypes
            .reduce(|all, ties| all.intersection(&ties).copied().collect())
            .unwrap_or_default()
    }

    fn ties_of_node(
        &self,
        names: &Names<'_>,
        node: &Block,
        condition: &mut dyn Iterator<Item = TermId>,
    ) -> BTreeSet<Tie> {
        let mut ties = BTreeSet::new();
        let cells = || node.cells.iter().filter(|(_, cell)| is_number(names, cell.value));
        let mut tie = |value: TermId, relation: Relation, other: TermId| {
            let constant = names.constant(other).filter(|_| relation == Relation::Other);
            let constant = constant.map(Holder::Constant);
            let holders = self.0.get(&other).into_iter().flatten().copied().chain(constant);
            let holders: Vec<Holder> = holders.collect();
            for (&offset, cell) in cells().filter(|(_, cell)| cell.value == value) {
                let size = cell.size;
                ties.extend(holders.iter().map(|&holder| Tie { offset, size, relation, holder }));
            }
        };
        for (_, cell) in cells() {
            tie(cell.value, Relation::Same, cell.value);
        }
        for conjunct in condition {
            let (relation, equation) = match names.terms.node(conjunct) {
                Term::Not(inner) => (Relation::Other, names.terms.node(inner)),
                equation => (Relation::Same, equation),
            };
            if let Term::Equal(a, b) = equation {
                tie(a, relation, b);
                tie(b, relation, a);
            }
        }
        ties
    }
}

/// What the members of a small object hold.
fn members(names: &Names<'_>, state: &State, id: BlockId) -> impl Iterator<Item = (u64, TermId)> {
    let block = state.blocks.get(&id).filter(|block| names.is_record(block));
    block
        .into_iter()
        .flat_map(|block| block.cells.iter())
        .map(|(&offset, cell)| (offset, cell.value))
}

/// Whether a value is a number, and no address.
fn is_number(names: &Names<'_>, value: TermId) -> bool {
    matches!(names.terms.sort(value), Sort::BitVector(_)) && !names.holds_address(value)
}
