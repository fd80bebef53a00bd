//! What `check` answers, as plain data: everything that any output of it shows.

use heapwright_engine::{Deadline, Reason, Task};
use heapwright_oracle::Examination;
use heapwright_program::Program;
use heapwright_property::Part;
use heapwright_verdict::{CheckedProof, ReplayedViolation};
use serde::Serialize;

use crate::failure::FailureReport;
use crate::fault::{FaultReport, fault_report, leak_report};
use crate::flow::FlowReport;
use crate::harness::harness;
use crate::hint::hint;
use crate::input::InputReport;
use crate::parts::PartReport;
use crate::position::Position;
use crate::proof::ProofPlace;
use crate::reproduce::Reproduction;
use crate::search::SearchReport;
use crate::story::{Step, name_fields, story};
use heapwright_trace::{Sources, Trace, record};

/// One check of one program.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckReport {
    pub files: Vec<String>,
    /// What was asked.
    pub parts: Vec<Part>,
    /// Calling one of these violates `unreach-call`, if that was asked.
    pub error_functions: Vec<String>,
    pub data_model: String,
    /// What was taken for granted whatever the answer: whether `malloc` may fail, and about callers.
    pub granted: Vec<String>,
    pub answer: Answer,
    /// What a proof says at its places; empty where it says nothing of heaps.
    pub places: Vec<ProofPlace>,
    /// Which line leads to which, function by function.
    pub flows: Vec<FlowReport>,
    /// The answer to each part.
    pub part_answers: Vec<PartReport>,
    /// How far the search for a violation went.
    pub searched: Vec<SearchReport>,
    /// Why the last candidate for an invariant was given up, if somebody wants to know.
    pub failure: Option<FailureReport>,
    /// The engine that decided.
    pub engine: Option<String>,
    /// Every engine that was asked, in order.
    pub engines: Vec<EngineRun>,
    /// What all engines asked the solver.
    pub solver: SolverWork,
    pub seconds: f64,
}

impl CheckReport {
    /// An answer of which nothing else is known yet.
    #[must_use]
    pub fn blank(files: Vec<String>, answer: Answer) -> CheckReport {
        CheckReport {
            files,
            parts: Vec::new(),
            error_functions: Vec::new(),
            data_model: String::new(),
            granted: Vec::new(),
            answer,
            places: Vec::new(),
            flows: Vec::new(),
            part_answers: Vec::new(),
            searched: Vec::new(),
            failure: None,
            engine: None,
            engines: Vec::new(),
            solver: SolverWork::default(),
            seconds: 0.0,
        }
    }
}

/// How long an engine took, its answer's check included.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineRun {
    pub engine: String,
    pub seconds: f64,
    /// Units of work, which are the same on every machine; none where the engine does not count them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work: Option<u64>,
}

/// Questions to a solver, without those of the proof's check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SolverWork {
    pub calls: u64,
    pub seconds: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Holds {
        summary: String,
        assumptions: Vec<String>,
        /// What holds at the loop heads, one text a shape of the heap; empty if nobody asked.
        invariants: Vec<String>,
        proof_check: ProofCheck,
    },
    Violated(Box<ViolationReport>),
    Unknown {
        reasons: Vec<ReasonReport>,
    },
    /// There is no program to ask about.
    InputError {
        message: String,
    },
}

/// What of a proof was run before it was believed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ProofCheck {
    /// For people: "64 whole runs, 216 steps and 1940 small states".
    pub summary: String,
    pub whole_runs: u64,
    pub steps: u64,
    pub small_states: u64,
    /// Arrivals at cut points in states that the proof allows.
    pub contained: u64,
    /// Questions to the proof that had no answer.
    pub unclear: u64,
    pub cut_points: usize,
    /// Cut points that no run came to.
    pub not_exercised: Vec<String>,
    /// There was more to run than time.
    pub is_cut_short: bool,
    pub seconds: f64,
}

impl ProofCheck {
    fn of(examination: &Examination) -> ProofCheck {
        ProofCheck {
            summary: examination.summary(),
            whole_runs: examination.runs,
            steps: examination.steps,
            small_states: examination.small_states + examination.perturbed_states,
            contained: examination.contained,
            unclear: examination.unclear,
            cut_points: examination.cut_points,
            not_exercised: examination.not_exercised.clone(),
            is_cut_short: examination.is_cut_short,
            seconds: examination.time.as_secs_f64(),
        }
    }
}

impl ProofCheck {
    /// What was run of two proofs.
    fn and(self, other: ProofCheck) -> ProofCheck {
        ProofCheck {
            summary: format!("{}; {}", self.summary, other.summary),
            whole_runs: self.whole_runs + other.whole_runs,
            steps: self.steps + other.steps,
            small_states: self.small_states + other.small_states,
            contained: self.contained + other.contained,
            unclear: self.unclear + other.unclear,
            cut_points: self.cut_points + other.cut_points,
            not_exercised: [self.not_exercised, other.not_exercised].concat(),
            is_cut_short: self.is_cut_short || other.is_cut_short,
            seconds: self.seconds + other.seconds,
        }
    }
}

/// Why something is not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReasonReport {
    /// The engine that gives the reason; none where no engine got to work.
    pub engine: Option<String>,
    pub text: String,
    pub place: Option<Position>,
}

/// How a program violates what was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViolationReport {
    pub part: Part,
    pub fault: FaultReport,
    pub story: Vec<Step>,
    /// The whole execution, as far as it can be told.
    pub trace: Option<Trace>,
    /// What usually helps.
    pub hint: Option<String>,
    pub inputs: Vec<InputReport>,
    /// A command that shows it again.
    pub reproduce: String,
    /// C that shows it again under a sanitizer, if somebody asked for it.
    pub harness: Option<Harness>,
    pub assumptions: Vec<String>,
}

/// A harness, and the file that it goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harness {
    pub file: String,
    pub text: String,
}

impl Answer {
    #[must_use]
    pub fn of_proof(proof: &CheckedProof) -> Answer {
        Answer::Holds {
            summary: proof.summary().to_owned(),
            assumptions: proof.assumptions().to_vec(),
            invariants: proof.invariants().to_vec(),
            proof_check: ProofCheck::of(proof.examination()),
        }
    }

    /// What several proofs show together, each of parts of the question.
    #[must_use]
    pub fn of_proofs(proofs: &[&CheckedProof]) -> Answer {
        let mut summaries: Vec<&str> = proofs.iter().map(|proof| proof.summary()).collect();
        summaries.dedup();
        let mut assumptions: Vec<String> = Vec::new();
        for assumption in proofs.iter().flat_map(|proof| proof.assumptions()) {
            if !assumptions.contains(assumption) {
                assumptions.push(assumption.clone());
            }
        }
        let checks = proofs.iter().map(|proof| ProofCheck::of(proof.examination()));
        Answer::Holds {
            summary: summaries.join("; "),
            assumptions,
            invariants: proofs.iter().flat_map(|proof| proof.invariants()).cloned().collect(),
            proof_check: checks.reduce(ProofCheck::and).unwrap_or_default(),
        }
    }

    /// What the gate has seen, with the place of the fault as its whole story;
    /// [`ViolationReport::tell_story`] adds the rest.
    #[must_use]
    pub fn of_violation(
        task: &Task,
        violation: &ReplayedViolation,
        reproduction: &Reproduction,
        assumptions: Vec<String>,
    ) -> Answer {
        let program = &task.program;
        let report = violation.report();
        let fault = match (violation.block(), report.fault()) {
            (Some(block), _) => {
                let is_lost = violation.part() == Part::ValidMemtrack;
                leak_report(program, block, violation.loss(), is_lost)
            }
            (None, Some(fault)) => fault_report(program, fault),
            (None, None) => unreachable!("a violation has a fault or a block"),
        };
        let inputs: Vec<InputReport> =
            violation.inputs().iter().map(|drawn| InputReport::of(program, drawn)).collect();
        let harness = reproduction.native.as_ref().map(|command| Harness {
            file: command.harness.clone(),
            text: harness(task, violation, command),
        });
        Answer::Violated(Box::new(ViolationReport {
            part: violation.part(),
            story: story(None, &fault),
            trace: None,
            hint: hint(&fault),
            reproduce: reproduction.run.with_inputs(&inputs),
            fault,
            inputs,
            harness,
            assumptions,
        }))
    }
}

impl ViolationReport {
    /// Runs the violation once more, watched, and tells how it comes about. Not cheap: once an answer is
    /// enough. Where the time is over before, the report stays as it is.
    pub fn tell_story(&mut self, task: &Task, violation: &ReplayedViolation, deadline: &Deadline) {
        let mut sources = Sources::default();
        let Some(mut trace) = record(task, violation, &mut sources, deadline) else { return };
        let last = trace.steps.last().map(|step| &step.place);
        let words = last.and_then(|place| sources.words(place));
        name_fields(&trace, words, &mut self.fault);
        if let (Some(last), Some(label)) = (trace.steps.last_mut(), self.fault.labels.first()) {
            last.result.clone_from(&label.text);
        }
        self.story = story(Some(&trace), &self.fault);
        self.trace = Some(trace);
    }
}

impl ReasonReport {
    #[must_use]
    pub fn of(program: &Program, engine: &str, reason: &Reason) -> ReasonReport {
        ReasonReport {
            engine: Some(engine.to_owned()),
            text: reason.text.clone(),
            place: reason.place.and_then(|place| Position::of(program, place)),
        }
    }

    /// A reason that no engine gave.
    #[must_use]
    pub fn general(text: impl Into<String>) -> ReasonReport {
        ReasonReport { engine: None, text: text.into(), place: None }
    }
}
