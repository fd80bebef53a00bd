//! Programs of csmith, where it is installed (Debian: `csmith` and `libcsmith-dev`).
//! Its programs include `csmith.h`; they are preprocessed here, so that the interpreter needs no
//! include path. Csmith promises no termination, so its programs may be skipped for time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::gcc::Gcc;
use crate::process::Scratch;
use heapwright_generators::program::{Expectation, GeneratedProgram};

/// The environment variable that csmith's own documentation uses for its folder.
const HOME_VARIABLE: &str = "CSMITH_HOME";

/// Small programs, without the features that C leaves to the implementation.
const FLAGS: &[&str] = &[
    "--concise",
    "--no-argc",
    "--no-packed-struct",
    "--no-volatiles",
    "--no-volatile-pointers",
    "--max-funcs",
    "4",
    "--max-block-depth",
    "3",
    "--max-block-size",
    "3",
    "--max-expr-complexity",
    "5",
    "--max-array-dim",
    "2",
    "--max-array-len-per-dim",
    "5",
    "--max-struct-fields",
    "5",
    "--max-union-fields",
    "3",
];

/// An installed csmith.
#[derive(Clone, Debug)]
pub struct Csmith {
    program: PathBuf,
    include: PathBuf,
}

impl Csmith {
    /// Finds csmith and its headers; `Err` says what is missing.
    pub fn detect(scratch: &Scratch) -> Result<Csmith, String> {
        let home = std::env::var_os(HOME_VARIABLE)
            .map(std::path::absolute)
            .transpose()
            .map_err(|error| format!("{HOME_VARIABLE}: {error}"))?;
        let program = match &home {
            Some(home) => home.join("bin/csmith"),
            None => PathBuf::from("csmith"),
        };
        let started = scratch.run(
            Command::new(&program).arg("--version").current_dir(scratch.path("")),
            Duration::from_secs(10),
        );
        if !started.is_ok_and(|finished| finished.is_success()) {
            return Err(format!("{} cannot be run", program.display()));
        }
        let roots = home.map_or_else(
            || vec![PathBuf::from("/usr/include"), PathBuf::from("/usr/local/include")],
            |home| vec![home.join("include"), home.join("runtime")],
        );
        let include = roots.iter().find_map(|root| header_folder(root));
        let include = include.ok_or("csmith.h is not installed (libcsmith-dev)")?;
        Ok(Csmith { program, include })
    }

    /// The program of `seed`, preprocessed.
    pub fn generate(
        &self,
        seed: u64,
        gcc: &Gcc,
        scratch: &Scratch,
    ) -> Result<GeneratedProgram, String> {
        let mut command = Command::new(&self.program);
        // csmith leaves a file `platform.info` where it runs.
        command.current_dir(scratch.path(""));
        // csmith reads its seed as an unsigned long.
        command.args(FLAGS).args(["--seed", &(seed & 0xFFFF_FFFF).to_string()]);
        let finished = scratch
            .run(&mut command, Duration::from_secs(20))
            .map_err(|error| format!("csmith: {error}"))?;
        if !finished.is_success() {
            return Err(format!("csmith failed: {}", finished.stderr));
        }
        let raw = String::from_utf8_lossy(&finished.stdout);
        let path = scratch.write("csmith.c", &raw).map_err(|error| error.to_string())?;
        let source =
            gcc.preprocess(&path, &self.include, scratch).map_err(|problem| problem.to_string())?;
        Ok(GeneratedProgram { source, expectation: Expectation::Clean })
    }
}

/// `root` itself or a folder `csmith*` in it that holds `csmith.h`.
fn header_folder(root: &Path) -> Option<PathBuf> {
    let mut candidates = vec![root.to_owned()];
    if let Ok(entries) = fs::read_dir(root) {
        let folders = entries.filter_map(Result::ok).map(|entry| entry.path());
        candidates.extend(folders.filter(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("csmith"))
        }));
    }
    candidates.sort();
    candidates.into_iter().find(|folder| folder.join("csmith.h").is_file())
}
