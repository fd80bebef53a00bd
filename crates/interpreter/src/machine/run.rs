//! Running: in stretches, between which the machine looks at limits and leaks.

use std::sync::atomic::Ordering;

use heapwright_base::DenseId;
use heapwright_memory::{BlockId, BlockSummary, FaultKind, Value};
use heapwright_program::{EdgeId, VariableKind};

use crate::instruction::Instruction;
use crate::kind::Kind;
use crate::liveness::Liveness;
use crate::machine::{Frame, Machine, NO_SITE};
use crate::report::{Fault, LimitKind, Outcome, RunReport};
use crate::trace::{TraceEvent, TraceKind};

/// Instructions between two looks at the cancellation flag.
const STRETCH: u64 = 1 << 16;

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub steps: u64,
    /// Whether it has drawn inputs.
    pub depends_on_inputs: bool,
}

impl Machine<'_> {
    /// Runs to the end and says what happened.
    pub fn run(&mut self) -> RunReport {
        self.run_while(&|_| true)
    }

    /// Runs to the end, or until someone who is asked now and then says that it is enough.
    pub fn run_while(&mut self, goes_on: &dyn Fn(Progress) -> bool) -> RunReport {
        let mut next_check = self.settings.end_check.periodic;
        let mut interval = next_check.unwrap_or(0);
        while self.ended.is_none() {
            let until = next_check.unwrap_or(u64::MAX).min(self.settings.limits.steps);
            let fuel = STRETCH.min(until.saturating_sub(self.steps));
            self.advance(fuel.max(1));
            self.check_limits();
            let progress =
                Progress { steps: self.steps, depends_on_inputs: self.draws.count() > 0 };
            if self.ended.is_none() && !goes_on(progress) {
                self.ended = Some(Outcome::Limit(LimitKind::Cancelled));
            }
            if next_check.is_some_and(|at| self.steps >= at) && self.ended.is_none() {
                self.periodic_check();
                interval = interval.saturating_mul(2);
                next_check = Some(self.steps.saturating_add(interval));
            }
        }
        self.report()
    }

    /// Executes to the start of the next edge; `Some` once the run has ended.
    pub fn step(&mut self) -> Option<&Outcome> {
        if self.ended.is_none() {
            self.advance(1);
            self.finish_edge();
            self.check_limits();
        }
        self.ended.as_ref()
    }

    /// Goes on to where no edge is under way.
    pub(crate) fn finish_edge(&mut self) {
        while self.ended.is_none() && !self.executable.starts_edge[self.pc] {
            self.advance(1);
        }
    }

    /// Executes up to `fuel` instructions.
    pub(crate) fn advance(&mut self, fuel: u64) {
        if self.openness.is_some() {
            for _ in 0..fuel {
                self.follow();
                if self.ended.is_some() {
                    return;
                }
            }
            return;
        }
        if !self.trace.is_wanted() {
            self.ended = self.execute(fuel).map(|ended| *ended);
            return;
        }
        for _ in 0..fuel {
            let (pc, depth) = (self.pc, self.frames.len());
            self.ended = self.execute(1).map(|ended| *ended);
            self.trace_instruction(pc, depth);
            if self.ended.is_some() {
                return;
            }
        }
    }

    fn trace_instruction(&mut self, pc: usize, depth: usize) {
        let origin = self.executable.origins[pc];
        let Some(function) = origin.function else { return };
        let instruction = self.executable.code[pc];
        let mut edge = origin.edge;
        let kind = match instruction {
            Instruction::AllocateHeap { .. } => TraceKind::Allocate,
            Instruction::Free { .. } => TraceKind::Free,
            Instruction::Input { .. } => TraceKind::Input,
            Instruction::Return { .. } | Instruction::ReturnNothing => TraceKind::Return,
            Instruction::Call { .. } | Instruction::CallIndirect { .. }
                if self.frames.len() > depth =>
            {
                TraceKind::Call(self.frames[depth].function)
            }
            _ if instruction.negated().is_some() => {
                edge = self.taken_edge(pc).unwrap_or(edge);
                TraceKind::Decision
            }
            _ => return,
        };
        let body = self.executable.program.functions[function].body.as_ref();
        let place = body.expect("it has instructions").edges[edge].place;
        self.trace.push(TraceEvent { kind, function, edge, place });
    }

    /// Which of the two edges a branch at `pc` has just taken.
    fn taken_edge(&self, pc: usize) -> Option<EdgeId> {
        use heapwright_program::Operation;
        let origin = self.executable.origins[pc];
        let body = self.executable.program.functions[origin.function?].body.as_ref()?;
        let source = body.edges[origin.edge].source;
        let went_on = self.pc == pc + 1;
        let goes_on_if = origin.goes_on_if?;
        body.edges.enumerated().find_map(|(id, edge)| match edge.operation {
            Operation::Assume { holds, .. } if edge.source == source => {
                (holds == (went_on == goes_on_if)).then_some(id)
            }
            _ => None,
        })
    }

    pub(crate) fn check_limits(&mut self) {
        if self.ended.is_some() {
            return;
        }
        let cancelled = self.settings.cancelled.as_ref();
        if cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            self.ended = Some(Outcome::Limit(LimitKind::Cancelled));
        } else if self.steps >= self.settings.limits.steps {
            self.ended = Some(Outcome::Limit(LimitKind::Steps));
        }
    }

    fn periodic_check(&mut self) {
        self.finish_edge();
        if self.ended.is_some() {
            return;
        }
        let lost = self.lost_blocks();
        if !lost.is_empty() {
            let blocks = self.summaries(&lost);
            let fault = Fault { blocks, ..self.fault(FaultKind::Leak) };
            self.ended = Some(Outcome::Fault(Box::new(fault)));
        }
    }

    pub(crate) fn summaries(&self, blocks: &[BlockId]) -> Vec<BlockSummary> {
        let summarise = |&id: &BlockId| self.memory.summarise(id, self.memory.block(id).base);
        blocks.iter().map(summarise).collect()
    }

    /// The live heap blocks that nothing points to. Right where no edge is under way, and where
    /// the run has ended.
    #[must_use]
    pub fn lost_blocks(&self) -> Vec<BlockId> {
        if self.memory.live_heap_blocks() == 0 {
            return Vec::new();
        }
        self.memory.unreachable_blocks(self.roots())
    }

    /// The values of all variables: of the globals and of the frames that are there.
    fn roots(&self) -> Vec<Value> {
        self.roots_but(&|_| false, &|_| false)
    }

    /// The same without those at some places: of the globals, and of the registers.
    pub(crate) fn roots_but(
        &self,
        leaves_global: &dyn Fn(usize) -> bool,
        leaves_register: &dyn Fn(usize) -> bool,
    ) -> Vec<Value> {
        let program = self.executable.program;
        let mut roots = Vec::new();
        let globals = self.globals.iter().zip(&self.executable.globals).enumerate();
        for (_, (value, global)) in globals.filter(|(number, _)| !leaves_global(*number)) {
            push_root(&mut roots, global.kind, *value);
        }
        let mut variables = vec![Vec::new(); program.functions.len()];
        for (id, variable) in program.variables.enumerated() {
            if let Some(function) = variable.function {
                variables[function.index()].push(id);
            }
        }
        let mut liveness = Liveness::new(program);
        for (number, frame) in self.frames.iter().enumerate() {
            for &id in &variables[frame.function.index()] {
                let variable = &program.variables[id];
                let register = self.executable.registers[id];
                let index = (frame.base + register) as usize;
                if leaves_register(index) {
                    continue;
                }
                let value = self.registers[index];
                let kind = Kind::of(variable.scalar);
                // A variable that the lowering made holds on to nothing once it is not used.
                let is_temporary = variable.kind == VariableKind::Temporary;
                if !is_temporary || value.low != 0 && self.is_live(&mut liveness, number, frame, id)
                {
                    push_root(&mut roots, kind, value);
                }
            }
        }
        roots
    }

    fn is_live(
        &self,
        liveness: &mut Liveness<'_>,
        number: usize,
        frame: &Frame,
        variable: heapwright_program::VariableId,
    ) -> bool {
        match self.frames.get(number + 1) {
            None => match self.executable.location_of(self.pc) {
                Some((_, location)) => liveness.is_live(frame.function, location, variable),
                None => false,
            },
            // A frame that called `exit` uses nothing any more.
            Some(callee) if callee.site == NO_SITE => false,
            Some(callee) => {
                let origin = self.executable.origins[self.caller_pc(callee)];
                liveness.is_live_after(frame.function, origin.edge, variable)
            }
        }
    }

    fn report(&mut self) -> RunReport {
        let outcome = self.ended.clone().expect("only an ended run is reported");
        let check = &self.settings.end_check;
        // Whoever wants to see the output sees it even if the sink fails now.
        let _ = self.output.flush().and(self.error_output.flush());
        let may_leak = match &outcome {
            Outcome::Exited(_) | Outcome::Aborted | Outcome::Limit(_) => true,
            Outcome::Returned
            | Outcome::AssumptionFailed
            | Outcome::Fault(_)
            | Outcome::Unsupported { .. } => false,
        };
        let leaked = match &outcome {
            Outcome::Fault(fault) if fault.kind == FaultKind::Leak => fault.blocks.clone(),
            _ if check.memtrack && may_leak => self.summaries(&self.lost_blocks()),
            _ => Vec::new(),
        };
        let unfreed = match check.memcleanup && may_leak {
            true => self.summaries(&self.memory.live_heap().map(|(id, _)| id).collect::<Vec<_>>()),
            false => Vec::new(),
        };
        RunReport {
            outcome,
            steps: self.steps,
            leaked,
            unfreed,
            notes: std::mem::take(&mut self.notes),
            depends_on_inputs: self.draws.count() > 0
                || self.shows_addresses
                || self.sees_choices
                || self.memory.address_reads() > 0
                || self.memory.has_torn_pointers(),
            sees_choices: self.sees_choices,
            inexact: self.inexact,
            course: self.course(),
            inputs_drawn: self.draws.take_recorded(),
            inputs_exhausted: self.draws.is_exhausted(),
            uninitialised_reads: self.memory.uninitialised_reads(),
            output_bytes: self.output_bytes,
            trace: self.trace.take(),
        }
    }
}

/// Adds what a variable of this kind may point to.
fn push_root(roots: &mut Vec<Value>, kind: Kind, value: Value) {
    match kind {
        Kind::Pointer => roots.push(value),
        Kind::I128 | Kind::U128 => {
            roots.extend([Value::from_low(value.low), Value::from_low(value.high)]);
        }
        _ if kind.is_narrow() => roots.push(Value::from_low(value.low)),
        _ => {}
    }
}
