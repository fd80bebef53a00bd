//! What a finished process has answered. Limits come first: a verdict printed too late does not
//! count. A process that died does not count either, whatever it had printed.

use crate::process::{Finished, Stop};
use crate::verdict::{Answer, TimeLimit, last_line, verdict_of_output};
use std::os::unix::process::ExitStatusExt;

/// The answer of a finished run; `None` when it was cancelled.
pub(crate) fn answer_of(finished: &Finished) -> Option<Answer> {
    match finished.stop {
        Some(Stop::Cancelled) => None,
        Some(Stop::CpuTime) => Some(Answer::Timeout { limit: TimeLimit::Cpu }),
        Some(Stop::WallTime) => Some(Answer::Timeout { limit: TimeLimit::Wall }),
        Some(Stop::Memory) => Some(Answer::OutOfMemory),
        Some(Stop::Output) => Some(Answer::Crash { reason: "too much output".to_owned() }),
        None => Some(answer_of_exit(finished)),
    }
}

fn answer_of_exit(finished: &Finished) -> Answer {
    if let Some(reason) = death(finished) {
        return Answer::Crash { reason };
    }
    verdict_of_output(&finished.output)
        .unwrap_or_else(|| Answer::Crash { reason: missing_verdict(finished) })
}

/// How the process died, if it did not end by itself.
fn death(finished: &Finished) -> Option<String> {
    let signal = finished.status.signal();
    // 101 is the exit code of a Rust program that panicked.
    let is_panic_exit = finished.status.code() == Some(101);
    if signal.is_some() || is_panic_exit {
        if finished.errors.contains("has overflowed its stack") {
            return Some("stack overflow".to_owned());
        }
        if let Some(message) = panic_message(&finished.errors) {
            return Some(format!("panic: {message}"));
        }
    }
    signal.map(|signal| match signal_hook::low_level::signal_name(signal) {
        Some("SIGKILL") => "killed by SIGKILL: perhaps the system ran out of memory".to_owned(),
        Some(name) => format!("killed by {name}"),
        None => format!("killed by signal {signal}"),
    })
}

/// `place: message` of the first panic.
fn panic_message(errors: &str) -> Option<String> {
    let mut lines = errors.lines().skip_while(|line| !line.contains("panicked at "));
    let (_, place) = lines.next()?.split_once("panicked at ")?;
    let message = lines.next().unwrap_or_default();
    Some(shortened(&format!("{place} {message}")))
}

fn missing_verdict(finished: &Finished) -> String {
    let code = finished.status.code().unwrap_or_default();
    let last = last_line(&finished.errors).or_else(|| last_line(&finished.output));
    match last {
        None => format!("no verdict line: exit code {code}, no output"),
        Some(line) => format!("no verdict line: exit code {code}, last line: {}", shortened(line)),
    }
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 160;
    match text.char_indices().nth(LONGEST) {
        None => text.trim().to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Measured;
    use std::process::ExitStatus;

    /// `status` as `wait` reports it: exit codes are in the upper byte.
    fn answer(status: i32, output: &str, errors: &str) -> Answer {
        let finished = Finished {
            stop: None,
            status: ExitStatus::from_raw(status),
            measured: Measured::default(),
            output: output.to_owned(),
            errors: errors.to_owned(),
        };
        answer_of(&finished).unwrap()
    }

    fn crash(status: i32, output: &str, errors: &str) -> String {
        match answer(status, output, errors) {
            Answer::Crash { reason } => reason,
            other => panic!("no crash: {other}"),
        }
    }

    #[test]
    fn exit_codes_do_not_spoil_a_verdict() {
        assert_eq!(answer(0, "TRUE\n", ""), Answer::True);
        assert_eq!(answer(10 << 8, "FALSE\n", "note"), Answer::False { part: None });
    }

    #[test]
    fn a_signal_is_a_crash_even_after_a_verdict() {
        assert_eq!(crash(11, "TRUE\n", ""), "killed by SIGSEGV");
        assert!(crash(9, "", "").starts_with("killed by SIGKILL"));
        assert_eq!(crash(6, "", "thread 'main' has overflowed its stack\n"), "stack overflow");
    }

    #[test]
    fn a_panic_is_quoted() {
        let errors = "note\nthread 'main' panicked at src/a.rs:3:5:\nindex out of range\n";
        assert_eq!(crash(101 << 8, "TRUE", errors), "panic: src/a.rs:3:5: index out of range");
    }

    #[test]
    fn rubbish_is_quoted() {
        let reason = crash(2 << 8, "usage: tool\n", "");
        assert_eq!(reason, "no verdict line: exit code 2, last line: usage: tool");
        assert_eq!(crash(0, "", ""), "no verdict line: exit code 0, no output");
    }
}
