//! Values from before a loop that rows may speak of: numbers that something in its body is compared
//! with, such as the `n` of `i < n`, and conditions that the body branches on.
//!
//! The formula lists its variables in the order in which the program needs them, and a loop says which
//! of them were there before it. A term over such variables depends on nothing in the body, and is the
//! same in all rounds. Only terms over inputs and numbers count: the numbers of blocks have no meaning
//! across a loop's head, so no row may depend on them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::DenseId;
use heapwright_logic::{Sort, Term, TermId, Terms};

use crate::ssa::formula::{
    CutLoop, Formula, Input, InputKind, LoopVariable, LoopVariableSource, Spot, ValueKind,
};

/// More conditions are not told apart.
const MOST_CONDITIONS: usize = 5;

/// More values from before a loop are not looked at.
const MOST_CONSTANTS: usize = 8;

/// The terms that a loop's body is made of, and which of them were decided before it.
struct Parts {
    ages: BTreeMap<TermId, Age>,
    /// Those that depend on inputs and numbers of the program alone.
    plain: BTreeSet<TermId>,
}

/// When a term is decided; that of a term is the latest of its parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Age {
    Constant,
    BeforeLoop,
    InLoop,
}

impl Parts {
    fn of(formula: &Formula, cut: &CutLoop) -> Parts {
        let terms = &formula.terms;
        let mut roots: Vec<TermId> = cut.variables.iter().map(|variable| variable.after).collect();
        roots.push(cut.back_guard);
        let obligations = formula.obligations.iter();
        roots.extend(obligations.flat_map(|it| [it.guard, it.condition]));
        let numbers = number_variables(formula);
        let before: BTreeSet<TermId> =
            formula.variables[cut.older.clone()].iter().copied().collect();
        let mut ages: BTreeMap<TermId, Age> = BTreeMap::new();
        let mut plain = BTreeSet::new();
        // Children have smaller numbers, so they come first.
        for term in terms.reachable(&roots) {
            let children = terms.node(term).children();
            let (age, is_plain) = match terms.node(term) {
                Term::Variable(_) if before.contains(&term) => {
                    (Age::BeforeLoop, numbers.contains(&term))
                }
                Term::Variable(_) => (Age::InLoop, numbers.contains(&term)),
                _ => (
                    children.into_iter().map(|child| ages[&child]).max().unwrap_or(Age::Constant),
                    children.into_iter().all(|child| plain.contains(&child)),
                ),
            };
            ages.insert(term, age);
            if is_plain {
                plain.insert(term);
            }
        }
        Parts { ages, plain }
    }

    /// Whether a term is the same in all rounds of the loop, plain, and no constant.
    fn is_old(&self, term: TermId) -> bool {
        self.ages[&term] == Age::BeforeLoop && self.plain.contains(&term)
    }

    fn is_new(&self, term: TermId) -> bool {
        self.ages[&term] == Age::InLoop
    }
}

/// The variables of a formula that are inputs, numbers at a loop's head, or loop-select guards.
fn number_variables(formula: &Formula) -> BTreeSet<TermId> {
    let is_number = |kind| matches!(kind, ValueKind::Number { .. } | ValueKind::Boolean);
    let is_program_variable =
        |what| matches!(what, LoopVariableSource::Local(_) | LoopVariableSource::Global(_));
    let inputs = formula.inputs.iter().filter(|input| is_nondeterministic(input));
    let mut numbers: BTreeSet<TermId> = inputs.map(|input| input.value).collect();
    for cut in &formula.loops {
        numbers.insert(cut.select);
        let variables = cut.variables.iter();
        let of_program = variables
            .filter(|variable| is_number(variable.kind) && is_program_variable(variable.what));
        numbers.extend(of_program.map(|variable| variable.before));
    }
    for function in &formula.functions {
        let inputs = function.inputs.iter();
        let of_program =
            inputs.filter(|input| is_number(input.kind) && is_program_variable(input.what));
        numbers.extend(of_program.map(|input| input.inside.value));
    }
    numbers
}

/// Whether an input is a number from outside; a pointer from outside has the width of pointers.
fn is_nondeterministic(input: &Input) -> bool {
    matches!(input.kind, InputKind::Nondeterministic(_) | InputKind::Uninitialised(_))
}

/// Conditions that were decided before the loop and that its body branches on, those first that it
/// uses most.
pub(super) fn conditions(formula: &Formula, cut: &CutLoop) -> Vec<TermId> {
    let terms = &formula.terms;
    let parts = Parts::of(formula, cut);
    let mut uses: BTreeMap<TermId, usize> = BTreeMap::new();
    for &term in parts.ages.keys().filter(|&&term| parts.is_new(term)) {
        let atoms = terms.node(term).children().into_iter().filter_map(|it| atom(terms, it));
        for atom in atoms.filter(|&atom| parts.is_old(atom)) {
            *uses.entry(atom).or_default() += 1;
        }
    }
    for other in &formula.loops {
        uses.remove(&other.select);
    }
    most_used(uses, MOST_CONDITIONS)
}

/// The condition that a term is, or is the negation of, if it has no conditions inside.
pub(super) fn atom(terms: &Terms, term: TermId) -> Option<TermId> {
    let is_atom =
        matches!(terms.node(term), Term::Equal(..) | Term::Relation(..) | Term::Variable(_));
    let atom = match terms.node(term) {
        Term::Not(inner) => inner,
        _ if is_atom => term,
        _ => return None,
    };
    (terms.sort(atom) == Sort::Boolean).then_some(atom)
}

/// Those that are used most, the most used first.
pub(super) fn most_used(uses: BTreeMap<TermId, usize>, most: usize) -> Vec<TermId> {
    let mut ranked: Vec<(Reverse<usize>, TermId)> =
        uses.into_iter().map(|(term, count)| (Reverse(count), term)).collect();
    ranked.sort_unstable();
    ranked.into_iter().take(most).map(|(_, term)| term).collect()
}

/// Numbers from before the loop that something in it is compared with.
pub(super) fn constants(formula: &Formula, cut: &CutLoop) -> Vec<LoopVariable> {
    let terms = &formula.terms;
    let parts = Parts::of(formula, cut);
    let widths: BTreeSet<u32> = cut.variables.iter().filter_map(number_width).collect();
    let mut found = BTreeSet::new();
    let mut look = |value: TermId, against: TermId| {
        let is_number = terms.sort(value) != Sort::Boolean && widths.contains(&terms.width(value));
        if is_number && parts.is_old(value) && parts.is_new(against) {
            found.insert(value);
        }
    };
    for &term in parts.ages.keys() {
        match terms.node(term) {
            Term::Equal(a, b) | Term::Relation(_, a, b) => {
                look(a, b);
                look(b, a);
            }
            _ => {}
        }
    }
    found.into_iter().take(MOST_CONSTANTS).map(|value| constant(formula, cut, value)).collect()
}

fn number_width(variable: &LoopVariable) -> Option<u32> {
    match variable.kind {
        ValueKind::Number { bits, .. } => Some(bits),
        ValueKind::Pointer | ValueKind::Boolean | ValueKind::Opaque { .. } => None,
    }
}

/// A value that stays what it is, as a variable.
fn constant(formula: &Formula, cut: &CutLoop, value: TermId) -> LoopVariable {
    let version = formula.versions.iter().find(|version| version.term == value);
    let name = version
        .map_or_else(|| formula.terms.display(value).to_string(), |version| version.name.clone());
    LoopVariable {
        name,
        kind: ValueKind::Number { bits: formula.terms.width(value), signed: true },
        what: LoopVariableSource::Local(DenseId::from_index(0)),
        spot: Spot::First,
        before: value,
        entry: value,
        between: vec![value; cut.between_guards.len()],
        after: value,
        guard_before: TermId::TRUE,
        guard_entry: TermId::TRUE,
        guard_between: vec![TermId::TRUE; cut.between_guards.len()],
        guard_after: TermId::TRUE,
    }
}
