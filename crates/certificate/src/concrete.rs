//! Claims on a running machine: whether a concrete state is one that the claims allow.
//!
//! A [`Watch`] goes along with a run and remembers what a state does not show: which site a block
//! comes from, and how often loops were passed. Bytes that nobody has written fit every claim, and so
//! do those of blocks that have ended.

use std::collections::BTreeMap;

use heapwright_base::DenseId;
use heapwright_interpreter::Machine;
use heapwright_logic::{BitVectorValue, Model, Sort, TermId, Value as LogicValue};
use heapwright_memory::{BlockId, BlockKind, Life, Origin, Value};
use heapwright_program::analysis::Loops;
use heapwright_program::{EdgeId, FunctionId, LocationId, Operation, Program, VariableId};

use crate::claims::{Calls, Certificate, Claim, Leaf, ObjectKey, Part, Spot, Subject};

/// Whether claims allow a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contained {
    Yes,
    /// With the claim that does not hold.
    No(String),
    Open(String),
}

/// Blocks of one object that a claim is read for in one state.
const MOST_BLOCKS: usize = 32;

/// A loop that claims are made of.
#[derive(Debug)]
struct Watched {
    calls: Calls,
    function: FunctionId,
    head: LocationId,
    back_edges: Vec<EdgeId>,
    /// The loops around it, outermost first.
    around: Vec<usize>,
    /// Rounds since it was entered; none if it was not, in this round of the loops around.
    rounds: Option<u64>,
}

/// What a run has shown so far.
#[derive(Debug, Default)]
pub struct Watch {
    loops: Vec<Watched>,
    /// By frame of the certificate.
    loop_of: Vec<usize>,
    /// By a block's serial number: its object, and the block.
    made: BTreeMap<u64, (usize, BlockId)>,
    /// Whether the run was watched from the start of the program on; none before its first edge.
    is_whole: Option<bool>,
}

/// A leaf that has no value here.
enum Missing {
    /// It fits every claim.
    Free,
    Unknown(&'static str),
}

impl Watch {
    #[must_use]
    pub fn new(certificate: &Certificate, program: &Program) -> Watch {
        let mut watch = Watch::default();
        for frame in &certificate.frames {
            let key = &frame.key;
            let number = watch.watch(program, &key.calls, key.function, key.head);
            watch.loop_of.push(number);
        }
        watch
    }

    /// The loop's back edges, over which its claims are made.
    #[must_use]
    pub fn back_edges(&self, frame: usize) -> &[EdgeId] {
        &self.loops[self.loop_of[frame]].back_edges
    }

    /// A run begins somewhere.
    pub fn begin(&mut self) {
        self.made.clear();
        self.is_whole = None;
        self.loops.iter_mut().for_each(|it| it.rounds = None);
    }

    fn watch(
        &mut self,
        program: &Program,
        calls: &Calls,
        function: FunctionId,
        head: LocationId,
    ) -> usize {
        let is_it = |it: &Watched| it.function == function && it.head == head && it.calls == *calls;
        if let Some(known) = self.loops.iter().position(is_it) {
            return known;
        }
        let mut around = Vec::new();
        for (depth, &(caller, edge)) in calls.iter().enumerate() {
            let body = program.functions[caller].body.as_ref().expect("callers have bodies");
            let outer = calls[..depth].to_vec();
            around.extend(self.watch_around(
                program,
                &outer,
                caller,
                body.edges[edge].source,
                None,
            ));
        }
        around.extend(self.watch_around(program, calls, function, head, Some(head)));
        let body = program.functions[function].body.as_ref().expect("loops are in bodies");
        let loops = Loops::of(body);
        let item = loops.loops.iter().find(|item| item.head == head);
        let back_edges = item.map(|item| item.back_edges.clone()).unwrap_or_default();
        let calls = calls.clone();
        self.loops.push(Watched { calls, function, head, back_edges, around, rounds: None });
        self.loops.len() - 1
    }

    /// The loops around a location, but for one.
    fn watch_around(
        &mut self,
        program: &Program,
        calls: &Calls,
        function: FunctionId,
        location: LocationId,
        but: Option<LocationId>,
    ) -> Vec<usize> {
        let body = program.functions[function].body.as_ref().expect("loops are in bodies");
        let loops = Loops::of(body);
        let innermost = loops.innermost(location);
        let chain = std::iter::successors(innermost, |id| loops.loops[*id].parent);
        let heads = chain.map(|id| loops.loops[id].head).filter(|&head| Some(head) != but);
        let heads: Vec<LocationId> = heads.collect();
        heads.into_iter().rev().map(|head| self.watch(program, calls, function, head)).collect()
    }

    /// An edge was passed.
    pub fn observe(
        &mut self,
        certificate: &Certificate,
        machine: &Machine<'_>,
        (function, edge, depth): (FunctionId, EdgeId, usize),
    ) {
        let program = machine.program();
        let Some(body) = &program.functions[function].body else { return };
        let Some(item) = body.edges.get(edge) else { return };
        let is_first = depth == 1 && item.source == body.entry;
        self.is_whole.get_or_insert(is_first && program.functions[function].name == "main");
        if let Operation::Allocate { target, .. } = item.operation {
            self.allocated(certificate, machine, (function, edge, depth), target);
        }
        for number in 0..self.loops.len() {
            let watched = &self.loops[number];
            let is_head = watched.function == function
                && watched.head == item.target
                && machine.is_called_by(&watched.calls);
            if !is_head {
                continue;
            }
            let is_back = watched.back_edges.contains(&edge);
            let rounds = watched.rounds.map_or(0, |rounds| rounds + 1);
            self.loops[number].rounds = Some(if is_back { rounds } else { 0 });
            for inner in self.loops.iter_mut().filter(|it| it.around.contains(&number)) {
                inner.rounds = None;
            }
        }
    }

    fn allocated(
        &mut self,
        certificate: &Certificate,
        machine: &Machine<'_>,
        (function, edge, depth): (FunctionId, EdgeId, usize),
        target: VariableId,
    ) {
        let Some(block) = machine.variable(depth - 1, target).block() else { return };
        let is_it = |key: &ObjectKey| match key {
            ObjectKey::Site { calls, function: f, edge: e } => {
                (*f, *e) == (function, edge) && machine.is_called_by(calls)
            }
            ObjectKey::Static(_) | ObjectKey::Local { .. } | ObjectKey::Code(_) => false,
        };
        if let Some(object) = certificate.objects.iter().position(|object| is_it(&object.key)) {
            self.made.insert(machine.memory().block(block).serial, (object, block));
        }
    }

    /// The blocks of an object, latest first, as far as they are known.
    fn blocks(
        &self,
        certificate: &Certificate,
        machine: &Machine<'_>,
        object: usize,
    ) -> Vec<BlockId> {
        let claim = &certificate.objects[object];
        match &claim.key {
            ObjectKey::Static(id) => machine.object(0, *id).into_iter().collect(),
            ObjectKey::Local { calls, object: id } => {
                let has_frame = machine.frames().get(calls.len()).is_some_and(|frame| {
                    machine.program().objects[*id].function == Some(frame.function)
                });
                let block = has_frame.then(|| machine.object(calls.len(), *id)).flatten();
                block.into_iter().collect()
            }
            ObjectKey::Site { .. } => {
                let of_object = self.made.values().rev().filter(|(it, _)| *it == object);
                let most = if claim.is_many { MOST_BLOCKS } else { 1 };
                of_object.map(|&(_, block)| block).take(most).collect()
            }
            ObjectKey::Code(_) => Vec::new(),
        }
    }
}

impl Certificate {
    /// Whether the claims of a loop allow the state of a machine that has arrived at its head over a
    /// back edge.
    #[must_use]
    pub fn contains(&self, frame: usize, machine: &Machine<'_>, watch: &Watch) -> Contained {
        if watch.is_whole != Some(true) {
            return Contained::Open("the run was not watched from its start".to_owned());
        }
        let claims = &self.frames[frame];
        let around = &watch.loops[watch.loop_of[frame]].around;
        let is_reached = around.iter().zip(&claims.key.copies).all(|(&outer, &copy)| {
            watch.loops[outer].rounds.is_some_and(|rounds| rounds >= u64::from(copy))
        });
        // Claims about a later round of the loops around are not made yet.
        if around.len() != claims.key.copies.len() || !is_reached {
            return Contained::Yes;
        }
        let mut open = None;
        for claim in &claims.claims {
            match (Reading { certificate: self, machine, watch }).claim(claim) {
                Contained::Yes => {}
                Contained::No(text) => return Contained::No(text),
                Contained::Open(text) => open = Some(text),
            }
        }
        open.map_or(Contained::Yes, Contained::Open)
    }
}

/// The blocks that a claim is read for.
type Binding = BTreeMap<Spot, BlockId>;

/// A state that claims are read in.
struct Reading<'a, 'm> {
    certificate: &'a Certificate,
    machine: &'a Machine<'m>,
    watch: &'a Watch,
}

impl Reading<'_, '_> {
    fn claim(&self, claim: &Claim) -> Contained {
        let mut bindings: Vec<Binding> = vec![Binding::new()];
        for &spot in &claim.about {
            let blocks = self.watch.blocks(self.certificate, self.machine, spot.object);
            let mut further = Vec::new();
            for binding in &bindings {
                for &block in &blocks {
                    let mut binding = binding.clone();
                    binding.insert(spot, block);
                    further.push(binding);
                }
            }
            further.truncate(MOST_BLOCKS * MOST_BLOCKS);
            bindings = further;
        }
        for binding in bindings {
            match self.holds(claim, &binding) {
                Ok(true) | Err(Missing::Free) => {}
                Ok(false) => {
                    let blocks: Vec<String> = binding.values().map(BlockId::to_string).collect();
                    return Contained::No(format!("{} {}", claim.text, blocks.join(" ")));
                }
                Err(Missing::Unknown(why)) => return Contained::Open(why.to_owned()),
            }
        }
        Contained::Yes
    }

    fn holds(&self, claim: &Claim, binding: &Binding) -> Result<bool, Missing> {
        let terms = &self.certificate.terms;
        let mut model = Model::new();
        for (variable, leaf) in &claim.leaves {
            let value = match terms.sort(*variable) {
                Sort::Boolean => LogicValue::Boolean(self.repeated(leaf)?),
                Sort::BitVector(width) => {
                    LogicValue::BitVector(BitVectorValue::new(self.leaf(leaf, binding)?, width))
                }
                Sort::Array { .. } => unreachable!("a leaf is a number or a truth value"),
            };
            model.set(*variable, value);
        }
        let holds = model.evaluate(terms, claim.formula);
        Ok(claim.formula == TermId::TRUE || holds.as_boolean())
    }

    fn repeated(&self, leaf: &Leaf) -> Result<bool, Missing> {
        let Leaf::Repeated(frame) = leaf else {
            return Err(Missing::Unknown("a truth value of another kind"));
        };
        // With more rounds at a time, one run is seen in several ways.
        if self.certificate.rounds > 1 {
            return Err(Missing::Unknown(
                "whether a loop was passed, in proofs over several rounds",
            ));
        }
        let watched = &self.watch.loops[self.watch.loop_of[*frame]];
        Ok(watched.rounds.is_some_and(|rounds| rounds > 0))
    }

    fn leaf(&self, leaf: &Leaf, binding: &Binding) -> Result<u128, Missing> {
        match leaf {
            Leaf::Repeated(_) => self.repeated(leaf).map(u128::from),
            Leaf::Latest(object) => {
                let blocks = self.watch.blocks(self.certificate, self.machine, *object);
                blocks.first().map(|block| block.index() as u128).ok_or(Missing::Free)
            }
            Leaf::Witness(spot) => Ok(binding[spot].index() as u128),
            Leaf::Part { subject, part } => {
                let (value, is_pointer) = self.value(subject, binding)?;
                if is_pointer { self.part(value, *part) } else { Ok(value.wide()) }
            }
        }
    }

    fn value(&self, subject: &Subject, binding: &Binding) -> Result<(Value, bool), Missing> {
        let program = self.machine.program();
        let is_pointer = |variable: VariableId| program.variables[variable].scalar.is_pointer();
        match *subject {
            Subject::Global(variable) => {
                Ok((self.machine.variable(0, variable), is_pointer(variable)))
            }
            Subject::Variable { depth, variable } => {
                let frames = self.machine.frames();
                let is_there = frames
                    .get(depth)
                    .is_some_and(|it| program.variables[variable].function == Some(it.function));
                if !is_there {
                    return Err(Missing::Unknown("a variable of a call that is over"));
                }
                Ok((self.machine.variable(depth, variable), is_pointer(variable)))
            }
            Subject::Field { of, offset, bytes, is_pointer } => {
                self.read(binding[&of], offset, bytes, is_pointer)
            }
            Subject::Element { of, bytes, is_pointer } => {
                self.read(binding[&of], 0, bytes, is_pointer)
            }
            Subject::Ended { of } => {
                let life = self.machine.memory().block(binding[&of]).life;
                Ok((Value::from_low(u64::from(life != Life::Alive)), false))
            }
        }
    }

    fn read(
        &self,
        block: BlockId,
        offset: u64,
        bytes: u64,
        is_pointer: bool,
    ) -> Result<(Value, bool), Missing> {
        let memory = self.machine.memory();
        let start = memory.pointer_to(block);
        let at = Value { low: start.low.wrapping_add(offset), ..start };
        let value = if is_pointer {
            memory.plain_load_pointer(at)
        } else {
            let word = match bytes {
                1 => memory.plain_load::<1>(at),
                2 => memory.plain_load::<2>(at),
                4 => memory.plain_load::<4>(at),
                8 => memory.plain_load::<8>(at),
                _ => None,
            };
            word.map(Value::from_low)
        };
        Ok((value.ok_or(Missing::Free)?, is_pointer))
    }

    fn part(&self, pointer: Value, part: Part) -> Result<u128, Missing> {
        let Some(block) = pointer.block() else {
            return Ok(match part {
                Part::Object => 0,
                Part::Block => u128::from(pointer.low >> 32),
                Part::Bits | Part::Offset => u128::from(pointer.low),
            });
        };
        match part {
            Part::Bits => Ok(u128::from(pointer.low)),
            Part::Block => Ok(block.index() as u128),
            Part::Offset => {
                let base = self.machine.memory().block(block).base;
                Ok(u128::from(pointer.low.wrapping_sub(base)))
            }
            Part::Object => {
                let object = self.object_of(block)?;
                Ok(object as u128 + 1)
            }
        }
    }

    /// The object of a block, by its place in the certificate.
    fn object_of(&self, block: BlockId) -> Result<usize, Missing> {
        let record = self.machine.memory().block(block);
        let objects = &self.certificate.objects;
        let position = |is_it: &dyn Fn(&ObjectKey) -> bool| {
            objects.iter().position(|object| is_it(&object.key))
        };
        let found = match (record.origin, record.kind) {
            (Origin::Function(function), _) => position(&|key| *key == ObjectKey::Code(function)),
            (Origin::Object(object), BlockKind::Static | BlockKind::String) => {
                position(&|key| *key == ObjectKey::Static(object))
            }
            (Origin::Object(_), BlockKind::Stack | BlockKind::Heap | BlockKind::Function) => {
                (0..objects.len()).find(|&it| {
                    matches!(objects[it].key, ObjectKey::Local { .. })
                        && self.watch.blocks(self.certificate, self.machine, it).contains(&block)
                })
            }
            (Origin::Anonymous, _) => self.watch.made.get(&record.serial).map(|&(it, _)| it),
        };
        found.ok_or(Missing::Unknown("a block of unknown origin"))
    }
}
