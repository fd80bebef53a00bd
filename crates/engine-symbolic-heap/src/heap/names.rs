//! Names: the terms, and which of them stand for blocks, numbers and neighbours.
//!
//! A block has an address variable, by its number. In prototypes, blocks, numbers and links have names
//! of their own ([`crate::heap::prototype`]), which no state gives out.

use std::cell::Cell;
use std::sync::Arc;

use heapwright_base::DenseId;
use heapwright_engine::{Reason, Task};
use heapwright_logic::{Sort, TermId, Terms};
use heapwright_program::{DataModel, FunctionId, LocationId, Program, ScalarType};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::heap::block::{BlockId, Origin};
use crate::heap::prototype::{Neighbours, Whose, is_closed_stand_in, is_stand_in};
use crate::heap::state::State;
use crate::program_facts::ProgramFacts;

/// Calls by which blocks of different origin are told apart: enough for a wrapped allocator.
const CALLS_OF_ORIGIN: usize = 4;

/// The terms of all states, and what their variables name.
pub(crate) struct Names<'t> {
    pub(crate) facts: Arc<ProgramFacts<'t>>,
    pub(crate) terms: Terms,
    /// The state at the start of the program, or why there is none.
    pub(crate) start: Result<Arc<State>, Reason>,
    /// The address variable of each block number.
    addresses: Vec<TermId>,
    origins: FxHashMap<Vec<(FunctionId, LocationId)>, Origin>,
    /// The innermost call of each origin.
    sites: Vec<Option<(FunctionId, LocationId)>>,
    /// Whether blocks that one operation makes for different callers are told apart.
    pub(crate) tells_callers: bool,
    /// Whether any were not.
    has_mixed_callers: Cell<bool>,
    stand_in_addresses: FxHashMap<BlockId, TermId>,
    pub(crate) blocks_of_addresses: FxHashMap<TermId, BlockId>,
    /// Addresses and numbers that stand for those of each node, in closed prototypes.
    pub(crate) stand_ins: FxHashSet<TermId>,
    /// What stands for links to neighbours, in prototypes and fragments.
    pub(crate) links: FxHashSet<TermId>,
    pub(crate) neighbours: FxHashMap<(Whose, u32), Neighbours>,
    /// What stands for elements in laws, and for their places.
    pub(crate) words_of_laws: FxHashSet<TermId>,
    pub(crate) pointers: FxHashMap<TermId, Option<(BlockId, TermId)>>,
    fresh: u32,
}

impl<'t> Names<'t> {
    pub(crate) fn new(facts: Arc<ProgramFacts<'t>>) -> Names<'t> {
        Names {
            facts,
            terms: Terms::new(),
            start: Err(Reason::new("the program has no start")),
            addresses: Vec::new(),
            origins: FxHashMap::default(),
            sites: Vec::new(),
            tells_callers: false,
            has_mixed_callers: Cell::new(false),
            stand_in_addresses: FxHashMap::default(),
            blocks_of_addresses: FxHashMap::default(),
            stand_ins: FxHashSet::default(),
            links: FxHashSet::default(),
            neighbours: FxHashMap::default(),
            words_of_laws: FxHashSet::default(),
            pointers: FxHashMap::default(),
            fresh: 0,
        }
    }

    /// What is asked of the program.
    pub(crate) fn task(&self) -> &'t Task {
        self.facts.task
    }

    pub(crate) fn program(&self) -> &'t Program {
        self.facts.program
    }

    pub(crate) fn model(&self) -> DataModel {
        self.facts.model()
    }

    pub(crate) fn pointer_bits(&self) -> u32 {
        8 * self.model().pointer_size() as u32
    }

    /// A variable that occurs nowhere yet.
    pub(crate) fn fresh(&mut self, prefix: &str, width: u32) -> TermId {
        self.fresh_of(prefix, Sort::BitVector(width))
    }

    /// A truth value that occurs nowhere yet.
    pub(crate) fn fresh_truth(&mut self, prefix: &str) -> TermId {
        self.fresh_of(prefix, Sort::Boolean)
    }

    fn fresh_of(&mut self, prefix: &str, sort: Sort) -> TermId {
        self.fresh += 1;
        let name = format!("{prefix}.{}", self.fresh);
        self.terms.new_variable(&name, sort)
    }

    /// The address variable of a block.
    pub(crate) fn address(&mut self, block: BlockId) -> TermId {
        if is_stand_in(block) {
            return self.stand_in_address(block);
        }
        while self.addresses.len() <= block.index() {
            let id = BlockId::from_index(self.addresses.len());
            let sort = Sort::BitVector(self.pointer_bits());
            let term = self.terms.variable(&format!("address.{}", id.index()), sort);
            self.addresses.push(term);
            self.blocks_of_addresses.insert(term, id);
        }
        self.addresses[block.index()]
    }

    /// Keeps a name of a text from being given to a new variable.
    pub(crate) fn reserve(&mut self, name: &str) {
        if let Some((_, number)) = name.rsplit_once('.')
            && let Ok(number) = number.parse()
        {
            self.fresh = self.fresh.max(number);
        }
    }

    /// How many block numbers have an address so far.
    pub(crate) fn address_count(&self) -> u32 {
        self.addresses.len() as u32
    }

    /// The calls of an origin, the innermost first.
    pub(crate) fn calls_of(&self, origin: Origin) -> Vec<(FunctionId, LocationId)> {
        let calls = self.origins.iter().find(|(_, known)| **known == origin);
        calls.map(|(calls, _)| calls.clone()).unwrap_or_default()
    }

    pub(crate) fn origin_of_calls(&mut self, calls: Vec<(FunctionId, LocationId)>) -> Origin {
        if let Some(&known) = self.origins.get(&calls) {
            return known;
        }
        let origin = Origin::from_index(self.origins.len());
        self.sites.push(calls.first().copied());
        self.origins.insert(calls, origin);
        origin
    }

    /// Whether blocks of two origins are made by the same operation, whoever calls for it.
    pub(crate) fn are_made_alike(&self, one: Origin, other: Origin) -> bool {
        let site = |origin: Origin| self.sites[origin.index()];
        if one == other {
            return true;
        }
        let is_one_operation = site(one).is_some() && site(one) == site(other);
        let are_alike = is_one_operation && !self.tells_callers;
        self.has_mixed_callers.set(self.has_mixed_callers.get() || are_alike);
        are_alike
    }

    /// Whether blocks of an origin take the place of others, as arrays do that grow.
    pub(crate) fn replaces(&self, origin: Origin) -> bool {
        let site = self.sites.get(origin.index()).copied().flatten();
        site.is_some_and(|(function, _)| self.facts.layout.replaces(function))
    }

    /// Whether it mattered that blocks of different callers are not told apart.
    pub(crate) fn has_mixed_callers(&self) -> bool {
        self.has_mixed_callers.get()
    }

    /// Where a state is now: its innermost calls.
    pub(crate) fn origin(&mut self, state: &State) -> Origin {
        let calls: Vec<(FunctionId, LocationId)> = state
            .frames
            .iter()
            .rev()
            .take(CALLS_OF_ORIGIN)
            .map(|frame| (frame.function, frame.location))
            .collect();
        self.origin_of_calls(calls)
    }

    fn stand_in_address(&mut self, block: BlockId) -> TermId {
        if let Some(&term) = self.stand_in_addresses.get(&block) {
            return term;
        }
        let sort = Sort::BitVector(self.pointer_bits());
        let term = self.terms.variable(&format!("address.{}", block.index()), sort);
        self.stand_in_addresses.insert(block, term);
        self.blocks_of_addresses.insert(term, block);
        if is_closed_stand_in(block) {
            self.stand_ins.insert(term);
        }
        term
    }

    /// Bits of a scalar as a bit-vector; a `bool` is a byte there.
    pub(crate) fn bits(&self, ty: ScalarType) -> u32 {
        match ty {
            ScalarType::Bool => 8,
            other => other.value_bits(self.model()),
        }
    }
}
