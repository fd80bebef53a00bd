//! Which questions concern a file: those of the programs of the folder that have it, or the file alone.

use std::path::Path;

use crate::project::{Question, questions_about};

/// The file itself is a program, or a library where it has no `main`: functions get less time each.
pub(super) fn questions(file: &Path, seconds: u64) -> Vec<Question> {
    let timeout = |seconds: u64| format!("--timeout={seconds}s");
    let options = vec![timeout(seconds)];
    // A project that cannot be read says so where it is checked; here the file is looked at all the same.
    let of_project = questions_about(file, &options).unwrap_or_default();
    if !of_project.is_empty() {
        return of_project;
    }
    let name = file.display().to_string();
    let of_functions = format!("--timeout={}s", (seconds / 6).max(1));
    let alone = vec![name.clone(), timeout(seconds)];
    match crate::project::functions_without_main(file) {
        Some(functions) => functions
            .into_iter()
            .map(|function| Question {
                name: function.clone(),
                options: vec![name.clone(), of_functions.clone(), format!("--entry={function}")],
            })
            .collect(),
        None => vec![Question { name, options: alone }],
    }
}
