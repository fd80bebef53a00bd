//! Both cores: while an engine has its turn, the next in line begins already.
//!
//! What the next one finds is heard when its turn has come, and it sees what was published before the turn that it did not
//! wait for, whether it waited or not. So answers and proofs are those of one engine after the other; only the time
//! differs. It is worth it where the question takes long anyway and a core has nothing to do.

use std::time::Duration;

use heapwright_deadline::processor_time;

/// Whether turns may begin ahead of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cores {
    /// One engine after the other.
    One,
    /// Two engines at a time, where that is worth while and a core has nothing to do.
    #[default]
    Idle,
    /// Two engines at a time, whatever else the machine does.
    Two,
}

/// What a question takes before the first turn begins ahead of time: of those that take less than a second, none takes much
/// more processor time for it.
const HEAD_START: Duration = Duration::from_millis(700);

/// Engines that are asked first have no thread of their own: most questions are answered by them.
pub(crate) const FIRST_ASIDE: usize = 2;

/// When a question began, and whether it is worth while to begin turns ahead of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    cores: Cores,
    begun: Option<Duration>,
}

impl Pace {
    pub(crate) fn new(cores: Cores) -> Pace {
        let has_several = std::thread::available_parallelism().is_ok_and(|count| count.get() > 1);
        let cores = match cores {
            Cores::Idle if !has_several => Cores::One,
            Cores::One | Cores::Idle | Cores::Two => cores,
        };
        Pace { cores, begun: processor_time() }
    }

    /// Whether seats are to have threads.
    pub(crate) fn uses_threads(self) -> bool {
        self.cores != Cores::One
    }

    /// Whether the next in line may begin now.
    pub(crate) fn allows_two(self) -> bool {
        match self.cores {
            Cores::One => false,
            Cores::Idle => self.takes_long() && !is_processor_time_limited() && has_idle_core(),
            Cores::Two => true,
        }
    }

    fn takes_long(self) -> bool {
        let used = processor_time().zip(self.begun);
        used.is_some_and(|(now, begun)| now.saturating_sub(begun) >= HEAD_START)
    }
}

/// Who limits the processor time would get less for it.
#[cfg(unix)]
fn is_processor_time_limited() -> bool {
    rustix::process::getrlimit(rustix::process::Resource::Cpu).current.is_some()
}

#[cfg(not(unix))]
fn is_processor_time_limited() -> bool {
    false
}

/// Whether fewer threads can run than there are cores, this one among them. Where that is not told, it is taken to be so.
fn has_idle_core() -> bool {
    let Ok(load) = std::fs::read_to_string("/proc/loadavg") else { return true };
    let running = load.split_whitespace().nth(3).and_then(|field| field.split('/').next());
    let running = running.and_then(|count| count.parse::<usize>().ok());
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    running.is_none_or(|running| running < cores)
}
