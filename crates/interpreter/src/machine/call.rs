//! Calls and returns. Frames are values on a vector: however deep the program recurs, we do not.

use heapwright_memory::{BlockId, BlockKind, FaultKind, Life, Origin, Value};
use heapwright_program::FunctionId;

use crate::compile::{FINISH, MAIN_SITE, START_REGISTERS, missing_function};
use crate::executable::{CallSite, CallTarget};
use crate::instruction::NO_REGISTER;
use crate::kind::Kind;
use crate::library::{self, Argument, Returned};
use crate::machine::{Ended, Frame, Machine, NO_SITE};
use crate::report::Outcome;

/// Bytes of an argument beyond the parameters.
pub(crate) const ARGUMENT_SLOT: u64 = 16;

impl Machine<'_> {
    /// Calls a function with a body: afterwards the machine is at its first instruction.
    #[inline]
    pub(crate) fn call(
        &mut self,
        site: u32,
        function: FunctionId,
        entry: u32,
    ) -> Result<(), Ended> {
        let executable = self.executable;
        let call_site = &executable.call_sites[site as usize];
        if !call_site.fits && !self.fits(call_site, function) {
            return self.call_unfit(site, function, entry);
        }
        let return_pc = self.pc as u32 + 1;
        let (base, window) = (self.base, self.window);
        self.push_frame(site, function, return_pc)?;
        let (caller, callee) = self.registers[base..].split_at_mut(window);
        for (parameter, &(register, _)) in callee.iter_mut().zip(&call_site.arguments) {
            *parameter = caller[register as usize];
        }
        callee[call_site.arguments.len()..self.window].fill(Value::ZERO);
        self.pc = entry as usize;
        Ok(())
    }

    /// Whether the arguments of a call through a pointer are the parameters of what it points to.
    fn fits(&self, site: &CallSite, function: FunctionId) -> bool {
        let callee = &self.executable.functions[function];
        let kinds = site.arguments.iter().map(|&(_, kind)| kind);
        callee.varargs.is_none() && kinds.eq(callee.parameters.iter().copied())
    }

    /// Adds a frame whose registers are still to be filled.
    #[inline]
    pub(crate) fn push_frame(
        &mut self,
        site: u32,
        function: FunctionId,
        return_pc: u32,
    ) -> Result<(), Ended> {
        let base = self.base + self.window;
        let window = self.executable.functions[function].register_count as usize;
        if self.frames.len() >= self.settings.limits.frames || base + window > u32::MAX as usize {
            return Err(self.plain_fault(FaultKind::StackExhausted));
        }
        if self.registers.len() < base + window {
            self.registers.resize((base + window) * 2, Value::ZERO);
        }
        let allocas = self.allocas.len() as u32;
        self.frames.push(Frame { function, base: base as u32, return_pc, site, allocas });
        (self.base, self.window) = (base, window);
        Ok(())
    }

    /// A call whose arguments differ from the parameters in number or kind.
    #[cold]
    fn call_unfit(&mut self, site: u32, function: FunctionId, entry: u32) -> Result<(), Ended> {
        let arguments = self.arguments(&self.executable.call_sites[site as usize]);
        let return_pc = self.pc as u32 + 1;
        self.push_frame(site, function, return_pc)?;
        let (base, window) = (self.base, self.window);
        self.registers[base..base + window].fill(Value::ZERO);
        let executable = self.executable;
        let callee = &executable.functions[function];
        let model = executable.program.model;
        self.draws.place = executable.place_of(self.pc);
        for (number, &kind) in callee.parameters.iter().enumerate() {
            self.registers[base + number] = match arguments.get(number) {
                Some(argument) => kind.reinterpret(argument.kind, argument.value, model),
                None => {
                    let parameter = executable.program.functions[function].parameters[number];
                    let ty = executable.program.variables[parameter].scalar;
                    kind.value(self.draws.variable(Some(parameter), ty))
                }
            };
        }
        if let Some((register, object)) = callee.varargs {
            let further = arguments.get(callee.parameters.len()..).unwrap_or(&[]);
            let block = self.further_arguments(Origin::Object(object), further)?;
            self.registers[base + register as usize] = self.memory.pointer_to(block);
        }
        self.pc = entry as usize;
        Ok(())
    }

    fn arguments(&self, site: &CallSite) -> Vec<Argument> {
        let argument = |&(register, kind): &(u32, Kind)| Argument {
            value: self.registers[self.base + register as usize],
            kind,
        };
        site.arguments.iter().map(argument).collect()
    }

    /// A stack block with one argument every sixteen bytes.
    fn further_arguments(
        &mut self,
        origin: Origin,
        arguments: &[Argument],
    ) -> Result<BlockId, Ended> {
        let size = arguments.len() as u64 * ARGUMENT_SLOT;
        let block = self.allocate_stack(origin, size, false)?;
        let start = self.memory.pointer_to(block);
        for (number, argument) in (0..).zip(arguments) {
            let low = start.low + number * ARGUMENT_SLOT;
            let slot = Value { low, high: start.high };
            let stored = match argument.kind {
                Kind::Pointer => self.memory.store_pointer(slot, argument.value),
                kind => {
                    let size = u64::from(kind.width()).div_ceil(8);
                    self.memory.store_bytes(slot, size, kind.bits(argument.value))
                }
            };
            stored.unwrap_or_else(|fault| panic!("arguments do not fit their block: {fault:?}"));
        }
        Ok(block)
    }

    /// Returns from the current function: afterwards the machine is behind the call.
    #[inline]
    pub(crate) fn return_from(&mut self, value: Option<Value>) {
        let frame = self.frames.pop().expect("only functions return");
        let executable = self.executable;
        let callee = &executable.functions[frame.function];
        if !callee.objects.is_empty() || self.allocas.len() > frame.allocas as usize {
            self.end_scopes(frame);
        }
        (self.base, self.window) = match self.frames.last() {
            Some(caller) => {
                let window = executable.functions[caller.function].register_count;
                (caller.base as usize, window as usize)
            }
            None => (0, START_REGISTERS),
        };
        let call_pc = self.pc;
        self.pc = frame.return_pc as usize;
        if frame.site == NO_SITE {
            return;
        }
        let site = &executable.call_sites[frame.site as usize];
        if site.target == NO_REGISTER {
            return;
        }
        let fits = site.result == callee.result;
        let value = match value {
            Some(value) if fits => value,
            _ => self.unfit_result(frame, value, call_pc),
        };
        self.registers[self.base + site.target as usize] = value;
    }

    /// The result of a call that gave another kind than it was asked for, or nothing.
    #[cold]
    fn unfit_result(&mut self, frame: Frame, value: Option<Value>, pc: usize) -> Value {
        let executable = self.executable;
        let wanted = executable.call_sites[frame.site as usize].result.expect("it has a target");
        let given = executable.functions[frame.function].result;
        if let (Some(value), Some(given)) = (value, given) {
            let model = executable.program.model;
            return Kind::of(wanted).reinterpret(Kind::of(given), value, model);
        }
        if frame.site == MAIN_SITE {
            // C: reaching the end of `main` returns 0.
            return Value::ZERO;
        }
        self.draws.place = executable.place_of(pc);
        Kind::of(wanted).value(self.draws.variable(None, wanted))
    }

    #[cold]
    fn end_scopes(&mut self, frame: Frame) {
        let place = self.place();
        for register in self.executable.functions[frame.function].objects.clone() {
            let block = self.registers[frame.base as usize + register as usize].block();
            if let Some(block) = block {
                self.leave_if_alive(block, place);
            }
        }
        for block in self.allocas.split_off(frame.allocas as usize) {
            self.leave_if_alive(block, place);
        }
    }

    pub(crate) fn call_through(&mut self, site: u32, pointer: Value) -> Result<(), Ended> {
        let Some(function) = self.function_at(pointer) else {
            let block = pointer.block().or_else(|| self.memory.lookup(pointer.low));
            let mut fault = self.fault(FaultKind::InvalidCallee);
            fault.access = Some(heapwright_memory::Access::Call);
            fault.address = Some(pointer.low);
            fault.blocks =
                block.map(|id| self.memory.summarise(id, pointer.low)).into_iter().collect();
            return Err(Box::new(Outcome::Fault(Box::new(fault))));
        };
        match self.executable.functions[function].target {
            CallTarget::Body(entry) => self.call(site, function, entry),
            CallTarget::Library(_) => self.call_library(site, function),
            CallTarget::Error => Err(self.error_reached(function)),
            CallTarget::Missing => {
                let name = &self.executable.program.functions[function].name;
                Err(self.unsupported(missing_function(name)))
            }
        }
    }

    /// The function that a pointer points to.
    pub(crate) fn function_at(&self, pointer: Value) -> Option<FunctionId> {
        let block = pointer.block().or_else(|| self.memory.lookup(pointer.low))?;
        let record = self.memory.block(block);
        match record.origin {
            Origin::Function(function)
                if record.kind == BlockKind::Function && record.base == pointer.low =>
            {
                Some(function)
            }
            Origin::Function(_) | Origin::Object(_) | Origin::Anonymous => None,
        }
    }

    pub(crate) fn error_reached(&self, function: FunctionId) -> Ended {
        let name = self.executable.program.functions[function].name.clone();
        self.detailed_fault(FaultKind::ErrorReached, name)
    }

    pub(crate) fn call_library(&mut self, site: u32, function: FunctionId) -> Result<(), Ended> {
        let executable = self.executable;
        let call_site = &executable.call_sites[site as usize];
        let CallTarget::Library(builtin) = executable.functions[function].target else {
            panic!("{function} is not in the library");
        };
        let arguments = self.arguments(call_site);
        self.draws.place = self.place();
        let returned = library::call(self, builtin, function, &arguments)?;
        if let (Some(ty), true) = (call_site.result, call_site.target != NO_REGISTER) {
            let value = match returned {
                Returned::Nothing => Kind::of(ty).value(self.draws.variable(None, ty)),
                Returned::Number(_) | Returned::Float(_) | Returned::Pointer(_) => {
                    returned.value(Kind::of(ty))
                }
            };
            self.registers[self.base + call_site.target as usize] = value;
        }
        self.pc += 1;
        Ok(())
    }

    /// `main` or an exit handler has returned, or `exit` was called.
    pub(crate) fn finish(&mut self) -> Result<(), Ended> {
        let status = *self.exit_status.get_or_insert(self.registers[0].low as i32);
        let Some(handler) = self.handlers.pop() else {
            return Err(Box::new(Outcome::Exited(status)));
        };
        match self.executable.functions[handler].target {
            CallTarget::Body(entry) => {
                self.push_frame(NO_SITE, handler, FINISH)?;
                let (base, window) = (self.base, self.window);
                self.registers[base..base + window].fill(Value::ZERO);
                self.pc = entry as usize;
                Ok(())
            }
            CallTarget::Error => Err(self.error_reached(handler)),
            CallTarget::Library(_) | CallTarget::Missing => {
                let name = &self.executable.program.functions[handler].name;
                Err(self.unsupported(format!("`{name}` as an exit handler")))
            }
        }
    }

    pub(crate) fn leave_if_alive(&mut self, block: BlockId, place: heapwright_program::Place) {
        let record = self.memory.block(block);
        if record.kind == BlockKind::Stack && record.life == Life::Alive {
            self.memory.leave_scope(block, place);
        }
    }
}
