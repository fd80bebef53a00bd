//! What packages install: completions and pages for `man` name every command and option that is shown.

use std::path::Path;
use std::process::Command;

fn generated(what: &str, folder: &Path) -> Vec<String> {
    let status = Command::new(env!("CARGO_BIN_EXE_heapwright"))
        .args(["generate", what])
        .arg(folder)
        .status()
        .expect("the binary runs");
    assert!(status.success());
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = generated("man", folder.path());
    for page in ["heapwright.1", "heapwright-check.1", "heapwright-run.1", "heapwright-validate.1"]
    {
        assert!(names.iter().any(|name| name == page), "{page} is not among {names:?}");
    }
    let page = std::fs::read_to_string(folder.path().join("heapwright-check.1")).expect("readable");
    assert!(page.contains("sarif") && page.contains("timeout"), "{page}");
}

#[test]
fn shells_complete_commands_and_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = generated("completions", folder.path());
    assert_eq!(names.len(), 5, "{names:?}");
    for name in names {
        let text = std::fs::read_to_string(folder.path().join(&name)).expect("readable");
        assert!(text.contains("validate") && text.contains("sarif"), "{name}");
    }
}
