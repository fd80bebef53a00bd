//! A state of the program as a certificate tells it.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_program::{EdgeId, FunctionId, LocationId, ObjectId, VariableId};

use crate::heap::{Heap, Node};

/// A place outside of the heap that holds a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slot {
    Variable(VariableId),
    Cell(ObjectId, u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pointer {
    Null,
    /// Not null, and not to be followed.
    Wild,
    Unknown,
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

/// Where a state is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    /// The calls under way, outermost first.
    pub(crate) calls: Vec<(FunctionId, EdgeId)>,
    pub(crate) function: FunctionId,
    pub(crate) location: LocationId,
}

#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) spot: Spot,
    /// A variable that is not listed may hold anything; a cell, what it held at the start.
    pub(crate) pointers: BTreeMap<Slot, Pointer>,
    /// A variable that is not listed may have any value.
    pub(crate) numbers: BTreeMap<VariableId, u128>,
    /// Variables whose number is that of a single block.
    pub(crate) data: BTreeMap<VariableId, Node>,
    /// Local objects that are alive.
    pub(crate) objects: BTreeSet<ObjectId>,
    pub(crate) heap: Heap,
}

impl State {
    /// A block is gone: pointers to it are wild.
    pub(crate) fn remove(&mut self, gone: Node) {
        self.heap.remove(gone);
        self.data.retain(|_, node| *node != gone);
        for node in self.data.values_mut().filter(|node| **node > gone) {
            *node -= 1;
        }
        for pointer in self.pointers.values_mut() {
            if let Pointer::Block { node, .. } = pointer {
                if *node == gone {
                    *pointer = Pointer::Wild;
                } else if *node > gone {
                    *node -= 1;
                }
            }
        }
    }

    /// A local object is gone, with its cells.
    pub(crate) fn end(&mut self, ended: ObjectId) {
        self.objects.remove(&ended);
        self.pointers.retain(|slot, _| !matches!(slot, Slot::Cell(object, _) if *object == ended));
        for pointer in self.pointers.values_mut() {
            if matches!(pointer, Pointer::Object { object, .. } if *object == ended) {
                *pointer = Pointer::Wild;
            }
        }
    }
}
