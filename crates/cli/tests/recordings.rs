//! How often an answer runs its violation again to tell the story: once, and not at all where one line is
//! all that is printed.

use std::path::Path;
use std::process::Command;

/// Lines of the engines' diary that tell of a recording, for a check of this example.
fn recordings(example: &str, options: &[&str]) -> usize {
    let folder = tempfile::tempdir().expect("a folder for the diary");
    let diary = folder.path().join("diary");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let output = Command::new(env!("CARGO_BIN_EXE_heapwright"))
        .arg("check")
        .args(options)
        .arg("--trace")
        .arg(&diary)
        .arg(examples.join(example))
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(10), "{example} is violated");
    let diary = std::fs::read_to_string(diary).expect("a diary was written");
    diary.lines().filter(|line| line.split(' ').nth(2) == Some("recorded")).count()
}

#[test]
fn an_answer_records_its_story_once() {
    assert_eq!(recordings("use_after_free.c", &[]), 1);
    assert_eq!(recordings("lost_head.c", &["--json"]), 1);
}

#[test]
fn one_line_needs_no_story() {
    assert_eq!(recordings("use_after_free.c", &["--verdict-line"]), 0);
    assert_eq!(recordings("use_after_free.c", &["--quiet"]), 0);
}

#[test]
fn a_page_beside_one_line_needs_the_story() {
    let folder = tempfile::tempdir().expect("a folder for the page");
    let page = folder.path().join("page.html").display().to_string();
    assert_eq!(recordings("use_after_free.c", &["--verdict-line", "--html", &page]), 1);
}
