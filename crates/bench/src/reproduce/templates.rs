//! The section on 2LS: tables I and II of FMCAD 2018, and what the thesis before it measures.
//!
//! The engine `template` stands beside 2LS with its heap domain, the same engine with domains of numbers
//! alone beside 2LS without it; all engines together are the third way.

use std::io;
use std::path::PathBuf;

use crate::error::BenchError;
use crate::judge::Judged;
use crate::plan::TaskFilter;
use crate::record::RunRecord;
use crate::reproduce::page::table;
use crate::reproduce::published::{
    CATEGORIES, Category, DATA_IN_LISTS, HEAP_OF_2017, HEAP_REACHABILITY,
};
use crate::reproduce::{Laboratory, Section};
use crate::settings::BenchSettings;
use crate::summary::{Summary, Tally};
use crate::tool::Tool;
use heapwright_property::Property;

const TEXT: &str = "\
## FMCAD 2018 and the thesis before it: templates of heap shapes

Malík, Hruška, Schrammel, Vojnar, *Template-Based Verification of Heap-Manipulating Programs*, compare 2LS with its heap domain and the
version before it (900 s and 15 GB a task). `template` is our engine of this kind; *numbers alone* is the same engine
with `--domains` of numbers, which has no invariants of pointers but treats the heap soundly, where the old 2LS answered
wrongly. Scores are those of SV-COMP: 2 for a proof, 1 for a violation, -32 for a wrong proof, -16 for a wrong violation.
";

/// A way to run Heapwright.
struct Way {
    name: &'static str,
    engine: Option<&'static str>,
    arguments: &'static [&'static str],
}

const TEMPLATE: Way = Way { name: "`template`", engine: Some("template"), arguments: &[] };
const NUMBERS: Way = Way {
    name: "numbers alone",
    engine: Some("template"),
    arguments: &["--domains", "intervals,values,equalities,sums,pairs,states,zones,octagons"],
};
const SYMBOLIC: Way =
    Way { name: "`symbolic-heap`", engine: Some("symbolic-heap"), arguments: &[] };
const ALL: Way = Way { name: "all engines", engine: None, arguments: &[] };

pub(super) fn section(laboratory: &Laboratory) -> Result<Section, BenchError> {
    if laboratory.tasks.is_none() {
        return Ok(Section::Missing("--tasks names no folder".to_owned()));
    }
    let load = laboratory.load();
    let mut runs = Vec::new();
    let categories = categories(laboratory, &mut runs)?;
    let lists = data_in_lists(laboratory, &mut runs)?;
    if runs.is_empty() {
        return Ok(Section::Missing("none of the folders is there".to_owned()));
    }
    let seconds = laboratory.time.as_secs_f64();
    let text = format!(
        "{TEXT}\n{categories}\n{lists}\nMeasured with {seconds} s of processor time a run, {} runs at a time {load}.\n",
        laboratory.workers,
    );
    let wrong = runs.iter().filter(|run| is_contradicted(run)).count();
    Ok(Section::Measured { text, picture: None, wrong })
}

/// A violation comes with an execution that shows it, whatever the label says; a proof does not.
fn is_contradicted(run: &RunRecord) -> bool {
    run.judged == Judged::WrongTrue
}

/// Table I, and the table of the thesis about one of its categories.
fn categories(laboratory: &Laboratory, runs: &mut Vec<RunRecord>) -> Result<String, BenchError> {
    let mut rows = Vec::new();
    let mut absent = String::new();
    let mut thesis = String::new();
    for category in &CATEGORIES {
        let (folders, missing) = laboratory.folders(category.folders);
        if !missing.is_empty() {
            absent += &format!("- {} without {}\n", category.name, missing.join(", "));
        }
        if folders.is_empty() {
            continue;
        }
        let mut tallies = Vec::new();
        for way in [TEMPLATE, NUMBERS, ALL] {
            let measured = measure(laboratory, &way, &folders, category.property)?;
            tallies.push(Summary::new(&measured).total);
            runs.extend(measured);
        }
        if category.name == HEAP_REACHABILITY {
            thesis = heap_of_2017(&tallies);
        }
        rows.push(category_row(category, &tallies));
    }
    let heading = [
        "category",
        "2LS: score",
        "CPU s",
        "2LS-old: score",
        "CPU s",
        "tasks here",
        "most points",
        "`template`: score",
        "CPU s",
        "numbers alone: score",
        "CPU s",
        "all engines: score",
        "CPU s",
        "wrong proofs",
        "violations where the label has none, or another",
    ];
    let table = table(1, &heading, &rows);
    Ok(format!(
        "### Table I\n\n{table}\nThe tasks that are there are a part of the competition's: scores are to be read against the most points \
         that ours can bring. Left out, since the folders are not there:\n\n{absent}\n{thesis}"
    ))
}

fn category_row(category: &Category, tallies: &[Tally]) -> Vec<String> {
    let published = |(cpu, score): (f64, i64)| [score.to_string(), cpu.to_string()];
    let mut row = vec![category.name.to_owned()];
    row.extend([category.with_heap, category.without].into_iter().flat_map(published));
    row.extend([tallies[0].runs.to_string(), tallies[0].maximum_score.to_string()]);
    row.extend(tallies.iter().flat_map(|it| [it.score.to_string(), format!("{:.0}", it.cpu_s)]));
    let sum = |count: fn(&Tally) -> usize| tallies.iter().map(count).sum::<usize>().to_string();
    row.push(sum(|tally| tally.wrong_true));
    row.push(sum(|tally| tally.wrong_false + tally.wrong_subproperty));
    row
}

fn heap_of_2017(tallies: &[Tally]) -> String {
    let values = |tally: &Tally| {
        let decided = tally.correct() + tally.wrong() + tally.wrong_subproperty;
        let finished = (decided + tally.unknown).max(1);
        [
            tally.runs.to_string(),
            tally.correct_true.to_string(),
            tally.correct_false.to_string(),
            tally.wrong_true.to_string(),
            tally.wrong_false.to_string(),
            (tally.runs - decided).to_string(),
            tally.score.to_string(),
            format!("{:.2}", tally.cpu_s / finished as f64),
        ]
    };
    let ours: Vec<[String; 8]> = tallies.iter().map(values).collect();
    let row = |(index, (name, published)): (usize, &(&str, [&str; 2]))| {
        let mut row = vec![(*name).to_owned()];
        row.extend(published.map(str::to_owned));
        row.extend([1, 0, 2].map(|way: usize| ours[way][index].clone()));
        row
    };
    let heading = ["", "2LS 2017", "with extension", "numbers alone", "`template`", "all engines"];
    let rows: Vec<Vec<String>> = HEAP_OF_2017.iter().enumerate().map(row).collect();
    format!(
        "### The thesis, table 5.1\n\nMalík's thesis measures the first heap domain of 2LS on the heap category of SV-COMP 2017, 60 s a task; ours are \
         the runs of RS-Heap above. In the last row our runs that were stopped count, too. Its tables 5.2 and 5.3 are about tests of Predator and 2LS that are not there.\n\n{}\n",
        table(1, &heading, &rows)
    )
}

/// Table II.
fn data_in_lists(laboratory: &Laboratory, runs: &mut Vec<RunRecord>) -> Result<String, BenchError> {
    let (folders, missing) = laboratory.folders(&["heap-data"]);
    if !missing.is_empty() {
        return Ok("### Table II\n\nLeft out: heap-data is not there.\n".to_owned());
    }
    let mut columns = Vec::new();
    for way in [TEMPLATE, SYMBOLIC, ALL] {
        let measured = measure(laboratory, &way, &folders, Property::UnreachCall)?;
        runs.extend(measured.iter().cloned());
        columns.push((way, measured));
    }
    let row = |(task, published): &(&str, [&str; 7])| {
        let mut row: Vec<String> = published.iter().map(|&it| it.to_owned()).collect();
        for (_, runs) in &columns {
            let run = runs.iter().find(|run| run.task == *task);
            row.push(run.map_or("not there".to_owned(), told));
        }
        let calls =
            columns[0].1.iter().find(|run| run.task == *task).and_then(|it| it.solver_calls);
        row.push(calls.map_or("–".to_owned(), |calls| calls.to_string()));
        row
    };
    let mut heading =
        vec!["task", "2LS", "CPA-Seq", "PredatorHP", "Forester", "Symbiotic", "UAutomizer"];
    heading.extend(columns.iter().map(|(way, _)| way.name));
    heading.push("solver calls of `template`");
    let rows: Vec<Vec<String>> = DATA_IN_LISTS.iter().map(row).collect();
    Ok(format!(
        "### Table II\n\nLists with data that matter; all tasks are correct, seconds are processor time of proofs.\n\n{}",
        table(1, &heading, &rows)
    ))
}

fn told(run: &RunRecord) -> String {
    match run.judged {
        Judged::CorrectTrue | Judged::CorrectFalse => format!("{:.2}", run.cpu_s),
        Judged::Timeout => "timeout".to_owned(),
        Judged::WrongTrue | Judged::WrongFalse | Judged::WrongSubproperty => "wrong".to_owned(),
        Judged::Unknown | Judged::OutOfMemory | Judged::Crash => "unknown".to_owned(),
    }
}

fn measure(
    laboratory: &Laboratory,
    way: &Way,
    folders: &[PathBuf],
    property: Property,
) -> Result<Vec<RunRecord>, BenchError> {
    let mut extra_arguments = vec!["--show-work".to_owned()];
    extra_arguments.extend(way.arguments.iter().map(|&word| word.to_owned()));
    let tool = Tool::Heapwright {
        executable: laboratory.executable.clone(),
        engine: way.engine.map(str::to_owned),
        extra_arguments,
    };
    let settings = BenchSettings {
        filter: TaskFilter { properties: vec![property], ..TaskFilter::default() },
        limits: laboratory.limits(laboratory.time),
        workers: laboratory.workers,
        cancellation: laboratory.cancellation.clone(),
        ..BenchSettings::new(folders.to_vec(), tool)
    };
    match crate::run_bench(&settings, &mut io::sink()) {
        Ok(outcome) => Ok(outcome.runs),
        // A folder may have no task that is asked about this property.
        Err(BenchError::NothingToRun(_)) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
