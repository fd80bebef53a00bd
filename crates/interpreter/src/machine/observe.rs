//! Watching a run: every edge that it passes, one after the other.

use heapwright_program::{EdgeId, FunctionId};

use crate::inputs::DrawnInput;
use crate::instruction::Instruction;
use crate::machine::{Frame, Machine, NO_SITE};
use crate::report::Outcome;

/// An edge that a run has passed. For a call edge there are two: into the callee, after which the
/// machine has more calls under way than `depth`, and back, after which it has as many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    pub function: FunctionId,
    pub edge: EdgeId,
    /// Calls under way before the edge, this function's included.
    pub depth: usize,
}

impl Machine<'_> {
    /// [`Machine::step`] for someone who watches: tells each edge when it has been passed. That of
    /// a return is told before its call's result is stored.
    ///
    /// # Panics
    /// When the program was compiled without all of its locations.
    pub fn step_observed(&mut self, observer: &mut dyn FnMut(&Self, Passed)) -> Option<&Outcome> {
        let mut under_way = None;
        while self.ended.is_none() {
            under_way = self.instruction_observed(under_way, observer);
            if self.executable.starts_edge[self.pc] {
                break;
            }
        }
        if let (Some(passed), None) = (under_way, &self.ended) {
            observer(self, passed);
        }
        self.check_limits();
        self.ended.as_ref()
    }

    /// Whether the calls under way, but for the innermost, are at these edges, outermost first.
    #[must_use]
    pub fn is_called_by(&self, callers: &[(FunctionId, EdgeId)]) -> bool {
        let outer = self.frames.iter().skip(1);
        let is_it = |(frame, &(function, edge)): (&Frame, &(FunctionId, EdgeId))| {
            let origin = self.executable.origins[self.caller_pc(frame)];
            origin.function == Some(function) && origin.edge == edge
        };
        self.frames.len() == callers.len() + 1 && outer.zip(callers).all(is_it)
    }

    /// Whether the run has come to depend on what C leaves to the implementation: it compared
    /// addresses whose relation is a choice, or looked at the number of one.
    #[must_use]
    pub fn sees_choices(&self) -> bool {
        self.sees_choices
            || self.shows_addresses
            || self.memory.address_reads() > 0
            || self.memory.has_torn_pointers()
    }

    /// How often the implementation has decided otherwise than in the plainest world.
    #[must_use]
    pub fn choices_made(&self) -> u64 {
        self.draws.chosen()
    }

    /// Whether the run has computed with numbers that other machines and libraries may round
    /// otherwise: what it does from then on is no evidence of anything.
    #[must_use]
    pub fn is_inexact(&self) -> bool {
        self.inexact
    }

    /// The inputs that were drawn and recorded, of which the report then knows nothing.
    pub fn take_inputs(&mut self) -> Vec<DrawnInput> {
        self.draws.take_recorded()
    }

    /// Executes an instruction, and gives the edge that it belongs to, which is `under_way` already
    /// if there is one.
    fn instruction_observed(
        &mut self,
        under_way: Option<Passed>,
        observer: &mut dyn FnMut(&Self, Passed),
    ) -> Option<Passed> {
        let (pc, depth) = (self.pc, self.frames.len());
        let begun = under_way.or_else(|| self.edge_at(pc, depth));
        let truth = self.truth_at(pc);
        let caller = self.frames.last().filter(|frame| frame.site != NO_SITE);
        let call = caller.map(|frame| self.caller_pc(frame));
        self.advance(1);
        let mut passed = begun?;
        if let Some(truth) = truth {
            let map = self.executable.map.as_ref().expect("every location is kept");
            let program = self.executable.program;
            passed.edge = map.end_of_branch(program, passed.function, passed.edge, truth);
        }
        if self.ended.is_some() || self.frames.len() >= depth {
            return Some(passed);
        }
        // A return: what is under way now is the rest of the caller's edge.
        observer(self, passed);
        call.and_then(|call| self.edge_at(call, depth - 1))
    }

    fn edge_at(&self, pc: usize, depth: usize) -> Option<Passed> {
        let origin = self.executable.origins[pc];
        Some(Passed { function: origin.function?, edge: origin.edge, depth })
    }

    /// The truth of the condition that the instruction decides on, if it does.
    fn truth_at(&self, pc: usize) -> Option<bool> {
        let goes_on_if = self.executable.origins[pc].goes_on_if?;
        let branches = self.branches(self.executable.code[pc])?;
        Some(goes_on_if != branches)
    }

    /// Whether the instruction is about to leave the straight way; `None` if it is no branch.
    fn branches(&self, instruction: Instruction) -> Option<bool> {
        use Instruction as I;
        let low = |register: u32| self.registers[self.base + register as usize].low;
        let signed = |register| low(register) as i64;
        let wide = i64::from;
        Some(match instruction {
            I::Jump { .. } => true,
            I::Nothing => false,
            I::BranchEqual { left, right, .. } => low(left) == low(right),
            I::BranchNotEqual { left, right, .. } => low(left) != low(right),
            I::BranchLessSigned { left, right, .. } => signed(left) < signed(right),
            I::BranchLessEqualSigned { left, right, .. } => signed(left) <= signed(right),
            I::BranchLessUnsigned { left, right, .. } => low(left) < low(right),
            I::BranchLessEqualUnsigned { left, right, .. } => low(left) <= low(right),
            I::BranchEqualImmediate { left, value, .. } => signed(left) == wide(value),
            I::BranchNotEqualImmediate { left, value, .. } => signed(left) != wide(value),
            I::BranchLessSignedImmediate { left, value, .. } => signed(left) < wide(value),
            I::BranchAtLeastSignedImmediate { left, value, .. } => signed(left) >= wide(value),
            I::BranchLessUnsignedImmediate { left, value, .. } => low(left) < wide(value) as u64,
            I::BranchAtLeastUnsignedImmediate { left, value, .. } => {
                low(left) >= wide(value) as u64
            }
            _ => return None,
        })
    }
}
