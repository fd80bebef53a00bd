//! Why the work has ended before its end: somebody interrupted it, or the time or the memory was used up.

use std::time::Duration;

use heapwright_report::{Answer, ReasonReport};

use crate::interrupt::Interrupt;
use crate::memory::MemoryLimit;
use crate::unless_overflow::most_time_kept;

/// What may have ended the work before its end.
pub(crate) struct Stop<'s> {
    pub(crate) interrupt: &'s Interrupt,
    pub(crate) memory: &'s MemoryLimit,
    pub(crate) timeout: Option<Duration>,
    pub(crate) elapsed: Duration,
}

/// Puts the reason first that made all other reasons.
pub(crate) fn explain_early_end(answer: &mut Answer, stop: &Stop<'_>) {
    let Answer::Unknown { reasons } = answer else { return };
    if stop.interrupt.is_raised() {
        // To engines an interruption is the end of their time.
        reasons.retain(|reason| !reason.text.starts_with("the time limit was reached"));
        reasons.insert(0, ReasonReport::general("interrupted"));
    } else if stop.memory.was_reached() {
        reasons.insert(0, ReasonReport::general(stop.memory.reason()));
    } else if let Some(timeout) = stop.timeout
        && stop.elapsed >= timeout - most_time_kept(timeout)
    {
        let text = format!("timeout after {} s", timeout.as_secs_f64());
        reasons.insert(0, ReasonReport::general(text));
    }
}
