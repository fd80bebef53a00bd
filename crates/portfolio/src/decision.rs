//! What is known of a question: which parts are settled, by whom, and why the others are not.

use std::time::Duration;

use heapwright_engine::{Fact, Published, Reason};
use heapwright_oracle::Refutation;
use heapwright_property::Part;
use heapwright_verdict::{CheckedProof, ReplayedViolation};

/// What came of a question. Nothing in it was said by an engine alone but reasons and facts.
#[derive(Debug, Default)]
pub struct Decision {
    /// One for each part that was asked, in that order.
    pub parts: Vec<(Part, Answered)>,
    pub proofs: Vec<Proved>,
    pub violations: Vec<Shown>,
    /// Why parts are open, the most telling first.
    pub reasons: Vec<Given>,
    /// What engines found out besides.
    pub facts: Vec<Published>,
    /// Every turn, in order.
    pub turns: Vec<TurnTaken>,
    /// Proofs that a run disagrees with, and whose they were.
    pub refuted: Vec<(&'static str, Refutation)>,
    /// How many facts there were before the last turn was filed.
    before_last: usize,
}

/// The answer to one part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// By the proof of this index.
    Holds { proof: usize },
    /// By the violation of this index.
    Violated { violation: usize },
    /// With what stands in the way of this part, as far as an engine names it.
    Open { obstacle: Option<Reason> },
}

/// A proof that the gate has accepted.
#[derive(Debug)]
pub struct Proved {
    pub engine: &'static str,
    pub proof: CheckedProof,
    /// Parts that the proof leaves to others: it is about executions up to a first violation of one.
    pub excused: Vec<Part>,
}

/// A violation that the gate has seen.
#[derive(Debug)]
pub struct Shown {
    pub engine: &'static str,
    pub violation: Box<ReplayedViolation>,
}

/// A reason, and who gives it; nobody, where no engine got to work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    pub engine: Option<&'static str>,
    pub reason: Reason,
}

/// One turn of one engine, its answer's check included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnTaken {
    pub engine: &'static str,
    pub time: Duration,
    /// Units of work, if the engine counts them.
    pub work: u64,
}

impl Decision {
    /// Nothing is known.
    #[must_use]
    pub fn open(parts: &[Part]) -> Decision {
        let open = |&part| (part, Answered::Open { obstacle: None });
        Decision { parts: parts.iter().map(open).collect(), ..Decision::default() }
    }

    /// The parts without an answer.
    #[must_use]
    pub fn open_parts(&self) -> Vec<Part> {
        let is_open = |(_, answer): &&(Part, Answered)| matches!(answer, Answered::Open { .. });
        self.parts.iter().filter(is_open).map(|(part, _)| *part).collect()
    }

    /// Files the facts of a turn; those that come after it are its facts, too.
    pub(crate) fn file_facts(&mut self, published: Vec<Published>) {
        self.before_last = self.facts.len();
        for Published { engine, fact } in published {
            self.publish(engine, fact);
        }
    }

    /// Adds a fact, once.
    pub(crate) fn publish(&mut self, engine: &'static str, fact: Fact) {
        let published = Published { engine, fact };
        if !self.facts.contains(&published) {
            self.facts.push(published);
        }
    }

    /// What was known before the last turn.
    pub(crate) fn facts_before_last(&self) -> &[Published] {
        &self.facts[..self.before_last]
    }

    pub(crate) fn holds(&mut self, parts: &[Part], proved: Proved) {
        let proof = self.proofs.len();
        self.proofs.push(proved);
        for &part in parts {
            self.settle(part, Answered::Holds { proof });
        }
    }

    pub(crate) fn violated(&mut self, shown: Shown) {
        let part = shown.violation.part();
        let violation = self.violations.len();
        self.violations.push(shown);
        self.settle(part, Answered::Violated { violation });
    }

    /// An answer is given once.
    fn settle(&mut self, part: Part, answer: Answered) {
        for (asked, known) in &mut self.parts {
            if *asked == part && matches!(known, Answered::Open { .. }) {
                known.clone_from(&answer);
            }
        }
    }

    /// Notes why an engine has not decided these parts. What it said before is out of date, unless it
    /// was about other questions.
    pub(crate) fn open_for(&mut self, engine: &'static str, reasons: Vec<Reason>, is_whole: bool) {
        for reason in &reasons {
            self.note_obstacle(reason);
        }
        if is_whole {
            self.reasons.retain(|given| given.engine != Some(engine));
            let given = |reason| Given { engine: Some(engine), reason };
            self.reasons.extend(reasons.into_iter().map(given));
        }
    }

    fn note_obstacle(&mut self, reason: &Reason) {
        for (part, answer) in &mut self.parts {
            if let Answered::Open { obstacle } = answer
                && reason.part == Some(*part)
            {
                *obstacle = Some(reason.clone());
            }
        }
    }

    /// What a user can do something about comes first: an obstacle with a place before one without,
    /// what is true of most programs last.
    pub(crate) fn order_reasons(&mut self) {
        self.reasons
            .sort_by_key(|Given { reason, .. }| (reason.is_background, reason.place.is_none()));
    }
}
