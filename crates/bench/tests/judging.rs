//! Whole benches with a fake tool: every way to answer, and every way to fail.

mod common;

use common::{TaskFolder, bench, judgements, only_run};
use heapwright_bench::{BenchSettings, JsonTarget, Judged, Limits, Tool, read_results};
use std::time::Duration;

#[test]
fn every_answer_is_judged() {
    let tasks = TaskFolder::new();
    tasks.add("t/a-right-true", "true", "echo TRUE");
    tasks.add("t/b-right-false", "valid-deref", "echo 'FALSE(valid-deref)'; exit 10");
    tasks.add("t/c-right-reach", "false", "echo 'FALSE(unreach-call)'");
    tasks.add("t/d-wrong-true", "valid-free", "echo TRUE");
    tasks.add("t/e-wrong-false", "true", "echo 'FALSE(valid-free)'");
    tasks.add("t/f-other-part", "valid-free", "echo 'FALSE(valid-deref)'");
    tasks.add("t/g-unknown", "true", "echo 'UNKNOWN(loop bound: 3)'; exit 20");
    let (outcome, report) = bench(&tasks.settings()).unwrap();
    let expected = [
        ("a-right-true", Judged::CorrectTrue),
        ("b-right-false", Judged::CorrectFalse),
        ("c-right-reach", Judged::CorrectFalse),
        ("d-wrong-true", Judged::WrongTrue),
        ("e-wrong-false", Judged::WrongFalse),
        ("f-other-part", Judged::WrongSubproperty),
        ("g-unknown", Judged::Unknown),
    ];
    assert_eq!(judgements(&outcome), expected);
    assert!(outcome.has_wrong_answer() && !outcome.interrupted);
    let total = &outcome.summary.total;
    assert_eq!(
        (total.score, total.maximum_score),
        (2 + 1 + 1 - 32 - 16, 2 + 1 + 1 + 1 + 2 + 1 + 2)
    );
    assert!(report.contains("WRONG ANSWERS !!! (2)"), "{report}");
    assert!(report.contains("unknown        loop bound"), "{report}");
}

#[test]
fn every_crash_is_judged_with_its_reason() {
    let tasks = TaskFolder::new();
    tasks.add("t/a-silent", "true", "exit 0");
    tasks.add("t/b-rubbish", "true", "echo TRUE; echo 'and more'");
    tasks.add("t/c-signal", "true", "echo TRUE; kill -SEGV $$");
    let panic = "echo \"thread 'main' panicked at src/x.rs:1:2:\" >&2; echo boom >&2; exit 101";
    tasks.add("t/d-panic", "true", panic);
    tasks.add("t/e-binary", "true", "printf '\\377\\376TRUE\\n'");
    let (outcome, _) = bench(&tasks.settings()).unwrap();
    assert!(outcome.runs.iter().all(|run| run.judged == Judged::Crash));
    let reasons: Vec<&str> = outcome.runs.iter().map(|run| run.reason.as_str()).collect();
    let expected = [
        "no verdict line: exit code 0, no output",
        "no verdict line: exit code 0, last line: and more",
        "killed by SIGSEGV",
        "panic: src/x.rs:1:2: boom",
    ];
    assert_eq!(reasons[..4], expected);
    assert!(!outcome.has_wrong_answer());
}

#[test]
fn a_run_past_the_cpu_limit_is_a_timeout() {
    let tasks = TaskFolder::new();
    tasks.add("t/busy", "true", "echo TRUE; while :; do :; done");
    let base = tasks.settings();
    let limits = Limits { cpu: Duration::from_millis(500), ..base.limits };
    let run = only_run(&BenchSettings { limits, ..base });
    assert_eq!((run.judged, run.reason.as_str()), (Judged::Timeout, "cpu time"));
    assert!(run.cpu_s >= 0.5 && run.cpu_s < 10.0, "{run:?}");
}

#[test]
fn a_run_past_the_wall_limit_is_a_timeout() {
    let tasks = TaskFolder::new();
    tasks.add("t/asleep", "true", "echo TRUE; sleep 100");
    let base = tasks.settings();
    let limits = Limits { wall: Duration::from_millis(500), ..base.limits };
    let run = only_run(&BenchSettings { limits, ..base });
    assert_eq!((run.judged, run.reason.as_str()), (Judged::Timeout, "wall time"));
    assert!(run.wall_s >= 0.5 && run.wall_s < 30.0, "{run:?}");
    assert!(run.cpu_s < 0.5, "{run:?}");
}

#[test]
fn a_run_past_the_memory_limit_is_out_of_memory() {
    let tasks = TaskFolder::new();
    // `tail` has to keep a line that never ends.
    tasks.add("t/greedy", "true", "head -c 400000000 /dev/zero | tail | wc -c; echo TRUE");
    let base = tasks.settings();
    let limits = Limits { memory: 150_000_000, ..base.limits };
    let run = only_run(&BenchSettings { limits, ..base });
    assert_eq!((run.judged, run.verdict.as_str()), (Judged::OutOfMemory, "OUT-OF-MEMORY"));
    assert!(run.memory_mb > 150.0, "{run:?}");
}

#[test]
fn heapwright_gets_its_arguments() {
    let tasks = TaskFolder::new();
    tasks.add("t/x", "valid-free", "");
    let executable = tasks.path("heapwright");
    // Written by a shell, because a file that this process holds open cannot be executed while
    // another test starts a process at the same moment.
    let script = "printf '#!/bin/sh\\necho \"UNKNOWN($*)\"\\n' >\"$0\"; chmod +x \"$0\"";
    let shell = std::process::Command::new("sh").args(["-c", script]).arg(&executable).status();
    assert!(shell.unwrap().success());
    let tool = Tool::Heapwright {
        executable,
        engine: Some("shape".to_owned()),
        extra_arguments: vec!["--seed=7".to_owned()],
    };
    let run = only_run(&BenchSettings { tool, ..tasks.settings() });
    let base = tasks.path("").canonicalize().unwrap();
    let expected = format!(
        "check --property {0}/properties/memory.prp --data-model LP64 --verdict-line \
         --engine shape --seed=7 {0}/t/x.sh",
        base.display()
    );
    assert_eq!(run.reason, expected);
}

#[test]
fn a_tool_that_does_not_exist_stops_the_bench() {
    let tasks = TaskFolder::new();
    tasks.add("t/x", "true", "");
    let tool = Tool::Other { template: "no-such-verifier {files}".to_owned() };
    let error = bench(&BenchSettings { tool, ..tasks.settings() }).unwrap_err().to_string();
    assert!(error.contains("cannot start `no-such-verifier`"), "{error}");
}

#[test]
fn results_are_written_sorted_and_can_be_compared() {
    let tasks = TaskFolder::new();
    // The first in order finishes last.
    tasks.add("t/a", "true", "sleep 0.3; echo TRUE");
    tasks.add("t/b", "true", "echo UNKNOWN");
    let csv = Some(tasks.path("results.csv"));
    let (outcome, _) = bench(&BenchSettings { csv: csv.clone(), ..tasks.settings() }).unwrap();
    assert_eq!(read_results(csv.as_ref().unwrap()).unwrap(), outcome.runs);

    tasks.write("t/a.sh", "echo UNKNOWN");
    tasks.write("t/b.sh", "echo TRUE");
    let peers = "tool,folder,task,property,expected,verdict,judged,wall_s,cpu_s\n\
                 2ls,t,a,valid-memsafety,true,TRUE,correct,1,1\n";
    tasks.write("peers.csv", peers);
    let json = tasks.path("results.json");
    let settings = BenchSettings {
        // The same file is read and written.
        csv: csv.clone(),
        against: csv,
        peers: Some(tasks.path("peers.csv")),
        json: Some(JsonTarget::File(json.clone())),
        ..tasks.settings()
    };
    let (outcome, report) = bench(&settings).unwrap();
    let comparison = outcome.comparison.unwrap();
    assert_eq!((comparison.gained.len(), comparison.lost.len()), (1, 1));
    assert_eq!(outcome.peers.unwrap().missed[0].run, "t/a valid-memsafety");
    assert!(report.contains("1 gained, 1 lost, 0 changed"), "{report}");
    assert!(report.contains("Answered by others, not by us (1)"), "{report}");
    let value: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(value["comparison"]["lost"][0]["run"], "t/a valid-memsafety");
}

#[test]
fn json_can_take_the_place_of_the_text() {
    let tasks = TaskFolder::new();
    tasks.add("t/a", "true", "echo TRUE");
    let settings = BenchSettings { json: Some(JsonTarget::Report), ..tasks.settings() };
    let (_, report) = bench(&settings).unwrap();
    let value: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(value["summary"]["total"]["correct_true"], 1);
}
