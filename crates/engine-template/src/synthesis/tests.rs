//! Synthesis on small formulas made by hand.

use heapwright_base::{DenseId, IdVec};
use heapwright_logic::{Sort, TermId, Terms};
use heapwright_program::Place;
use heapwright_solver::{BackEnd, CheckResult, Deadline, SmtSolver};

use super::{Limits, Selection, Statistics, Template, synthesise};
use crate::ssa::formula::{
    CutLoop, Formula, Input, InputKind, LoopVariable, LoopVariableSource, Spot, ValueKind,
};
use crate::ssa::pointer::PointerLayout;

/// A loop over numbers of 32 bits.
struct Loops {
    formula: Formula,
}

const NUMBER: Sort = Sort::BitVector(32);

fn place() -> Place {
    Place { file: DenseId::from_index(0), line: 1, column: 1 }
}

impl Loops {
    fn new() -> Loops {
        Loops {
            formula: Formula {
                terms: Terms::new(),
                constraints: Vec::new(),
                pointers: PointerLayout { tag_bits: 4, offset_bits: 16 },
                objects: IdVec::new(),
                loops: IdVec::new(),
                functions: IdVec::new(),
                cut_runs: Vec::new(),
                variables: Vec::new(),
                obligations: Vec::new(),
                branches: Vec::new(),
                inputs: Vec::new(),
                versions: Vec::new(),
                unsupported: Vec::new(),
            },
        }
    }

    /// `while (condition(x)) x = step(x);` from these values; gives those after the loop, and
    /// whether its end is reached.
    fn run(
        &mut self,
        guard: TermId,
        entry: &[TermId],
        condition: impl Fn(&mut Terms, &[TermId]) -> TermId,
        step: impl Fn(&mut Terms, &[TermId]) -> Vec<TermId>,
    ) -> (Vec<TermId>, TermId) {
        let older = 0..self.formula.variables.len();
        let terms = &mut self.formula.terms;
        let select = terms.fresh_variable("select", Sort::Boolean);
        let before: Vec<TermId> =
            entry.iter().map(|_| terms.fresh_variable("before", NUMBER)).collect();
        let head: Vec<TermId> = entry
            .iter()
            .zip(&before)
            .map(|(&entry, &before)| terms.if_then_else(select, before, entry))
            .collect();
        let enters = condition(terms, &head);
        let leaves = terms.not(enters);
        let after = step(terms, &head);
        let back_guard = terms.and(guard, enters);
        let end = terms.and(guard, leaves);
        let variable = |(index, ((&before, &entry), after)): (usize, ((&_, &_), _))| LoopVariable {
            name: ["x", "y", "z"][index].to_owned(),
            kind: ValueKind::Number { bits: 32, signed: true },
            what: LoopVariableSource::Local(DenseId::from_index(index)),
            spot: Spot::First,
            before,
            entry,
            between: Vec::new(),
            after,
            guard_before: TermId::TRUE,
            guard_entry: TermId::TRUE,
            guard_between: Vec::new(),
            guard_after: TermId::TRUE,
        };
        let variables = before.iter().zip(entry).zip(after).enumerate().map(variable).collect();
        self.formula.variables.push(select);
        self.formula.variables.extend(&before);
        let name = format!("main.{}", self.formula.loops.len());
        self.formula.loops.push(CutLoop {
            head: (DenseId::from_index(0), DenseId::from_index(0)),
            name,
            place: place(),
            parent: None,
            place_in_program: Default::default(),
            older,
            head_guard: guard,
            select,
            back_guard,
            copies: 1,
            between_guards: Vec::new(),
            variables,
            instances: Vec::new(),
        });
        (head, end)
    }

    fn number(&mut self, value: i32) -> TermId {
        self.formula.terms.bit_vector(value as u32 as u128, 32)
    }

    /// Finds invariants; gives their texts, and whether what is claimed follows from them.
    fn prove(mut self, domains: &str, claim: TermId) -> (Vec<String>, bool) {
        let selection = Selection {
            domains: domains.split(',').map(str::to_owned).collect(),
            guards: true,
            paths: true,
            conditions: false,
        };
        let deadline = Deadline::never();
        let mut solver = BackEnd::Embedded.solver();
        let mut template = Template::new(&mut self.formula, &selection);
        let mut statistics = Statistics::default();
        let limits = Limits::until(deadline.clone());
        synthesise(&mut self.formula, &mut solver, &mut template, &limits, &mut statistics)
            .expect("no limit");
        assert!(statistics.solver_calls < 400, "{statistics:?}");
        let mut question = template.assumptions(&mut self.formula.terms);
        question.push(self.formula.terms.not(claim));
        let result = solver.check(&self.formula.terms, &question, &deadline);
        let texts = template.texts().into_iter().flat_map(|(_, texts)| texts).collect();
        (texts, matches!(result, CheckResult::Unsat(_)))
    }
}

fn less(limit: i32) -> impl Fn(&mut Terms, &[TermId]) -> TermId {
    move |terms, values| {
        let limit = terms.bit_vector(limit as u32 as u128, 32);
        terms.signed_less(values[0], limit)
    }
}

fn plus_one(terms: &mut Terms, value: TermId) -> TermId {
    let one = terms.bit_vector(1, 32);
    terms.add(value, one)
}

#[test]
fn a_counter_stops_at_its_bound() {
    let mut loops = Loops::new();
    let zero = loops.number(0);
    let (x, _) = loops.run(TermId::TRUE, &[zero], less(1_000_000), |terms, values| {
        vec![plus_one(terms, values[0])]
    });
    let most = loops.number(1_000_000);
    let claim = loops.formula.terms.signed_less_equal(x[0], most);
    let (texts, is_proved) = loops.prove("intervals", claim);
    assert_eq!(texts, ["x <= 1000000", "x >= 1"]);
    assert!(is_proved);
}

#[test]
fn a_number_without_bound_has_none() {
    let mut loops = Loops::new();
    let zero = loops.number(0);
    let (x, _) = loops.run(
        TermId::TRUE,
        &[zero],
        |terms, _| terms.variable("again", Sort::Boolean),
        |terms, values| vec![plus_one(terms, values[0])],
    );
    let most = loops.number(1_000_000);
    let claim = loops.formula.terms.signed_less_equal(x[0], most);
    assert_eq!(loops.prove("intervals", claim), (vec![], false));
}

#[test]
fn two_counters_in_step_keep_their_difference() {
    let mut loops = Loops::new();
    let zero = loops.number(0);
    let five = loops.number(5);
    let (x, end) = loops.run(TermId::TRUE, &[zero, five], less(100), |terms, values| {
        vec![plus_one(terms, values[0]), plus_one(terms, values[1])]
    });
    let wanted = loops.number(105);
    let terms = &mut loops.formula.terms;
    let is_wanted = terms.equal(x[1], wanted);
    let claim = terms.implies(end, is_wanted);
    let (texts, is_proved) = loops.prove("zones", claim);
    assert!(texts.contains(&"x - y <= -5".to_owned()), "{texts:?}");
    assert!(texts.contains(&"y - x <= 5".to_owned()), "{texts:?}");
    assert!(is_proved, "{texts:?}");
}

#[test]
fn intervals_alone_do_not_know_differences() {
    let mut loops = Loops::new();
    let zero = loops.number(0);
    let (x, _) = loops.run(TermId::TRUE, &[zero, zero], less(100), |terms, values| {
        vec![plus_one(terms, values[0]), plus_one(terms, values[1])]
    });
    let claim = loops.formula.terms.equal(x[0], x[1]);
    assert!(!loops.prove("intervals", claim).1);
}

#[test]
fn a_bound_from_before_the_loop_is_related_to() {
    let mut loops = Loops::new();
    let zero = loops.number(0);
    let n = loops.formula.terms.variable("n", NUMBER);
    let kind = InputKind::Nondeterministic("n".to_owned());
    loops.formula.inputs.push(Input { guard: TermId::TRUE, value: n, kind });
    loops.formula.variables.push(n);
    let is_positive = loops.formula.terms.signed_less(zero, n);
    let (x, end) = loops.run(
        is_positive,
        &[zero],
        |terms, values| terms.signed_less(values[0], n),
        |terms, values| vec![plus_one(terms, values[0])],
    );
    let terms = &mut loops.formula.terms;
    let is_equal = terms.equal(x[0], n);
    let claim = terms.implies(end, is_equal);
    assert!(loops.prove("zones", claim).1);
}

#[test]
fn what_a_first_loop_did_is_told_apart_in_the_second() {
    // x is 1 if the first loop was run, else 0; the second loop keeps it.
    let mut loops = Loops::new();
    let zero = loops.number(0);
    let (first, end) = loops.run(
        TermId::TRUE,
        &[zero, zero],
        |terms, _| terms.variable("again", Sort::Boolean),
        |terms, _| {
            let one = terms.bit_vector(1, 32);
            vec![one, one]
        },
    );
    let (second, _) = loops.run(
        end,
        &first,
        |terms, _| terms.variable("more", Sort::Boolean),
        |terms, values| {
            vec![terms.add(values[0], values[1]), values[1]]
                .into_iter()
                .map(|value| {
                    let one = terms.bit_vector(1, 32);
                    terms.bit_and(value, one)
                })
                .rev()
                .collect()
        },
    );
    let claim = loops.formula.terms.equal(second[0], second[0]);
    let (texts, is_proved) = loops.prove("intervals", claim);
    assert!(is_proved);
    assert!(texts.contains(&"x <= 0, if loop main.0 was not repeated".to_owned()), "{texts:?}");
}
