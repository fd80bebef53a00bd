//! Rounds: the whole question, with more time each time, its parts apart, the whole question again with all the time left.

use std::time::Instant;

use heapwright_engine::{Board, Deadline, Engine, Fact, Observer, Reason, Sharing, Task};
use heapwright_oracle::Effort;
use heapwright_property::Part;

use crate::decision::{Decision, Given};
use crate::shares::Shares;
use crate::turn::{Keeper, Safeguard, Seat, Turned};

/// Engines, and what they work under.
#[derive(Clone, Copy)]
pub struct Portfolio<'p> {
    /// In the order in which they are asked: cheap ones first.
    pub engines: &'p [Box<dyn Engine>],
    pub deadline: &'p Deadline,
    pub safeguard: &'p dyn Safeguard,
    pub observer: &'p dyn Observer,
    pub keeper: &'p dyn Keeper,
    /// How hard proofs are run.
    pub effort: Effort,
    pub shares: Shares,
    pub extent: Extent,
    /// Whether engines see what others have published.
    pub sharing: Sharing,
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

/// Parts that no engine looks at yet: an engine that finds nothing wrong has proved nothing.
const UNSUPPORTED: [Part; 1] = [Part::NoOverflow];

impl Portfolio<'_> {
    /// Answers a question.
    #[must_use]
    pub fn decide(&self, task: &Task) -> Decision {
        let mut decision = Decision::open(&task.specification.parts);
        if let Some(part) = UNSUPPORTED.into_iter().find(|part| task.specification.asks(*part)) {
            let reason = Reason::new(format!("no engine can decide {part} yet"));
            decision.reasons.push(Given { engine: None, reason: reason.about(Some(part)) });
            return decision;
        }
        let board = Board::new(self.sharing);
        self.ask_whole(task, &board, &mut decision);
        decision.order_reasons();
        decision
    }

    /// All rounds.
    fn ask_whole(&self, task: &Task, board: &Board, decision: &mut Decision) {
        let start = Instant::now();
        let mut waiting = self.seats(task, true);
        for round in 0..Shares::ROUNDS {
            // Nobody waits for one that is alone: it is not interrupted before it has to be.
            let round = if waiting.len() == 1 { Shares::ROUNDS - 1 } else { round };
            for mut seat in std::mem::take(&mut waiting) {
                if self.deadline.is_over() {
                    return;
                }
                let share = self.shares.of_round(round, self.deadline);
                match self.turn(&mut seat, (&share, board), decision) {
                    Turned::Proved => return,
                    Turned::Refuted => return self.ask_rest(task, board, decision, start),
                    // One that gave up before its time would only give up again.
                    Turned::GaveUp => {}
                    Turned::Unfinished => waiting.push(seat),
                }
            }
            if round == Shares::ROUNDS - 1 {
                break;
            }
        }
        if self.extent == Extent::EveryPart {
            let questions = apart(decision, board);
            let half = Shares::half(self.deadline);
            self.ask_apart(task, &questions, (&half, board), decision);
            if decision.open_parts().is_empty() || !decision.violations.is_empty() {
                return;
            }
        }
        self.ask_again(task, waiting, board, decision, start);
    }

    /// The last round: those who were not through go on. In the whole question an attempt knows what it
    /// learnt in the first round; but what was shown apart is not asked again.
    fn ask_again<'t>(
        &'t self,
        task: &Task,
        waiting: Vec<Seat<'t>>,
        board: &'t Board,
        decision: &mut Decision,
        start: Instant,
    ) {
        let open = decision.open_parts();
        if open.len() < decision.parts.len() {
            let names: Vec<&str> = waiting.iter().map(|seat| seat.engine).collect();
            let question = task.apart(&open);
            let seats = self.seats(&question, false).into_iter();
            let seats = seats.filter(|seat| names.contains(&seat.engine));
            return self.go_on((task, seats.collect()), board, decision, start);
        }
        self.go_on((task, waiting), board, decision, start);
    }

    /// Each gets an even share of the time that is left.
    fn go_on<'t>(
        &'t self,
        (task, seats): (&Task, Vec<Seat<'t>>),
        board: &'t Board,
        decision: &mut Decision,
        start: Instant,
    ) {
        let count = seats.len();
        for (index, mut seat) in seats.into_iter().enumerate() {
            if self.deadline.is_over() {
                return;
            }
            let share = Shares::even(self.deadline, count - index);
            match self.turn(&mut seat, (&share, board), decision) {
                Turned::Proved => return,
                Turned::Refuted => return self.ask_rest(task, board, decision, start),
                Turned::GaveUp | Turned::Unfinished => {}
            }
        }
    }

    /// After a violation: what of the other parts?
    fn ask_rest(&self, task: &Task, board: &Board, decision: &mut Decision, start: Instant) {
        if self.extent == Extent::WholeQuestion {
            return;
        }
        let deadline = self.shares.rest(self.deadline, start.elapsed());
        // Ends because each round but the last settles a part.
        loop {
            let open = decision.open_parts();
            if open.is_empty() || deadline.is_over() {
                return;
            }
            self.ask_apart(task, std::slice::from_ref(&open), (&deadline, board), decision);
            if decision.open_parts() == open {
                break;
            }
        }
        let questions = apart(decision, board);
        self.ask_apart(task, &questions, (&deadline, board), decision);
    }

    /// Asks every engine about some parts, one set of parts after the other, until one decides.
    fn ask_apart(
        &self,
        task: &Task,
        questions: &[Vec<Part>],
        (deadline, board): (&Deadline, &Board),
        decision: &mut Decision,
    ) {
        for (index, parts) in questions.iter().enumerate() {
            if deadline.is_over() {
                return;
            }
            let share = self.shares.apart(deadline, questions.len() - index);
            let question = task.apart(parts);
            let count = self.engines.len();
            for (index, mut seat) in self.seats(&question, false).into_iter().enumerate() {
                let share = Shares::even(&share, count - index);
                match self.turn(&mut seat, (&share, board), decision) {
                    Turned::Proved | Turned::Refuted => break,
                    Turned::GaveUp | Turned::Unfinished => {}
                }
                if deadline.is_over() {
                    return;
                }
            }
        }
    }

    fn seats<'t>(&'t self, task: &'t Task, is_whole: bool) -> Vec<Seat<'t>> {
        let engines = self.engines.iter().map(AsRef::as_ref);
        let seat = |engine: &'t dyn Engine| Seat {
            engine: engine.name(),
            task,
            attempt: engine.attempt(task),
            is_whole,
        };
        engines.map(seat).collect()
    }
}

/// The questions to ask apart: what nothing stands in the way of, then each part that something does.
/// Where nobody has named an obstacle, there is nothing to gain.
fn apart(decision: &Decision, board: &Board) -> Vec<Vec<Part>> {
    let open = decision.open_parts();
    let facts = board.facts();
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
