//! Programs of the corpus beside the checkout: none that is wrong may be proved.

use std::path::{Path, PathBuf};
use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Finding, Run, Task, processor_time};
use heapwright_engine_forest_automata::ForestEngine;
use heapwright_frontend::{Settings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::{Part, Specification};
use heapwright_verdict::{Verdict, conclude};

use crate::{PARTS, finding};

fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    path.is_dir().then_some(path)
}

const SKIPPED: &str = "skipped: there is no ../shared/corpus beside the checkout";

/// The C files of a folder, in order.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let is_c = |path: &PathBuf| path.extension().is_some_and(|it| it == "c" || it == "i");
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(is_c).collect();
    files.sort();
    files
}

fn task(file: &Path, parts: &[Part]) -> Option<Task> {
    task_of(file, std::fs::read_to_string(file).ok()?, parts)
}

/// The task of a file with this text.
pub(crate) fn task_of(file: &Path, text: String, parts: &[Part]) -> Option<Task> {
    let yml = std::fs::read_to_string(file.with_extension("yml")).unwrap_or_default();
    let model = if yml.contains("ILP32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    let source = Source::new(file.to_string_lossy(), text);
    let program = load(&[source], &Settings::new(model)).ok()?.program;
    let everyday = Specification::everyday();
    let assertions = parts.contains(&Part::UnreachCall);
    let error_functions = if assertions { everyday.error_functions.clone() } else { Vec::new() };
    let specification =
        Specification { parts: parts.to_vec(), assertions, error_functions, ..everyday };
    Some(Task::new(program, specification, false))
}

/// Every program there violates something that is asked.
#[test]
fn no_wrong_program_is_proved() {
    let Some(corpus) = corpus() else { return eprintln!("{SKIPPED}") };
    let folders = ["attacks/bad", "probes/bad"].map(|folder| corpus.join(folder));
    let mut asked = 0;
    for file in folders.iter().flat_map(|folder| files(folder)) {
        let Some(task) = task(&file, &PARTS) else { continue };
        asked += 1;
        assert!(!matches!(finding(&task), Finding::Proved(_)), "{} is proved", file.display());
    }
    assert!(asked > 100, "only {asked} programs could be read");
}

const HEAP_FOLDERS: [&str; 13] = [
    "list-simple",
    "list-ext-properties",
    "list-ext2-properties",
    "list-ext3-properties",
    "forester-heap",
    "memsafety",
    "memsafety-ext",
    "memsafety-ext2",
    "memsafety-ext3",
    "heap-manipulation",
    "heap-data",
    "gdsl",
    "ldv-memsafety",
];

/// Prints what is proved of the folders with lists and trees, and for how much processor time.
#[test]
#[ignore = "measures"]
fn how_many_tasks_are_proved() {
    let Some(corpus) = corpus() else { return eprintln!("{SKIPPED}") };
    let parts: Vec<Part> = match std::env::var("HEAPWRIGHT_PART").as_deref() {
        Ok("valid-memcleanup") => vec![Part::ValidMemcleanup],
        Ok("unreach-call") => vec![Part::UnreachCall],
        Ok("valid-deref") => vec![Part::ValidDeref],
        _ => vec![Part::ValidDeref, Part::ValidFree, Part::ValidMemtrack],
    };
    let only = std::env::var("HEAPWRIGHT_FILE").unwrap_or_default();
    let folders = match std::env::var("HEAPWRIGHT_FOLDERS") {
        Ok(folders) => folders.split(' ').map(str::to_owned).collect(),
        Err(_) => HEAP_FOLDERS.map(str::to_owned).to_vec(),
    };
    let (mut asked, mut held, mut quick) = (0, 0, 0);
    for file in folders.iter().flat_map(|folder| files(&corpus.join(folder))) {
        let Some(task) = task(&file, &parts) else { continue };
        if !file.to_string_lossy().contains(&only) {
            continue;
        }
        asked += 1;
        let deadline = Deadline::after(Duration::from_secs(60));
        let before = processor_time().unwrap_or_default();
        let finding = ForestEngine::default().run(&task, &Run::alone(&deadline));
        let searched = processor_time().unwrap_or_default() - before;
        if let (Finding::Proved(proof), false) = (&finding, only.is_empty()) {
            eprintln!("{}", proof.invariants().join("\n"));
        }
        let name = file.strip_prefix(&corpus).unwrap_or(&file).display().to_string();
        let answer = match conclude(&task, finding, &deadline) {
            Verdict::Holds(proof) => {
                held += 1;
                quick += usize::from(searched < Duration::from_millis(100));
                format!("holds    {}", proof.summary())
            }
            Verdict::Violated(_) => "violated".to_owned(),
            Verdict::Unknown(reasons) => {
                let place = reasons[0].place.map(|place| task.program.describe(place));
                let place = place.map(|it| it.rsplit('/').next().unwrap_or_default().to_owned());
                format!("unknown  {} {}", reasons[0].text, place.unwrap_or_default())
            }
        };
        eprintln!("{:>6} ms  {name:<60} {answer}", searched.as_millis());
    }
    eprintln!(
        "{parts:?}: {asked} asked, {held} hold, {quick} of them in less than 0.1 s of search"
    );
}
