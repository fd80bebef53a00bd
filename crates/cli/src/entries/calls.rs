//! What calls between the functions have to do with contracts: callees are asked about first, their clauses are guesses
//! about those that hand their arguments on, and functions that hold are asked whether they keep them where they call.
//!
//! Calls are followed in every check, so no answer rests on these clauses.

use heapwright_frontend::{Calls, Subject, Suggestion};
use serde_json::Value;

use super::{Row, Upkeep};
use crate::infer::{Check, is_holding, promises};

/// Whether a function keeps what is inferred of those that it calls.
pub(super) struct Kept {
    pub(super) clauses: Vec<Suggestion>,
    pub(super) answer: Upkeep,
    report: Value,
}

/// The rows' numbers, callees first; functions of one name in several files keep their places.
pub(super) fn bottom_up(rows: &[Row], calls: &[Calls]) -> Vec<usize> {
    let place = |row: &Row| calls.iter().position(|one| one.function == row.function);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&index| place(&rows[index]));
    order
}

/// What is known of the functions that this one may call.
pub(super) fn of_callees(function: &str, calls: &[Calls], known: &[Suggestion]) -> Vec<Suggestion> {
    let own = calls.iter().find(|one| one.function == function);
    let callees = own.map_or(&[][..], |one| &one.callees);
    let is_callee = |clause: &&Suggestion| match &clause.subject {
        Subject::Function(name) => callees.contains(name),
        Subject::Type(_) => false,
    };
    known.iter().filter(is_callee).cloned().collect()
}

impl Row {
    /// What was inferred of it alone.
    pub(super) fn own_clauses(&self) -> impl Iterator<Item = &Suggestion> {
        self.clauses().iter().filter(|clause| matches!(clause.subject, Subject::Function(_)))
    }

    /// Whether it keeps these clauses of its callees, under its own contract.
    pub(super) fn check_calls(
        &mut self,
        check: &Check<'_>,
        types: &[Suggestion],
        clauses: Vec<Suggestion>,
    ) -> Result<(), String> {
        if clauses.is_empty() || !is_holding(self.report()) {
            return Ok(());
        }
        let all = [self.with_own(types), clauses.clone()].concat();
        let report = check(&self.function, &promises(&all))?;
        let answer = match report["verdict"].as_str() {
            Some("holds") => Upkeep::Kept,
            Some("violated") => Upkeep::Broken,
            Some(_) | None => Upkeep::Unanswered,
        };
        self.calls = Some(Kept { clauses, answer, report });
        Ok(())
    }
}

impl Kept {
    /// The functions that the clauses are about, each once.
    pub(super) fn callees(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for clause in &self.clauses {
            let (Subject::Function(name) | Subject::Type(name)) = &clause.subject;
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// For people: where a clause is broken.
    pub(super) fn note(&self) -> Option<String> {
        // The first label says which clause it is.
        let (place, label) = (&self.report["place"], &self.report["labels"][0]["text"]);
        let text = label.as_str().unwrap_or_default();
        let callees = self.callees().join("`, `");
        match (self.answer, place["file"].as_str(), place["line"].as_u64()) {
            (Upkeep::Broken, Some(file), Some(line)) => {
                Some(format!("breaks what is inferred of `{callees}`: {file}:{line}: {text}"))
            }
            (Upkeep::Broken, _, _) => Some(format!("breaks what is inferred of `{callees}`")),
            (Upkeep::Unanswered, _, _) => {
                Some(format!("whether it keeps what is inferred of `{callees}` is not decided"))
            }
            (Upkeep::Kept | Upkeep::Freed, _, _) => None,
        }
    }
}
