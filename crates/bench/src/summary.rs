//! Counting: how many runs of each kind, by folder and by property, with scores and costs.

use crate::judge::{Judged, maximum_score};
use crate::record::RunRecord;
use serde::Serialize;
use std::collections::BTreeMap;

/// The numbers for a set of runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Runs that were finished.
    pub runs: usize,
    /// TRUE where the property holds.
    pub correct_true: usize,
    /// FALSE where the named part is violated.
    pub correct_false: usize,
    /// TRUE where the property is violated.
    pub wrong_true: usize,
    /// FALSE where the property holds.
    pub wrong_false: usize,
    /// FALSE where another part is violated.
    pub wrong_subproperty: usize,
    /// UNKNOWN.
    pub unknown: usize,
    /// Stopped at a time limit.
    pub timeouts: usize,
    /// Stopped at the memory limit.
    pub out_of_memory: usize,
    /// Died or gave no verdict.
    pub crashes: usize,
    /// Points of SV-COMP.
    pub score: i64,
    /// The most points these runs could bring.
    pub maximum_score: i64,
    /// Processor seconds of all runs.
    pub cpu_s: f64,
    /// Median of the processor seconds of runs with TRUE or FALSE.
    pub median_answered_cpu_s: Option<f64>,
    /// Greatest memory of any run, in millions of bytes.
    pub max_memory_mb: f64,
}

/// Why runs have no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReasonCount {
    /// `unknown`, `crash`, `timeout`, …
    pub judged: Judged,
    /// The leading phrase of the reason.
    pub reason: String,
    /// How many runs.
    pub count: usize,
}

/// All the numbers of a bench.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Over all runs.
    pub total: Tally,
    /// By folder.
    pub by_folder: BTreeMap<String, Tally>,
    /// By property.
    pub by_property: BTreeMap<String, Tally>,
    /// The most frequent first.
    pub reasons: Vec<ReasonCount>,
}

impl Summary {
    /// Counts the given runs.
    pub fn new(records: &[RunRecord]) -> Summary {
        Summary {
            total: Tally::new(records.iter()),
            by_folder: grouped(records, |record| record.folder.clone()),
            by_property: grouped(records, |record| record.property.name().to_owned()),
            reasons: count_reasons(records),
        }
    }
}

fn grouped(records: &[RunRecord], group: impl Fn(&RunRecord) -> String) -> BTreeMap<String, Tally> {
    let mut groups: BTreeMap<String, Vec<&RunRecord>> = BTreeMap::new();
    for record in records {
        groups.entry(group(record)).or_default().push(record);
    }
    groups.into_iter().map(|(name, members)| (name, Tally::new(members.into_iter()))).collect()
}

impl Tally {
    fn new<'a>(records: impl Iterator<Item = &'a RunRecord>) -> Tally {
        let mut tally = Tally::default();
        let mut answered = Vec::new();
        for record in records {
            tally.add(record);
            if record.judged.is_answered() {
                answered.push(record.cpu_s);
            }
        }
        tally.median_answered_cpu_s = median(answered);
        tally
    }

    fn add(&mut self, record: &RunRecord) {
        self.runs += 1;
        *self.counter(record.judged) += 1;
        self.score += record.judged.score();
        self.maximum_score += maximum_score(record.expected);
        self.cpu_s += record.cpu_s;
        self.max_memory_mb = self.max_memory_mb.max(record.memory_mb);
    }

    fn counter(&mut self, judged: Judged) -> &mut usize {
        match judged {
            Judged::CorrectTrue => &mut self.correct_true,
            Judged::CorrectFalse => &mut self.correct_false,
            Judged::WrongTrue => &mut self.wrong_true,
            Judged::WrongFalse => &mut self.wrong_false,
            Judged::WrongSubproperty => &mut self.wrong_subproperty,
            Judged::Unknown => &mut self.unknown,
            Judged::Timeout => &mut self.timeouts,
            Judged::OutOfMemory => &mut self.out_of_memory,
            Judged::Crash => &mut self.crashes,
        }
    }

    /// Answers that are right.
    pub fn correct(&self) -> usize {
        self.correct_true + self.correct_false
    }

    /// Answers that must never happen.
    pub fn wrong(&self) -> usize {
        self.wrong_true + self.wrong_false
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        length if length % 2 == 1 => Some(values[middle]),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}

fn count_reasons(records: &[RunRecord]) -> Vec<ReasonCount> {
    let mut counts: BTreeMap<(Judged, String), usize> = BTreeMap::new();
    for record in records.iter().filter(|record| !record.judged.is_answered()) {
        let key = (record.judged, leading_phrase(&record.reason));
        *counts.entry(key).or_default() += 1;
    }
    let mut reasons: Vec<ReasonCount> = counts
        .into_iter()
        .map(|((judged, reason), count)| ReasonCount { judged, reason, count })
        .collect();
    // A stable sort: equal counts stay in the order of kind and text.
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.count));
    reasons
}

/// `unsupported: inline assembly, line 3` and `unsupported: setjmp` are one kind of reason.
fn leading_phrase(reason: &str) -> String {
    let phrase = reason.split([':', ';', ',', '(']).next().unwrap_or_default().trim();
    if phrase.is_empty() { "no reason given".to_owned() } else { phrase.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::row;

    #[test]
    fn counts_scores_and_costs() {
        let records = [
            row("a/1", Judged::CorrectTrue, 1.0),
            row("a/2", Judged::CorrectFalse, 3.0),
            row("a/3", Judged::WrongTrue, 8.0),
            row("b/4", Judged::Timeout, 60.0),
        ];
        let summary = Summary::new(&records);
        let total = &summary.total;
        assert_eq!((total.runs, total.correct(), total.wrong(), total.timeouts), (4, 2, 1, 1));
        assert_eq!((total.score, total.maximum_score), (2 + 1 - 32, 2 + 1 + 1 + 2));
        assert_eq!((total.cpu_s, total.median_answered_cpu_s), (72.0, Some(3.0)));
        assert_eq!(summary.by_folder["a"].runs, 3);
        assert_eq!(summary.by_folder["b"].median_answered_cpu_s, None);
        assert_eq!(summary.by_property["valid-memsafety"].runs, 4);
    }

    #[test]
    fn reasons_are_grouped_by_their_leading_phrase() {
        let unknown = |task: &str, reason: &str| RunRecord {
            reason: reason.to_owned(),
            ..row(task, Judged::Unknown, 0.1)
        };
        let records = [
            unknown("a/1", "loop bound"),
            unknown("a/2", "unsupported: inline assembly"),
            unknown("a/3", "unsupported: setjmp (line 4)"),
            unknown("a/4", ""),
            row("a/5", Judged::CorrectTrue, 0.1),
        ];
        let reasons: Vec<(String, usize)> = Summary::new(&records)
            .reasons
            .into_iter()
            .map(|reason| (reason.reason, reason.count))
            .collect();
        let expected = [("unsupported", 2), ("loop bound", 1), ("no reason given", 1)];
        assert_eq!(reasons, expected.map(|(reason, count)| (reason.to_owned(), count)));
    }

    #[test]
    fn the_median_of_an_even_number_lies_between() {
        assert_eq!(median(vec![4.0, 1.0, 2.0, 9.0]), Some(3.0));
    }
}
