//! A campaign runs many cases on a few threads and counts what they came to.
//! The case number `n` of a campaign has the seed `seed + n`, so each can be run again alone.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::case::{Case, Mode, Tools};
use crate::compare::{MismatchKind, Outcome, SkipReason};
use crate::process::Scratch;

/// What to run.
#[derive(Clone, Debug)]
pub struct Settings {
    pub modes: Vec<Mode>,
    /// Programs of each mode.
    pub count: usize,
    pub seed: u64,
    /// Threads that run cases.
    pub jobs: usize,
    /// Where mismatches are saved; nowhere if absent.
    pub out: Option<PathBuf>,
}

/// The counts of one mode.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub programs: usize,
    pub agreements: usize,
    pub mismatches: BTreeMap<MismatchKind, usize>,
    pub skipped: BTreeMap<SkipReason, usize>,
    pub duration: Duration,
    /// The seeds of the mismatches, in order.
    pub mismatched_seeds: Vec<u64>,
}

/// The counts of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub tallies: BTreeMap<Mode, Tally>,
}

/// Told after every case: the mode, how many are done, how many mismatched.
pub type Progress<'p> = &'p (dyn Fn(Mode, usize, usize) + Sync);

/// Runs every mode in turn. `Err` means that a tool could not be started or a file not written.
pub fn run(tools: &Tools, settings: &Settings, progress: Progress<'_>) -> io::Result<Summary> {
    let mut summary = Summary::default();
    for mode in &settings.modes {
        let tally = run_mode(tools, settings, *mode, progress)?;
        summary.tallies.insert(*mode, tally);
    }
    Ok(summary)
}

fn run_mode(
    tools: &Tools,
    settings: &Settings,
    mode: Mode,
    progress: Progress<'_>,
) -> io::Result<Tally> {
    let started = Instant::now();
    let shared = Shared {
        next: AtomicUsize::new(0),
        is_broken: AtomicBool::new(false),
        tally: Mutex::new(Tally::default()),
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..settings.jobs.max(1))
            .map(|worker| {
                let shared = &shared;
                scope.spawn(move || work(tools, settings, mode, worker, shared, progress))
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker panicked"))
    })?;
    let mut tally = shared.tally.into_inner().expect("no worker panicked");
    tally.mismatched_seeds.sort_unstable();
    tally.duration = started.elapsed();
    Ok(tally)
}

/// What the workers of a mode share.
struct Shared {
    next: AtomicUsize,
    /// Set when a worker failed, so that the others stop too.
    is_broken: AtomicBool,
    tally: Mutex<Tally>,
}

fn work(
    tools: &Tools,
    settings: &Settings,
    mode: Mode,
    worker: usize,
    shared: &Shared,
    progress: Progress<'_>,
) -> io::Result<()> {
    let result = (|| {
        let scratch = Scratch::new(&format!("{mode}-{worker}"))?;
        // Ends because each round takes a number that no other round takes.
        loop {
            let number = shared.next.fetch_add(1, Ordering::Relaxed);
            if number >= settings.count || shared.is_broken.load(Ordering::Relaxed) {
                return Ok(());
            }
            let case = tools.run(mode, settings.seed.wrapping_add(number as u64), &scratch)?;
            if let (Outcome::Mismatch(_), Some(out)) = (case.outcome, &settings.out) {
                tools.save(&case, out, &scratch)?;
            }
            let mut tally = shared.tally.lock().expect("no worker panicked");
            tally.add(&case);
            progress(mode, tally.programs, tally.mismatched_seeds.len());
        }
    })();
    if result.is_err() {
        shared.is_broken.store(true, Ordering::Relaxed);
    }
    result
}

impl Tally {
    fn add(&mut self, case: &Case) {
        self.programs += 1;
        match case.outcome {
            Outcome::Agreement => self.agreements += 1,
            Outcome::Mismatch(kind) => {
                *self.mismatches.entry(kind).or_default() += 1;
                self.mismatched_seeds.push(case.seed);
            }
            Outcome::Skipped(reason) => *self.skipped.entry(reason).or_default() += 1,
        }
    }
}

impl Summary {
    /// True if any case mismatched.
    pub fn has_mismatch(&self) -> bool {
        self.tallies.values().any(|tally| !tally.mismatches.is_empty())
    }

    /// The table for the reader.
    pub fn table(&self) -> String {
        let mut table = format!(
            "{:<12}{:>9}{:>9}{:>11}{:>9}{:>9}\n",
            "mode", "programs", "agree", "mismatch", "skipped", "seconds"
        );
        for (mode, tally) in &self.tallies {
            let mismatches: usize = tally.mismatches.values().sum();
            let skipped: usize = tally.skipped.values().sum();
            let seconds = tally.duration.as_secs_f64();
            let row = format!(
                "{mode:<12}{:>9}{:>9}{mismatches:>11}{skipped:>9}{seconds:>9.1}\n",
                tally.programs, tally.agreements
            );
            table.push_str(&row);
        }
        for (mode, tally) in &self.tallies {
            describe_details(&mut table, *mode, tally);
        }
        table
    }
}

fn describe_details(table: &mut String, mode: Mode, tally: &Tally) {
    let mut line = |text: String| writeln!(table, "{text}").expect("writing to a string");
    for (kind, count) in &tally.mismatches {
        line(format!("{mode}: mismatch in {kind}: {count}"));
    }
    for (reason, count) in &tally.skipped {
        line(format!("{mode}: skipped for {reason}: {count}"));
    }
    if !tally.mismatched_seeds.is_empty() {
        const SHOWN: usize = 20;
        let shown: Vec<String> =
            tally.mismatched_seeds.iter().take(SHOWN).map(u64::to_string).collect();
        let more = if tally.mismatched_seeds.len() > SHOWN { " …" } else { "" };
        line(format!("{mode}: seeds {}{more}", shown.join(" ")));
    }
}
