//! Comparing what gcc's program did with what the interpreter did.

use std::fmt;

use crate::observation::{Ending, Observation};
use heapwright_generators::program::{Expectation, FaultKind};

/// What a comparison came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Agreement,
    Mismatch(MismatchKind),
    Skipped(SkipReason),
}

/// In what the two differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MismatchKind {
    /// Different standard output.
    Output,
    ExitCode,
    /// The interpreter reports a fault in a program without one.
    SpuriousFault,
    /// The interpreter does not report the fault.
    MissedFault,
    FaultKind,
    FaultLine,
    /// The interpreter panicked, was killed, or answered outside its interface.
    InterpreterCrash,
    /// The program does not do under gcc what its generator promised: our own mistake.
    Generator,
}

/// Why a program says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    Unsupported,
    StepLimit,
    InterpreterTimeout,
    NativeTimeout,
    ToolMissing,
}

impl fmt::Display for MismatchKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            MismatchKind::Output => "output",
            MismatchKind::ExitCode => "exit-code",
            MismatchKind::SpuriousFault => "spurious-fault",
            MismatchKind::MissedFault => "missed-fault",
            MismatchKind::FaultKind => "fault-kind",
            MismatchKind::FaultLine => "fault-line",
            MismatchKind::InterpreterCrash => "interpreter-crash",
            MismatchKind::Generator => "generator",
        })
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            SkipReason::Unsupported => "unsupported",
            SkipReason::StepLimit => "step-limit",
            SkipReason::InterpreterTimeout => "interpreter-timeout",
            SkipReason::NativeTimeout => "native-timeout",
            SkipReason::ToolMissing => "tool-missing",
        })
    }
}

/// Whether the compiled program did what its generator promised.
pub fn check_promise(expectation: Expectation, native: &Observation) -> Outcome {
    let is_kept = match (expectation, &native.ending) {
        (_, Ending::TimedOut) => return Outcome::Skipped(SkipReason::NativeTimeout),
        (Expectation::Clean, Ending::Exit(_)) => true,
        (Expectation::Fault { kind, line }, Ending::Fault { kind: seen, line: at }) => {
            // The sanitizer tells where a leaked block was allocated, not where it was lost.
            kind == *seen && (kind == FaultKind::Leak || *at == Some(line))
        }
        (Expectation::Clean | Expectation::Fault { .. }, _) => false,
    };
    if is_kept { Outcome::Agreement } else { Outcome::Mismatch(MismatchKind::Generator) }
}

/// Compares the two observations of one program.
pub fn compare(native: &Observation, interpreted: &Observation) -> Outcome {
    match (&native.ending, &interpreted.ending) {
        (_, Ending::Unsupported) => Outcome::Skipped(SkipReason::Unsupported),
        (_, Ending::StepLimit) => Outcome::Skipped(SkipReason::StepLimit),
        (_, Ending::TimedOut) => Outcome::Skipped(SkipReason::InterpreterTimeout),
        (_, Ending::Crashed(_)) => Outcome::Mismatch(MismatchKind::InterpreterCrash),
        (Ending::TimedOut, _) => Outcome::Skipped(SkipReason::NativeTimeout),
        (Ending::Exit(_), Ending::Fault { .. }) => Outcome::Mismatch(MismatchKind::SpuriousFault),
        (Ending::Fault { .. }, Ending::Exit(_)) => Outcome::Mismatch(MismatchKind::MissedFault),
        (Ending::Exit(expected), Ending::Exit(seen)) => {
            agreement_if(native.stdout == interpreted.stdout, MismatchKind::Output)
                .and(|| agreement_if(expected == seen, MismatchKind::ExitCode))
        }
        (Ending::Fault { kind, line }, Ending::Fault { kind: seen, line: at }) => {
            agreement_if(kind == seen, MismatchKind::FaultKind)
                .and(|| compare_place(*kind, *line, *at))
                .and(|| compare_output_of_fault(*kind, native, interpreted))
        }
        (Ending::Unsupported | Ending::StepLimit | Ending::Crashed(_), _) => {
            Outcome::Mismatch(MismatchKind::Generator)
        }
    }
}

fn compare_place(kind: FaultKind, expected: Option<usize>, seen: Option<usize>) -> Outcome {
    agreement_if(kind == FaultKind::Leak || expected == seen, MismatchKind::FaultLine)
}

/// A leak may be reported when the pointer is lost, while gcc's program runs on to its end.
fn compare_output_of_fault(
    kind: FaultKind,
    native: &Observation,
    interpreted: &Observation,
) -> Outcome {
    let is_same = match kind {
        FaultKind::Leak => native.stdout.starts_with(&interpreted.stdout),
        _ => native.stdout == interpreted.stdout,
    };
    agreement_if(is_same, MismatchKind::Output)
}

fn agreement_if(condition: bool, otherwise: MismatchKind) -> Outcome {
    if condition { Outcome::Agreement } else { Outcome::Mismatch(otherwise) }
}

impl Outcome {
    /// The next comparison, if all agreed so far.
    fn and(self, next: impl FnOnce() -> Outcome) -> Outcome {
        match self {
            Outcome::Agreement => next(),
            Outcome::Mismatch(_) | Outcome::Skipped(_) => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(stdout: &str, ending: Ending) -> Observation {
        Observation { stdout: stdout.into(), ending, stderr: String::new() }
    }

    fn fault(kind: FaultKind, line: usize) -> Ending {
        Ending::Fault { kind, line: Some(line) }
    }

    #[test]
    fn output_and_exit_code_must_agree() {
        let native = observed("1\n", Ending::Exit(3));
        assert_eq!(compare(&native, &observed("1\n", Ending::Exit(3))), Outcome::Agreement);
        let other_output = compare(&native, &observed("2\n", Ending::Exit(3)));
        assert_eq!(other_output, Outcome::Mismatch(MismatchKind::Output));
        let other_code = compare(&native, &observed("1\n", Ending::Exit(4)));
        assert_eq!(other_code, Outcome::Mismatch(MismatchKind::ExitCode));
    }

    #[test]
    fn faults_must_agree_in_kind_and_line() {
        let native = observed("", fault(FaultKind::DoubleFree, 7));
        let line = compare(&native, &observed("", fault(FaultKind::DoubleFree, 8)));
        assert_eq!(line, Outcome::Mismatch(MismatchKind::FaultLine));
        let kind = compare(&native, &observed("", fault(FaultKind::InvalidFree, 7)));
        assert_eq!(kind, Outcome::Mismatch(MismatchKind::FaultKind));
        let missed = compare(&native, &observed("", Ending::Exit(0)));
        assert_eq!(missed, Outcome::Mismatch(MismatchKind::MissedFault));
    }

    #[test]
    fn a_leak_may_be_reported_early_and_elsewhere() {
        let native = observed("1\n2\n", fault(FaultKind::Leak, 7));
        let interpreted = observed("1\n", fault(FaultKind::Leak, 9));
        assert_eq!(compare(&native, &interpreted), Outcome::Agreement);
    }

    #[test]
    fn a_promise_names_kind_and_line() {
        let promise = Expectation::Fault { kind: FaultKind::DoubleFree, line: 7 };
        let kept = observed("", fault(FaultKind::DoubleFree, 7));
        assert_eq!(check_promise(promise, &kept), Outcome::Agreement);
        let broken = observed("", Ending::Exit(0));
        let expected = Outcome::Mismatch(MismatchKind::Generator);
        assert_eq!(check_promise(promise, &broken), expected);
    }
}
