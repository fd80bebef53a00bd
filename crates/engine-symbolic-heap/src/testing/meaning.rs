//! Whether a concrete state is one of those that an abstract state stands for.
//!
//! It is if the abstract state's variables have values under which its condition holds and every
//! register and cell has the value that the interpreter has there. The values are found by walking
//! both states together from the call stack on: a pointer in a cell tells which concrete block an
//! abstract one is, a segment is tried with each length that the concrete chain has. What a walk
//! cannot settle is left to the solver. Bytes that the concrete run has not decided fit everything.
//!
//! Only tests use this: it is the meaning of a state, written down a second time.

mod bytes;
mod chain;
mod downward;
mod measures;
pub(crate) mod spelling;
mod tree;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::DenseId;
use heapwright_interpreter::Machine;
use heapwright_logic::{BitVectorValue, Model, Sort, Term, TermId, Value};
use heapwright_memory as concrete;
use heapwright_program::{FunctionId, LocationId, ObjectKind};
use heapwright_solver::{CheckResult, SmtSolver};

use crate::heap::block::{Block, BlockId, BlockKind, DefaultBytes, Life};
use crate::heap::state::State;
use crate::reasoning::Reasoner;

/// Why a concrete state is no model, for a reader.
pub(crate) type Mismatch = String;

/// The mismatch of a search that was given up: perhaps there is none.
pub(crate) const TOO_MANY_WAYS: &str = "there are too many ways to write out segments";

/// Nodes that are written out before a search is given up.
const PATIENCE: u32 = 1000;

/// Which heap blocks are compared before a pointer leads to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Those with the interpreter's serial: on a path without summaries.
    BySerial,
    /// None: summaries give serials no meaning.
    ByPointers,
}

/// The places of a concrete call stack, as states have them: a caller is behind its call.
pub(crate) fn concrete_control(machine: &Machine<'_>) -> Vec<(FunctionId, LocationId)> {
    let frames = machine.frames();
    let innermost = frames.len().saturating_sub(1);
    let place = |(index, frame): (usize, &heapwright_interpreter::FrameView)| {
        let body = machine.program().functions[frame.function].body.as_ref().expect("it runs");
        let call = body.edges.iter().find(|edge| edge.source == frame.location);
        let behind = call.map_or(frame.location, |edge| edge.target);
        (frame.function, if index == innermost { frame.location } else { behind })
    };
    frames.iter().enumerate().map(place).collect()
}

/// Values of the variables under which the state is the machine's, beyond those given.
pub(crate) fn models(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    machine: &Machine<'_>,
    known: Known,
    given: &Model,
) -> Result<Model, Mismatch> {
    let is_whole = known == Known::ByPointers;
    let mut matching = Matching { values: given.clone(), is_whole, ..Matching::default() };
    let patience = Cell::new(PATIENCE);
    let mut walk = Walk { reasoner, state, machine, patience: &patience };
    walk.start(&mut matching, known)?;
    let matching = walk.settle(matching)?;
    Ok(matching.values)
}

/// A concrete value that a term has to have.
#[derive(Clone, Copy, Debug)]
struct Demand {
    term: TermId,
    value: concrete::Value,
}

/// What is settled so far, and what is to be done.
#[derive(Clone, Debug, Default)]
struct Matching {
    values: Model,
    blocks: BTreeMap<BlockId, concrete::BlockId>,
    /// Concrete blocks that an abstract one stands for: at most one does.
    taken: BTreeSet<concrete::BlockId>,
    demands: Vec<Demand>,
    /// Pairs of blocks whose contents are still to be compared.
    pairs: Vec<(BlockId, concrete::BlockId)>,
    /// How chains are spelt, with the numbers of their nodes.
    spelt: Vec<spelling::SpeltNodes<u128>>,
    /// Formulas that the walk could not decide.
    left: Vec<TermId>,
    /// The nodes that come right before and right behind all of a tree that is part of another.
    around: BTreeMap<BlockId, [Option<concrete::BlockId>; 2]>,
    /// The concrete nodes that trees which are part of others hang at.
    parents: BTreeMap<BlockId, concrete::BlockId>,
    /// The roots of the trees that these are part of.
    roots: BTreeMap<BlockId, concrete::BlockId>,
    /// Whether every heap block that is alive must be one of the state's: a state that has lost one
    /// knows nothing of its leak.
    is_whole: bool,
}

struct Walk<'w, 'c, 't, 'm> {
    reasoner: &'c mut Reasoner<'t>,
    state: &'w State,
    machine: &'w Machine<'m>,
    /// Nodes that may still be written out: the ways to choose lengths and prototypes multiply.
    patience: &'w Cell<u32>,
}

impl Walk<'_, '_, '_, '_> {
    /// The call stack, the globals, and the blocks that have names.
    fn start(&mut self, matching: &mut Matching, known: Known) -> Result<(), Mismatch> {
        let (state, machine) = (self.state, self.machine);
        let program = machine.program();
        let memory = machine.memory();
        for (id, record) in memory.blocks() {
            let block = match record.origin {
                concrete::Origin::Function(function) => {
                    state.function_blocks.get(function.index()).copied().flatten()
                }
                concrete::Origin::Object(object)
                    if program.objects[object].kind != ObjectKind::Local =>
                {
                    state.static_blocks.get(object.index()).copied().flatten()
                }
                concrete::Origin::Object(_) | concrete::Origin::Anonymous => None,
            };
            if let Some(block) = block.filter(|block| state.blocks.contains_key(block)) {
                self.pair(matching, block, id)?;
            }
        }
        for (index, frame) in state.frames.iter().enumerate() {
            for (&object, &block) in &frame.objects {
                match machine.object(index, object) {
                    Some(id) => self.pair(matching, block, id)?,
                    None => return Err(format!("local object {object} is not alive")),
                }
            }
            let variables = self.reasoner.names.facts.variables_of(frame.function);
            for (&variable, value) in variables.iter().zip(frame.registers.iter()) {
                // Nobody looks at the parameters of `main`, and the engine gives them no value.
                let is_ignored =
                    index == 0 && program.functions[frame.function].parameters.contains(&variable);
                if !is_ignored && let &Some(term) = value {
                    let value = machine.variable(index, variable);
                    matching.demands.push(Demand { term, value });
                }
            }
        }
        for (variable, item) in program.variables.enumerated() {
            let slot = self.reasoner.names.facts.slot(variable);
            if item.function.is_none()
                && let Some(term) = state.globals[slot]
            {
                matching.demands.push(Demand { term, value: machine.variable(0, variable) });
            }
        }
        if known == Known::BySerial {
            let serials: BTreeMap<u64, concrete::BlockId> =
                memory.blocks().map(|(id, record)| (record.serial, id)).collect();
            for (&block, item) in &state.blocks {
                if item.kind == BlockKind::Heap
                    && let Some(&id) = serials.get(&item.serial)
                {
                    self.pair(matching, block, id)?;
                }
            }
        }
        Ok(())
    }

    /// Does what is to be done, with a second try wherever a segment may have another length.
    fn settle(&mut self, mut matching: Matching) -> Result<Matching, Mismatch> {
        loop {
            if let Some(demand) = matching.demands.pop() {
                self.demand(&mut matching, demand)?;
            } else if let Some((block, id)) = matching.pairs.pop() {
                let item = &self.state.blocks[&block];
                if let Some(segment) = item.segment()
                    && item.life == Life::Alive
                {
                    return self.segment(&matching, block, segment, id);
                }
                if let Some(tree) = item.tree()
                    && item.life == Life::Alive
                {
                    return self.tree(&matching, (block, item), tree, id);
                }
                self.contents(&mut matching, item, id, &BTreeSet::new())?;
            } else if let Some((block, above)) = self.tree_from_below(&matching) {
                return self.climb(&matching, block, above);
            } else {
                return self.finish(matching);
            }
        }
    }

    fn demand(&mut self, matching: &mut Matching, demand: Demand) -> Result<(), Mismatch> {
        let Demand { term, value } = demand;
        if matches!(self.reasoner.names.terms.sort(term), Sort::BitVector(width) if width == self.reasoner.names.pointer_bits())
            && let Some((block, offset)) = self.reasoner.names.pointer(term)
            && !matching.blocks.contains_key(&block)
            && let Some(item) = self.state.blocks.get(&block)
        {
            let inside = match (self.reasoner.names.constant(offset), value.block()) {
                (Some(offset), _) => Some((offset as u64, value.block())),
                (None, Some(id)) => {
                    let base = self.machine.memory().block(id).base;
                    Some((value.low.wrapping_sub(base), Some(id)))
                }
                (None, None) => None,
            };
            if let Some((offset, provenance)) = inside {
                let base = self.masked(value.low.wrapping_sub(offset));
                let found = provenance.or_else(|| self.machine.memory().lookup(base));
                let found = found.filter(|&id| self.machine.memory().block(id).base == base);
                match found {
                    None if base == 0 && item.may_be_empty() => self.no_node(matching, block)?,
                    Some(_) if item.is_peer() => self.set_address(matching, block, base)?,
                    Some(id) => self.pair(matching, block, id)?,
                    None if item.life != Life::Alive => {
                        self.set_address(matching, block, base)?;
                    }
                    None => return Err(format!("{block} would be at {base:#x}, no block")),
                }
            }
        }
        self.equation(matching, term, value.wide_of(self.reasoner.names.terms.sort(term)))
    }

    /// An abstract block is this concrete one.
    fn pair(
        &mut self,
        matching: &mut Matching,
        block: BlockId,
        id: concrete::BlockId,
    ) -> Result<(), Mismatch> {
        if let Some(&before) = matching.blocks.get(&block) {
            return match before == id {
                true => Ok(()),
                false => Err(format!("{block} is two blocks at once")),
            };
        }
        let base = self.machine.memory().block(id).base;
        self.set_address(matching, block, base)?;
        self.take(matching, id, block)?;
        matching.blocks.insert(block, id);
        matching.pairs.push((block, id));
        Ok(())
    }

    fn take(
        &mut self,
        matching: &mut Matching,
        id: concrete::BlockId,
        block: BlockId,
    ) -> Result<(), Mismatch> {
        match matching.taken.insert(id) {
            true => Ok(()),
            false => Err(format!("{block} and another abstract block are one block")),
        }
    }

    fn set_address(
        &mut self,
        matching: &mut Matching,
        block: BlockId,
        base: u64,
    ) -> Result<(), Mismatch> {
        let address = self.reasoner.names.address(block);
        self.equation(matching, address, u128::from(base))
    }

    /// The term is worth so many bits, now or in the end.
    fn equation(
        &mut self,
        matching: &mut Matching,
        term: TermId,
        bits: u128,
    ) -> Result<(), Mismatch> {
        let sort = self.reasoner.names.terms.sort(term);
        let value = match sort {
            Sort::Boolean => Value::Boolean(bits != 0),
            Sort::BitVector(width) => Value::BitVector(BitVectorValue::new(bits, width)),
            Sort::Array { .. } => unreachable!("no value is an array"),
        };
        if self.is_known(matching, term) {
            let found = matching.values.evaluate(&self.reasoner.names.terms, term);
            return match found == value {
                true => Ok(()),
                false => Err(format!(
                    "{} is {found}, not {value}",
                    self.reasoner.names.terms.display(term)
                )),
            };
        }
        if matches!(self.reasoner.names.terms.node(term), Term::Variable(_)) {
            matching.values.set(term, value);
            return Ok(());
        }
        let formula = match value {
            Value::Boolean(true) => term,
            Value::Boolean(false) => self.reasoner.names.terms.not(term),
            Value::BitVector(value) => {
                let constant = self.reasoner.names.terms.bit_vector(value.bits(), value.width());
                self.reasoner.names.terms.equal(term, constant)
            }
            Value::Array(_) => unreachable!("no value is an array"),
        };
        matching.left.push(formula);
        Ok(())
    }

    /// Whether all variables of a term have a value.
    fn is_known(&self, matching: &Matching, term: TermId) -> bool {
        let variables = self.reasoner.names.terms.free_variables(&[term]);
        variables.iter().all(|&variable| matching.values.get(variable).is_some())
    }

    /// The condition, and what is left, by the values found or by the solver.
    fn finish(&mut self, mut matching: Matching) -> Result<Matching, Mismatch> {
        let lost = self.machine.memory().blocks().find(|(id, record)| {
            matching.is_whole && record.is_live_heap() && !matching.taken.contains(id)
        });
        if let Some((_, record)) = lost {
            return Err(format!("the block at {:#x} is in no part of the state", record.base));
        }
        self.obeys_spellings(&mut matching)?;
        let left = std::mem::take(&mut matching.left);
        let mut open = Vec::new();
        for formula in left.into_iter().chain(self.state.condition.iter().copied()) {
            if !self.is_known(&matching, formula) {
                open.push(formula);
            } else if !matching.values.satisfies(&self.reasoner.names.terms, formula) {
                return Err(format!(
                    "{} does not hold",
                    self.reasoner.names.terms.display(formula)
                ));
            }
        }
        if open.is_empty() {
            return Ok(matching);
        }
        let mut assumptions = open.clone();
        for variable in self.reasoner.names.terms.free_variables(&open) {
            if let Some(value) = matching.values.get(variable).cloned() {
                assumptions.push(match value {
                    Value::Boolean(true) => variable,
                    Value::Boolean(false) => self.reasoner.names.terms.not(variable),
                    Value::BitVector(value) => {
                        let constant =
                            self.reasoner.names.terms.bit_vector(value.bits(), value.width());
                        self.reasoner.names.terms.equal(variable, constant)
                    }
                    Value::Array(_) => unreachable!("no value is an array"),
                });
            }
        }
        let deadline = heapwright_solver::Deadline::never();
        match self.reasoner.services.solver.check(
            &self.reasoner.names.terms,
            &assumptions,
            &deadline,
        ) {
            CheckResult::Unsat(_) => Err("the solver finds no values for the rest".to_owned()),
            CheckResult::Sat(_) | CheckResult::Unknown(_) => Ok(matching),
        }
    }

    /// An address of the data model.
    fn masked(&self, address: u64) -> u64 {
        address & heapwright_program::mask(self.reasoner.names.pointer_bits()) as u64
    }
}

/// The bits that a term of some sort compares with: a pointer's block is not among them.
trait WideOf {
    fn wide_of(self, sort: Sort) -> u128;
}

impl WideOf for concrete::Value {
    fn wide_of(self, sort: Sort) -> u128 {
        match sort {
            Sort::BitVector(width) if width > 64 => self.wide(),
            Sort::BitVector(_) | Sort::Boolean | Sort::Array { .. } => u128::from(self.low),
        }
    }
}
