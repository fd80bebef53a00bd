//! Against other tools: who answers how many tasks, and which tasks only the others answer.
//! Each tool is compared with us on the runs that both have, so partial data stays fair.

use crate::error::BenchError;
use crate::judge::Judged;
use crate::record::{Key, RunRecord, read_rows};
use crate::table::Table;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;

/// One row of a peers file: `tool,folder,task,property,expected,verdict,judged,wall_s,cpu_s`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PeerRecord {
    /// Name of the tool.
    pub tool: String,
    /// Folder of the task.
    pub folder: String,
    /// Name of the task.
    pub task: String,
    /// Name of the property, which may be one that we do not know.
    pub property: String,
    /// `correct`, `correct-true` or `correct-false` for a right answer; anything else is none.
    pub judged: String,
}

/// Right answers of us and of one tool on the runs that both have.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Runs that both have.
    pub common: usize,
    /// Right answers of ours.
    pub ours: usize,
    /// Right answers of theirs.
    pub theirs: usize,
}

/// The standings in one folder for one property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PeerRow {
    /// The folder.
    pub folder: String,
    /// The property.
    pub property: String,
    /// By tool.
    pub standings: BTreeMap<String, Standing>,
}

/// A run that some tool answers rightly and we do not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Missed {
    /// `folder/task property`.
    pub run: String,
    /// What we said.
    pub ours: Judged,
    /// Who answers it.
    pub tools: Vec<String>,
}

/// Us and the others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct PeerComparison {
    /// By folder and property.
    pub rows: Vec<PeerRow>,
    /// Over all rows.
    pub total: BTreeMap<String, Standing>,
    /// In the order of the runs.
    pub missed: Vec<Missed>,
}

/// Reads a peers file.
pub fn read_peers(path: &Path) -> Result<Vec<PeerRecord>, BenchError> {
    read_rows(
        path,
        "--peers needs the columns tool,folder,task,property,expected,verdict,judged,wall_s,cpu_s",
    )
}

impl PeerRecord {
    fn is_correct(&self) -> bool {
        matches!(self.judged.as_str(), "correct" | "correct-true" | "correct-false")
    }

    fn key(&self) -> Key {
        (self.folder.clone(), self.task.clone(), self.property.clone())
    }
}

impl PeerComparison {
    /// Compares our results with theirs.
    pub fn new(ours: &[RunRecord], theirs: &[PeerRecord]) -> PeerComparison {
        let mut peers: BTreeMap<Key, BTreeMap<&str, bool>> = BTreeMap::new();
        for record in theirs {
            peers.entry(record.key()).or_default().insert(&record.tool, record.is_correct());
        }
        let tools: BTreeSet<&str> = theirs.iter().map(|record| record.tool.as_str()).collect();
        let nobody: BTreeMap<String, Standing> =
            tools.iter().map(|tool| ((*tool).to_owned(), Standing::default())).collect();
        let mut rows: BTreeMap<(String, String), BTreeMap<String, Standing>> = BTreeMap::new();
        let mut comparison = PeerComparison { total: nobody.clone(), ..PeerComparison::default() };
        for run in ours {
            let Some(answers) = peers.get(&run.key()) else { continue };
            let place = (run.folder.clone(), run.property.name().to_owned());
            let row = rows.entry(place).or_insert_with(|| nobody.clone());
            add_run(row, run, answers);
            add_run(&mut comparison.total, run, answers);
            comparison.missed.extend(missed(run, answers));
        }
        comparison.rows = rows
            .into_iter()
            .map(|((folder, property), standings)| PeerRow { folder, property, standings })
            .collect();
        comparison
    }

    /// Writes the comparison as text.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\nAgainst other tools: right answers on the runs that both have")?;
        if self.rows.is_empty() {
            return writeln!(out, "no run in common; do the folder and task names agree?");
        }
        let mut heading = vec!["folder".to_owned(), "property".to_owned()];
        for tool in self.total.keys() {
            heading.extend(["  runs".to_owned(), "we".to_owned(), tool.clone()]);
        }
        let mut table = Table::new(2, heading);
        for row in &self.rows {
            table.add(cells(&row.folder, &row.property, &row.standings));
        }
        table.add(cells("total", "", &self.total));
        table.write(out)?;
        self.write_missed(out)
    }

    fn write_missed(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.missed.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        let title = format!("Answered by others, not by us ({})", self.missed.len());
        let mut table = Table::new(3, vec![title, "we".to_owned(), "answered by".to_owned()]);
        for missed in &self.missed {
            table.add(vec![
                format!("  {}", missed.run),
                missed.ours.to_string(),
                missed.tools.join(", "),
            ]);
        }
        table.write(out)
    }
}

fn add_run(
    standings: &mut BTreeMap<String, Standing>,
    run: &RunRecord,
    answers: &BTreeMap<&str, bool>,
) {
    for (tool, is_correct) in answers {
        let standing = standings.entry((*tool).to_owned()).or_default();
        standing.common += 1;
        standing.ours += usize::from(run.judged.is_correct());
        standing.theirs += usize::from(*is_correct);
    }
}

fn missed(run: &RunRecord, answers: &BTreeMap<&str, bool>) -> Option<Missed> {
    let right = answers.iter().filter(|(_, is_correct)| **is_correct);
    let tools: Vec<String> = right.map(|(tool, _)| (*tool).to_owned()).collect();
    let is_missed = !run.judged.is_correct() && !tools.is_empty();
    is_missed.then(|| Missed { run: run.label(), ours: run.judged, tools })
}

fn cells(folder: &str, property: &str, standings: &BTreeMap<String, Standing>) -> Vec<String> {
    let mut cells = vec![folder.to_owned(), property.to_owned()];
    for standing in standings.values() {
        cells.extend([standing.common, standing.ours, standing.theirs].map(|n| n.to_string()));
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::row;

    const PEERS: &str = "tool,folder,task,property,expected,verdict,judged,wall_s,cpu_s\n\
        cbmc,a,x,valid-memsafety,true,TRUE,correct,1.73,1.19\n\
        cbmc,a,y,valid-memsafety,true,TRUE,correct,1.73,1.19\n\
        2ls,a,x,valid-memsafety,true,FALSE(valid-deref),WRONG-FALSE,1.73,1.19\n\
        2ls,b,z,valid-memsafety,true,UNKNOWN,unknown,60.2,40\n\
        2ls,b,z,def-behavior,true,TRUE,correct,60.2,40\n";

    fn peers() -> Vec<PeerRecord> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("peers.csv");
        std::fs::write(&path, PEERS).unwrap();
        read_peers(&path).unwrap()
    }

    #[test]
    fn compares_on_common_runs_only() {
        let ours = [
            row("a/x", Judged::CorrectTrue, 1.0),
            row("a/y", Judged::Unknown, 1.0),
            row("b/alone", Judged::CorrectTrue, 1.0),
            row("b/z", Judged::CorrectTrue, 1.0),
        ];
        let comparison = PeerComparison::new(&ours, &peers());
        let standing = |common, ours, theirs| Standing { common, ours, theirs };
        assert_eq!(comparison.total["cbmc"], standing(2, 1, 2));
        assert_eq!(comparison.total["2ls"], standing(2, 2, 0));
        assert_eq!(comparison.rows.len(), 2);
        assert_eq!(comparison.rows[1].standings["cbmc"], standing(0, 0, 0));
        assert_eq!(comparison.missed.len(), 1);
        assert_eq!(comparison.missed[0].run, "a/y valid-memsafety");
        assert_eq!(comparison.missed[0].tools, ["cbmc"]);
    }

    #[test]
    fn the_table_has_three_columns_for_each_tool() {
        let ours = [row("a/x", Judged::CorrectTrue, 1.0), row("a/y", Judged::Unknown, 1.0)];
        let mut text = Vec::new();
        PeerComparison::new(&ours, &peers()).write(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let expected = "\
folder  property           runs  we  2ls    runs  we  cbmc
a       valid-memsafety       1   1    0       2   1     2
total                         1   1    0       2   1     2

Answered by others, not by us (1)  we       answered by
  a/y valid-memsafety              unknown  cbmc
";
        assert!(text.ends_with(expected), "{text}");
    }
}
