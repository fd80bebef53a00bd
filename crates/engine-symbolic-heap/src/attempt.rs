//! An attempt at a task: what is tried in turn, and what earlier turns have learnt.
//!
//! Paths come first, for a while: they find faults and decide what is bounded. Then lists are folded,
//! which proves what is not, in one way after the other. Then paths again, with the time that is left.
//! If the time of a turn is over before that, the next turn goes on with the way that was tried last.
//! Shares are of work, not of time, so that a busy machine does not decide which way is given up.

use heapwright_engine::{Finding, Reason, Run, Task};
use heapwright_property::Part;

use crate::explore::Explored;
use crate::settings::Settings;
use crate::statistics::Statistics;
use crate::way::Ways;
use crate::{AllPaths, Closed, TIME_IS_OVER, explore, summarise};

pub(crate) struct Attempt<'t> {
    task: &'t Task,
    settings: &'t Settings,
    /// How the first look at paths ended, once it was taken.
    first_look: Option<FirstLook>,
    ways: Ways,
    /// How often every way has had its share.
    rounds: usize,
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
        let reasons = Vec::new();
        Attempt { task, settings, first_look: None, ways: Ways::new(), rounds: 0, reasons }
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
            let (explored, statistics) = explore(task, settings, &deadline);
            return self.finding(explored, statistics);
        }
        if self.first_look.is_none() {
            let first = deadline.at_most_work(settings.first_look);
            match explore(task, settings, &first) {
                (Explored::Open(open), _) => self.reasons.extend(open),
                (decided, statistics) => return self.finding(decided, statistics),
            }
            let is_over = first.is_over();
            self.first_look =
                Some(if is_over { FirstLook::ForWantOfTime } else { FirstLook::AtItsEnd });
        }
        let shares = [settings.summary_glance, settings.summary_first_look, settings.summary_time];
        while let Some(&share) = shares.get(self.rounds) {
            while let Some(way) = self.ways.next() {
                let share = deadline.at_most_work(share);
                match summarise(task, settings, &way, (&share, &deadline)) {
                    Ok((invariants, statistics)) => {
                        let settings = settings.for_checking();
                        let proof = Closed { settings, way, invariants, statistics };
                        return Finding::Proved(Box::new(proof));
                    }
                    Err(_) if deadline.is_over() => {
                        self.ways.put_back(way);
                        self.reasons.insert(0, Reason::new(TIME_IS_OVER));
                        return self.open();
                    }
                    Err(failure) => {
                        self.ways.failed(way, &failure);
                        self.reasons.insert(0, failure.reason);
                    }
                }
            }
            self.ways.again();
            self.rounds += 1;
        }
        if self.first_look == Some(FirstLook::AtItsEnd) {
            return self.open();
        }
        match explore(task, settings, &deadline) {
            (Explored::Open(more), _) => {
                self.reasons.extend(more);
                self.open()
            }
            (decided, statistics) => self.finding(decided, statistics),
        }
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
            Explored::Complete => {
                let settings = self.settings.for_checking();
                Finding::Proved(Box::new(AllPaths { settings, statistics }))
            }
            Explored::Violation(inputs) => Finding::Refuted(inputs),
            Explored::Open(reasons) => Finding::Open(reasons),
        }
    }
}
