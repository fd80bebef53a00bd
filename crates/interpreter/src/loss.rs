//! Where a block was lost: the operation after which nothing pointed to it.
//!
//! A lost block stays lost, so the step is found by bisection, each probe being the same run again
//! with the recorded inputs.

use heapwright_memory::BlockId;
use heapwright_program::{FunctionId, LocationId, Place};

use crate::executable::Executable;
use crate::inputs::{DrawnInput, RecordedInputs};
use crate::machine::Machine;
use crate::settings::{Environment, Settings};
use crate::trace::TraceEvent;

/// The operation that lost the last pointer to a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    pub function: FunctionId,
    pub location: LocationId,
    pub place: Place,
    /// The innermost place at that time that is not in a model.
    pub blame: Place,
    /// The number of instructions executed before the operation, at most.
    pub step: u64,
    /// What happened before, oldest first, as much as the settings ask for.
    pub trace: Vec<TraceEvent>,
}

/// Finds where the heap block called `serial` was lost in the run with these settings and inputs.
/// `None` if it was not lost before the run ended, or at its end only.
#[must_use]
pub fn locate_loss(
    executable: &Executable<'_>,
    settings: &Settings,
    recorded: &[DrawnInput],
    serial: u64,
) -> Option<Loss> {
    let telling = Settings { trace: settings.trace, ..quiet(settings) };
    let settings = quiet(settings);
    let probe = |steps: u64| {
        let environment = Environment::silent(RecordedInputs::new(recorded));
        let mut machine = Machine::new(executable, &settings, environment);
        machine.run_for(steps);
        (machine.is_lost(serial), machine.steps, machine.outcome().is_some())
    };
    // Doubling finds a step by which it is lost; bisection finds the first one.
    let (mut kept, mut lost) = (0, 1u64);
    loop {
        let (is_lost, steps, has_ended) = probe(lost);
        if is_lost {
            break;
        }
        if has_ended {
            return None;
        }
        kept = steps;
        lost = steps.saturating_mul(2).max(lost.saturating_mul(2));
    }
    while kept + 1 < lost {
        let middle = kept + (lost - kept) / 2;
        if probe(middle).0 { lost = middle } else { kept = middle }
    }
    let environment = Environment::silent(RecordedInputs::new(recorded));
    let mut machine = Machine::new(executable, &telling, environment);
    machine.run_for(kept);
    let frame = *machine.frames().last()?;
    let (function, location) = machine.location()?;
    Some(Loss {
        function,
        location,
        place: frame.place,
        blame: machine.blame(),
        step: machine.steps,
        trace: machine.trace.take(),
    })
}

/// The same run without anything that does not change its course.
fn quiet(settings: &Settings) -> Settings {
    Settings { record_inputs: false, trace: 0, notes: 0, cancelled: None, ..settings.clone() }
}

impl Machine<'_> {
    /// Executes that many instructions, and then to the start of an edge.
    pub fn run_for(&mut self, steps: u64) {
        if self.ended.is_none() && steps > 0 {
            self.advance(steps);
        }
        self.finish_edge();
    }

    /// Whether the heap block called `serial` is alive and nothing points to it.
    #[must_use]
    pub fn is_lost(&self, serial: u64) -> bool {
        let is_it = |id: &BlockId| self.memory.block(*id).serial == serial;
        self.lost_blocks().iter().any(is_it)
    }
}
