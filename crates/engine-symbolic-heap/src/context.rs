//! What all states share: the program, the terms, the solver, the address variables.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_base::{DenseId, IdVec};
use heapwright_engine::Task;
use heapwright_logic::{Sort, TermId, Terms};
use heapwright_program::analysis::Liveness;
use heapwright_program::{
    Body, DataModel, EdgeId, FunctionId, LocationId, Program, ScalarType, VariableId, VariableKind,
};
use heapwright_solver::{ExternalError, Solver};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::abstraction::numbers::join::{landmarks, named_constants};
use crate::analysis::abstraction_points::Meetings;
use crate::execution::locate::Oracle;
use crate::heap::block::{BlockId, Origin};
use crate::heap::prototype::{Neighbours, Whose, is_closed_stand_in, is_stand_in};
use crate::heap::state::State;
use crate::heap::trail::Trails;
use crate::proof::evidence::SecondReading;
use crate::settings::Settings;
use crate::statistics::Statistics;
use crate::summary::list::links::KnownLists;
use crate::summary::tree::KnownTrees;

/// What different constants in nodes are taken for. They may be marks by which a program tells its
/// nodes apart, or just numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marks {
    /// Nodes with different constants are not in one segment: their order is kept.
    Apart,
    /// They are different kinds of node of one segment.
    Kinds,
    /// They are numbers in a range.
    Numbers,
    /// Nodes with different constants are not in one segment, unless two neighbours always come
    /// together and are one element of it.
    Elements,
    /// They are different kinds of node of one segment, which knows which kinds may follow which.
    Sequences,
}

/// What becomes of a node of a tree to which a variable points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cursors {
    /// It is the root of all that is below it, and what is known of its links is forgotten.
    Folded,
    /// It stays a single node if it is one and a link of it is null, or leads to a single node: a
    /// program may have looked for that, to put something there.
    Apart,
}

/// Whether segments tell how their nodes are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sorting {
    Unseen,
    Seen,
}

/// Calls by which blocks of different origin are told apart: enough for a wrapped allocator.
const CALLS_OF_ORIGIN: usize = 4;

pub(crate) struct Context<'t> {
    pub(crate) task: &'t Task,
    pub(crate) settings: &'t Settings,
    pub(crate) terms: Terms,
    pub(crate) solver: Solver,
    /// Why the solver is not asked any more.
    pub(crate) solver_failure: Option<ExternalError>,
    pub(crate) oracle: Oracle,
    pub(crate) solver_deadline: heapwright_solver::Deadline,
    pub(crate) statistics: Statistics,
    /// The address variable of each block number.
    addresses: Vec<TermId>,
    origins: FxHashMap<Vec<(FunctionId, LocationId)>, Origin>,
    stand_in_addresses: FxHashMap<BlockId, TermId>,
    pub(crate) blocks_of_addresses: FxHashMap<TermId, BlockId>,
    /// Addresses and numbers that stand for those of each node, in closed kinds.
    pub(crate) stand_ins: FxHashSet<TermId>,
    /// What stands for links to neighbours, in kinds and fragments.
    pub(crate) links: FxHashSet<TermId>,
    pub(crate) neighbours: FxHashMap<(Whose, u32), Neighbours>,
    pub(crate) pointers: FxHashMap<TermId, Option<(BlockId, TermId)>>,
    /// The slot of each variable in its function's registers, or among the globals.
    slots: IdVec<VariableId, u32>,
    slot_counts: IdVec<FunctionId, u32>,
    pub(crate) global_count: usize,
    outgoing: IdVec<FunctionId, Option<IdVec<LocationId, Vec<EdgeId>>>>,
    loop_heads: IdVec<FunctionId, Vec<bool>>,
    joins: IdVec<FunctionId, Vec<bool>>,
    liveness: IdVec<FunctionId, Option<Liveness>>,
    variables: IdVec<FunctionId, Option<Arc<Vec<VariableId>>>>,
    fresh: u32,
    pub(crate) marks: Marks,
    /// Whether anything came of what marks are taken for, or would have come of it in a later way.
    marks_matter: Cell<bool>,
    pub(crate) meetings: Meetings,
    /// The most states that arrived from one.
    pub(crate) widest: usize,
    pub(crate) trails: Trails,
    /// Branches that some state has passed.
    pub(crate) passed: BTreeSet<(FunctionId, EdgeId)>,
    /// A second reading of the invariants that are checked, if there is one.
    pub(crate) second: Option<SecondReading<'t>>,
    pub(crate) cursors: Cursors,
    pub(crate) sorting: Sorting,
    /// Functions whose calls are cut off, if any are: with summaries only.
    pub(crate) recursive: Option<IdVec<FunctionId, bool>>,
    /// Functions whose calls are cut shallowly.
    pub(crate) shallow: BTreeSet<FunctionId>,
    pub(crate) trees: KnownTrees,
    /// Places whose blocks were nodes of one list.
    pub(crate) lists: KnownLists,
    /// Numbers that bounds are widened to.
    pub(crate) landmarks: Vec<i128>,
    pub(crate) named_constants: FxHashSet<i128>,
}

impl<'t> Context<'t> {
    pub(crate) fn new(
        task: &'t Task,
        settings: &'t Settings,
        solver_deadline: heapwright_solver::Deadline,
    ) -> Context<'t> {
        let program = &task.program;
        let mut slot_counts: IdVec<FunctionId, u32> = IdVec::filled(0, program.functions.len());
        let mut global_count = 0;
        let slots = program
            .variables
            .iter()
            .map(|variable| {
                let count = match variable.function {
                    Some(function) => &mut slot_counts[function],
                    None => &mut global_count,
                };
                *count += 1;
                *count - 1
            })
            .collect();
        let outgoing =
            program.functions.iter().map(|f| f.body.as_ref().map(Body::outgoing)).collect();
        let loop_heads = program.functions.iter().map(loop_heads).collect();
        Context {
            task,
            settings,
            terms: Terms::new(),
            solver: settings.solver.solver(),
            solver_failure: None,
            oracle: Oracle::new(settings),
            solver_deadline,
            statistics: Statistics::default(),
            addresses: Vec::new(),
            origins: FxHashMap::default(),
            stand_in_addresses: FxHashMap::default(),
            blocks_of_addresses: FxHashMap::default(),
            stand_ins: FxHashSet::default(),
            links: FxHashSet::default(),
            neighbours: FxHashMap::default(),
            pointers: FxHashMap::default(),
            slots,
            slot_counts,
            global_count: global_count as usize,
            outgoing,
            loop_heads,
            joins: program.functions.iter().map(joins).collect(),
            liveness: IdVec::filled(None, program.functions.len()),
            variables: IdVec::filled(None, program.functions.len()),
            fresh: 0,
            marks: Marks::Numbers,
            marks_matter: Cell::new(false),
            meetings: Meetings::default(),
            widest: 0,
            trails: Trails::default(),
            passed: BTreeSet::new(),
            second: None,
            cursors: Cursors::Folded,
            sorting: Sorting::Unseen,
            recursive: None,
            shallow: BTreeSet::new(),
            trees: KnownTrees::default(),
            lists: KnownLists::default(),
            landmarks: landmarks(program),
            named_constants: named_constants(program),
        }
    }

    /// An answer that depends on what marks are taken for; it is remembered whether any was yes.
    pub(crate) fn by_marks(&self, answer: bool) -> bool {
        if answer {
            self.marks_matter.set(true);
        }
        answer
    }

    /// Whether another way to treat marks, as single numbers or as kinds, may give another result.
    pub(crate) fn do_marks_matter(&self) -> bool {
        self.marks_matter.get()
    }

    pub(crate) fn program(&self) -> &'t Program {
        &self.task.program
    }

    pub(crate) fn model(&self) -> DataModel {
        self.task.program.model
    }

    pub(crate) fn pointer_bits(&self) -> u32 {
        8 * self.model().pointer_size() as u32
    }

    pub(crate) fn slot(&self, variable: VariableId) -> usize {
        self.slots[variable] as usize
    }

    pub(crate) fn is_global(&self, variable: VariableId) -> bool {
        matches!(self.program().variables[variable].kind, VariableKind::Global { .. })
    }

    pub(crate) fn slot_count(&self, function: FunctionId) -> usize {
        self.slot_counts[function] as usize
    }

    pub(crate) fn outgoing(&self, function: FunctionId, location: LocationId) -> &[EdgeId] {
        match &self.outgoing[function] {
            Some(edges) => &edges[location],
            None => &[],
        }
    }

    pub(crate) fn is_loop_head(&self, function: FunctionId, location: LocationId) -> bool {
        self.loop_heads[function].get(location.index()).copied().unwrap_or(false)
    }

    /// Whether several edges lead to a location.
    pub(crate) fn is_join(&self, function: FunctionId, location: LocationId) -> bool {
        self.joins[function].get(location.index()).copied().unwrap_or(false)
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
        let next = Origin::from_index(self.origins.len());
        *self.origins.entry(calls).or_insert(next)
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

    /// Whether the lowering's own variable may still be read at a location.
    pub(crate) fn is_live(
        &mut self,
        function: FunctionId,
        location: LocationId,
        variable: VariableId,
    ) -> bool {
        let program = self.program();
        self.liveness[function]
            .get_or_insert_with(|| Liveness::of(program, function))
            .is_live(location, variable)
    }

    /// The variables of a function, in the order of their slots.
    pub(crate) fn variables_of(&mut self, function: FunctionId) -> Arc<Vec<VariableId>> {
        let program = self.program();
        Arc::clone(self.variables[function].get_or_insert_with(|| {
            let own = program.variables.enumerated();
            Arc::new(own.filter(|(_, v)| v.function == Some(function)).map(|(id, _)| id).collect())
        }))
    }

    pub(crate) fn edge(&self, function: FunctionId, edge: EdgeId) -> &'t heapwright_program::Edge {
        let body = self.task.program.functions[function].body.as_ref().expect("a body");
        &body.edges[edge]
    }
}

/// Targets of edges that go back, in a depth-first walk: every cycle has one.
fn loop_heads(function: &heapwright_program::Function) -> Vec<bool> {
    let Some(body) = &function.body else { return Vec::new() };
    let outgoing = body.outgoing();
    let mut heads = vec![false; body.location_count];
    // 0 new, 1 on the stack, 2 done.
    let mut colour = vec![0u8; body.location_count];
    let mut stack = vec![(body.entry, 0usize)];
    colour[body.entry.index()] = 1;
    while let Some((location, next)) = stack.pop() {
        let edges = &outgoing[location];
        if let Some(&edge) = edges.get(next) {
            stack.push((location, next + 1));
            let target = body.edges[edge].target;
            match colour[target.index()] {
                0 => {
                    colour[target.index()] = 1;
                    stack.push((target, 0));
                }
                1 => heads[target.index()] = true,
                _ => {}
            }
        } else {
            colour[location.index()] = 2;
        }
    }
    heads
}

/// Targets of several edges.
fn joins(function: &heapwright_program::Function) -> Vec<bool> {
    let Some(body) = &function.body else { return Vec::new() };
    let mut counts = vec![0u32; body.location_count];
    for edge in body.edges.iter() {
        counts[edge.target.index()] += 1;
    }
    counts.into_iter().map(|count| count > 1).collect()
}
