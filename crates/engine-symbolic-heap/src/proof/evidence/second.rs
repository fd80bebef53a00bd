//! The check of a certificate looks at every arrival twice: the engine's own covering, and small
//! states of the arrived text that must be in the known texts, by the crate `heap-text`.
//!
//! The arrived state is taken as it is, before it is folded.

use heapwright_engine::{Reason, Task};
use heapwright_heap_text::{Fit, Limits, entails};
use heapwright_program::Program;
use heapwright_property::Part;

use crate::proof::evidence::{Claims, read_claim, read_places};

/// Arrivals that are looked at; then every second one, every fourth one, and so on.
const ARRIVALS: u64 = 16;

/// What the texts of a certificate say, and how often they were asked.
#[derive(Debug)]
pub(crate) struct SecondReading<'t> {
    program: &'t Program,
    places: Claims,
    limits: Limits,
    pub(crate) arrivals: u64,
    pub(crate) confirmed: u64,
    pub(crate) unclear: u64,
}

impl<'t> SecondReading<'t> {
    pub(crate) fn new(task: &'t Task, invariants: &[String]) -> SecondReading<'t> {
        let asks = |part| task.specification.asks(part);
        let is_whole = asks(Part::ValidMemtrack) || asks(Part::ValidMemcleanup);
        let limits = Limits { is_whole, tries: 1000, questions: 4, ..Limits::default() };
        let places = read_places(&task.program, invariants);
        let program = &task.program;
        SecondReading { program, places, limits, arrivals: 0, confirmed: 0, unclear: 0 }
    }

    /// Whether the next arrival is one to look at.
    pub(crate) fn is_due(&mut self) -> bool {
        self.arrivals += 1;
        let doublings = self.arrivals / ARRIVALS;
        self.arrivals.is_multiple_of((doublings + 1).next_power_of_two())
    }

    /// Whether the text of an arrived state is within what is known there.
    pub(crate) fn check(&mut self, arrived: &str) -> Result<(), Reason> {
        let Ok(claim) = read_claim(self.program, arrived) else {
            self.unclear += 1;
            return Ok(());
        };
        let known = self.places.get(&claim.stack()).map_or(&[][..], Vec::as_slice);
        if claim.outside.is_some() {
            return Ok(());
        }
        match entails(self.program, &claim, known, &self.limits) {
            Fit::In => self.confirmed += 1,
            Fit::Unclear(_) => self.unclear += 1,
            Fit::Out(problem) => return Err(Reason::new(format!("{OTHERWISE}: {problem}"))),
        }
        Ok(())
    }
}

/// Why a proof is refused where the two readings differ.
pub(crate) const OTHERWISE: &str =
    "internal error: invariants that a second reading finds not closed";
