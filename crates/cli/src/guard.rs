//! Our own bugs: a panic becomes a message that says so, and never a verdict.
//!
//! Work runs on a thread of its own, with a stack for deeply nested programs. The panic hook only
//! takes notes: some panics are caught further inside (the C parser's), and then nobody is told.

use std::any::Any;
use std::backtrace::Backtrace;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use heapwright_engine::Deadline;

use crate::memory::MemoryLimit;

/// Virtual memory: only what is used counts.
const STACK_BYTES: usize = 512 << 20;
/// How long work may take to notice that its time is over.
const PATIENCE: Duration = Duration::from_millis(120);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A panic of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bug {
    /// `crates/x/src/y.rs:12: index out of range`
    message: String,
    backtrace: String,
}

impl Bug {
    /// The reason of an answer: one line.
    pub(crate) fn summary(&self) -> String {
        let line = self.message.lines().next().unwrap_or_default();
        format!("internal error: {}", line.trim_end_matches(':'))
    }

    /// What the user should know and do.
    pub(crate) fn notice(&self) -> String {
        format!(
            "internal error: {}\n\
             This is a bug of Heapwright, not of your program. Please report it at\n\
             {}/issues with this message, the command line and,\n\
             if you can, the program; RUST_BACKTRACE=1 adds where it happened.\n{}",
            self.message,
            env!("CARGO_PKG_REPOSITORY"),
            self.backtrace
        )
    }
}

/// Where the panic hook leaves its notes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guard {
    last: Arc<Mutex<Option<Bug>>>,
}

/// How supervised work ended.
pub(crate) enum Ended<T> {
    Done(T),
    Failed(Bug),
    /// Its time was over and it did not notice.
    GivenUp,
}

impl Guard {
    /// Takes over the panic hook.
    pub(crate) fn install() -> Guard {
        let guard = Guard::default();
        let last = Arc::clone(&guard.last);
        std::panic::set_hook(Box::new(move |panic| {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(bug_of(panic));
        }));
        guard
    }

    /// Runs a part of the work; a panic in it is the caller's to tell.
    pub(crate) fn catch<T>(&self, work: impl FnOnce() -> T) -> Result<T, Bug> {
        // What the part was working on is not used after a panic.
        catch_unwind(AssertUnwindSafe(work)).map_err(|payload| self.bug(payload.as_ref()))
    }

    /// Runs work on a thread with a large stack until it ends, or its time or memory is over.
    pub(crate) fn supervise<T: Send + 'static>(
        &self,
        (deadline, memory): (&Deadline, &MemoryLimit),
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Ended<T> {
        let (sender, receiver) = mpsc::channel();
        let guard = self.clone();
        let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
            // Nobody listens any more once the work was given up.
            let _ = sender.send(guard.catch(work));
        });
        if let Err(error) = worker {
            let message = format!("cannot start a thread: {error}");
            return Ended::Failed(Bug { message, backtrace: String::new() });
        }
        let mut end: Option<Instant> = None;
        loop {
            match receiver.recv_timeout(POLL_INTERVAL) {
                Ok(Ok(result)) => return Ended::Done(result),
                Ok(Err(bug)) => return Ended::Failed(bug),
                Err(RecvTimeoutError::Disconnected) => return Ended::Failed(self.bug(&())),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if memory.is_reached() || deadline.is_over() {
                // Those who only look at the flag shall know as well.
                deadline.cancel();
                let end = *end.get_or_insert_with(|| Instant::now() + PATIENCE);
                if Instant::now() >= end {
                    return Ended::GivenUp;
                }
            }
        }
    }

    fn bug(&self, payload: &(dyn Any + Send)) -> Bug {
        let noted = self.last.lock().unwrap_or_else(PoisonError::into_inner).take();
        noted.unwrap_or_else(|| Bug { message: message_of(payload), backtrace: String::new() })
    }
}

fn bug_of(panic: &PanicHookInfo<'_>) -> Bug {
    let place = panic
        .location()
        .map_or(String::new(), |place| format!("{}:{}: ", place.file(), place.line()));
    let backtrace = Backtrace::capture();
    let backtrace = match backtrace.status() {
        std::backtrace::BacktraceStatus::Captured => format!("{backtrace}\n"),
        _ => String::new(),
    };
    Bug { message: format!("{place}{}", message_of(panic.payload())), backtrace }
}

fn message_of(payload: &dyn Any) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_message() {
        let guard = Guard::default();
        let ended = guard
            .supervise((&Deadline::never(), &MemoryLimit::none()), || -> u32 { panic!("ouch") });
        let Ended::Failed(bug) = ended else { panic!("it did not fail") };
        assert!(bug.notice().contains("ouch"), "{}", bug.notice());
    }

    #[test]
    fn work_that_does_not_notice_its_end_is_given_up() {
        let deadline = Deadline::after(Duration::from_millis(1));
        let ended = Guard::default().supervise((&deadline, &MemoryLimit::none()), || {
            thread::sleep(Duration::from_secs(3600));
        });
        assert!(matches!(ended, Ended::GivenUp));
    }
}
