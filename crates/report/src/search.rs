//! How far the search for a violation went where nothing was decided: information, no verdict.

use heapwright_engine::{Fact, Published};
use serde::Serialize;

/// What one engine has looked at without finding a violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SearchReport {
    pub engine: String,
    /// Every execution with at most so many rounds of each loop was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<u64>,
    /// For people.
    pub text: String,
}

/// The furthest that each engine says it went.
#[must_use]
pub fn search_reports(facts: &[Published]) -> Vec<SearchReport> {
    let mut reports: Vec<SearchReport> = Vec::new();
    for Published { engine, fact } in facts {
        let Some(report) = search_report(engine, fact) else { continue };
        let is_same = |known: &SearchReport| {
            known.engine == report.engine && known.rounds.is_some() == report.rounds.is_some()
        };
        match reports.iter_mut().find(|known| is_same(known)) {
            Some(known) => {
                let size = |report: &SearchReport| (report.rounds, report.paths, report.runs);
                if size(&report) > size(known) {
                    *known = report;
                }
            }
            None => reports.push(report),
        }
    }
    reports
}

fn search_report(engine: &str, fact: &Fact) -> Option<SearchReport> {
    let none = SearchReport {
        engine: engine.to_owned(),
        rounds: None,
        paths: None,
        runs: None,
        text: String::new(),
    };
    match *fact {
        Fact::NoViolationWithin { rounds } => {
            let text = match rounds {
                1 => "no violation in executions with one round of each loop".to_owned(),
                _ => format!(
                    "no violation in executions with up to {rounds} rounds of each loop and calls as deep"
                ),
            };
            Some(SearchReport { rounds: Some(rounds), text, ..none })
        }
        Fact::PathsFollowed { paths, steps } => {
            let text =
                format!("no violation on the {paths} paths that were followed ({steps} steps)");
            Some(SearchReport { paths: Some(paths), text, ..none })
        }
        Fact::RunsWithout { runs } => {
            let text = format!("no violation in {runs} runs on chosen inputs");
            Some(SearchReport { runs: Some(runs), text, ..none })
        }
        Fact::Blocked { .. }
        | Fact::Holds(_)
        | Fact::Linked(_)
        | Fact::Acyclic { .. }
        | Fact::Unshared { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_furthest_search_is_told() {
        let within =
            |rounds| Published { engine: "template", fact: Fact::NoViolationWithin { rounds } };
        let reports = search_reports(&[within(2), within(6), within(4)]);
        assert_eq!(reports.len(), 1);
        assert_eq!(reports[0].rounds, Some(6));
    }
}
