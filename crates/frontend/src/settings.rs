//! What to read and how: files, header folders, macros, the data model.

use std::path::{Path, PathBuf};
use std::process::Command;

use heapwright_program::{DataModel, SignedOverflow};

use crate::diagnostic::InputError;
use crate::entry::{Entry, External};

/// How C is read, for all files of a program.
#[derive(Clone, Debug)]
pub struct Settings {
    pub model: DataModel,
    /// The system's header folders.
    pub system_folders: Vec<PathBuf>,
    /// `--cc CMD`: preprocess `.c` files with this compiler instead of the built-in preprocessor.
    pub preprocess_with: Option<String>,
    pub world: World,
    /// Which C the files are written in; our own models are not.
    pub standard: Standard,
    /// A function to call in place of `main`.
    pub entry: Option<Entry>,
    /// What functions without a body do.
    pub external: External,
    pub functions: Functions,
    /// What becomes of executions in which signed arithmetic overflows.
    pub signed_overflow: SignedOverflow,
}

impl Settings {
    /// The built-in preprocessor with the system's own headers, and no models of the environment.
    #[must_use]
    pub fn new(model: DataModel) -> Settings {
        Settings {
            model,
            system_folders: system_folders(model),
            preprocess_with: None,
            world: World::Real,
            standard: Standard::default(),
            entry: None,
            external: External::Unknown,
            functions: Functions::All,
            signed_overflow: SignedOverflow::Wraps,
        }
    }
}

/// A version of C, with GNU's extensions. The default is new enough for `_Generic` and old enough for
/// `f()` to say nothing of its parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standard {
    C89,
    C99,
    C11,
    #[default]
    C17,
    C23,
}

impl Standard {
    /// The version that `-std=NAME` means: `c89`, `gnu89`, `ansi`, `c99`, …
    #[must_use]
    pub fn named(name: &str) -> Option<Standard> {
        let version = name.trim_start_matches("gnu").trim_start_matches('c');
        Some(match version {
            "89" | "90" | "ansi" => Standard::C89,
            "99" | "9x" => Standard::C99,
            "11" | "1x" => Standard::C11,
            "17" | "18" => Standard::C17,
            "23" | "2x" => Standard::C23,
            _ => return None,
        })
    }
}

/// Which of the functions that files define become part of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Functions {
    All,
    /// Those that `main` may lead to, and all where there is no `main`.
    Reached,
}

/// Who plays the world around the program: its arguments, streams, files and clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum World {
    /// The library of whoever runs the program.
    Real,
    /// Models that draw inputs of their own: every engine can read them.
    Modelled,
}

/// The preprocessor flags of one file, as a compiler takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `-I`: looked through first.
    pub include_folders: Vec<PathBuf>,
    /// `-D NAME` or `-D NAME=VALUE`.
    pub defines: Vec<String>,
    /// `-U NAME`.
    pub undefines: Vec<String>,
    /// `-include FILE`.
    pub preincludes: Vec<String>,
}

/// Where Linux systems keep C headers, those that exist here.
fn system_folders(model: DataModel) -> Vec<PathBuf> {
    // Debian keeps the headers of both data models in one folder for each architecture; a system
    // without 32-bit headers still has these, and they ask `__x86_64__` where it matters.
    let architecture = match model {
        DataModel::Ilp32 => ["/usr/include/i386-linux-gnu", "/usr/include/x86_64-linux-gnu"],
        DataModel::Lp64 => ["/usr/include/x86_64-linux-gnu", "/usr/include/i386-linux-gnu"],
    };
    ["/usr/local/include"]
        .into_iter()
        .chain(architecture)
        .chain(["/usr/include"])
        .map(PathBuf::from)
        .filter(|folder| folder.is_dir())
        .collect()
}

/// One file of the program, with its text.
#[derive(Clone, Debug)]
pub struct Source {
    pub name: String,
    pub text: Vec<u8>,
    /// `.i`: no macros are predefined and none are expected.
    pub is_preprocessed: bool,
    pub flags: Flags,
    pub(crate) is_model: bool,
    /// Whether its arithmetic is our own, and wraps where it overflows.
    pub(crate) is_trusted: bool,
}

impl Source {
    /// A source given as text; the name's ending says whether it is preprocessed already.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Source {
        let name = name.into();
        let is_preprocessed = Path::new(&name).extension().is_some_and(|ending| ending == "i");
        Source {
            name,
            text: text.into(),
            is_preprocessed,
            flags: Flags::default(),
            is_model: false,
            is_trusted: false,
        }
    }

    /// Reads a file; a `.c` file through the compiler's preprocessor where the settings say so.
    pub fn read(path: &Path, flags: Flags, settings: &Settings) -> Result<Source, InputError> {
        if path == Path::new("-") {
            return Source::read_standard_input(flags);
        }
        let name = path.display().to_string();
        let text = std::fs::read(path).map_err(|error| {
            InputError::new(format!("cannot read {name}: {error}; is the path right?"))
        })?;
        let source = Source { flags, ..Source::new(name, text) };
        match &settings.preprocess_with {
            Some(compiler) if !source.is_preprocessed => {
                preprocess(path, source, compiler, settings)
            }
            Some(_) | None => Ok(source),
        }
    }
}

impl Source {
    /// C that somebody writes to standard input.
    fn read_standard_input(flags: Flags) -> Result<Source, InputError> {
        use std::io::Read;
        let mut text = Vec::new();
        std::io::stdin()
            .read_to_end(&mut text)
            .map_err(|error| InputError::new(format!("cannot read standard input: {error}")))?;
        Ok(Source { flags, ..Source::new("<stdin>", text) })
    }
}

/// Runs `cc -E` in place of the built-in preprocessor.
fn preprocess(
    path: &Path,
    source: Source,
    compiler: &str,
    settings: &Settings,
) -> Result<Source, InputError> {
    let mut words = compiler.split_whitespace();
    let program = words.next().ok_or_else(|| InputError::new("--cc names no command"))?;
    let mut command = Command::new(program);
    command.args(words).arg("-E").arg(match settings.model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    });
    let flags = &source.flags;
    for folder in &flags.include_folders {
        command.arg("-I").arg(folder);
    }
    command.args(flags.defines.iter().map(|text| format!("-D{text}")));
    command.args(flags.undefines.iter().map(|text| format!("-U{text}")));
    for file in &flags.preincludes {
        command.arg("-include").arg(file);
    }
    let output = command.arg(path).output().map_err(|error| {
        InputError::new(format!("cannot run `{compiler}` (from --cc): {error}"))
    })?;
    if !output.status.success() {
        return Err(InputError::new(format!(
            "`{compiler} -E` failed on {}:\n{}",
            path.display(),
            String::from_utf8_lossy(&output.stderr).trim_end()
        )));
    }
    Ok(Source { text: output.stdout, is_preprocessed: true, ..source })
}
