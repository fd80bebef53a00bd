//! The whole engine's answer, against concrete runs of the same program.

use std::ops::RangeInclusive;
use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Run, Task, run_settings, violation_of};
use heapwright_interpreter::{Environment, SeededInputs};
use heapwright_verdict::{Verdict, conclude};

use crate::engine::SymbolicHeapEngine;
use crate::precision::{Payload, Precision};
use crate::settings::{PathTurns, Settings};
use crate::strategy::search::summarise;

/// Edges of one run.
const STEPS: u64 = 20_000;

/// How often each answer was given.
#[derive(Debug, Default)]
pub(super) struct Answers {
    pub(super) holds: u64,
    violated: u64,
    unknown: u64,
    /// Programs with a faulty run.
    pub(super) faulty: u64,
}

impl Answers {
    /// Asks the engine about a program. The seed of a run that contradicts its proof, if one does.
    pub(super) fn ask(&mut self, task: &Task, seeds: RangeInclusive<u64>) -> Option<u64> {
        self.ask_for(task, seeds, Duration::from_millis(1500))
    }

    /// The same with more time: there are more precisions.
    pub(super) fn ask_about_trees(
        &mut self,
        task: &Task,
        seeds: RangeInclusive<u64>,
    ) -> Option<u64> {
        self.ask_for(task, seeds, Duration::from_millis(2500))
    }

    /// Asks for invariants with sequences of prototypes alone.
    pub(super) fn ask_about_sequences(
        &mut self,
        task: &Task,
        seeds: RangeInclusive<u64>,
    ) -> Option<u64> {
        let faulty = seeds.into_iter().find(|&seed| is_faulty(task, seed));
        self.faulty += u64::from(faulty.is_some());
        let precision = Precision::for_lists(Payload::Sequences);
        let deadline = Deadline::after(Duration::from_millis(1500));
        if summarise(task, &Settings::default(), &precision, &Run::alone(&deadline), &deadline)
            .is_err()
        {
            self.unknown += 1;
            return None;
        }
        self.holds += 1;
        faulty
    }

    fn ask_for(&mut self, task: &Task, seeds: RangeInclusive<u64>, time: Duration) -> Option<u64> {
        let faulty = seeds.into_iter().find(|&seed| is_faulty(task, seed));
        self.faulty += u64::from(faulty.is_some());
        match answer(task, time) {
            Verdict::Holds(_) => {
                self.holds += 1;
                return faulty;
            }
            Verdict::Violated(_) => self.violated += 1,
            Verdict::Unknown(_) => self.unknown += 1,
        }
        None
    }
}

fn is_faulty(task: &Task, seed: u64) -> bool {
    let mut settings = run_settings(task);
    settings.limits.steps = STEPS;
    let environment = Environment::silent(SeededInputs::new(seed));
    let report = heapwright_interpreter::run(&task.program, &settings, environment);
    violation_of(task, &report).is_some()
}

/// Paths get no time before summaries do: they would find the faults that summaries may miss.
fn answer(task: &Task, time: Duration) -> Verdict {
    let settings = Settings { paths: PathTurns::Last, time, ..Settings::default() };
    let deadline = Deadline::after(Duration::from_secs(10));
    let finding = SymbolicHeapEngine { settings }.run(task, &Run::alone(&deadline));
    conclude(task, finding, &deadline)
}
