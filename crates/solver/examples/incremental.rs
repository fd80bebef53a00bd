//! A benchmark: many checks with assumptions over a growing formula of 32-bit operations, as a
//! bounded engine asks them. Usage: `incremental [steps] [embedded|z3|cvc5|bitwuzla]`.

use std::time::{Duration, Instant};

use heapwright_logic::{Operator, Sort, TermId, Terms};
use heapwright_solver::{
    CheckResult, Deadline, EmbeddedSolver, ExternalCommand, ExternalSolver, SmtSolver,
};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let steps = arguments.next().map_or(1000, |text| text.parse().expect("a number of steps"));
    let back_end = arguments.next().unwrap_or_else(|| "embedded".into());
    let external = |command| ExternalSolver::start(command).expect("an installed solver");
    match back_end.as_str() {
        "embedded" => run(&mut EmbeddedSolver::new(), steps),
        "z3" => run(&mut external(ExternalCommand::z3()), steps),
        "cvc5" => run(&mut external(ExternalCommand::cvc5()), steps),
        "bitwuzla" => run(&mut external(ExternalCommand::bitwuzla()), steps),
        other => panic!("no back end called {other}"),
    }
}

/// Each step makes a new value from two recent ones, asserts a bound on it if that is possible, and
/// asks five questions about it. Every twenty steps start from new inputs, as procedures do:
/// without end, the questions would become hard instead of many.
fn run(solver: &mut impl SmtSolver, steps: u32) {
    let mut terms = Terms::new();
    let mut random = Random(1);
    let mut values: Vec<TermId> = Vec::new();
    let start = Instant::now();
    let mut times = Vec::new();
    for step in 0..steps {
        if step % 20 == 0 {
            values = (0..8).map(|_| terms.fresh_variable("input", Sort::BitVector(32))).collect();
        }
        let value = next_value(&mut terms, &values, &mut random);
        let bound = terms.bit_vector(0x7000_0000 + u128::from(random.below(0x0fff_ffff)), 32);
        let is_bounded = terms.unsigned_less_equal(value, bound);
        if timed_check(solver, &terms, &[is_bounded], &mut times).is_sat() {
            solver.assert(&terms, is_bounded);
        }
        for _ in 0..5 {
            let question = question(&mut terms, &values, value, &mut random);
            timed_check(solver, &terms, &question, &mut times);
        }
        values.push(value);
    }
    report(solver, start.elapsed(), times, terms.len());
}

fn timed_check(
    solver: &mut impl SmtSolver,
    terms: &Terms,
    assumptions: &[TermId],
    times: &mut Vec<Duration>,
) -> CheckResult {
    let start = Instant::now();
    let result = solver.check(terms, assumptions, &Deadline::never());
    times.push(start.elapsed());
    if let CheckResult::Unknown(limit) = &result {
        panic!("no answer: {limit}");
    }
    result
}

fn next_value(terms: &mut Terms, values: &[TermId], random: &mut Random) -> TermId {
    use Operator::{Add, And, Multiply, Or, ShiftLeft, Subtract, Xor};
    let recent = |random: &mut Random| values[values.len() - 1 - random.below(8) as usize];
    let (a, b) = (recent(random), recent(random));
    let operators = [Add, Add, Subtract, Xor, And, Or, ShiftLeft, Multiply];
    let operator = operators[random.below(8) as usize];
    let b = match operator {
        Multiply => terms.bit_vector(3 + u128::from(random.below(14)), 32),
        ShiftLeft => terms.bit_vector(1 + u128::from(random.below(7)), 32),
        _ => b,
    };
    terms.binary(operator, a, b)
}

fn question(
    terms: &mut Terms,
    values: &[TermId],
    value: TermId,
    random: &mut Random,
) -> Vec<TermId> {
    let other = values[values.len() - 1 - random.below(8) as usize];
    let constant = terms.bit_vector(u128::from(random.below(0x7fff_ffff)), 32);
    let is_less = terms.signed_less(value, other);
    let is_above = terms.unsigned_less(constant, value);
    let is_different = terms.not_equal(value, other);
    vec![is_less, is_above, is_different]
}

#[allow(clippy::print_stdout, reason = "printing is what this program is for")]
fn report(solver: &impl SmtSolver, total: Duration, mut times: Vec<Duration>, terms: usize) {
    times.sort_unstable();
    let statistics = solver.statistics();
    println!("{statistics}");
    println!(
        "{terms} terms, {} gate hits, {} term hits",
        statistics.gate_hits, statistics.term_hits
    );
    println!(
        "{:.0} checks per second; median {:?}, slowest tenth from {:?}, slowest {:?}",
        times.len() as f64 / total.as_secs_f64(),
        times[times.len() / 2],
        times[times.len() * 9 / 10],
        times[times.len() - 1],
    );
}

/// A small deterministic generator (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % bound
    }
}
