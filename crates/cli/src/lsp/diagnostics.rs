//! Reports as diagnostics: a violation is an error with related places, what is not decided a note.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range,
};

use super::place::{range, uri_of};
use super::told::{Label, Report, Verdict};

/// The diagnostics of all files that the reports of a file are about; the file itself is among them.
pub(super) fn diagnostics(file: &Path, reports: &[Report]) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
    let mut found: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
    found.entry(whole(file)).or_default();
    for report in reports {
        let (place, diagnostic) = match report.verdict {
            Verdict::Holds => continue,
            Verdict::Violated => violation(file, report),
            Verdict::Unknown => open(file, report),
            Verdict::InputError => unreadable(file, report),
        };
        let known = found.entry(place).or_default();
        // Several functions may come upon the same mistake.
        if !known.contains(&diagnostic) {
            known.push(diagnostic);
        }
    }
    found
}

fn violation(file: &Path, report: &Report) -> (PathBuf, Diagnostic) {
    let mut labels = report.labels.iter();
    let first = labels.next();
    let (place, range) = first.map_or_else(|| start_of(file), at_label);
    let related = labels.filter_map(|label| {
        let (place, range) = at_label(label);
        let location = Location { uri: uri_of(&place)?, range };
        Some(DiagnosticRelatedInformation { location, message: label.text.clone() })
    });
    let related: Vec<DiagnosticRelatedInformation> = related.collect();
    let mut message = report.message.clone();
    if let Some(label) = first {
        message += &format!(": {}", label.text);
    }
    if let Some(function) = &report.function {
        message += &format!("\ncalled as `{function}` with any arguments of its types");
    }
    if let Some(hint) = &report.hint {
        message += &format!("\nhelp: {hint}");
    }
    let code = report.code.clone().map(NumberOrString::String);
    let severity = Some(DiagnosticSeverity::ERROR);
    let related_information = Some(related);
    (place, Diagnostic { code, severity, related_information, ..diagnostic(range, message) })
}

fn open(file: &Path, report: &Report) -> (PathBuf, Diagnostic) {
    let reason = report.reasons.iter().find(|reason| reason.place.is_some());
    let place = reason.and_then(|reason| reason.place.as_ref());
    let (place, range) = place.map_or_else(
        || start_of(file),
        |place| {
            let path = whole(Path::new(&place.file));
            let text = std::fs::read_to_string(&path).ok();
            let range = range(text.as_deref(), place.line, place.column, 0);
            (path, range)
        },
    );
    let about = report.function.as_ref().map(|it| format!(" of `{it}`")).unwrap_or_default();
    let why = report.reasons.first().map_or(report.message.as_str(), |reason| &reason.text);
    let severity = Some(DiagnosticSeverity::INFORMATION);
    let message = format!("no answer{about}: {why}");
    (place, Diagnostic { severity, ..diagnostic(range, message) })
}

/// `list.c:3:5: …`, as compilers tell their errors.
fn unreadable(file: &Path, report: &Report) -> (PathBuf, Diagnostic) {
    let mut parts = report.message.splitn(4, ':');
    let told = (parts.next(), parts.next(), parts.next(), parts.next());
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let severity = Some(DiagnosticSeverity::ERROR);
    if let (Some(name), Some(line), Some(column), Some(rest)) = told
        && let (Some(line), Some(column)) = (number(line), number(column))
    {
        let path = whole(Path::new(name));
        let text = std::fs::read_to_string(&path).ok();
        let range = range(text.as_deref(), line, column, 0);
        let message = rest.trim().to_owned();
        return (path, Diagnostic { severity, ..diagnostic(range, message) });
    }
    let (place, range) = start_of(file);
    (place, Diagnostic { severity, ..diagnostic(range, report.message.clone()) })
}

fn diagnostic(range: Range, message: String) -> Diagnostic {
    Diagnostic { range, message, source: Some("heapwright".to_owned()), ..Diagnostic::default() }
}

fn at_label(label: &Label) -> (PathBuf, Range) {
    let path = whole(Path::new(&label.file));
    let text = std::fs::read_to_string(&path).ok();
    let range = range(text.as_deref(), label.line, label.column, label.end_column);
    (path, range)
}

fn start_of(file: &Path) -> (PathBuf, Range) {
    (whole(file), Range::default())
}

/// One name for each file.
pub(super) fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
