//! One turn: an engine works on a question until its share is over, and the gate hears what it says.

use std::fmt;
use std::time::Instant;

use heapwright_engine::{
    Attempt, Board, Deadline, Event, Fact, Reason, Run, Settlement, Task, WorkMeter,
};
use heapwright_verdict::{Conclusion, Scrutiny, Verdict, scrutinise};

use crate::decision::{Decision, Proved, Shown, TurnTaken};
use crate::rounds::Portfolio;

/// Runs work that may panic: our own bugs are the caller's to tell, and one engine's are no other's.
pub trait Safeguard: fmt::Debug {
    /// `Err` is the bug as a reason.
    fn run(&self, work: &mut dyn FnMut()) -> Result<(), Reason>;
}

/// Keeps what is known, for the case that an engine does not come back.
pub trait Keeper: fmt::Debug {
    fn keep(&self, decision: &Decision);
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forgetful;

impl Keeper for Forgetful {
    fn keep(&self, _: &Decision) {}
}

/// Lets panics through.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unguarded;

impl Safeguard for Unguarded {
    fn run(&self, work: &mut dyn FnMut()) -> Result<(), Reason> {
        work();
        Ok(())
    }
}

/// An engine at work on a question.
pub(crate) struct Seat<'t> {
    pub(crate) engine: &'static str,
    pub(crate) task: &'t Task,
    pub(crate) attempt: Attempt<'t>,
    /// Whether the question is the whole one.
    pub(crate) is_whole: bool,
}

/// What a turn led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turned {
    /// Every part of the question holds.
    Proved,
    /// Some part is violated.
    Refuted,
    /// The engine would go on if it had more time.
    Unfinished,
    /// It has nothing more to say.
    GaveUp,
}

impl Portfolio<'_> {
    pub(crate) fn turn<'t>(
        &'t self,
        seat: &mut Seat<'t>,
        (share, board): (&Deadline, &'t Board),
        decision: &mut Decision,
    ) -> Turned {
        let Seat { engine, task, is_whole, .. } = *seat;
        self.observer.notice(&Event::TurnBegins { engine, parts: &task.specification.parts });
        let start = Instant::now();
        let meter = WorkMeter::default();
        let counted = share.at_most_units(&meter, u64::MAX);
        let mut conclusion = None;
        let guarded = self.safeguard.run(&mut || {
            let run =
                Run { deadline: counted.clone(), observer: self.observer, board: Some(board) };
            let finding = (seat.attempt)(&run);
            let scrutiny = Scrutiny { effort: self.effort, proof_time: start.elapsed() };
            conclusion = Some(scrutinise(task, finding, scrutiny, self.deadline));
        });
        let time = start.elapsed();
        decision.turns.push(TurnTaken { engine, time, work: meter.units() });
        self.observer.notice(&Event::TurnEnds { engine, elapsed: time });
        let conclusion = match (guarded, conclusion) {
            (Ok(()), Some(conclusion)) => conclusion,
            (Err(bug), _) => Verdict::Unknown(vec![bug]).into(),
            (Ok(()), None) => unreachable!("work that did not fail has a conclusion"),
        };
        let is_over = share.is_over();
        let turned =
            self.conclude((engine, task, is_whole), conclusion, (is_over, board), decision);
        decision.facts = board.facts();
        self.keeper.keep(decision);
        turned
    }

    /// Files what the gate says.
    fn conclude(
        &self,
        (engine, task, is_whole): (&'static str, &Task, bool),
        Conclusion { verdict, refutation }: Conclusion,
        (is_over, board): (bool, &Board),
        decision: &mut Decision,
    ) -> Turned {
        decision.refuted.extend(refutation.map(|refutation| (engine, *refutation)));
        match verdict {
            Verdict::Holds(proof) => {
                let parts = &task.specification.parts;
                for &part in parts {
                    board.publish(engine, Fact::Holds(part));
                    self.settled(engine, part, Settlement::Holds);
                }
                for fact in proof.facts() {
                    self.observer.notice(&Event::Learnt { engine, fact });
                    board.publish(engine, fact.clone());
                }
                let excused = task.specification.excused.clone();
                decision.holds(parts, Proved { engine, proof, excused });
                Turned::Proved
            }
            Verdict::Violated(violation) => {
                self.settled(engine, violation.part(), Settlement::Violated);
                decision.violated(Shown { engine, violation });
                Turned::Refuted
            }
            Verdict::Unknown(reasons) => {
                for reason in &reasons {
                    self.observer.notice(&Event::Obstacle { engine, reason });
                    if let Some(part) = reason.part {
                        board.publish(engine, Fact::Blocked { part, place: reason.place });
                    }
                }
                decision.open_for(engine, reasons, is_whole);
                if is_over { Turned::Unfinished } else { Turned::GaveUp }
            }
        }
    }

    fn settled(&self, engine: &'static str, part: heapwright_property::Part, answer: Settlement) {
        self.observer.notice(&Event::Settled { engine, part, answer });
    }
}
