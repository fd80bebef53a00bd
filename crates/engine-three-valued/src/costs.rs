//! What a search costs: structures, and time by what it was used for.

use std::cell::Cell;
use std::time::{Duration, Instant};

use heapwright_engine::processor_time;

/// Work and time of a search for a proof, all of its explorations together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Structures that were made, after focus.
    pub structures: u64,
    /// Those of the last exploration alone.
    pub last_structures: u64,
    /// Edges that a state was led over.
    pub steps: u64,
    /// Structures that are kept at loop heads in the end.
    pub kept: u64,
    /// Paths that were followed alone, to choose families.
    pub simulations: u64,
    /// Time in explorations.
    pub exploring: Duration,
    /// Time for paths that were followed alone.
    pub tuning: Duration,
    /// Time for runs of the program that look for a failure.
    pub running: Duration,
    /// Time for runs of the program whose heaps were looked at.
    pub sampling: Duration,
    /// Time to check the certificate.
    pub checking: Duration,
}

/// Does some work, and adds the processor time that it took.
pub(crate) fn timed<T>(time: &mut Duration, work: impl FnOnce() -> T) -> T {
    let (start, begun) = (processor_time(), Instant::now());
    let done = work();
    *time += match (start, processor_time()) {
        (Some(start), Some(end)) => end.saturating_sub(start),
        // Where nobody knows the processor time, it is time as such.
        (None, _) | (_, None) => begun.elapsed(),
    };
    done
}

/// What an exploration does with structures. The rest is the program's own: values, branches, calls, and
/// states that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Focus,
    Coerce,
    Update,
    Blur,
}

impl Phase {
    pub const ALL: [Phase; 4] = [Phase::Focus, Phase::Coerce, Phase::Update, Phase::Blur];
}

/// Time by phase, if somebody wants to know: a look at the clock takes longer than some of the work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    is_on: bool,
    spent: Cell<[Duration; 4]>,
}

impl Clock {
    pub(crate) fn running() -> Clock {
        Clock { is_on: true, ..Clock::default() }
    }

    pub(crate) fn time<T>(&self, phase: Phase, work: impl FnOnce() -> T) -> T {
        if !self.is_on {
            return work();
        }
        let begun = Instant::now();
        let done = work();
        let mut spent = self.spent.get();
        spent[phase as usize] += begun.elapsed();
        self.spent.set(spent);
        done
    }

    pub(crate) fn spent(&self, phase: Phase) -> Duration {
        self.spent.get()[phase as usize]
    }
}
