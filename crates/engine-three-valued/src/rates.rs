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
    /// The same of the fastest exploration, which others that use the machine disturb least.
    pub fastest: f64,
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
    let repeated = repeat(&model, least, deadline);
    let Repeated { costs, count, time, fastest } = repeated;
    let each_second = |count: u64, time: Duration| count as f64 / time.as_secs_f64().max(1e-9);
    model.clock = Clock::running();
    // By the same clock as the phases: others may use the processor meanwhile.
    let begun = Instant::now();
    while begun.elapsed() < least && !deadline.is_over() {
        let explored = explore(&model, u64::MAX, deadline, &mut Costs::default());
        assert!(!matches!(explored, Explored::Alarm(_)), "there was none before");
    }
    let phased = begun.elapsed().as_secs_f64().max(1e-9);
    let share = |phase| model.clock.spent(phase).as_secs_f64() / phased;
    let made = costs.structures / count.max(1);
    Some(Rates {
        structures: each_second(costs.structures, time),
        fastest: each_second(made, fastest),
        statements: each_second(costs.steps, time),
        made,
        led: costs.steps / count.max(1),
        shares: Phase::ALL.map(share),
    })
}

/// What several explorations cost.
struct Repeated {
    costs: Costs,
    count: u64,
    time: Duration,
    fastest: Duration,
}

/// Explores once, and again for so long. Apart from the rest, so that profilers can look at it alone.
#[inline(never)]
fn repeat(model: &Model<'_>, least: Duration, deadline: &Deadline) -> Repeated {
    let (mut time, mut fastest) = (Duration::ZERO, Duration::MAX);
    let mut costs = Costs::default();
    let mut count = 0;
    while count == 0 || time < least && !deadline.is_over() {
        let mut once = Duration::ZERO;
        timed(&mut once, || explore(model, u64::MAX, deadline, &mut costs));
        time += once;
        fastest = fastest.min(once);
        count += 1;
    }
    Repeated { costs, count, time, fastest }
}
