//! The proof: rows with their values, and how many rounds the formula has to hold.
//!
//! It is checked on a formula that is built anew, in a solver that has seen nothing else, by three
//! kinds of questions: the rows hold after a loop's first rounds (initiation), they are kept by every
//! further round (consecution), and they exclude that an obligation fails (safety).

use heapwright_engine::{Deadline, Proof, Reason, Task};
use heapwright_logic::TermId;
use heapwright_solver::{CheckResult, SmtSolver};

use crate::kiki::solver_deadline;
use crate::null::{ASSUMPTION, without_null_accesses};
use crate::question::{Failure, Question};
use crate::ssa::{BuildSettings, Preparation};
use crate::synthesis::{Statistics, Template};

/// Invariants that are inductive over so many rounds.
#[derive(Debug)]
pub(crate) struct Inductive {
    template: Template,
    copies: u32,
    /// Whether runs with faults that nobody asks about are left out.
    is_lenient: bool,
    statistics: Statistics,
}

impl Inductive {
    pub(crate) fn new(
        template: Template,
        copies: u32,
        is_lenient: bool,
        statistics: Statistics,
    ) -> Inductive {
        Inductive { template, copies, is_lenient, statistics }
    }

    fn check_formula(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        let preparation = Preparation::of(task)?;
        let build = BuildSettings { copies: self.copies, check_lives: !self.is_lenient };
        let mut formula = preparation.formula(task, build);
        if let Some(reason) = formula.unsupported.first() {
            return Err(reason.clone());
        }
        let template = self.template.on(&mut formula);
        let mut template =
            template.ok_or_else(|| Reason::new("the invariants are about another program"))?;
        let invariants = template.assumptions(&mut formula.terms);
        let mut question = Question::new(formula);
        let violations = template.violations(&mut question.formula.terms);
        for (id, violation) in question.formula.loops.ids().zip(violations) {
            let select = question.formula.loops[id].select;
            let is_first = question.formula.terms.not(select);
            for (case, what) in [(is_first, "hold at first"), (select, "last")] {
                unsatisfiable(&mut question, &invariants, &[case, violation], deadline)
                    .map_err(|text| Reason::new(format!("that invariants {what}: {text}")))?;
            }
        }
        match question.any_failure(&invariants, &solver_deadline(deadline)) {
            Failure::Impossible => Ok(()),
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
        if !self.is_lenient {
            return self.check_formula(task, deadline);
        }
        self.check_formula(&lenient(task)?, deadline)
    }

    fn summary(&self) -> String {
        let Statistics { solver_calls, iterations, .. } = self.statistics;
        let rounds = match self.copies {
            1 => "one round".to_owned(),
            copies => format!("{copies} rounds"),
        };
        if self.template.row_count() == 0 {
            return format!("no failure is possible in any {rounds} of the loops");
        }
        let loops = self.template.loops.len();
        let rows = self.template.row_count() - self.template.top_count();
        format!(
            "{rows} invariants of {loops} loops are inductive over {rounds} ({solver_calls} solver \
             calls, {iterations} iterations)"
        )
    }

    fn assumptions(&self) -> Vec<String> {
        if self.is_lenient { vec![ASSUMPTION.to_owned()] } else { Vec::new() }
    }

    fn invariants(&self) -> Vec<String> {
        let texts = self.template.texts().into_iter();
        let text = |(name, rows): (String, Vec<String>)| {
            let rows: String = rows.iter().map(|row| format!("\n  {row}")).collect();
            format!("loop {name}:{rows}\n")
        };
        texts.map(text).collect()
    }
}

/// All loops end within so many rounds.
#[derive(Debug)]
pub(crate) struct Bounded {
    pub(crate) copies: u32,
    pub(crate) is_lenient: bool,
}

impl Bounded {
    fn check_formula(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        let preparation = Preparation::of(task)?;
        let build = BuildSettings { copies: self.copies, check_lives: !self.is_lenient };
        let formula = preparation.formula_from_start(task, build);
        if let Some(reason) = formula.unsupported.first() {
            return Err(reason.clone());
        }
        let mut question = Question::new(formula);
        if !question.is_complete(&solver_deadline(deadline)) {
            return Err(Reason::new("a loop may have more rounds"));
        }
        match question.any_concrete_failure(&solver_deadline(deadline)) {
            Failure::Impossible => Ok(()),
            Failure::Possible { obligation, .. } => {
                let obligation = &question.formula.obligations[obligation];
                Err(Reason::at(obligation.text.clone(), obligation.place))
            }
            Failure::Unknown(reason) => Err(reason),
        }
    }
}

impl Proof for Bounded {
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        if !self.is_lenient {
            return self.check_formula(task, deadline);
        }
        self.check_formula(&lenient(task)?, deadline)
    }

    fn summary(&self) -> String {
        format!("every loop ends after fewer than {} rounds, and nothing fails", self.copies + 1)
    }

    fn assumptions(&self) -> Vec<String> {
        if self.is_lenient { vec![ASSUMPTION.to_owned()] } else { Vec::new() }
    }
}

fn lenient(task: &Task) -> Result<Task, Reason> {
    without_null_accesses(task)
        .ok_or_else(|| Reason::new("the question is about null pointers too"))
}

fn unsatisfiable(
    question: &mut Question,
    invariants: &[TermId],
    case: &[TermId],
    deadline: &Deadline,
) -> Result<(), String> {
    let all = [invariants, case].concat();
    let Question { formula, solver } = question;
    match solver.check(&formula.terms, &all, &solver_deadline(deadline)) {
        CheckResult::Unsat(_) => Ok(()),
        CheckResult::Sat(_) => Err("there is a counterexample".to_owned()),
        CheckResult::Unknown(limit) => Err(limit.to_string()),
    }
}
