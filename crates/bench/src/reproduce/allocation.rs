//! The section on the thesis about SLCPA: what it costs to ask a solver which cell has an address.

use crate::allocation::figures::{Sums, draw, sums, ways_at_work};
use crate::allocation::measure::{Measurement, Setup, WAYS, measure};
use crate::error::BenchError;
use crate::plan::{TaskFilter, plan};
use crate::reproduce::page::table;
use crate::reproduce::{Laboratory, Picture, Section};
use crate::task::DataModel;
use heapwright_property::Property;

const PICTURE: &str = "reproduction-allocation.svg";

const TEXT: &str = "\
## The thesis on SLCPA: allocation questions

Beck, *Solver-based Analysis of Memory Safety using Separation Logic*, asks a solver at each access which cell is meant, in ways that
`check --allocation` has, too ([results task by task](allocation-comparison.md)). Its figures are bars and points without numbers, so what its
text says stands beside our sums. `whole-heap` is its algorithm 3: the whole heap in one question of separation
logic, which says that an address is allocated and leaves open where; the thesis gives no figure for it. Paths only,
valid-memsafety, cvc5 for separation logic, the embedded solver for the rest.
";

const CLAIMS: [(&str, &str); 5] = [
    (
        "6.1a, 6.1b",
        "SMT (`equality`) and SMT_ModelSAT (`model`) need far less time and memory than SL (`separation-logic`)",
    ),
    (
        "6.1c",
        "calls against time × memory: `model` is best; `equality` beats `separation-logic` though it asks more often",
    ),
    ("6.2", "the time of `separation-logic` is mainly the solver\u{2019}s"),
    ("6.2", "fewer calls of `model` do not cost more time in all"),
    ("text", "algorithm 3 cannot tell which cell it is, so it is not measured there"),
];

pub(super) fn section(laboratory: &Laboratory) -> Result<Section, BenchError> {
    let (folders, missing) = laboratory.folders(&["memsafety-ext3"]);
    if !missing.is_empty() {
        return Ok(Section::Missing("the folder memsafety-ext3 is not there".to_owned()));
    }
    let load = laboratory.load();
    let filter = TaskFilter { properties: vec![Property::ValidMemsafety], ..TaskFilter::default() };
    let plan = plan(&folders, &filter, DataModel::Ilp32)?;
    let time = laboratory.time * 9;
    let setup = Setup {
        executable: laboratory.executable.clone(),
        solver: "embedded".to_owned(),
        limits: laboratory.limits(time),
        cancellation: laboratory.cancellation.clone(),
    };
    let measurements = measure(&setup, &plan.runs)?;
    let wrong = measurements.iter().filter(|one| one.is_wrong()).count();
    let text = format!(
        "{TEXT}\n{}\n![Solver calls against time and memory, and the solver\u{2019}s part of the time]({PICTURE})\n\nPale points are runs without an answer. \
         Below the bars: seconds on the clock.\n\n{}\nMeasured with {} s of processor time a run, one run at a time {load}.\n",
        by_way(&measurements),
        claims(),
        time.as_secs_f64(),
    );
    let picture = Some(Picture { name: PICTURE, svg: draw(&measurements) });
    Ok(Section::Measured { text, picture, wrong })
}

fn by_way(measurements: &[Measurement]) -> String {
    let (common, sums) = sums(measurements);
    let tasks = measurements.len() / WAYS.len();
    let at_work = ways_at_work(measurements);
    let row = |(way, sums): &(&str, Sums)| {
        if !at_work.contains(way) {
            let nothing = std::iter::repeat_n("–".to_owned(), 5);
            return [format!("`{way}`"), format!("0 of {tasks}")]
                .into_iter()
                .chain(nothing)
                .collect();
        }
        let decided = measurements.iter().filter(|one| one.way == *way && one.is_decided()).count();
        vec![
            format!("`{way}`"),
            format!("{decided} of {tasks}"),
            sums.calls.to_string(),
            format!("{:.2}", sums.solver_s),
            format!("{:.2}", sums.wall_s),
            format!("{:.2}", sums.cpu_s),
            format!("{:.1}", sums.megabyte_seconds),
        ]
    };
    let heading =
        ["way", "decided", "solver calls", "solver s", "wall s", "CPU s", "MB × CPU s (6.1c)"];
    let idle: Vec<String> =
        WAYS.iter().filter(|way| !at_work.contains(way)).map(|way| format!("`{way}`")).collect();
    let idle = match idle.is_empty() {
        true => String::new(),
        false => format!(" Without any answer: {}; is cvc5 installed?", idle.join(", ")),
    };
    format!(
        "Sums over the {common} tasks that all ways decide which decide any.{idle}\n\n{}",
        table(1, &heading, &sums.iter().map(row).collect::<Vec<_>>())
    )
}

fn claims() -> String {
    let rows: Vec<Vec<String>> =
        CLAIMS.iter().map(|(at, text)| vec![(*at).to_owned(), (*text).to_owned()]).collect();
    table(2, &["figure", "what the thesis says of it"], &rows)
}
