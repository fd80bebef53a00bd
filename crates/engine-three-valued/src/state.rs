//! A state: where the program is, what its pointers hold, and the heap as a three-valued structure.
//!
//! Between two cut points a pointer is a node and an offset, exactly. Only at a cut point does the
//! structure have to know it, as a predicate that keeps its node apart from others; a pointer that is
//! not tracked is unknown from there on.

use std::collections::BTreeSet;

use heapwright_program::{EdgeId, FunctionId, LocationId, ObjectId, VariableId};
use heapwright_three_valued::{Node, Structure};

use crate::table::Table;

/// A place outside of the heap that holds a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Slot {
    Variable(VariableId),
    /// The word at an offset of a static or local object.
    Cell(ObjectId, u64),
}

/// What a pointer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Pointer {
    Null,
    /// Not null, and nothing that may be followed: dangling, or an address of something untracked.
    Wild,
    /// Anything.
    Unknown,
    /// So many bytes behind the start of a block that is a single node.
    Block {
        node: Node,
        offset: i64,
    },
    Object {
        object: ObjectId,
        offset: i64,
    },
    Function(FunctionId),
}

/// The calls under way, outermost first, by the edges of the callers.
pub(crate) type Calls = Vec<(FunctionId, EdgeId)>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) calls: Calls,
    pub(crate) function: FunctionId,
    pub(crate) location: LocationId,
    /// A slot that is not listed is dead, or a cell of an object as it was at its start.
    pub(crate) pointers: Table<Slot, Pointer>,
    /// A variable that is not listed may have any value.
    pub(crate) numbers: Table<VariableId, u128>,
    /// The number of such a variable is that of a single block. One that is not listed may have any.
    pub(crate) data: Table<VariableId, Node>,
    /// The local objects that are alive.
    pub(crate) objects: BTreeSet<ObjectId>,
    pub(crate) heap: Structure,
    /// Whether rules say no more of the heap than it says itself.
    pub(crate) is_sharp: bool,
}

impl State {
    /// The same with another heap; this one is not copied.
    pub(crate) fn with_heap(&self, heap: Structure) -> State {
        State {
            calls: self.calls.clone(),
            function: self.function,
            location: self.location,
            pointers: self.pointers.clone(),
            numbers: self.numbers.clone(),
            data: self.data.clone(),
            objects: self.objects.clone(),
            heap,
            is_sharp: self.is_sharp,
        }
    }

    /// Pointers to a node become wild, and the node goes.
    pub(crate) fn drop_node(&mut self, gone: Node) {
        for pointer in self.pointers.values_mut() {
            if let Pointer::Block { node, .. } = pointer {
                match (*node).cmp(&gone) {
                    std::cmp::Ordering::Less => {}
                    std::cmp::Ordering::Equal => *pointer = Pointer::Wild,
                    std::cmp::Ordering::Greater => *node -= 1,
                }
            }
        }
        self.data.retain(|_, node| {
            let is_kept = *node != gone;
            *node -= usize::from(*node > gone);
            is_kept
        });
        self.heap = self.heap.without(1 << gone);
    }

    /// An object's life ends: its cells go, and pointers to it are wild.
    pub(crate) fn end_object(&mut self, ended: ObjectId) {
        self.objects.remove(&ended);
        self.pointers.retain(|slot, _| !matches!(slot, Slot::Cell(object, _) if *object == ended));
        for pointer in self.pointers.values_mut() {
            if matches!(pointer, Pointer::Object { object, .. } if *object == ended) {
                *pointer = Pointer::Wild;
            }
        }
    }
}
