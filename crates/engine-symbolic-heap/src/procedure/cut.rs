//! Cutting a state at a call: what the callee can reach, and the rest.

use std::sync::Arc;

use heapwright_engine::Reason;
use heapwright_logic::{Sort, TermId};
use heapwright_program::{FunctionId, VariableId};
use imbl::{OrdMap, Vector};
use rustc_hash::FxHashSet;

use crate::context::Context;
use crate::state::{Block, BlockId, BlockKind, Frame, Outside, State};

/// Blocks and numbers that both sides may know. More come from a recursion whose every call keeps
/// one, and there would be no end to them.
const MOST_HELD: usize = 24;

/// The rest of a state, which waits for a call to return.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    /// Without the callee's frame and what it reaches.
    pub(crate) rest: State,
    pub(crate) function: FunctionId,
    /// Where the result goes.
    pub(crate) target: Option<VariableId>,
    /// Names of blocks and numbers, in the order of [`Outside::held`].
    pub(crate) held: Vec<TermId>,
}

impl Context<'_> {
    /// Cuts a state whose last frame is that of a call which has just been made. Gives the callee's
    /// state and the rest.
    pub(crate) fn cut(&mut self, mut state: State) -> Result<(State, Waiting), Reason> {
        self.forget_dead_variables(&mut state);
        let mut callee = state.frames.pop_back().expect("the callee's frame");
        let (function, target) = (callee.function, callee.target.take());
        // The result will replace what is there.
        if let Some(target) = target.filter(|&target| !self.is_global(target)) {
            let slot = self.slot(target);
            Arc::make_mut(&mut state.frame_mut().registers)[slot] = None;
        }
        let met = self.walk(&state, &callee);
        let inside = |id: &BlockId| met.blocks.contains(id);
        let (local, other): (Vec<_>, Vec<_>) = state
            .blocks
            .iter()
            .map(|(&id, block)| (id, Arc::clone(block)))
            .partition(|(id, _)| inside(id));
        let rest_blocks: OrdMap<BlockId, Arc<Block>> = other.into_iter().collect();
        let mut rest = state.clone();
        rest.blocks = rest_blocks;
        let named = self.names_of_rest(&rest);
        let held: Vec<TermId> = met.names.into_iter().filter(|name| named.contains(name)).collect();
        if held.len() > MOST_HELD {
            let text = "a recursion in which callers hold ever more of what is reached";
            return Err(Reason::new(text));
        }
        let mut entry = state;
        entry.blocks = local.into_iter().collect();
        entry.frames = Vector::unit(callee);
        entry.outside = Some(Arc::new(Outside { function, held: held.clone(), result: None }));
        entry.model = None;
        self.forget_address_facts(&mut entry);
        Ok((entry, Waiting { rest, function, target, held }))
    }

    /// Drops what is said of the addresses of blocks: states are not compared by that.
    pub(crate) fn forget_address_facts(&self, state: &mut State) {
        let kept = state.condition.iter().copied().filter(|&fact| !self.holds_address(fact));
        state.condition = kept.collect();
    }

    /// Everything that a callee can reach, in an order that depends on its heap only.
    fn walk(&mut self, state: &State, callee: &Frame) -> Met {
        let mut met = Met::default();
        let mut work: Vec<BlockId> = Vec::new();
        let variables = callee.registers.iter().chain(state.globals.iter());
        let values: Vec<TermId> = variables.flatten().copied().collect();
        self.meet(state, &values, &mut met, &mut work);
        let own = callee.objects.values().chain(&callee.allocas).copied();
        let of_program = state.blocks.iter().filter(|(_, block)| is_of_program(block));
        for id in own.chain(of_program.map(|(&id, _)| id)).collect::<Vec<_>>() {
            self.meet_block(state, id, &mut met, &mut work);
        }
        let mut next = 0;
        while next < work.len() {
            let id = work[next];
            next += 1;
            let block = Arc::clone(state.block(id));
            self.meet(state, &block.all_terms(), &mut met, &mut work);
            if let Some(partner) = block.partner() {
                self.meet_block(state, partner, &mut met, &mut work);
            }
        }
        met
    }

    fn meet(&mut self, state: &State, values: &[TermId], met: &mut Met, work: &mut Vec<BlockId>) {
        for &value in values {
            for name in self.terms.free_variables(&[value]) {
                match self.blocks_of_addresses.get(&name) {
                    Some(&id) => self.meet_block(state, id, met, work),
                    None if self.stand_ins.contains(&name) => {}
                    None => {
                        if matches!(self.terms.sort(name), Sort::BitVector(_)) {
                            met.name(name);
                        }
                    }
                }
            }
        }
    }

    fn meet_block(&mut self, state: &State, id: BlockId, met: &mut Met, work: &mut Vec<BlockId>) {
        let Some(block) = state.blocks.get(&id) else { return };
        if met.blocks.insert(id) {
            work.push(id);
            if !is_of_program(block) {
                met.name(self.address(id));
            }
        }
    }

    /// The names in what waits.
    fn names_of_rest(&mut self, rest: &State) -> FxHashSet<TermId> {
        let frames = rest.frames.iter().flat_map(|frame| frame.registers.iter());
        let mut values: Vec<TermId> = frames.flatten().copied().collect();
        values.extend(rest.held_outside());
        for block in rest.blocks.values() {
            values.extend(block.all_terms());
        }
        let mut names: FxHashSet<TermId> = self.terms.free_variables(&values).into_iter().collect();
        for frame in &rest.frames {
            for &id in frame.objects.values().chain(&frame.allocas) {
                names.insert(self.address(id));
            }
        }
        names
    }
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

/// Blocks that are the same ones in every state.
pub(super) fn is_of_program(block: &Block) -> bool {
    match block.kind {
        BlockKind::Static | BlockKind::String | BlockKind::Function(_) => true,
        BlockKind::Stack | BlockKind::Heap => false,
    }
}
