//! Stopping early: by the flag, and by Ctrl-C in a process of its own.

mod common;

use common::{TaskFolder, bench};
use heapwright_bench::{BenchSettings, Tool, read_results};
use rustix::process::{Pid, Signal, kill_process, test_kill_process_group};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TASKS_VARIABLE: &str = "HEAPWRIGHT_BENCH_INTERRUPT_TEST";

/// One quick task, then sleepers that note their process number.
fn sleepers() -> TaskFolder {
    let tasks = TaskFolder::new();
    tasks.add("t/a", "true", "echo TRUE");
    for name in ["b", "c", "d"] {
        let note = tasks.path(&format!("{name}.pid"));
        let script = format!("echo $$ >'{0}.new'; mv '{0}.new' '{0}'; sleep 300", note.display());
        tasks.add(&format!("t/{name}"), "true", &script);
    }
    tasks
}

fn wait_for(what: &str, mut is_true: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_true() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn noted_group(note: &Path) -> Pid {
    let text = std::fs::read_to_string(note).unwrap();
    Pid::from_raw(text.trim().parse().unwrap()).unwrap()
}

#[test]
fn cancelling_keeps_what_is_finished() {
    let tasks = sleepers();
    let settings = BenchSettings { csv: Some(tasks.path("r.csv")), ..tasks.settings() };
    let cancellation = settings.cancellation.clone();
    let (outcome, report) = std::thread::scope(|scope| {
        let running = scope.spawn(|| bench(&settings).unwrap());
        let row_is_written =
            || read_results(&tasks.path("r.csv")).is_ok_and(|rows| rows.len() == 1);
        wait_for("the first row is streamed", row_is_written);
        wait_for("two sleepers run", || {
            tasks.path("b.pid").exists() && tasks.path("c.pid").exists()
        });
        cancellation.cancel();
        running.join().unwrap()
    });
    assert!(outcome.interrupted);
    assert_eq!((outcome.runs.len(), outcome.planned), (1, 4));
    assert!(report.contains("INTERRUPTED: only 1 of 4 runs were finished; they are kept in"));
    assert!(!tasks.path("d.pid").exists());
    assert_eq!(read_results(&tasks.path("r.csv")).unwrap(), outcome.runs);
}

/// No test by itself: the process that the next test interrupts.
#[test]
fn bench_to_be_interrupted() {
    let Some(folder) = std::env::var_os(TASKS_VARIABLE).map(PathBuf::from) else { return };
    let tool = Tool::Other { template: "sh {files}".to_owned() };
    let settings = BenchSettings {
        workers: std::num::NonZeroUsize::new(2).unwrap(),
        csv: Some(folder.join("r.csv")),
        catch_signals: true,
        ..BenchSettings::new(vec![folder], tool)
    };
    let (outcome, report) = bench(&settings).unwrap();
    assert!(outcome.interrupted);
    assert!(report.contains("INTERRUPTED: only 1 of 4"), "{report}");
}

#[test]
fn ctrl_c_kills_the_runs_and_keeps_the_results() {
    let tasks = sleepers();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "bench_to_be_interrupted"])
        .env(TASKS_VARIABLE, tasks.path(""))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for("two sleepers run", || tasks.path("b.pid").exists() && tasks.path("c.pid").exists());
    wait_for("the first row is streamed", || {
        read_results(&tasks.path("r.csv")).is_ok_and(|rows| rows.len() == 1)
    });
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(read_results(&tasks.path("r.csv")).unwrap().len(), 1);
    for name in ["b.pid", "c.pid"] {
        let group = noted_group(&tasks.path(name));
        wait_for("the runs are gone", || test_kill_process_group(group).is_err());
    }
    assert!(!tasks.path("d.pid").exists());
}
