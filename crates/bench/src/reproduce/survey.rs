//! The programs of the survey: what their first lines say of them, and what an answer is worth.
//!
//! - `//@ survey: T01, SOURCE`: number, and where the program is described;
//! - `//@ truth: holds` or `violated PART`: what is so;
//! - `//@ expected: ENGINE, …`: engines whose families can prove it, as the texts say.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::BenchError;
use crate::reproduce::ask::{PARTS, Reply, Verdict};

/// The engines, each asked alone, in the order in which they work together.
pub(super) const ENGINES: [&str; 6] =
    ["concrete", "symbolic-heap", "three-valued", "template", "k-limited", "forest-automata"];

#[derive(Debug, Clone)]
pub(super) struct Program {
    pub(super) file: PathBuf,
    pub(super) name: String,
    /// Where it is described.
    pub(super) source: String,
    /// The part that some execution violates.
    pub(super) violated: Option<String>,
    pub(super) expected: Vec<String>,
}

/// What an answer is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Worth {
    Proved,
    Refuted,
    /// Letters of the parts that hold; may be none.
    Parts(String),
    /// It contradicts what is so.
    Wrong,
}

impl Program {
    pub(super) fn worth(&self, reply: &Reply) -> Worth {
        let claims = |part: &String| reply.held.contains(part) || reply.verdict == Verdict::Holds;
        if self.violated.as_ref().is_some_and(claims) {
            return Worth::Wrong;
        }
        match (&reply.verdict, &self.violated) {
            (Verdict::Violated, None) => Worth::Wrong,
            (Verdict::Violated, Some(_)) => Worth::Refuted,
            (Verdict::Holds, _) => Worth::Proved,
            // Each part holds up to a violation of another, so there is no first one.
            (Verdict::Open, _) if letters(&reply.held).len() == PARTS.len() => Worth::Proved,
            (Verdict::Open, _) => Worth::Parts(letters(&reply.held)),
        }
    }

    pub(super) fn is_expected_of(&self, engine: &str) -> bool {
        self.expected.iter().any(|name| name == engine)
    }
}

fn letters(held: &[String]) -> String {
    PARTS.iter().filter(|(part, _)| held.iter().any(|name| name == part)).map(|it| it.1).collect()
}

/// All programs of a folder, by name; files without the first lines are left out.
pub(super) fn programs(folder: &Path) -> Result<Vec<Program>, BenchError> {
    let failed = |source| BenchError::Read { path: folder.to_owned(), source };
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.map(|it| it.path())).collect::<Result<_, _>>().map_err(failed)?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "c"));
    files.sort();
    let read = |file: PathBuf| match fs::read_to_string(&file) {
        Ok(text) => Ok(program(file, &text)),
        Err(source) => Err(BenchError::Read { path: file, source }),
    };
    let programs: Result<Vec<Option<Program>>, BenchError> = files.into_iter().map(read).collect();
    Ok(programs?.into_iter().flatten().collect())
}

fn program(file: PathBuf, text: &str) -> Option<Program> {
    let header: Vec<(&str, &str)> =
        text.lines().map_while(|line| line.strip_prefix("//@ ")?.split_once(": ")).collect();
    let value = |key: &str| header.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
    let (_, source) = value("survey")?.split_once(", ")?;
    let words = value("expected").unwrap_or_default().split(", ").filter(|word| !word.is_empty());
    Some(Program {
        name: file.file_stem()?.to_string_lossy().into_owned(),
        source: source.to_owned(),
        violated: value("truth")?.strip_prefix("violated ").map(str::to_owned),
        expected: words.map(str::to_owned).collect(),
        file,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program_of(truth: &str) -> Program {
        let text = format!(
            "//@ survey: T01, a book, figure 2\n//@ truth: {truth}\n//@ expected: template, k-limited\n"
        );
        program("T01_a.c".into(), &text).unwrap()
    }

    fn reply(verdict: Verdict, held: &[&str]) -> Reply {
        let held = held.iter().map(|&part| part.to_owned()).collect();
        Reply { verdict, held, ..Reply::default() }
    }

    #[test]
    fn the_first_lines_say_what_is_so() {
        let program = program_of("violated valid-free");
        assert_eq!((program.name.as_str(), program.source.as_str()), ("T01_a", "a book, figure 2"));
        assert_eq!(program.violated.as_deref(), Some("valid-free"));
        assert!(program.is_expected_of("k-limited") && !program.is_expected_of("concrete"));
    }

    #[test]
    fn what_contradicts_the_truth_is_wrong() {
        let (correct, wrong) = (program_of("holds"), program_of("violated valid-free"));
        assert_eq!(correct.worth(&reply(Verdict::Violated, &[])), Worth::Wrong);
        assert_eq!(wrong.worth(&reply(Verdict::Holds, &[])), Worth::Wrong);
        assert_eq!(wrong.worth(&reply(Verdict::Open, &["valid-free"])), Worth::Wrong);
    }

    #[test]
    fn parts_that_hold_are_told_by_letters() {
        let wrong = program_of("violated valid-free");
        let parts = |held: &[&str]| wrong.worth(&reply(Verdict::Open, held));
        assert_eq!(parts(&["valid-memtrack", "valid-deref"]), Worth::Parts("dm".to_owned()));
        assert_eq!(parts(&[]), Worth::Parts(String::new()));
    }
}
