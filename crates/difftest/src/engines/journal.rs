//! The journal of a campaign: a line when a case begins and one when it ends, so that a campaign
//! that was stopped goes on where it was. A case that began and never ended took the process with it.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use crate::ask::Kind;
use crate::engines::table::{Record, Table};

/// What was done so far; without a folder, nothing is kept.
#[derive(Debug)]
pub(crate) struct Journal {
    file: Option<File>,
    done: BTreeSet<u64>,
    table: Table,
}

impl Journal {
    /// Opens the journal in a folder and reads what it says.
    pub(crate) fn open(folder: Option<&Path>) -> io::Result<Journal> {
        let mut journal = Journal { file: None, done: BTreeSet::new(), table: Table::default() };
        let Some(folder) = folder else { return Ok(journal) };
        fs::create_dir_all(folder)?;
        let path = folder.join("journal.txt");
        if path.exists() {
            journal.read(&fs::read_to_string(&path)?);
        }
        journal.file = Some(OpenOptions::new().append(true).create(true).open(path)?);
        Ok(journal)
    }

    fn read(&mut self, text: &str) {
        let mut begun = BTreeSet::new();
        for line in text.lines() {
            match line.strip_prefix("begin ") {
                Some(seed) => begun.extend(seed.parse::<u64>()),
                None => {
                    if let Some(record) = parse(line) {
                        self.done.insert(record.seed);
                        self.table.add(&record);
                    }
                }
            }
        }
        for &seed in begun.difference(&self.done.clone()) {
            self.done.insert(seed);
            self.table.add(&died(seed));
        }
    }

    /// What the cases of the journal came to.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Whether a case is still to be done; it is, from now on, under way.
    pub(crate) fn begin(&mut self, seed: u64) -> io::Result<bool> {
        let is_new = self.done.insert(seed);
        if is_new && let Some(file) = &mut self.file {
            writeln!(file, "begin {seed}")?;
        }
        Ok(is_new)
    }

    pub(crate) fn end(&mut self, record: &Record) -> io::Result<()> {
        match &mut self.file {
            Some(file) => writeln!(file, "{}", line(record)),
            None => Ok(()),
        }
    }
}

/// A case that ended the process, such as by exhausting the stack.
fn died(seed: u64) -> Record {
    let panic = Some("the process ended during this case".to_owned());
    Record { seed, family: "unknown".to_owned(), panic, ..Record::default() }
}

/// Fields are separated by tabs; the last two may be empty.
fn line(record: &Record) -> String {
    let answers: Vec<String> = record
        .answers
        .iter()
        .map(|(engine, kind, time)| format!("{engine}={kind}={}", time.as_micros()))
        .collect();
    let state = match (record.is_refused, record.is_failing) {
        (true, _) => "refused",
        (false, true) => "fails",
        (false, false) => "passes",
    };
    let Record { seed, family, .. } = record;
    let text =
        |field: &Option<String>| field.clone().unwrap_or_default().replace(['\t', '\n'], " ");
    let (disagreement, panic) = (text(&record.disagreement), text(&record.panic));
    format!("{seed}\t{family}\t{state}\t{}\t{disagreement}\t{panic}", answers.join(","))
}

fn parse(line: &str) -> Option<Record> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [seed, family, state, answers, disagreement, panic] = fields.as_slice() else {
        return None;
    };
    let text = |field: &str| (!field.is_empty()).then(|| field.to_owned());
    Some(Record {
        seed: seed.parse().ok()?,
        family: (*family).to_owned(),
        is_refused: *state == "refused",
        is_failing: *state == "fails",
        answers: answers.split(',').filter_map(parse_answer).collect(),
        disagreement: text(disagreement),
        panic: text(panic),
    })
}

fn parse_answer(text: &str) -> Option<(String, Kind, Duration)> {
    let mut parts = text.split('=');
    let (engine, kind, time) = (parts.next()?, parts.next()?, parts.next()?);
    let kind = Kind::ALL.into_iter().find(|known| known.name() == kind)?;
    Some((engine.to_owned(), kind, Duration::from_micros(time.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_came_of_a_case() {
        let record = Record {
            seed: 7,
            family: "lists".to_owned(),
            is_refused: false,
            is_failing: true,
            answers: vec![("template".to_owned(), Kind::Holds, Duration::from_micros(1500))],
            disagreement: Some("template".to_owned()),
            panic: None,
        };
        assert_eq!(parse(&line(&record)), Some(record));
    }
}
