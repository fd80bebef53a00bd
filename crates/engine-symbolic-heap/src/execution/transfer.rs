//! Operations that move bytes: loads, stores, copies and fills.

use heapwright_engine::Reason;
use heapwright_logic::TermId;
use heapwright_memory::FaultKind;
use heapwright_program::{Access, ExpressionId, Place, VariableId};

use crate::context::Context;
use crate::execution::access::Use;
use crate::execution::outcome::Outcome;
use crate::heap::block::{BlockId, Role};
use crate::heap::state::State;
use crate::reasoning::path_condition::Possible;

impl Context<'_> {
    pub(crate) fn load(
        &mut self,
        mut state: State,
        target: VariableId,
        access: &Access,
        place: Place,
        moved: &dyn Fn(State) -> Outcome,
    ) -> Vec<Outcome> {
        let pointer = self.evaluate(&mut state, access.address);
        let size = match access.bits {
            Some(bits) => bits.bytes(),
            None => access.ty.size(self.names.model()),
        };
        let resolved = self.resolve(state, pointer, size, Use::Read, place);
        let mut outcomes = resolved.other;
        for (mut state, block, offset) in resolved.valid {
            let bytes = self.read_value(&mut state, block, offset, access, size);
            self.set(&mut state, target, bytes);
            outcomes.push(moved(state));
        }
        outcomes
    }

    fn read_value(
        &mut self,
        state: &mut State,
        block: BlockId,
        offset: u64,
        access: &Access,
        size: u64,
    ) -> TermId {
        let width = self.names.bits(access.ty);
        let Some(range) = access.bits else {
            // An extended float's value is narrower than its storage.
            let stored = u64::from(width).div_ceil(8).min(size);
            let bytes = self.names.read(state, block, offset, stored);
            return self.value_of_bytes(bytes, access.ty);
        };
        let bytes = self.read_wide(state, block, offset, size);
        let (low, high) = (u32::from(range.offset), u32::from(range.offset + range.width) - 1);
        let field = self.names.terms.extract(bytes, high, low);
        let value = self.resize(field, access.ty.is_signed(), width);
        self.value_of_bytes(value, access.ty)
    }

    /// Bytes of a bit-field's storage.
    fn read_wide(&mut self, state: &mut State, block: BlockId, offset: u64, size: u64) -> TermId {
        self.names.read(state, block, offset, size.min(16))
    }

    pub(crate) fn store(
        &mut self,
        mut state: State,
        access: &Access,
        value: ExpressionId,
        place: Place,
        moved: &dyn Fn(State) -> Outcome,
    ) -> Vec<Outcome> {
        let pointer = self.evaluate(&mut state, access.address);
        let value = self.evaluate(&mut state, value);
        let value = self.bytes_of_value(value, access.ty);
        let size = match access.bits {
            Some(bits) => bits.bytes(),
            None => access.ty.size(self.names.model()),
        };
        let usage = Use::of_write(access.initialises);
        let resolved = self.resolve(state, pointer, size, usage, place);
        let mut outcomes = resolved.other;
        for (mut state, block, offset) in resolved.valid {
            match access.bits {
                None => self.names.write(&mut state, block, offset, value),
                Some(range) => {
                    let old = self.read_wide(&mut state, block, offset, size);
                    let new = self.insert_bits(old, value, range);
                    self.names.write(&mut state, block, offset, new);
                }
            }
            outcomes.push(moved(state));
        }
        outcomes
    }

    /// `old` with a bit-field replaced by the low bits of `value`.
    fn insert_bits(
        &mut self,
        old: TermId,
        value: TermId,
        range: heapwright_program::BitRange,
    ) -> TermId {
        let total = self.names.terms.width(old);
        let (low, width) = (u32::from(range.offset), u32::from(range.width));
        let value = self.resize(value, false, width.max(self.names.terms.width(value)));
        let mut result = self.names.terms.extract(value, width - 1, 0);
        if low > 0 {
            let below = self.names.terms.extract(old, low - 1, 0);
            result = self.names.terms.concat(result, below);
        }
        if low + width < total {
            let above = self.names.terms.extract(old, total - 1, low + width);
            result = self.names.terms.concat(above, result);
        }
        result
    }

    pub(crate) fn copy_operation(
        &mut self,
        mut state: State,
        (target, source, size): (ExpressionId, ExpressionId, ExpressionId),
        usage: Use,
        place: Place,
        moved: &dyn Fn(State) -> Outcome,
    ) -> Vec<Outcome> {
        let target = self.evaluate(&mut state, target);
        let source = self.evaluate(&mut state, source);
        let size = self.evaluate(&mut state, size);
        let cases = match self.split(state, size) {
            Ok(cases) => cases,
            Err(text) => return vec![Outcome::Unknown(Reason::at(text, place))],
        };
        let mut outcomes = Vec::new();
        for (state, size) in cases {
            // Nothing is touched then, whatever the pointers are.
            if size == 0 {
                outcomes.push(moved(state));
                continue;
            }
            let from = self.resolve(state, source, size, Use::Read, place);
            outcomes.extend(from.other);
            for (state, source_block, source_offset) in from.valid {
                let to = self.resolve(state, target, size, usage, place);
                outcomes.extend(to.other);
                for (mut state, target_block, target_offset) in to.valid {
                    let from = (source_block, source_offset);
                    self.names.copy(&mut state, from, (target_block, target_offset), size);
                    outcomes.push(moved(state));
                }
            }
        }
        outcomes
    }

    /// Two ranges that share no byte, or all. Ranges in different blocks are apart; what is wrong
    /// with a pointer shows when it is used.
    pub(crate) fn disjoint(
        &mut self,
        mut state: State,
        (left, right, size): (ExpressionId, ExpressionId, ExpressionId),
        place: Place,
        moved: &dyn Fn(State) -> Outcome,
    ) -> Vec<Outcome> {
        let left = self.evaluate(&mut state, left);
        let right = self.evaluate(&mut state, right);
        let size = self.evaluate(&mut state, size);
        let (Some((here, from)), Some((there, to))) =
            (self.names.pointer(left), self.names.pointer(right))
        else {
            return vec![moved(state)];
        };
        // The first and the last node of a list may be one block.
        let is_plain = |block: &BlockId| {
            state.blocks.get(block).is_none_or(|block| block.role == Role::Region)
        };
        if let Some(folded) = [here, there].into_iter().find(|block| !is_plain(block)) {
            return self.unfold(state, folded).into_iter().map(Outcome::Again).collect();
        }
        if here != there || from == to {
            return vec![moved(state)];
        }
        let overlaps = self.overlaps(from, to, size);
        self.fault_if(state, overlaps, FaultKind::Overlap, place, moved)
    }

    /// Whether ranges of that size from two offsets of a block on share some bytes, not all.
    fn overlaps(&mut self, from: TermId, to: TermId, size: TermId) -> TermId {
        let size = self.resize(size, false, self.names.pointer_bits());
        let (forth, back) =
            (self.names.terms.subtract(to, from), self.names.terms.subtract(from, to));
        let is_short = [forth, back].map(|way| self.names.terms.unsigned_less(way, size));
        let is_near = self.names.terms.or(is_short[0], is_short[1]);
        let differs = self.names.terms.not_equal(from, to);
        self.names.terms.and(differs, is_near)
    }

    /// A fault where the condition can hold; the rest goes on.
    fn fault_if(
        &mut self,
        mut state: State,
        condition: TermId,
        kind: FaultKind,
        place: Place,
        moved: &dyn Fn(State) -> Outcome,
    ) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        match self.possible(&state, condition) {
            Possible::No => return vec![moved(state)],
            Possible::Yes(model) => {
                let mut faulty = state.clone();
                self.assume(&mut faulty, condition, Some(model));
                outcomes.push(Outcome::Fault { state: faulty, kind, place });
            }
            Possible::Perhaps => {
                let reason = Reason::at("whether what is copied overlaps its target", place);
                outcomes.push(Outcome::Unknown(reason));
            }
        }
        let otherwise = self.names.terms.not(condition);
        match self.possible(&state, otherwise) {
            Possible::No => return outcomes,
            Possible::Yes(model) => self.assume(&mut state, otherwise, Some(model)),
            Possible::Perhaps => self.assume(&mut state, otherwise, None),
        }
        outcomes.push(moved(state));
        outcomes
    }

    pub(crate) fn fill_operation(
        &mut self,
        mut state: State,
        (target, byte, size): (ExpressionId, ExpressionId, ExpressionId),
        usage: Use,
        place: Place,
        moved: &dyn Fn(State) -> Outcome,
    ) -> Vec<Outcome> {
        let target = self.evaluate(&mut state, target);
        let byte = self.evaluate(&mut state, byte);
        let byte = self.resize(byte, false, 8);
        let size = self.evaluate(&mut state, size);
        let cases = match self.split(state, size) {
            Ok(cases) => cases,
            Err(text) => return vec![Outcome::Unknown(Reason::at(text, place))],
        };
        let mut outcomes = Vec::new();
        for (state, size) in cases {
            if size == 0 {
                outcomes.push(moved(state));
                continue;
            }
            let to = self.resolve(state, target, size, usage, place);
            outcomes.extend(to.other);
            for (mut state, block, offset) in to.valid {
                self.names.fill(&mut state, block, offset, byte, size);
                outcomes.push(moved(state));
            }
        }
        outcomes
    }
}
