//! An attempt at a task: what is tried in turn, and what earlier turns have learnt.
//!
//! Paths come first, for a while: they find faults and decide what is bounded. Then lists are folded,
//! which proves what is not, in one precision after the other; where that fails, paths are followed to the
//! alarm. Then paths again, with the time that is left.
//! If the time of a turn is over before that, the next turn goes on with the precision that was tried last.
//! Shares are of work, not of time, so that a busy machine does not decide which precision is given up.

use std::sync::Arc;
use std::time::Duration;

use heapwright_engine::{Deadline, Finding, Reason, Run, Task};
use heapwright_property::Part;

use crate::analysis::paths::{Explored, explore};
use crate::heap::trail::Alarm;
use crate::no_proof::NoProof;
use crate::proof::all_paths::AllPaths;
use crate::proof::closed::Closed;
use crate::settings::{NAME, Settings};
use crate::statistics::Statistics;
use crate::strategy::order::Precisions;
use crate::strategy::search::{Failure, summarise};

pub(crate) struct Attempt<'t> {
    task: &'t Task,
    settings: &'t Settings,
    /// How the first look at paths ended, once it was taken.
    first_look: Option<FirstLook>,
    precisions: Precisions,
    /// How often every precision has had its share.
    rounds: usize,
    /// Faults that could not be excluded; paths have been followed to each.
    alarms: Vec<Arc<Alarm>>,
    reasons: Vec<Reason>,
}

/// How the first look at paths ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstLook {
    /// Before its time: there is nothing more to find.
    AtItsEnd,
    ForWantOfTime,
}

impl<'t> Attempt<'t> {
    pub(crate) fn new(task: &'t Task, settings: &'t Settings) -> Attempt<'t> {
        Attempt {
            task,
            settings,
            first_look: None,
            precisions: Precisions::new(task.specification.asks(Part::UnreachCall)),
            rounds: 0,
            alarms: Vec::new(),
            reasons: Vec::new(),
        }
    }

    /// Keeps why there is no proof, the newest first.
    fn note(&mut self, run: &Run<'_>, cause: &NoProof) {
        let reason = cause.reason().about(cause.part(self.task));
        run.obstacle(NAME, &reason);
        self.reasons.insert(0, reason);
    }

    /// Goes on for the time of a run.
    pub(crate) fn go_on(&mut self, run: &Run<'_>) -> Finding {
        let Attempt { task, settings, .. } = *self;
        let deadline = run.deadline.at_most(settings.time);
        if task.specification.asks(Part::NoOverflow) {
            return Finding::Open(vec![Reason::new("signed overflow is not checked")]);
        }
        // Invariants say nothing of how often a loop is run; paths that all end do.
        if !settings.summaries || task.specification.asks(Part::Termination) {
            let (explored, statistics) = explore(task, settings, None, &run.until(&deadline));
            return self.finding(explored, statistics);
        }
        if self.first_look.is_none() {
            let first = self.share(&deadline, settings.first_look);
            match explore(task, settings, None, &run.until(&first)) {
                (Explored::Open(open), _) => self.reasons.extend(open),
                (decided, statistics) => return self.finding(decided, statistics),
            }
            let is_over = first.is_over();
            self.first_look =
                Some(if is_over { FirstLook::ForWantOfTime } else { FirstLook::AtItsEnd });
        }
        if let Some(finding) = self.look_for_invariants(run, &deadline) {
            return finding;
        }
        if self.first_look == Some(FirstLook::AtItsEnd) {
            return self.open();
        }
        // Half of the time along the trail of the first alarm, which knows most, if there is one.
        let half = deadline.remaining().map_or(settings.time, |time| time / 2);
        let guided = self.alarms.first().cloned();
        let guided = guided.map(|alarm| (Some(alarm), deadline.at_most(half)));
        for (alarm, deadline) in guided.into_iter().chain([(None, deadline.clone())]) {
            match explore(task, settings, alarm, &run.until(&deadline)) {
                (Explored::Open(more), _) => self.reasons.extend(more),
                (decided, statistics) => return self.finding(decided, statistics),
            }
        }
        self.open()
    }

    /// Tries one precision after another, each round for longer.
    fn look_for_invariants(&mut self, run: &Run<'_>, deadline: &Deadline) -> Option<Finding> {
        let Attempt { task, settings, .. } = *self;
        // Ever longer, so that a precision which would take long does not keep one waiting that would not.
        let look = settings.summary_first_look;
        let shares = [settings.summary_glance, look / 3, look, settings.summary_time];
        while let Some(&share) = shares.get(self.rounds) {
            while let Some(precision) = self.precisions.next() {
                let share = self.share(deadline, share);
                let rest = if settings.asks_nobody() { deadline } else { &share };
                match summarise(task, settings, &precision, &run.until(&share), rest) {
                    Ok((certificate, statistics)) => {
                        let settings = settings.for_checking();
                        let proof = Closed { settings, certificate, statistics };
                        return Some(Finding::Proved(Box::new(proof)));
                    }
                    Err(_) if deadline.is_over() => {
                        self.precisions.put_back(precision);
                        self.reasons.insert(0, NoProof::TimeIsOver.reason());
                        return Some(self.open());
                    }
                    Err(Failure { cause, mut feedback }) => {
                        // What a solver could not answer in time looks like another failure.
                        feedback.needs_time |= share.is_over();
                        self.precisions.failed(precision, feedback);
                        self.note(run, &cause);
                        let alarm = cause.alarm().filter(|alarm| self.is_worth_a_look(alarm));
                        let Some(alarm) = alarm.cloned() else {
                            continue;
                        };
                        self.alarms.push(Arc::clone(&alarm));
                        let look = self.share(deadline, settings.alarm_look);
                        match explore(task, settings, Some(alarm), &run.until(&look)) {
                            (Explored::Open(_), _) => {}
                            (decided, statistics) => {
                                return Some(self.finding(decided, statistics));
                            }
                        }
                    }
                }
            }
            self.precisions.again();
            self.rounds += 1;
        }
        None
    }

    /// A share of the work; of the time, where other processes do part of it.
    fn share(&self, deadline: &Deadline, time: Duration) -> Deadline {
        if self.settings.asks_nobody() {
            deadline.at_most_work(time)
        } else {
            deadline.at_most(time)
        }
    }

    /// Whether paths should be followed to an alarm. A search of all paths that ended before its time
    /// has nothing more to find.
    fn is_worth_a_look(&self, alarm: &Arc<Alarm>) -> bool {
        self.first_look == Some(FirstLook::ForWantOfTime) && !self.alarms.contains(alarm)
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

    fn finding(&self, explored: Explored, statistics: Statistics) -> Finding {
        match explored {
            Explored::Complete(paths) => {
                let settings = self.settings.for_checking();
                Finding::Proved(Box::new(AllPaths { settings, statistics, paths }))
            }
            Explored::Violation(inputs) => Finding::Refuted(inputs),
            Explored::Open(reasons) => Finding::Open(reasons),
        }
    }
}
