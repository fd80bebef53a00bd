//! From gates to clauses (Tseitin), for the gates that are needed and in both directions:
//! a literal translated for one query is asked about in either polarity by the next.

use super::gates::{Gate, Gates, Literal};
use super::sat::{SatLiteral, SatSolver};

/// Which gates the SAT solver knows, and as what.
#[derive(Debug, Default)]
pub(crate) struct ClauseWriter {
    /// By gate: its SAT variable, or zero.
    variables: Vec<SatLiteral>,
}

impl ClauseWriter {
    /// The SAT literal of `literal`, after the clauses of all gates below it.
    pub(crate) fn literal(
        &mut self,
        gates: &Gates,
        sat: &mut SatSolver,
        literal: Literal,
    ) -> SatLiteral {
        self.variables.resize(gates.len(), 0);
        let mut pending = Vec::new();
        let result = self.visit(sat, literal, &mut pending);
        while let Some(gate) = pending.pop() {
            self.write(gates, sat, gate, &mut pending);
        }
        result
    }

    /// The SAT literal, if the gate has been written.
    pub(crate) fn known(&self, literal: Literal) -> Option<SatLiteral> {
        match self.variables.get(literal.index()) {
            None | Some(0) => None,
            Some(&variable) => Some(if literal.is_negated() { -variable } else { variable }),
        }
    }

    fn visit(
        &mut self,
        sat: &mut SatSolver,
        literal: Literal,
        pending: &mut Vec<Literal>,
    ) -> SatLiteral {
        if self.variables[literal.index()] == 0 {
            self.variables[literal.index()] = sat.new_variable();
            pending.push(literal);
        }
        self.known(literal).expect("just made")
    }

    fn write(
        &mut self,
        gates: &Gates,
        sat: &mut SatSolver,
        gate: Literal,
        pending: &mut Vec<Literal>,
    ) {
        let output = self.variables[gate.index()];
        let mut input = |literal| self.visit(sat, literal, pending);
        match gates.gate(gate) {
            Gate::False => sat.add_clause(&[-output]),
            Gate::Input => {}
            Gate::And(a, b) => {
                let (a, b) = (input(a), input(b));
                sat.add_clause(&[-output, a]);
                sat.add_clause(&[-output, b]);
                sat.add_clause(&[output, -a, -b]);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (input(a), input(b));
                write_xor(sat, output, a, b);
            }
            Gate::Choice(condition, a, b) => {
                let (condition, a, b) = (input(condition), input(a), input(b));
                write_choice(sat, output, condition, a, b);
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (input(a), input(b), input(c));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    sat.add_clause(&[output, -x, -y]);
                    sat.add_clause(&[-output, x, y]);
                }
            }
            Gate::Parity(a, b, c) => {
                let (a, b, c) = (input(a), input(b), input(c));
                write_parity(sat, output, a, b, c);
            }
            Gate::All(position) => {
                let mut long = vec![output];
                for &literal in gates.wide_inputs(position) {
                    let literal = input(literal);
                    long.push(-literal);
                }
                for &negated in &long[1..] {
                    sat.add_clause(&[-output, -negated]);
                }
                sat.add_clause(&long);
            }
        }
    }
}

fn write_xor(sat: &mut SatSolver, output: SatLiteral, a: SatLiteral, b: SatLiteral) {
    sat.add_clause(&[-output, a, b]);
    sat.add_clause(&[-output, -a, -b]);
    sat.add_clause(&[output, -a, b]);
    sat.add_clause(&[output, a, -b]);
}

fn write_choice(
    sat: &mut SatSolver,
    output: SatLiteral,
    condition: SatLiteral,
    a: SatLiteral,
    b: SatLiteral,
) {
    sat.add_clause(&[-condition, -a, output]);
    sat.add_clause(&[-condition, a, -output]);
    sat.add_clause(&[condition, -b, output]);
    sat.add_clause(&[condition, b, -output]);
    // Redundant, but without them equal arms do not propagate.
    sat.add_clause(&[-a, -b, output]);
    sat.add_clause(&[a, b, -output]);
}

fn write_parity(
    sat: &mut SatSolver,
    output: SatLiteral,
    a: SatLiteral,
    b: SatLiteral,
    c: SatLiteral,
) {
    for signs in 0..8u32 {
        let sign = |position: u32, literal: SatLiteral| {
            if signs >> position & 1 == 1 { -literal } else { literal }
        };
        // The inputs that falsify the three literals have as many ones as there are signs.
        let is_odd = signs.count_ones() % 2 == 1;
        let output = if is_odd { output } else { -output };
        sat.add_clause(&[sign(0, a), sign(1, b), sign(2, c), output]);
    }
}
