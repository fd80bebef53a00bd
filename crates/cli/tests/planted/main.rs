//! Bugs are planted into correct programs, and no engine may prove what some run then refutes.
//!
//! The mutants are made of the lowered programs: of the examples that hold, and with
//! `HEAPWRIGHT_LONG_TESTS=1` of the corpus tasks that are known to be correct. The oracle is the
//! interpreter with many inputs: where one of its runs shows a violation, *holds* is wrong.
//! `HEAPWRIGHT_LONG_TESTS=1 cargo test --release -p heapwright --test planted -- --nocapture` prints
//! the table of what was found.

mod mutation;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use heapwright_bench::{DataModel, TaskFilter, plan};
use heapwright_engine::{
    Deadline, Engine, Finding, Proof, Reason, Run, Task, run_settings, violation_of,
};
use heapwright_engine_concrete::ConcreteEngine;
use heapwright_engine_symbolic_heap::SymbolicHeapEngine;
use heapwright_engines::EngineOptions;
use heapwright_frontend::{Flags, Settings, Source, load};
use heapwright_interpreter::{Environment, Executable, Machine, SeededInputs};
use heapwright_property::Specification;
use heapwright_verdict::{Verdict, conclude};
use mutation::Mutation;

/// Runs of the oracle, and their steps.
const RUNS: u64 = 40;
const STEPS: u64 = 50_000;

const STACK_BYTES: usize = 512 << 20;

/// What came of the mutants of one kind.
#[derive(Debug, Default)]
struct Row {
    /// Some run fails.
    wrong: usize,
    found: usize,
    unknown: usize,
    /// No run fails: the change may be none.
    harmless: usize,
    proved_harmless: usize,
    found_harmless: usize,
}

#[derive(Debug, Default)]
struct Table {
    rows: BTreeMap<Mutation, Row>,
    /// Wrong proofs.
    failures: Vec<String>,
}

impl Table {
    fn add(&mut self, name: &str, mutation: Mutation, task: &Task, engines: &[Box<dyn Engine>]) {
        let is_wrong = some_run_fails(task);
        let verdict = verdict(task, engines);
        let row = self.rows.entry(mutation).or_default();
        match (is_wrong, verdict) {
            (true, Verdict::Holds(proof)) => {
                row.wrong += 1;
                self.failures.push(format!("{name}, {mutation:?}: {}", proof.summary()));
            }
            (true, Verdict::Violated(_)) => {
                row.wrong += 1;
                row.found += 1;
            }
            (true, Verdict::Unknown(_)) => {
                row.wrong += 1;
                row.unknown += 1;
            }
            (false, Verdict::Holds(_)) => {
                row.harmless += 1;
                row.proved_harmless += 1;
            }
            (false, Verdict::Violated(_)) => {
                row.harmless += 1;
                row.found_harmless += 1;
            }
            (false, Verdict::Unknown(_)) => row.harmless += 1,
        }
    }

    fn text(&self) -> String {
        let mut text = String::from(
            "planted            a run fails: found unknown proved | no run fails: proved violated\n",
        );
        for (mutation, row) in &self.rows {
            let proved = row.wrong - row.found - row.unknown;
            let name = format!("{mutation:?}");
            let (wrong, found, unknown) = (row.wrong, row.found, row.unknown);
            let (harmless, good, late) = (row.harmless, row.proved_harmless, row.found_harmless);
            writeln!(
                text,
                "{name:18} {wrong:11} {found:6} {unknown:7} {proved:6} | {harmless:12} {good:7} \
                 {late:8}"
            )
            .unwrap();
        }
        text
    }
}

/// The engines as users get them, with less time.
fn engines() -> Vec<Box<dyn Engine>> {
    let mut symbolic = SymbolicHeapEngine::default();
    symbolic.settings.time = Duration::from_secs(2);
    let concrete = ConcreteEngine { time: Duration::from_millis(300), ..ConcreteEngine::default() };
    // The engine that reasons comes first: the other one is the oracle's next of kin.
    vec![Box::new(symbolic), Box::new(concrete)]
}

fn verdict(task: &Task, engines: &[Box<dyn Engine>]) -> Verdict {
    let mut last = Verdict::Unknown(Vec::new());
    for engine in engines {
        let deadline = Deadline::after(Duration::from_secs(5));
        last = conclude(task, engine.run(task, &Run::alone(&deadline)), &deadline);
        if !matches!(last, Verdict::Unknown(_)) {
            break;
        }
    }
    last
}

/// Whether the interpreter shows a violation with some inputs.
fn some_run_fails(task: &Task) -> bool {
    let mut settings = run_settings(task);
    settings.limits.steps = STEPS;
    settings.record_inputs = false;
    let executable = Executable::compile(&task.program, &settings.compile);
    (0..RUNS).any(|seed| {
        let environment = Environment::silent(SeededInputs::new(seed));
        let report = Machine::new(&executable, &settings, environment).run();
        violation_of(task, &report).is_some()
    })
}

/// Mutants of a correct program, at most `most` of each kind, spread over it.
fn plant(table: &mut Table, name: &str, task: &Task, most: usize, engines: &[Box<dyn Engine>]) {
    for mutation in Mutation::ALL {
        let sites = mutation.sites(&task.program);
        let stride = sites.len().div_ceil(most).max(1);
        for &(function, edge) in sites.iter().step_by(stride) {
            let Some(program) = mutation.apply(&task.program, function, edge) else { continue };
            let specification = task.specification.clone();
            let mutant = Task { program, specification, malloc_may_fail: false };
            let place = task.program.functions[function].body.as_ref().unwrap().edges[edge].place;
            let name = format!("{name}: {}", task.program.describe(place));
            table.add(&name, mutation, &mutant, engines);
        }
    }
}

/// On a stack as large as the command line has: texts of long lists are read node by node.
fn with_room<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    thread.expect("a thread").join().expect("a result")
}

fn is_long() -> bool {
    std::env::var_os("HEAPWRIGHT_LONG_TESTS").is_some()
}

#[test]
fn no_planted_bug_in_an_example_is_proved_away() {
    let most = if is_long() { 6 } else { 1 };
    let table = with_room(move || {
        let mut table = Table::default();
        for (name, task) in correct_examples() {
            plant(&mut table, &name, &task, most, &engines());
        }
        table
    });
    println!("examples\n{}", table.text());
    assert!(table.failures.is_empty(), "{}", table.failures.join("\n"));
    let found: usize = table.rows.values().map(|row| row.found).sum();
    let wrong: usize = table.rows.values().map(|row| row.wrong).sum();
    assert!(wrong >= 20 && found * 2 > wrong, "{}", table.text());
}

#[test]
fn no_planted_bug_in_a_correct_task_is_proved_away() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    if !is_long() || !corpus.is_dir() {
        println!("skipped: needs HEAPWRIGHT_LONG_TESTS=1 and {}", corpus.display());
        return;
    }
    let families =
        ["list-simple", "forester-heap", "heap-manipulation", "list-ext-properties", "memsafety"];
    let folders: Vec<PathBuf> = families.iter().map(|family| corpus.join(family)).collect();
    let plan = plan(&folders, &TaskFilter::default(), DataModel::Ilp32).unwrap();
    let mut table = Table::default();
    for run in plan.runs.iter().filter(|run| run.expected) {
        let content = fs::read_to_string(&run.property_file).unwrap();
        let Some(specification) = Specification::from_content(&content) else { continue };
        let model = match run.data_model {
            DataModel::Ilp32 => heapwright_program::DataModel::Ilp32,
            DataModel::Lp64 => heapwright_program::DataModel::Lp64,
        };
        let Some(task) = read(&run.files, specification, model) else { continue };
        if !some_run_fails(&task) {
            plant(&mut table, &run.task, &task, 1, &engines());
        }
    }
    println!("corpus\n{}", table.text());
    assert!(table.failures.is_empty(), "{}", table.failures.join("\n"));
}

/// Engines of other families, each by itself: bugs planted into what it proves.
#[test]
fn no_planted_bug_is_proved_away_by_forests() {
    if !is_long() {
        println!("skipped: needs HEAPWRIGHT_LONG_TESTS=1");
        return;
    }
    let table = with_room(|| {
        let mut forests = heapwright_engines::engines_on_request(&EngineOptions::default());
        forests.retain(|engine| engine.name() == "forest-automata");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut tasks = correct_examples();
        tasks.extend(correct_in(&folder.join("examples/survey")));
        tasks.extend(correct_in(&folder.join("../shared/corpus/forester-heap")));
        let (mut table, mut proved) = (Table::default(), 0);
        for (name, task) in &tasks {
            if matches!(verdict(task, &forests), Verdict::Holds(_)) {
                proved += 1;
                plant(&mut table, name, task, 1, &forests);
            }
        }
        println!("proved as they are: {proved} of {}", tasks.len());
        table
    });
    println!("forests\n{}", table.text());
    assert!(table.failures.is_empty(), "{}", table.failures.join("\n"));
}

/// The programs of a folder that no run refutes, if it is there: an engine that proves one makes it worth a mutant.
fn correct_in(folder: &Path) -> Vec<(String, Task)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let is_c =
        |file: &&PathBuf| file.extension().is_some_and(|ending| ending == "c" || ending == "i");
    let mut found = Vec::new();
    for file in files.iter().filter(is_c) {
        let model = match file.extension().is_some_and(|ending| ending == "i") {
            true => heapwright_program::DataModel::Ilp32,
            false => heapwright_program::DataModel::Lp64,
        };
        let Some(task) = read(std::slice::from_ref(file), Specification::everyday(), model) else {
            continue;
        };
        if !some_run_fails(&task) {
            found.push((file.file_name().unwrap().to_string_lossy().into_owned(), task));
        }
    }
    found
}

/// The gate runs proofs before it believes them: of an engine that proves everything, what some run
/// refutes comes out as that violation.
#[test]
fn an_engine_that_claims_everything_is_caught() {
    let engines: Vec<Box<dyn Engine>> = vec![Box::new(Gullible)];
    let mut table = Table::default();
    let (name, task) = correct_examples().swap_remove(0);
    plant(&mut table, &name, &task, 2, &engines);
    let (wrong, found) = table
        .rows
        .values()
        .fold((0, 0), |(wrong, found), row| (wrong + row.wrong, found + row.found));
    assert!(wrong > 0 && wrong == found, "{}", table.text());
}

#[derive(Debug)]
struct Gullible;

impl Engine for Gullible {
    fn name(&self) -> &'static str {
        "gullible"
    }

    fn summary(&self) -> &'static str {
        "believes that all programs are correct"
    }

    fn run(&self, _task: &Task, _run: &Run<'_>) -> Finding {
        Finding::Proved(Box::new(Gullible))
    }
}

impl Proof for Gullible {
    fn check(&self, _task: &Task, _deadline: &Deadline) -> Result<(), Reason> {
        Ok(())
    }

    fn summary(&self) -> String {
        "it looks correct".to_owned()
    }

    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The examples that say that they hold.
fn correct_examples() -> Vec<(String, Task)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let entries = fs::read_dir(&folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut examples = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "c")) {
        let text = fs::read_to_string(file).unwrap();
        let is_whole = !text.contains("//@ with: ");
        if text.contains("//@ truth: holds") && is_whole {
            let model = heapwright_program::DataModel::Lp64;
            let task =
                read(std::slice::from_ref(file), Specification::everyday(), model).expect("good C");
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            examples.push((name, task));
        }
    }
    assert!(examples.len() >= 8, "examples are missing");
    examples
}

fn read(
    files: &[PathBuf],
    specification: Specification,
    model: heapwright_program::DataModel,
) -> Option<Task> {
    let settings = Settings::new(model);
    let sources = files.iter().map(|file| Source::read(file, Flags::default(), &settings));
    let sources: Vec<Source> = sources.collect::<Result<_, _>>().ok()?;
    let program = load(&sources, &settings).ok()?.program;
    Some(Task { program, specification, malloc_may_fail: false })
}
