//! The exploration without summaries: all paths, the shallow ones first.

use std::sync::Arc;

use heapwright_engine::{Deadline, Reason, Run, Task, replay_violates};
use heapwright_exploration::{Analysis, Budgets, Control, End, Explorer, Limit, Order, Step};
use heapwright_interpreter::DrawnInput;
use heapwright_memory::FaultKind;
use heapwright_program::Place;

use crate::abstraction::leak::leaks_at_end;
use crate::analysis::path_log::PathLog;
use crate::analysis::replay::inputs_of;
use crate::analysis::search::Search;
use crate::execution::outcome::{Outcome, is_excused};
use crate::heap::state::State;
use crate::heap::trail::{Alarm, Trails};
use crate::no_proof::NoProof;
use crate::precision::Precision;
use crate::program_facts::ProgramFacts;
use crate::settings::Settings;
use crate::statistics::Statistics;

/// What came of an exploration.
#[derive(Debug)]
pub(crate) enum Explored {
    /// Every path was followed to its end and none is faulty.
    Complete(PathLog),
    /// Inputs that lead to a violation.
    Violation(Vec<DrawnInput>),
    /// Something was not followed, and will not be.
    Open(Vec<Reason>),
    /// The time was over, or the share of the work.
    Interrupted(Vec<Reason>),
}

/// Reasons that are kept.
const REASONS: usize = 5;

/// Steps after which those who look on hear of it again.
const BETWEEN_NEWS: u64 = 1024;

/// Follows paths without summaries until a run ends, those along the trail of an alarm first, if there is
/// one.
pub(crate) fn explore(
    task: &Task,
    settings: &Settings,
    alarm: Option<Arc<Alarm>>,
    run: &Run<'_>,
) -> (Explored, Statistics) {
    let facts = Arc::new(ProgramFacts::of(task));
    match PathExploration::prepare(facts, settings, alarm, run) {
        Ok(mut exploration) => {
            let explored = exploration.go_on(&run.deadline, &run.deadline);
            (explored, exploration.into_statistics())
        }
        Err(reason) => (Explored::Open(vec![reason]), Statistics::default()),
    }
}

/// An exploration of paths, which can be gone on with.
pub(crate) struct PathExploration<'t> {
    paths: Paths<'t>,
    explorer: Explorer<Paths<'t>>,
}

impl<'t> PathExploration<'t> {
    pub(crate) fn prepare(
        facts: Arc<ProgramFacts<'t>>,
        settings: &Settings,
        alarm: Option<Arc<Alarm>>,
        run: &Run<'t>,
    ) -> Result<PathExploration<'t>, Reason> {
        let search = Search::on(facts, settings, Precision::for_paths(), run.deadline.clone());
        let (mut search, initial) = search.with_start()?;
        search.reasoner.services.observer = run.observer;
        search.branches.trails = alarm.map_or(Trails::Ignored, Trails::Followed);
        let paths = Paths { search, holes: Holes::default(), log: PathLog::default() };
        let mut explorer = Explorer::new(Order::LowestFirst);
        explorer.start(&paths, initial, (), None);
        Ok(PathExploration { paths, explorer })
    }

    /// Goes on for a share, which ends no question: a path whose question has no answer would be lost. Where the
    /// deadline has ended one, it must not go on ([`is_whole`](Self::is_whole)).
    pub(crate) fn go_on(&mut self, share: &Deadline, deadline: &Deadline) -> Explored {
        let services = &mut self.paths.search.reasoner.services;
        services.begin_turn(deadline);
        let (work, waiting) = (services.settings.steps, services.settings.waiting);
        let budgets = Budgets { work, waiting, ..Budgets::UNLIMITED };
        let is_over = || share.is_over();
        let end = self.explorer.run(&mut self.paths, &mut Control::new(budgets, &is_over));
        let why = match end {
            End::Complete => None,
            End::Decided => {
                let last = self.explorer.take_findings().pop();
                return Explored::Violation(last.expect("a decision has inputs").finding);
            }
            End::Limited(Limit::Interrupted) => {
                let why = NoProof::TimeIsOver.reason();
                return Explored::Interrupted(self.paths.holes.with(why).reasons);
            }
            End::Limited(Limit::Work) => {
                Some(Reason::new("the step limit of the exploration was reached"))
            }
            End::Limited(Limit::Waiting) => Some(Reason::new("too many paths wait to be explored")),
            End::Limited(Limit::Nodes | Limit::AtOnePlace) => {
                Some(Reason::new("the exploration is too large"))
            }
        };
        let mut holes = match why {
            Some(why) => self.paths.holes.with(why),
            None => self.paths.holes.clone(),
        };
        if let Some(failure) = self.paths.search.reasoner.failure() {
            holes.reasons.insert(0, failure);
        }
        match holes.reasons.is_empty() {
            true => Explored::Complete(std::mem::take(&mut self.paths.log)),
            false => Explored::Open(holes.reasons),
        }
    }

    /// Whether every question has had its answer, so that it may be gone on with.
    pub(crate) fn is_whole(&self) -> bool {
        !self.paths.search.reasoner.services.deadline.is_over()
    }

    /// What was counted.
    pub(crate) fn into_statistics(self) -> Statistics {
        self.paths.search.reasoner.services.statistics
    }
}

/// What was not followed: the first few different reasons.
#[derive(Clone, Debug, Default)]
struct Holes {
    reasons: Vec<Reason>,
}

impl Holes {
    fn add(&mut self, reason: Reason) {
        if self.reasons.len() < REASONS && !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }

    /// The same, and one more.
    fn with(&self, reason: Reason) -> Holes {
        let mut holes = self.clone();
        holes.add(reason);
        holes
    }
}

/// The analysis: exact, so that states never meet and none is kept.
struct Paths<'t> {
    search: Search<'t>,
    holes: Holes,
    log: PathLog,
}

impl Analysis for Paths<'_> {
    type State = State;
    type Precision = ();
    type Meeting = ();
    type Label = ();
    /// Inputs of a violation.
    type Finding = Vec<DrawnInput>;

    /// Fewer decisions first, and those nearer to the trail of an alarm, if there is one.
    fn priority(&self, state: &State) -> u64 {
        state.trail.priority(state.depth)
    }

    /// Follows a path until it forks, ends or comes around a loop.
    fn transfer(
        &mut self,
        state: State,
        (): &(),
        step: &mut Step<'_, Self>,
    ) -> Result<(), Vec<DrawnInput>> {
        let before = self.search.reasoner.services.statistics.steps;
        let phase = self.search.branches.trails.phase();
        let depth = u64::from(state.depth);
        let result = self.follow(state, step);
        let reasoner = &self.search.reasoner;
        let after = reasoner.services.statistics.steps;
        if after / BETWEEN_NEWS > before / BETWEEN_NEWS {
            reasoner.tell_progress(phase, depth);
        }
        step.count_work(after - before);
        result
    }
}

impl Paths<'_> {
    fn follow(
        &mut self,
        mut state: State,
        step: &mut Step<'_, Self>,
    ) -> Result<(), Vec<DrawnInput>> {
        for round in 0u64.. {
            if round % 256 == 255 && step.is_over() {
                step.go_on((), state);
                break;
            }
            let outcomes = self.search.executor().step(state);
            let is_fork = outcomes.len() > 1;
            let mut next = None;
            for outcome in outcomes {
                match outcome {
                    Outcome::Continues(state) | Outcome::Again(state) if is_fork => {
                        step.go_on((), state);
                    }
                    Outcome::Continues(state) | Outcome::Again(state) => next = Some(state),
                    Outcome::Fault { state, kind, place } => {
                        self.search.reasoner.services.statistics.paths += 1;
                        if !is_excused(self.search.reasoner.names.task(), kind) {
                            self.fault(&state, kind, place)?;
                        }
                    }
                    Outcome::Ends { state, place } => {
                        self.search.reasoner.services.statistics.paths += 1;
                        self.log.note(&mut self.search, &state);
                        if leaks_at_end(&mut self.search.reasoner, &state) {
                            self.fault(&state, FaultKind::Leak, place)?;
                        }
                    }
                    Outcome::Calls(_) | Outcome::Returns(_) => {
                        unreachable!("paths follow every call")
                    }
                    Outcome::Blocked => self.search.reasoner.services.statistics.paths += 1,
                    Outcome::Unknown(reason) => {
                        self.search.reasoner.services.statistics.paths += 1;
                        self.holes.add(reason);
                    }
                }
            }
            let Some(only) = next else { break };
            state = only;
            let frame = state.frame();
            if self.search.reasoner.names.facts.is_loop_head(frame.function, frame.location) {
                state.depth += 1;
                step.go_on((), state);
                break;
            }
        }
        Ok(())
    }

    /// A fault is a violation if the interpreter finds one with the same inputs.
    fn fault(
        &mut self,
        state: &State,
        kind: FaultKind,
        place: Place,
    ) -> Result<(), Vec<DrawnInput>> {
        let Some(inputs) = inputs_of(&mut self.search.reasoner, state) else {
            let reason = Reason::at(format!("whether a {kind} can happen"), place);
            self.holes.add(reason.about(self.search.reasoner.names.task().part_of(kind)));
            return Ok(());
        };
        if replay_violates(self.search.reasoner.names.task(), &inputs) {
            return Err(inputs);
        }
        let reason = Reason::at(format!("a possible {kind} that no execution confirmed"), place);
        self.holes.add(reason.about(self.search.reasoner.names.task().part_of(kind)));
        Ok(())
    }
}
