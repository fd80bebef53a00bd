//! Processes of ours that do a part of the work, and end when nobody wants that any more.

use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Runs a process and gives its standard output; nothing if it is not wanted any more. It has `patience`
/// long to end by itself, then it is ended.
pub(crate) fn output_while_wanted(
    command: &mut Command,
    is_wanted: &dyn Fn() -> bool,
    patience: Duration,
) -> io::Result<Option<(ExitStatus, String)>> {
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut process = command.spawn()?;
    let mut output = process.stdout.take().expect("it is a pipe");
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        output.read_to_end(&mut bytes).map(|_| bytes)
    });
    let mut end: Option<Instant> = None;
    let status = loop {
        if let Some(status) = process.try_wait()? {
            break status;
        }
        if !is_wanted() {
            let end = *end.get_or_insert_with(|| Instant::now() + patience);
            if Instant::now() >= end {
                process.kill()?;
            }
        }
        std::thread::sleep(POLL_INTERVAL);
    };
    let bytes = reader.join().unwrap_or_else(|_| Err(io::Error::other("the reader failed")))?;
    // What it says then is not its answer: it may have been told to end as well.
    Ok(is_wanted().then(|| (status, String::from_utf8_lossy(&bytes).into_owned())))
}
