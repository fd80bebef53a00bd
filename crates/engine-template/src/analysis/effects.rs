//! Effects: the slots of the program's state, and which of them an edge may change.

use heapwright_base::{IdVec, define_id};
use heapwright_program::analysis::written_variable;
use heapwright_program::{Access, EdgeId, ExpressionId, Operation, VariableId};
use rustc_hash::FxHashMap;

use crate::analysis::inline::Inlined;
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

/// The slots that an edge may change.
#[must_use]
pub fn changed_by(
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
