//! An attempt at a task: what is tried in turn, and what earlier turns have learnt.
//!
//! In every round, paths have their turn: they find faults and decide what is bounded. So have paths along
//! the trails of alarms, and the search for invariants, which proves what is not bounded, in one precision after
//! the other. Each turn is a share of work, counted in units that are the same on every machine, and every
//! round has several times as many: what needs little work is found soon, and what needs much waits for a
//! few times as much at most. Each goes on where it was, in the next run too, with what is left of its share, unless
//! the end of the time has left questions without an answer: these may have taken something from it.

use std::sync::Arc;

use heapwright_engine::{Finding, Reason, Run, Task, WorkMeter};
use heapwright_property::Part;

use crate::analysis::paths::{Explored, PathExploration, explore};
use crate::heap::trail::Alarm;
use crate::no_proof::NoProof;
use crate::precision::{Arrays, Precision};
use crate::program_facts::ProgramFacts;
use crate::proof::all_paths::AllPaths;
use crate::proof::closed::Closed;
use crate::settings::{NAME, PathTurns, Settings};
use crate::statistics::Statistics;
use crate::strategy::copies::copies_numbers;
use crate::strategy::keys::compares_keys;
use crate::strategy::order::Precisions;
use crate::strategy::search::{Failure, PrecisionSearch};
use crate::strategy::ways::{with_copies, with_keys};

/// How many times as long as a round the next one is.
const GROWTH: u64 = 4;

/// How many times as much as one precision all paths get: there are several precisions.
const PATHS_FOR_A_PRECISION: u64 = 2;

/// How many times as much as one that sees more of numbers a usual precision gets.
const USUAL_FOR_UNUSUAL: u64 = 3;

/// How many times as much as a usual precision the one gets that sees laws of elements, where there are no lists: each costs
/// questions.
const LAWS_FOR_USUAL: u64 = 3;

/// The same of those that see how trees are sorted, or how large they are, where only assertions about them are left.
const MORE_OF_TREES_FOR_USUAL: u64 = 8;

/// How many times as much as one alarm a precision gets: there are several alarms, and all paths beside.
const PRECISION_FOR_AN_ALARM: u64 = 2;

/// Alarms whose trails are followed in every round; others are followed once.
const MOST_ALARMS: usize = 3;

/// What can be gone on with, in the next round or run.
#[derive(Default)]
struct Underway<'t> {
    /// All paths.
    paths: Option<PathExploration<'t>>,
    /// Paths along the trails of alarms.
    alarms: Vec<PathExploration<'t>>,
    searches: Vec<PrecisionSearch<'t>>,
}

impl<'t> Underway<'t> {
    fn take_search(&mut self, precision: &Precision) -> Option<PrecisionSearch<'t>> {
        let place = self.searches.iter().position(|search| search.is_at(precision))?;
        Some(self.searches.swap_remove(place))
    }

    fn follow_later(&mut self, paths: PathExploration<'t>) {
        if self.alarms.len() < MOST_ALARMS {
            self.alarms.push(paths);
        }
    }
}

/// What has been seen in the round that is under way.
#[derive(Default)]
struct Round {
    /// A usual precision only lacks work.
    lacks_work: bool,
    has_lists: bool,
    /// The turn has ended amid the precisions: so much is left of the share of the next one.
    left: Option<u64>,
}

pub(crate) struct Attempt<'t> {
    task: &'t Task,
    settings: &'t Settings,
    /// What all searches know of the program.
    facts: Arc<ProgramFacts<'t>>,
    /// Counts the work of this attempt.
    work: WorkMeter,
    /// Whether paths have more to find.
    paths: PathsAre,
    precisions: Precisions,
    /// How often every precision has had its share.
    rounds: u32,
    round: Round,
    /// Faults that could not be excluded; paths have been followed to each.
    alarms: Vec<Arc<Alarm>>,
    /// Trees were found with which nothing but an assertion fails.
    lacks_order: bool,
    underway: Underway<'t>,
    reasons: Vec<Reason>,
}

/// Whether paths have more to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PathsAre {
    Open,
    AtTheirEnd,
}

impl<'t> Attempt<'t> {
    pub(crate) fn new(task: &'t Task, settings: &'t Settings) -> Attempt<'t> {
        Attempt {
            task,
            settings,
            facts: Arc::new(ProgramFacts::of(task)),
            work: WorkMeter::default(),
            paths: PathsAre::Open,
            precisions: first_precisions(task),
            rounds: 0,
            round: Round::default(),
            alarms: Vec::new(),
            lacks_order: false,
            underway: Underway::default(),
            reasons: Vec::new(),
        }
    }

    /// Goes on for the time of a run, and tells who counts how much work it was.
    pub(crate) fn go_on(&mut self, run: &Run<'t>) -> Finding {
        let before = self.work.units();
        let finding = self.work_on(run);
        run.deadline.spend(self.work.units() - before);
        finding
    }

    fn work_on(&mut self, run: &Run<'t>) -> Finding {
        let Attempt { task, settings, .. } = *self;
        let left = settings.most_work.saturating_sub(self.work.units());
        let deadline = run.deadline.at_most(settings.time).at_most_units(&self.work, left);
        let run = run.until(&deadline);
        // Invariants say nothing of how often a loop is run; paths that all end do.
        if !settings.summaries || task.specification.asks(Part::Termination) {
            let (explored, statistics) = explore(task, settings, None, &run);
            return self.decided(explored, statistics).unwrap_or_else(|| self.open());
        }
        loop {
            let share = settings.first_share.saturating_mul(GROWTH.saturating_pow(self.rounds));
            // Paths have a share in every turn: they find what is faulty, and are few.
            let found = self
                .follow_paths(&run, share)
                .or_else(|| self.follow_alarms(&run, share))
                .or_else(|| self.look_for_invariants(&run, share));
            if let Some(finding) = found {
                return finding;
            }
            let is_done = self.paths == PathsAre::AtTheirEnd && self.precisions.are_all_tried();
            if is_done || deadline.is_over() {
                return self.open();
            }
            self.precisions.again();
            self.rounds += 1;
            self.round = Round::default();
        }
    }

    /// Goes on with all paths.
    fn follow_paths(&mut self, run: &Run<'t>, share: u64) -> Option<Finding> {
        let is_their_turn =
            self.settings.paths == PathTurns::First || self.precisions.are_all_tried();
        if self.paths == PathsAre::AtTheirEnd || !is_their_turn {
            return None;
        }
        let mut paths = match self.underway.paths.take() {
            Some(paths) => paths,
            None => match self.prepare_paths(None, run) {
                Ok(paths) => paths,
                Err(reason) => {
                    self.paths = PathsAre::AtTheirEnd;
                    self.reasons.push(reason);
                    return None;
                }
            },
        };
        let share = share.saturating_mul(PATHS_FOR_A_PRECISION);
        match paths.go_on(&run.deadline.at_most_units(&self.work, share), &run.deadline) {
            Explored::Interrupted(reasons) => {
                self.reasons.extend(reasons);
                self.underway.paths = paths.is_whole().then_some(paths);
                None
            }
            explored => {
                self.paths = PathsAre::AtTheirEnd;
                self.decided(explored, paths.into_statistics())
            }
        }
    }

    /// Goes on with paths along the trails of alarms.
    fn follow_alarms(&mut self, run: &Run<'t>, share: u64) -> Option<Finding> {
        if self.paths == PathsAre::AtTheirEnd {
            return None;
        }
        let explorations = std::mem::take(&mut self.underway.alarms);
        explorations.into_iter().find_map(|paths| self.follow_alarm(run, paths, share))
    }

    fn follow_alarm(
        &mut self,
        run: &Run<'t>,
        mut paths: PathExploration<'t>,
        share: u64,
    ) -> Option<Finding> {
        let share = share / PRECISION_FOR_AN_ALARM;
        match paths.go_on(&run.deadline.at_most_units(&self.work, share), &run.deadline) {
            Explored::Open(_) => None,
            Explored::Interrupted(_) => {
                if paths.is_whole() {
                    self.underway.follow_later(paths);
                }
                None
            }
            explored @ (Explored::Complete(_) | Explored::Violation(_)) => {
                self.decided(explored, paths.into_statistics())
            }
        }
    }

    /// Tries one precision after another.
    fn look_for_invariants(&mut self, run: &Run<'t>, share: u64) -> Option<Finding> {
        while let Some(precision) = self.precisions.next() {
            let share = self.round.left.take().unwrap_or_else(|| self.share_of(&precision, share));
            let search = match self.underway.take_search(&precision) {
                Some(search) => Ok(search),
                None => {
                    let facts = Arc::clone(&self.facts);
                    PrecisionSearch::prepare(facts, self.settings, &precision, run)
                }
            };
            let found = match search {
                Ok(search) => self.search(run, search, precision, share),
                Err(reason) => {
                    self.note(run, &reason.into());
                    None
                }
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// What a precision gets in a round of such shares. As long as usual ones only lack work and there may be lists, they are
    /// likelier to do than those that see more of numbers, which get less.
    fn share_of(&self, precision: &Precision, share: u64) -> u64 {
        let Round { lacks_work, has_lists, .. } = self.round;
        let waits = lacks_work && has_lists && precision.sees_more_of_numbers();
        match precision.arrays {
            Arrays::Laws | Arrays::Rows if !has_lists => share.saturating_mul(LAWS_FOR_USUAL),
            _ if self.lacks_order && precision.sees_more_of_trees() => {
                share.saturating_mul(MORE_OF_TREES_FOR_USUAL)
            }
            _ if waits => share / USUAL_FOR_UNUSUAL,
            Arrays::Split | Arrays::Smashed | Arrays::Texts | Arrays::Laws | Arrays::Rows => share,
        }
    }

    /// Goes on with one search for its share.
    fn search(
        &mut self,
        run: &Run<'t>,
        mut search: PrecisionSearch<'t>,
        precision: Precision,
        share: u64,
    ) -> Option<Finding> {
        search.begin_turn(&run.deadline.at_most_units(&self.work, self.facts.edges), &run.deadline);
        let begun = self.work.units();
        let Failure { cause, feedback } =
            match search.go_on(&run.deadline.at_most_units(&self.work, share), &run.deadline) {
                Ok((certificate, statistics)) => {
                    let settings = self.settings.for_checking();
                    let proof = Closed { settings, certificate, statistics };
                    return Some(Finding::Proved(Box::new(proof)));
                }
                Err(failure) => failure,
            };
        if run.deadline.is_over() {
            self.precisions.put_back(precision);
            let used = self.work.units() - begun;
            // One that begins anew has its whole share again.
            let is_kept = cause == NoProof::TimeIsOver;
            self.round.left = Some(if is_kept { share.saturating_sub(used) } else { share });
            if is_kept {
                self.underway.searches.push(search);
            }
            self.reasons.insert(0, NoProof::TimeIsOver.reason());
            return Some(self.open());
        }
        self.round.has_lists |= feedback.has_lists;
        self.round.lacks_work |= feedback.needs_time && !precision.sees_more_of_numbers();
        self.lacks_order |= !precision.trees.is_empty()
            && !feedback.needs_time
            && cause.part(self.task) == Some(Part::UnreachCall);
        if feedback.needs_time {
            self.underway.searches.push(search);
        }
        self.precisions.failed(precision, feedback);
        self.note(run, &cause);
        self.look_at(run, &cause, share)
    }

    /// Follows paths to an alarm that is new.
    fn look_at(&mut self, run: &Run<'t>, cause: &NoProof, share: u64) -> Option<Finding> {
        let alarm = cause.alarm().filter(|alarm| self.is_worth_a_look(alarm))?;
        self.alarms.push(Arc::clone(alarm));
        let alarm = Some(Arc::clone(alarm));
        let paths = self.prepare_paths(alarm, run).ok()?;
        self.follow_alarm(run, paths, share)
    }

    fn prepare_paths(
        &self,
        alarm: Option<Arc<Alarm>>,
        run: &Run<'t>,
    ) -> Result<PathExploration<'t>, Reason> {
        PathExploration::prepare(Arc::clone(&self.facts), self.settings, alarm, run)
    }

    /// Keeps why there is no proof, the newest first.
    fn note(&mut self, run: &Run<'_>, cause: &NoProof) {
        let reason = cause.reason().about(cause.part(self.task));
        run.obstacle(NAME, &reason);
        self.reasons.insert(0, reason);
    }

    /// Whether paths should be followed to an alarm. A search of all paths that has come to its end
    /// has nothing more to find.
    fn is_worth_a_look(&self, alarm: &Arc<Alarm>) -> bool {
        self.paths == PathsAre::Open && !self.alarms.contains(alarm)
    }

    /// Not decided; each reason once.
    fn open(&mut self) -> Finding {
        let mut different: Vec<Reason> = Vec::new();
        for reason in std::mem::take(&mut self.reasons) {
            if !different.contains(&reason) {
                different.push(reason);
            }
        }
        self.reasons.clone_from(&different);
        Finding::Open(different)
    }

    /// What paths decide; otherwise their reasons are kept.
    fn decided(&mut self, explored: Explored, statistics: Statistics) -> Option<Finding> {
        match explored {
            Explored::Complete(paths) => {
                let settings = self.settings.for_checking();
                Some(Finding::Proved(Box::new(AllPaths { settings, statistics, paths })))
            }
            Explored::Violation(inputs) => Some(Finding::Refuted(inputs)),
            Explored::Open(reasons) | Explored::Interrupted(reasons) => {
                self.reasons.extend(reasons);
                None
            }
        }
    }
}

/// The precisions that are tried whatever is learnt.
fn first_precisions(task: &Task) -> Precisions {
    let asks_for_assertions = task.specification.asks(Part::UnreachCall);
    let copies = (asks_for_assertions && copies_numbers(&task.program)).then(with_copies);
    let keys = (asks_for_assertions && compares_keys(&task.program)).then(with_keys);
    let at_the_end: Vec<Precision> = keys.into_iter().flatten().chain(copies).collect();
    Precisions::new(asks_for_assertions, &at_the_end)
}
