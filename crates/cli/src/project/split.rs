//! From a compilation database, which says nothing about linking, to programs: each file with `main`, and
//! the files that define what it and they need.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::Parser;
use heapwright_engine::Deadline;
use heapwright_frontend::{InputError, Symbols};

use super::find::{Found, Functions, Target};
use crate::arguments::{Arguments, Command};
use crate::guard::{Ended, Guard};
use crate::memory::MemoryLimit;
use crate::sources::SourceArguments;

/// A file with its external names.
#[derive(Clone, Debug)]
struct Unit {
    file: PathBuf,
    symbols: Symbols,
}

/// The programs of a database. Without any `main` it is a library, and each of its functions is asked about.
pub(super) fn programs_of_database(
    database: &Path,
    options: &[String],
) -> Result<Found, InputError> {
    let taken_from = format!("--compile-commands={}", database.display());
    let sources = sources([std::slice::from_ref(&taken_from), options].concat())?;
    let mut found = Found::default();
    let mut units: Vec<Unit> = Vec::new();
    for (file, symbols) in supervised(move || sources.symbols_each())?? {
        let is_known = units.iter().any(|unit| unit.file == file);
        match symbols {
            Ok(symbols) if !is_known => units.push(Unit { file, symbols }),
            Ok(_) => {}
            Err(error) => {
                let file = file.display();
                found.messages +=
                    &format!("{file} cannot be read and is left out of all programs: {error}\n");
            }
        }
    }
    let (programs, messages) = programs(&units);
    found.messages += &messages;
    let target = |(name, files, functions): (String, Vec<PathBuf>, Functions)| {
        let mut options: Vec<String> = files.iter().map(|it| it.display().to_string()).collect();
        options.push(taken_from.clone());
        Target { name, options, functions }
    };
    found.targets = programs.into_iter().map(target).collect();
    if found.targets.is_empty() {
        let text = format!("{}no file of {} can be read", found.messages, database.display());
        return Err(InputError::new(text));
    }
    Ok(found)
}

/// How `check` would read files with these options.
pub(super) fn sources(options: Vec<String>) -> Result<SourceArguments, InputError> {
    let words = ["heapwright", "check"].into_iter().map(str::to_owned).chain(options);
    let arguments = Arguments::try_parse_from(words).map_err(|error| {
        let text = error.render().to_string();
        let line = text.lines().next().unwrap_or_default();
        InputError::new(format!("an option of `check`: {}", line.trim_start_matches("error: ")))
    })?;
    match arguments.command {
        Some(Command::Check(check)) => Ok(check.sources),
        _ => unreachable!("the command is given"),
    }
}

/// Runs the front end; a panic in it is an error with a message.
pub(super) fn supervised<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, InputError> {
    match Guard::install().supervise((&Deadline::never(), &MemoryLimit::none()), work) {
        Ended::Done(result) => Ok(result),
        Ended::Failed(bug) => Err(InputError::new(bug.notice())),
        Ended::GivenUp => unreachable!("there is no limit"),
    }
}

type NamedFiles = (String, Vec<PathBuf>, Functions);

fn programs(units: &[Unit]) -> (Vec<NamedFiles>, String) {
    let mut messages = String::new();
    let mut definitions: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, unit) in units.iter().enumerate() {
        for name in &unit.symbols.defined {
            definitions.entry(name).or_default().push(index);
        }
    }
    let mains = definitions.get("main").cloned().unwrap_or_default();
    if mains.is_empty() && !units.is_empty() {
        let files = units.iter().map(|unit| unit.file.clone()).collect();
        return (vec![("library".to_owned(), files, Functions::All)], messages);
    }
    let mut programs: Vec<NamedFiles> = Vec::new();
    for main in mains {
        let (members, doubts) = linked(main, units, &definitions);
        messages += &doubts;
        let name = name_of(&units[main].file, &programs);
        let files = members.into_iter().map(|index| units[index].file.clone()).collect();
        programs.push((name, files, Functions::Main));
    }
    (programs, messages)
}

/// The file with `main` and those that are needed, in the order of the database behind it.
fn linked(
    main: usize,
    units: &[Unit],
    definitions: &BTreeMap<&str, Vec<usize>>,
) -> (Vec<usize>, String) {
    let mut members = BTreeSet::from([main]);
    let mut waiting = vec![main];
    let mut doubts = String::new();
    while let Some(index) = waiting.pop() {
        for name in &units[index].symbols.needed {
            let defined = definitions.get(name.as_str()).map_or(&[][..], Vec::as_slice);
            if defined.iter().any(|definition| members.contains(definition)) {
                continue;
            }
            // Files with a `main` of their own belong to other programs.
            let mut fitting: Vec<usize> = defined.to_vec();
            fitting.retain(|&it| !units[it].symbols.defined.contains("main"));
            fitting.sort_by_key(|&it| units[it].file.parent() != units[main].file.parent());
            let Some(&taken) = fitting.first() else { continue };
            if fitting.len() > 1 {
                doubts += &format!(
                    "`{name}` is defined in {} files; {} takes {}\n",
                    fitting.len(),
                    units[main].file.display(),
                    units[taken].file.display()
                );
            }
            members.insert(taken);
            waiting.push(taken);
        }
    }
    members.remove(&main);
    ([main].into_iter().chain(members).collect(), doubts)
}

/// The name of the file, with its folders where that is taken.
fn name_of(file: &Path, programs: &[NamedFiles]) -> String {
    let whole = file.with_extension("");
    let stem = whole.file_name().map(|name| name.to_string_lossy().into_owned());
    let is_free = |name: &String| programs.iter().all(|(taken, ..)| taken != name);
    stem.filter(is_free).unwrap_or_else(|| whole.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `name: file file` for each program of files that define and need names.
    fn split(files: &[(&str, &str, &str)]) -> (Vec<String>, String) {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let unit = |(file, defined, needed): &(&str, &str, &str)| Unit {
            file: PathBuf::from(file),
            symbols: Symbols { defined: words(defined), needed: words(needed) },
        };
        let units: Vec<Unit> = files.iter().map(unit).collect();
        let (programs, messages) = programs(&units);
        let told = |(name, files, functions): &NamedFiles| {
            let files: Vec<String> = files.iter().map(|it| it.display().to_string()).collect();
            let entries = if *functions == Functions::All { " (all)" } else { "" };
            format!("{name}: {}{entries}", files.join(" "))
        };
        (programs.iter().map(told).collect(), messages)
    }

    #[test]
    fn a_program_has_what_it_needs_and_no_more() {
        let files = [
            ("a.c", "main", "push puts"),
            ("list.c", "push pop", "grow"),
            ("grow.c", "grow", "malloc"),
            ("b.c", "main helper", "pop"),
            ("unused.c", "other", ""),
        ];
        let expected = ["a: a.c list.c grow.c", "b: b.c list.c grow.c"];
        assert_eq!(split(&files), (expected.map(str::to_owned).to_vec(), String::new()));
    }

    #[test]
    fn a_neighbour_is_preferred_and_told() {
        let files =
            [("x/a.c", "main", "f"), ("y/f.c", "f", ""), ("x/f.c", "f", ""), ("y/a.c", "main", "")];
        let (programs, messages) = split(&files);
        assert_eq!(programs, ["a: x/a.c x/f.c", "y/a: y/a.c"]);
        assert_eq!(messages, "`f` is defined in 2 files; x/a.c takes x/f.c\n");
    }

    #[test]
    fn without_main_it_is_a_library() {
        let (programs, _) = split(&[("a.c", "push", ""), ("b.c", "pop", "push")]);
        assert_eq!(programs, ["library: a.c b.c (all)"]);
    }
}
