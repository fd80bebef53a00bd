//! What `check --repro` writes is compiled as its first lines say, run, and must fail as they say.
//!
//! The examples always; with `HEAPWRIGHT_LONG_TESTS=1` also the tasks of the corpus that are known
//! to be wrong. Skipped where there is no C compiler with AddressSanitizer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use heapwright_bench::{DataModel, Run, TaskFilter, plan};

#[test]
fn every_harness_of_an_example_fails_as_it_says() {
    if !can_compile("-m64") {
        println!("skipped: `cc -fsanitize=address` does not work here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut shown = 0;
    for example in examples() {
        let harness = folder.path().join("harness.c");
        let files = files_of(&example);
        let Some(kind) = write_harness(&[], &files, &harness) else { continue };
        if needs_other_machine(&harness) {
            continue;
        }
        let outcome = run_harness(&harness, &kind);
        assert_eq!(outcome, Outcome::AsExpected, "{}", example.display());
        shown += 1;
    }
    assert!(shown >= 6, "only {shown} examples are violated");
}

/// An allocation that fails and a byte that nobody set, which an error needs.
#[test]
fn failed_allocations_and_fresh_bytes_are_brought_about() {
    if !can_compile("-m64") {
        println!("skipped: `cc -fsanitize=address` does not work here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let programs = [
        (
            "--malloc-may-fail",
            "#include <stdlib.h>
             int main(void) {
                 int local[4];
                 int *first = malloc(4);
                 int *second = calloc(1, 4);
                 if (first != 0) { local[0] = 1; *second = local[0]; }
                 free(first);
                 free(second);
                 return 0;
             }",
        ),
        (
            "--engine=symbolic-heap",
            "#include <stdlib.h>
             extern void reach_error(void);
             int main(void) {
                 char *other = malloc(3);
                 char *bytes = malloc(2);
                 if (bytes[1] == 42) reach_error();
                 free(bytes);
                 free(other);
                 return 0;
             }",
        ),
        // The program's own error function does nothing.
        (
            "--engine=symbolic-heap",
            "extern int __VERIFIER_nondet_int(void);
             void reach_error(void) {}
             int main(void) {
                 if (__VERIFIER_nondet_int() == -7) reach_error();
                 return 0;
             }",
        ),
    ];
    for (option, text) in programs {
        let source = folder.path().join("program.c");
        fs::write(&source, text).unwrap();
        let harness = folder.path().join("harness.c");
        let kind = write_harness(&[option.to_owned()], &[source], &harness).expect(text);
        assert_eq!(run_harness(&harness, &kind), Outcome::AsExpected, "{text}");
    }
}

/// A harness that shows nothing must not pass for one that does.
#[test]
fn a_harness_with_other_inputs_is_found_out() {
    if !can_compile("-m64") {
        println!("skipped: `cc -fsanitize=address` does not work here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let harness = folder.path().join("harness.c");
    let example = examples().into_iter().find(|path| path.ends_with("rare_input.c")).unwrap();
    let kind = write_harness(&[], &[example], &harness).unwrap();
    let text = fs::read_to_string(&harness).unwrap();
    fs::write(
        &harness,
        text.replacen("\"__VERIFIER_nondet_uint\", ", "\"__VERIFIER_nondet_uint\", 1+", 1),
    )
    .unwrap();
    assert!(matches!(run_harness(&harness, &kind), Outcome::NotAsExpected(_)));
}

#[test]
fn harnesses_of_wrong_tasks_of_the_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    if std::env::var_os("HEAPWRIGHT_LONG_TESTS").is_none() {
        println!("skipped: needs HEAPWRIGHT_LONG_TESTS=1");
        return;
    }
    if !corpus.is_dir() || !can_compile("-m64") {
        println!("skipped: needs {} and `cc -fsanitize=address`", corpus.display());
        return;
    }
    let families = [
        "memsafety",
        "memsafety-ext3",
        "ldv-regression",
        "list-simple",
        "forester-heap",
        "heap-manipulation",
    ];
    let folders: Vec<PathBuf> = families.iter().map(|family| corpus.join(family)).collect();
    let plan = plan(&folders, &TaskFilter::default(), DataModel::Ilp32).unwrap();
    let has_32_bits = can_compile("-m32");
    let (mut violated, mut compiled, mut shown) = (0, 0, 0);
    let folder = tempfile::tempdir().unwrap();
    for run in plan.runs.iter().filter(|run| !run.expected) {
        let harness = folder.path().join("harness.c");
        let _ = fs::remove_file(&harness);
        let Some(kind) = write_harness(&options(run, has_32_bits), &run.files, &harness) else {
            continue;
        };
        violated += 1;
        let outcome = run_harness(&harness, &kind);
        compiled += usize::from(!matches!(outcome, Outcome::NotCompiled(_)));
        shown += usize::from(outcome == Outcome::AsExpected);
        if outcome != Outcome::AsExpected {
            println!("{} ({kind}): {outcome:?}", run.files[0].display());
        }
    }
    println!("{violated} harnesses, {compiled} compile, {shown} fail as expected");
    assert!(violated > 0);
    // A dead variable whose address is in use again is not seen.
    assert!(shown * 10 >= violated * 9, "{shown} of {violated}");
}

/// The task's own data model, or where there are no 32-bit libraries that of this machine: the
/// question is another one then, and the harness has to fit the answer all the same.
fn options(run: &Run, has_32_bits: bool) -> Vec<String> {
    let property = format!("--property={}", run.property_file.display());
    let model = if has_32_bits { run.data_model } else { DataModel::Lp64 };
    vec![property, format!("--data-model={model}"), "--timeout=10".to_owned()]
}

#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    AsExpected,
    NotCompiled(String),
    NotAsExpected(String),
}

/// Checks a program; the kind of fault if it is violated.
fn write_harness(options: &[String], files: &[PathBuf], harness: &Path) -> Option<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_heapwright"))
        .args(["check", "--json"])
        .args(options)
        .arg("--repro")
        .arg(harness)
        .args(files)
        .output()
        .unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let is_violated = document["verdict"] == "violated";
    assert_eq!(document["harness"].as_str(), harness.to_str().filter(|_| is_violated));
    is_violated.then(|| document["kind"].as_str().unwrap().to_owned())
}

/// Whether the execution rests on what files, arguments or clocks give, as the harness says in its head.
fn needs_other_machine(harness: &Path) -> bool {
    let text = fs::read_to_string(harness).unwrap();
    text.contains("comes from the machine that it runs on")
}

/// Compiles and runs a harness by the command in its head.
fn run_harness(harness: &Path, kind: &str) -> Outcome {
    let text = fs::read_to_string(harness).unwrap();
    let command = text.lines().find_map(|line| line.strip_prefix("//     ")).expect("a command");
    let (compile, run) = command.split_once(" && ").expect("two commands");
    let compiled = shell(compile);
    if !compiled.status.success() {
        return Outcome::NotCompiled(last_lines(&compiled));
    }
    let output = shell(&format!("timeout 30 {run} < /dev/null"));
    let said = String::from_utf8_lossy(&output.stderr);
    let is_shown = !output.status.success() && signs(kind).iter().any(|sign| said.contains(sign));
    if is_shown { Outcome::AsExpected } else { Outcome::NotAsExpected(last_lines(&output)) }
}

/// What is said natively about a kind of fault: one of these.
fn signs(kind: &str) -> &'static [&'static str] {
    match kind {
        "null-dereference" | "wild-dereference" | "read-only-write" | "invalid-callee" => {
            &["AddressSanitizer: SEGV", "AddressSanitizer: BUS"]
        }
        // gcc gives back null for the address of a local variable.
        "dangling-dereference" => &["-use-after-", "AddressSanitizer: SEGV"],
        "out-of-bounds" => &["-overflow", "-underflow", "AddressSanitizer: SEGV", "negative-size"],
        "invalid-free" => &["attempting free on address", "AddressSanitizer: SEGV"],
        "double-free" => &["attempting double-free"],
        "assertion-failed" => &["Assertion", "is reached"],
        "error-reached" => &["is reached"],
        "leak" | "unfreed" => &["LeakSanitizer: detected memory leaks"],
        _ => panic!("no violation is of kind {kind}"),
    }
}

fn shell(command: &str) -> Output {
    Command::new("sh").args(["-c", command]).output().unwrap()
}

fn last_lines(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(3).collect();
    format!("{}: {}", output.status, lines.join(" | "))
}

fn can_compile(option: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("a.c"), folder.path().join("a"));
    fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let compiler = Command::new("cc")
        .args([option, "-fsanitize=address"])
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .output();
    compiler.is_ok_and(|output| output.status.success())
        && Command::new(&program).status().is_ok_and(|status| status.success())
}

/// The file and what its header says belongs to it.
fn files_of(example: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(example).unwrap();
    let others = text.lines().filter_map(|line| line.strip_prefix("//@ with: "));
    let others = others.map(|name| example.with_file_name(name));
    [example.to_owned()].into_iter().chain(others).collect()
}

/// The examples that say what must be answered.
fn examples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").canonicalize().unwrap();
    let folders = [root.join("stack"), root];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        path.extension().is_some_and(|ending| ending == "c")
            && fs::read_to_string(path).unwrap().starts_with("//@ ")
    });
    files.sort();
    assert!(files.len() >= 20, "examples are missing");
    files
}
