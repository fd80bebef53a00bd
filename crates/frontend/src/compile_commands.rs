//! `compile_commands.json`: which files a build compiles, and with which preprocessor flags.

use std::path::{Path, PathBuf};

use heapwright_program::DataModel;
use serde::Deserialize;

use crate::diagnostic::InputError;
use crate::settings::Flags;

/// One file of a compilation database, its paths resolved against the entry's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileCommand {
    pub file: PathBuf,
    pub flags: Flags,
    /// `-m32` or `-m64`, where the command says.
    pub model: Option<DataModel>,
}

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// Reads a compilation database.
pub fn read_compile_commands(path: &Path) -> Result<Vec<CompileCommand>, InputError> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| InputError::new(format!("cannot read {name}: {error}")))?;
    let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|error| {
        InputError::new(format!("{name} is not a compilation database: {error}"))
    })?;
    entries.into_iter().map(|entry| interpret(entry, path)).collect()
}

fn interpret(entry: Entry, database: &Path) -> Result<CompileCommand, InputError> {
    let words = match (entry.arguments, entry.command) {
        (Some(words), _) => words,
        (None, Some(command)) => split_command(&command),
        (None, None) => {
            return Err(InputError::new(format!(
                "{}: the entry for {} has neither `command` nor `arguments`",
                database.display(),
                entry.file.display()
            )));
        }
    };
    let (flags, model) = read_flags(&words, &entry.directory);
    Ok(CompileCommand { file: entry.directory.join(entry.file), flags, model })
}

/// Picks the preprocessor flags out of a compiler's command line; everything else is dropped.
fn read_flags(words: &[String], directory: &Path) -> (Flags, Option<DataModel>) {
    let mut flags = Flags::default();
    let mut model = None;
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let mut value = |prefix: &str| -> Option<String> {
            let rest = word.strip_prefix(prefix)?;
            if rest.is_empty() { words.next().cloned() } else { Some(rest.to_owned()) }
        };
        match word.as_str() {
            "-m32" => model = Some(DataModel::Ilp32),
            "-m64" => model = Some(DataModel::Lp64),
            // `-include` before `-I`: one is a prefix of the other's letter.
            _ if word.starts_with("-include") => flags.preincludes.extend(value("-include")),
            _ if word.starts_with("-isystem") => {
                flags
                    .include_folders
                    .extend(value("-isystem").map(|folder| directory.join(folder)));
            }
            _ if word.starts_with("-iquote") => {
                flags.include_folders.extend(value("-iquote").map(|folder| directory.join(folder)));
            }
            _ if word.starts_with("-I") => {
                flags.include_folders.extend(value("-I").map(|folder| directory.join(folder)));
            }
            _ if word.starts_with("-D") => flags.defines.extend(value("-D")),
            _ if word.starts_with("-U") => flags.undefines.extend(value("-U")),
            _ => {}
        }
    }
    (flags, model)
}

/// Splits a command as a POSIX shell would: quotes and backslashes, nothing else.
fn split_command(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                word.get_or_insert_default().extend(characters.next());
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            (_, _) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_split_like_a_shell_would() {
        let words = split_command(r#"cc -DNAME=\"x\" '-D A=1' "-I a b" c.c"#);
        assert_eq!(words, ["cc", "-DNAME=\"x\"", "-D A=1", "-I a b", "c.c"]);
    }

    #[test]
    fn preprocessor_flags_are_kept_and_the_rest_is_dropped() {
        let words: Vec<String> =
            ["cc", "-O2", "-Iinclude", "-D", "X=1", "-UY", "-include", "config.h", "-m32", "a.c"]
                .map(str::to_owned)
                .to_vec();
        let (flags, model) = read_flags(&words, Path::new("/project"));
        assert_eq!(flags.include_folders, [PathBuf::from("/project/include")]);
        assert_eq!(flags.defines, ["X=1"]);
        assert_eq!(flags.undefines, ["Y"]);
        assert_eq!(flags.preincludes, ["config.h"]);
        assert_eq!(model, Some(DataModel::Ilp32));
    }
}
