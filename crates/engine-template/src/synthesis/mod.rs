//! Finding the parameters of templates: from bottom up, one model of the solver after the other.
//!
//! `frame` puts a loop of the formula into the terms of the domains, with what was `older` than it, and
//! `passing` the calls of a function; `template` is all rows with what they assume (of which blocks: `instances`) and must show, `fixpoint` iterates, `search` finds bounds of
//! numbers faster than one by one.

mod fixpoint;
mod frame;
mod instances;
mod older;
mod passing;
mod search;
mod template;
#[cfg(test)]
mod tests;

pub use fixpoint::{Limits, Stopped, synthesise};
pub use frame::{Frame, FrameKind, Style};
pub use template::{Invariant, Selection, Template};

/// What a synthesis took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    pub solver_calls: u64,
    /// Models that made some row grow.
    pub iterations: u64,
    /// Searches for the greatest value of a row.
    pub searches: u64,
    pub rows: u64,
    /// Rows that say nothing in the end.
    pub tops: u64,
}

impl Statistics {
    pub fn add(&mut self, other: &Statistics) {
        self.solver_calls += other.solver_calls;
        self.iterations += other.iterations;
        self.searches += other.searches;
        self.rows = other.rows;
        self.tops = other.tops;
    }
}
