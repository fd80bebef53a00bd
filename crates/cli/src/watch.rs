//! Watching the work: what is known so far is kept where it outlives an engine that does not come back,
//! and what happens is written to a trace for those who asked for one.

use std::cell::RefCell;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use heapwright_engine::{Attention, Deadline, Event, Gap, Observer, Task};
use heapwright_portfolio::{Decision, Keeper};
use heapwright_report::{Answer, CheckReport, FailureReport, ReasonReport, Reproduction};

use crate::decide::tell;
use crate::live::Board;
use crate::trace::Trace;

/// What is known, for whoever has to answer when the work is given up.
#[derive(Clone, Debug, Default)]
pub(crate) struct SoFar {
    known: Arc<Mutex<Known>>,
}

#[derive(Debug, Default)]
struct Known {
    report: Option<CheckReport>,
    /// Of the turn that is not over.
    obstacles: Vec<ReasonReport>,
}

impl SoFar {
    /// The report as far as it is known; its reasons include those of the engine at work.
    pub(crate) fn take(&self) -> Option<CheckReport> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let obstacles = std::mem::take(&mut known.obstacles);
        let mut report = known.report.take()?;
        if let Answer::Unknown { reasons } = &mut report.answer {
            reasons.extend(obstacles);
            reasons.sort_by_key(|reason| reason.place.is_none());
        }
        Some(report)
    }

    pub(crate) fn keep(&self, report: CheckReport) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.report = Some(report);
        known.obstacles.clear();
    }

    fn note(&self, reason: ReasonReport) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.obstacles.contains(&reason) {
            known.obstacles.push(reason);
        }
    }
}

/// The command line's eyes on one task.
pub(crate) struct Watch<'t> {
    pub(crate) task: &'t Task,
    pub(crate) reproduction: &'t Reproduction,
    /// About callers and missing functions.
    pub(crate) assumptions: &'t [String],
    /// The report without a decision.
    pub(crate) blank: CheckReport,
    pub(crate) so_far: SoFar,
    pub(crate) board: Board,
    pub(crate) trace: Option<RefCell<Trace>>,
    /// Where the last candidate for an invariant failed, if somebody wants to know.
    pub(crate) gap: Option<RefCell<Option<Gap>>>,
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}

impl Watch<'_> {
    /// Adds to the answer how its violation comes about. For after the last turn: what was kept until then
    /// is the answer without the story, should the time be over before that is told.
    pub(crate) fn tell_story(&self, decision: &Decision, answer: &mut Answer, deadline: &Deadline) {
        let (Answer::Violated(told), Some(shown)) = (answer, decision.violations.first()) else {
            return;
        };
        let start = Instant::now();
        told.tell_story(self.task, &shown.violation, deadline);
        if let Some(trace) = &self.trace {
            let steps = told.trace.as_ref().map_or(0, |trace| trace.steps.len());
            trace.borrow_mut().write_story(&self.task.program, steps, start.elapsed());
        }
    }
}

impl Watch<'_> {
    /// Why nothing was proved, of an answer that is not known.
    pub(crate) fn failure(&self, answer: &Answer) -> Option<FailureReport> {
        let gap = self.gap.as_ref().filter(|_| matches!(answer, Answer::Unknown { .. }))?.borrow();
        gap.as_ref().map(|gap| FailureReport::of(&self.task.program, gap))
    }
}

impl Keeper for Watch<'_> {
    fn keep(&self, decision: &Decision) {
        let told = tell(self.task, decision, self.reproduction, self.assumptions);
        self.so_far.keep(told.fill(self.blank.clone()));
    }
}

impl Observer for Watch<'_> {
    fn notice(&self, event: &Event<'_>) {
        self.board.note(event);
        if let Event::Obstacle { engine, reason } = event {
            self.so_far.note(ReasonReport::of(&self.task.program, engine, reason));
        }
        if let (Event::Failed(gap), Some(last)) = (event, &self.gap) {
            last.replace(Some((*gap).clone()));
        }
        if let Some(trace) = &self.trace {
            trace.borrow_mut().write(&self.task.program, event);
        }
    }

    fn attention(&self) -> Attention {
        match (&self.trace, &self.gap) {
            (Some(_), _) => Attention::Everything,
            (None, Some(_)) => Attention::Gaps,
            (None, None) => Attention::Outline,
        }
    }
}
