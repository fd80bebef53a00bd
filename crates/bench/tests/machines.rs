//! A bench on several machines, and one that was cut off.

mod common;

use common::{TaskFolder, bench, judgements};
use heapwright_bench::{BenchSettings, Judged, read_results};
use std::path::PathBuf;

/// Seven tasks, each of which notes that it was run.
fn tasks() -> TaskFolder {
    let tasks = TaskFolder::new();
    for name in ["a", "b", "c", "d", "e", "f", "g"] {
        let note = tasks.path("notes");
        let script = format!("echo {name} >>'{}'; echo TRUE", note.display());
        tasks.add(&format!("t/{name}"), "true", &script);
    }
    tasks
}

fn notes(tasks: &TaskFolder) -> Vec<String> {
    let text = std::fs::read_to_string(tasks.path("notes")).unwrap_or_default();
    let mut notes: Vec<String> = text.lines().map(str::to_owned).collect();
    notes.sort();
    notes
}

#[test]
fn shares_are_disjoint_and_together_are_all() {
    let tasks = tasks();
    let mut files: Vec<PathBuf> = Vec::new();
    for number in 1..=3 {
        let csv = tasks.path(&format!("{number}.csv"));
        let shard = Some(format!("{number}/3").parse().unwrap());
        bench(&BenchSettings { csv: Some(csv.clone()), shard, ..tasks.settings() }).unwrap();
        files.push(csv);
    }
    assert_eq!(notes(&tasks), ["a", "b", "c", "d", "e", "f", "g"], "each once");
    let sizes = files.iter().map(|file| read_results(file).unwrap().len());
    assert_eq!(sizes.collect::<Vec<_>>(), [3, 2, 2]);

    let all = tasks.path("all.csv");
    let settings = BenchSettings { csv: Some(all.clone()), merge: files, ..tasks.settings() };
    let (outcome, report) = bench(&settings).unwrap();
    assert_eq!((outcome.runs.len(), outcome.interrupted), (7, false), "{report}");
    assert_eq!(read_results(&all).unwrap(), outcome.runs);
    assert_eq!(notes(&tasks).len(), 7, "nothing is run to merge");
}

#[test]
fn the_later_of_two_rows_counts() {
    let tasks = tasks();
    let (first, second) = (tasks.path("1.csv"), tasks.path("2.csv"));
    bench(&BenchSettings { csv: Some(first.clone()), ..tasks.settings() }).unwrap();
    let text = std::fs::read_to_string(&first).unwrap();
    std::fs::write(&second, text.replacen("TRUE,correct-true", "UNKNOWN,unknown", 1)).unwrap();
    let merge = vec![first, second];
    let (outcome, _) = bench(&BenchSettings { merge, ..tasks.settings() }).unwrap();
    assert_eq!(judgements(&outcome)[0], ("a", Judged::Unknown));
    assert_eq!(outcome.runs.len(), 7);
}

#[test]
fn a_bench_that_was_cut_off_goes_on() {
    let tasks = tasks();
    let csv = tasks.path("r.csv");
    let settings = BenchSettings { csv: Some(csv.clone()), resume: true, ..tasks.settings() };
    bench(&settings).unwrap();
    let text = std::fs::read_to_string(&csv).unwrap();
    // A header, three rows, and one that was being written.
    let lines: Vec<&str> = text.lines().take(5).collect();
    let kept = lines[..4].join("\n") + "\n" + &lines[4][..lines[4].len() / 2];
    std::fs::write(&csv, kept).unwrap();
    std::fs::remove_file(tasks.path("notes")).unwrap();
    let (outcome, _) = bench(&settings).unwrap();
    assert_eq!(notes(&tasks), ["d", "e", "f", "g"]);
    assert_eq!(outcome.runs.len(), 7);
    assert_eq!(read_results(&csv).unwrap().len(), 7);
}
