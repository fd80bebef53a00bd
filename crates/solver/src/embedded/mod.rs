//! The embedded solver: terms become gates, gates become clauses, CaDiCaL decides.
//! What is translated stays for a while: scopes are switched on by one literal each and off for good
//! when they are popped, so later checks profit from what earlier ones learned. But CaDiCaL gives a
//! value to every variable it knows, so what nobody asks about any more slows every check down. When
//! the circuit has grown much beyond what is still asserted, it is built anew.

mod arrays;
mod cnf;
mod gates;
mod sat;
mod solution;
mod translate;
mod words;

use std::time::Instant;

use heapwright_logic::{Term, TermId, Terms};

use crate::result::{CheckResult, Core, LimitReached, SmtSolver};
use crate::statistics::Statistics;
use cnf::ClauseWriter;
use gates::Literal;
use heapwright_deadline::Deadline;
use sat::{SatLiteral, SatResult, SatSolver};
use translate::Translation;

/// How many times the variables of its first check a circuit may have, and how many more.
const GROWTH: u64 = 2;
const SPARE_VARIABLES: u64 = 1000;

/// Bit-blasting into CaDiCaL.
#[derive(Debug)]
pub struct EmbeddedSolver {
    translation: Translation,
    clauses: ClauseWriter,
    sat: SatSolver,
    /// One literal per open scope: its assertions hold while it is assumed.
    scopes: Vec<SatLiteral>,
    /// The assertions of the base level and of each open scope, in conjuncts.
    asserted: Vec<Vec<TermId>>,
    /// How many of these the SAT solver has. They are written when something is asked, so that no time limit is passed by
    /// writing.
    written: Vec<usize>,
    /// The variables of the circuit after its first check; none before that.
    first_variables: Option<u64>,
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
            asserted: vec![Vec::new()],
            written: vec![0],
            first_variables: None,
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

    /// Builds the circuit anew from what is asserted, if it has grown much since its first check.
    fn shed(&mut self) {
        let is_small = |first: u64| self.sat.variables() <= GROWTH * first + SPARE_VARIABLES;
        if self.first_variables.is_none_or(is_small) {
            return;
        }
        self.statistics.renewals += 1;
        self.first_variables = None;
        self.translation = Translation::new();
        self.clauses = ClauseWriter::default();
        self.sat = SatSolver::new();
        self.reads_written = 0;
        self.scopes.clear();
        self.scopes.extend((1..self.asserted.len()).map(|_| self.sat.new_variable()));
        self.written.fill(0);
    }

    /// Writes what is asserted and not written yet; not all of it if the time is over.
    fn write(&mut self, terms: &Terms, deadline: &Deadline) -> Result<(), LimitReached> {
        for level in 0..self.asserted.len() {
            while let Some(&conjunct) = self.asserted[level].get(self.written[level]) {
                LimitReached::before(deadline)?;
                self.written[level] += 1;
                let literal = self.translate(terms, conjunct);
                match level.checked_sub(1) {
                    Some(scope) => self.sat.add_clause(&[-self.scopes[scope], literal]),
                    None => self.sat.add_clause(&[literal]),
                }
            }
        }
        Ok(())
    }

    fn search(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        deadline: &Deadline,
    ) -> CheckResult {
        if let Err(limit) = self.write(terms, deadline) {
            return CheckResult::Unknown(limit);
        }
        let mut given: Vec<SatLiteral> = Vec::new();
        for &assumption in assumptions {
            if let Err(limit) = LimitReached::before(deadline) {
                return CheckResult::Unknown(limit);
            }
            given.push(self.translate(terms, assumption));
        }
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
        let level = self.asserted.last_mut().expect("the base level stays");
        level.extend(conjuncts(terms, formula));
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId], deadline: &Deadline) -> CheckResult {
        let start = Instant::now();
        self.shed();
        let result = self.search(terms, assumptions, deadline);
        if !matches!(result, CheckResult::Unknown(_)) {
            self.first_variables.get_or_insert(self.sat.variables());
        }
        self.statistics.count(&result);
        self.update_statistics(start);
        result
    }

    fn push(&mut self) {
        let scope = self.sat.new_variable();
        self.scopes.push(scope);
        self.asserted.push(Vec::new());
        self.written.push(0);
    }

    fn pop(&mut self) {
        let scope = self.scopes.pop().expect("pop without push");
        self.asserted.pop();
        self.written.pop();
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
