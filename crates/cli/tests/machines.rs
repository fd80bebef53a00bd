//! Many tasks on other engines than ours: a Slurm array, and BenchExec. Skipped where these are missing.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

fn printed(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    String::from_utf8_lossy(&output.stdout).into_owned() + &errors
}

/// Whether a command works; says what is skipped if not.
#[expect(clippy::print_stderr, reason = "whoever runs the tests shall know what was not tried")]
fn works(command: &[&str], what: &str) -> bool {
    let output = Command::new(command[0]).args(&command[1..]).output();
    let works = output.is_ok_and(|output| output.status.success());
    if !works {
        eprintln!("SKIPPED: `{}` does not work here, so {what} is not tried", command.join(" "));
    }
    works
}

/// Three tasks of our own, as SV-COMP describes them.
fn write_tasks(folder: &Path) {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("writable");
    let parts = ["valid-free", "valid-deref", "valid-memtrack"];
    let property = parts.map(|part| format!("CHECK( init(main()), LTL(G {part}) )\n"));
    write("memory.prp", &property.concat());
    let programs = [
        ("good", "true", "free(p);"),
        ("leak", "false\n    subproperty: valid-memtrack", "p = 0;"),
        ("twice", "false\n    subproperty: valid-free", "free(p); free(p);"),
    ];
    for (name, verdict, end) in programs {
        let program = format!(
            "#include <stdlib.h>\nint main(void) {{ char *p = malloc(1); {end} return 0; }}\n"
        );
        write(&format!("{name}.c"), &program);
        let task = format!(
            "format_version: '2.0'\ninput_files: '{name}.c'\nproperties:\n  \
             - property_file: memory.prp\n    expected_verdict: {verdict}\n\
             options:\n  language: C\n  data_model: LP64\n"
        );
        write(&format!("{name}.yml"), &task);
    }
}

#[test]
fn a_slurm_array_runs_every_task_once_and_goes_on_when_it_was_cut_off() {
    if !works(&["sinfo", "--noheader"], "a bench as a Slurm array") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let tasks = folder.path().join("tasks");
    std::fs::create_dir(&tasks).expect("writable");
    write_tasks(&tasks);
    let run = || {
        let output = Command::new(root().join("scripts/slurm-bench"))
            .args(["2", "out"])
            .arg(&tasks)
            .args(["--", "--cpu-limit", "60s"])
            .current_dir(folder.path())
            .env("HEAPWRIGHT", env!("CARGO_BIN_EXE_heapwright"))
            .env("MEMORY", "900M")
            .output()
            .expect("the script runs");
        assert!(output.status.success(), "{}", printed(&output));
        std::fs::read_to_string(folder.path().join("out/all.csv")).expect("results")
    };
    let results = run();
    assert_eq!(results.lines().count(), 4, "{results}");
    assert_eq!(results.matches("correct-").count(), 3, "{results}");
    // What is there is not run again, so that times stay as they are.
    std::fs::remove_file(folder.path().join("out/share-2.csv")).expect("it is there");
    let again = run();
    let first_of = |text: &str| text.lines().nth(1).map(str::to_owned);
    assert_eq!(first_of(&again), first_of(&results));
    assert_eq!(again.lines().count(), 4, "{again}");
}

#[test]
fn benchexec_finds_the_executable_and_reads_its_answers() {
    if !works(&["benchexec", "--version"], "BenchExec") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    write_tasks(folder.path());
    let definition = "<?xml version=\"1.0\"?>\n<benchmark tool=\"contrib.benchexec.heapwright\" \
        timelimit=\"60 s\" memlimit=\"2 GB\">\n<rundefinition name=\"r\">\
        <propertyfile>memory.prp</propertyfile><tasks name=\"t\"><include>*.yml</include></tasks>\
        </rundefinition>\n</benchmark>\n";
    std::fs::write(folder.path().join("bench.xml"), definition).expect("writable");
    let tool = Path::new(env!("CARGO_BIN_EXE_heapwright")).parent().expect("a folder");
    // Without a container it needs no rights; it is known to hang where it cannot be stopped gently.
    let output = Command::new("timeout")
        .args(["-k", "5", "300", "benchexec", "--no-container", "--tool-directory"])
        .arg(tool)
        .args(["-o", "results/", "bench.xml"])
        .current_dir(folder.path())
        .env("PYTHONPATH", root())
        .output()
        .expect("timeout runs");
    let text = printed(&output);
    let cannot_limit = text.contains("cgroup") && !text.contains("Statistics");
    if cannot_limit && !works(&["false"], "BenchExec without cgroups") {
        return;
    }
    assert!(text.contains("correct:") && text.contains("3"), "{text}");
    let wrong = text.lines().find(|line| line.contains("incorrect:"));
    assert!(wrong.is_some_and(|line| line.trim_end().ends_with('0')), "{text}");
}
