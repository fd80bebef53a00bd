//! Forests: a state of the program whose heap is some blocks and some trees, all apart from each other.
//!
//! A block is *open*, its cells are listed, or *closed*: it is the top of a tree of some automaton. All blocks
//! of the heap are there, each once, unless the forest says that blocks may be lost.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_base::{DenseId, define_id};
use heapwright_program::{EdgeId, FunctionId, LocationId, ObjectId, VariableId};

use crate::automaton::{Automaton, Cell, Known, Parameter, StateId, Value};

define_id!(
    /// A block that has a name in a forest.
    BlockId,
    "b"
);

/// What pointers of a forest lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    Block(BlockId),
    /// What a block in a hole is told where the link to it is.
    Up(BlockId, usize),
}

pub type Cells = BTreeMap<u64, Cell<Value<Base>>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    Open { size: u64, sort: u32, cells: Cells },
    Closed { automaton: Arc<Automaton>, state: StateId, arguments: Vec<Value<Base>> },
}

/// Where an execution is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The calls under way, outermost first, by the edges of the callers. No function is called twice.
    pub calls: Vec<(FunctionId, EdgeId)>,
    pub function: FunctionId,
    pub location: LocationId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forest {
    pub spot: Spot,
    pub blocks: BTreeMap<BlockId, Body>,
    /// A variable that is not listed holds anything.
    pub variables: BTreeMap<VariableId, Value<Base>>,
    /// The objects that are alive, and what is known of their cells.
    pub objects: BTreeMap<ObjectId, Cells>,
    /// There may be blocks that the forest does not tell of, to which nothing of it leads.
    pub may_lose: bool,
}

impl Body {
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Body::Open { size, .. } => *size,
            Body::Closed { automaton, state, .. } => automaton.states[*state].size,
        }
    }

    /// The blocks in the holes of a tree, with the parameters that stand for them.
    pub fn holes(&self) -> Vec<(usize, BlockId)> {
        let Body::Closed { automaton, state, arguments } = self else { return Vec::new() };
        let parameters = automaton.states[*state].parameters.iter().zip(arguments).enumerate();
        let hole = |(index, (parameter, value)): (usize, (&Parameter, &Value<Base>))| match (
            parameter,
            value.base(),
        ) {
            (Parameter::Hole { .. }, Some(Base::Block(block))) => Some((index, block)),
            (Parameter::Plain | Parameter::Hole { .. }, _) => None,
        };
        parameters.filter_map(hole).collect()
    }

    /// The blocks in the holes of a tree that are told something there.
    #[must_use]
    pub fn told(&self) -> Vec<BlockId> {
        let Body::Closed { automaton, state, .. } = self else { return Vec::new() };
        let is_told = |index: usize| match automaton.states[*state].parameters[index] {
            Parameter::Hole { ups } => ups > 0,
            Parameter::Plain => false,
        };
        self.holes().into_iter().filter(|hole| is_told(hole.0)).map(|hole| hole.1).collect()
    }

    /// The mark of what sort of block it is.
    #[must_use]
    pub fn sort(&self) -> u32 {
        match self {
            Body::Open { sort, .. } => *sort,
            Body::Closed { automaton, state, .. } => automaton.states[*state].sort,
        }
    }

    pub fn values_mut(&mut self) -> Vec<&mut Value<Base>> {
        match self {
            Body::Open { cells, .. } => cells.values_mut().map(|cell| &mut cell.holds).collect(),
            Body::Closed { arguments, .. } => arguments.iter_mut().collect(),
        }
    }
}

impl Forest {
    #[must_use]
    pub fn fresh(&self) -> BlockId {
        let last = self.blocks.last_key_value();
        BlockId::from_index(last.map_or(0, |(block, _)| block.index() + 1))
    }

    /// The values that roots hold: variables, then cells of objects.
    pub fn roots(&self) -> impl Iterator<Item = Value<Base>> {
        let cells = self.objects.values().flat_map(|cells| cells.values());
        self.variables.values().copied().chain(cells.map(|cell| cell.holds))
    }

    /// Puts values in the place of names.
    pub fn substitute(&mut self, name: impl Fn(Base) -> Value<Base>) {
        let cells = self.objects.values_mut().flat_map(BTreeMap::values_mut);
        let bodies = self.blocks.values_mut().flat_map(|body| body.values_mut());
        let values = self.variables.values_mut().chain(cells.map(|cell| &mut cell.holds));
        for value in values.chain(bodies) {
            *value = value.renamed(&name);
        }
    }

    /// A tree in whose hole a block is, with the parameter that stands for it; the one that tells it something, if
    /// there is such a tree.
    #[must_use]
    pub fn holder(&self, block: BlockId) -> Option<(BlockId, usize)> {
        let hole = |(holder, body): (&BlockId, &Body)| {
            let hole = body.holes().into_iter().find(|(_, held)| *held == block);
            hole.map(|(index, _)| (*holder, index))
        };
        let mut tellers = self.blocks.iter().filter(|(_, body)| body.told().contains(&block));
        tellers.find_map(hole).or_else(|| self.blocks.iter().find_map(hole))
    }
}

/// What a rule's value is where its block and kids have these names and its state these arguments.
#[must_use]
pub fn instance(
    value: Value<Known>,
    own: BlockId,
    arguments: &[Value<Base>],
    kids: &BTreeMap<u64, BlockId>,
) -> Value<Base> {
    value.renamed(|known| match known {
        Known::Own => Value::To(Base::Block(own), 0),
        Known::Parameter(index) => arguments[index],
        Known::Kid(offset) => Value::To(Base::Block(kids[&offset]), 0),
    })
}
