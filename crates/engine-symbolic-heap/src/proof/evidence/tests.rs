//! Proofs are run: on what they claim, and on claims that somebody changed.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use heapwright_engine::{
    Choice, Deadline, Evidence, Instance, Membership, Reason, Run, Sample, Signature, Task,
    listed_inputs, run_settings,
};
use heapwright_heap_text::parse;
use heapwright_interpreter::{
    Environment, Executable, Inputs, Machine, Outcome, SeededInputs, Settings as RunSettings,
};
use heapwright_program::{EdgeId, FunctionId};

use super::second::OTHERWISE;
use super::{SecondReading, TextEvidence, branches};
use crate::analysis::paths::{Explored, explore};
use crate::analysis::search::Search;
use crate::precision::{Payload, Precision};
use crate::proof::certificate::Certificate;
use crate::proof::inductive::check_closed;
use crate::settings::Settings;
use crate::strategy::search::summarise;
use crate::testing::program::task_of;

type Branch = (FunctionId, EdgeId);

const LIST: &str = "
    typedef __SIZE_TYPE__ size_t; extern void *malloc(size_t); extern void free(void *);
    extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
    struct node { struct node *next; int value; };
    int main(void) {
        struct node *head = 0, *next;
        while (__VERIFIER_nondet_int()) {
            next = malloc(sizeof *next); next->next = head; next->value = 3; head = next;
        }
        while (head) {
            if (head->value != 3) reach_error();
            next = head->next; free(head); head = next;
        }
        return 0;
    }";

/// What came of running a proof.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    contained: u32,
    unclear: u32,
    /// States of runs that no text stands for.
    runs_outside: u32,
    samples: u32,
    /// Samples after which a state is reached that no text stands for.
    steps_outside: u32,
    faults: u32,
}

impl Tally {
    fn is_refused(&self) -> bool {
        self.runs_outside + self.steps_outside + self.faults > 0
    }
}

/// Runs a proof: seeded runs from the start, and samples up to the next cut point.
fn examine(task: &Task, texts: &[String]) -> Tally {
    let passed = branches(&task.program).collect();
    let mut evidence = TextEvidence::new(task, texts, &passed);
    let mut settings = run_settings(task);
    settings.compile.keep_locations = true;
    settings.end_check.periodic = None;
    let executable = Executable::compile(&task.program, &settings.compile);
    let mut examination =
        Examination { evidence: &mut evidence, executable: &executable, settings: &settings };
    let mut tally = Tally::default();
    for seed in 0..12 {
        examination.run(&mut tally, seed);
    }
    for cut in 0..examination.evidence.cut_points().len() {
        for size in 0..3 {
            examination.samples(&mut tally, cut, size);
        }
    }
    tally
}

struct Examination<'e> {
    evidence: &'e mut TextEvidence,
    executable: &'e Executable<'e>,
    settings: &'e RunSettings,
}

impl Examination<'_> {
    fn run(&mut self, tally: &mut Tally, seed: u64) {
        let inputs = Environment::silent(SeededInputs::new(seed));
        let mut machine = Machine::new(self.executable, self.settings, inputs);
        // The start is no arrival.
        machine.step();
        for _ in 0..600 {
            if machine.step().is_some() {
                break;
            }
            match self.membership(&machine) {
                Some(Membership::In) => tally.contained += 1,
                Some(Membership::Out(_)) => tally.runs_outside += 1,
                Some(Membership::Unclear(_)) => tally.unclear += 1,
                None => {}
            }
        }
        tally.faults += u32::from(matches!(machine.outcome(), Some(Outcome::Fault(_))));
    }

    fn samples(&mut self, tally: &mut Tally, cut: usize, size: u32) {
        for index in 0..60 {
            let state = match self.evidence.sample(cut, Choice { size, index }) {
                Sample::State(state) => state,
                Sample::Empty | Sample::Unclear(_) => continue,
                Sample::NoMore => break,
            };
            tally.samples += 1;
            let inputs = Environment::silent(SeededInputs::new(u64::from(index)));
            let machine = Machine::at(self.executable, self.settings, inputs, &state);
            let mut machine = machine.unwrap_or_else(|error| panic!("{error}: {state:?}"));
            let is_in = self.evidence.contains(cut, &machine);
            assert_eq!(is_in, Membership::In, "a sample is one: {state:?}");
            for _ in 0..200 {
                if machine.step().is_some() {
                    break;
                }
                let Some(membership) = self.membership(&machine) else { continue };
                tally.steps_outside += u32::from(matches!(membership, Membership::Out(_)));
                break;
            }
            tally.faults += u32::from(matches!(machine.outcome(), Some(Outcome::Fault(_))));
        }
    }

    /// Whether the machine is where it may be, at a cut point.
    fn membership(&mut self, machine: &Machine<'_>) -> Option<Membership> {
        machine.location()?;
        let frames = machine.frames();
        let (top, callers) = frames.split_last()?;
        let source = |(function, edge): (FunctionId, EdgeId)| {
            let body = machine.program().functions[function].body.as_ref().expect("it calls");
            (function, body.edges[edge].source)
        };
        let is_here = |cut: &heapwright_engine::CutPoint| {
            let wanted = cut.callers.iter().flatten().copied().map(source);
            (cut.function, cut.location) == (top.function, top.location)
                && wanted.eq(callers.iter().map(|frame| (frame.function, frame.location)))
        };
        let cut = self.evidence.cut_points().iter().position(is_here)?;
        Some(self.evidence.contains(cut, machine))
    }
}

fn texts_of(task: &Task) -> Option<Vec<String>> {
    let deadline = Deadline::never().at_most_work(Duration::from_secs(2));
    let precisions = [Payload::Apart, Payload::Numbers].map(Precision::for_lists);
    let found = precisions.iter().find_map(|precision| {
        summarise(task, &Settings::default(), precision, &Run::alone(&deadline), &deadline).ok()
    });
    found.map(|(certificate, _)| certificate.invariants)
}

/// Runs the proof of the list, after a change.
fn examine_changed(change: impl Fn(&str) -> Option<String>) -> Tally {
    let task = task_of(LIST);
    let texts = texts_of(&task).expect("invariants");
    let changed: Vec<String> = texts.iter().filter_map(|text| change(text)).collect();
    assert_ne!(texts, changed, "nothing was changed in\n{}", texts.join("\n"));
    examine(&task, &changed)
}

#[test]
fn runs_and_samples_of_a_proof_are_where_it_says() {
    let task = task_of(LIST);
    let tally = examine(&task, &texts_of(&task).expect("invariants"));
    assert!(!tally.is_refused() && tally.unclear == 0, "{tally:?}");
    assert!(tally.contained > 20 && tally.samples >= 8, "{tally:?}");
}

#[test]
fn a_proof_that_claims_too_much_is_refused_by_runs() {
    let change =
        |from: &'static str, to: &'static str| move |text: &str| Some(text.replace(from, to));
    for tally in [
        examine_changed(change("list of 1+", "list of 4+")),
        examine_changed(change("= 3", "= 9")),
        examine_changed(change("end = 0", "end = 16")),
        examine_changed(|text| text.contains("list of").then(|| text.to_owned())),
        examine_changed(|text| (!text.contains("list of")).then(|| text.to_owned())),
    ] {
        assert!(tally.runs_outside > 0, "{tally:?}");
    }
}

#[test]
fn a_proof_that_claims_too_little_is_refused_by_samples() {
    // No run has another value, but the second loop relies on it.
    let without_value = examine_changed(|text| {
        let is_kept = |line: &&str| !line.contains("+8/4 = 3");
        Some(text.lines().filter(is_kept).collect::<Vec<_>>().join("\n"))
    });
    assert!(without_value.runs_outside == 0 && without_value.faults > 0, "{without_value:?}");
    let without_end = examine_changed(|text| {
        let number = "number number.7: 64 bits\n";
        let is_list = text.contains("end = 0");
        Some(if is_list { text.replace("end = 0", "end = number.7") + number } else { text.into() })
    });
    assert!(without_end.runs_outside == 0 && without_end.is_refused(), "{without_end:?}");
}

/// What the second reading of an engine's check says, if it reads a change of the texts.
fn second_reading(program: &str, change: impl Fn(&mut Vec<String>)) -> Result<(u64, u64), Reason> {
    let task = task_of(program);
    let (settings, never) = (Settings::default(), Deadline::never());
    let precision = Precision::for_lists(Payload::Apart);
    let found = summarise(&task, &settings, &precision, &Run::alone(&never), &never);
    let Ok((certificate, _)) = found else { panic!("there are invariants") };
    let prepared = Search::prepare(&task, &settings, precision, &never);
    let (mut search, _) = prepared.expect("a first state");
    let invariants = certificate.read(&mut search, &never).expect("they are read");
    let mut texts = certificate.invariants.clone();
    change(&mut texts);
    let mut second = SecondReading::new(&task, &texts);
    let checked = check_closed(&mut search, &invariants, Some(&mut second), &never);
    checked.map_err(|failure| failure.reason())?;
    Ok((second.confirmed, second.unclear))
}

#[test]
fn the_second_reading_of_arrivals_agrees_with_covering() {
    assert!(matches!(second_reading(LIST, |_| ()), Ok((confirmed, 0)) if confirmed >= 6));
}

#[test]
fn where_covering_says_yes_the_second_reading_can_say_no() {
    let replace = |from: &'static str, to: &'static str| {
        move |texts: &mut Vec<String>| {
            texts.iter_mut().for_each(|text| *text = text.replace(from, to));
        }
    };
    for refused in [
        second_reading(LIST, replace("list of 1+", "list of 3+")),
        second_reading(LIST, replace("= 3", "= 9")),
        second_reading(LIST, replace("end = 0", "end = 8")),
        second_reading(LIST, |texts| _ = texts.pop()),
        second_reading(LIST, |texts| _ = texts.remove(0)),
    ] {
        let reason = refused.expect_err("it is wrong");
        assert!(reason.text.starts_with(OTHERWISE), "{reason:?}");
    }
}

/// The branches of a run that comes to an end of the program, and which they were.
fn branches_of(task: &Task, inputs: impl Inputs + 'static) -> Option<(Signature, Vec<Branch>)> {
    let mut settings = run_settings(task);
    settings.compile.keep_locations = true;
    settings.limits.steps = 20_000;
    let executable = Executable::compile(&task.program, &settings.compile);
    let mut machine = Machine::new(&executable, &settings, Environment::silent(inputs));
    let all: BTreeSet<Branch> = branches(&task.program).collect();
    let mut passed = Vec::new();
    let mut note = |_: &Machine<'_>, edge: heapwright_interpreter::Passed| {
        let branch = (edge.function, edge.edge);
        passed.extend(Some(branch).filter(|branch| all.contains(branch)));
    };
    while machine.step_observed(&mut note).is_none() {}
    let is_end = matches!(machine.outcome(), Some(Outcome::Exited(_) | Outcome::Aborted));
    let signature = passed.iter().fold(Signature::EMPTY, |all, &(f, edge)| all.then(f, edge));
    is_end.then_some((signature, passed))
}

const CHOICES: &str = "
    extern int __VERIFIER_nondet_int(void); extern void *malloc(__SIZE_TYPE__);
    extern void free(void *); extern int printf(const char *, ...);
    static int twice(int n) { return n > 100 || n < -100 ? 0 : 2 * n; }
    int main(void) {
        int x = __VERIFIER_nondet_int(), *p = malloc(8), unset;
        for (int i = 0; i < 3; i++) if (x == 12345 + i) p[0] = i;
        if (x == 55 && printf(\"x\") < 0) x = 1;
        while (1) { if (twice(x) != 6) break; x = 0; }
        if (unset == 77) x = 2;
        free(p);
        return x > 0;
    }";

#[test]
fn every_run_takes_one_of_the_paths_of_a_proof_by_paths() {
    let task = task_of(CHOICES);
    let (explored, _) = explore(&task, &Settings::default(), None, &Run::alone(&Deadline::never()));
    let Explored::Complete(mut paths) = explored else { panic!("{explored:?}") };
    for seed in 0..20 {
        let (signature, _) = branches_of(&task, SeededInputs::new(seed)).expect("it ends");
        assert_eq!(paths.has_path(signature), Some(true), "{seed}");
    }
    let (mut expected, mut taken) = (0, 0);
    for step in 0..paths.step_count() {
        let Instance::Run { start: None, inputs, signature } = paths.instance(step) else {
            panic!("a path from the start")
        };
        let (found, _) = branches_of(&task, listed_inputs(&inputs)).expect("it ends");
        assert_eq!(paths.has_path(found), Some(true));
        expected += u32::from(signature.is_some());
        taken += u32::from(signature == Some(found));
    }
    assert!(expected == taken && taken >= 10, "{expected} {taken}");
    assert!(expected < paths.step_count() as u32, "nobody decides what `printf` gives back");
}

#[test]
fn a_run_along_a_path_that_a_proof_does_not_have_is_noticed() {
    let task = task_of(CHOICES);
    // As if the solver had taken a rare branch for impossible.
    let narrow = task_of(&CHOICES.replace("x == 12345 + i", "0"));
    let (explored, _) =
        explore(&narrow, &Settings::default(), None, &Run::alone(&Deadline::never()));
    let Explored::Complete(paths) = explored else { panic!("{explored:?}") };
    let seeds = (0..20).filter_map(|seed| branches_of(&task, SeededInputs::new(seed)));
    let strangers = seeds.filter(|(signature, _)| paths.has_path(*signature) == Some(false));
    assert!(strangers.count() > 0);
}

#[test]
fn runs_pass_no_branch_that_a_proof_calls_dead() {
    let dead_end = LIST.replace("free(head);", "free(head); if (!head) reach_error();");
    let task = task_of(&dead_end);
    let never = Deadline::never();
    let precision = Precision::for_lists(Payload::Apart);
    let found = summarise(&task, &Settings::default(), &precision, &Run::alone(&never), &never);
    let Ok((Certificate { invariants, passed, .. }, _)) = found else { panic!("invariants") };
    let evidence = TextEvidence::new(&task, &invariants, &passed);
    assert_eq!(evidence.dead_edges().len(), 2, "the two calls of reach_error");
    for seed in 0..20 {
        let (_, passed) = branches_of(&task, SeededInputs::new(seed)).expect("it ends");
        assert!(passed.iter().all(|branch| !evidence.dead_edges().contains(branch)), "{seed}");
    }
}

/// The C files of a folder beside the checkout, or in it.
fn programs_in(folder: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let Ok(entries) = std::fs::read_dir(&path) else { return Vec::new() };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let is_program = |path: &&std::path::PathBuf| {
        path.extension().is_some_and(|extension| extension == "c" || extension == "i")
    };
    let read = |path: &std::path::PathBuf| {
        Some((path.display().to_string(), std::fs::read_to_string(path).ok()?))
    };
    paths.iter().filter(is_program).filter_map(read).collect()
}

/// Proves the programs of a folder, and runs the proofs.
fn examine_folder(folder: &str) -> Vec<Tally> {
    let mut tallies = Vec::new();
    for (name, text) in programs_in(folder) {
        let Some(task) = crate::testing::program::task_of_file(&name, text) else { continue };
        let Some(texts) = texts_of(&task) else { continue };
        for text in &texts {
            let heap = parse(text).unwrap_or_else(|error| panic!("{name}: {error} in\n{text}"));
            let lines = text.lines().map(|line| line.split(" //").next().unwrap_or(""));
            let without_remarks: String = lines.map(|line| format!("{line}\n")).collect();
            assert_eq!(heap.to_string(), without_remarks, "{name}");
        }
        let tally = examine(&task, &texts);
        assert!(!tally.is_refused(), "{name}: {tally:?}");
        tallies.push(tally);
    }
    tallies
}

#[test]
fn proofs_of_the_examples_are_where_they_say() {
    let tallies = examine_folder("examples");
    let proofs = tallies.iter().filter(|tally| tally.contained > 0).count();
    assert!(proofs >= 4, "{tallies:?}");
}

#[test]
fn proofs_of_the_corpus_are_where_they_say() {
    if std::env::var_os("HEAPWRIGHT_LONG_TESTS").is_none() {
        eprintln!("skipped: set HEAPWRIGHT_LONG_TESTS to run the proofs of the list folders");
        return;
    }
    for folder in ["list-simple", "forester-heap", "memsafety-ext", "heap-manipulation"] {
        let tallies = examine_folder(&format!("../shared/corpus/{folder}"));
        if tallies.is_empty() {
            eprintln!("skipped: there is no ../shared/corpus/{folder}");
        }
        let sum = |of: fn(&Tally) -> u32| tallies.iter().map(of).sum::<u32>();
        let (contained, unclear) = (sum(|tally| tally.contained), sum(|tally| tally.unclear));
        eprintln!("{folder}: {contained} contained, {unclear} unclear, {} proofs", tallies.len());
    }
}
