//! `check --entry` with several functions: one check after the other, and a table of the answers.
//!
//! Each function is checked by a process of its own, so that none takes another's time or memory.

use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::exit;
use crate::pass_on::arguments_without;
use crate::terminal::{complain, print};

/// Each function has this long unless `--timeout` says otherwise.
const SECONDS: &str = "10s";

/// The answer about one function.
struct Row {
    function: String,
    document: Value,
}

/// Checks the functions and prints a table, or the reports as one JSON array.
pub(crate) fn check_each(functions: &[String], has_timeout: bool, wants_json: bool) -> ExitCode {
    let mut rows = Vec::new();
    for function in functions {
        match check_one(function, has_timeout) {
            Ok(document) => rows.push(Row { function: function.clone(), document }),
            Err(problem) => {
                complain(&format!("error: {problem}\n"));
                return ExitCode::from(exit::INTERNAL_ERROR);
            }
        }
    }
    if wants_json {
        print(&format!("{}\n", json(&rows)));
    } else {
        print(&table(&rows));
    }
    ExitCode::from(worst(&rows))
}

/// Runs this program again, for one function.
fn check_one(function: &str, has_timeout: bool) -> Result<Value, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.args(["check", "--json", "--entry", function]);
    if !has_timeout {
        command.args(["--timeout", SECONDS]);
    }
    let flags = ["--json", "--quiet", "-q"];
    let others = arguments_without(std::env::args_os(), &["--entry"], &flags);
    let output = command.args(others).output();
    let output = output.map_err(|error| format!("cannot check `{function}`: {error}"))?;
    complain(&String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("no answer about `{function}`: {error}"))
}

impl Row {
    fn verdict(&self) -> &str {
        self.document["verdict"].as_str().unwrap_or("unknown")
    }

    /// What is wrong, or what stands in the way, on one line.
    fn detail(&self) -> String {
        let document = &self.document;
        let (text, place) = match self.verdict() {
            "unknown" => (&document["reasons"][0]["text"], &document["reasons"][0]["place"]),
            "holds" => return String::new(),
            _ => (&document["message"], &document["place"]),
        };
        let line = text.as_str().and_then(|text| text.lines().next()).unwrap_or_default();
        match (place["file"].as_str(), place["line"].as_u64()) {
            (Some(file), Some(number)) => format!("{file}:{number}: {line}"),
            _ => line.to_owned(),
        }
    }
}

/// Violations first, since these are what to look at.
fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.function.len()).max().unwrap_or(0);
    let mut text = String::new();
    for verdict in ["violated", "input-error", "unknown", "holds"] {
        for row in rows.iter().filter(|row| row.verdict() == verdict) {
            let line = format!("{verdict:<8}  {:<width$}  {}", row.function, row.detail());
            text += line.trim_end();
            text.push('\n');
        }
    }
    let count = |verdict: &str| rows.iter().filter(|row| row.verdict() == verdict).count();
    text + &format!(
        "{} functions: {} hold, {} violated, {} unknown, each under what `check --entry FUNCTION` says \
         is assumed\n",
        rows.len(),
        count("holds"),
        count("violated"),
        rows.len() - count("holds") - count("violated")
    )
}

fn json(rows: &[Row]) -> Value {
    let entry = |row: &Row| serde_json::json!({ "function": row.function, "report": row.document });
    Value::Array(rows.iter().map(entry).collect())
}

/// Violated before unknown before holds.
fn worst(rows: &[Row]) -> u8 {
    let has = |verdict: &str| rows.iter().any(|row| row.verdict() == verdict);
    match () {
        () if has("input-error") => exit::BAD_INPUT,
        () if has("violated") => exit::VIOLATED,
        () if has("unknown") => exit::UNKNOWN,
        () => exit::HOLDS,
    }
}
