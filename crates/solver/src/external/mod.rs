//! An external solver: SMT-LIB 2 over a pipe to any command.
//! What is asserted is kept here and sent when a check needs it. A process that is late or talks
//! nonsense is ended, and the next check starts another one and tells it everything again.

mod expression;
mod process;
mod values;

use std::time::Instant;

use heapwright_logic::{Model, SmtLibWriter, TermId, Terms};

use crate::result::{CheckResult, Core, LimitReached, SmtSolver};
use crate::statistics::Statistics;
use expression::Expression;
use heapwright_deadline::Deadline;
pub(crate) use process::Process;
pub use process::{ExternalCommand, ExternalError};

/// The first expression of a text, printed again; `None` where there is none yet or never.
/// This is how answers of solvers are read, for tests with text that no solver gives.
#[must_use]
pub fn echo_answer(text: &str) -> Option<String> {
    match expression::parse(text) {
        expression::Parsed::Complete(expression) => Some(expression.to_string()),
        expression::Parsed::Incomplete | expression::Parsed::Malformed => None,
    }
}

/// Definitions outlive scopes, because the terms they stand for do.
const OPTIONS: &str = "(set-option :print-success false)\n\
                       (set-option :produce-models true)\n\
                       (set-option :produce-unsat-assumptions true)\n\
                       (set-option :global-declarations true)\n\
                       (set-logic QF_ABV)\n";

/// Any SMT-LIB 2 solver that has a command line.
#[derive(Debug)]
pub struct ExternalSolver {
    command: ExternalCommand,
    session: Option<Session>,
    /// The assertions of the base level and of each open scope.
    scopes: Vec<Vec<TermId>>,
    statistics: Statistics,
}

/// One process and what it knows.
#[derive(Debug)]
struct Session {
    process: Process,
    writer: SmtLibWriter,
    /// How many assertions of each of its open scopes it has been told.
    told: Vec<usize>,
    /// Scopes that it has open and we have not.
    scopes_to_close: usize,
    /// How many names for assumptions it knows.
    assumption_names: usize,
}

impl ExternalSolver {
    /// A solver whose command is started by the first check.
    pub fn new(command: ExternalCommand) -> Self {
        let scopes = vec![Vec::new()];
        Self { command, session: None, scopes, statistics: Statistics::default() }
    }

    /// Starts the command, so that a missing one is known at once.
    pub fn start(command: ExternalCommand) -> Result<Self, ExternalError> {
        let session = Some(Session::start(&command)?);
        Ok(Self { session, ..Self::new(command) })
    }

    fn ask(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        deadline: &Deadline,
    ) -> Result<CheckResult, LimitReached> {
        LimitReached::before(deadline)?;
        // A session that fails below is dropped, which ends its process.
        let mut session = match self.session.take() {
            Some(session) => session,
            None => Session::start(&self.command).map_err(LimitReached::Failed)?,
        };
        session.catch_up(terms, &self.scopes).map_err(LimitReached::Failed)?;
        let roots = [self.scopes.concat().as_slice(), assumptions].concat();
        let variables = terms.free_variables(&roots);
        let result = session.check(terms, assumptions, &variables, deadline)?;
        self.session = Some(session);
        Ok(result)
    }
}

impl SmtSolver for ExternalSolver {
    fn assert(&mut self, _terms: &Terms, formula: TermId) {
        self.scopes.last_mut().expect("the base level stays").push(formula);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId], deadline: &Deadline) -> CheckResult {
        let start = Instant::now();
        let result = self.ask(terms, assumptions, deadline).unwrap_or_else(CheckResult::Unknown);
        self.statistics.count(&result);
        self.statistics.time += start.elapsed();
        result
    }

    fn push(&mut self) {
        self.scopes.push(Vec::new());
    }

    fn pop(&mut self) {
        assert!(self.scopes.len() > 1, "pop without push");
        self.scopes.pop();
        if let Some(session) = &mut self.session
            && session.told.len() > self.scopes.len()
        {
            session.told.pop();
            session.scopes_to_close += 1;
        }
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl Session {
    fn start(command: &ExternalCommand) -> Result<Self, ExternalError> {
        let mut process = Process::start(command)?;
        process.send(OPTIONS)?;
        Ok(Self {
            process,
            writer: SmtLibWriter::new(),
            told: vec![0],
            scopes_to_close: 0,
            assumption_names: 0,
        })
    }

    /// Tells the process what has changed since the last check.
    fn catch_up(&mut self, terms: &Terms, scopes: &[Vec<TermId>]) -> Result<(), ExternalError> {
        let mut text = String::new();
        if self.scopes_to_close > 0 {
            text += &format!("(pop {})\n", self.scopes_to_close);
            self.scopes_to_close = 0;
        }
        for (level, scope) in scopes.iter().enumerate() {
            if level == self.told.len() {
                text += "(push 1)\n";
                self.told.push(0);
            }
            for &assertion in &scope[self.told[level]..] {
                self.writer.define(terms, assertion, &mut text);
                text += &format!("(assert {})\n", self.writer.name(terms, assertion));
            }
            self.told[level] = scope.len();
        }
        self.process.send(&text)
    }

    /// Assumptions are equated with named booleans, in a scope of their own.
    fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        variables: &[TermId],
        deadline: &Deadline,
    ) -> Result<CheckResult, LimitReached> {
        let question = self.question(terms, assumptions);
        self.process.send(&question).map_err(LimitReached::Failed)?;
        let answer = self.process.receive(deadline)?;
        let result = match answer.as_atom() {
            Some("sat") => CheckResult::Sat(self.model(terms, variables, deadline)?),
            Some("unsat") => CheckResult::Unsat(self.core(assumptions, deadline)?),
            Some("unknown") => CheckResult::Unknown(LimitReached::GaveUp),
            Some(_) | None => return Err(self.rubbish(&answer)),
        };
        self.process.send("(pop 1)\n").map_err(LimitReached::Failed)?;
        Ok(result)
    }

    fn question(&mut self, terms: &Terms, assumptions: &[TermId]) -> String {
        let mut text = String::from("(push 1)\n");
        let mut names = Vec::new();
        for (position, &assumption) in assumptions.iter().enumerate() {
            if position == self.assumption_names {
                text += &format!("(declare-fun assumption.{position} () Bool)\n");
                self.assumption_names += 1;
            }
            self.writer.define(terms, assumption, &mut text);
            let meaning = self.writer.name(terms, assumption);
            text += &format!("(assert (= assumption.{position} {meaning}))\n");
            names.push(format!("assumption.{position}"));
        }
        // Some parsers do not take an empty list.
        if names.is_empty() {
            return text + "(check-sat)\n";
        }
        text + &format!("(check-sat-assuming ({}))\n", names.join(" "))
    }

    fn model(
        &mut self,
        terms: &Terms,
        variables: &[TermId],
        deadline: &Deadline,
    ) -> Result<Model, LimitReached> {
        if variables.is_empty() {
            return Ok(Model::new());
        }
        let names: Vec<String> =
            variables.iter().map(|&variable| self.writer.name(terms, variable)).collect();
        let question = format!("(get-value ({}))\n", names.join(" "));
        self.process.send(&question).map_err(LimitReached::Failed)?;
        let answer = self.process.receive(deadline)?;
        let pairs = answer.as_list().filter(|pairs| pairs.len() == variables.len());
        let read = |(&variable, pair): (&TermId, &Expression)| match pair.as_list()? {
            [_, value] => Some((variable, values::read_value(value, terms.sort(variable))?)),
            _ => None,
        };
        pairs
            .and_then(|pairs| variables.iter().zip(pairs).map(read).collect::<Option<Model>>())
            .ok_or_else(|| self.rubbish(&answer))
    }

    fn core(&mut self, assumptions: &[TermId], deadline: &Deadline) -> Result<Core, LimitReached> {
        if assumptions.is_empty() {
            return Ok(Core::new([]));
        }
        self.process.send("(get-unsat-assumptions)\n").map_err(LimitReached::Failed)?;
        let answer = self.process.receive(deadline)?;
        let position = |name: &Expression| {
            let number = name.as_atom()?.strip_prefix("assumption.")?;
            number.parse::<usize>().ok().filter(|&position| position < assumptions.len())
        };
        let positions = answer
            .as_list()
            .and_then(|names| names.iter().map(position).collect::<Option<Vec<_>>>());
        let mut positions = positions.ok_or_else(|| self.rubbish(&answer))?;
        positions.sort_unstable();
        Ok(Core::new(positions.into_iter().map(|at| assumptions[at])))
    }

    fn rubbish(&self, answer: &Expression) -> LimitReached {
        LimitReached::Failed(self.process.rubbish(&answer.to_string()))
    }
}
