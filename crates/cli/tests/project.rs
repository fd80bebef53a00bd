//! A project from its build to its answers: captured, checked, edited, checked again.

use std::path::Path;
use std::process::{Command, Output};

const MAKEFILE: &str = "\
all: good bad
good: good.o list.o
\tcc -o good good.o list.o
bad: bad.c liblist.a
\tcc -Wall -o bad bad.c -L. -llist
liblist.a: list.o
\tar rcs liblist.a list.o
%.o: %.c
\tcc -Iinclude -c -o $@ $<
";

const LIST_H: &str = "struct node { struct node *next; };\nstruct node *push(struct node *head);\n";
const LIST_C: &str = "\
#include <stdlib.h>
#include \"list.h\"
struct node *push(struct node *head) {
    struct node *node = malloc(sizeof *node);
    node->next = head;
    return node;
}
";
const GOOD_C: &str = "\
#include <stdlib.h>
#include \"list.h\"
int main(void) { free(push(NULL)); return 0; }
";
const BAD_C: &str = "\
#include <stdlib.h>
#include \"include/list.h\"
int main(void) { struct node *head = push(NULL); free(head); free(head); return 0; }
";

fn write_project(folder: &Path) {
    std::fs::create_dir(folder.join("include")).expect("writable");
    for (name, text) in [
        ("Makefile", MAKEFILE),
        ("include/list.h", LIST_H),
        ("list.c", LIST_C),
        ("good.c", GOOD_C),
        ("bad.c", BAD_C),
    ] {
        std::fs::write(folder.join(name), text).expect("writable");
    }
}

fn heapwright(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heapwright"));
    command.args(arguments).current_dir(folder).output().expect("the binary runs")
}

fn printed(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    String::from_utf8_lossy(&output.stdout).into_owned() + &errors
}

#[expect(clippy::print_stderr, reason = "whoever runs the tests shall know what was not tried")]
fn can_build() -> bool {
    let is_there = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
    let can = ["make", "cc", "ar"].into_iter().all(is_there);
    if !can {
        eprintln!("SKIPPED: make, cc and ar are needed to build a project");
    }
    can
}

#[test]
fn a_project_is_captured_checked_and_checked_again_where_it_changed() {
    if !can_build() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write_project(folder);
    let captured = heapwright(folder, &["capture", "--", "make"]);
    let text = printed(&captured);
    assert!(text.contains("2 programs of good, bad"), "{text}");
    assert!(folder.join("bad").exists(), "the build builds");

    let first = heapwright(folder, &["project", "--html", "report"]);
    let text = printed(&first);
    assert_eq!(first.status.code(), Some(10), "{text}");
    assert!(text.contains("✓ good  holds"), "{text}");
    assert!(text.contains("✗ bad   violated") && text.contains("bad.c:3: "), "{text}");
    assert!(text.contains("1 holds, 1 violated; 0 of 2 unchanged"), "{text}");
    let index = std::fs::read_to_string(folder.join("report/index.html")).expect("an index");
    let (bad, good) = (index.find("./bad.html"), index.find("./good.html"));
    assert!(bad.is_some() && bad < good, "the worst comes first");
    assert!(folder.join("report/bad.html").exists());

    let text = printed(&heapwright(folder, &["project"]));
    assert!(text.contains("2 of 2 unchanged"), "{text}");

    std::fs::write(folder.join("bad.c"), BAD_C.replacen("free(head); ", "", 1)).expect("writable");
    let mended = heapwright(folder, &["project"]);
    let text = printed(&mended);
    assert_eq!(mended.status.code(), Some(0), "{text}");
    assert!(text.contains("2 holds; 1 of 2 unchanged"), "{text}");

    // What the compiler is told is part of what an answer depends on, and so is what it hides.
    let hidden =
        GOOD_C.replace("int main", "#ifdef WRONG\n#define free(x) (void)x\n#endif\nint main");
    std::fs::write(folder.join("good.c"), hidden).expect("writable");
    let leaking = heapwright(folder, &["project", "--", "-DWRONG"]);
    assert_eq!(leaking.status.code(), Some(10), "{}", printed(&leaking));
    std::fs::write(folder.join("good.c"), GOOD_C).expect("writable");
    let right = heapwright(folder, &["project", "--", "-DWRONG"]);
    assert_eq!(right.status.code(), Some(0), "{}", printed(&right));

    // A header is part of what an answer depends on.
    let wider = LIST_H.replace("*next; }", "*next; int value; }");
    std::fs::write(folder.join("include/list.h"), wider).expect("writable");
    let text = printed(&heapwright(folder, &["project"]));
    assert!(text.contains("0 of 2 unchanged"), "{text}");
}

#[test]
fn what_cannot_be_read_is_not_kept() {
    if !can_build() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let program = folder.join("a.c");
    std::fs::write(&program, "int main(void) { return 0; }\n").expect("writable");
    let captured = heapwright(folder, &["capture", "--", "cc", "-o", "a", "a.c"]);
    assert!(captured.status.success(), "{}", printed(&captured));
    std::fs::write(&program, "int main(void) { return one; }\n").expect("writable");
    assert_eq!(heapwright(folder, &["project"]).status.code(), Some(30));
    std::fs::write(&program, "int main(void) { return another; }\n").expect("writable");
    let text = printed(&heapwright(folder, &["project"]));
    assert!(text.contains("another") && text.contains("0 of 1 unchanged"), "{text}");
}

#[test]
fn a_build_that_fails_fails_as_it_would() {
    if !can_build() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.c"), "int main(void) { return x; }\n").expect("writable");
    let output = heapwright(folder.path(), &["capture", "--", "cc", "-o", "a", "a.c"]);
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    let output = heapwright(folder.path(), &["project"]);
    assert_eq!(output.status.code(), Some(30), "{}", printed(&output));
    assert!(printed(&output).contains("heapwright capture -- make"));
}

/// A folder with two programs and a compilation database, as CMake writes it, of which one program is wrong.
fn write_database(folder: &Path) {
    write_project(folder);
    let entry = |file: &str| {
        format!(
            "{{\"directory\": {:?}, \"file\": \"{file}\", \"command\": \"cc -Iinclude -c {file}\"}}",
            folder.display().to_string()
        )
    };
    let entries = ["list.c", "good.c", "bad.c"].map(entry).join(",\n");
    std::fs::write(folder.join("compile_commands.json"), format!("[{entries}]\n"))
        .expect("writable");
}

#[test]
fn check_in_a_folder_finds_the_programs_of_a_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write_database(folder);
    let files = ["--html", "report", "--sarif", "out.sarif", "--junit", "out.xml"];
    let first = heapwright(folder, &[&["check", "--timeout", "60"], &files[..]].concat());
    let text = printed(&first);
    assert_eq!(first.status.code(), Some(10), "{text}");
    assert!(text.contains("✓ good  holds") && text.contains("✗ bad   violated"), "{text}");
    assert!(folder.join("report/index.html").exists());

    let sarif = std::fs::read_to_string(folder.join("out.sarif")).expect("a log");
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("JSON");
    let runs = sarif["runs"].as_array().expect("runs");
    let names: Vec<&str> =
        runs.iter().filter_map(|run| run["automationDetails"]["id"].as_str()).collect();
    assert_eq!(names, ["heapwright/good/", "heapwright/bad/"]);
    assert_eq!(runs[1]["results"][0]["kind"], "fail");

    let junit = std::fs::read_to_string(folder.join("out.xml")).expect("a report");
    let junit = roxmltree::Document::parse(&junit).expect("XML");
    let suites = junit.descendants().filter(|node| node.has_tag_name("testsuite"));
    let failures: Vec<&str> = suites.filter_map(|suite| suite.attribute("failures")).collect();
    assert_eq!(failures, ["0", "1"]);

    let again = heapwright(folder, &["check", "--timeout", "60"]);
    assert!(printed(&again).contains("2 of 2 unchanged"), "{}", printed(&again));
}

#[test]
fn what_is_in_the_baseline_is_not_told_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write_database(folder);
    let first = heapwright(folder, &["check", "--save", "old.json"]);
    assert_eq!(first.status.code(), Some(10), "{}", printed(&first));

    // Lines move, and the finding is the same.
    std::fs::write(folder.join("bad.c"), format!("/* a remark */\n\n{BAD_C}")).expect("writable");
    let same = heapwright(folder, &["check", "--baseline", "old.json"]);
    let text = printed(&same);
    assert_eq!(same.status.code(), Some(0), "{text}");
    assert!(text.contains("2 as in the baseline") && !text.contains('✗'), "{text}");

    let leaking = GOOD_C.replace("free(push(NULL));", "push(NULL);");
    std::fs::write(folder.join("good.c"), leaking).expect("writable");
    let worse = heapwright(folder, &["check", "--baseline", "old.json", "--save", "new.json"]);
    let text = printed(&worse);
    assert_eq!(worse.status.code(), Some(10), "{text}");
    assert!(text.contains("✗ good  violated") && !text.contains("✗ bad"), "{text}");

    let diff = heapwright(folder, &["check", "--diff", "old.json", "new.json"]);
    let text = printed(&diff);
    assert_eq!(diff.status.code(), Some(10), "{text}");
    assert!(text.contains("✗ good  holds → violated"), "{text}");
    assert!(text.contains("1 worse, 0 better, 0 otherwise, 0 new, 0 gone, 1 the same"), "{text}");
    let back = heapwright(folder, &["check", "--diff", "new.json", "old.json"]);
    assert_eq!(back.status.code(), Some(0), "{}", printed(&back));
}

#[test]
fn a_project_says_in_its_file_what_it_asks() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write_project(folder);
    let settings = "\
[check]
property = \"valid-memsafety\"
timeout = \"60s\"

[project]
jobs = 1
html = \"pages\"

[[program]]
name = \"good\"
files = [\"good.c\", \"list.c\"]
include = [\"include\"]

[[program]]
name = \"functions\"
files = [\"list.c\"]
include = [\"include\"]
entry = [\"all\"]
";
    std::fs::write(folder.join("heapwright.toml"), settings).expect("writable");
    let output = heapwright(folder, &["check"]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("✓ good            holds"), "{text}");
    assert!(text.contains("✓ functions:push  holds"), "{text}");
    assert!(folder.join("pages/functions_push.html").exists());

    std::fs::write(folder.join("heapwright.toml"), settings.replace("60s", "soon"))
        .expect("writable");
    let output = heapwright(folder, &["check"]);
    assert_eq!(output.status.code(), Some(30));
    assert!(
        printed(&output).starts_with("error: heapwright.toml:3:11: not a time"),
        "{}",
        printed(&output)
    );
}

#[test]
fn options_of_one_program_and_of_many_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    for arguments in [&["check", "--repro", "x.c"][..], &["check", "--save", "x.json", "a.c"]] {
        let output = heapwright(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
    }
    let output = heapwright(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(30));
    assert!(printed(&output).contains("nothing is known of programs here"));
}

/// Whether an answer was kept.
fn has_kept_answer(folder: &Path) -> bool {
    let folders = std::fs::read_dir(folder.join(".heapwright/cache")).into_iter().flatten();
    let files = folders.flatten().flat_map(|folder| std::fs::read_dir(folder.path()).unwrap());
    files.flatten().any(|file| file.path().extension().is_some_and(|it| it == "json"))
}

#[test]
fn a_run_that_is_cut_off_goes_on_where_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write_project(folder);
    // Nobody decides this one soon: it searches a factor of a large number by all ways at once.
    let endless = "\
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
int main(void) {
    unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
    if (a > 1 && b > 1 && a < 4294967296 && b < 4294967296 && a * b == 18446743979220271189ul)
        reach_error();
    return 0;
}
";
    std::fs::write(folder.join("endless.c"), endless).expect("writable");
    let settings = "\
[project]
jobs = 1
[[program]]
name = \"good\"
files = [\"good.c\", \"list.c\"]
include = [\"include\"]
[[program]]
name = \"endless\"
files = [\"endless.c\"]
";
    std::fs::write(folder.join("heapwright.toml"), settings).expect("writable");
    let mut command = Command::new(env!("CARGO_BIN_EXE_heapwright"));
    command.arg("check").current_dir(folder);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let process = command.spawn().expect("the binary runs");
    while !has_kept_answer(folder) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let told = Command::new("kill").args(["-INT", &process.id().to_string()]).status();
    assert!(told.expect("kill runs").success());
    let output = process.wait_with_output().expect("it ends");
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("interrupted: 1 of 2 answered"), "{text}");

    let again = heapwright(folder, &["check", "--timeout", "1"]);
    let text = printed(&again);
    assert!(text.contains("0 of 2 unchanged"), "another question: {text}");
    std::fs::write(folder.join("endless.c"), "int main(void) { return 0; }\n").expect("writable");
    let text = printed(&heapwright(folder, &["check"]));
    assert!(text.contains("2 holds; 1 of 2 unchanged"), "{text}");
}
