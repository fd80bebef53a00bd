//! Engines against each other: an engine that says *holds* of a program is wrong where another one,
//! or a plain run, shows a violation.
//!
//! With compiled programs as judges (`native_seeds`), what is proved is run natively as well.
//!
//! All else runs in this process, so that many small programs can be asked about. Case `n` has the seed
//! `seed + n` and is the same program everywhere; answers depend on the share of work alone.

mod case;
mod journal;
mod pool;
mod table;
mod watch;

use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::native::Native;

pub use self::case::{Case, Disagreement};
pub use self::pool::Pool;
pub use self::table::Table;
pub use self::watch::{GIVEN_UP, supervise};

use self::case::Judges;
use self::journal::Journal;
use self::table::Record;

/// Virtual memory for the stack of a worker: programs may be nested deeply.
const STACK_BYTES: usize = 512 << 20;

/// What to run.
#[derive(Clone, Debug)]
pub struct Settings {
    pub count: usize,
    pub seed: u64,
    /// Threads that run cases.
    pub jobs: usize,
    /// The work that each engine may do on a program.
    pub share: Duration,
    /// Seeds and steps of plain runs.
    pub runs: u64,
    pub steps: u64,
    /// Inputs of the compiled program of each proof, by seed; 0 for no compiled programs.
    pub native_seeds: u64,
    /// Programs tried to shrink a disagreement.
    pub reduce_attempts: usize,
    /// The longest that a case may take before the process gives it up; `None` waits for ever.
    pub patience: Option<Duration>,
    /// Where disagreements and the journal go; a campaign that is started again goes on.
    pub out: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            count: 100,
            seed: 1,
            jobs: 1,
            share: Duration::from_millis(100),
            runs: 64,
            steps: 20_000,
            native_seeds: 0,
            reduce_attempts: 300,
            patience: None,
            out: None,
        }
    }
}

/// Told after every case: how many are done, how many disagree.
pub type Progress<'p> = &'p (dyn Fn(usize, usize) + Sync);

/// Runs a campaign; `Err` means that a file could not be read or written.
pub fn run(pool: &Pool, settings: &Settings, progress: Progress<'_>) -> io::Result<Table> {
    let journal = Journal::open(settings.out.as_deref())?;
    let shared = Shared {
        next: AtomicUsize::new(0),
        is_broken: AtomicBool::new(false),
        table: Mutex::new(journal.table().clone()),
        journal: Mutex::new(journal),
    };
    std::thread::scope(|scope| {
        let start = || {
            let work = || work(pool, settings, &shared, progress);
            std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)
        };
        let workers: Vec<_> =
            (0..settings.jobs.max(1)).map(|_| start()).collect::<Result<_, _>>()?;
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker panicked"))
    })?;
    Ok(shared.table.into_inner().expect("no worker panicked"))
}

/// What workers share.
struct Shared {
    next: AtomicUsize,
    is_broken: AtomicBool,
    table: Mutex<Table>,
    journal: Mutex<Journal>,
}

fn work(
    pool: &Pool,
    settings: &Settings,
    shared: &Shared,
    progress: Progress<'_>,
) -> io::Result<()> {
    let native = match settings.native_seeds {
        0 => None,
        seeds => Some(Native::detect(seeds).map_err(io::Error::other)?),
    };
    let judges = Judges { settings, native: native.as_ref() };
    // Ends because each round takes a number that no other round takes.
    loop {
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        if number >= settings.count || shared.is_broken.load(Ordering::Relaxed) {
            return Ok(());
        }
        let seed = settings.seed.wrapping_add(number as u64);
        let result = work_on(pool, judges, shared, seed, progress);
        if result.is_err() {
            shared.is_broken.store(true, Ordering::Relaxed);
            return result;
        }
    }
}

fn work_on(
    pool: &Pool,
    judges: Judges<'_>,
    shared: &Shared,
    seed: u64,
    progress: Progress<'_>,
) -> io::Result<()> {
    let journal = || shared.journal.lock().expect("no worker panicked");
    if !journal().begin(seed)? {
        return Ok(());
    }
    let patience = judges.settings.patience;
    let case = {
        let _watch = watch::over(patience);
        judges.run(pool.subject(seed), seed)?
    };
    let record = Record::of(&case);
    {
        let mut table = shared.table.lock().expect("no worker panicked");
        table.add(&record);
        journal().end(&record)?;
        progress(table.programs, table.disagreements.len());
    }
    // Behind the journal's back: what is known stays known if shrinking does not end.
    if let (Some(disagreement), Some(out)) = (&case.disagreement, &judges.settings.out) {
        let _watch = watch::over(patience.map(|time| time * 10));
        judges.save(&case, disagreement, out)?;
    }
    Ok(())
}
