//! Rounds: the whole question, with more time each time, its parts apart, the whole question again with all the time left.

use std::ops::Deref;
use std::time::Instant;

use heapwright_engine::{
    Attention, Board, Deadline, Engine, Fact, Observer, Reason, Sharing, Task,
};
use heapwright_oracle::Effort;
use heapwright_property::Part;
use heapwright_verdict::MISSES_OVERFLOW;

use crate::ahead::{Cores, FIRST_ASIDE, Pace};
use crate::decision::{Decision, Given};
use crate::seat::{Manner, Seat};
use crate::shares::{Share, Shares};
use crate::turn::{Keeper, Safeguard, Turned};

/// Engines, and what they work under.
#[derive(Clone, Copy)]
pub struct Portfolio<'p> {
    /// In the order in which they are asked: cheap ones first.
    pub engines: &'p [Box<dyn Engine>],
    pub deadline: &'p Deadline,
    pub safeguard: &'p (dyn Safeguard + Sync),
    pub observer: &'p dyn Observer,
    pub keeper: &'p dyn Keeper,
    /// How hard proofs are run.
    pub effort: Effort,
    pub shares: Shares,
    pub extent: Extent,
    /// Whether engines see what others have published.
    pub sharing: Sharing,
    /// Whether engines may work at the same time.
    pub cores: Cores,
}

impl std::fmt::Debug for Portfolio<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.engines.iter().map(|engine| engine.name()).collect();
        f.debug_struct("Portfolio").field("engines", &names).finish_non_exhaustive()
    }
}

/// How much of an answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Whether the whole question holds: a violation of one part is the end.
    WholeQuestion,
    /// Each part for itself, as far as the time allows.
    EveryPart,
}

impl Portfolio<'_> {
    /// Answers a question.
    #[must_use]
    pub fn decide(&self, task: &Task) -> Decision {
        let mut decision = Decision::open(&task.specification.parts);
        if task.misses_overflow() {
            let reason = Reason::new(MISSES_OVERFLOW).about(Some(Part::NoOverflow));
            decision.reasons.push(Given { engine: None, reason });
            return decision;
        }
        // A trace tells what happens in the order in which it happens.
        let is_traced = self.observer.attention() == Attention::Everything;
        let pace = Pace::new(if is_traced { Cores::One } else { self.cores });
        Course { portfolio: *self, pace, start: Instant::now() }.ask_whole(task, &mut decision);
        decision.order_reasons();
        decision
    }
}

/// The work on one question.
pub(crate) struct Course<'p> {
    portfolio: Portfolio<'p>,
    pub(crate) pace: Pace,
    start: Instant,
}

impl<'p> Deref for Course<'p> {
    type Target = Portfolio<'p>;

    fn deref(&self) -> &Portfolio<'p> {
        &self.portfolio
    }
}

impl Course<'_> {
    pub(crate) fn manner(&self) -> Manner<'_> {
        Manner { safeguard: self.safeguard, effort: self.effort, shares: self.shares }
    }

    /// All rounds.
    fn ask_whole(&self, task: &Task, decision: &mut Decision) {
        self.with_seats((task, true), |mut line| {
            let mut waiting = Vec::new();
            for round in 0..Shares::ROUNDS {
                // Nobody waits for one that is alone: it is not interrupted before it has to be.
                let round = if line.len() == 1 { Shares::ROUNDS - 1 } else { round };
                let share = |_| Share::OfRound(round);
                match self.in_line(line, (self.deadline, share), decision) {
                    Line::Ended => return,
                    Line::Refuted => return self.ask_rest(task, decision),
                    Line::Open(unfinished) => waiting = unfinished,
                }
                if round == Shares::ROUNDS - 1 {
                    break;
                }
                line = Box::new(std::mem::take(&mut waiting).into_iter());
            }
            if self.extent == Extent::EveryPart {
                let questions = apart(decision);
                let half = Shares::half(self.deadline);
                self.ask_apart(task, &questions, &half, decision);
                if decision.open_parts().is_empty() || !decision.violations.is_empty() {
                    return;
                }
            }
            self.ask_again(task, waiting, decision);
        });
    }

    /// One turn for each, in this order. The share of a turn may depend on how many are still to come.
    fn in_line<'t>(
        &self,
        seats: impl ExactSizeIterator<Item = Seat<'t>>,
        (deadline, share): (&Deadline, impl Fn(usize) -> Share),
        decision: &mut Decision,
    ) -> Line<'t> {
        let mut line = seats.peekable();
        let mut unfinished = Vec::new();
        while let Some(mut seat) = line.next() {
            if deadline.is_over() {
                return Line::Ended;
            }
            let to_come = line.len();
            let waits = |seat: &Seat<'t>| seat.waits && share(to_come).is_short();
            if waits(&seat) {
                unfinished.push(seat);
                continue;
            }
            if self.pace.allows_two()
                && let Some(next) = line.peek_mut()
                && !waits(next)
            {
                self.begin_ahead(next, share(to_come), decision);
            }
            match self.turn(&mut seat, share(to_come + 1), decision) {
                Turned::Proved => return Line::Ended,
                Turned::Refuted => return Line::Refuted,
                // One that gave up before its time would only give up again.
                Turned::GaveUp => {}
                Turned::Unfinished => unfinished.push(seat),
            }
        }
        Line::Open(unfinished)
    }

    /// The last round: those who were not through go on. In the whole question an attempt knows what it
    /// learnt in the first round; but what was shown apart is not asked again.
    fn ask_again(&self, task: &Task, waiting: Vec<Seat<'_>>, decision: &mut Decision) {
        let open = decision.open_parts();
        if open.len() == decision.parts.len() {
            return self.go_on(task, waiting, decision);
        }
        let names: Vec<&str> = waiting.iter().map(|seat| seat.engine).collect();
        let question = task.apart(&open);
        self.with_seats((&question, false), |seats| {
            let seats = seats.filter(|seat| names.contains(&seat.engine));
            self.go_on(task, seats.collect(), decision);
        });
    }

    /// Each gets an even share of the time that is left.
    fn go_on(&self, task: &Task, seats: Vec<Seat<'_>>, decision: &mut Decision) {
        let share = |to_come| Share::Time(Shares::even(self.deadline, to_come).remaining());
        match self.in_line(seats.into_iter(), (self.deadline, share), decision) {
            Line::Refuted => self.ask_rest(task, decision),
            Line::Ended | Line::Open(_) => {}
        }
    }

    /// After a violation: what of the other parts?
    fn ask_rest(&self, task: &Task, decision: &mut Decision) {
        if self.extent == Extent::WholeQuestion {
            return;
        }
        let deadline = self.shares.rest(self.deadline, self.start.elapsed());
        // Ends because each round but the last settles a part.
        loop {
            let open = decision.open_parts();
            if open.is_empty() || deadline.is_over() {
                return;
            }
            self.ask_apart(task, std::slice::from_ref(&open), &deadline, decision);
            if decision.open_parts() == open {
                break;
            }
        }
        let questions = apart(decision);
        self.ask_apart(task, &questions, &deadline, decision);
    }

    /// Asks every engine about some parts, one set of parts after the other, until one decides.
    fn ask_apart(
        &self,
        task: &Task,
        questions: &[Vec<Part>],
        deadline: &Deadline,
        decision: &mut Decision,
    ) {
        for (index, parts) in questions.iter().enumerate() {
            if deadline.is_over() {
                return;
            }
            let limit = self.shares.apart(deadline, questions.len() - index);
            let question = task.apart(parts);
            self.with_seats((&question, false), |seats| {
                let share = |to_come| Share::Time(Shares::even(&limit, to_come).remaining());
                self.in_line(seats, (&limit, share), decision);
            });
        }
    }

    /// Does something with one seat for each engine; who is not asked needs neither a seat nor a thread.
    fn with_seats(&self, question: (&Task, bool), work: impl FnOnce(Seats<'_>)) {
        let boards: Vec<Board> = self.engines.iter().map(|_| Board::default()).collect();
        if !self.pace.uses_threads() {
            let here = |index| self.seat_here(index, question, &boards);
            return work(Box::new((0..boards.len()).map(here)));
        }
        let manner = (self.manner(), self.observer.attention());
        std::thread::scope(|scope| {
            let aside = |index: usize| {
                let engine = self.engines[index].as_ref();
                Seat::aside(engine, question, manner, scope)
            };
            let boards = &boards;
            let seat = move |index: usize| {
                let aside = if index < FIRST_ASIDE { None } else { aside(index) };
                aside.unwrap_or_else(|| self.seat_here(index, question, boards))
            };
            work(Box::new((0..boards.len()).map(seat)));
        });
    }

    fn seat_here<'t>(
        &'t self,
        index: usize,
        question: (&'t Task, bool),
        boards: &'t [Board],
    ) -> Seat<'t> {
        let engine = self.engines[index].as_ref();
        Seat::here(engine, question, (&boards[index], self.observer), index < FIRST_ASIDE)
    }
}

/// Seats that are taken when they are needed.
type Seats<'t> = Box<dyn ExactSizeIterator<Item = Seat<'t>> + 't>;

/// How a line of turns ended.
enum Line<'t> {
    /// Nothing is left to ask, or no time is left.
    Ended,
    /// Some part is violated.
    Refuted,
    /// These would go on if they had more time.
    Open(Vec<Seat<'t>>),
}

/// The questions to ask apart: what nothing stands in the way of, then each part that something does.
/// Where nobody has named an obstacle, there is nothing to gain.
fn apart(decision: &Decision) -> Vec<Vec<Part>> {
    let open = decision.open_parts();
    let facts = &decision.facts;
    let is_blocked = |part: &Part| {
        let blocks = |fact: &Fact| match fact {
            Fact::Blocked { part: blocked, .. } => blocked == part,
            Fact::Holds(_)
            | Fact::NoViolationWithin { .. }
            | Fact::PathsFollowed { .. }
            | Fact::RunsWithout { .. }
            | Fact::Linked(_)
            | Fact::Acyclic { .. }
            | Fact::Unshared { .. } => false,
        };
        facts.iter().any(|published| blocks(&published.fact))
    };
    let (blocked, free): (Vec<Part>, Vec<Part>) = open.iter().copied().partition(is_blocked);
    let is_one_question = blocked.is_empty() || open.len() == 1;
    if is_one_question {
        return Vec::new();
    }
    let free = (!free.is_empty()).then_some(free);
    free.into_iter().chain(blocked.into_iter().map(|part| vec![part])).collect()
}
