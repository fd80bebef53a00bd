//! When to stop: a time, so much work, so many conflicts of a solver, or a flag that another thread
//! raises. The one deadline of everything that works on a task: portfolio, engines, solvers, checks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How many times as long as its processor time a share of work may last.
const LONGEST_WAIT: u32 = 4;

/// Shared by everything that works on one task.
#[derive(Clone, Debug)]
pub struct Deadline {
    end: Option<Instant>,
    end_of_work: Option<EndOfWork>,
    /// Whose work is counted, and how much of it may be done.
    end_of_units: Option<(WorkMeter, u64)>,
    conflicts: Option<u32>,
    cancelled: Arc<AtomicBool>,
    /// Of the work that this one is a part of, if it can be cancelled by itself.
    whole: Option<Arc<AtomicBool>>,
}

/// The processor time of the thread that works at which its work is over. To ask the system for that time costs more than
/// most of what happens between two looks; but a thread uses no more of it than passes.
#[derive(Clone, Debug)]
struct EndOfWork {
    end: Duration,
    /// When it was said.
    said: Instant,
    /// Nanoseconds behind that in which the work cannot be over.
    surely_not: Arc<AtomicU64>,
}

impl EndOfWork {
    /// After so much processor time of this thread from now on, where it is known.
    fn after(time: Duration) -> Option<EndOfWork> {
        let end = thread_time()?.checked_add(time)?;
        let surely_not = Arc::new(AtomicU64::new(nanoseconds(time)));
        Some(EndOfWork { end, said: Instant::now(), surely_not })
    }

    fn is_over(&self, now: Instant) -> bool {
        let since = now.saturating_duration_since(self.said);
        if nanoseconds(since) < self.surely_not.load(Ordering::Relaxed) {
            return false;
        }
        let Some(left) = thread_time().map(|used| self.end.saturating_sub(used)) else {
            return false;
        };
        self.surely_not.store(nanoseconds(since.saturating_add(left)), Ordering::Relaxed);
        left.is_zero()
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Counts work in units that are the same on every machine, however busy it is.
#[derive(Clone, Debug, Default)]
pub struct WorkMeter(Arc<AtomicU64>);

impl WorkMeter {
    pub fn add(&self, units: u64) {
        self.0.fetch_add(units, Ordering::Relaxed);
    }

    /// The units so far.
    #[must_use]
    pub fn units(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why a deadline is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The time, or the share of work.
    Time,
    Cancelled,
}

impl Default for Deadline {
    fn default() -> Deadline {
        Deadline::never()
    }
}

impl Deadline {
    /// No time limit; only cancellation.
    #[must_use]
    pub fn never() -> Deadline {
        let cancelled = Arc::new(AtomicBool::new(false));
        Deadline {
            end: None,
            end_of_work: None,
            end_of_units: None,
            conflicts: None,
            cancelled,
            whole: None,
        }
    }

    /// After this much time from now on.
    #[must_use]
    pub fn after(time: Duration) -> Deadline {
        Deadline { end: Instant::now().checked_add(time), ..Deadline::never() }
    }

    /// Ends after `time` from now on, or when this one ends.
    #[must_use]
    pub fn at_most(&self, time: Duration) -> Deadline {
        let end = Instant::now().checked_add(time);
        let end = match (self.end, end) {
            (Some(mine), Some(new)) => Some(mine.min(new)),
            (one, other) => one.or(other),
        };
        Deadline { end, ..self.clone() }
    }

    /// Ends after so much processor time of this thread from now on, or when this one ends: a share
    /// of the work, which others on a busy machine do not take away. It ends after a few times that
    /// time as well, so that what comes next has its turn on a machine that is busy all the time.
    /// Where the processor time is not known, it is time as such. For the thread that asks for it alone.
    #[must_use]
    pub fn at_most_work(&self, time: Duration) -> Deadline {
        let Some(end) = EndOfWork::after(time) else {
            return self.at_most(time);
        };
        let end_of_work = match &self.end_of_work {
            Some(mine) if mine.end <= end.end => Some(mine.clone()),
            Some(_) | None => Some(end),
        };
        Deadline { end_of_work, ..self.at_most(time.saturating_mul(LONGEST_WAIT)) }
    }

    /// The same limits, but the share of processor time ends so much later: for what is better not left half done.
    #[must_use]
    pub fn with_grace(&self, time: Duration) -> Deadline {
        let end_of_work = self.end_of_work.as_ref().map(|mine| EndOfWork {
            end: mine.end.saturating_add(time),
            said: mine.said,
            // What surely was not its end is not the later one either.
            surely_not: Arc::new(AtomicU64::new(mine.surely_not.load(Ordering::Relaxed))),
        });
        Deadline { end_of_work, ..self.clone() }
    }

    /// Ends after so many units of work from now on, or when this one ends; but for units that another
    /// meter counts.
    #[must_use]
    pub fn at_most_units(&self, meter: &WorkMeter, units: u64) -> Deadline {
        let end = meter.units().saturating_add(units);
        let end = match &self.end_of_units {
            Some((mine, earlier)) if Arc::ptr_eq(&mine.0, &meter.0) => end.min(*earlier),
            Some(_) | None => end,
        };
        Deadline { end_of_units: Some((meter.clone(), end)), ..self.clone() }
    }

    /// Who counts units of work, if someone does.
    #[must_use]
    pub fn meter(&self) -> Option<WorkMeter> {
        self.end_of_units.as_ref().map(|(meter, _)| meter.clone())
    }

    /// Counts units of work, if someone counts them.
    pub fn spend(&self, units: u64) {
        if let Some((meter, _)) = &self.end_of_units {
            meter.add(units);
        }
    }

    /// The same limits, and at most this many conflicts in one run of a SAT solver: a limit that is
    /// the same on every machine. External solvers do not count them.
    #[must_use]
    pub fn with_conflicts(mut self, conflicts: u32) -> Deadline {
        self.conflicts = Some(conflicts);
        self
    }

    #[must_use]
    pub fn conflicts(&self) -> Option<u32> {
        self.conflicts
    }

    /// The same limits, but cancelling this one does not cancel the others. Those who only look at its
    /// flag do not see that the others were cancelled: who makes one has to tell it.
    #[must_use]
    pub fn by_itself(&self) -> Deadline {
        let whole = Some(Arc::clone(&self.cancelled));
        Deadline { cancelled: Arc::new(AtomicBool::new(false)), whole, ..self.clone() }
    }

    /// Ends all work under this deadline and those made from it, from any thread.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over().is_some()
    }

    /// Whether to stop now, and why.
    #[must_use]
    pub fn over(&self) -> Option<Over> {
        let is_raised = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        if is_raised(&self.cancelled) || self.whole.as_ref().is_some_and(is_raised) {
            return Some(Over::Cancelled);
        }
        let is_done = |(meter, end): &(WorkMeter, u64)| meter.units() >= *end;
        let is_late = self.end_of_units.as_ref().is_some_and(is_done) || {
            let is_timed = self.end.is_some() || self.end_of_work.is_some();
            is_timed && self.is_past(Instant::now())
        };
        is_late.then_some(Over::Time)
    }

    fn is_past(&self, now: Instant) -> bool {
        self.end.is_some_and(|end| now >= end)
            || self.end_of_work.as_ref().is_some_and(|end| end.is_over(now))
    }

    /// The flag that cancels, for those who only look at a flag.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancelled)
    }

    /// The time that is left, whatever work is left.
    #[must_use]
    pub fn remaining(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }
}

/// The processor time that this process has used, where it is known.
#[cfg(unix)]
#[must_use]
pub fn processor_time() -> Option<Duration> {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    used.try_into().ok()
}

#[cfg(not(unix))]
#[must_use]
pub fn processor_time() -> Option<Duration> {
    None
}

/// The processor time that this thread has used, where it is known.
#[cfg(unix)]
fn thread_time() -> Option<Duration> {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    used.try_into().ok()
}

#[cfg(not(unix))]
fn thread_time() -> Option<Duration> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn sleeping_is_no_work() {
        let deadline = Deadline::never().at_most_work(Duration::from_secs(3600));
        std::thread::sleep(Duration::from_millis(5));
        assert!(!deadline.is_over());
    }

    #[test]
    fn work_ends_a_share_of_it() {
        let deadline = Deadline::never().at_most_work(Duration::from_millis(50));
        let longer = deadline.at_most_work(Duration::from_secs(3600));
        let start = Instant::now();
        while !longer.is_over() {
            assert!(start.elapsed() < Duration::from_secs(600), "the work was not seen");
        }
        assert!(deadline.is_over());
        assert!(!Deadline::never().is_over());
    }

    #[test]
    fn a_share_with_grace_ends_later() {
        let deadline = Deadline::never().at_most_work(Duration::from_millis(20));
        let graced = deadline.with_grace(Duration::from_secs(3600));
        let start = Instant::now();
        while !deadline.is_over() {
            assert!(start.elapsed() < Duration::from_secs(600), "the work was not seen");
        }
        assert!(graced.over() != Some(Over::Cancelled) && graced.end_of_work.is_some());
    }

    #[test]
    fn what_other_threads_do_is_no_work_of_this_one() {
        let deadline = Deadline::never().at_most_work(Duration::from_millis(200));
        let other = std::thread::spawn(|| {
            let share = Deadline::never().at_most_work(Duration::from_millis(300));
            while !share.is_over() {}
        });
        other.join().expect("it counts its own work");
        assert!(!deadline.is_over() || deadline.remaining() == Some(Duration::ZERO));
    }

    #[test]
    fn a_part_is_cancelled_by_itself_and_with_the_whole() {
        let whole = Deadline::never();
        let (one, other) = (whole.by_itself(), whole.by_itself());
        one.cancel();
        assert!(one.is_over() && !whole.is_over() && !other.is_over());
        whole.cancel();
        assert!(other.is_over());
    }

    #[test]
    fn units_end_a_share_and_the_shares_of_it() {
        let meter = WorkMeter::default();
        meter.add(5);
        let share = Deadline::never().at_most_units(&meter, 10);
        let longer = share.at_most_units(&meter, 100);
        meter.add(9);
        assert!(!share.is_over() && !longer.is_over());
        meter.add(1);
        assert!(share.is_over() && longer.is_over());
        assert!(!Deadline::never().at_most_units(&meter, 1).is_over());
    }

    #[test]
    fn a_share_of_work_ends_with_the_time_around_it() {
        let deadline = Deadline::after(Duration::ZERO).at_most_work(Duration::from_secs(3600));
        assert!(deadline.is_over());
        let cancelled = Deadline::never();
        let share = cancelled.at_most_work(Duration::from_secs(3600));
        cancelled.cancel();
        assert!(share.is_over());
    }
}
