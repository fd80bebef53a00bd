//! States: where the program is, the storage graph, and numbers as far as they are constants.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_program::{
    AddressTarget, EdgeId, FunctionId, LocationId, Object, ObjectId, ObjectKind, Program,
    VariableId,
};

use crate::graph::{Block, Graph, MOST_WORDS, Root, Target, Targets};

/// Where an execution is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The calls under way, outermost first, by the edges of the callers. No function is called twice.
    pub calls: Vec<(FunctionId, EdgeId)>,
    pub function: FunctionId,
    pub location: LocationId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub spot: Spot,
    pub graph: Graph,
    /// A variable that is not listed may have any value.
    pub numbers: BTreeMap<VariableId, u128>,
    /// The local objects that are alive.
    pub objects: BTreeSet<ObjectId>,
}

impl State {
    /// At the entry of `main`, before globals and parameters have their values.
    pub fn at_start(program: &Program) -> Option<State> {
        let function = program.function_named("main")?;
        let location = program.functions[function].body.as_ref()?.entry;
        let mut graph = Graph::default();
        for (id, object) in program.objects.enumerated() {
            let held = initial_words(program, object);
            graph.roots.extend(held.map(|(offset, held)| (Root::Word(id, offset), held)));
        }
        Some(State {
            spot: Spot { calls: Vec::new(), function, location },
            graph,
            numbers: BTreeMap::new(),
            objects: BTreeSet::new(),
        })
    }

    /// The states in which a root leads to one definite place.
    pub fn settled(self, root: Root) -> Vec<State> {
        let Some(targets) = self.graph.roots.get(&root) else { return vec![self] };
        let settle = |target: Target| {
            let mut state = self.clone();
            let target = state.graph.single(target);
            state.graph.roots.insert(root, Targets::from([target]));
            state
        };
        targets.iter().map(|target| settle(*target)).collect()
    }

    /// The only target of a root that is settled; `None` for anything.
    pub fn held(&self, root: Root) -> Option<Target> {
        let targets = self.graph.roots.get(&root)?;
        let is_many = |node| self.graph.nodes[node].is_many;
        let target = targets.first().copied().filter(|_| targets.len() == 1);
        target.filter(|target| !target.node().is_some_and(is_many))
    }
}

/// What the first words of an object hold when the program starts, as far as that is known.
fn initial_words<'p>(
    program: &'p Program,
    object: &'p Object,
) -> impl Iterator<Item = (u64, Targets)> + 'p {
    let width = program.model.pointer_size();
    let count = match object.kind {
        ObjectKind::Static { .. } => (object.size.unwrap_or(0) / width).min(MOST_WORDS),
        ObjectKind::String { .. } | ObjectKind::External | ObjectKind::Local => 0,
    };
    (0..count).filter_map(move |index| {
        let offset = index * width;
        let ObjectKind::Static { bytes, addresses } = &object.kind else { return None };
        let overlaps = |start: u64| start < offset + width && offset < start + width;
        let target = match addresses.iter().find(|address| overlaps(address.offset)) {
            Some(address) if address.offset == offset => match address.target {
                AddressTarget::Object(object) => Target::In(Block::Object(object), address.addend),
                AddressTarget::Function(function) if address.addend == 0 => {
                    Target::Function(function)
                }
                AddressTarget::Function(_) => return None,
            },
            Some(_) => return None,
            None => {
                let mut held = bytes.iter().skip(offset as usize).take(width as usize);
                held.all(|byte| *byte == 0).then_some(Target::Null)?
            }
        };
        Some((offset, Targets::from([target])))
    })
}
