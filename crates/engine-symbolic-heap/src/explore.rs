//! The exploration: all paths, the shallow ones first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use heapwright_engine::{Deadline, Reason};
use heapwright_interpreter::DrawnInput;
use heapwright_memory::FaultKind;
use heapwright_program::Place;
use heapwright_property::Part;

use crate::context::Context;
use crate::outcome::Outcome;
use crate::state::State;

/// What came of an exploration.
#[derive(Debug)]
pub(crate) enum Explored {
    /// Every path was followed to its end and none is faulty.
    Complete,
    /// Inputs that lead to a violation.
    Violation(Vec<DrawnInput>),
    /// Something was not followed.
    Open(Vec<Reason>),
}

/// A waiting state: fewer decisions first, then the older one.
struct Waiting {
    key: Reverse<(u32, u64)>,
    state: State,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}
impl Eq for Waiting {}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

/// Reasons that are kept.
const REASONS: usize = 5;

pub(crate) struct Exploration<'c, 't> {
    context: &'c mut Context<'t>,
    waiting: BinaryHeap<Waiting>,
    counter: u64,
    reasons: Vec<Reason>,
    is_complete: bool,
    /// Confirms a violation: the engine's own replay.
    confirm: &'c dyn Fn(&[DrawnInput]) -> bool,
}

impl<'c, 't> Exploration<'c, 't> {
    pub(crate) fn new(
        context: &'c mut Context<'t>,
        confirm: &'c dyn Fn(&[DrawnInput]) -> bool,
    ) -> Self {
        Exploration {
            context,
            waiting: BinaryHeap::new(),
            counter: 0,
            reasons: Vec::new(),
            is_complete: true,
            confirm,
        }
    }

    pub(crate) fn run(mut self, initial: State, deadline: &Deadline) -> Explored {
        self.wait(initial);
        while let Some(Waiting { state, .. }) = self.waiting.pop() {
            if let Some(limit) = self.limit(deadline) {
                self.open(Reason::new(limit));
                break;
            }
            if let Some(inputs) = self.advance(state, deadline) {
                return Explored::Violation(inputs);
            }
        }
        if self.is_complete { Explored::Complete } else { Explored::Open(self.reasons) }
    }

    fn limit(&self, deadline: &Deadline) -> Option<&'static str> {
        let settings = self.context.settings;
        if deadline.is_over() {
            Some("the time limit was reached")
        } else if self.context.statistics.steps >= settings.steps {
            Some("the step limit of the exploration was reached")
        } else if self.waiting.len() > settings.waiting {
            Some("too many paths wait to be explored")
        } else {
            None
        }
    }

    fn wait(&mut self, state: State) {
        self.counter += 1;
        let key = Reverse((state.depth, self.counter));
        self.waiting.push(Waiting { key, state });
    }

    fn open(&mut self, reason: Reason) {
        self.is_complete = false;
        if self.reasons.len() < REASONS && !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }

    /// Follows a path until it forks, ends or comes around a loop.
    fn advance(&mut self, mut state: State, deadline: &Deadline) -> Option<Vec<DrawnInput>> {
        for round in 0u32.. {
            if round % 256 == 255 && deadline.is_over() {
                self.wait(state);
                return None;
            }
            let outcomes = self.context.step(state);
            let is_fork = outcomes.len() > 1;
            let mut next = None;
            for outcome in outcomes {
                match outcome {
                    Outcome::Continues(state) | Outcome::Again(state) if is_fork => {
                        self.wait(state);
                    }
                    Outcome::Continues(state) | Outcome::Again(state) => next = Some(state),
                    other => {
                        if let Some(inputs) = self.end(other) {
                            return Some(inputs);
                        }
                    }
                }
            }
            state = next?;
            let frame = state.frame();
            if self.context.is_loop_head(frame.function, frame.location) {
                state.depth += 1;
                self.wait(state);
                return None;
            }
        }
        None
    }

    /// A path ends: says whether that is a violation.
    fn end(&mut self, outcome: Outcome) -> Option<Vec<DrawnInput>> {
        self.context.statistics.paths += 1;
        match outcome {
            Outcome::Continues(_) | Outcome::Again(_) => {
                unreachable!("a path that goes on does not end")
            }
            Outcome::Blocked => None,
            Outcome::Lost(reason) => {
                self.open(reason);
                None
            }
            Outcome::Fault { state, kind, place } => self.fault(&state, kind, place),
            Outcome::Ends { state, place } => {
                let specification = &self.context.task.specification;
                let (track, cleanup) = (
                    specification.asks(Part::ValidMemtrack),
                    specification.asks(Part::ValidMemcleanup),
                );
                let leaks = (track && !self.context.lost_blocks(&state).is_empty())
                    || (cleanup && !Context::unfreed_blocks(&state).is_empty());
                if leaks { self.fault(&state, FaultKind::Leak, place) } else { None }
            }
        }
    }

    /// A fault is a violation if the interpreter finds one with the same inputs.
    fn fault(&mut self, state: &State, kind: FaultKind, place: Place) -> Option<Vec<DrawnInput>> {
        let Some(inputs) = self.context.inputs_of(state) else {
            self.open(Reason::at(format!("whether a {kind} can happen"), place));
            return None;
        };
        if (self.confirm)(&inputs) {
            return Some(inputs);
        }
        self.open(Reason::at(format!("a possible {kind} that no execution confirmed"), place));
        None
    }
}
