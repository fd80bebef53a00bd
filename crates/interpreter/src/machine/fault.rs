//! Faults, limits and notes, with the call stack and the place that is to blame.

use heapwright_memory::{FaultKind, MemoryFault};
use heapwright_program::Place;

use crate::machine::{Ended, Machine};
use crate::report::{Fault, LimitKind, Note, NoteKind, Outcome, StackFrame};

impl Machine<'_> {
    /// The calls under way, innermost first.
    pub(crate) fn stack(&self) -> Vec<StackFrame> {
        let frames = self.frames().into_iter().rev();
        frames.map(|frame| StackFrame { function: frame.function, place: frame.place }).collect()
    }

    /// The innermost place that is in the user's own code, or else the innermost one.
    pub(crate) fn blame(&self) -> Place {
        let mut pc = self.pc;
        // Innermost first, and without the list of frames: notes need it often.
        for frame in self.frames.iter().rev() {
            let place = self.executable.place_of(pc);
            if !self.executable.is_model(place) {
                return place;
            }
            pc = self.caller_pc(frame);
        }
        self.place()
    }

    pub(crate) fn fault(&self, kind: FaultKind) -> Fault {
        Fault {
            kind,
            place: self.place(),
            blame: self.blame(),
            access: None,
            address: None,
            blocks: Vec::new(),
            stack: self.stack(),
            detail: None,
        }
    }

    #[cold]
    pub(crate) fn plain_fault(&self, kind: FaultKind) -> Ended {
        Box::new(Outcome::Fault(Box::new(self.fault(kind))))
    }

    #[cold]
    pub(crate) fn detailed_fault(&self, kind: FaultKind, detail: String) -> Ended {
        let fault = Fault { detail: Some(detail), ..self.fault(kind) };
        Box::new(Outcome::Fault(Box::new(fault)))
    }

    #[cold]
    pub(crate) fn memory_fault(&self, fault: &MemoryFault) -> Ended {
        if let Some(limit) = fault.limit {
            return Self::limit(limit);
        }
        Box::new(Outcome::Fault(Box::new(Fault {
            access: Some(fault.access),
            address: Some(fault.address),
            blocks: fault.block.into_iter().collect(),
            ..self.fault(fault.kind)
        })))
    }

    #[cold]
    pub(crate) fn unsupported(&self, construct: String) -> Ended {
        let (place, blame) = (self.place(), self.blame());
        Box::new(Outcome::Unsupported { construct, place, blame })
    }

    #[cold]
    pub(crate) fn limit(limit: impl Into<LimitKind>) -> Ended {
        Box::new(Outcome::Limit(limit.into()))
    }

    /// Notes what the current instruction did, once an instruction.
    #[cold]
    pub(crate) fn note(&mut self, kind: NoteKind, step: u64) {
        if self.noted.is_empty() {
            self.noted = vec![false; self.executable.code.len()];
        }
        if self.noted[self.pc] || self.notes.len() >= self.settings.notes {
            return;
        }
        self.noted[self.pc] = true;
        let function = self.frames.last().expect("notes come from functions").function;
        let (place, blame) = (self.place(), self.blame());
        self.notes.push(Note { kind, function, place, blame, step });
    }
}
