//! One turn: an engine works on a question until its share is over, and the gate hears what it says.

use std::fmt;

use heapwright_engine::{Event, Fact, Published, Reason, Settlement, Sharing, Task};
use heapwright_verdict::{Conclusion, Verdict};

use crate::decision::{Decision, Proved, Shown, TurnTaken};
use crate::rounds::Course;
use crate::seat::{Assignment, Seat, Work};
use crate::shares::Share;

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

impl Course<'_> {
    /// The turn of a seat: what it found is heard, and filed.
    pub(crate) fn turn(
        &self,
        seat: &mut Seat<'_>,
        share: Share,
        decision: &mut Decision,
    ) -> Turned {
        let Seat { engine, task, is_whole, .. } = *seat;
        self.observer.notice(&Event::TurnBegins { engine, parts: &task.specification.parts });
        let assignment = self.assignment(share, self.facts_for(seat, decision));
        let Work { conclusion, time, units, is_over, published } =
            seat.take_turn(self.manner(), assignment, self.observer);
        decision.turns.push(TurnTaken { engine, time, work: units });
        self.observer.notice(&Event::TurnEnds { engine, elapsed: time });
        decision.file_facts(published);
        let turned = self.conclude((engine, task, is_whole), conclusion, is_over, decision);
        self.keeper.keep(decision);
        turned
    }

    /// Lets the next in line begin, if it can. It does not see what the turn that is not over publishes.
    pub(crate) fn begin_ahead(&self, next: &mut Seat<'_>, share: Share, decision: &Decision) {
        if next.can_begin() {
            next.begin(self.assignment(share, decision.facts.clone()));
        }
    }

    /// What an engine may know: one that may begin ahead of its time does not see the last turn.
    fn facts_for(&self, seat: &Seat<'_>, decision: &Decision) -> Vec<Published> {
        match seat.sees_last_turn {
            true => decision.facts.clone(),
            false => decision.facts_before_last().to_vec(),
        }
    }

    fn assignment(&self, share: Share, known: Vec<Published>) -> Assignment {
        let known = match self.sharing {
            Sharing::Shared => known,
            Sharing::Hidden => Vec::new(),
        };
        Assignment { deadline: self.deadline.clone(), share, known }
    }

    /// Files what the gate says.
    fn conclude(
        &self,
        (engine, task, is_whole): (&'static str, &Task, bool),
        Conclusion { verdict, refutation }: Conclusion,
        is_over: bool,
        decision: &mut Decision,
    ) -> Turned {
        decision.refuted.extend(refutation.map(|refutation| (engine, *refutation)));
        match verdict {
            Verdict::Holds(proof) => {
                let parts = &task.specification.parts;
                for &part in parts {
                    decision.publish(engine, Fact::Holds(part));
                    self.settled(engine, part, Settlement::Holds);
                }
                for fact in proof.facts() {
                    self.observer.notice(&Event::Learnt { engine, fact });
                    decision.publish(engine, fact.clone());
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
                        decision.publish(engine, Fact::Blocked { part, place: reason.place });
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
