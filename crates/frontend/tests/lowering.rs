//! Golden texts: each program of `tests/lowering` shows one construct of C, with the program text
//! that it is lowered to beside it. The programs also check themselves: they return 0 in the
//! interpreter, as they do with gcc. `HEAPWRIGHT_ACCEPT=1` writes the texts anew.

mod common;

use std::path::{Path, PathBuf};

use common::workspace;
use heapwright_frontend::{Settings, Source, load};
use heapwright_interpreter::{Environment, ListedInputs, Outcome};
use heapwright_program::{DataModel, Program, parse, print};

#[test]
fn programs_are_lowered_to_their_golden_texts() {
    let is_accepting = std::env::var_os("HEAPWRIGHT_ACCEPT").is_some();
    for (path, program) in programs() {
        let text = print(&program);
        let golden = path.with_extension("program");
        if is_accepting {
            std::fs::write(&golden, &text).expect("a writable folder");
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        assert!(
            text == expected,
            "{} is not what {} is lowered to (HEAPWRIGHT_ACCEPT=1 accepts):\n{text}",
            golden.display(),
            path.display()
        );
        assert_eq!(parse(&text).as_ref(), Ok(&program.renumbered()), "{}", path.display());
    }
}

#[test]
fn programs_return_zero() {
    for (path, program) in programs() {
        let environment = Environment::silent(ListedInputs::new(Vec::new()));
        let report = heapwright_interpreter::run(&program, &Default::default(), environment);
        assert_eq!(report.outcome, Outcome::Exited(0), "{}", path.display());
        assert!(report.leaked.is_empty(), "{} leaks", path.display());
    }
}

/// All programs of the folder. They include nothing, so that their texts are the same everywhere.
fn programs() -> Vec<(PathBuf, Program)> {
    let folder = workspace().join("tests/lowering");
    let entries = std::fs::read_dir(&folder).expect("the folder of golden tests");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "c"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no programs in {}", folder.display());
    paths.into_iter().map(|path| (path.clone(), lowered(&path))).collect()
}

fn lowered(path: &Path) -> Program {
    let text = std::fs::read(path).expect("a readable program");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let settings = Settings::new(DataModel::Lp64);
    let loaded = load(&[Source::new(name, text)], &settings);
    loaded.unwrap_or_else(|error| panic!("{error}")).program
}
