//! Exit codes: what a script learns without reading anything.

use heapwright_report::{Answer, CheckReport};

/// `check`: every part of the question holds.
pub(crate) const HOLDS: u8 = 0;
/// `check`: some part is violated.
pub(crate) const VIOLATED: u8 = 10;
/// `check`: not decided.
pub(crate) const UNKNOWN: u8 = 20;
/// `check --bound`: not decided, and no violation within the bound.
pub(crate) const WITHIN_BOUND: u8 = 21;
/// `check`, `show`: the input cannot be read, parsed or type-checked.
pub(crate) const BAD_INPUT: u8 = 30;

/// `validate`: the witness is right, is wrong, is neither for all we know.
pub(crate) const CONFIRMED: u8 = 0;
pub(crate) const REJECTED: u8 = 10;
pub(crate) const NOT_CONFIRMED: u8 = 20;

/// Wrong usage.
pub(crate) const USAGE: u8 = 2;

/// `bench`: some answer was wrong, or the bench could not be run.
pub(crate) const BENCH_FAILED: u8 = 1;

/// `run`: the program did something wrong.
pub(crate) const FAULT: u8 = 101;
/// `run`: the program got to C that is not modelled.
pub(crate) const UNSUPPORTED: u8 = 102;
/// `run`: a limit was reached.
pub(crate) const LIMIT: u8 = 103;
/// `run`: the input cannot be read, parsed or type-checked.
pub(crate) const RUN_BAD_INPUT: u8 = 104;
/// `run`: an assumption of the task failed.
pub(crate) const ASSUMPTION_FAILED: u8 = 105;
/// `run`: the program called `abort`; what a shell makes of SIGABRT.
pub(crate) const ABORTED: u8 = 134;
/// What a shell makes of SIGINT.
pub(crate) const INTERRUPTED: u8 = 130;
/// Standard output takes no more: sysexits' EX_IOERR.
pub(crate) const OUTPUT_FAILED: u8 = 74;
/// What Rust programs end with after a panic is 101, which `run` needs: this is sysexits' EX_SOFTWARE.
pub(crate) const INTERNAL_ERROR: u8 = 70;

/// With `--bound`, an answer is also that the search went so far.
pub(crate) fn of_check(report: &CheckReport, bound: Option<u32>) -> u8 {
    let went = |bound: &u32| report.searched.iter().any(|search| search.rounds >= Some(*bound));
    match &report.answer {
        Answer::Unknown { .. } if bound.as_ref().is_some_and(went) => WITHIN_BOUND,
        Answer::Holds { .. } => HOLDS,
        Answer::Violated(_) => VIOLATED,
        Answer::Unknown { .. } => UNKNOWN,
        Answer::InputError { .. } => BAD_INPUT,
    }
}
