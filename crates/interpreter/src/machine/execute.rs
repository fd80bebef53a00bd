//! The loop that executes instructions.
//!
//! One function, so that the counter, the registers and the tables stay in the processor's
//! registers; whatever is rare, or needs the whole machine, is a method called from here.

use heapwright_base::DenseId;
use heapwright_memory::{FaultKind, Value};
use heapwright_program::FunctionId;

use crate::arithmetic;
use crate::executable::CallTarget;
use crate::float;
use crate::instruction::Instruction as I;
use crate::machine::{Ended, Machine};
use crate::report::{NoteKind, Outcome};

impl Machine<'_> {
    /// Executes `fuel` instructions, or fewer if the run ends, and says how it ended if it did.
    #[allow(clippy::too_many_lines, reason = "the dispatch of every instruction")]
    #[allow(clippy::cognitive_complexity, reason = "the dispatch of every instruction")]
    pub(crate) fn execute(&mut self, fuel: u64) -> Option<Ended> {
        let executable = self.executable;
        let code = executable.code.as_slice();
        let model = executable.program.model;
        let mask = arithmetic::pointer_mask(model);
        let before = self.steps;
        let mut left_over = fuel;
        let mut pc = self.pc;

        macro_rules! save {
            () => {{
                self.pc = pc;
                self.steps = before + (fuel - left_over);
            }};
        }
        macro_rules! end {
            ($ended:expr) => {{
                save!();
                return Some($ended);
            }};
        }
        'frame: loop {
            let base = self.base;
            let window = &mut self.registers[base..base + self.window];

            macro_rules! low {
                ($register:expr) => {
                    window[$register as usize].low
                };
            }
            macro_rules! set {
                ($target:expr, $number:expr) => {{
                    window[$target as usize].low = $number;
                    pc += 1;
                }};
            }
            macro_rules! note {
                ($kind:expr) => {{
                    // The result is in place already: only the note is missing.
                    pc -= 1;
                    save!();
                    self.note($kind, self.steps);
                    pc += 1;
                    continue 'frame;
                }};
            }
            macro_rules! checked32 {
                ($target:expr, $exact:expr) => {{
                    let exact: i64 = $exact;
                    let wrapped = i64::from(exact as i32);
                    set!($target, wrapped as u64);
                    if wrapped != exact {
                        note!(NoteKind::SignedOverflow);
                    }
                }};
            }
            macro_rules! checked64 {
                ($target:expr, $computed:expr) => {{
                    let (wrapped, overflows): (i64, bool) = $computed;
                    set!($target, wrapped as u64);
                    if overflows {
                        note!(NoteKind::SignedOverflow);
                    }
                }};
            }
            macro_rules! branch {
                ($holds:expr, $target:expr) => {
                    if $holds { pc = $target as usize } else { pc += 1 }
                };
            }
            macro_rules! pointer {
                ($base:expr, $offset:expr) => {{
                    let base = window[$base as usize];
                    let low = base.low.wrapping_add($offset as i64 as u64) & mask;
                    Value { low, high: base.high }
                }};
            }
            macro_rules! load {
                ($size:literal, $as:ty, $target:expr, $base:expr, $offset:expr) => {{
                    let pointer = pointer!($base, $offset);
                    if let Some(word) = self.memory.plain_load::<$size>(pointer) {
                        set!($target, word as $as as i64 as u64);
                    } else {
                        save!();
                        match self.load_slowly::<$size>(pointer) {
                            Ok(word) => self.register($target).low = word as $as as i64 as u64,
                            Err(ended) => end!(ended),
                        }
                        pc += 1;
                        continue 'frame;
                    }
                }};
            }
            macro_rules! accessed {
                ($result:expr) => {
                    match $result {
                        Ok(_) => pc += 1,
                        Err(fault) => {
                            save!();
                            end!(self.memory_fault(&fault));
                        }
                    }
                };
            }
            // An instruction that needs the whole machine and may end the run.
            macro_rules! whole {
                ($result:expr) => {{
                    save!();
                    match $result {
                        Ok(_) => pc = self.pc,
                        Err(ended) => end!(ended),
                    }
                    continue 'frame;
                }};
            }

            loop {
                if left_over == 0 {
                    save!();
                    return None;
                }
                left_over -= 1;
                match code[pc] {
                    I::Nothing => pc += 1,
                    I::Move { target, source } | I::AddressToInteger { target, source } => {
                        window[target as usize] = window[source as usize];
                        pc += 1;
                    }
                    I::Constant { target, value } => {
                        window[target as usize] = Value::from_low(i64::from(value) as u64);
                        pc += 1;
                    }
                    I::Pool { target, index } => {
                        window[target as usize] = self.pool[index as usize];
                        pc += 1;
                    }
                    I::GetGlobal { target, global } => {
                        window[target as usize] = self.globals[global as usize];
                        pc += 1;
                    }
                    I::SetGlobal { global, source } => {
                        self.globals[global as usize] = window[source as usize];
                        pc += 1;
                    }

                    I::AddI32 { target, left, right } => {
                        checked32!(target, low!(left) as i64 + low!(right) as i64);
                    }
                    I::SubtractI32 { target, left, right } => {
                        checked32!(target, low!(left) as i64 - low!(right) as i64);
                    }
                    I::MultiplyI32 { target, left, right } => {
                        checked32!(target, low!(left) as i64 * low!(right) as i64);
                    }
                    I::AddI32Immediate { target, left, value } => {
                        checked32!(target, low!(left) as i64 + i64::from(value));
                    }
                    I::MultiplyI32Immediate { target, left, value } => {
                        checked32!(target, low!(left) as i64 * i64::from(value));
                    }
                    I::AddU32 { target, left, right } => {
                        set!(
                            target,
                            u64::from((low!(left) as u32).wrapping_add(low!(right) as u32))
                        );
                    }
                    I::SubtractU32 { target, left, right } => {
                        set!(
                            target,
                            u64::from((low!(left) as u32).wrapping_sub(low!(right) as u32))
                        );
                    }
                    I::MultiplyU32 { target, left, right } => {
                        set!(
                            target,
                            u64::from((low!(left) as u32).wrapping_mul(low!(right) as u32))
                        );
                    }
                    I::AddU32Immediate { target, left, value } => {
                        set!(target, u64::from((low!(left) as u32).wrapping_add(value as u32)));
                    }
                    I::AddI64 { target, left, right } => {
                        checked64!(target, (low!(left) as i64).overflowing_add(low!(right) as i64));
                    }
                    I::SubtractI64 { target, left, right } => {
                        checked64!(target, (low!(left) as i64).overflowing_sub(low!(right) as i64));
                    }
                    I::MultiplyI64 { target, left, right } => {
                        checked64!(target, (low!(left) as i64).overflowing_mul(low!(right) as i64));
                    }
                    I::AddI64Immediate { target, left, value } => {
                        checked64!(target, (low!(left) as i64).overflowing_add(i64::from(value)));
                    }
                    I::MultiplyI64Immediate { target, left, value } => {
                        checked64!(target, (low!(left) as i64).overflowing_mul(i64::from(value)));
                    }
                    I::AddU64 { target, left, right } => {
                        set!(target, low!(left).wrapping_add(low!(right)));
                    }
                    I::SubtractU64 { target, left, right } => {
                        set!(target, low!(left).wrapping_sub(low!(right)));
                    }
                    I::MultiplyU64 { target, left, right } => {
                        set!(target, low!(left).wrapping_mul(low!(right)));
                    }
                    I::AddU64Immediate { target, left, value } => {
                        set!(target, low!(left).wrapping_add(i64::from(value) as u64));
                    }
                    I::And { target, left, right } => set!(target, low!(left) & low!(right)),
                    I::Or { target, left, right } => set!(target, low!(left) | low!(right)),
                    I::Xor { target, left, right } => set!(target, low!(left) ^ low!(right)),
                    I::AndImmediate { target, left, value } => {
                        set!(target, low!(left) & i64::from(value) as u64);
                    }
                    I::Extend { kind, target, source } => set!(target, kind.extend(low!(source))),
                    I::Binary { operator, kind, target, left, right } => {
                        let (left, right) = (window[left as usize], window[right as usize]);
                        self.inexact |= float::is_rounded(kind);
                        match arithmetic::binary(operator, kind, left, right, model) {
                            Ok((value, note)) => {
                                window[target as usize] = value;
                                pc += 1;
                                if let Some(kind) = note {
                                    note!(kind);
                                }
                            }
                            Err(kind) => {
                                save!();
                                end!(self.plain_fault(kind));
                            }
                        }
                    }
                    I::Unary { operator, kind, target, source } => {
                        let (value, note) =
                            arithmetic::unary(operator, kind, window[source as usize]);
                        window[target as usize] = value;
                        pc += 1;
                        if let Some(kind) = note {
                            note!(kind);
                        }
                    }
                    I::Convert { from, to, target, source } => {
                        self.inexact |= float::is_rounded(from) || float::is_rounded(to);
                        window[target as usize] =
                            arithmetic::convert(from, to, window[source as usize], model);
                        pc += 1;
                    }

                    I::PointerAdd { target, pointer, offset } => {
                        let Value { low, high } = window[pointer as usize];
                        let low = low.wrapping_add(low!(offset)) & mask;
                        window[target as usize] = Value { low, high };
                        pc += 1;
                    }
                    I::PointerAddImmediate { target, pointer, offset } => {
                        window[target as usize] = pointer!(pointer, offset);
                        pc += 1;
                    }
                    I::PointerAddScaled { scale, target, pointer, index } => {
                        let Value { low, high } = window[pointer as usize];
                        let (offset, mut overflows) =
                            (low!(index) as i64).overflowing_mul(i64::from(scale));
                        let low = low.wrapping_add(offset as u64) & mask;
                        window[target as usize] = Value { low, high };
                        pc += 1;
                        overflows |= mask == u64::from(u32::MAX) && i32::try_from(offset).is_err();
                        if overflows {
                            note!(NoteKind::SignedOverflow);
                        }
                    }
                    I::PointerDifference { target, left, right } => {
                        let difference = low!(left).wrapping_sub(low!(right));
                        let is_short = mask == u64::from(u32::MAX);
                        let short = difference as i32 as i64 as u64;
                        set!(target, if is_short { short } else { difference });
                    }
                    I::IntegerToPointer { target, source } => {
                        window[target as usize] = Value::from_low(low!(source) & mask);
                        pc += 1;
                    }

                    I::CompareAddresses { left, right } => {
                        let (left, right) = (window[left as usize], window[right as usize]);
                        if left.high != right.high && left.low != 0 && right.low != 0 {
                            self.sees_choices |= self.memory.is_equality_chosen(left, right);
                        }
                        pc += 1;
                    }
                    I::Equal { target, left, right } => {
                        set!(target, u64::from(low!(left) == low!(right)));
                    }
                    I::NotEqual { target, left, right } => {
                        set!(target, u64::from(low!(left) != low!(right)));
                    }
                    I::LessSigned { target, left, right } => {
                        set!(target, u64::from((low!(left) as i64) < low!(right) as i64));
                    }
                    I::LessEqualSigned { target, left, right } => {
                        set!(target, u64::from(low!(left) as i64 <= low!(right) as i64));
                    }
                    I::LessUnsigned { target, left, right } => {
                        set!(target, u64::from(low!(left) < low!(right)));
                    }
                    I::LessEqualUnsigned { target, left, right } => {
                        set!(target, u64::from(low!(left) <= low!(right)));
                    }
                    I::EqualImmediate { target, left, value } => {
                        set!(target, u64::from(low!(left) == i64::from(value) as u64));
                    }
                    I::NotEqualImmediate { target, left, value } => {
                        set!(target, u64::from(low!(left) != i64::from(value) as u64));
                    }

                    I::Jump { target } => pc = target as usize,
                    I::BranchEqual { left, right, target } => {
                        branch!(low!(left) == low!(right), target);
                    }
                    I::BranchNotEqual { left, right, target } => {
                        branch!(low!(left) != low!(right), target);
                    }
                    I::BranchLessSigned { left, right, target } => {
                        branch!((low!(left) as i64) < low!(right) as i64, target);
                    }
                    I::BranchLessEqualSigned { left, right, target } => {
                        branch!(low!(left) as i64 <= low!(right) as i64, target);
                    }
                    I::BranchLessUnsigned { left, right, target } => {
                        branch!(low!(left) < low!(right), target);
                    }
                    I::BranchLessEqualUnsigned { left, right, target } => {
                        branch!(low!(left) <= low!(right), target);
                    }
                    I::BranchEqualImmediate { left, value, target } => {
                        branch!(low!(left) == i64::from(value) as u64, target);
                    }
                    I::BranchNotEqualImmediate { left, value, target } => {
                        branch!(low!(left) != i64::from(value) as u64, target);
                    }
                    I::BranchLessSignedImmediate { left, value, target } => {
                        branch!((low!(left) as i64) < i64::from(value), target);
                    }
                    I::BranchAtLeastSignedImmediate { left, value, target } => {
                        branch!(low!(left) as i64 >= i64::from(value), target);
                    }
                    I::BranchLessUnsignedImmediate { left, value, target } => {
                        branch!(low!(left) < i64::from(value) as u64, target);
                    }
                    I::BranchAtLeastUnsignedImmediate { left, value, target } => {
                        branch!(low!(left) >= i64::from(value) as u64, target);
                    }

                    I::LoadI8 { target, base, offset } => load!(1, i8, target, base, offset),
                    I::LoadU8 { target, base, offset } => load!(1, u8, target, base, offset),
                    I::LoadI16 { target, base, offset } => load!(2, i16, target, base, offset),
                    I::LoadU16 { target, base, offset } => load!(2, u16, target, base, offset),
                    I::LoadI32 { target, base, offset } => load!(4, i32, target, base, offset),
                    I::LoadU32 { target, base, offset } => load!(4, u32, target, base, offset),
                    I::Load64 { target, base, offset } => load!(8, i64, target, base, offset),
                    I::LoadPointer { target, base, offset } => {
                        let pointer = pointer!(base, offset);
                        if let Some(value) = self.memory.plain_load_pointer(pointer) {
                            window[target as usize] = value;
                            pc += 1;
                        } else {
                            save!();
                            match self.load_pointer_slowly(pointer) {
                                Ok(value) => *self.register(target) = value,
                                Err(ended) => end!(ended),
                            }
                            pc += 1;
                            continue 'frame;
                        }
                    }
                    I::LoadOther { target, base, access } => {
                        let access = executable.accesses[access as usize];
                        let pointer = pointer!(base, access.offset);
                        save!();
                        match self.load_other(pointer, access) {
                            Ok(value) => *self.register(target) = value,
                            Err(ended) => end!(ended),
                        }
                        pc += 1;
                        continue 'frame;
                    }
                    I::Store8 { base, offset, source } => {
                        accessed!(
                            self.memory.store_word::<1>(pointer!(base, offset), low!(source))
                        );
                    }
                    I::Store16 { base, offset, source } => {
                        accessed!(
                            self.memory.store_word::<2>(pointer!(base, offset), low!(source))
                        );
                    }
                    I::Store32 { base, offset, source } => {
                        accessed!(
                            self.memory.store_word::<4>(pointer!(base, offset), low!(source))
                        );
                    }
                    I::Store64 { base, offset, source } => {
                        accessed!(
                            self.memory.store_word::<8>(pointer!(base, offset), low!(source))
                        );
                    }
                    I::StorePointer { base, offset, source } => {
                        let stored = window[source as usize];
                        accessed!(self.memory.store_pointer(pointer!(base, offset), stored));
                    }
                    I::Store8Immediate { base, offset, value } => {
                        accessed!(
                            self.memory.store_word::<1>(pointer!(base, offset), value as u64)
                        );
                    }
                    I::Store32Immediate { base, offset, value } => {
                        accessed!(
                            self.memory.store_word::<4>(pointer!(base, offset), value as u64)
                        );
                    }
                    I::Store64Immediate { base, offset, value } => {
                        let number = i64::from(value) as u64;
                        accessed!(self.memory.store_word::<8>(pointer!(base, offset), number));
                    }
                    I::StoreOther { base, source, access } => {
                        let access = executable.accesses[access as usize];
                        let pointer = pointer!(base, access.offset);
                        let value = window[source as usize];
                        whole!(self.store_other(pointer, value, access).map(|()| self.pc += 1));
                    }

                    I::Copy { target, source, size } => {
                        let (target, source) = (window[target as usize], window[source as usize]);
                        accessed!(self.memory.copy(target, source, low!(size)));
                    }
                    I::Fill { target, byte, size } => {
                        let target = window[target as usize];
                        accessed!(self.memory.fill(target, low!(byte) as u8, low!(size)));
                    }
                    I::AllocateHeap { zeroed, target, size } => {
                        let size = low!(size);
                        whole!(self.allocate_heap(size, zeroed).map(|value| {
                            *self.register(target) = value;
                            self.pc += 1;
                        }));
                    }
                    I::AllocateStack { zeroed, is_permanent, target, size } => {
                        let size = low!(size);
                        whole!(self.allocate_alloca(size, zeroed, is_permanent).map(|value| {
                            *self.register(target) = value;
                            self.pc += 1;
                        }));
                    }
                    I::Free { address } => {
                        let address = window[address as usize];
                        let place = executable.place_of(pc);
                        self.replaced = None;
                        accessed!(self.memory.free(address, place));
                    }
                    I::BlockSize { target, address } => {
                        match self.memory.block_size(window[address as usize]) {
                            Ok(size) => {
                                self.replaced = Some(window[address as usize].low);
                                set!(target, size);
                            }
                            Err(fault) => {
                                save!();
                                end!(self.memory_fault(&fault));
                            }
                        }
                    }
                    I::Enter { register, object } => {
                        whole!(self.enter(register, object, None).map(|()| self.pc += 1));
                    }
                    I::EnterDynamic { register, object, size } => {
                        let size = low!(size);
                        whole!(self.enter(register, object, Some(size)).map(|()| self.pc += 1));
                    }
                    I::Leave { register } => {
                        save!();
                        self.leave(register);
                        pc += 1;
                        continue 'frame;
                    }
                    I::Disjoint { left, right, size } => {
                        let (left, right) = (low!(left), low!(right));
                        if left != right && left.abs_diff(right) < low!(size) {
                            save!();
                            end!(self.plain_fault(FaultKind::Overlap));
                        }
                        pc += 1;
                    }
                    I::Protect { register, is_protected } => {
                        save!();
                        self.protect(register, is_protected);
                        pc += 1;
                        continue 'frame;
                    }
                    I::Input { target, input } => {
                        save!();
                        self.input(target, input);
                        pc += 1;
                        continue 'frame;
                    }

                    I::Call { site } => {
                        let function = executable.call_sites[site as usize].function;
                        let function = function.expect("a direct call has a function");
                        save!();
                        let called = match executable.functions[function].target {
                            CallTarget::Body(entry) => self.call(site, function, entry),
                            CallTarget::Error => Err(self.error_reached(function)),
                            CallTarget::Library(_) | CallTarget::Missing => {
                                panic!("{function} has no body")
                            }
                        };
                        match called {
                            Ok(()) => pc = self.pc,
                            Err(ended) => end!(ended),
                        }
                        continue 'frame;
                    }
                    I::CallIndirect { site, pointer } => {
                        let pointer = window[pointer as usize];
                        whole!(self.call_through(site, pointer));
                    }
                    I::CallLibrary { site } => {
                        let function = executable.call_sites[site as usize].function;
                        let function = function.expect("a direct call has a function");
                        whole!(self.call_library(site, function));
                    }
                    I::Return { source } => {
                        let value = window[source as usize];
                        self.pc = pc;
                        self.return_from(Some(value));
                        pc = self.pc;
                        continue 'frame;
                    }
                    I::ReturnNothing => {
                        self.pc = pc;
                        self.return_from(None);
                        pc = self.pc;
                        continue 'frame;
                    }

                    I::Exit { status } => {
                        let status = low!(status) as i32;
                        self.exit_status = Some(status);
                        self.exit_pc = pc;
                        whole!(self.finish());
                    }
                    I::Finish => whole!(self.finish()),
                    I::ExitImmediately { status } => {
                        let status = low!(status) as i32;
                        end!(Box::new(Outcome::Exited(status)));
                    }
                    I::Abort => end!(Box::new(Outcome::Aborted)),
                    I::Returned => end!(Box::new(Outcome::Returned)),
                    I::AssumptionFailed => end!(Box::new(Outcome::AssumptionFailed)),
                    I::Fail { kind, text } => {
                        save!();
                        let text = executable.texts[text as usize].clone();
                        end!(self.detailed_fault(kind, text));
                    }
                    I::ErrorReached { function } => {
                        save!();
                        end!(self.error_reached(FunctionId::from_index(function as usize)));
                    }
                    I::Unsupported { text } => {
                        save!();
                        end!(self.unsupported(executable.texts[text as usize].clone()));
                    }
                }
            }
        }
    }
}
