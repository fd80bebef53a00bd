//! Cutting a state at a call: what the callee can reach, and the rest.
//!
//! In a doubly linked list a callee reaches the nodes of all its callers, and each of these holds its
//! own: the deeper the recursion, the more is held. Such calls are cut shallowly. Blocks that callers
//! hold, and that the callee is not given directly, look freed or out of scope to it, and what they
//! contain stays with the rest. If the callee never uses them, nothing is different; if it does, it
//! seems to commit a fault, and nothing is proved.

use std::sync::Arc;

use heapwright_logic::{Sort, TermId};
use heapwright_program::{FunctionId, VariableId};
use heapwright_property::Part;
use imbl::{OrdMap, Vector};
use rustc_hash::FxHashSet;

use crate::abstraction::garbage::held_by;
use crate::abstraction::normalise::forget_dead_variables;
use crate::execution::cut_calls::CutCalls;
use crate::heap::block::{Block, BlockId, BlockKind, Life};
use crate::heap::contents::Contents;
use crate::heap::names::Names;
use crate::heap::state::{Frame, Outside, State};
use crate::interprocedural::bounds::bounds;
use crate::no_proof::NoProof;
use crate::precision::Precision;
use crate::reasoning::Reasoner;
use crate::reasoning::reference::Reached;

/// Blocks that both sides may know. More come from a recursion whose every call keeps one, and there
/// would be no end to them.
const MOST_BLOCKS: usize = 8;

/// Numbers that both sides may know.
const MOST_NUMBERS: usize = 8;

const NOT_KEPT: &str =
    "a block that a call gets, and that callers may know without referring to it";

/// The rest of a state, which waits for a call to return.
#[derive(Clone, Debug)]
pub(crate) struct HeapFrame {
    /// Without the callee's frame and what it reaches; blocks that the callee must not use are here.
    pub(crate) rest: State,
    pub(crate) function: FunctionId,
    /// Where the result goes.
    pub(crate) target: Option<VariableId>,
    /// Names of blocks and numbers, in the order of [`Outside::held`].
    pub(crate) held: Vec<TermId>,
}

/// Cuts a state whose last frame is that of a call which has just been made. Gives the callee's
/// state and the rest.
pub(crate) fn localise(
    reasoner: &mut Reasoner<'_>,
    (calls, precision): (&CutCalls, &Precision),
    mut state: State,
) -> Result<(State, HeapFrame), NoProof> {
    forget_dead_variables(&mut reasoner.names, &mut state);
    let mut callee = state.frames.pop_back().expect("the callee's frame");
    let (function, target) = (callee.function, callee.target.take());
    // The result will replace what is there.
    if let Some(target) = target.filter(|&target| !reasoner.names.facts.is_global(target)) {
        let slot = reasoner.names.facts.slot(target);
        Arc::make_mut(&mut state.frame_mut().registers)[slot] = None;
    }
    let is_shallow = calls.shallow.contains(&function) && state.outside.is_some();
    let untouched = if is_shallow {
        untouched(&mut reasoner.names, &state, &callee)
    } else {
        FxHashSet::default()
    };
    // What one side knows of elements of the other, the other may change.
    forget_besides(&mut state);
    let met = walk(&mut reasoner.names, &state, &callee, &untouched);
    let mut local: OrdMap<BlockId, Arc<Block>> = OrdMap::new();
    let mut rest = state.clone();
    for (&id, block) in state.blocks.iter().filter(|(id, _)| met.blocks.contains(id)) {
        if untouched.contains(&id) {
            local.insert(id, Arc::new(unusable(block)));
        } else {
            local.insert(id, Arc::clone(block));
            rest.blocks.remove(&id);
        }
    }
    let named = names_of_rest(&mut reasoner.names, &rest);
    let is_block = |name: &TermId| reasoner.names.blocks_of_addresses.contains_key(name);
    let bounds = bounds(&reasoner.names, precision, &rest, &met.is_named);
    let mut held: Vec<TermId> = met.names.into_iter().filter(|n| named.contains(n)).collect();
    held.extend(bounds);
    if held.iter().filter(|name| is_block(name)).count() > MOST_BLOCKS {
        return Err(NoProof::HeldTooMuch(function));
    }
    // A number that is not held is forgotten.
    let mut numbers = 0;
    held.retain(|name| {
        numbers += usize::from(!is_block(name));
        is_block(name) || numbers <= MOST_NUMBERS
    });
    if reasoner.names.task().specification.asks(Part::ValidMemtrack)
        && !keeps(reasoner, &state, &rest, &held)
    {
        return Err(NoProof::because(NOT_KEPT));
    }
    let mut entry = state;
    entry.blocks = local;
    entry.frames = Vector::unit(callee);
    entry.outside = Some(Arc::new(Outside { function, held: held.clone(), result: None }));
    entry.model = None;
    forget_address_facts(&reasoner.names, &mut entry);
    Ok((entry, HeapFrame { rest, function, target, held }))
}

/// Whether what waits certainly refers to each live heap block that the callee gets and that
/// callers have a name of. To the callee these blocks are held; were they held by a hash alone, it
/// could lose them unseen.
fn keeps(reasoner: &mut Reasoner<'_>, state: &State, rest: &State, held: &[TermId]) -> bool {
    let mut reached = Reached::default();
    for (&id, block) in &rest.blocks {
        let is_root = !matches!(block.kind, BlockKind::Heap | BlockKind::Elements);
        if block.life == Life::Alive && is_root {
            reached.add(id);
        }
    }
    let mut roots: Vec<TermId> = rest.held_outside().collect();
    for frame in &rest.frames {
        roots.extend(held_by(&mut reasoner.names, frame));
    }
    for root in roots {
        if let Some(id) = reasoner.variable_refers_to(state, root) {
            reached.add(id);
        }
    }
    reasoner.reach(state, &mut reached, &|id| rest.blocks.contains_key(&id));
    reasoner.names.may_refer_to(held).iter().all(|id| {
        let block = state.block(*id);
        let can_be_lost = block.kind == BlockKind::Heap
            && block.life == Life::Alive
            && !rest.blocks.contains_key(id);
        !can_be_lost || reached.blocks.contains(id)
    })
}

/// Drops what is said of the addresses of blocks: states are not compared by that.
pub(crate) fn forget_address_facts(names: &Names<'_>, state: &mut State) {
    let kept = state.condition.iter().copied().filter(|&fact| !names.holds_address(fact));
    state.condition = kept.collect();
}

/// Single blocks that callers hold and that the callee is not given directly.
fn untouched(names: &mut Names<'_>, state: &State, callee: &Frame) -> FxHashSet<BlockId> {
    let frames = state.frames.iter().flat_map(|frame| frame.registers.iter());
    let mut held: Vec<TermId> = frames.flatten().copied().collect();
    held.extend(state.held_outside());
    let mut blocks: FxHashSet<BlockId> = names.may_refer_to(&held).into_iter().collect();
    for frame in &state.frames {
        blocks.extend(frame.objects.values().chain(&frame.allocas));
    }
    let variables = callee.registers.iter().chain(state.globals.iter());
    let mut given: Vec<TermId> = variables.flatten().copied().collect();
    for block in state.blocks.values().filter(|block| block.is_of_program()) {
        given.extend(block.all_values());
    }
    let mut given: FxHashSet<BlockId> = names.may_refer_to(&given).into_iter().collect();
    given.extend(callee.objects.values().chain(&callee.allocas));
    blocks.retain(|id| {
        // The two ends of a segment may be one block, and would seem to be two.
        let is_single = state.blocks.get(id).is_some_and(|b| b.is_single());
        is_single && !given.contains(id) && !state.block(*id).is_of_program()
    });
    blocks
}

/// Everything that a callee can reach, in an order that depends on its heap only.
fn walk(
    names: &mut Names<'_>,
    state: &State,
    callee: &Frame,
    untouched: &FxHashSet<BlockId>,
) -> Met {
    let mut met = Met::default();
    let mut work: Vec<BlockId> = Vec::new();
    let variables = callee.registers.iter().chain(state.globals.iter());
    let values: Vec<TermId> = variables.flatten().copied().collect();
    meet(names, state, &values, &mut met, &mut work);
    let own = callee.objects.values().chain(&callee.allocas).copied();
    let of_program = state.blocks.iter().filter(|(_, block)| block.is_of_program());
    for id in own.chain(of_program.map(|(&id, _)| id)).collect::<Vec<_>>() {
        meet_block(names, state, id, &mut met, &mut work);
    }
    let elements = state.elements(names);
    let mut next = 0;
    while next < work.len() {
        let id = work[next];
        next += 1;
        if untouched.contains(&id) {
            continue;
        }
        let block = Arc::clone(state.block(id));
        meet(names, state, &block.all_values(), &mut met, &mut work);
        if state.outside.is_none() {
            meet_conditions(names, &block, &mut met);
        }
        if let Some(partner) = block.partner() {
            meet_block(names, state, partner, &mut met, &mut work);
        }
        for &(_, element) in elements.iter().filter(|(array, _)| *array == id) {
            meet_block(names, state, element, &mut met, &mut work);
        }
    }
    met
}

/// Meets blocks that are pointed to, and plain numbers. The parts of sums are not met: where each
/// call adds a number, there would be ever more of them.
fn meet(
    names: &mut Names<'_>,
    state: &State,
    values: &[TermId],
    met: &mut Met,
    work: &mut Vec<BlockId>,
) {
    for &value in values {
        for name in names.terms.free_variables(&[value]) {
            match names.blocks_of_addresses.get(&name) {
                Some(&id) => meet_block(names, state, id, met, work),
                None if name == value => meet_number(names, name, met),
                None => {}
            }
        }
    }
}

/// Meets the numbers that nodes are compared with. They are kept for those who call a recursion
/// from outside only, for the same reason.
fn meet_conditions(names: &Names<'_>, block: &Block, met: &mut Met) {
    for prototype in block.prototypes() {
        for name in names.terms.free_variables(&prototype.condition) {
            meet_number(names, name, met);
        }
    }
}

fn meet_number(names: &Names<'_>, name: TermId, met: &mut Met) {
    if is_number(names, name) && !names.stand_ins.contains(&name) {
        met.name(name);
    }
}

/// Whether a value is a number that has no part of an address.
pub(super) fn is_number(names: &Names<'_>, value: TermId) -> bool {
    matches!(names.terms.sort(value), Sort::BitVector(_)) && !names.holds_address(value)
}

/// The blocks that a call reaches whose state this is, but those of the program, in an order that depends on its heap only.
pub(super) fn reached_in_order(names: &mut Names<'_>, entry: &State) -> Vec<BlockId> {
    let met = walk(names, entry, entry.frame(), &FxHashSet::default());
    met.names.iter().filter_map(|name| names.blocks_of_addresses.get(name).copied()).collect()
}

fn meet_block(
    names: &mut Names<'_>,
    state: &State,
    id: BlockId,
    met: &mut Met,
    work: &mut Vec<BlockId>,
) {
    let Some(block) = state.blocks.get(&id) else { return };
    if met.blocks.insert(id) {
        work.push(id);
        if !block.is_of_program() {
            met.name(names.address(id));
        }
    }
}

/// The names in what waits.
fn names_of_rest(names: &mut Names<'_>, rest: &State) -> FxHashSet<TermId> {
    let frames = rest.frames.iter().flat_map(|frame| frame.registers.iter());
    let mut values: Vec<TermId> = frames.flatten().copied().collect();
    values.extend(rest.held_outside());
    for block in rest.blocks.values() {
        values.extend(block.all_terms());
    }
    let mut found: FxHashSet<TermId> = names.terms.free_variables(&values).into_iter().collect();
    found.retain(|name| !names.words_of_laws.contains(name));
    for frame in &rest.frames {
        for &id in frame.objects.values().chain(&frame.allocas) {
            found.insert(names.address(id));
        }
    }
    found
}

/// Drops extents whose laws speak of elements of two blocks.
fn forget_besides(state: &mut State) {
    let has = |block: &Block| block.contents.extents.iter().any(|one| one.beside.is_some());
    let ids: Vec<BlockId> =
        state.blocks.iter().filter(|(_, block)| has(block)).map(|(&id, _)| id).collect();
    for id in ids {
        state.block_mut(id).contents.extents.retain(|extent| extent.beside.is_none());
    }
}

/// A block that the callee must not use.
fn unusable(block: &Block) -> Block {
    let life = match block.kind {
        BlockKind::Heap => Life::Freed,
        BlockKind::Static
        | BlockKind::String
        | BlockKind::Stack
        | BlockKind::Constant
        | BlockKind::Function(_)
        | BlockKind::Elements => Life::OutOfScope,
    };
    let contents = Contents::default();
    Block { life, cells: OrdMap::new(), zero: None, contents, ..block.clone() }
}

/// What a walk has met, in order.
#[derive(Default)]
struct Met {
    blocks: FxHashSet<BlockId>,
    names: Vec<TermId>,
    is_named: FxHashSet<TermId>,
}

impl Met {
    fn name(&mut self, name: TermId) {
        if self.is_named.insert(name) {
            self.names.push(name);
        }
    }
}
