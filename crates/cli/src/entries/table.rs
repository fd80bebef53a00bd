//! The answers about several functions as a table, contracts and JSON. What fails whatever callers do stands first.

use serde_json::{Value, json};

use heapwright_frontend::Suggestion;

use super::calls::Kept;
use super::{Row, Upkeep};
use crate::exit;
use crate::infer::{is_violated, promises};
use crate::trial::Trial;

impl Row {
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
        let contract = (self.rank() == Rank::DependsOnCallers)
            .then(|| format!("holds with `{}`", promises(self.clauses()).join(" ")));
        let calls = self.calls.as_ref().and_then(Kept::note);
        let notes = [contract, self.note.clone(), perhaps, calls, self.runs_in_words()];
        notes.into_iter().flatten().collect()
    }

    /// Whether no run returns: what callers pass does not matter then, as far as runs tell.
    fn fails_always(&self) -> bool {
        self.runs.as_ref().is_some_and(|runs| runs.returned == 0 && runs.failed > 0)
    }

    fn runs_in_words(&self) -> Option<String> {
        let Trial { failed, returned, .. } = self.runs.as_ref()?;
        match (failed, returned) {
            (0, _) => None,
            (failed, 0) => Some(format!("whatever callers pass: all of {failed} runs fail")),
            (failed, returned) => Some(format!("{failed} of {} runs fail", failed + returned)),
        }
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
    /// Violated, but not where callers keep the inferred contract, which is told.
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

pub(super) fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.function.len()).max().unwrap_or(0);
    let mut text = String::new();
    for rank in Rank::ALL {
        let mut ranked: Vec<&Row> = rows.iter().filter(|row| row.rank() == rank).collect();
        ranked.sort_by_key(|row| !row.fails_always());
        for row in ranked {
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
    format!("inferred:\n{}{}", lines.concat(), upkeep(rows))
}

/// Which functions leave objects as the clauses of their types say, as comments of a contract.
fn upkeep(rows: &[Row]) -> String {
    let named = |wanted: Upkeep| -> Vec<&str> {
        let rows = rows.iter().filter(|row| row.upkeep == Some(wanted));
        rows.map(|row| row.function.as_str()).collect()
    };
    let mut text = String::new();
    for (upkeep, words) in [
        (Upkeep::Kept, "what is said of types still holds after"),
        (Upkeep::Broken, "and does not always hold after"),
        (Upkeep::Unanswered, "and is not decided after"),
    ] {
        let names = named(upkeep);
        if !names.is_empty() {
            text += &format!("    # {words} {}\n", names.join(", "));
        }
    }
    text
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

pub(super) fn json_of(rows: &[Row]) -> Value {
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
        if let Some(runs) = &row.runs {
            entry["runs_by_default"] = json!({ "failed": runs.failed, "returned": runs.returned });
        }
        if let Some(kept) = &row.calls {
            entry["clauses_of_callees"] = json!({
                "answer": kept.answer.word(),
                "contracts": promises(&kept.clauses),
            });
        }
        if let Some(upkeep) = row.upkeep {
            entry["clauses_of_types"] = json!(upkeep.word());
        }
        if !row.notes().is_empty() {
            entry["notes"] = json!(row.notes());
        }
        entry
    };
    Value::Array(rows.iter().map(entry).collect())
}

/// Violated before unknown before holds.
pub(super) fn worst(rows: &[Row]) -> u8 {
    let has = |rank: Rank| rows.iter().any(|row| row.rank() == rank);
    match () {
        () if has(Rank::BadInput) => exit::BAD_INPUT,
        () if has(Rank::Violated) || has(Rank::PerhapsCallers) => exit::VIOLATED,
        () if has(Rank::Unknown) => exit::UNKNOWN,
        () => exit::HOLDS,
    }
}
