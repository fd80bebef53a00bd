//! The trace: the last decisions and calls of a run, for reports.

use std::collections::VecDeque;

use heapwright_program::{EdgeId, FunctionId, Place};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceKind {
    /// The edge was taken at a location with two.
    Decision,
    Call(FunctionId),
    /// From the function.
    Return,
    Allocate,
    Free,
    Input,
}

/// One thing that happened, at the edge whose operation did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceEvent {
    pub kind: TraceKind,
    pub function: FunctionId,
    pub edge: EdgeId,
    pub place: Place,
}

/// The last events; older ones fall out.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    events: VecDeque<TraceEvent>,
    capacity: usize,
}

impl Trace {
    pub(crate) fn new(capacity: usize) -> Trace {
        Trace { events: VecDeque::new(), capacity }
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.capacity > 0
    }

    pub(crate) fn push(&mut self, event: TraceEvent) {
        if self.events.len() == self.capacity {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }

    pub(crate) fn take(&mut self) -> Vec<TraceEvent> {
        std::mem::take(&mut self.events).into()
    }
}
