//! What an editor offers to do about a violation: write the C that shows it.

use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::sync::mpsc::Sender;

use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, Command, Range};
use serde_json::Value;

use super::diagnostics::{diagnostics, whole};
use super::run::Circumstances;
use super::server::Event;
use super::told::{Report, Verdict};

pub(super) const WRITE_HARNESS: &str = "heapwright.writeHarness";

/// What can be done about the violations in a range of a file.
pub(super) fn actions(file: &Path, range: Range, reports: &[Report]) -> Vec<CodeActionOrCommand> {
    let mut actions = Vec::new();
    for (index, report) in reports.iter().enumerate() {
        if report.verdict != Verdict::Violated {
            continue;
        }
        let found = diagnostics(file, std::slice::from_ref(report));
        let here = found.get(&whole(file)).cloned().unwrap_or_default();
        let touched: Vec<_> = here
            .into_iter()
            .filter(|it| it.range.start.line <= range.end.line)
            .filter(|it| it.range.end.line >= range.start.line)
            .collect();
        if touched.is_empty() {
            continue;
        }
        let title = "Write C that shows this under AddressSanitizer".to_owned();
        let arguments = vec![Value::from(file.display().to_string()), Value::from(index)];
        let command = Command {
            title: title.clone(),
            command: WRITE_HARNESS.to_owned(),
            arguments: Some(arguments),
        };
        actions.push(CodeActionOrCommand::CodeAction(CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(touched),
            command: Some(command),
            ..CodeAction::default()
        }));
    }
    actions
}

/// Where the C goes: beside the file.
fn harness_of(file: &Path) -> PathBuf {
    let stem = file.file_stem().map_or_else(String::new, |it| it.to_string_lossy().into_owned());
    file.with_file_name(format!("{stem}-reproduced.c"))
}

/// Writes the C, and says so when it is there.
pub(super) fn write_harness(
    file: &Path,
    report: &Report,
    circumstances: &Circumstances,
    to: Sender<Event>,
) {
    let path = harness_of(file);
    let mut process = Process::new(&circumstances.executable);
    process.arg("check").args(&report.options).arg("--quiet");
    process.arg(format!("--repro={}", path.display()));
    std::thread::spawn(move || {
        let _ = std::fs::remove_file(&path);
        let output = process.output();
        let name = path.display();
        let event = match output {
            Ok(_) if path.exists() => {
                Event::Message(format!("{name} is written; its first lines say how to run it"))
            }
            Ok(output) => {
                let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                Event::Problem(format!("{name} was not written: {why}"))
            }
            Err(error) => Event::Problem(format!("{name} was not written: {error}")),
        };
        // Nobody listens any more once the editor has gone.
        let _ = to.send(event);
    });
}
