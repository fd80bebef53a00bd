//! What `run` reports, as plain data.

use heapwright_interpreter::{LimitKind, Loss, Outcome, RunReport};
use heapwright_memory::BlockSummary;
use heapwright_program::Program;
use serde::Serialize;

use crate::fault::{FaultReport, fault_report, leak_report};
use crate::input::InputReport;
use crate::position::{Label, Position};

/// One run of one program.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunSummary {
    pub files: Vec<String>,
    pub ending: Ending,
    /// Lost blocks beyond the one that `ending` is about.
    pub further_leaks: Vec<FaultReport>,
    /// Blocks that are still pointed to and were not freed.
    pub unfreed: Vec<FaultReport>,
    /// Behaviour that C leaves undefined and the interpreter defines.
    pub notes: Vec<Label>,
    pub inputs: Vec<InputReport>,
    /// More inputs were drawn than were given.
    pub inputs_exhausted: bool,
    pub uninitialised_reads: u64,
    pub steps: u64,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Ending {
    Exited {
        code: i32,
    },
    Aborted,
    AssumptionFailed,
    Fault(FaultReport),
    Unsupported {
        construct: String,
        place: Option<Position>,
    },
    Limit {
        message: &'static str,
    },
    /// Somebody wants it to end.
    Cancelled,
}

impl RunSummary {
    /// `loss` is where the first leaked block was lost.
    #[must_use]
    pub fn of(
        program: &Program,
        files: Vec<String>,
        report: &RunReport,
        loss: Option<&Loss>,
    ) -> RunSummary {
        let is_over = matches!(report.outcome, Outcome::Exited(_) | Outcome::Aborted);
        let mut leaks =
            report.leaked.iter().filter(|_| is_over).enumerate().map(|(index, block)| {
                leak_report(program, block, loss.filter(|_| index == 0), true)
            });
        let ending = match leaks.next() {
            Some(first) => Ending::Fault(first),
            None => ending(program, &report.outcome),
        };
        let is_leaked =
            |block: &BlockSummary| report.leaked.iter().any(|leaked| leaked.serial == block.serial);
        let unfreed = report.unfreed.iter().filter(|block| !is_leaked(block));
        let notes = report.notes.iter().filter_map(|note| {
            Label::at(Position::of(program, note.blame), note.kind.name().replace('-', " "))
        });
        RunSummary {
            files,
            ending,
            further_leaks: leaks.collect(),
            unfreed: unfreed.map(|block| leak_report(program, block, None, false)).collect(),
            notes: notes.collect(),
            inputs: report
                .inputs_drawn
                .iter()
                .map(|input| InputReport::of(program, input))
                .collect(),
            inputs_exhausted: report.inputs_exhausted,
            uninitialised_reads: report.uninitialised_reads,
            steps: report.steps,
        }
    }
}

fn ending(program: &Program, outcome: &Outcome) -> Ending {
    match outcome {
        Outcome::Exited(code) => Ending::Exited { code: *code },
        Outcome::Aborted => Ending::Aborted,
        Outcome::Returned => panic!("a whole run returns to nobody"),
        Outcome::AssumptionFailed => Ending::AssumptionFailed,
        Outcome::Fault(fault) => Ending::Fault(fault_report(program, fault)),
        Outcome::Unsupported { construct, blame, .. } => Ending::Unsupported {
            construct: construct.clone(),
            place: Position::of(program, *blame),
        },
        Outcome::Limit(kind) => limit(*kind),
    }
}

fn limit(kind: LimitKind) -> Ending {
    let message = match kind {
        LimitKind::Steps => "the step limit is reached; raise it with --step-limit",
        LimitKind::Memory => "the program uses more memory than the interpreter gives it",
        LimitKind::AddressSpace => "the program uses more addresses than its data model has",
        LimitKind::Output => "the output could not be written",
        LimitKind::Cancelled => return Ending::Cancelled,
    };
    Ending::Limit { message }
}
