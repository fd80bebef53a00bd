//! The proof: rows with their values, and how many rounds the formula has to hold.
//!
//! It is checked on a formula that is built anew, in a solver that has seen nothing else, by three
//! kinds of questions: the rows hold after a loop's first rounds (initiation), they are kept by every
//! further round (consecution), and they exclude that an obligation fails (safety). For a summarised
//! function: its context holds at every call, and its body, in which calls do what summaries say, keeps
//! its summary.

use std::time::Instant;

use heapwright_certificate::Certificate;
use heapwright_engine::{Deadline, Evidence, Proof, Reason, Task};
use heapwright_logic::TermId;
use heapwright_solver::{BackEnd, CheckResult, SmtSolver};

use crate::analysis::inlined::Calls;
use crate::claims::certificate;
use crate::confirmation::Confirmation;
use crate::evidence::{Edges, States, TemplateEvidence, WatchedCalls};
use crate::null::{ASSUMPTION, without_null_accesses};
use crate::question::{Failure, Question};
use crate::ssa::{BuildSettings, Preparation};
use crate::synthesis::{FrameKind, Statistics, Template};

/// What a formula of the program holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    pub(crate) calls: Calls,
    /// Rounds of each loop.
    pub(crate) copies: u32,
    /// Whether rows speak of links between blocks.
    pub(crate) links: bool,
    /// Whether runs with faults that nobody asks about are left out.
    pub(crate) is_lenient: bool,
}

impl Scale {
    fn build(self) -> BuildSettings {
        let check_lives = !self.is_lenient;
        BuildSettings { copies: self.copies, check_lives, links: self.links }
    }

    /// The question as the proof answers it, if it is another one.
    fn changed(self, task: &Task) -> Result<Option<Task>, Reason> {
        if !self.is_lenient {
            return Ok(None);
        }
        let changed = without_null_accesses(task);
        let reason = || Reason::new("the question is about null pointers too");
        changed.map(Some).ok_or_else(reason)
    }

    /// What is not known is not claimed.
    fn evidence(self, edges: Result<Edges, Reason>) -> TemplateEvidence {
        let edges = edges.unwrap_or_default();
        TemplateEvidence { edges, is_lenient: self.is_lenient, ..TemplateEvidence::default() }
    }

    fn assumptions(self) -> Vec<String> {
        if self.is_lenient { vec![ASSUMPTION.to_owned()] } else { Vec::new() }
    }
}

/// Invariants that are inductive over so many rounds.
#[derive(Debug)]
pub(crate) struct Inductive {
    template: Template,
    scale: Scale,
    statistics: Statistics,
    confirmation: Confirmation,
}

impl Inductive {
    pub(crate) fn new(template: Template, scale: Scale, statistics: Statistics) -> Inductive {
        Inductive { template, scale, statistics, confirmation: Confirmation::default() }
    }

    /// The formula, built anew, and the rows on it.
    fn question(&self, task: &Task) -> Result<(Preparation, Question, Template), Reason> {
        let preparation = Preparation::of(task, self.scale.calls)?;
        let mut formula = preparation.formula(task, self.scale.build());
        if let Some(reason) = formula.unsupported.first() {
            return Err(reason.clone());
        }
        if !formula.cut_runs.is_empty() {
            return Err(Reason::new("the formula does not hold all runs"));
        }
        let template = self.template.on(&mut formula);
        let template =
            template.ok_or_else(|| Reason::new("the invariants are about another program"))?;
        Ok((preparation, Question::new(formula, &BackEnd::Embedded), template))
    }

    fn certificate(&self, task: &Task) -> Option<Certificate> {
        let changed = self.scale.changed(task).ok()?;
        let (preparation, question, template) =
            self.question(changed.as_ref().unwrap_or(task)).ok()?;
        certificate(&preparation, &question.formula, &template, self.scale)
    }

    /// What contexts and summaries say of calls.
    fn calls(&self, task: &Task) -> Result<WatchedCalls, Reason> {
        let changed = self.scale.changed(task)?;
        let (preparation, question, template) = self.question(changed.as_ref().unwrap_or(task))?;
        Ok(WatchedCalls::of(&preparation, &question.formula, &template, &task.program))
    }

    fn edges(&self, asked: &Task, task: &Task, deadline: &Deadline) -> Result<Edges, Reason> {
        let (_, mut question, mut template) = self.question(task)?;
        let invariants = template.assumptions(&mut question.formula.terms);
        Ok(Edges::of(&mut question, Some(&invariants), asked, deadline))
    }

    fn check_formula(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        let start = Instant::now();
        let (preparation, mut question, mut template) = self.question(task)?;
        let invariants = template.assumptions(&mut question.formula.terms);
        let violations = template.violations(&mut question.formula.terms);
        let selects: Vec<TermId> = question.formula.loops.iter().map(|cut| cut.select).collect();
        for (number, violation) in violations.into_iter().enumerate() {
            // Loops come first.
            let cases = match selects.get(number) {
                Some(&select) => {
                    let is_first = question.formula.terms.not(select);
                    vec![(is_first, "hold at first"), (select, "last")]
                }
                None => vec![(TermId::TRUE, "hold of calls")],
            };
            for (case, what) in cases {
                unsatisfiable(&mut question, &invariants, &[case, violation], deadline)
                    .map_err(|text| Reason::new(format!("that invariants {what}: {text}")))?;
            }
        }
        match question.any_failure(&invariants, deadline) {
            Failure::Impossible => {
                let claims = certificate(&preparation, &question.formula, &template, self.scale);
                // Rows about links are not said where only one encoding has seen them.
                let taken = (start.elapsed(), self.scale.links);
                self.confirmation.ask(task, claims.as_ref(), taken, deadline)
            }
            Failure::Possible { obligation, .. } => {
                let obligation = &question.formula.obligations[obligation];
                Err(Reason::at(obligation.text.clone(), obligation.place))
            }
            Failure::Unknown(reason) => Err(reason),
        }
    }
}

impl Proof for Inductive {
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        let changed = self.scale.changed(task)?;
        self.check_formula(changed.as_ref().unwrap_or(task), deadline)
    }

    fn evidence(&self, task: &Task, deadline: &Deadline) -> Box<dyn Evidence> {
        let changed = self.scale.changed(task);
        let edges = changed
            .and_then(|changed| self.edges(task, changed.as_ref().unwrap_or(task), deadline));
        let mut evidence = self.scale.evidence(edges);
        match self.certificate(task) {
            Some(certificate) => evidence.states = States::new(certificate, &task.program),
            None => evidence.calls = self.calls(task).unwrap_or_default(),
        }
        Box::new(evidence)
    }

    fn summary(&self) -> String {
        let Statistics { solver_calls, iterations, .. } = self.statistics;
        let rounds = match self.scale.copies {
            1 => "one round".to_owned(),
            copies => format!("{copies} rounds"),
        };
        let confirmed = self.confirmation.text();
        if self.template.row_count() == 0 {
            return format!("no failure is possible in any {rounds} of the loops{confirmed}");
        }
        let of_kind = |kind: FrameKind| {
            self.template.invariants.iter().filter(|it| it.frame.kind == kind).count()
        };
        let mut places = format!("{} loops", of_kind(FrameKind::Loop));
        match of_kind(FrameKind::Summary) {
            0 => {}
            1 => places.push_str(" and 1 function"),
            functions => places.push_str(&format!(" and {functions} functions")),
        }
        let rows = self.template.row_count() - self.template.top_count();
        format!(
            "{rows} invariants of {places} are inductive over {rounds} ({solver_calls} solver \
             calls, {iterations} iterations){confirmed}"
        )
    }

    fn assumptions(&self) -> Vec<String> {
        self.scale.assumptions()
    }

    fn invariants(&self) -> Vec<String> {
        let texts = self.template.texts().into_iter();
        let text = |(name, rows): (String, Vec<String>)| {
            let rows: String = rows.iter().map(|row| format!("\n  {row}")).collect();
            format!("{name}:{rows}\n")
        };
        texts.map(text).collect()
    }
}

/// All loops end within so many rounds.
#[derive(Debug)]
pub(crate) struct Bounded {
    scale: Scale,
    confirmation: Confirmation,
}

impl Bounded {
    pub(crate) fn new(scale: Scale) -> Bounded {
        Bounded { scale, confirmation: Confirmation::default() }
    }

    /// The formula, built anew.
    fn question(&self, task: &Task) -> Result<Question, Reason> {
        let preparation = Preparation::of(task, self.scale.calls)?;
        let formula = preparation.formula_from_start(task, self.scale.build());
        if let Some(reason) = formula.unsupported.first() {
            return Err(reason.clone());
        }
        Ok(Question::new(formula, &BackEnd::Embedded))
    }

    fn edges(&self, asked: &Task, task: &Task, deadline: &Deadline) -> Result<Edges, Reason> {
        Ok(Edges::of(&mut self.question(task)?, None, asked, deadline))
    }

    fn check_formula(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        let start = Instant::now();
        let mut question = self.question(task)?;
        if !question.is_complete(deadline) {
            return Err(Reason::new("a loop may have more rounds"));
        }
        match question.any_concrete_failure(deadline) {
            Failure::Impossible => {
                let claims = self.certificate();
                let taken = (start.elapsed(), false);
                self.confirmation.ask(task, claims.as_ref(), taken, deadline)
            }
            Failure::Possible { obligation, .. } => {
                let obligation = &question.formula.obligations[obligation];
                Err(Reason::at(obligation.text.clone(), obligation.place))
            }
            Failure::Unknown(reason) => Err(reason),
        }
    }

    /// No claims are needed.
    fn certificate(&self) -> Option<Certificate> {
        match self.scale.calls {
            Calls::Inlined { depth } => {
                Some(Certificate::bounded(self.scale.copies, depth, self.scale.is_lenient))
            }
            Calls::RecursionSummarised | Calls::Summarised => None,
        }
    }
}

impl Proof for Bounded {
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        let changed = self.scale.changed(task)?;
        self.check_formula(changed.as_ref().unwrap_or(task), deadline)
    }

    fn evidence(&self, task: &Task, deadline: &Deadline) -> Box<dyn Evidence> {
        let changed = self.scale.changed(task);
        let edges = changed
            .and_then(|changed| self.edges(task, changed.as_ref().unwrap_or(task), deadline));
        Box::new(self.scale.evidence(edges))
    }

    fn summary(&self) -> String {
        let limit = self.scale.copies + 1;
        let confirmed = self.confirmation.text();
        format!("every loop ends after fewer than {limit} rounds, and nothing fails{confirmed}")
    }

    fn assumptions(&self) -> Vec<String> {
        self.scale.assumptions()
    }
}

fn unsatisfiable(
    question: &mut Question,
    invariants: &[TermId],
    case: &[TermId],
    deadline: &Deadline,
) -> Result<(), String> {
    let all = [invariants, case].concat();
    let Question { formula, solver } = question;
    match solver.check(&formula.terms, &all, deadline) {
        CheckResult::Unsat(_) => Ok(()),
        CheckResult::Sat(_) => Err("there is a counterexample".to_owned()),
        CheckResult::Unknown(limit) => Err(limit.to_string()),
    }
}
