//! What an editor shows under the pointer: what a proof says of a line, in words, and where its picture is.

use std::path::Path;

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};

use super::diagnostics::whole;
use super::place::uri_of;
use super::told::{Report, Verdict};

/// About a line, which is counted from 1.
pub(super) fn hover(file: &Path, line: u32, reports: &[Report]) -> Option<Hover> {
    let told: Vec<String> = reports.iter().filter_map(|it| about_line(file, line, it)).collect();
    if told.is_empty() {
        return None;
    }
    let value = told.join("\n\n---\n\n");
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: None })
}

fn about_line(file: &Path, line: u32, report: &Report) -> Option<String> {
    let is_here = |name: &str| whole(Path::new(name)) == whole(file);
    let mut text = String::new();
    for place in &report.places {
        let is_asked = place.line == Some(line) && place.file.as_deref().is_some_and(is_here);
        if !is_asked {
            continue;
        }
        text += "**Every time this line is reached** (proved):\n";
        for (number, case) in place.cases.iter().enumerate() {
            if number > 0 {
                text += "\nor\n";
            }
            text += "\n";
            text.extend(case.sentences.iter().map(|sentence| format!("- {sentence}\n")));
        }
    }
    let fault = report.labels.first().filter(|_| report.verdict == Verdict::Violated);
    if let Some(label) = fault.filter(|label| label.line == line && is_here(&label.file)) {
        text += &format!("**{}**: {}\n", report.message, label.text);
    }
    if text.is_empty() {
        return None;
    }
    if let Some(uri) = report.page.as_deref().and_then(uri_of) {
        text += &format!("\n[Pictures of the heap]({})\n", uri.as_str());
    }
    Some(text)
}
