//! Finding task definitions: in a folder and all below it, as a single file, or through a set.
//! The order never depends on the file system, so two benches plan the same runs.

use crate::error::BenchError;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Task files that the sources lead to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Collection {
    /// Files that somebody named: each has to be a task definition.
    pub(crate) named: BTreeSet<PathBuf>,
    /// Files found while walking through folders: other YAML may be among them.
    pub(crate) found: BTreeSet<PathBuf>,
    /// Patterns of sets that match nothing, as text for the report.
    pub(crate) empty_patterns: Vec<String>,
}

/// Collects the task files of all sources, each once.
pub(crate) fn collect(sources: &[PathBuf]) -> Result<Collection, BenchError> {
    let mut collection = Collection::default();
    for source in sources {
        // Absolute paths, so that the same task reached in two ways is recognised, and so that
        // `.` has a folder name.
        let source = source
            .canonicalize()
            .map_err(|error| BenchError::Read { path: source.clone(), source: error })?;
        if source.is_dir() {
            walk(&source, &mut collection.found)?;
        } else if has_extension(&source, "set") {
            read_set(&source, &mut collection)?;
        } else if has_extension(&source, "yml") || has_extension(&source, "yaml") {
            collection.named.insert(source);
        } else {
            let problem = "is neither a folder, nor a .yml task definition, nor a .set file";
            return Err(BenchError::Settings(format!("{} {problem}", source.display())));
        }
    }
    Ok(collection)
}

/// All files that match a pattern, sorted; the pattern is relative to `base`.
pub(crate) fn expand_pattern(base: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    // Only the pattern itself may contain wildcards, not the folder it is relative to.
    let base = glob::Pattern::escape(&base.to_string_lossy());
    let pattern = if Path::new(pattern).is_absolute() {
        pattern.to_owned()
    } else {
        format!("{base}/{pattern}")
    };
    let paths = glob::glob(&pattern).map_err(|error| format!("bad pattern: {error}"))?;
    let mut matches: Vec<PathBuf> = paths.filter_map(Result::ok).collect();
    matches.sort();
    Ok(matches)
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

fn walk(folder: &Path, found: &mut BTreeSet<PathBuf>) -> Result<(), BenchError> {
    let unreadable = |source| BenchError::Read { path: folder.to_owned(), source };
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        // Links to folders are not followed: they could lead round in a circle.
        if entry.file_type().map_err(unreadable)?.is_dir() {
            walk(&path, found)?;
        } else if has_extension(&path, "yml") {
            found.insert(path);
        }
    }
    Ok(())
}

fn read_set(set: &Path, collection: &mut Collection) -> Result<(), BenchError> {
    let content = std::fs::read_to_string(set)
        .map_err(|source| BenchError::Read { path: set.to_owned(), source })?;
    let base = set.parent().unwrap_or(Path::new("."));
    for (index, line) in content.lines().enumerate() {
        let pattern = line.split('#').next().unwrap_or_default().trim();
        if pattern.is_empty() {
            continue;
        }
        let wrong = |problem| BenchError::Set { path: set.to_owned(), line: index + 1, problem };
        let matches = expand_pattern(base, pattern).map_err(wrong)?;
        if matches.is_empty() {
            collection.empty_patterns.push(format!("{}: {pattern}", set.display()));
        }
        for path in matches {
            if !has_extension(&path, "yml") {
                let problem = format!("{} is no .yml task definition", path.display());
                return Err(wrong(problem));
            }
            let path = path
                .canonicalize()
                .map_err(|source| BenchError::Read { path: path.clone(), source })?;
            collection.named.insert(path);
        }
    }
    Ok(())
}

/// Short names for the folders of tasks: the last component, or as many of the last
/// components as it takes to tell two folders apart.
pub(crate) fn folder_names(folders: &BTreeSet<PathBuf>) -> BTreeMap<PathBuf, String> {
    let components = |folder: &Path| folder.components().count();
    let is_unique = |name: &str, length| {
        folders.iter().filter(|folder| last_components(folder, length) == name).count() == 1
    };
    let shortest = |folder: &PathBuf| {
        let full = components(folder).max(1);
        let unique = (1..full)
            .map(|length| (last_components(folder, length), length))
            .find(|(name, length)| is_unique(name, *length));
        unique.map_or_else(|| last_components(folder, full), |(name, _)| name)
    };
    folders.iter().map(|folder| (folder.clone(), shortest(folder))).collect()
}

fn last_components(folder: &Path, length: usize) -> String {
    let all: Vec<_> = folder.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    all[all.len().saturating_sub(length)..].join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        folder
    }

    fn names(paths: &BTreeSet<PathBuf>) -> Vec<String> {
        paths.iter().map(|path| last_components(path, 1)).collect()
    }

    #[test]
    fn walks_folders_and_takes_each_task_once() {
        let tree = tree(&[("a/x.yml", ""), ("a/b/y.yml", ""), ("a/z.c", "")]);
        let collection = collect(&[tree.path().to_owned(), tree.path().join("a")]).unwrap();
        assert_eq!(names(&collection.found), ["y.yml", "x.yml"]);
    }

    #[test]
    fn a_set_expands_patterns_relative_to_itself() {
        let set = "# lists\nlist/*.yml  # all\n\nnone/*.yml\n";
        let tree = tree(&[("c/list/x.yml", ""), ("c/list/y.yml", ""), ("c/all.set", set)]);
        let collection = collect(&[tree.path().join("c/all.set")]).unwrap();
        assert_eq!(names(&collection.named), ["x.yml", "y.yml"]);
        assert_eq!(collection.empty_patterns.len(), 1);
    }

    #[test]
    fn a_set_that_names_programs_is_refused_with_its_line() {
        let tree = tree(&[("x.c", ""), ("old.set", "\n*.c\n")]);
        let error = collect(&[tree.path().join("old.set")]).unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
    }

    #[test]
    fn unknown_sources_are_refused() {
        let tree = tree(&[("x.c", "")]);
        let error = collect(&[tree.path().join("x.c")]).unwrap_err();
        assert!(error.to_string().contains("neither a folder"), "{error}");
        let error = collect(&[tree.path().join("missing")]).unwrap_err();
        assert!(error.to_string().contains("cannot read"), "{error}");
    }

    #[test]
    fn folders_of_the_same_name_get_longer_names() {
        let folders: BTreeSet<PathBuf> =
            ["/c/list", "/java/list", "/c/loops"].iter().map(PathBuf::from).collect();
        let names: Vec<String> = folder_names(&folders).into_values().collect();
        assert_eq!(names, ["c/list", "loops", "java/list"]);
    }
}
