//! A state: where the program is, what its pointers hold, and the heap as a three-valued structure.
//!
//! Between two cut points a pointer is a node and an offset, exactly. Only at a cut point does the
//! structure have to know it, as a predicate that keeps its node apart from others; a pointer that is
//! not tracked is unknown from there on.
//!
//! Most statements change one pointer and no more, so that copies of a state share the rest until it is changed.

use std::collections::BTreeSet;
use std::rc::Rc;

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
pub(crate) type Calls = Rc<Vec<(FunctionId, EdgeId)>>;

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
    pub(crate) objects: Rc<BTreeSet<ObjectId>>,
    pub(crate) heap: Rc<Structure>,
    /// Whether rules say no more of the heap than it says itself.
    pub(crate) is_sharp: bool,
}

/// What an edge leads to. Most often that is one state, which no list has to be made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Nothing,
    One(State),
    Several(Vec<State>),
}

impl IntoIterator for Next {
    type Item = State;
    type IntoIter = std::iter::Chain<std::option::IntoIter<State>, std::vec::IntoIter<State>>;

    fn into_iter(self) -> Self::IntoIter {
        let (one, several) = match self {
            Next::Nothing => (None, Vec::new()),
            Next::One(state) => (Some(state), Vec::new()),
            Next::Several(states) => (None, states),
        };
        one.into_iter().chain(several)
    }
}

impl From<Option<State>> for Next {
    fn from(state: Option<State>) -> Next {
        state.map_or(Next::Nothing, Next::One)
    }
}

impl State {
    /// The heap, to be changed: a copy of its own if others have it too.
    pub(crate) fn heap_mut(&mut self) -> &mut Structure {
        Rc::make_mut(&mut self.heap)
    }

    /// The same with another heap.
    pub(crate) fn with_heap(&self, heap: Structure) -> State {
        let heap = Rc::new(heap);
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
        self.heap = Rc::new(self.heap.without(1 << gone));
    }

    /// An object's life ends: its cells go, and pointers to it are wild.
    pub(crate) fn end_object(&mut self, ended: ObjectId) {
        if self.objects.contains(&ended) {
            Rc::make_mut(&mut self.objects).remove(&ended);
        }
        self.pointers.retain(|slot, _| !matches!(slot, Slot::Cell(object, _) if *object == ended));
        for pointer in self.pointers.values_mut() {
            if matches!(pointer, Pointer::Object { object, .. } if *object == ended) {
                *pointer = Pointer::Wild;
            }
        }
    }
}
