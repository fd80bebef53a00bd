//! How much work some proofs and refutations take, in units that are the same on every machine: one that takes a tenth
//! more than `tests/work/baseline.txt` says fails. `HEAPWRIGHT_ACCEPT=1` writes what it takes now.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Lists, trees, recursion, sorted lists, arrays, texts, numbers; right and wrong.
const PROGRAMS: [&str; 17] = [
    "array_of_any_length",
    "average_of_no_readings",
    "average_of_readings",
    "circular_list",
    "copied_array",
    "kernel_list",
    "length_in_a_counter",
    "list_from_arguments",
    "list_of_any_length",
    "owner_that_counts",
    "queue",
    "rare_input",
    "recursive_list",
    "skip_list",
    "sorted_insert",
    "tree_of_any_size",
    "use_after_free",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The answer, and the work of the engine that counts it.
fn work_on(program: &str) -> (String, u64) {
    let path = root().join("examples").join(format!("{program}.c"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_heapwright"));
    // Enough time for a machine that is busy with other tests; work is what counts.
    command.args(["check", "--json", "--engine", "symbolic-heap", "--timeout", "600"]).arg(path);
    let output = command.output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let engines = report["statistics"]["engines"].as_array().unwrap();
    // The first turn decides; what is left after a violation is asked for some time.
    let work = engines.iter().find_map(|engine| engine["work"].as_u64()).unwrap_or(0);
    (report["verdict"].as_str().unwrap().to_owned(), work)
}

#[test]
fn no_answer_takes_a_tenth_more_work_than_before() {
    let baseline = root().join("tests/work/baseline.txt");
    let found: BTreeMap<&str, (String, u64)> =
        PROGRAMS.iter().map(|&program| (program, work_on(program))).collect();
    if std::env::var_os("HEAPWRIGHT_ACCEPT").is_some() {
        let mut text = String::new();
        for (program, (verdict, work)) in &found {
            writeln!(text, "{program} {verdict} {work}").unwrap();
        }
        fs::write(&baseline, text).unwrap();
        return;
    }
    let known = fs::read_to_string(&baseline).unwrap();
    assert_eq!(known.lines().count(), PROGRAMS.len(), "HEAPWRIGHT_ACCEPT=1 writes the baseline");
    for line in known.lines() {
        let [program, verdict, work] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("not a program, a verdict and its work: {line}")
        };
        let most = work.parse::<u64>().unwrap() * 11 / 10;
        let (now, units) = &found[program];
        assert_eq!(now, verdict, "{program}");
        assert!(
            *units <= most,
            "{program} takes {units} units of work, at most {most} are expected"
        );
    }
}
