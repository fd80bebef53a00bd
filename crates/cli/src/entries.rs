//! `check --entry` with several functions: one check after the other, contracts for those that need some, and a
//! table of the answers.
//!
//! Each function is checked by a process of its own, so that none takes another's time or memory.

mod calls;
mod table;

use std::process::{Command, ExitCode};

use serde_json::Value;

use heapwright_frontend::{Subject, Suggestion};

use self::calls::{Kept, bottom_up, of_callees};
use self::table::{json_of, table, worst};
use crate::exit;
use crate::infer::{Check, Inferred, Outcome, Search, is_holding, is_violated, promises};
use crate::pass_on::arguments_without;
use crate::sources::SourceArguments;
use crate::terminal::{complain, print};
use crate::trial::{Trial, trial};

/// Each function has this long unless `--timeout` says otherwise.
const SECONDS: &str = "10s";

/// What is wanted besides the answers.
#[derive(Clone, Copy)]
pub(crate) struct Wishes {
    pub(crate) has_timeout: bool,
    pub(crate) infers: bool,
    pub(crate) wants_json: bool,
}

/// The answer about one function.
struct Row {
    function: String,
    /// With what callers pass by default, and what the user's contract says.
    default: Value,
    inferred: Option<Inferred>,
    /// The answer under the contracts that were inferred for its types, where that is not the same.
    under_types: Option<Value>,
    /// Clauses under which nothing wrong is found any more, though nothing is proved.
    perhaps: Vec<Suggestion>,
    /// Why a contract that was found is not given.
    note: Option<String>,
    /// Whether it leaves objects as the clauses of their types say.
    upkeep: Option<Upkeep>,
    /// Whether it keeps what is inferred of those that it calls.
    calls: Option<Kept>,
    /// Runs of a function that fails, with whatever callers may pass by default.
    runs: Option<Trial>,
}

/// Checks the functions and prints a table, or the reports as one JSON array.
pub(crate) fn check_each(
    sources: &SourceArguments,
    functions: &[String],
    wishes: Wishes,
) -> ExitCode {
    match rows(sources, functions, wishes) {
        Ok(rows) => {
            if wishes.wants_json {
                print(&format!("{}\n", json_of(&rows)));
            } else {
                print(&table(&rows));
            }
            ExitCode::from(worst(&rows))
        }
        Err(problem) => {
            complain(&format!("error: {problem}\n"));
            ExitCode::from(exit::INTERNAL_ERROR)
        }
    }
}

fn rows(
    sources: &SourceArguments,
    functions: &[String],
    wishes: Wishes,
) -> Result<Vec<Row>, String> {
    let check =
        |function: &str, promises: &[String]| check_one(function, promises, wishes.has_timeout);
    let mut rows = Vec::new();
    for function in functions {
        let default = check(function, &[])?;
        let row = Row::new(function, default);
        rows.push(row);
    }
    if wishes.infers {
        infer(sources, &check, &mut rows)?;
    }
    Ok(rows)
}

/// Looks for contracts, callees first, and at what they mean for other functions.
fn infer(sources: &SourceArguments, check: &Check<'_>, rows: &mut [Row]) -> Result<(), String> {
    let calls = sources.calls().map_err(|error| error.to_string())?;
    let mut known: Vec<Suggestion> = Vec::new();
    for index in bottom_up(rows, &calls) {
        let row = &mut rows[index];
        if !is_open(&row.default) {
            continue;
        }
        let below = promises(&of_callees(&row.function, &calls, &known));
        let mut search = Search::new(sources, check, &row.function).knowing(below);
        let outcome = search.run(&[], &row.default)?;
        row.take(outcome);
        known.extend(row.own_clauses().cloned());
    }
    let types = type_clauses(rows);
    for row in rows {
        let own = row.known_types(sources, &types)?;
        row.check_types(sources, check, &own)?;
        row.check_upkeep(check, &own)?;
        let below = of_callees(&row.function, &calls, &known);
        row.check_calls(check, &own, below)?;
        row.count_failures(sources)?;
    }
    Ok(())
}

/// Whether a contract may help.
fn is_open(report: &Value) -> bool {
    is_violated(report) || report["verdict"] == "unknown"
}

/// What was inferred of types, for any function.
fn type_clauses(rows: &[Row]) -> Vec<Suggestion> {
    let mut found: Vec<Suggestion> = Vec::new();
    for clause in rows.iter().flat_map(Row::clauses) {
        if matches!(clause.subject, Subject::Type(_)) && !found.contains(clause) {
            found.push(clause.clone());
        }
    }
    let weaker: Vec<Suggestion> = found.iter().filter_map(Suggestion::weaker).collect();
    found.retain(|clause| !weaker.contains(clause));
    found
}

/// Runs this program again, for one function.
fn check_one(function: &str, promises: &[String], has_timeout: bool) -> Result<Value, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.args(["check", "--json", "--entry", function]);
    if !has_timeout {
        command.args(["--timeout", SECONDS]);
    }
    for promise in promises {
        command.args(["--promise", promise]);
    }
    let flags = ["--json", "--quiet", "-q"];
    let others = arguments_without(std::env::args_os(), &["--entry", "--infer-contracts"], &flags);
    let output = command.args(others).output();
    let output = output.map_err(|error| format!("cannot check `{function}`: {error}"))?;
    complain(&String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("no answer about `{function}`: {error}"))
}

impl Row {
    fn new(function: &str, default: Value) -> Row {
        let function = function.to_owned();
        Row {
            function,
            default,
            inferred: None,
            under_types: None,
            perhaps: Vec::new(),
            note: None,
            upkeep: None,
            calls: None,
            runs: None,
        }
    }

    fn take(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Found(inferred) => self.inferred = Some(inferred),
            Outcome::Perhaps(clauses) => self.perhaps = clauses,
            Outcome::Nothing(note) => self.note = note,
        }
    }

    fn clauses(&self) -> &[Suggestion] {
        self.inferred.as_ref().map_or(&[], |inferred| &inferred.clauses)
    }

    /// Those of the clauses that speak of types that it is given.
    fn known_types(
        &self,
        sources: &SourceArguments,
        types: &[Suggestion],
    ) -> Result<Vec<Suggestion>, String> {
        if types.is_empty() {
            return Ok(Vec::new());
        }
        let own = sources.suggestions(&self.function, &[]).map_err(|error| error.to_string())?;
        let knows = |clause: &&Suggestion| own.iter().any(|guess| guess.subject == clause.subject);
        Ok(types.iter().filter(knows).cloned().collect())
    }

    /// The clauses of types, and its own.
    fn with_own(&self, types: &[Suggestion]) -> Vec<Suggestion> {
        let is_own = |clause: &&Suggestion| matches!(clause.subject, Subject::Function(_));
        types.iter().chain(self.clauses().iter().filter(is_own)).cloned().collect()
    }

    /// A function that holds has to hold as well where its types are as others need them.
    fn check_types(
        &mut self,
        sources: &SourceArguments,
        check: &Check<'_>,
        types: &[Suggestion],
    ) -> Result<(), String> {
        let is_known = types.iter().all(|clause| self.clauses().contains(clause));
        if !is_holding(self.report()) || is_known {
            return Ok(());
        }
        let all = self.with_own(types);
        let report = check(&self.function, &promises(&all))?;
        if !is_holding(&report) {
            let mut search = Search::new(sources, check, &self.function);
            let outcome = search.run(&all, &report)?;
            self.inferred = None;
            self.take(outcome);
            self.under_types = Some(report);
        }
        Ok(())
    }

    /// Whether a function that holds leaves objects as the clauses of their types say.
    fn check_upkeep(&mut self, check: &Check<'_>, types: &[Suggestion]) -> Result<(), String> {
        if types.is_empty() || !is_holding(self.report()) {
            return Ok(());
        }
        let kept =
            types.iter().map(|clause| Suggestion { clause: "kept".to_owned(), ..clause.clone() });
        let mut all = self.with_own(types);
        for clause in kept {
            if !all.contains(&clause) {
                all.push(clause);
            }
        }
        let report = check(&self.function, &promises(&all))?;
        self.upkeep = Some(Upkeep::of(&report));
        Ok(())
    }

    /// How many runs fail, of a function for which no contract is found.
    fn count_failures(&mut self, sources: &SourceArguments) -> Result<(), String> {
        if is_violated(self.report()) {
            let sources = sources.promising(&self.function, &[]);
            let runs = trial(&sources, &self.function, &[]).map_err(|error| error.to_string())?;
            self.runs = Some(runs);
        }
        Ok(())
    }

    /// The answer, under the inferred contract if there is one.
    fn report(&self) -> &Value {
        match (&self.inferred, &self.under_types) {
            (Some(inferred), _) if is_holding(&inferred.report) => &inferred.report,
            (_, Some(report)) => report,
            (_, None) => &self.default,
        }
    }

    /// The answer before something was inferred for this function alone.
    fn first(&self) -> &Value {
        self.under_types.as_ref().unwrap_or(&self.default)
    }

    fn verdict(&self) -> &str {
        self.report()["verdict"].as_str().unwrap_or("unknown")
    }
}

/// What becomes of objects that a function is given as the clauses of their types say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Upkeep {
    Kept,
    Broken,
    /// There is no object any more.
    Freed,
    Unanswered,
}

impl Upkeep {
    fn of(report: &Value) -> Upkeep {
        match (report["verdict"].as_str(), report["kind"].as_str()) {
            (Some("holds"), _) => Upkeep::Kept,
            (Some("violated"), Some("error-reached")) => Upkeep::Broken,
            (Some("violated"), Some("dangling-dereference")) => Upkeep::Freed,
            (_, _) => Upkeep::Unanswered,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Upkeep::Kept => "kept",
            Upkeep::Broken => "broken",
            Upkeep::Freed => "freed",
            Upkeep::Unanswered => "unanswered",
        }
    }
}
