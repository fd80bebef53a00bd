//! Smaller inputs with which a program fails in the same way: people read them.
//!
//! Values are made zero, all of them, then fewer and fewer at a time; those that are left are made smaller. What
//! fails in another way, elsewhere or later is not taken. Work is counted, so that the same violation is always
//! shrunk to the same one.

use heapwright_engine::{FoundViolation, Task, find_violation};
use heapwright_interpreter::{DrawnInput, Executable, InputKind, Outcome, RunReport, Settings};
use heapwright_memory::FaultKind;
use heapwright_program::{Place, mask, sign_extend};

/// Instructions that all tries may take together.
const STEPS: u64 = 3_000_000;
/// Tries, however short.
const TRIES: u32 = 300;

/// A violation that was shown, with the run that shows it.
pub(crate) type Shown = (FoundViolation, RunReport);

/// Shrinks the inputs of a violation. The report is that of a run of its own.
pub(crate) fn shrink(
    task: &Task,
    executable: &Executable<'_>,
    settings: &Settings,
    shown: Shown,
) -> Shown {
    let settings = Settings { trace: 0, ..settings.clone() };
    let mut shrinking = Shrinking { task, executable, settings, shown, steps: 0, tries: 0 };
    shrinking.zero();
    shrinking.lessen();
    shrinking.shown
}

struct Shrinking<'s> {
    task: &'s Task,
    executable: &'s Executable<'s>,
    settings: Settings,
    shown: Shown,
    steps: u64,
    tries: u32,
}

impl Shrinking<'_> {
    fn inputs(&self) -> &[DrawnInput] {
        &self.shown.1.inputs_drawn
    }

    /// Makes values zero, in stretches that become shorter.
    fn zero(&mut self) {
        let mut stretch = self.inputs().len();
        while stretch > 0 && !self.is_spent() {
            let mut start = 0;
            while start < self.inputs().len() {
                let mut inputs = self.inputs().to_vec();
                let end = (start + stretch).min(inputs.len());
                let mut changes = false;
                for input in inputs[start..end].iter_mut().filter(|input| is_number(input)) {
                    changes |= input.bits != 0;
                    input.bits = 0;
                }
                if changes {
                    self.try_inputs(&inputs);
                }
                start += stretch;
            }
            stretch /= 2;
        }
    }

    /// Makes values smaller, one after the other: one, or the smallest that bisection finds.
    fn lessen(&mut self) {
        let model = self.task.program.model;
        let mut index = 0;
        while index < self.inputs().len() && !self.is_spent() {
            let input = &self.inputs()[index];
            let width = input.ty.value_bits(model);
            let is_done = !is_number(input) || input.ty.is_float() || input.bits <= 1 || width > 64;
            if !is_done && !self.try_value(index, 1) {
                self.bisect(index, width);
            }
            index += 1;
        }
    }

    /// Zero does not fail, or is not known to.
    fn bisect(&mut self, index: usize, width: u32) {
        let (mut passing, mut failing) = (0, sign_extend(self.inputs()[index].bits, width));
        // Ends because the distance is halved in each round.
        while failing.abs_diff(passing) > 1 && index < self.inputs().len() {
            let middle = passing + (failing - passing) / 2;
            match self.try_value(index, middle as u128 & mask(width)) {
                true => failing = middle,
                false => passing = middle,
            }
        }
    }

    fn try_value(&mut self, index: usize, bits: u128) -> bool {
        let mut inputs = self.inputs().to_vec();
        inputs[index].bits = bits;
        self.try_inputs(&inputs)
    }

    /// Whether the program fails in the same way with these inputs, no later; then they are taken.
    fn try_inputs(&mut self, inputs: &[DrawnInput]) -> bool {
        if self.is_spent() {
            return false;
        }
        let most = self.shown.1.steps;
        self.settings.limits.steps = most + 1;
        self.steps += most;
        self.tries += 1;
        let found = find_violation(self.task, self.executable, &self.settings, inputs);
        let taken = found.filter(|found| found.1.steps <= most && way(found) == way(&self.shown));
        match taken {
            Some(found) => {
                self.shown = found;
                true
            }
            None => false,
        }
    }

    fn is_spent(&self) -> bool {
        self.steps >= STEPS || self.tries >= TRIES
    }
}

/// How a program fails: what is violated, by what, and where.
fn way(shown: &Shown) -> (heapwright_property::Part, Option<FaultKind>, Option<Place>) {
    let (violation, report) = shown;
    match &report.outcome {
        Outcome::Fault(fault) if violation.block.is_none() => {
            (violation.part, Some(fault.kind), Some(fault.blame))
        }
        Outcome::Fault(_)
        | Outcome::Exited(_)
        | Outcome::Aborted
        | Outcome::Returned
        | Outcome::AssumptionFailed
        | Outcome::Unsupported { .. }
        | Outcome::Limit(_) => {
            (violation.part, None, violation.block.as_ref().map(|block| block.allocated))
        }
    }
}

/// Choices, failing allocations and characters are not numbers that are larger or smaller.
fn is_number(input: &DrawnInput) -> bool {
    match input.kind {
        InputKind::Nondeterministic(_)
        | InputKind::UninitialisedVariable(_)
        | InputKind::UninitialisedByte { .. } => true,
        InputKind::AllocationFails { .. } | InputKind::Choice(_) | InputKind::Character => false,
    }
}
