//! Deadlines: when a solver has to stop. By the clock, by a budget of conflicts (the same on every
//! machine), or because another thread says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::result::LimitReached;

/// The limits of a piece of work. Clones share one cancellation.
#[derive(Clone, Debug, Default)]
pub struct Deadline {
    time: Option<Instant>,
    conflicts: Option<u32>,
    cancellation: Cancellation,
}

impl Deadline {
    /// No limit, but still cancellable.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Stops `duration` from now.
    pub fn after(duration: Duration) -> Self {
        Self::unlimited().within(duration)
    }

    /// The same limits, and no later than `duration` from now.
    #[must_use]
    pub fn within(mut self, duration: Duration) -> Self {
        let end = Instant::now().checked_add(duration);
        self.time = match (self.time, end) {
            (Some(time), Some(end)) => Some(time.min(end)),
            (time, end) => time.or(end),
        };
        self
    }

    /// The same limits, and at most this many conflicts in one run of the SAT solver. External
    /// solvers do not count them.
    #[must_use]
    pub fn with_conflicts(mut self, conflicts: u32) -> Self {
        self.conflicts = Some(conflicts);
        self
    }

    /// The same limits, stopped by `cancellation`.
    #[must_use]
    pub fn with_cancellation(mut self, cancellation: Cancellation) -> Self {
        self.cancellation = cancellation;
        self
    }

    /// The handle that stops work under this deadline, from any thread.
    pub fn cancellation(&self) -> Cancellation {
        self.cancellation.clone()
    }

    pub fn conflicts(&self) -> Option<u32> {
        self.conflicts
    }

    /// The time left, if there is a time limit.
    pub fn remaining(&self) -> Option<Duration> {
        self.time.map(|time| time.saturating_duration_since(Instant::now()))
    }

    /// `Err` means: stop now.
    pub fn check(&self) -> Result<(), LimitReached> {
        if self.cancellation.is_cancelled() {
            return Err(LimitReached::Cancelled);
        }
        match self.time {
            Some(time) if Instant::now() >= time => Err(LimitReached::Time),
            Some(_) | None => Ok(()),
        }
    }
}

/// A flag that work in other threads looks at. Once set, it stays set.
#[derive(Clone, Debug, Default)]
pub struct Cancellation {
    flag: Arc<AtomicBool>,
}

impl Cancellation {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}
