//! The course of an execution: does anything decide it that other executions have otherwise?
//!
//! What comes from inputs, from addresses, from choices of the implementation and from roundings that
//! machines do differently is *open*, and so is what is computed from it. As long as no branch, address,
//! size or divisor is open, every execution takes the same instructions, uses the same blocks and ends in
//! the same way: a run of one is then a run of all. A program that prints how long it took, or hashes an
//! address and forgets it, has such a course.
//!
//! A machine that follows its course goes on by one instruction at a time: `effect` says beforehand what an
//! instruction does to what is open, this file lets it run and writes that down.

mod effect;
mod openness;
mod operands;

use heapwright_memory::{BlockId, Value};

use crate::instruction::{Instruction, NO_REGISTER};
use crate::kind::Kind;
use crate::machine::call::ARGUMENT_SLOT;
use crate::machine::course::effect::{Effect, Span};
pub(crate) use crate::machine::course::openness::Openness;
use crate::machine::{Frame, Machine};
use crate::report::{Course, LimitKind, Outcome};

/// What an instruction drew or saw that its operands do not tell.
#[derive(Clone, Copy, Debug)]
struct Seen {
    draws: bool,
    addresses: bool,
    rounding: bool,
}

impl Seen {
    fn anything(self) -> bool {
        self.draws || self.addresses || self.rounding
    }
}

impl Machine<'_> {
    /// Executes one instruction, if what is open does not decide about it.
    pub(crate) fn follow(&mut self) {
        let instruction = self.executable.code[self.pc];
        let effect = self.effect_of(instruction);
        if effect == Effect::Decides {
            return self.leave_course();
        }
        let before = (self.draws.count(), self.memory.address_reads());
        let (was_inexact, showed) = (self.inexact, self.shows_addresses);
        let (depth, base) = (self.frames.len(), self.base);
        let returning = self.frames.last().copied();
        (self.inexact, self.shows_addresses) = (false, false);
        self.ended = self.execute(1).map(|ended| *ended);
        let seen = Seen {
            draws: self.draws.count() > before.0,
            addresses: self.memory.address_reads() > before.1 || self.shows_addresses,
            rounding: self.inexact,
        };
        self.inexact |= was_inexact;
        self.shows_addresses |= showed;
        if self.ended.is_some() {
            return;
        }
        if self.frames.len() > depth {
            self.enter_frame(instruction, base, seen);
        } else {
            self.write_down(effect, seen, returning);
        }
    }

    /// What is open decides: nothing is known of other executions from here on.
    fn leave_course(&mut self) {
        let frame = self.frames().into_iter().rev().map(|frame| frame.place);
        let place = frame.into_iter().find(|&place| !self.executable.is_model(place));
        if let Some(openness) = &mut self.openness {
            openness.decides_at = Some(place.unwrap_or_else(crate::executable::nowhere));
        }
        self.ended = Some(Outcome::Limit(LimitKind::Cancelled));
    }

    fn write_down(&mut self, effect: Effect, seen: Seen, returning: Option<Frame>) {
        match effect {
            Effect::Nothing if seen.anything() => self.leave_course(),
            Effect::Nothing => {}
            Effect::Decides => unreachable!("such an instruction is not executed"),
            Effect::Register(target, is_open) => {
                self.open_register(target, is_open || seen.anything());
            }
            Effect::Global(global, is_open) => {
                let openness = self.openness.as_mut().expect("the course is followed");
                openness.set_global(global as usize, is_open);
            }
            Effect::Loaded { target, from, is_open } => {
                self.open_register(target, is_open || seen.anything());
                if seen.draws {
                    self.open_bytes(from, true);
                }
            }
            Effect::Stored { to, is_open } => self.open_bytes(to, is_open || seen.anything()),
            Effect::StoredBits { to, is_open } => {
                if is_open || seen.anything() {
                    self.open_bytes(to, true);
                }
            }
            Effect::Copied { to, from } => {
                let openness = self.openness.as_mut().expect("the course is followed");
                openness.copy(to, from);
                if seen.anything() {
                    openness.set_bytes(to, true);
                }
            }
            Effect::Returned { is_open } => {
                let frame = returning.expect("only functions return");
                let site = self.executable.call_sites.get(frame.site as usize);
                if let Some(site) = site.filter(|site| site.target != NO_REGISTER) {
                    self.open_register(site.target, is_open || seen.anything());
                }
            }
            Effect::FromLibrary { .. } if seen.anything() => self.leave_course(),
            Effect::FromLibrary { target } => {
                if let Some(target) = target {
                    self.open_register(target, false);
                }
            }
            Effect::Called => {}
        }
    }

    /// Parameters are as open as their arguments; all else of a new frame is fixed.
    fn enter_frame(&mut self, instruction: Instruction, caller: usize, seen: Seen) {
        let (base, window) = (self.base, self.window);
        let openness = self.openness.as_mut().expect("the course is followed");
        openness.fix_registers(base, window);
        let (Instruction::Call { site } | Instruction::CallIndirect { site, .. }) = instruction
        else {
            // An exit handler has no arguments.
            return;
        };
        let function = self.frames.last().expect("a frame was made").function;
        let site = &self.executable.call_sites[site as usize];
        let callee = &self.executable.functions[function];
        let is_open = |openness: &Openness, number: usize, parameter: Kind| match site
            .arguments
            .get(number)
        {
            Some(&(register, kind)) => {
                let is_address = kind == Kind::Pointer && parameter != Kind::Pointer;
                openness.register(caller + register as usize) || is_address
            }
            None => seen.draws,
        };
        for (number, &parameter) in callee.parameters.iter().enumerate() {
            let is_open = is_open(openness, number, parameter);
            openness.set_register(base + number, is_open);
        }
        let Some((register, _)) = callee.varargs else { return };
        let block = self.registers[base + register as usize];
        let further = site.arguments.iter().enumerate().skip(callee.parameters.len());
        for (slot, (_, &(register, _))) in (0..).zip(further) {
            let openness = self.openness.as_ref().expect("the course is followed");
            if openness.register(caller + register as usize) {
                let at = self.offset(block, slot * ARGUMENT_SLOT);
                let span = self.span(at, ARGUMENT_SLOT);
                self.open_bytes(span, true);
            }
        }
    }

    fn open_register(&mut self, register: u32, is_open: bool) {
        let index = self.base + register as usize;
        let openness = self.openness.as_mut().expect("the course is followed");
        openness.set_register(index, is_open);
    }

    fn open_bytes(&mut self, span: Option<Span>, is_open: bool) {
        let openness = self.openness.as_mut().expect("the course is followed");
        openness.set_bytes(span, is_open);
    }

    /// The bytes that an access names; `None` where it will be a fault.
    fn span(&self, pointer: Value, size: u64) -> Option<Span> {
        let block = pointer.block().or_else(|| self.memory.lookup(pointer.low))?;
        let record = self.memory.block(block);
        let offset = pointer.low.checked_sub(record.base)?;
        (offset.checked_add(size)? <= record.size).then_some(Span {
            block: record.serial,
            offset,
            size,
        })
    }

    /// How the run went, for its report. A block that only open words lead to may be lost in another
    /// execution.
    pub(crate) fn course(&self) -> Course {
        let Some(openness) = &self.openness else { return Course::NotFollowed };
        if let Some(place) = openness.decides_at {
            return Course::Open(place);
        }
        let is_kept_by_chance =
            self.settings.end_check.memtrack && self.fixed_words_lose().next().is_some();
        if self.memory.has_torn_pointers() || is_kept_by_chance {
            return Course::Open(self.place());
        }
        Course::Fixed
    }

    /// The live heap blocks that are reached, but not by words that all executions have.
    fn fixed_words_lose(&self) -> impl Iterator<Item = BlockId> {
        let openness = self.openness.as_ref().expect("the course is followed");
        let lost = match self.memory.live_heap_blocks() {
            0 => Vec::new(),
            _ => {
                let is_open = |block: u64, offset: u64, size: u64| {
                    openness.has_open_byte(Some(Span { block, offset, size }))
                };
                let leaves_global = |number| openness.global(number);
                let leaves_register = |index| openness.register(index);
                let roots = self.roots_but(&leaves_global, &leaves_register);
                self.memory.unreachable_without(roots, &is_open)
            }
        };
        let reached = self.lost_blocks();
        lost.into_iter().filter(move |block| !reached.contains(block))
    }
}
