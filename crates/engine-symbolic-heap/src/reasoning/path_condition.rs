//! The path condition: what a path has assumed, and whether that can be.

use std::sync::Arc;
use std::time::Instant;

use heapwright_engine::Reason;
use heapwright_logic::{Model, Predicate, Sort, Term, TermId};
use heapwright_solver::{CheckResult, Deadline, ExternalError, SmtSolver};

use crate::heap::block::{BlockId, BlockKind, Life};
use crate::heap::names::Names;
use crate::heap::order::{Signedness, Strictness};
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::asked::{Answer, overlaid};
use crate::reasoning::orders::is_ordered;
use crate::reasoning::range::range;

/// The work of a question, however easy it is.
const UNITS_OF_A_QUESTION: u64 = 10;

/// The work of one that was answered before.
const UNITS_OF_AN_ANSWER: u64 = 1;

/// The work of one that a guess answers.
const UNITS_OF_A_GUESS: u64 = 3;

/// Which sides of a condition a path can take.
#[derive(Clone, Debug)]
pub(crate) enum Feasible {
    /// Only this one, with a model of the path condition where one was found.
    One(bool, Option<Arc<Model>>),
    /// Both, each with a model where one is at hand.
    Both { on_true: Option<Arc<Model>>, on_false: Option<Arc<Model>> },
}

/// Whether a formula can hold together with the path condition.
#[derive(Clone, Debug)]
pub(crate) enum Possible {
    No,
    Yes(Arc<Model>),
    /// The solver did not say; it counts as possible.
    Perhaps,
}

impl Reasoner<'_> {
    /// Whether `formula` can hold on this path.
    pub(crate) fn possible(&mut self, state: &State, formula: TermId) -> Possible {
        match self.names.truth(formula) {
            Some(false) => return Possible::No,
            Some(true) => {
                if let Some(model) = &state.model {
                    return Possible::Yes(Arc::clone(model));
                }
            }
            None => {
                if let Some(model) = &state.model
                    && model.satisfies(&self.names.terms, formula)
                    && address_facts(&mut self.names, state, formula).is_empty()
                {
                    self.services.statistics.model_hits += 1;
                    return Possible::Yes(Arc::clone(model));
                }
            }
        }
        if is_refuted(&mut self.names, state, formula) {
            self.services.statistics.model_hits += 1;
            return Possible::No;
        }
        self.ask(state, formula)
    }

    fn ask(&mut self, state: &State, formula: TermId) -> Possible {
        if self.services.failure.is_some() {
            return Possible::Perhaps;
        }
        let mut question = address_facts(&mut self.names, state, formula);
        question.push(formula);
        let terms = &self.names.terms;
        let condition = state.condition.iter().copied();
        // Without a model at hand, all of the condition may be contradictory.
        let mut formulas = match &state.model {
            Some(_) => self.asked.touched(terms, condition, &question),
            None => condition.collect(),
        };
        let satisfied = formulas.len();
        formulas.extend(question);
        if let Some(model) = &state.model
            && let Some(model) = self.asked.guess(terms, model, (&formulas, satisfied))
        {
            self.services.statistics.guesses += 1;
            self.services.deadline.spend(UNITS_OF_A_GUESS);
            return Possible::Yes(Arc::new(model));
        }
        let Some(answer) = self.answer(&formulas) else { return Possible::Perhaps };
        match (answer, &state.model) {
            (Answer::No, _) => Possible::No,
            (Answer::Yes(part), Some(model)) => Possible::Yes(Arc::new(overlaid(model, &part))),
            (Answer::Yes(model), None) => Possible::Yes(model),
        }
    }

    /// Whether formulas can hold together; nothing, if the solver does not say.
    fn answer(&mut self, formulas: &[TermId]) -> Option<Answer> {
        if let Some(answer) = self.asked.answer(formulas) {
            self.services.statistics.answer_hits += 1;
            self.services.deadline.spend(UNITS_OF_AN_ANSWER);
            return Some(answer.clone());
        }
        let answer = match self.check(formulas) {
            CheckResult::Sat(model) => {
                let terms = &self.names.terms;
                Answer::Yes(Arc::new(self.asked.narrowed(terms, &model, formulas)))
            }
            CheckResult::Unsat(_) => Answer::No,
            CheckResult::Unknown(_) => return None,
        };
        self.asked.keep(formulas, answer.clone());
        Some(answer)
    }

    fn check(&mut self, assumptions: &[TermId]) -> CheckResult {
        let start = Instant::now();
        let deadline = self.question_deadline();
        let result = self.services.solver.check(&self.names.terms, assumptions, &deadline);
        self.note_answer(start, result.failure());
        result
    }

    /// When a question that is asked now must be answered.
    pub(crate) fn question_deadline(&self) -> Deadline {
        self.services.deadline.at_most(self.services.settings.solver_time)
    }

    /// Counts a question. A solver that fails is not asked again: it could not be trusted.
    pub(crate) fn note_answer(&mut self, start: Instant, failure: Option<&ExternalError>) {
        self.services.statistics.solver_calls += 1;
        self.services.deadline.spend(UNITS_OF_A_QUESTION);
        self.services.settings.meter.add(start.elapsed());
        if let Some(error) = failure {
            self.services.failure = Some(error.clone());
        }
    }

    /// Why nothing more can be found out, if the solver has failed.
    pub(crate) fn failure(&self) -> Option<Reason> {
        self.services.failure.as_ref().map(|error| Reason::new(error.to_string()))
    }

    /// Which sides of `condition` the path can take.
    pub(crate) fn feasible(&mut self, state: &State, condition: TermId) -> Feasible {
        if let Some(truth) = self.names.truth(condition) {
            return Feasible::One(truth, None);
        }
        let negation = self.names.terms.not(condition);
        match (self.possible(state, condition), self.possible(state, negation)) {
            (Possible::No, other) => Feasible::One(false, other.model()),
            (one, Possible::No) => Feasible::One(true, one.model()),
            (on_true, on_false) => {
                Feasible::Both { on_true: on_true.model(), on_false: on_false.model() }
            }
        }
    }
}

impl Reasoner<'_> {
    /// The state in which a condition holds, and the one in which it does not, as far as they can be.
    pub(crate) fn split_by(
        &mut self,
        mut state: State,
        condition: TermId,
    ) -> (Option<State>, Option<State>) {
        match self.feasible(&state, condition) {
            Feasible::One(truth, model) => {
                state.model = state.model.take().or(model);
                if truth { (Some(state), None) } else { (None, Some(state)) }
            }
            Feasible::Both { on_true, on_false } => {
                let mut other = state.clone();
                assume(&mut self.names, &mut state, condition, on_true);
                let contrary = self.names.terms.not(condition);
                assume(&mut self.names, &mut other, contrary, on_false);
                (Some(state), Some(other))
            }
        }
    }
}

/// Whether the path condition says the contrary in so many words, or by its ranges and orders.
fn is_refuted(names: &mut Names<'_>, state: &State, formula: TermId) -> bool {
    let negation = names.terms.not(formula);
    if state.condition.contains(&negation) {
        return true;
    }
    let (node, holds) = match names.terms.node(formula) {
        Term::Not(inner) => (names.terms.node(inner), false),
        node => (node, true),
    };
    let [signed, unsigned] = Signedness::ALL;
    match node {
        Term::And(a, b) if holds => is_refuted(names, state, a) || is_refuted(names, state, b),
        Term::And(a, b) => {
            let (a, b) = (names.terms.not(a), names.terms.not(b));
            is_refuted(names, state, a) && is_refuted(names, state, b)
        }
        Term::Relation(Predicate::SignedLess, a, b) => {
            let (x, y) = (range(names, state, a), range(names, state, b));
            let is_out_of_range = if holds { x.low >= y.high } else { x.high < y.low };
            is_out_of_range
                || match holds {
                    true => is_ordered(names, state, (signed, Strictness::Loose), (b, a)),
                    false => is_ordered(names, state, (signed, Strictness::Strict), (a, b)),
                }
        }
        // Numbers that are not negative are as large with a sign as without.
        Term::Relation(Predicate::UnsignedLess, a, b) => {
            let (x, y) = (range(names, state, a), range(names, state, b));
            let are_plain = x.low >= 0 && y.low >= 0;
            are_plain && (if holds { x.low >= y.high } else { x.high < y.low })
                || match holds {
                    true => is_ordered(names, state, (unsigned, Strictness::Loose), (b, a)),
                    false => is_ordered(names, state, (unsigned, Strictness::Strict), (a, b)),
                }
        }
        Term::Equal(a, b) if matches!(names.terms.sort(a), Sort::BitVector(_)) => {
            let (x, y) = (range(names, state, a), range(names, state, b));
            let is_less = |pair| {
                let is_less = |signs| is_ordered(names, state, (signs, Strictness::Strict), pair);
                Signedness::ALL.into_iter().any(is_less)
            };
            match holds {
                true => x.high < y.low || y.high < x.low || is_less((a, b)) || is_less((b, a)),
                false => x == y && x.low == x.high,
            }
        }
        _ => false,
    }
}

/// Adds a conjunct to the path condition.
pub(crate) fn assume(
    names: &mut Names<'_>,
    state: &mut State,
    condition: TermId,
    model: Option<Arc<Model>>,
) {
    for fact in address_facts(names, state, condition) {
        state.condition.push_back(fact);
    }
    if names.truth(condition).is_none() {
        state.condition.push_back(condition);
    }
    state.model = model;
}

/// Adds a conjunct; one that is false makes a case that cannot be.
pub(crate) fn require(names: &mut Names<'_>, state: &mut State, condition: TermId) {
    if names.truth(condition) == Some(false) {
        state.condition.push_back(TermId::FALSE);
    }
    assume(names, state, condition, None);
}

/// What is known of the addresses in a formula: blocks lie apart, off the first page, aligned.
fn address_facts(names: &mut Names<'_>, state: &State, formula: TermId) -> Vec<TermId> {
    let mut blocks = names.may_refer_to(&[formula]);
    blocks.retain(|block| state.blocks.contains_key(block));
    if blocks.is_empty() {
        return Vec::new();
    }
    // Those that earlier conjuncts speak of count as well.
    let condition: Vec<TermId> = state.condition.iter().copied().collect();
    let mentioned = names.may_refer_to(&condition).into_iter();
    blocks.extend(mentioned.filter(|block| state.blocks.contains_key(block)));
    blocks.sort_unstable();
    blocks.dedup();
    facts_of(names, state, &blocks)
}

/// What is known of the addresses of these blocks.
pub(crate) fn facts_of(names: &mut Names<'_>, state: &State, blocks: &[BlockId]) -> Vec<TermId> {
    let mut facts = Vec::new();
    // The name of a list that may be empty may be null.
    let mut blocks = blocks.to_vec();
    blocks.retain(|&id| !state.block(id).may_be_empty());
    for &block in &blocks {
        facts.extend(facts_of_one(names, state, block));
    }
    for (index, &first) in blocks.iter().enumerate() {
        for &second in &blocks[index + 1..] {
            // The two ends of a segment may be one node.
            let is_one = state.block(first).partner() == Some(second);
            if !is_one && is_apart(state, first, second) {
                facts.push(apart(names, state, first, second));
            }
        }
    }
    facts
}

fn facts_of_one(names: &mut Names<'_>, state: &State, block: BlockId) -> [TermId; 3] {
    let bits = names.pointer_bits();
    let address = names.address(block);
    let size = state.block(block).size;
    let page = names.terms.bit_vector(4096, bits);
    let limit = names.terms.bit_vector(if bits == 32 { 0xffff_0000 } else { 1 << 47 }, bits);
    let alignment = names.terms.bit_vector(15, bits);
    let zero = names.terms.bit_vector(0, bits);
    let above = names.terms.unsigned_less(page, address);
    let room = names.terms.subtract(limit, address);
    let below = names.terms.unsigned_less(address, limit);
    let fits = names.terms.unsigned_less_equal(size, room);
    let low_bits = names.terms.bit_and(address, alignment);
    let aligned = match state.block(block).kind {
        crate::heap::block::BlockKind::Heap => names.terms.equal(low_bits, zero),
        _ => names.terms.boolean(true),
    };
    let inside = names.terms.and(below, fits);
    [above, inside, aligned]
}

/// One block ends where the other begins, or before. An empty one counts as one byte.
fn apart(names: &mut Names<'_>, state: &State, first: BlockId, second: BlockId) -> TermId {
    let (a, b) = (names.address(first), names.address(second));
    let (size_a, size_b) = (state.block(first).size, state.block(second).size);
    let (size_a, size_b) = (at_least_one(names, size_a), at_least_one(names, size_b));
    let (end_a, end_b) = (names.terms.add(a, size_a), names.terms.add(b, size_b));
    let before = names.terms.unsigned_less_equal(end_a, b);
    let behind = names.terms.unsigned_less_equal(end_b, a);
    names.terms.or(before, behind)
}

fn at_least_one(names: &mut Names<'_>, size: TermId) -> TermId {
    let bits = names.pointer_bits();
    let (zero, one) = (names.terms.bit_vector(0, bits), names.terms.bit_vector(1, bits));
    let is_empty = names.terms.equal(size, zero);
    names.terms.if_then_else(is_empty, one, size)
}

impl Possible {
    pub(crate) fn model(self) -> Option<Arc<Model>> {
        match self {
            Possible::Yes(model) => Some(model),
            Possible::No | Possible::Perhaps => None,
        }
    }
}

/// Whether two blocks lie apart: both are alive, neither is a list that may be empty, and they are not string
/// literals, which may share their bytes. A block that the state does not have is gone.
pub(crate) fn is_apart(state: &State, first: BlockId, second: BlockId) -> bool {
    let (Some(a), Some(b)) = (state.blocks.get(&first), state.blocks.get(&second)) else {
        return false;
    };
    let are_literals = a.kind == BlockKind::String && b.kind == BlockKind::String;
    let may_be_null = a.may_be_empty() || b.may_be_empty();
    a.life == Life::Alive && b.life == Life::Alive && !are_literals && !may_be_null
}
