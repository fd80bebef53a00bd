//! From the commands of a build to the programs that it links: objects to sources, archives to objects.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::shim::Call;

/// A program that a build links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Program {
    /// Of the executable, without its folder.
    pub(super) name: String,
    pub(super) units: Vec<Unit>,
}

/// A source file with the command that compiles it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Unit {
    pub(super) directory: PathBuf,
    pub(super) file: PathBuf,
    pub(super) arguments: Vec<String>,
}

/// What a command line of a compiler says.
#[derive(Default)]
struct Line {
    /// Sources, objects and archives, in order.
    inputs: Vec<String>,
    /// Names of libraries.
    libraries: Vec<String>,
    output: Option<String>,
    goal: Goal,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Goal {
    #[default]
    Program,
    Object,
    /// A shared library, preprocessed text, dependencies: nothing that can be checked on its own.
    Other,
}

/// The programs, in the order of linking; one that is linked twice as it was linked last.
pub(super) fn programs(calls: &[Call]) -> Vec<Program> {
    let mut built: BTreeMap<PathBuf, Vec<Unit>> = BTreeMap::new();
    let mut programs: Vec<Program> = Vec::new();
    for call in calls {
        let Some((tool, words)) = call.arguments.split_first() else { continue };
        if tool.ends_with("ar") {
            archive(call, words, &mut built);
            continue;
        }
        let line = read(words);
        match line.goal {
            Goal::Other => {}
            Goal::Object => {
                for input in line.inputs.iter().filter(|input| is_source(input)) {
                    let stem = Path::new(input).with_extension("o");
                    let usual = stem.file_name().map(PathBuf::from).unwrap_or_default();
                    let output = line.output.as_ref().map_or(usual, PathBuf::from);
                    built.insert(resolved(call, &output), vec![unit(call, input)]);
                }
            }
            Goal::Program => {
                let units = units(call, &line, &built);
                let output = line.output.as_deref().unwrap_or("a.out");
                let name =
                    Path::new(output).file_name().map(|it| it.to_string_lossy().into_owned());
                if let (Some(name), false) = (name, units.is_empty()) {
                    programs.retain(|program| program.name != name);
                    programs.push(Program { name, units });
                }
            }
        }
    }
    programs
}

fn read(words: &[String]) -> Line {
    let mut line = Line::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-o" => line.output = words.next().cloned(),
            "-c" => line.goal = Goal::Object,
            "-shared" | "-E" | "-S" | "-M" | "-MM" | "-fsyntax-only" | "-r" => {
                line.goal = Goal::Other;
                break;
            }
            // Words that are followed by one of their own.
            "-I" | "-D" | "-U" | "-L" | "-include" | "-isystem" | "-iquote" | "-MF" | "-MT"
            | "-MQ" | "-x" | "-Xlinker" => drop(words.next()),
            "-l" => line.libraries.extend(words.next().cloned()),
            word => match (word.strip_prefix("-o"), word.strip_prefix("-l")) {
                (Some(output), _) => line.output = Some(output.to_owned()),
                (None, Some(library)) => line.libraries.push(library.to_owned()),
                (None, None) if word.starts_with('-') => {}
                (None, None) => line.inputs.push(word.to_owned()),
            },
        }
    }
    line
}

/// The sources of a program; each once.
fn units(call: &Call, line: &Line, built: &BTreeMap<PathBuf, Vec<Unit>>) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut add = |unit: Unit| {
        if !units.iter().any(|known| resolved_file(known) == resolved_file(&unit)) {
            units.push(unit);
        }
    };
    for input in &line.inputs {
        if is_source(input) {
            add(unit(call, input));
        }
        built
            .get(&resolved(call, Path::new(input)))
            .into_iter()
            .flatten()
            .cloned()
            .for_each(&mut add);
    }
    for library in &line.libraries {
        let name = format!("lib{library}.a");
        let archive =
            built.iter().find(|(path, _)| path.file_name().is_some_and(|it| *it == *name));
        archive.into_iter().flat_map(|(_, units)| units).cloned().for_each(&mut add);
    }
    units
}

/// `ar rcs libx.a a.o b.o`
fn archive(call: &Call, words: &[String], built: &mut BTreeMap<PathBuf, Vec<Unit>>) {
    let mut files = words.iter().skip(1).filter(|word| !word.starts_with('-'));
    let Some(archive) = files.next() else { return };
    let members: Vec<Unit> = files
        .filter_map(|file| built.get(&resolved(call, Path::new(file))))
        .flatten()
        .cloned()
        .collect();
    let known = built.entry(resolved(call, Path::new(archive))).or_default();
    for member in members {
        known.retain(|unit| resolved_file(unit) != resolved_file(&member));
        known.push(member);
    }
}

fn is_source(name: &str) -> bool {
    name.ends_with(".c") || name.ends_with(".i")
}

fn unit(call: &Call, file: &str) -> Unit {
    Unit {
        directory: call.directory.clone(),
        file: PathBuf::from(file),
        arguments: call.arguments.clone(),
    }
}

fn resolved_file(unit: &Unit) -> PathBuf {
    plain(&unit.directory.join(&unit.file))
}

fn resolved(call: &Call, path: &Path) -> PathBuf {
    plain(&call.directory.join(path))
}

/// Without `.` and `..`, as far as names alone tell.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `name: file file` for each program that these commands link.
    fn linked(commands: &[&str]) -> Vec<String> {
        let call = |command: &&str| Call {
            directory: PathBuf::from("/p"),
            arguments: command.split(' ').map(str::to_owned).collect(),
        };
        let calls: Vec<Call> = commands.iter().map(call).collect();
        let told = |program: &Program| {
            let files = program.units.iter().map(|unit| unit.file.display().to_string());
            format!("{}: {}", program.name, files.collect::<Vec<_>>().join(" "))
        };
        programs(&calls).iter().map(told).collect()
    }

    #[test]
    fn objects_lead_to_their_sources() {
        let commands =
            ["cc -c a.c", "gcc -O2 -c -o out/b.o src/b.c", "cc -o app a.o ./out/b.o -lm"];
        assert_eq!(linked(&commands), ["app: a.c src/b.c"]);
    }

    #[test]
    fn archives_lead_to_their_objects() {
        let commands = [
            "cc -c list.c -o list.o",
            "ar rcs lib/liblist.a list.o",
            "cc main.c -Llib -llist -o one",
            "cc other.c lib/liblist.a",
        ];
        assert_eq!(linked(&commands), ["one: main.c list.c", "a.out: other.c list.c"]);
    }

    #[test]
    fn what_is_no_program_is_left_out() {
        let commands =
            ["cc -E a.c -o a.i", "cc -shared a.c -o liba.so", "cc -MM a.c", "cc -o x x.o"];
        assert_eq!(linked(&commands), [""; 0]);
    }
}
