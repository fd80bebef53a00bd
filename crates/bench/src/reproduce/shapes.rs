//! The section on SAS 2010, table 1: what shape refinement finds and costs, beside BLAST.
//!
//! `shape-refinement` measures and prints a table; here its rows are put beside the published ones.

use std::ffi::OsString;
use std::time::Duration;

use crate::error::BenchError;
use crate::process::run_limited;
use crate::reproduce::page::table;
use crate::reproduce::published::SHAPE_REFINEMENT;
use crate::reproduce::{Laboratory, Section};
use crate::tool::CommandLine;

const TEXT: &str = "\
## SAS 2010: shape refinement

Beyer, Henzinger, Théoduloz, Zufferey, *Shape Refinement through Explicit Heap Analysis*, prove functions of the library GDSL with
BLAST and TVLA (Core Duo 2, 4 GB): with the largest shape class from the start; with refinement where annotations
say the class, and where explicit heaps do. The engine `three-valued` does the same
([shape classes](shape-classes.md)); the clients that call the functions are not the paper's. *td* and *scg* are refinements of tracked
pointers and of classes. Our classes have more families than the paper's, and our seconds are processor
time without reading the file and without the runs of the proof.
";

/// Columns of `shape-refinement`, by their place in a row.
mod column {
    pub(super) const CLASS: usize = 1;
    pub(super) const FAMILIES: usize = 2;
    pub(super) const POINTERS: usize = 3;
    pub(super) const CLASSES: usize = 4;
    pub(super) const LARGEST: usize = 5;
    pub(super) const GIVEN: usize = 6;
    pub(super) const SAMPLES: usize = 7;
    pub(super) const STRUCTURES: usize = 8;
}

pub(super) fn section(laboratory: &Laboratory) -> Result<Section, BenchError> {
    let (folders, _) = laboratory.folders(&["gdsl"]);
    let Some(folder) = folders.into_iter().next() else {
        return Ok(Section::Missing("the folder gdsl is not there".to_owned()));
    };
    let load = laboratory.load();
    let seconds = format!("{}s", laboratory.time.as_secs_f64());
    let words = ["shape-refinement", "--data-model", "ILP32", "--timeout", &seconds];
    let mut arguments: Vec<OsString> = words.map(OsString::from).to_vec();
    arguments.push(folder.into());
    let line = CommandLine { program: laboratory.executable.clone().into(), arguments };
    // Every program is tried in three ways, each with the time of a run.
    let limits = laboratory.limits(Duration::max(laboratory.time * 100, Duration::from_secs(600)));
    let finished =
        run_limited(&line, &limits, &laboratory.cancellation).map_err(BenchError::Supervise)?;
    if finished.stop.is_some() {
        return Ok(Section::Missing("`shape-refinement` was stopped".to_owned()));
    }
    let measured = rows(&finished.output);
    let (bugs, refuted) = bugs(&measured);
    let text = format!(
        "{TEXT}\n{}\nVariants with a mistake: {refuted} of {bugs} refuted.\n\nMeasured with {seconds} for each of the three ways, one at a \
         time {load}.\n",
        beside(&measured)
    );
    let wrong = bugs - refuted;
    Ok(Section::Measured { text, picture: None, wrong })
}

/// The cells of each row of a table in Markdown.
fn rows(table: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| line.split('|').skip(1).map(|cell| cell.trim().to_owned()).collect();
    table.lines().skip(2).map(cells).collect()
}

/// Programs with a mistake, and those of them that no way proves.
fn bugs(measured: &[Vec<String>]) -> (usize, usize) {
    let bugs = measured.iter().filter(|row| row[0].ends_with("_bug"));
    let refuted = bugs.clone().filter(|row| row[column::SAMPLES].ends_with("bug"));
    (bugs.count(), refuted.count())
}

fn beside(measured: &[Vec<String>]) -> String {
    let row = |(program, published): &(&str, [&str; 5])| {
        let mut row = vec![program.replace('_', "\\_")];
        row.extend(published.map(str::to_owned));
        match measured.iter().find(|cells| cells[0] == *program) {
            Some(cells) => {
                row.push(format!("{} {}", cells[column::CLASS], cells[column::FAMILIES]));
                row.push(format!("{}, {}", cells[column::POINTERS], cells[column::CLASSES]));
                let times = [column::LARGEST, column::GIVEN, column::SAMPLES, column::STRUCTURES];
                row.extend(times.map(|place| cells[place].clone()));
            }
            None => row.push("not there".to_owned()),
        }
        row
    };
    let heading = [
        "program",
        "BLAST: largest class s",
        "class",
        "td, scg",
        "annotated s",
        "explicit s",
        "here: class",
        "td, scg",
        "largest class s",
        "given s",
        "samples s",
        "structures",
    ];
    table(1, &heading, &SHAPE_REFINEMENT.iter().map(row).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_stands_beside_the_published_one() {
        let printed = "| program | … |\n| --- | --- |\n\
            | cancel_list_link | list | 4/5 | 2 | 1 | 0.1 | 0.2 | 0.3 | 17 | 9 |\n\
            | cancel_list_link_bug | none |  | 0 | 0 | 0.0 bug | - | 0.0 bug | 6 | 3 |\n";
        let measured = rows(printed);
        assert_eq!(bugs(&measured), (1, 1));
        let expected =
            "| 10.04 | dll 1/3 | 1, 1 | 12.65 | 13.76 | list 4/5 | 2, 1 | 0.1 | 0.2 | 0.3 | 17 |";
        assert!(beside(&measured).contains(expected), "{}", beside(&measured));
    }
}
