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
