//! Effects: the slots of the program's state, and which of them an edge, or a call, may change.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::{IdVec, define_id};
use heapwright_program::analysis::written_variable;
use heapwright_program::{Access, EdgeId, ExpressionId, FunctionId, Operation, VariableId};
use rustc_hash::FxHashMap;

use crate::analysis::inlined::Inlined;
use crate::analysis::layout::ObjectLayout;
use crate::analysis::points_to::{ObjectSource, PointsTo};
use crate::ssa::formula::AbstractObjectId;

define_id!(
    /// A part of the state that has a value of its own.
    SlotId,
    "slot"
);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    Variable(VariableId),
    /// A cell of an object, by its position in the layout.
    Cell(AbstractObjectId, usize),
    /// Whether a block has ended its life.
    Ended(AbstractObjectId),
    /// How many blocks there were so far.
    Count(AbstractObjectId),
    /// The number of a declared object's current block.
    Current(AbstractObjectId),
    /// The size of a block, where it is not a constant.
    Size(AbstractObjectId),
}

/// All slots of a program.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    pub list: IdVec<SlotId, Slot>,
    ids: FxHashMap<Slot, SlotId>,
}

impl Slots {
    #[must_use]
    pub fn of(
        inlined: &Inlined,
        points_to: &PointsTo,
        layouts: &IdVec<AbstractObjectId, ObjectLayout>,
    ) -> Slots {
        let mut slots = Slots::default();
        for variable in inlined.program.variables.ids() {
            slots.add(Slot::Variable(variable));
        }
        for (object, layout) in layouts.enumerated() {
            for position in 0..layout.cells().len() {
                slots.add(Slot::Cell(object, position));
            }
            slots.add(Slot::Ended(object));
            slots.add(Slot::Count(object));
            if layout.is_many {
                slots.add(Slot::Current(object));
            }
            if points_to.sizes[object].is_none() {
                slots.add(Slot::Size(object));
            }
        }
        slots
    }

    fn add(&mut self, slot: Slot) {
        let id = self.list.push(slot);
        self.ids.insert(slot, id);
    }

    #[must_use]
    pub fn id(&self, slot: Slot) -> SlotId {
        self.ids[&slot]
    }

    #[must_use]
    pub fn find(&self, slot: Slot) -> Option<SlotId> {
        self.ids.get(&slot).copied()
    }
}

/// What the edges of a program change.
#[derive(Clone, Debug)]
pub struct Effects {
    edges: IdVec<EdgeId, Vec<Slot>>,
    /// What a call of a summarised function may change that others see.
    calls: BTreeMap<FunctionId, BTreeSet<Slot>>,
    /// What some edge changes.
    anywhere: BTreeSet<Slot>,
}

impl Effects {
    #[must_use]
    pub fn of(
        inlined: &Inlined,
        points_to: &PointsTo,
        layouts: &IdVec<AbstractObjectId, ObjectLayout>,
    ) -> Effects {
        let body = inlined.body();
        let own = body.edges.ids().map(|edge| changed_by(inlined, points_to, layouts, edge));
        let edges: IdVec<EdgeId, Vec<Slot>> = own.collect();
        let anywhere = edges.iter().flatten().copied().collect();
        let mut effects = Effects { edges, calls: BTreeMap::new(), anywhere };
        for &function in inlined.regions.keys() {
            effects.calls.insert(function, BTreeSet::new());
        }
        // Ends because the sets grow.
        while effects.add_calls(inlined, layouts) {}
        effects
    }

    fn add_calls(
        &mut self,
        inlined: &Inlined,
        layouts: &IdVec<AbstractObjectId, ObjectLayout>,
    ) -> bool {
        let mut has_grown = false;
        for (id, _) in inlined.body().edges.enumerated() {
            let region = inlined.region_of(id);
            if inlined.regions.contains_key(&region) {
                let mut changed = self.of_edge(inlined, id);
                changed.retain(|&slot| is_shared(inlined, layouts, slot));
                let known = self.calls.get_mut(&region).expect("every region has a set");
                let before = known.len();
                known.extend(changed);
                has_grown |= known.len() > before;
            }
        }
        has_grown
    }

    /// The slots that an edge may change, with what the function changes that it calls.
    #[must_use]
    pub fn of_edge(&self, inlined: &Inlined, edge: EdgeId) -> Vec<Slot> {
        let mut changed = self.edges[edge].clone();
        if let Some((function, region)) = inlined.summarised(&inlined.body().edges[edge].operation)
        {
            changed.extend(&self.calls[&function]);
            changed.extend(region.result.map(Slot::Variable));
        }
        changed
    }

    /// The slots that a call of a summarised function may change, and that its caller sees.
    #[must_use]
    pub fn of_call(&self, function: FunctionId) -> &BTreeSet<Slot> {
        &self.calls[&function]
    }

    /// Whether a slot has its first value as long as the program runs.
    #[must_use]
    pub fn is_constant(&self, slot: Slot) -> bool {
        !self.anywhere.contains(&slot)
    }
}

/// Whether a slot belongs to all functions, not to one activation of one of them.
#[must_use]
pub fn is_shared(
    inlined: &Inlined,
    layouts: &IdVec<AbstractObjectId, ObjectLayout>,
    slot: Slot,
) -> bool {
    match slot {
        Slot::Variable(variable) => inlined.program.variables[variable].function.is_none(),
        Slot::Cell(object, _) | Slot::Ended(object) | Slot::Count(object) | Slot::Size(object) => {
            !layouts[object].is_private
        }
        Slot::Current(_) => false,
    }
}

/// The slots that an edge itself may change.
fn changed_by(
    inlined: &Inlined,
    points_to: &PointsTo,
    layouts: &IdVec<AbstractObjectId, ObjectLayout>,
    edge: EdgeId,
) -> Vec<Slot> {
    let program = &inlined.program;
    let operation = &inlined.body().edges[edge].operation;
    let mut changed: Vec<Slot> =
        written_variable(operation).into_iter().map(Slot::Variable).collect();
    let all_of = |address: ExpressionId, changed: &mut Vec<Slot>| {
        for object in points_to.of_expression(program, address).by_object().into_keys() {
            changed.extend((0..layouts[object].cells().len()).map(|at| Slot::Cell(object, at)));
        }
    };
    let whole = |object: AbstractObjectId, changed: &mut Vec<Slot>| {
        changed.extend((0..layouts[object].cells().len()).map(|at| Slot::Cell(object, at)));
        changed.extend([Slot::Ended(object), Slot::Count(object)]);
        changed.extend([Slot::Current(object), Slot::Size(object)]);
    };
    match operation {
        Operation::Store { access, .. } => {
            stored(inlined, points_to, layouts, access, &mut changed);
        }
        Operation::Copy { target, .. } | Operation::Fill { target, .. } => {
            all_of(*target, &mut changed);
        }
        Operation::Allocate { .. } => {
            whole(points_to.objects.id(ObjectSource::Site(edge)), &mut changed);
        }
        Operation::Enter { object, .. } => {
            whole(points_to.objects.id(ObjectSource::Declared(*object)), &mut changed);
        }
        Operation::Leave { object } => {
            changed.push(Slot::Ended(points_to.objects.id(ObjectSource::Declared(*object))));
        }
        Operation::Free { address } => {
            let objects = points_to.of_expression(program, *address).by_object();
            changed.extend(objects.into_keys().map(Slot::Ended));
        }
        Operation::Skip
        | Operation::Assume { .. }
        | Operation::Assign { .. }
        | Operation::Input { .. }
        | Operation::Load { .. }
        | Operation::Disjoint { .. }
        | Operation::BlockSize { .. }
        | Operation::Call { .. }
        | Operation::Return { .. }
        | Operation::Halt(_)
        | Operation::Fail(_)
        | Operation::Unsupported { .. } => {}
    }
    changed
}

fn stored(
    inlined: &Inlined,
    points_to: &PointsTo,
    layouts: &IdVec<AbstractObjectId, ObjectLayout>,
    access: &Access,
    changed: &mut Vec<Slot>,
) {
    let program = &inlined.program;
    for (object, offsets) in points_to.of_expression(program, access.address).by_object() {
        let layout = &layouts[object];
        match offsets {
            Some(offsets) => {
                let cells =
                    offsets.iter().filter_map(|&offset| layout.cell_at(offset, access, program));
                changed.extend(cells.map(|at| Slot::Cell(object, at)));
            }
            None => changed.extend((0..layout.cells().len()).map(|at| Slot::Cell(object, at))),
        }
    }
}
