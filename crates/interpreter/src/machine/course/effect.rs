//! What an instruction does to what is open. An instruction that none of the functions here knows decides
//! the course, which is always allowed.

use heapwright_memory::Value;
use heapwright_program::{BinaryOperator, BitRange, FunctionId};

use crate::executable::CallTarget;
use crate::instruction::{Instruction as I, NO_REGISTER, Register};
use crate::kind::Kind;
use crate::library;
use crate::machine::Machine;
use crate::machine::course::operands::{Width, branch, computed, load, store};

/// Some bytes of a block, named by its serial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) block: u64,
    pub(crate) offset: u64,
    pub(crate) size: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing that is open is written, or all that is written is fixed.
    Nothing,
    /// Something open says how the execution goes on.
    Decides,
    Register(Register, bool),
    Global(u32, bool),
    Loaded {
        target: Register,
        from: Option<Span>,
        is_open: bool,
    },
    Stored {
        to: Option<Span>,
        is_open: bool,
    },
    /// Some bits of these bytes: the others stay as they are.
    StoredBits {
        to: Option<Span>,
        is_open: bool,
    },
    Copied {
        to: Option<Span>,
        from: Option<Span>,
    },
    /// What a function of the library gave, which is fixed if it drew nothing.
    FromLibrary {
        target: Option<Register>,
    },
    /// A frame is made, or nobody wants the result.
    Called,
    Returned {
        is_open: bool,
    },
}

impl Machine<'_> {
    pub(super) fn effect_of(&mut self, instruction: I) -> Effect {
        let openness = self.openness.as_mut().expect("the course is followed");
        let compares_open = std::mem::take(&mut openness.compares_open_addresses);
        if let Some(operands) = branch(instruction) {
            return self.unless_open(operands, compares_open, Effect::Nothing);
        }
        if let Some((target, operands)) = computed(instruction) {
            return Effect::Register(target, compares_open || self.any_open(operands));
        }
        self.arithmetic_effect(instruction)
            .or_else(|| self.access_effect(instruction))
            .or_else(|| self.block_effect(instruction))
            .or_else(|| self.control_effect(instruction))
            .unwrap_or(Effect::Decides)
    }

    fn is_open(&self, register: Register) -> bool {
        let openness = self.openness.as_ref().expect("the course is followed");
        openness.register(self.base + register as usize)
    }

    fn any_open(&self, registers: [Option<Register>; 2]) -> bool {
        registers.into_iter().flatten().any(|register| self.is_open(register))
    }

    fn unless_open(
        &self,
        registers: [Option<Register>; 2],
        is_open: bool,
        effect: Effect,
    ) -> Effect {
        if is_open || self.any_open(registers) { Effect::Decides } else { effect }
    }

    fn held(&self, register: Register) -> Value {
        self.registers[self.base + register as usize]
    }

    /// Operations whose result may be open though their operands are fixed, and those that may fail.
    fn arithmetic_effect(&mut self, instruction: I) -> Option<Effect> {
        Some(match instruction {
            I::Binary { operator, kind, target, left, right } => {
                let divides =
                    matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder)
                        && !kind.is_float();
                let may_overflow = self.held(right).low == u64::MAX && self.is_open(left);
                if divides && (self.is_open(right) || may_overflow) {
                    return Some(Effect::Decides);
                }
                let looks = kind == Kind::Pointer;
                Effect::Register(target, looks || self.any_open([Some(left), Some(right)]))
            }
            I::Convert { from, target, source, .. } => {
                let looks = from == Kind::Pointer && self.held(source) != Value::ZERO;
                Effect::Register(target, looks || self.is_open(source))
            }
            I::AddressToInteger { target, source } => {
                let looks = self.held(source) != Value::ZERO;
                Effect::Register(target, looks || self.is_open(source))
            }
            I::PointerDifference { target, left, right } => {
                let is_one_block = self.held(left).high == self.held(right).high;
                Effect::Register(target, !is_one_block || self.any_open([Some(left), Some(right)]))
            }
            I::CompareAddresses { left, right } => {
                let is_order = !matches!(
                    self.executable.code[self.pc + 1],
                    I::Equal { .. }
                        | I::NotEqual { .. }
                        | I::BranchEqual { .. }
                        | I::BranchNotEqual { .. }
                );
                let (left, right) = (self.held(left), self.held(right));
                let is_decided = left.high == right.high || left.low == 0 || right.low == 0;
                let is_open =
                    !is_decided && (is_order || self.memory.is_equality_chosen(left, right));
                let openness = self.openness.as_mut().expect("the course is followed");
                openness.compares_open_addresses = is_open;
                Effect::Nothing
            }
            I::GetGlobal { target, global } => {
                let openness = self.openness.as_ref().expect("the course is followed");
                Effect::Register(target, openness.global(global as usize))
            }
            I::SetGlobal { global, source } => Effect::Global(global, self.is_open(source)),
            I::Input { target, .. } => Effect::Register(target, true),
            _ => return None,
        })
    }

    fn access_effect(&mut self, instruction: I) -> Option<Effect> {
        if let Some((target, base, offset, size)) = load(instruction) {
            return Some(self.loaded(target, base, offset, self.bytes(size)));
        }
        if let Some((base, offset, size, source)) = store(instruction) {
            if self.is_open(base) {
                return Some(Effect::Decides);
            }
            let to =
                self.span(self.offset(self.held(base), i64::from(offset) as u64), self.bytes(size));
            let is_open = source.is_some_and(|source| self.is_open(source));
            return Some(Effect::Stored { to, is_open });
        }
        Some(match instruction {
            I::LoadOther { target, base, access } => {
                let access = self.executable.accesses[access as usize];
                let size = access.bits.map_or(access.size, BitRange::bytes);
                self.loaded(target, base, access.offset, size)
            }
            I::StoreOther { base, source, access } => {
                if self.is_open(base) {
                    return Some(Effect::Decides);
                }
                let access = self.executable.accesses[access as usize];
                let size = access.bits.map_or(access.size, BitRange::bytes);
                let at = self.offset(self.held(base), i64::from(access.offset) as u64);
                let (to, is_open) = (self.span(at, size), self.is_open(source));
                match access.bits {
                    Some(_) => Effect::StoredBits { to, is_open },
                    None => Effect::Stored { to, is_open },
                }
            }
            I::Copy { target, source, size } => {
                let bytes = self.held(size).low;
                let (to, from) = (self.held(target), self.held(source));
                let effect =
                    Effect::Copied { to: self.span(to, bytes), from: self.span(from, bytes) };
                self.unless_open([Some(target), Some(source)], self.is_open(size), effect)
            }
            I::Fill { target, byte, size } => {
                let to = self.span(self.held(target), self.held(size).low);
                let effect = Effect::Stored { to, is_open: self.is_open(byte) };
                self.unless_open([Some(target), Some(size)], false, effect)
            }
            _ => return None,
        })
    }

    fn bytes(&self, width: Width) -> u64 {
        match width {
            Width::Bytes(size) => size,
            Width::Pointer => self.executable.program.model.pointer_size(),
        }
    }

    fn loaded(&self, target: Register, base: Register, offset: i32, size: u64) -> Effect {
        if self.is_open(base) {
            return Effect::Decides;
        }
        let from = self.span(self.offset(self.held(base), i64::from(offset) as u64), size);
        let openness = self.openness.as_ref().expect("the course is followed");
        Effect::Loaded { target, from, is_open: openness.has_open_byte(from) }
    }

    /// Operations that change which blocks there are.
    fn block_effect(&self, instruction: I) -> Option<Effect> {
        Some(match instruction {
            I::AllocateHeap { target, size, .. }
            | I::AllocateStack { target, size, .. }
            | I::EnterDynamic { register: target, size, .. } => {
                self.unless_open([Some(size), None], false, Effect::Register(target, false))
            }
            I::Enter { register, .. } => Effect::Register(register, false),
            I::BlockSize { target, address } => {
                self.unless_open([Some(address), None], false, Effect::Register(target, false))
            }
            I::Free { address } => self.unless_open([Some(address), None], false, Effect::Nothing),
            I::Disjoint { left, right, size } => {
                self.unless_open([Some(left), Some(right)], self.is_open(size), Effect::Nothing)
            }
            I::Leave { .. } | I::Protect { .. } => Effect::Nothing,
            _ => return None,
        })
    }

    fn control_effect(&self, instruction: I) -> Option<Effect> {
        Some(match instruction {
            I::Call { .. } => Effect::Called,
            I::CallIndirect { pointer, .. } if self.is_open(pointer) => Effect::Decides,
            I::CallIndirect { site, pointer } => {
                let function = self.function_at(self.held(pointer));
                let target = |function: &FunctionId| self.executable.functions[*function].target;
                match (function, function.as_ref().map(target)) {
                    (Some(function), Some(CallTarget::Library(_))) => {
                        self.library_effect(site, function)
                    }
                    _ => Effect::Called,
                }
            }
            I::CallLibrary { site } => {
                let function = self.executable.call_sites[site as usize].function;
                self.library_effect(site, function.expect("a direct call has a function"))
            }
            I::Return { source } => Effect::Returned { is_open: self.is_open(source) },
            I::ReturnNothing => Effect::Returned { is_open: false },
            I::Nothing
            | I::Jump { .. }
            | I::Exit { .. }
            | I::ExitImmediately { .. }
            | I::Abort
            | I::AssumptionFailed
            | I::Fail { .. }
            | I::ErrorReached { .. }
            | I::Unsupported { .. }
            | I::Finish
            | I::Returned => Effect::Nothing,
            _ => return None,
        })
    }

    /// What `<math.h>` gives depends on the arguments alone. Of other functions nothing is known but that
    /// what they do is fixed if all that they see is.
    fn library_effect(&self, site: u32, function: FunctionId) -> Effect {
        let site = &self.executable.call_sites[site as usize];
        let is_open = site.arguments.iter().any(|&(register, _)| self.is_open(register));
        let name = &self.executable.program.functions[function].name;
        if library::is_mathematical(name) {
            return match site.target {
                NO_REGISTER => Effect::Called,
                target => Effect::Register(target, is_open),
            };
        }
        let openness = self.openness.as_ref().expect("the course is followed");
        let sees_memory = site.arguments.iter().any(|&(register, kind)| {
            kind == Kind::Pointer && self.function_at(self.held(register)).is_none()
        });
        if is_open || sees_memory && openness.knows_bytes() {
            return Effect::Decides;
        }
        Effect::FromLibrary { target: (site.target != NO_REGISTER).then_some(site.target) }
    }
}
