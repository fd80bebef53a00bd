//! A benchmark: how many questions a second a solver answers, for three kinds of incremental work.
//! Usage: `queries_per_second [embedded|z3|cvc5|bitwuzla|"command …"] [paths|cores|arithmetic]`.

use std::time::{Duration, Instant};

use heapwright_logic::{Operator, Sort, TermId, Terms};
use heapwright_solver::{BackEnd, CheckResult, Deadline, SmtSolver, Solver};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let back_end = arguments.next().unwrap_or_else(|| "embedded".to_owned());
    let back_end: BackEnd = back_end.parse().expect("the name or command of a solver");
    back_end.probe().expect("an installed solver");
    let wanted = arguments.next();
    let loads: [(&str, Load); 3] = [("paths", paths), ("cores", cores), ("arithmetic", arithmetic)];
    for (name, load) in loads {
        if wanted.as_deref().is_none_or(|wanted| wanted == name) {
            let mut bench = Bench::new(&back_end);
            let start = Instant::now();
            load(&mut bench);
            bench.report(name, start.elapsed());
        }
    }
}

type Load = fn(&mut Bench);

/// A solver at work.
struct Bench {
    terms: Terms,
    solver: Solver,
    random: Random,
    times: Vec<Duration>,
}

impl Bench {
    fn new(back_end: &BackEnd) -> Bench {
        let (terms, solver) = (Terms::new(), back_end.solver());
        Bench { terms, solver, random: Random(1), times: Vec::new() }
    }

    fn check(&mut self, assumptions: &[TermId]) -> CheckResult {
        let start = Instant::now();
        let result = self.solver.check(&self.terms, assumptions, &Deadline::never());
        self.times.push(start.elapsed());
        if let CheckResult::Unknown(limit) = &result {
            panic!("no answer: {limit}");
        }
        result
    }

    fn word(&mut self) -> TermId {
        self.terms.fresh_variable("input", Sort::BitVector(32))
    }

    fn constant(&mut self, below: u64) -> TermId {
        let bits = u128::from(self.random.below(below));
        self.terms.bit_vector(bits, 32)
    }

    fn pick(&mut self, from: &[TermId]) -> TermId {
        from[self.random.below(from.len() as u64) as usize]
    }

    #[allow(clippy::print_stdout, reason = "printing is what this program is for")]
    fn report(&mut self, name: &str, total: Duration) {
        self.times.sort_unstable();
        let (times, statistics) = (&self.times, self.solver.statistics());
        println!(
            "{name}: {:.0} queries per second ({} in {:.2} s, {} sat, {} unsat); median {:?}, \
             slowest tenth from {:?}, slowest {:?}",
            times.len() as f64 / total.as_secs_f64(),
            times.len(),
            total.as_secs_f64(),
            statistics.sat,
            statistics.unsat,
            times[times.len() / 2],
            times[times.len() * 9 / 10],
            times[times.len() - 1],
        );
    }
}

/// Symbolic execution, depth first: at each branch both sides are asked, and each possible one is
/// followed in a scope of its own.
fn paths(bench: &mut Bench) {
    for _ in 0..40 {
        let mut values: Vec<TermId> = (0..4).map(|_| bench.word()).collect();
        follow(bench, &mut values, 9);
    }
}

fn follow(bench: &mut Bench, values: &mut Vec<TermId>, depth: u32) {
    if depth == 0 {
        return;
    }
    let (a, b) = (bench.pick(values), bench.pick(values));
    let constant = bench.constant(1000);
    let next = bench.terms.add(a, constant);
    let condition = match bench.random.below(4) {
        0 => bench.terms.equal(a, constant),
        1 => bench.terms.signed_less(a, b),
        2 => bench.terms.unsigned_less(next, constant),
        _ => bench.terms.signed_less(next, b),
    };
    let negation = bench.terms.not(condition);
    values.push(next);
    for side in [condition, negation] {
        if bench.check(&[side]).is_sat() {
            bench.solver.push();
            bench.solver.assert(&bench.terms, side);
            // A path that forks at every branch would drown all others.
            if bench.random.below(3) > 0 {
                follow(bench, values, depth - 1);
            }
            bench.solver.pop();
        }
    }
    values.pop();
}

/// Invariant search: candidates are assumed together, the core of each contradiction says which of
/// them to give up, until the rest is possible.
fn cores(bench: &mut Bench) {
    for _ in 0..60 {
        let words: Vec<TermId> = (0..12).map(|_| bench.word()).collect();
        let limit = bench.terms.bit_vector(1 << 20, 32);
        bench.solver.push();
        for &word in &words {
            let is_small = bench.terms.unsigned_less(word, limit);
            bench.solver.assert(&bench.terms, is_small);
        }
        let mut candidates = Vec::new();
        for _ in 0..24 {
            let (a, b) = (bench.pick(&words), bench.pick(&words));
            let distance = bench.constant(1 << 12);
            let sum = bench.terms.add(b, distance);
            candidates.push(bench.terms.unsigned_less(sum, a));
        }
        while let CheckResult::Unsat(core) = bench.check(&candidates) {
            let Some(&first) = core.assumptions.first() else { break };
            candidates.retain(|&candidate| candidate != first);
        }
        bench.solver.pop();
    }
}

/// Products, quotients and shifts of inputs of a few bits.
fn arithmetic(bench: &mut Bench) {
    use Operator::{Multiply, ShiftLeft, UnsignedDivide, UnsignedRemainder, Xor};
    for _ in 0..150 {
        let small = bench.terms.bit_vector(1 << 10, 32);
        let words: Vec<TermId> = (0..3).map(|_| bench.word()).collect();
        bench.solver.push();
        for &word in &words {
            let is_small = bench.terms.unsigned_less(word, small);
            bench.solver.assert(&bench.terms, is_small);
        }
        let product = bench.terms.binary(Multiply, words[0], words[1]);
        let operator =
            [UnsignedDivide, UnsignedRemainder, ShiftLeft, Xor][bench.random.below(4) as usize];
        let right = bench.constant(30);
        let value = bench.terms.binary(operator, product, right);
        let value = bench.terms.add(value, words[2]);
        for _ in 0..6 {
            let bound = bench.constant(1 << 20);
            let is_equal = bench.terms.equal(value, bound);
            let is_less = bench.terms.unsigned_less(words[0], words[1]);
            bench.check(&[is_equal, is_less]);
        }
        bench.solver.pop();
    }
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
