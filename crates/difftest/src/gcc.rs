//! gcc as the reference: compiling a program in one of a few ways, and running it.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::observation::{Ending, Observation};
use crate::process::{Finished, Scratch};
use crate::sanitizer::{self, Report};
use heapwright_generators::program::DataModel;

/// The name under which every program is compiled; reports are searched for it.
pub const SOURCE_NAME: &str = "program.c";
const UNBUFFERED_NAME: &str = "unbuffered.h";

/// Put into sanitized builds only: a program that faults would lose its buffered output.
const UNBUFFERED_SOURCE: &str = "#include <stdio.h>\n\
    __attribute__((constructor)) static void unbuffered(void) { setvbuf(stdout, 0, _IONBF, 0); }\n";

/// How to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// `-O0`, no checks.
    Plain,
    /// `-O2`: a program that depends on undefined behaviour often answers differently.
    Optimised,
    /// Address, leak and undefined-behaviour sanitizers.
    Sanitized,
    /// Sanitized, and refused when gcc sees an uninitialised variable or a missing declaration.
    Strict,
}

impl Build {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Build::Plain => &["-w", "-O0"],
            Build::Optimised => &["-w", "-O2"],
            Build::Sanitized => &[
                "-w",
                "-O0",
                "-g",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all",
                "-fno-omit-frame-pointer",
            ],
            Build::Strict => &[
                "-Wall",
                "-Werror=implicit",
                "-Werror=return-type",
                "-Werror=uninitialized",
                "-Werror=int-conversion",
                "-Werror=incompatible-pointer-types",
                "-O0",
                "-g",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all",
                "-fno-omit-frame-pointer",
            ],
        }
    }

    fn is_sanitized(self) -> bool {
        matches!(self, Build::Sanitized | Build::Strict)
    }
}

/// A gcc that was seen to compile and run programs for its data model.
#[derive(Clone, Debug)]
pub struct Gcc {
    data_model: DataModel,
    pub compile_limit: Duration,
    pub run_limit: Duration,
}

impl Gcc {
    /// Tries gcc on a small program; `Err` says why it cannot be used.
    pub fn detect(data_model: DataModel, scratch: &Scratch) -> Result<Gcc, String> {
        let limit = Duration::from_secs(60);
        let gcc = Gcc { data_model, compile_limit: limit, run_limit: Duration::from_secs(10) };
        let probe = "#include <stdlib.h>\nint main(void) { free(malloc(1)); return 0; }\n";
        let observation = gcc.observe(probe, Build::Sanitized, scratch).map_err(|problem| {
            let model = data_model.name();
            format!("gcc cannot build for {model} with sanitizers: {problem}")
        })?;
        match observation.ending {
            Ending::Exit(0) => Ok(gcc),
            ending => Err(format!("a sanitized program ended with {ending:?}")),
        }
    }

    /// Compiles and runs `source`.
    pub fn observe(
        &self,
        source: &str,
        build: Build,
        scratch: &Scratch,
    ) -> Result<Observation, CompileProblem> {
        let executable = self.compile(source, build, scratch)?;
        Ok(self.run(&executable, build, scratch)?)
    }

    /// Compiles `source` under the name [`SOURCE_NAME`] in `scratch`.
    pub fn compile(
        &self,
        source: &str,
        build: Build,
        scratch: &Scratch,
    ) -> Result<PathBuf, CompileProblem> {
        let source = scratch.write(SOURCE_NAME, source)?;
        let executable = scratch.path("program");
        let mut command = self.command();
        command.args(build.flags()).arg("-o").arg(&executable).arg(source);
        if build.is_sanitized() {
            command.arg("-include").arg(scratch.write(UNBUFFERED_NAME, UNBUFFERED_SOURCE)?);
        }
        let finished = scratch.run(&mut command, self.compile_limit)?;
        if finished.is_success() {
            Ok(executable)
        } else {
            Err(CompileProblem::Refused(finished.stderr))
        }
    }

    /// Expands `source` with `include` on the search path, so that it no longer needs the folder.
    pub fn preprocess(
        &self,
        source: &Path,
        include: &Path,
        scratch: &Scratch,
    ) -> Result<String, CompileProblem> {
        let mut command = self.command();
        command.args(["-E", "-P", "-I"]).arg(include).arg(source);
        let finished = scratch.run(&mut command, self.compile_limit)?;
        if finished.is_success() {
            Ok(String::from_utf8_lossy(&finished.stdout).into_owned())
        } else {
            Err(CompileProblem::Refused(finished.stderr))
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new("gcc");
        command.arg("-std=gnu11").arg(match self.data_model {
            DataModel::Lp64 => "-m64",
            DataModel::Ilp32 => "-m32",
        });
        command
    }

    fn run(&self, executable: &Path, build: Build, scratch: &Scratch) -> io::Result<Observation> {
        let mut command = Command::new(executable);
        command
            .env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1:halt_on_error=1")
            .env("UBSAN_OPTIONS", "print_stacktrace=0:halt_on_error=1");
        let finished = scratch.run(&mut command, self.run_limit)?;
        let ending = ending_of(&finished, build);
        Ok(Observation { stdout: finished.stdout, ending, stderr: finished.stderr })
    }
}

fn ending_of(finished: &Finished, build: Build) -> Ending {
    if finished.status.is_none() {
        return Ending::TimedOut;
    }
    if build.is_sanitized() {
        match sanitizer::read_report(&finished.stderr, SOURCE_NAME) {
            Some(Report::Fault { kind, line }) => return Ending::Fault { kind, line },
            Some(Report::Other(headline)) => return Ending::Crashed(headline),
            None => {}
        }
    }
    match finished.code() {
        Some(code) => Ending::Exit(code),
        None => Ending::Crashed("ended by a signal".to_owned()),
    }
}

/// Why there is no executable.
#[derive(Debug)]
pub enum CompileProblem {
    /// gcc refused the program, with these messages.
    Refused(String),
    Io(io::Error),
}

impl From<io::Error> for CompileProblem {
    fn from(error: io::Error) -> CompileProblem {
        CompileProblem::Io(error)
    }
}

impl std::fmt::Display for CompileProblem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CompileProblem::Refused(messages) => {
                write!(formatter, "gcc refused: {}", messages.trim_end())
            }
            CompileProblem::Io(error) => write!(formatter, "{error}"),
        }
    }
}
