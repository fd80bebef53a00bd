//! The embedded solver: terms become gates, gates become clauses, CaDiCaL decides.
//! Everything translated stays: scopes are switched on by one literal each and off for good when
//! they are popped, so later checks profit from what earlier ones learned.

mod arrays;
mod cnf;
mod gates;
mod sat;
mod solution;
mod translate;
mod words;

use std::time::Instant;

use heapwright_logic::{Term, TermId, Terms};

use crate::deadline::Deadline;
use crate::result::{CheckResult, Core, SmtSolver};
use crate::statistics::Statistics;
use cnf::ClauseWriter;
use gates::Literal;
use sat::{SatLiteral, SatResult, SatSolver};
use translate::Translation;

/// Bit-blasting into CaDiCaL.
#[derive(Debug)]
pub struct EmbeddedSolver {
    translation: Translation,
    clauses: ClauseWriter,
    sat: SatSolver,
    /// One literal per open scope: its assertions hold while it is assumed.
    scopes: Vec<SatLiteral>,
    /// How many array reads are in the SAT solver.
    reads_written: usize,
    statistics: Statistics,
}

impl Default for EmbeddedSolver {
    fn default() -> Self {
        Self::new()
    }
}

impl EmbeddedSolver {
    pub fn new() -> Self {
        Self {
            translation: Translation::new(),
            clauses: ClauseWriter::default(),
            sat: SatSolver::new(),
            scopes: Vec::new(),
            reads_written: 0,
            statistics: Statistics::default(),
        }
    }

    fn sat_literal(&mut self, literal: Literal) -> SatLiteral {
        self.clauses.literal(&self.translation.gates, &mut self.sat, literal)
    }

    fn translate(&mut self, terms: &Terms, formula: TermId) -> SatLiteral {
        let literal = self.translation.formula(terms, formula);
        self.write_new_reads();
        self.sat_literal(literal)
    }

    /// A read's element does not mention its index, but the model needs both.
    fn write_new_reads(&mut self) {
        while let Some(read) = self.translation.reads.free().get(self.reads_written).cloned() {
            self.reads_written += 1;
            for literal in read.index.into_iter().chain(read.element) {
                self.sat_literal(literal);
            }
        }
    }

    fn search(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        deadline: &Deadline,
    ) -> CheckResult {
        let given: Vec<SatLiteral> =
            assumptions.iter().map(|&assumption| self.translate(terms, assumption)).collect();
        let all = [self.scopes.as_slice(), &given].concat();
        // Ends because each round adds a lemma about a pair of reads that had none.
        loop {
            match self.sat.solve(&all, deadline) {
                SatResult::Stopped(limit) => return CheckResult::Unknown(limit),
                SatResult::Unsat => return CheckResult::Unsat(self.core(assumptions, &given)),
                SatResult::Sat if self.repair_arrays() => {}
                SatResult::Sat => return CheckResult::Sat(self.model(terms)),
            }
        }
    }

    fn core(&self, assumptions: &[TermId], given: &[SatLiteral]) -> Core {
        let pairs = assumptions.iter().zip(given);
        Core::new(pairs.filter(|&(_, &used)| self.sat.is_failed(used)).map(|(&term, _)| term))
    }

    fn update_statistics(&mut self, start: Instant) {
        self.statistics.time += start.elapsed();
        self.statistics.gates = self.translation.gates.len() as u64;
        self.statistics.gate_hits = self.translation.gates.hits;
        self.statistics.term_hits = self.translation.hits;
        self.statistics.variables = self.sat.variables();
        self.statistics.clauses = self.sat.clauses;
    }
}

impl SmtSolver for EmbeddedSolver {
    fn assert(&mut self, terms: &Terms, formula: TermId) {
        let start = Instant::now();
        for conjunct in conjuncts(terms, formula) {
            let literal = self.translate(terms, conjunct);
            match self.scopes.last() {
                Some(&scope) => self.sat.add_clause(&[-scope, literal]),
                None => self.sat.add_clause(&[literal]),
            }
        }
        self.update_statistics(start);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId], deadline: &Deadline) -> CheckResult {
        let start = Instant::now();
        let result = self.search(terms, assumptions, deadline);
        self.statistics.count(&result);
        self.update_statistics(start);
        result
    }

    fn push(&mut self) {
        let scope = self.sat.new_variable();
        self.scopes.push(scope);
    }

    fn pop(&mut self) {
        let scope = self.scopes.pop().expect("pop without push");
        self.sat.add_clause(&[-scope]);
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

/// The parts of a conjunction, each to be asserted by itself: no gates for the conjunction.
fn conjuncts(terms: &Terms, formula: TermId) -> Vec<TermId> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut conjuncts = Vec::new();
    let mut pending = vec![formula];
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.node(term) {
            Term::And(a, b) => pending.extend([b, a]),
            _ => conjuncts.push(term),
        }
    }
    conjuncts
}
