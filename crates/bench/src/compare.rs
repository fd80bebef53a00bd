//! Against a former bench: what was gained, what was lost, and how the speed changed.

use crate::judge::Judged;
use crate::record::{Key, RunRecord};
use crate::table::Table;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// One run with different results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// `folder/task property`.
    pub run: String,
    /// Verdict and judgement then.
    pub old: (String, Judged),
    /// Verdict and judgement now.
    pub new: (String, Judged),
}

/// One run with a different cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpeedChange {
    /// `folder/task property`.
    pub run: String,
    /// Processor seconds then.
    pub old_cpu_s: f64,
    /// Processor seconds now.
    pub new_cpu_s: f64,
    /// New time over old time.
    pub ratio: f64,
}

/// The differences between two benches.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// Runs that both have.
    pub common: usize,
    /// Runs that only the old one has.
    pub only_old: usize,
    /// Runs that only the new one has.
    pub only_new: usize,
    /// Correct now, but not then.
    pub gained: Vec<Change>,
    /// Correct then, but not now.
    pub lost: Vec<Change>,
    /// Other changes of the verdict.
    pub changed: Vec<Change>,
    /// Runs that both answered.
    pub answered_by_both: usize,
    /// Geometric mean of new over old processor time on these: below 1 is faster.
    pub cpu_ratio: Option<f64>,
    /// The biggest ratios first.
    pub slowdowns: Vec<SpeedChange>,
    /// The smallest ratios first.
    pub speedups: Vec<SpeedChange>,
}

/// Times below this are noise; it also keeps a measured zero out of the ratios.
const SHORTEST_TIME: f64 = 0.01;
/// A slowdown from 0.01 s to 0.05 s is no news.
const SMALLEST_DIFFERENCE: f64 = 0.1;
const LISTED: usize = 5;

impl Comparison {
    /// Compares results; rows are matched by folder, task and property.
    pub fn new(old: &[RunRecord], new: &[RunRecord]) -> Comparison {
        let old: BTreeMap<Key, &RunRecord> = old.iter().map(|row| (row.key(), row)).collect();
        let pairs: Vec<(&RunRecord, &RunRecord)> =
            new.iter().filter_map(|row| old.get(&row.key()).map(|former| (*former, row))).collect();
        let mut comparison = Comparison {
            common: pairs.len(),
            only_old: old.len().saturating_sub(pairs.len()),
            only_new: new.len() - pairs.len(),
            ..Comparison::default()
        };
        for (old, new) in &pairs {
            comparison.add_verdict(old, new);
        }
        comparison.add_speed(&pairs);
        comparison
    }

    fn add_verdict(&mut self, old: &RunRecord, new: &RunRecord) {
        let change = Change {
            run: new.label(),
            old: (old.verdict.clone(), old.judged),
            new: (new.verdict.clone(), new.judged),
        };
        match (old.judged.is_correct(), new.judged.is_correct()) {
            (false, true) => self.gained.push(change),
            (true, false) => self.lost.push(change),
            _ if change.old != change.new => self.changed.push(change),
            _ => {}
        }
    }

    fn add_speed(&mut self, pairs: &[(&RunRecord, &RunRecord)]) {
        let is_answered = |row: &RunRecord| row.judged.is_answered();
        let both = pairs.iter().filter(|(old, new)| is_answered(old) && is_answered(new));
        let mut speeds: Vec<SpeedChange> =
            both.map(|(old, new)| SpeedChange::new(old, new)).collect();
        self.answered_by_both = speeds.len();
        self.cpu_ratio = geometric_mean(speeds.iter().map(|speed| speed.ratio));
        // The sort is stable and rows come in order, so equal ratios have a fixed order too.
        speeds.retain(|speed| (speed.new_cpu_s - speed.old_cpu_s).abs() >= SMALLEST_DIFFERENCE);
        speeds.sort_by(|left, right| right.ratio.total_cmp(&left.ratio));
        let slower = speeds.iter().filter(|speed| speed.ratio > 1.0);
        self.slowdowns = slower.take(LISTED).cloned().collect();
        let faster = speeds.iter().rev().filter(|speed| speed.ratio < 1.0);
        self.speedups = faster.take(LISTED).cloned().collect();
    }

    /// Writes the comparison as text.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\nAgainst the former results")?;
        writeln!(
            out,
            "{} runs in both, {} only in the old, {} only in the new: {} gained, {} lost, \
             {} changed otherwise",
            self.common,
            self.only_old,
            self.only_new,
            self.gained.len(),
            self.lost.len(),
            self.changed.len()
        )?;
        write_changes(out, "Gained", &self.gained)?;
        write_changes(out, "LOST", &self.lost)?;
        write_changes(out, "Changed", &self.changed)?;
        if let Some(ratio) = self.cpu_ratio {
            let (times, direction) =
                if ratio > 1.0 { (ratio, "slower") } else { (1.0 / ratio, "faster") };
            let runs = self.answered_by_both;
            writeln!(
                out,
                "CPU time on {runs} runs that both answered: {times:.2} times {direction}"
            )?;
        }
        write_speeds(out, "Biggest slowdowns", &self.slowdowns)?;
        write_speeds(out, "Biggest speed-ups", &self.speedups)
    }
}

impl SpeedChange {
    fn new(old: &RunRecord, new: &RunRecord) -> SpeedChange {
        SpeedChange {
            run: new.label(),
            old_cpu_s: old.cpu_s,
            new_cpu_s: new.cpu_s,
            ratio: new.cpu_s.max(SHORTEST_TIME) / old.cpu_s.max(SHORTEST_TIME),
        }
    }
}

fn geometric_mean(ratios: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = ratios.len();
    (count > 0).then(|| (ratios.map(f64::ln).sum::<f64>() / count as f64).exp())
}

fn write_changes(out: &mut dyn Write, title: &str, changes: &[Change]) -> io::Result<()> {
    if changes.is_empty() {
        return Ok(());
    }
    let count = format!("{title} ({})", changes.len());
    let mut table = Table::new(3, vec![count, "then".to_owned(), "now".to_owned()]);
    for change in changes {
        let told = |(verdict, judged): &(String, Judged)| {
            if judged.is_answered() { format!("{verdict} {judged}") } else { verdict.clone() }
        };
        table.add(vec![format!("  {}", change.run), told(&change.old), told(&change.new)]);
    }
    table.write(out)
}

fn write_speeds(out: &mut dyn Write, title: &str, speeds: &[SpeedChange]) -> io::Result<()> {
    if speeds.is_empty() {
        return Ok(());
    }
    let heading = [title, "then s", "now s", "ratio"].map(str::to_owned);
    let mut table = Table::new(1, heading.to_vec());
    for speed in speeds {
        table.add(vec![
            format!("  {}", speed.run),
            format!("{:.2}", speed.old_cpu_s),
            format!("{:.2}", speed.new_cpu_s),
            format!("{:.2}", speed.ratio),
        ]);
    }
    table.write(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::row;

    fn runs(changes: &[Change]) -> Vec<&str> {
        changes.iter().map(|change| change.run.as_str()).collect()
    }

    #[test]
    fn tells_gained_lost_and_changed() {
        let old = [
            row("a/gain", Judged::Unknown, 1.0),
            row("a/lose", Judged::CorrectTrue, 1.0),
            row("a/other", Judged::Unknown, 1.0),
            row("a/same", Judged::Timeout, 1.0),
            row("a/gone", Judged::Timeout, 1.0),
        ];
        let new = [
            row("a/gain", Judged::CorrectTrue, 1.0),
            row("a/lose", Judged::Crash, 1.0),
            row("a/other", Judged::Timeout, 1.0),
            row("a/same", Judged::Timeout, 1.0),
        ];
        let comparison = Comparison::new(&old, &new);
        assert_eq!((comparison.common, comparison.only_old, comparison.only_new), (4, 1, 0));
        assert_eq!(runs(&comparison.gained), ["a/gain valid-memsafety"]);
        assert_eq!(runs(&comparison.lost), ["a/lose valid-memsafety"]);
        assert_eq!(runs(&comparison.changed), ["a/other valid-memsafety"]);
    }

    #[test]
    fn speed_is_compared_where_both_answered() {
        let old = [
            row("a/fast", Judged::CorrectTrue, 4.0),
            row("a/slow", Judged::CorrectTrue, 1.0),
            row("a/tiny", Judged::CorrectTrue, 0.0),
            row("a/void", Judged::Timeout, 60.0),
        ];
        let new = [
            row("a/fast", Judged::CorrectTrue, 1.0),
            row("a/slow", Judged::CorrectTrue, 2.0),
            row("a/tiny", Judged::CorrectTrue, 0.01),
            row("a/void", Judged::CorrectTrue, 1.0),
        ];
        let comparison = Comparison::new(&old, &new);
        assert_eq!(comparison.answered_by_both, 3);
        let expected = (0.25_f64 * 2.0 * 1.0).cbrt();
        assert!((comparison.cpu_ratio.unwrap() - expected).abs() < 1e-9);
        assert_eq!(comparison.slowdowns.len(), 1);
        assert_eq!(comparison.slowdowns[0].run, "a/slow valid-memsafety");
        assert_eq!(comparison.speedups[0].run, "a/fast valid-memsafety");
        let mut text = Vec::new();
        comparison.write(&mut text).unwrap();
        assert!(String::from_utf8(text).unwrap().contains("1.26 times faster"));
    }

    #[test]
    fn without_common_answers_there_is_no_ratio() {
        let comparison = Comparison::new(&[], &[row("a/x", Judged::CorrectTrue, 1.0)]);
        assert_eq!((comparison.cpu_ratio, comparison.only_new), (None, 1));
    }
}
