//! The outcome of a bench, as text for people and as JSON for programs.
//! The text ends with what matters most: wrong answers, then one line that says it all.

use crate::compare::Comparison;
use crate::peers::PeerComparison;
use crate::record::RunRecord;
use crate::summary::{Summary, Tally};
use crate::table::Table;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Everything a bench found out. Its JSON form is this structure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BenchOutcome {
    /// How many runs were planned.
    pub planned: usize,
    /// Whether the bench was stopped before all of them were finished.
    pub interrupted: bool,
    /// What was not planned although a source names it: reason and number.
    pub left_out: BTreeMap<String, usize>,
    /// The numbers.
    pub summary: Summary,
    /// Against former results, if asked for.
    pub comparison: Option<Comparison>,
    /// Against other tools, if asked for.
    pub peers: Option<PeerComparison>,
    /// All finished runs, sorted by folder, task and property.
    pub runs: Vec<RunRecord>,
}

impl BenchOutcome {
    /// Whether any answer was wrong: TRUE for a violated property, or FALSE for one that holds.
    /// A FALSE that names the wrong part of a violated property is listed but not counted here.
    pub fn has_wrong_answer(&self) -> bool {
        self.summary.total.wrong() > 0
    }

    /// Writes the outcome as JSON.
    pub(crate) fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }

    /// Writes the outcome as text.
    pub(crate) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        write_tallies(out, "folder", &self.summary.by_folder, &self.summary.total)?;
        writeln!(out)?;
        write_tallies(out, "property", &self.summary.by_property, &self.summary.total)?;
        self.write_reasons(out)?;
        self.write_left_out(out)?;
        if let Some(comparison) = &self.comparison {
            comparison.write(out)?;
        }
        if let Some(peers) = &self.peers {
            peers.write(out)?;
        }
        self.write_wrong(out)?;
        self.write_conclusion(out)
    }

    fn write_reasons(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.summary.reasons.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nWhy there is no answer")?;
        for reason in &self.summary.reasons {
            let kind = reason.judged.to_string();
            writeln!(out, "{:>6}  {kind:<13}  {}", reason.count, reason.reason)?;
        }
        Ok(())
    }

    fn write_left_out(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.left_out.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nLeft out")?;
        for (reason, count) in &self.left_out {
            writeln!(out, "{count:>6}  {reason}")?;
        }
        Ok(())
    }

    fn write_wrong(&self, out: &mut dyn Write) -> io::Result<()> {
        let wrong = |run: &&RunRecord| run.judged.is_wrong();
        let title = "!!! WRONG ANSWERS !!!";
        write_list(out, title, &self.runs.iter().filter(wrong).collect::<Vec<_>>())?;
        let other = |run: &&RunRecord| run.judged == crate::Judged::WrongSubproperty;
        let title = "Violated, but in another part than the tool says";
        write_list(out, title, &self.runs.iter().filter(other).collect::<Vec<_>>())
    }

    fn write_conclusion(&self, out: &mut dyn Write) -> io::Result<()> {
        let total = &self.summary.total;
        let wrong = match total.wrong() {
            0 => "none wrong".to_owned(),
            count => format!("{count} WRONG"),
        };
        writeln!(
            out,
            "\n{} runs: {} correct, {wrong}, score {} of {}, {:.1} CPU seconds",
            total.runs,
            total.correct(),
            total.score,
            total.maximum_score,
            total.cpu_s
        )
    }
}

fn write_list(out: &mut dyn Write, title: &str, runs: &[&RunRecord]) -> io::Result<()> {
    if runs.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title} ({})", runs.len())?;
    let heading = ["judged", "task", "property", "expected", "said"].map(str::to_owned);
    let mut table = Table::new(5, heading.to_vec());
    for run in runs {
        table.add(vec![
            run.judged.to_string(),
            format!("{}/{}", run.folder, run.task),
            run.property.to_string(),
            run.expected_verdict(),
            run.verdict.clone(),
        ]);
    }
    table.write(out)
}

fn write_tallies(
    out: &mut dyn Write,
    title: &str,
    tallies: &BTreeMap<String, Tally>,
    total: &Tally,
) -> io::Result<()> {
    let heading = [
        title,
        "runs",
        "true",
        "false",
        "WRONG",
        "other part",
        "unknown",
        "time",
        "memory",
        "crash",
        "score",
        "of",
        "CPU s",
        "median s",
        "max MB",
    ];
    let mut table = Table::new(1, heading.map(str::to_owned).to_vec());
    for (name, tally) in tallies {
        table.add(tally_cells(name, tally));
    }
    table.add(tally_cells("total", total));
    table.write(out)
}

fn tally_cells(name: &str, tally: &Tally) -> Vec<String> {
    let counts = [
        tally.runs,
        tally.correct_true,
        tally.correct_false,
        tally.wrong(),
        tally.wrong_subproperty,
        tally.unknown,
        tally.timeouts,
        tally.out_of_memory,
        tally.crashes,
    ];
    let median = tally.median_answered_cpu_s.map_or("-".to_owned(), |value| format!("{value:.2}"));
    let mut cells = vec![name.to_owned()];
    cells.extend(counts.map(|count| count.to_string()));
    cells.extend([tally.score.to_string(), tally.maximum_score.to_string()]);
    cells.extend([format!("{:.1}", tally.cpu_s), median, format!("{:.0}", tally.max_memory_mb)]);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Judged;
    use crate::record::tests::row;

    fn outcome(runs: Vec<RunRecord>) -> BenchOutcome {
        BenchOutcome {
            planned: runs.len(),
            interrupted: false,
            left_out: BTreeMap::from([("property no-data-race is not supported".to_owned(), 2)]),
            summary: Summary::new(&runs),
            comparison: None,
            peers: None,
            runs,
        }
    }

    fn text(outcome: &BenchOutcome) -> String {
        let mut out = Vec::new();
        outcome.write_text(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_text_shows_tables_reasons_and_wrong_answers() {
        let outcome = outcome(vec![
            row("a/x", Judged::CorrectTrue, 1.0),
            row("a/y", Judged::WrongTrue, 2.0),
            row("b/z", Judged::Unknown, 0.25),
        ]);
        assert!(outcome.has_wrong_answer());
        let expected = "\
folder  runs  true  false  WRONG  other part  unknown  time  memory  crash  score  of  CPU s  median s  max MB
a          2     1      0      1           0        0     0       0      0    -30   3    3.0      1.50      10
b          1     0      0      0           0        1     0       0      0      0   2    0.2         -      10
total      3     1      0      1           0        1     0       0      0    -30   5    3.2      1.50      10

property         runs  true  false  WRONG  other part  unknown  time  memory  crash  score  of  CPU s  median s  max MB
valid-memsafety     3     1      0      1           0        1     0       0      0    -30   5    3.2      1.50      10
total               3     1      0      1           0        1     0       0      0    -30   5    3.2      1.50      10

Why there is no answer
     1  unknown        no reason given

Left out
     2  property no-data-race is not supported

!!! WRONG ANSWERS !!! (1)
judged      task  property         expected            said
wrong-true  a/y   valid-memsafety  FALSE(valid-deref)  TRUE

3 runs: 1 correct, 1 WRONG, score -30 of 5, 3.2 CPU seconds
";
        assert_eq!(text(&outcome), expected);
    }

    #[test]
    fn another_part_is_listed_but_not_wrong() {
        let outcome = outcome(vec![row("a/x", Judged::WrongSubproperty, 1.0)]);
        assert!(!outcome.has_wrong_answer());
        assert!(text(&outcome).contains("wrong-subproperty  a/x"));
        assert!(text(&outcome).contains("none wrong"));
    }

    #[test]
    fn the_json_has_summary_and_runs() {
        let mut out = Vec::new();
        outcome(vec![row("a/x", Judged::CorrectTrue, 1.0)]).write_json(&mut out).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(value["summary"]["total"]["score"], 2);
        assert_eq!(value["summary"]["by_folder"]["a"]["correct_true"], 1);
        assert_eq!(value["runs"][0]["judged"], "correct-true");
        assert_eq!(value["runs"][0]["property"], "valid-memsafety");
    }
}
