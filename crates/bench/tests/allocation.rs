//! A comparison of ways to decide allocation, with a fake tool.

mod common;

use common::TaskFolder;
use heapwright_bench::{AllocationArguments, Compared, DataModel, Property, compare_allocation};
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

/// Answers what the task says, and counts more calls when asked to list cells.
const TOOL: &str = r#"#!/bin/sh
for file; do :; done
calls=0
case "$*" in
*"--allocation equality"*) calls=7 ;;
*"--allocation model"*) calls=2 ;;
esac
. "$file"
echo "{\"verdict\": \"$verdict\", \"message\": \"$message\",
       \"statistics\": {\"solver\": {\"calls\": $calls, \"seconds\": 0.5}}}"
"#;

fn compared(tasks: &TaskFolder) -> (Compared, String, String) {
    let (executable, svg) = (tasks.path("tool"), tasks.path("plot.svg"));
    tasks.write("tool", TOOL);
    std::fs::set_permissions(&executable, std::fs::Permissions::from_mode(0o755)).unwrap();
    let arguments = AllocationArguments {
        tasks: vec![tasks.path("t")],
        property: Property::ValidMemsafety,
        name: Vec::new(),
        default_data_model: DataModel::Ilp32,
        solver: "embedded".to_owned(),
        cpu_limit: Duration::from_secs(20),
        memory_limit: 1_000_000_000,
        executable: Some(executable),
        svg: Some(svg.clone()),
    };
    let mut report = Vec::new();
    let compared = compare_allocation(arguments, &mut report).unwrap();
    (compared, String::from_utf8(report).unwrap(), std::fs::read_to_string(svg).unwrap())
}

/// The row of the sums for a way: decided, in common, solver calls.
fn sums(report: &str, way: &str) -> Vec<String> {
    let row = report.lines().find(|line| line.starts_with(way)).unwrap();
    row.split_whitespace().skip(1).take(3).map(str::to_owned).collect()
}

#[test]
fn calls_are_summed_over_the_tasks_that_all_ways_decide() {
    let tasks = TaskFolder::new();
    tasks.add("t/a", "true", "verdict=holds");
    tasks.add("t/b", "valid-deref", "verdict=violated");
    tasks.add("t/c", "true", "if [ $calls = 7 ]; then verdict=unknown; else verdict=holds; fi");
    let (compared, report, svg) = compared(&tasks);
    assert_eq!(compared, Compared::Correct, "{report}");
    assert_eq!(sums(&report, "equality"), ["2", "2", "14"], "{report}");
    assert_eq!(sums(&report, "model"), ["3", "2", "4"], "{report}");
    assert!(svg.contains("a, model: 2 (holds)"), "{svg}");
}

#[test]
fn a_wrong_answer_and_a_death_are_told() {
    let tasks = TaskFolder::new();
    tasks.add(
        "t/a",
        "valid-deref",
        "if [ $calls = 7 ]; then verdict=holds; else verdict=violated; fi",
    );
    tasks.add("t/b", "true", "kill -SEGV $$");
    tasks.add("t/c", "true", "verdict=input-error; message='install cvc5'");
    let (compared, report, _) = compared(&tasks);
    assert_eq!(compared, Compared::Wrong);
    assert!(report.contains("WRONG holds") && report.contains("crash"), "{report}");
    assert!(report.trim_end().ends_with("install cvc5"), "{report}");
}
