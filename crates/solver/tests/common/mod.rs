//! What the tests of the solvers share: a generator of random formulas and checks of answers.
#![allow(dead_code, reason = "each test file uses a part")]

use heapwright_logic::{Model, Operator, Predicate, Sort, Term, TermId, Terms};
use heapwright_solver::{
    CheckResult, Deadline, ExternalCommand, ExternalError, ExternalSolver, SmtSolver,
};

/// A small deterministic generator (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() >> 33).expect("31 bits") % bound
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub(crate) fn bits(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }
}

/// A world of random terms over a few variables.
pub(crate) struct World {
    pub(crate) terms: Terms,
    pub(crate) variables: Vec<TermId>,
    booleans: Vec<TermId>,
    words: Vec<TermId>,
    arrays: Vec<TermId>,
    width: u32,
}

impl World {
    /// Two words of `width` bits, two booleans, and two arrays over words if wanted.
    pub(crate) fn new(width: u32, has_arrays: bool) -> Self {
        let mut terms = Terms::new();
        let mut words: Vec<_> =
            ["x", "y"].map(|name| terms.variable(name, Sort::BitVector(width))).into();
        let mut booleans: Vec<_> =
            ["p", "q"].map(|name| terms.variable(name, Sort::Boolean)).into();
        let sort = Sort::Array { index: width, element: width };
        let mut arrays = Vec::new();
        if has_arrays {
            arrays.push(terms.variable("a", sort));
        }
        let variables = [words.as_slice(), &booleans, &arrays].concat();
        words.extend((0..4).map(|bits| terms.bit_vector(bits * 5 + 1, width)));
        booleans.push(TermId::TRUE);
        Self { terms, variables, booleans, words, arrays, width }
    }

    /// Makes `count` random terms over earlier ones and gives the last booleans.
    pub(crate) fn grow(&mut self, random: &mut Random, count: usize) -> Vec<TermId> {
        for _ in 0..count {
            let node = self.random_node(random);
            let term = self.terms.build(node);
            match self.terms.sort(term) {
                Sort::Boolean => self.booleans.push(term),
                Sort::BitVector(_) => self.words.push(term),
                Sort::Array { .. } => self.arrays.push(term),
            }
        }
        self.booleans.iter().rev().take(6).copied().collect()
    }

    fn random_node(&mut self, random: &mut Random) -> Term {
        let (a, b) = (random.pick(&self.words), random.pick(&self.words));
        let (p, q) = (random.pick(&self.booleans), random.pick(&self.booleans));
        let not_q = self.terms.not(q);
        if !self.arrays.is_empty() && random.below(3) == 0 {
            let (m, n) = (random.pick(&self.arrays), random.pick(&self.arrays));
            return match random.below(6) {
                0..3 => Term::Select(m, a),
                3 | 4 => Term::Store(m, a, b),
                _ => Term::IfThenElse(p, m, n),
            };
        }
        match random.below(16) {
            0..6 => Term::Binary(random.pick(&Operator::ALL), a, b),
            6 => Term::Complement(a),
            7 => Term::IfThenElse(p, a, b),
            8 => self.random_slice(random, a, b),
            9 | 10 => Term::Equal(a, b),
            11 | 12 => Term::Relation(random.pick(&Predicate::ALL), a, b),
            13 => Term::And(p, not_q),
            14 => Term::Equal(p, q),
            _ => Term::IfThenElse(p, q, not_q),
        }
    }

    /// A word made of parts of others, so that all words keep one width.
    fn random_slice(&mut self, random: &mut Random, a: TermId, b: TermId) -> Term {
        let width = self.width;
        if width == 1 {
            return Term::Complement(a);
        }
        let boundary = 1 + u32::try_from(random.below(width as usize - 1)).expect("small");
        let high = self.terms.extract(a, width - 1, boundary);
        let low = self.terms.extract(b, boundary - 1, 0);
        match random.below(3) {
            0 => Term::Concat(high, low),
            1 => Term::SignExtend { term: low, width },
            _ => Term::ZeroExtend { term: high, width },
        }
    }
}

/// The model makes everything true.
pub(crate) fn check_model(terms: &Terms, model: &Model, formulas: &[TermId]) {
    for &formula in formulas {
        assert!(model.satisfies(terms, formula), "{model:?} breaks {}", terms.display(formula));
    }
}

/// Checks an answer against itself: models are evaluated, cores are asked again.
pub(crate) fn check_answer(
    solver: &mut impl SmtSolver,
    terms: &Terms,
    asserted: &[TermId],
    assumptions: &[TermId],
) -> CheckResult {
    let result = solver.check(terms, assumptions, &Deadline::never());
    match &result {
        CheckResult::Sat(model) => check_model(terms, model, &[asserted, assumptions].concat()),
        CheckResult::Unsat(core) => {
            assert!(core.assumptions.iter().all(|used| assumptions.contains(used)), "{core:?}");
            let again = solver.check(terms, &core.assumptions, &Deadline::never());
            assert!(again.is_unsat(), "{core:?} is no core: {again:?}");
        }
        CheckResult::Unknown(limit) => panic!("no answer: {limit}"),
    }
    result
}

/// The installed external solvers; says which are missing.
#[allow(clippy::print_stdout, reason = "a skipped test must say so")]
pub(crate) fn external_solvers() -> Vec<(ExternalCommand, ExternalSolver)> {
    let commands = [ExternalCommand::z3(), ExternalCommand::cvc5(), ExternalCommand::bitwuzla()];
    let start = |command: ExternalCommand| match ExternalSolver::start(command.clone()) {
        Ok(solver) => Some((command, solver)),
        Err(error @ ExternalError::CannotStart { .. }) => {
            println!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    };
    commands.into_iter().filter_map(start).collect()
}
