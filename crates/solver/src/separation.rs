//! Separation logic: whether cells can be there side by side. Only cvc5 knows it, and it answers one
//! question at a time: a process is told everything anew for each.

use heapwright_logic::{SmtLibWriter, Sort, TermId, Terms};

use crate::external::{ExternalCommand, ExternalError, Process};
use crate::result::LimitReached;
use heapwright_deadline::Deadline;

/// A heap of bytes, described by `address ↦ _ * address ↦ _ * …` and a pure part.
#[derive(Debug)]
pub struct SeparationSolver {
    command: ExternalCommand,
    process: Option<Process>,
}

/// The answer to a question about a heap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeparationResult {
    Sat,
    Unsat,
    Unknown(LimitReached),
}

impl SeparationResult {
    /// What went wrong outside, if that is why there is no answer.
    pub fn failure(&self) -> Option<&ExternalError> {
        match self {
            Self::Unknown(LimitReached::Failed(error)) => Some(error),
            Self::Sat | Self::Unsat | Self::Unknown(_) => None,
        }
    }
}

impl Default for SeparationSolver {
    fn default() -> Self {
        Self::new()
    }
}

impl SeparationSolver {
    /// A solver whose process is started by the first check.
    #[must_use]
    pub fn new() -> Self {
        let command = ExternalCommand::new("cvc5", &["--lang", "smt2", "--no-incremental"]);
        Self { command, process: None }
    }

    /// Whether there can be a heap of exactly these cells, each separate from the others, with
    /// whatever in them, while `pure` holds.
    pub fn check(
        &mut self,
        terms: &Terms,
        pure: &[TermId],
        cells: &[TermId],
        deadline: &Deadline,
    ) -> SeparationResult {
        self.ask(&question(terms, pure, cells), deadline).unwrap_or_else(SeparationResult::Unknown)
    }

    /// Asks questions whose answers are known; the error says what is wrong.
    pub fn probe(&mut self) -> Result<(), String> {
        let mut terms = Terms::new();
        let deadline = Deadline::after(std::time::Duration::from_secs(10));
        let [one, other] = ["one", "other"].map(|name| terms.variable(name, Sort::BitVector(64)));
        let equal = terms.equal(one, other);
        let questions =
            [(Vec::new(), SeparationResult::Sat), (vec![equal], SeparationResult::Unsat)];
        for (pure, expected) in questions {
            match self.check(&terms, &pure, &[one, other], &deadline) {
                result if result == expected => {}
                SeparationResult::Unknown(limit) => return Err(limit.to_string()),
                SeparationResult::Sat | SeparationResult::Unsat => {
                    return Err(format!("solver `{}` answers wrongly", self.command));
                }
            }
        }
        Ok(())
    }

    fn ask(
        &mut self,
        question: &str,
        deadline: &Deadline,
    ) -> Result<SeparationResult, LimitReached> {
        LimitReached::before(deadline)?;
        // A process that fails below is dropped, which ends it.
        let mut process = match self.process.take() {
            Some(process) => process,
            None => Process::start(&self.command).map_err(LimitReached::Failed)?,
        };
        process.send(question).map_err(LimitReached::Failed)?;
        let answer = process.receive(deadline)?;
        let result = match answer.as_atom() {
            Some("sat") => SeparationResult::Sat,
            Some("unsat") => SeparationResult::Unsat,
            Some("unknown") => SeparationResult::Unknown(LimitReached::GaveUp),
            Some(_) | None => {
                let error: ExternalError = process.rubbish(&answer.to_string());
                return Err(LimitReached::Failed(error));
            }
        };
        self.process = Some(process);
        Ok(result)
    }
}

/// A whole script, and an end that makes the process forget it.
fn question(terms: &Terms, pure: &[TermId], cells: &[TermId]) -> String {
    let width = cells.first().map_or(64, |&cell| terms.width(cell));
    let mut text = format!(
        "(set-option :print-success false)\n(set-logic QF_ALL)\n\
         (declare-heap ((_ BitVec {width}) (_ BitVec 8)))\n"
    );
    let mut writer = SmtLibWriter::new();
    for &formula in pure {
        writer.define(terms, formula, &mut text);
        text += &format!("(assert {})\n", writer.name(terms, formula));
    }
    let mut heap = String::new();
    for (position, &cell) in cells.iter().enumerate() {
        writer.define(terms, cell, &mut text);
        text += &format!("(declare-fun content.{position} () (_ BitVec 8))\n");
        heap += &format!(" (pto {} content.{position})", writer.name(terms, cell));
    }
    match cells.len() {
        0 => text += "(assert (_ emp (_ BitVec 64) (_ BitVec 8)))\n",
        1 => text += &format!("(assert{heap})\n"),
        _ => text += &format!("(assert (sep{heap}))\n"),
    }
    text + "(check-sat)\n(reset)\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cells_are_never_one() {
        let mut solver = SeparationSolver::new();
        match solver.probe() {
            Err(problem) if problem.contains("cannot start") => {
                eprintln!("SKIPPED: {problem}");
            }
            result => assert_eq!(result, Ok(())),
        }
    }
}
