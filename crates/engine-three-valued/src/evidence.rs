//! Evidence: whether the state of a running machine is one that a certificate describes.
//!
//! The certificate is read from its text. The machine's blocks become a two-valued structure in which
//! every predicate has the value of its definition, so that no update and no rule is trusted here.

use heapwright_engine::{CutId, CutPoint, Evidence, Membership, Task};
use heapwright_interpreter::Machine;
use heapwright_memory::{BlockId, Value};
use heapwright_program::{FunctionId, ScalarType};
use heapwright_three_valued::class::{Instance, Library};
use heapwright_three_valued::{
    BinaryId, Kleene, MOST_NODES, NULL, Node, Row, Structure, UnaryId, WILD, blur, describes,
    embeds_within,
};

use crate::certificate;
use crate::model::Atlas;
use crate::precision::Field;
use crate::state::{Pointer, Slot, State};

/// Ways to send blocks to nodes that are tried, where names do not say where they belong.
const MOST_TRIES: u64 = 20_000;

/// What a proof claims of the states at cut points.
#[derive(Debug)]
pub(crate) struct ShapeEvidence {
    instance: Instance,
    links: Vec<(Field, BinaryId)>,
    marks: Vec<(u64, UnaryId)>,
    tracked: Vec<(Slot, UnaryId)>,
    cut_points: Vec<CutPoint>,
    /// The states of each cut point.
    states: Vec<Vec<State>>,
}

impl ShapeEvidence {
    /// `None` when the certificate cannot be read: then nothing is claimed.
    pub(crate) fn of(text: &str, task: &Task, library: &Library) -> Option<ShapeEvidence> {
        let atlas = Atlas::of(task);
        let certificate = certificate::read(text, &atlas, library).ok()?;
        let model = certificate.model;
        let sizes = model.precision.sizes.iter().copied();
        let mut evidence = ShapeEvidence {
            links: model.links().collect(),
            marks: sizes.zip(model.instance.marks.iter().copied()).collect(),
            tracked: model.tracked().collect(),
            instance: model.instance.clone(),
            cut_points: Vec::new(),
            states: Vec::new(),
        };
        for state in certificate.reached.into_values().flatten() {
            let name = &task.program.functions[state.function].name;
            let cut = CutPoint {
                function: state.function,
                location: state.location,
                callers: Some(state.calls.clone()),
                over: Vec::new(),
                name: format!("{} of `{name}`", state.location),
            };
            match evidence.cut_points.iter().position(|known| *known == cut) {
                Some(known) => evidence.states[known].push(state),
                None => {
                    evidence.cut_points.push(cut);
                    evidence.states.push(vec![state]);
                }
            }
        }
        Some(evidence)
    }
}

impl Evidence for ShapeEvidence {
    fn cut_points(&self) -> &[CutPoint] {
        &self.cut_points
    }

    fn contains(&mut self, cut: CutId, machine: &Machine<'_>) -> Membership {
        let view = View::of(self, machine);
        if view.blocks.len() + 2 > MOST_NODES {
            return Membership::Unclear("more blocks than a structure has room for".to_owned());
        }
        let mut is_unclear = false;
        for state in &self.states[cut] {
            match view.is_described(state) {
                Kleene::True => return Membership::In,
                Kleene::Half => is_unclear = true,
                Kleene::False => {}
            }
        }
        match is_unclear {
            true => Membership::Unclear("too many ways to send blocks to nodes".to_owned()),
            false => Membership::Out("no structure of the certificate describes it".to_owned()),
        }
    }
}

/// A machine as a certificate sees it.
struct View<'v, 'e> {
    evidence: &'v ShapeEvidence,
    machine: &'v Machine<'e>,
    /// The heap blocks that are alive; the first is node 2.
    blocks: Vec<BlockId>,
    functions: Vec<FunctionId>,
}

impl<'v, 'e> View<'v, 'e> {
    fn of(evidence: &'v ShapeEvidence, machine: &'v Machine<'e>) -> View<'v, 'e> {
        let blocks = machine.memory().live_heap().map(|(id, _)| id).collect();
        let functions = machine.frames().into_iter().map(|frame| frame.function).collect();
        View { evidence, machine, blocks, functions }
    }

    /// Half: not decided.
    fn is_described(&self, state: &State) -> Kleene {
        let mut heads: Vec<(Slot, Node)> = Vec::new();
        for (slot, pointer) in &state.pointers {
            match self.slot(*slot) {
                Some(value) if self.fits(value, *pointer) => {
                    let node = value.block().and_then(|block| self.node(block));
                    let leads = matches!(pointer, Pointer::Block { .. });
                    heads.extend(node.filter(|_| leads).map(|node| (*slot, node)));
                }
                Some(_) => return Kleene::False,
                // Nothing there to look at.
                None => {}
            }
        }
        let is_equal = |(variable, bits): (&_, &u128)| {
            let frame = self.frame_of(*variable);
            frame.is_none_or(|frame| self.machine.variable(frame, *variable).wide() == *bits)
        };
        if !state.numbers.iter().all(is_equal) {
            return Kleene::False;
        }
        match self.structure(&heads) {
            Some(heap) => self.embeds(&heap, &state.heap),
            None => Kleene::False,
        }
    }

    /// The heap as a structure; `None` when a block or a link is of no kind that the certificate knows.
    fn structure(&self, heads: &[(Slot, Node)]) -> Option<Structure> {
        let evidence = self.evidence;
        let mut heap = Structure::new(&evidence.instance.vocabulary, self.blocks.len());
        for (slot, pointer) in &evidence.tracked {
            let head = heads.iter().find(|(known, _)| known == slot);
            heap.set_unary(*pointer, head.map_or(NULL, |(_, node)| *node), Kleene::True);
        }
        for (index, block) in self.blocks.iter().enumerate() {
            let record = self.machine.memory().block(*block);
            let mark = evidence.marks.iter().find(|(size, _)| *size == record.size)?;
            heap.set_unary(mark.1, index + 2, Kleene::True);
            for (field, link) in &evidence.links {
                let universe = heap.universe();
                let one = match field.size == record.size {
                    true => self.leads_to(*block, field.offset)?,
                    false => 1 << NULL,
                };
                let zero = if one.count_ones() > 1 { universe } else { universe & !one };
                heap.set_binary_row(*link, index + 2, Row { one, zero });
            }
        }
        evidence.instance.define(&mut heap);
        Some(heap)
    }

    /// The nodes that a word may lead to; `None` for the middle of a block, where no link leads.
    fn leads_to(&self, block: BlockId, offset: u64) -> Option<u64> {
        let memory = self.machine.memory();
        let address = memory.block(block).base + offset;
        let Some(word) = memory.plain_load_pointer(Value::pointer(address, block)) else {
            // Not initialised: whatever is drawn when it is read.
            return Some(1 << NULL | 1 << WILD);
        };
        if word.low == 0 {
            return Some(1 << NULL);
        }
        let target = word.block().and_then(|id| Some((id, self.node(id)?)));
        match target {
            None => Some(1 << WILD),
            Some((id, node)) if memory.block(id).base == word.low => Some(1 << node),
            Some(_) => None,
        }
    }

    fn embeds(&self, heap: &Structure, known: &Structure) -> Kleene {
        let vocabulary = &self.evidence.instance.vocabulary;
        if describes(known, &blur(heap, vocabulary), vocabulary) {
            return Kleene::True;
        }
        embeds_within(heap, known, MOST_TRIES).map_or(Kleene::Half, Kleene::from)
    }

    fn node(&self, block: BlockId) -> Option<Node> {
        self.blocks.iter().position(|known| *known == block).map(|index| index + 2)
    }

    fn frame_of(&self, variable: heapwright_program::VariableId) -> Option<usize> {
        match self.machine.program().variables[variable].function {
            None => Some(0),
            Some(function) => self.functions.iter().position(|known| *known == function),
        }
    }

    /// The pointer in a slot; `None` for one that is not there or not initialised.
    fn slot(&self, slot: Slot) -> Option<Value> {
        match slot {
            Slot::Variable(variable) => {
                let frame = self.frame_of(variable)?;
                let scalar = self.machine.program().variables[variable].scalar;
                let is_pointer = scalar == ScalarType::Pointer;
                is_pointer.then(|| self.machine.variable(frame, variable))
            }
            Slot::Cell(object, offset) => {
                let owner = self.machine.program().objects[object].function;
                let frame = owner.and_then(|it| self.functions.iter().position(|f| *f == it));
                let block = self.machine.object(frame.unwrap_or(0), object)?;
                let address = self.machine.memory().block(block).base + offset;
                self.machine.memory().plain_load_pointer(Value::pointer(address, block))
            }
        }
    }

    /// Whether a value is what the certificate says of its slot.
    fn fits(&self, value: Value, pointer: Pointer) -> bool {
        let memory = self.machine.memory();
        let offset = |block: BlockId| value.low.wrapping_sub(memory.block(block).base) as i64;
        let heap_block = value.block().filter(|block| self.node(*block).is_some());
        match pointer {
            Pointer::Unknown => true,
            Pointer::Null => value.low == 0,
            Pointer::Wild => value.low != 0,
            Pointer::Block { offset: wanted, .. } => {
                heap_block.is_some_and(|block| offset(block) == wanted)
            }
            Pointer::Object { object, offset: wanted } => {
                let owner = self.machine.program().objects[object].function;
                let frame = owner.and_then(|it| self.functions.iter().position(|f| *f == it));
                let block = self.machine.object(frame.unwrap_or(0), object);
                block.is_some_and(|block| value.block() == Some(block) && offset(block) == wanted)
            }
            Pointer::Function(_) => heap_block.is_none() && value.low != 0,
        }
    }
}
