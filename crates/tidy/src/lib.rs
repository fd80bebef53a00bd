//! Tidy: rules about the source itself, which no compiler checks. They run as tests.
//!
//! - [`rooms`]: the rooms of an engine use only those before them;
//! - [`shape`]: files and functions stay short, and own enums are matched in full.
//!
//! The source is read line by line and never parsed: rustfmt has put every item where these rules
//! look for it. What breaks a rule and is not mended yet stands in `allowed.txt`, which may only
//! shrink: an entry that is not needed any more fails the test as well.

pub mod rooms;
pub mod shape;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A source file: its path from the workspace on, with `/`, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub path: String,
    pub text: String,
}

impl Source {
    /// The lines before the tests, which come last in a file.
    pub fn product_lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines().take_while(|line| !is_tests(line))
    }

    /// The crate, by its folder.
    pub fn crate_name(&self) -> &str {
        self.path.split('/').nth(1).unwrap_or_default()
    }

    /// The path within the crate's `src`.
    pub fn within(&self) -> &str {
        self.path.split_once("/src/").map_or("", |(_, within)| within)
    }
}

fn is_tests(line: &str) -> bool {
    line.starts_with("mod tests")
}

/// How often each rule is broken, by rule and place: `rule place`.
pub type Findings = BTreeMap<String, usize>;

/// All Rust files in the `src` folders of all crates.
pub fn sources(workspace: &Path) -> io::Result<Vec<Source>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(workspace.join("crates"))? {
        let folder = entry?.path().join("src");
        if folder.is_dir() {
            collect(&folder, &mut files)?;
        }
    }
    files.sort();
    files.into_iter().map(|file| read(workspace, &file)).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

fn read(workspace: &Path, file: &Path) -> io::Result<Source> {
    let path = file.strip_prefix(workspace).unwrap_or(file);
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    Ok(Source { path: parts.join("/"), text: fs::read_to_string(file)? })
}

/// What is allowed for now: `rule place count`, one a line; `#` begins a remark.
///
/// # Errors
/// With the first line that says something else.
pub fn allowed(text: &str) -> Result<Findings, String> {
    let mut allowed = Findings::new();
    for line in text.lines().map(|line| line.split('#').next().unwrap_or("").trim()) {
        if line.is_empty() {
            continue;
        }
        let (what, count) = line.rsplit_once(' ').ok_or_else(|| line.to_owned())?;
        let count = count.parse().map_err(|_| line.to_owned())?;
        allowed.insert(what.to_owned(), count);
    }
    Ok(allowed)
}

/// Where findings differ from what is allowed, in sentences.
pub fn differences(found: &Findings, allowed: &Findings) -> Vec<String> {
    let mut problems = Vec::new();
    for (what, &count) in found {
        let most = allowed.get(what).copied().unwrap_or(0);
        if count > most {
            problems.push(format!("{what}: {count}, allowed are {most}"));
        }
    }
    let mended = allowed.keys().filter(|what| !found.contains_key(*what));
    problems.extend(mended.map(|what| format!("{what}: mended, so it must not be listed")));
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(entries: &[(&str, usize)]) -> Findings {
        entries.iter().map(|(what, count)| ((*what).to_owned(), *count)).collect()
    }

    #[test]
    fn what_is_not_allowed_is_a_difference() {
        let found = findings(&[("long-file a.rs", 500)]);
        assert_eq!(differences(&found, &Findings::new()).len(), 1);
        assert_eq!(differences(&found, &found), Vec::<String>::new());
    }

    #[test]
    fn the_list_shrinks_with_the_code() {
        let allowed = findings(&[("long-file a.rs", 500), ("long-file b.rs", 460)]);
        let found = findings(&[("long-file a.rs", 480)]);
        assert_eq!(differences(&found, &allowed).len(), 1);
    }

    #[test]
    fn the_list_is_read() {
        let text = "# remark\nrooms engine: heap uses proof 2 # why\n\n";
        assert_eq!(allowed(text), Ok(findings(&[("rooms engine: heap uses proof", 2)])));
        assert!(allowed("no number").is_err());
    }
}
