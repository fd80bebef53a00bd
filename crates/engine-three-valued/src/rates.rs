//! How fast explorations are. One takes a few milliseconds, most of them to get going, so that of a proof is made
//! again and again; then once more with a clock for each phase, which is slower.

use std::time::{Duration, Instant};

use heapwright_engine::{Deadline, Task};

use crate::costs::{Clock, Costs, Phase, timed};
use crate::engine::{ThreeValuedEngine, proving_precision};
use crate::explore::{Explored, explore};
use crate::model::{Atlas, Model};

/// Explorations at the precision of a proof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Structures that focus, allocation and release make, a second.
    pub structures: f64,
    /// Structures that are led over a statement, a second.
    pub statements: f64,
    /// Of one exploration.
    pub made: u64,
    pub led: u64,
    /// The part of the time that each phase takes, in the order of [`Phase::ALL`].
    pub shares: [f64; 4],
}

/// Explores for so long; nothing if the program is not proved.
#[must_use]
pub fn rates(
    task: &Task,
    engine: &ThreeValuedEngine,
    least: Duration,
    deadline: &Deadline,
) -> Option<Rates> {
    let atlas = Atlas::of(task);
    let precision = proving_precision(task, &atlas, engine, deadline)?;
    let mut model = Model::of(&atlas, precision, &engine.library).ok()?;
    let mut costs = Costs::default();
    let mut time = Duration::ZERO;
    let mut count = 0;
    while time < least && !deadline.is_over() {
        timed(&mut time, || explore(&model, u64::MAX, deadline, &mut costs));
        count += 1;
    }
    let each_second = |count: u64| count as f64 / time.as_secs_f64().max(1e-9);
    model.clock = Clock::running();
    // By the same clock as the phases: others may use the processor meanwhile.
    let begun = Instant::now();
    while begun.elapsed() < least && !deadline.is_over() {
        let explored = explore(&model, u64::MAX, deadline, &mut Costs::default());
        assert!(!matches!(explored, Explored::Alarm(_)), "there was none before");
    }
    let phased = begun.elapsed().as_secs_f64().max(1e-9);
    let share = |phase| model.clock.spent(phase).as_secs_f64() / phased;
    Some(Rates {
        structures: each_second(costs.structures),
        statements: each_second(costs.steps),
        made: costs.structures / count.max(1),
        led: costs.steps / count.max(1),
        shares: Phase::ALL.map(share),
    })
}
