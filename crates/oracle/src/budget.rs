//! How much is run: work that is counted, and time that only cuts the tail off.

use std::time::Duration;

use heapwright_engine::Deadline;

/// How hard a proof is tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// A few whole runs and the smallest states.
    Fast,
    #[default]
    Default,
    /// Many times as much as the proof took.
    Thorough,
}

/// What an examination may use.
#[derive(Clone, Debug)]
pub struct Budget {
    /// In edges that a run passes, and what costs about as much.
    pub work: u64,
    pub time: Duration,
    /// Whole runs with inputs of a seed.
    pub runs: u64,
    /// States of one size of one cut point.
    pub states: u32,
    /// Sizes of states beyond the smallest.
    pub sizes: u32,
}

impl Budget {
    /// The budget for a proof that took so long.
    #[must_use]
    pub fn of(effort: Effort, proof_time: Duration) -> Budget {
        let millis = Duration::from_millis;
        match effort {
            Effort::Fast => Budget {
                work: 200_000,
                time: millis(10).max(proof_time / 20),
                runs: 8,
                states: 16,
                sizes: 1,
            },
            Effort::Default => Budget {
                work: 20_000_000,
                time: millis(20).max(proof_time / 4),
                runs: 64,
                states: 256,
                sizes: 3,
            },
            Effort::Thorough => Budget {
                work: u64::MAX,
                time: millis(5_000).max(proof_time * 4),
                runs: 1_000,
                states: 10_000,
                sizes: 5,
            },
        }
    }
}

/// What things cost, an edge being 1.
pub(crate) mod cost {
    pub(crate) const EDGE: u64 = 1;
    pub(crate) const CONTAINS: u64 = 50;
    pub(crate) const SAMPLE: u64 = 100;
    pub(crate) const START: u64 = 100;
    /// A kilobyte of static memory, which every run fills.
    pub(crate) const KILOBYTE: u64 = 1;
}

/// Counts work.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    spent: u64,
    limit: u64,
    deadline: &'a Deadline,
    /// The clock is looked at when this much is spent.
    next_look: u64,
    is_over: bool,
}

/// Work between two looks at the clock.
const STRETCH: u64 = 500;

impl<'a> Meter<'a> {
    pub(crate) fn new(limit: u64, deadline: &'a Deadline) -> Meter<'a> {
        Meter { spent: 0, limit, deadline, next_look: 0, is_over: false }
    }

    pub(crate) fn spend(&mut self, work: u64) {
        self.spent = self.spent.saturating_add(work);
    }

    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }

    pub(crate) fn is_spent(&mut self) -> bool {
        if self.spent >= self.next_look {
            self.next_look = self.spent + STRETCH;
            self.is_over |= self.deadline.is_over();
        }
        self.is_over || self.spent >= self.limit
    }
}
