//! `check --entry` with several functions: one check after the other, contracts for those that need some, and a
//! table of the answers.
//!
//! Each function is checked by a process of its own, so that none takes another's time or memory.

use std::process::{Command, ExitCode};

use serde_json::{Value, json};

use heapwright_frontend::{Subject, Suggestion};

use crate::exit;
use crate::infer::{Check, Inferred, Outcome, Search, is_holding, is_violated, promises};
use crate::pass_on::arguments_without;
use crate::sources::SourceArguments;
use crate::terminal::{complain, print};

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
        for row in rows.iter_mut().filter(|row| is_open(&row.default)) {
            let mut search = Search::new(sources, &check, &row.function);
            row.take(search.run(&[], &row.default)?);
        }
        let types = type_clauses(&rows);
        for row in &mut rows {
            row.check_types(sources, &check, &types)?;
        }
    }
    Ok(rows)
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

    /// A function that holds has to hold as well where its types are as others need them.
    fn check_types(
        &mut self,
        sources: &SourceArguments,
        check: &Check<'_>,
        types: &[Suggestion],
    ) -> Result<(), String> {
        if !is_holding(self.report()) || types.is_empty() {
            return Ok(());
        }
        let own = sources.suggestions(&self.function).map_err(|error| error.to_string())?;
        let knows = |clause: &&Suggestion| own.iter().any(|guess| guess.subject == clause.subject);
        let mut all: Vec<Suggestion> = types.iter().filter(knows).cloned().collect();
        if all.iter().all(|clause| self.clauses().contains(clause)) {
            return Ok(());
        }
        let is_own = |clause: &&Suggestion| matches!(clause.subject, Subject::Function(_));
        all.extend(self.clauses().iter().filter(is_own).cloned());
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

    fn rank(&self) -> Rank {
        match self.verdict() {
            "holds" if is_violated(self.first()) => Rank::DependsOnCallers,
            "holds" => Rank::Holds,
            "violated" if !self.perhaps.is_empty() => Rank::PerhapsCallers,
            "violated" => Rank::Violated,
            "input-error" => Rank::BadInput,
            _ => Rank::Unknown,
        }
    }

    /// What else to know about it.
    fn notes(&self) -> Vec<String> {
        let perhaps = (!self.perhaps.is_empty()).then(|| {
            let contract = promises(&self.perhaps).join(" ");
            format!("with `{contract}` nothing wrong is found, and nothing proved")
        });
        self.note.iter().cloned().chain(perhaps).collect()
    }

    /// What is wrong, or what stands in the way, on one line.
    fn detail(&self) -> String {
        let document = match self.rank() {
            Rank::DependsOnCallers => self.first(),
            Rank::Violated
            | Rank::PerhapsCallers
            | Rank::BadInput
            | Rank::Unknown
            | Rank::Holds => self.report(),
        };
        let (text, place) = match document["verdict"].as_str() {
            Some("unknown") => (&document["reasons"][0]["text"], &document["reasons"][0]["place"]),
            Some("holds") => return String::new(),
            Some(_) | None => (&document["message"], &document["place"]),
        };
        let line = text.as_str().and_then(|text| text.lines().next()).unwrap_or_default();
        match (place["file"].as_str(), place["line"].as_u64()) {
            (Some(file), Some(number)) => format!("{file}:{number}: {line}"),
            _ => line.to_owned(),
        }
    }
}

/// Rows in the order in which to look at them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rank {
    /// No contract was found that keeps it from failing.
    Violated,
    /// Violated, and not found to be where callers keep a contract, but not proved there.
    PerhapsCallers,
    /// Violated, but not where callers keep the inferred contract.
    DependsOnCallers,
    BadInput,
    Unknown,
    Holds,
}

impl Rank {
    const ALL: [Rank; 6] = [
        Rank::Violated,
        Rank::PerhapsCallers,
        Rank::DependsOnCallers,
        Rank::BadInput,
        Rank::Unknown,
        Rank::Holds,
    ];

    fn word(self) -> &'static str {
        match self {
            Rank::Violated => "violated",
            Rank::PerhapsCallers => "callers?",
            Rank::DependsOnCallers => "callers",
            Rank::BadInput => "input-error",
            Rank::Unknown => "unknown",
            Rank::Holds => "holds",
        }
    }
}

fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.function.len()).max().unwrap_or(0);
    let mut text = String::new();
    for rank in Rank::ALL {
        for row in rows.iter().filter(|row| row.rank() == rank) {
            let line = format!("{:<8}  {:<width$}  {}", rank.word(), row.function, row.detail());
            text += line.trim_end();
            text.push('\n');
            for note in row.notes() {
                text += &format!("{:<8}  {note}\n", "");
            }
        }
    }
    text + &contracts(rows) + &summary(rows)
}

/// The inferred contracts, as `--contract` reads them.
fn contracts(rows: &[Row]) -> String {
    let all: Vec<Suggestion> =
        rows.iter().flat_map(Row::clauses).fold(Vec::new(), |mut all, one| {
            if !all.contains(one) {
                all.push(one.clone());
            }
            all
        });
    if all.is_empty() {
        return String::new();
    }
    let lines: Vec<String> =
        promises(&all).into_iter().map(|line| format!("    {line}\n")).collect();
    format!("inferred:\n{}", lines.concat())
}

fn summary(rows: &[Row]) -> String {
    let count = |rank: Rank| rows.iter().filter(|row| row.rank() == rank).count();
    let depend = match count(Rank::DependsOnCallers) {
        0 => String::new(),
        some => format!(" ({some} of them only if callers keep what is inferred)"),
    };
    let hold = count(Rank::Holds) + count(Rank::DependsOnCallers);
    let violated = count(Rank::Violated) + count(Rank::PerhapsCallers);
    format!(
        "{} functions: {hold} hold{depend}, {violated} violated, {} unknown, each under what `check --entry \
         FUNCTION` says is assumed\n",
        rows.len(),
        rows.len() - hold - violated
    )
}

fn json_of(rows: &[Row]) -> Value {
    let entry = |row: &Row| {
        let mut entry = json!({
            "function": row.function,
            "report": row.report(),
            "depends_on_callers": row.rank() == Rank::DependsOnCallers,
            "inferred": promises(row.clauses()),
        });
        if let Some(inferred) = &row.inferred {
            entry["runs"] = json!({ "returned": inferred.trial.returned, "past_failures": inferred.trial.passed });
            entry["by_default"] = json!({
                "verdict": row.default["verdict"],
                "kind": row.default["kind"],
                "place": row.default["place"],
                "message": row.default["message"],
            });
        }
        if !row.notes().is_empty() {
            entry["notes"] = json!(row.notes());
        }
        entry
    };
    Value::Array(rows.iter().map(entry).collect())
}

/// Violated before unknown before holds.
fn worst(rows: &[Row]) -> u8 {
    let has = |rank: Rank| rows.iter().any(|row| row.rank() == rank);
    match () {
        () if has(Rank::BadInput) => exit::BAD_INPUT,
        () if has(Rank::Violated) || has(Rank::PerhapsCallers) => exit::VIOLATED,
        () if has(Rank::Unknown) => exit::UNKNOWN,
        () => exit::HOLDS,
    }
}
