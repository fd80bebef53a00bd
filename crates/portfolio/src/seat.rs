//! A seat: an engine at work on a question, on the thread of the question or on one of its own.
//!
//! An engine keeps what it has learnt between its turns and stays on the thread where it began. Seats that have a thread
//! can begin a turn before it is theirs ([`crate::ahead`]). What they find is heard when their turn has come, so that the
//! answer does not depend on who was quicker.

use std::cell::Cell;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

use heapwright_engine::{
    Attempt, Attention, Board, Deadline, Engine, Event, Fact, Gap, Observer, Progress, Published,
    Reason, Run, Task, WorkMeter,
};
use heapwright_oracle::Effort;
use heapwright_verdict::{Conclusion, Scrutiny, Verdict, scrutinise};

use crate::shares::{Share, Shares};
use crate::turn::Safeguard;

/// For programs that are deeply nested. Virtual memory: only what is used counts.
const STACK_BYTES: usize = 512 << 20;
/// How often somebody who waits looks whether the question was given up.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// How often a thread tells how far it is.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// What one turn is to be.
#[derive(Debug)]
pub(crate) struct Assignment {
    /// Of this the share is.
    pub(crate) deadline: Deadline,
    pub(crate) share: Share,
    /// What the engine may know of others.
    pub(crate) known: Vec<Published>,
}

/// What a turn came to, before anybody has heard of it.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) conclusion: Conclusion,
    pub(crate) time: Duration,
    pub(crate) units: u64,
    /// Whether the share was used up.
    pub(crate) is_over: bool,
    pub(crate) published: Vec<Published>,
}

/// How all turns are taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner<'p> {
    pub(crate) safeguard: &'p (dyn Safeguard + Sync),
    pub(crate) effort: Effort,
    pub(crate) shares: Shares,
}

/// An engine at work on a question.
pub(crate) struct Seat<'t> {
    pub(crate) engine: &'static str,
    pub(crate) task: &'t Task,
    /// Whether the question is the whole one.
    pub(crate) is_whole: bool,
    /// Whether it waits for all turns before its own.
    pub(crate) sees_last_turn: bool,
    /// Whether it has no short turns.
    pub(crate) waits: bool,
    desk: Desk<'t>,
}

enum Desk<'t> {
    /// On the thread of the question.
    Here {
        attempt: Attempt<'t>,
        board: &'t Board,
        observer: &'t dyn Observer,
    },
    Aside(Aside),
}

impl<'t> Seat<'t> {
    /// On the thread of the question.
    pub(crate) fn here(
        engine: &'t dyn Engine,
        (task, is_whole): (&'t Task, bool),
        (board, observer): (&'t Board, &'t dyn Observer),
        sees_last_turn: bool,
    ) -> Seat<'t> {
        let desk = Desk::Here { attempt: engine.attempt(task), board, observer };
        let waits = engine.is_slow_at(task);
        Seat { engine: engine.name(), task, is_whole, sees_last_turn, waits, desk }
    }

    /// On a thread of its own; none if there cannot be one.
    pub(crate) fn aside<'e: 't>(
        engine: &'e dyn Engine,
        (task, is_whole): (&'e Task, bool),
        (manner, attention): (Manner<'e>, Attention),
        scope: &'t Scope<'t, 'e>,
    ) -> Option<Seat<'t>> {
        let (requests, orders) = channel();
        let (reports, answers) = channel();
        let work = move || serve((engine, task), manner, &orders, Relay::new(reports, attention));
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        thread.spawn_scoped(scope, work).ok()?;
        let desk = Desk::Aside(Aside { requests, answers, under_way: None });
        let waits = engine.is_slow_at(task);
        Some(Seat { engine: engine.name(), task, is_whole, sees_last_turn: false, waits, desk })
    }

    /// Whether it has a thread of its own and nothing to do.
    pub(crate) fn can_begin(&self) -> bool {
        matches!(&self.desk, Desk::Aside(Aside { under_way: None, .. }))
    }

    /// Begins a turn, if it can.
    pub(crate) fn begin(&mut self, assignment: Assignment) {
        if let Desk::Aside(aside) = &mut self.desk {
            aside.begin(assignment);
        }
    }

    /// Takes the turn, or waits for the one that has begun.
    pub(crate) fn take_turn(
        &mut self,
        manner: Manner<'_>,
        assignment: Assignment,
        observer: &dyn Observer,
    ) -> Work {
        match &mut self.desk {
            Desk::Here { attempt, board, observer } => {
                work((self.task, attempt), manner, (board, *observer), assignment)
            }
            Desk::Aside(aside) => {
                let question = assignment.deadline.clone();
                if aside.under_way.is_none() {
                    aside.begin(assignment);
                }
                aside.wait(&question, observer)
            }
        }
    }
}

/// What the question's thread has of a seat with a thread of its own. Once it is dropped, the thread ends.
struct Aside {
    requests: Sender<Assignment>,
    answers: Receiver<Told>,
    /// Of the turn that has begun.
    under_way: Option<Deadline>,
}

/// What such a thread tells.
enum Told {
    Noted(Noted),
    Done(Box<Work>),
}

/// An event that outlives its occasion.
enum Noted {
    Progress(Progress),
    Obstacle(&'static str, Reason),
    Learnt(&'static str, Fact),
    Failed(Box<Gap>),
}

impl Noted {
    /// Turns and answers are told by whoever files them.
    fn of(event: &Event<'_>) -> Option<Noted> {
        match *event {
            Event::Progress(progress) => Some(Noted::Progress(progress)),
            Event::Obstacle { engine, reason } => Some(Noted::Obstacle(engine, reason.clone())),
            Event::Learnt { engine, fact } => Some(Noted::Learnt(engine, fact.clone())),
            Event::Failed(gap) => Some(Noted::Failed(Box::new(gap.clone()))),
            Event::TurnBegins { .. }
            | Event::TurnEnds { .. }
            | Event::Settled { .. }
            | Event::Detail { .. } => None,
        }
    }

    fn tell(&self, observer: &dyn Observer) {
        observer.notice(&match self {
            Noted::Progress(progress) => Event::Progress(*progress),
            Noted::Obstacle(engine, reason) => Event::Obstacle { engine, reason },
            Noted::Learnt(engine, fact) => Event::Learnt { engine, fact },
            Noted::Failed(gap) => Event::Failed(gap),
        });
    }
}

impl Aside {
    fn begin(&mut self, assignment: Assignment) {
        let deadline = assignment.deadline.by_itself();
        self.under_way = Some(deadline.clone());
        // Where the thread is gone, whoever waits for it sees that.
        let _ = self.requests.send(Assignment { deadline, ..assignment });
    }

    /// Hands on what the thread tells until its turn is over.
    fn wait(&mut self, question: &Deadline, observer: &dyn Observer) -> Work {
        let under_way = self.under_way.take();
        loop {
            match self.answers.recv_timeout(POLL_INTERVAL) {
                Ok(Told::Noted(noted)) => noted.tell(observer),
                Ok(Told::Done(work)) => return *work,
                Err(RecvTimeoutError::Disconnected) => panic!("a thread of ours is gone"),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(under_way) = under_way.as_ref().filter(|_| question.is_over()) {
                under_way.cancel();
            }
        }
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if let Some(under_way) = &self.under_way {
            under_way.cancel();
        }
    }
}

/// Sends what an engine tells to the question's thread.
#[derive(Debug)]
struct Relay {
    reports: Sender<Told>,
    attention: Attention,
    last_progress: Cell<Option<Instant>>,
}

impl Relay {
    fn new(reports: Sender<Told>, attention: Attention) -> Relay {
        Relay { reports, attention, last_progress: Cell::new(None) }
    }

    fn send(&self, told: Told) {
        // Nobody listens any more once the question is answered.
        let _ = self.reports.send(told);
    }
}

impl Observer for Relay {
    fn notice(&self, event: &Event<'_>) {
        if matches!(event, Event::Progress(_)) {
            let is_early = |last: Instant| last.elapsed() < PROGRESS_INTERVAL;
            if self.last_progress.get().is_some_and(is_early) {
                return;
            }
            self.last_progress.set(Some(Instant::now()));
        }
        if let Some(noted) = Noted::of(event) {
            self.send(Told::Noted(noted));
        }
    }

    fn attention(&self) -> Attention {
        self.attention
    }
}

impl std::fmt::Debug for Told {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Told::Noted(_) => "Noted",
            Told::Done(_) => "Done",
        })
    }
}

/// What a thread does: one turn after the other, until nobody asks for one any more.
fn serve(
    (engine, task): (&dyn Engine, &Task),
    manner: Manner<'_>,
    orders: &Receiver<Assignment>,
    relay: Relay,
) {
    let board = Board::default();
    let mut attempt = None;
    while let Ok(assignment) = orders.recv() {
        let attempt = attempt.get_or_insert_with(|| engine.attempt(task));
        let done = work((task, attempt), manner, (&board, &relay), assignment);
        relay.send(Told::Done(Box::new(done)));
    }
}

/// One turn: the engine works, and the gate hears what it says.
fn work<'t>(
    (task, attempt): (&Task, &mut Attempt<'t>),
    Manner { safeguard, effort, shares }: Manner<'_>,
    (board, observer): (&'t Board, &'t dyn Observer),
    Assignment { deadline, share, known }: Assignment,
) -> Work {
    let start = Instant::now();
    let meter = WorkMeter::default();
    let limit = shares.limit(share, &deadline).at_most_units(&meter, u64::MAX);
    board.show(known);
    let mut conclusion = None;
    let guarded = safeguard.run(&mut || {
        let finding = attempt(&Run { deadline: limit.clone(), observer, board: Some(board) });
        let scrutiny = Scrutiny { effort, proof_time: start.elapsed() };
        conclusion = Some(scrutinise(task, finding, scrutiny, &deadline));
    });
    let conclusion = match (guarded, conclusion) {
        (Ok(()), Some(conclusion)) => conclusion,
        (Err(bug), _) => Verdict::Unknown(vec![bug]).into(),
        (Ok(()), None) => unreachable!("work that did not fail has a conclusion"),
    };
    let (time, units, is_over) = (start.elapsed(), meter.units(), limit.is_over());
    Work { conclusion, time, units, is_over, published: board.take() }
}
