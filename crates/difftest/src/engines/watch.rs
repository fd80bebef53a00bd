//! Cases that do not end: an engine that overlooks its deadline, or exhausts the stack, takes its
//! process with it. The journal knows which case that was, and another process goes on.

use std::io;
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

/// The status of a process that gave up a case.
pub const GIVEN_UP: i32 = 75;

/// Ends the process unless it is dropped in time.
#[derive(Debug)]
pub(crate) struct Watch {
    _alive: Sender<()>,
}

/// Watches over what is done until the watch is dropped.
pub(crate) fn over(patience: Option<Duration>) -> Option<Watch> {
    let patience = patience?;
    let (alive, ended) = mpsc::channel::<()>();
    std::thread::spawn(move || match ended.recv_timeout(patience) {
        Err(RecvTimeoutError::Timeout) => give_up(),
        Ok(()) | Err(RecvTimeoutError::Disconnected) => {}
    });
    Some(Watch { _alive: alive })
}

#[expect(clippy::exit, reason = "the work under way does not listen; the journal knows of it")]
fn give_up() {
    std::process::exit(GIVEN_UP);
}

/// Runs a command again as long as a case ends it, at most so many times.
pub fn supervise(command: &mut Command, most: usize) -> io::Result<ExitStatus> {
    let mut status = command.status()?;
    for _ in 0..most {
        let has_ended_itself = status.code().is_some_and(|code| code != GIVEN_UP);
        if has_ended_itself {
            break;
        }
        status = command.status()?;
    }
    Ok(status)
}
