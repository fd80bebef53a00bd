//! A run over a project as a file: what later runs are compared with.
//!
//! `--save FILE` writes one, `--baseline FILE` leaves out what it has, `--diff OLD NEW` tells two apart.

use std::path::Path;

use heapwright_frontend::InputError;
use serde::{Deserialize, Serialize};

use super::answer::{Answered, Place, Verdict, about};
use crate::exit;

const SCHEMA: &str = "heapwright-project/1";

/// All answers of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    schema: String,
    /// Of Heapwright.
    version: String,
    pub(super) programs: Vec<Row>,
}

/// One answer, without what differs from run to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) verdict: Verdict,
    pub(super) code: Option<String>,
    /// A name of a violation that survives changes of other lines.
    pub(super) fingerprint: Option<String>,
    pub(super) place: Option<Place>,
    pub(super) message: String,
}

impl Row {
    pub(super) fn of(answer: &Answered) -> Row {
        let report = answer.report.clone();
        Row {
            name: answer.name.clone(),
            verdict: report.verdict,
            code: report.code,
            fingerprint: report.fingerprint,
            place: report.place,
            message: report.message,
        }
    }

    pub(super) fn about(&self) -> String {
        about(self.verdict, self.place.as_ref(), &self.message, self.code.as_deref())
    }

    /// Whether it tells the same as a row of an earlier run, wherever the lines are now.
    fn is_same_as(&self, other: &Row) -> bool {
        self.verdict == other.verdict && self.fingerprint == other.fingerprint
    }
}

impl Record {
    pub(super) fn of(answers: &[Answered]) -> Record {
        Record {
            schema: SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            programs: answers.iter().map(Row::of).collect(),
        }
    }

    pub(super) fn read(path: &Path) -> Result<Record, InputError> {
        let name = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| InputError::new(format!("cannot read {name}: {error}")))?;
        let record: Record = serde_json::from_str(&text).map_err(|error| {
            InputError::new(format!("{name} is no run that `--save` has written: {error}"))
        })?;
        if record.schema != SCHEMA {
            let found = &record.schema;
            return Err(InputError::new(format!("{name} is of schema {found}, not {SCHEMA}")));
        }
        Ok(record)
    }

    /// As JSON, with a newline at its end.
    pub(super) fn text(&self) -> String {
        format!("{}\n", serde_json::to_string_pretty(self).expect("plain data"))
    }

    /// Whether an answer was the same then; nobody has to be told again.
    pub(super) fn knows(&self, row: &Row) -> bool {
        let then = self.programs.iter().find(|then| then.name == row.name);
        then.is_some_and(|then| row.is_same_as(then))
    }
}

/// What differs between two runs, for people; the exit code tells of violations that are new.
pub(super) fn difference(old: &Record, new: &Record) -> (String, u8) {
    let names = old.programs.iter().chain(&new.programs).map(|row| row.name.chars().count());
    let width = names.max().unwrap_or(0);
    let mut text = String::new();
    let [mut worse, mut better, mut other, mut added, mut same] = [0_usize; 5];
    let mut is_violated_anew = false;
    for row in &new.programs {
        let then = old.programs.iter().find(|then| then.name == row.name);
        let change = match then {
            Some(then) if row.is_same_as(then) => {
                same += 1;
                continue;
            }
            Some(then) => {
                let count = match row.verdict.cmp(&then.verdict) {
                    std::cmp::Ordering::Less => &mut better,
                    std::cmp::Ordering::Equal => &mut other,
                    std::cmp::Ordering::Greater => &mut worse,
                };
                *count += 1;
                format!("{} → {}", then.verdict.word(), row.verdict.word())
            }
            None => {
                added += 1;
                format!("new: {}", row.verdict.word())
            }
        };
        is_violated_anew |= row.verdict == Verdict::Violated;
        let line =
            format!("  {} {:width$}  {change:24}  {}", row.verdict.sign(), row.name, row.about());
        text += line.trim_end();
        text.push('\n');
    }
    let gone =
        old.programs.iter().filter(|then| new.programs.iter().all(|it| it.name != then.name));
    let gone: Vec<&Row> = gone.collect();
    for then in &gone {
        text += &format!("  - {:width$}  {} → gone\n", then.name, then.verdict.word());
    }
    text += &format!(
        "{worse} worse, {better} better, {other} otherwise, {added} new, {} gone, {same} the same\n",
        gone.len()
    );
    (text, if is_violated_anew { exit::VIOLATED } else { exit::HOLDS })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, verdict: Verdict, fingerprint: Option<&str>) -> Row {
        let (code, place) = (None, None);
        let fingerprint = fingerprint.map(str::to_owned);
        let message = "a message".to_owned();
        Row { name: name.to_owned(), verdict, code, fingerprint, place, message }
    }

    fn record(programs: Vec<Row>) -> Record {
        Record { programs, ..Record::of(&[]) }
    }

    #[test]
    fn two_runs_are_told_apart() {
        let old = record(vec![
            row("a", Verdict::Holds, None),
            row("b", Verdict::Violated, Some("1")),
            row("c", Verdict::Violated, Some("1")),
            row("d", Verdict::Unknown, None),
        ]);
        let new = record(vec![
            row("a", Verdict::Violated, Some("2")),
            row("b", Verdict::Holds, None),
            row("c", Verdict::Violated, Some("1")),
            row("e", Verdict::Holds, None),
        ]);
        let (text, code) = difference(&old, &new);
        let expected = "  ✗ a  holds → violated          a message\n  ✓ b  violated → holds\n  \
                        ✓ e  new: holds\n  - d  unknown → gone\n\
                        1 worse, 1 better, 0 otherwise, 1 new, 1 gone, 1 the same\n";
        assert_eq!((text.as_str(), code), (expected, exit::VIOLATED));
        assert_eq!(difference(&new, &new).1, exit::HOLDS);
    }

    #[test]
    fn a_violation_is_known_by_its_fingerprint() {
        let then = record(vec![row("a", Verdict::Violated, Some("1"))]);
        assert!(then.knows(&row("a", Verdict::Violated, Some("1"))));
        assert!(!then.knows(&row("a", Verdict::Violated, Some("2"))));
        assert!(!then.knows(&row("b", Verdict::Violated, Some("1"))));
        assert!(!then.knows(&row("a", Verdict::Unknown, None)));
    }
}
