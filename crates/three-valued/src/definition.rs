//! Definitions whose form is known are computed by operations on rows, all others by evaluating their formula. Both
//! give the same values.

use heapwright_base::DenseId;

use crate::evaluate::{Assignment, Evaluation, close};
use crate::formula::{Formula, Variable};
use crate::structure::{MOST_NODES, Row, Structure, nodes_of};
use crate::vocabulary::{BinaryId, UnaryId};

/// What a predicate means, ready to be computed. Its arguments are the variables 0 and 1; predicates are indices.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    formula: Formula,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `∃u. p(u) ∧ q(u, v)`.
    Image {
        of: usize,
        by: usize,
    },
    /// `∃u. p(u, v) ∧ q(u, v)`.
    Both(usize, usize),
    /// `∃a, b. a ≠ b ∧ p(a, v) ∧ p(b, v)`.
    Several(usize),
    /// `∀w. p(v, w) → q(w, v)`.
    LedBack {
        there: usize,
        back: usize,
    },
    /// `p+(v, v)`.
    Cycle(usize),
    /// `p*(u, v)`.
    Paths(usize),
    /// `p(u, v) ∨ q(u, v)`.
    Either(usize, usize),
    Other,
}

impl Definition {
    pub(crate) fn new(formula: Formula) -> Definition {
        let formula = formula.miniscoped();
        Definition { form: form(&formula), formula }
    }

    /// `p` and `q` of a definition `∃u. p(u) ∧ q(u, v)`.
    pub(crate) fn image(&self) -> Option<(UnaryId, BinaryId)> {
        let Form::Image { of, by } = self.form else { return None };
        Some((UnaryId::from_index(of), BinaryId::from_index(by)))
    }

    /// The values of a definition with one argument.
    pub(crate) fn row(&self, structure: &Structure) -> Row {
        match self.form {
            Form::Image { of, by } => image(structure, of, by),
            Form::Both(one, other) => both(structure, one, other),
            Form::Several(by) => several(structure, by),
            Form::LedBack { there, back } => led_back(structure, there, back),
            Form::Cycle(by) => {
                let mut paths = [Row::default(); MOST_NODES];
                find_paths(structure, by, &mut paths);
                let mut diagonal = Row::default();
                for (node, row) in paths[..structure.len()].iter().enumerate() {
                    diagonal.one |= row.one & 1 << node;
                    diagonal.zero |= row.zero & 1 << node;
                }
                diagonal
            }
            Form::Paths(_) | Form::Either(..) | Form::Other => {
                Evaluation::new(structure).row(&self.formula, Assignment::default(), 0)
            }
        }
    }

    /// The values of one with two arguments: a row for each block as the first one.
    pub(crate) fn find_rows(&self, structure: &Structure, rows: &mut [Row; MOST_NODES]) {
        match self.form {
            Form::Paths(by) => {
                find_paths(structure, by, rows);
                let (universe, summaries) = (structure.universe(), structure.summaries());
                for (node, row) in rows[..structure.len()].iter_mut().enumerate() {
                    let bit = 1 << node;
                    *row = row.or(Row { one: bit, zero: universe & !bit | summaries & bit });
                }
            }
            Form::Either(one, other) => {
                let tables = structure.table_at(one).iter().zip(structure.table_at(other));
                for (row, (one, other)) in rows.iter_mut().zip(tables) {
                    *row = one.or(*other);
                }
            }
            Form::Image { .. }
            | Form::Both(..)
            | Form::Several(_)
            | Form::LedBack { .. }
            | Form::Cycle(_)
            | Form::Other => {
                let evaluation = Evaluation::new(structure);
                for from in nodes_of(structure.blocks()) {
                    let at = Assignment::default().with(0, from);
                    rows[from] = evaluation.row(&self.formula, at, 1);
                }
            }
        }
    }
}

/// The only part, if there is one.
fn peeled(mut formula: &Formula) -> &Formula {
    while let Formula::And(parts) | Formula::Or(parts) = formula {
        let [part] = &parts[..] else { break };
        formula = part;
    }
    formula
}

fn form(formula: &Formula) -> Form {
    let formula = peeled(formula);
    let found = if let Formula::Exists(bound, body) = formula {
        some_form(*bound, body)
    } else if let Formula::ForAll(bound, body) = formula {
        led_back_form(*bound, body)
    } else if let Formula::Closure { from: 0, to: 0, .. } = formula {
        step(formula).map(Form::Cycle)
    } else {
        either_form(formula)
    };
    found.unwrap_or(Form::Other)
}

/// Both parts of a conjunction or disjunction.
fn two(parts: &[Formula]) -> Option<[&Formula; 2]> {
    let [first, second] = parts else { return None };
    Some([peeled(first), peeled(second)])
}

fn either_form(formula: &Formula) -> Option<Form> {
    let Formula::Or(parts) = formula else { return None };
    let [one, other] = two(parts)?;
    if let (Formula::Binary(one, 0, 1), Formula::Binary(other, 0, 1)) = (one, other) {
        return Some(Form::Either(one.index(), other.index()));
    }
    let is_any = *one == Formula::Equal(0, 1);
    let is_path = matches!(other, Formula::Closure { from: 0, to: 1, .. });
    (is_any && is_path).then(|| step(other)).flatten().map(Form::Paths)
}

/// The predicate whose paths these are.
fn step(path: &Formula) -> Option<usize> {
    let Formula::Closure { left, right, step, .. } = path else { return None };
    let Formula::Binary(by, from, to) = peeled(step) else { return None };
    ((from, to) == (left, right)).then_some(by.index())
}

fn some_form(bound: Variable, body: &Formula) -> Option<Form> {
    let Formula::And(parts) = peeled(body) else { return None };
    let [first, second] = two(parts)?;
    if let (Formula::Unary(of, one), Formula::Binary(by, from, 0))
    | (Formula::Binary(by, from, 0), Formula::Unary(of, one)) = (first, second)
    {
        let is_image = (*one, *from) == (bound, bound);
        return is_image.then_some(Form::Image { of: of.index(), by: by.index() });
    }
    if let (Formula::Binary(one, from, 0), Formula::Binary(other, also, 0)) = (first, second) {
        let are_of_it = (*from, *also) == (bound, bound);
        return are_of_it.then_some(Form::Both(one.index(), other.index()));
    }
    let (Formula::Binary(by, from, 0), Formula::Exists(other, rest)) = (first, second) else {
        return None;
    };
    let is_several = *from == bound && is_another(rest, (bound, *other), by.index());
    is_several.then_some(Form::Several(by.index()))
}

/// Whether this says `a ≠ b ∧ p(b, v)`.
fn is_another(rest: &Formula, (one, other): (Variable, Variable), by: usize) -> bool {
    let Formula::And(parts) = peeled(rest) else { return false };
    let Some([first, second]) = two(parts) else { return false };
    let differs = |part: &Formula| {
        *part == !Formula::Equal(one, other) || *part == !Formula::Equal(other, one)
    };
    let leads = |part: &Formula| matches!(part, Formula::Binary(link, from, 0) if link.index() == by && *from == other);
    differs(first) && leads(second) || leads(first) && differs(second)
}

fn led_back_form(bound: Variable, body: &Formula) -> Option<Form> {
    let Formula::Or(parts) = peeled(body) else { return None };
    let [first, second] = two(parts)?;
    let there = |part: &Formula| {
        let Formula::Not(leads) = part else { return None };
        let Formula::Binary(there, 0, to) = **leads else { return None };
        (to == bound).then_some(there.index())
    };
    let back = |part: &Formula| {
        let Formula::Binary(back, from, 0) = part else { return None };
        (*from == bound).then_some(back.index())
    };
    let found = there(first).zip(back(second)).or_else(|| there(second).zip(back(first)));
    found.map(|(there, back)| Form::LedBack { there, back })
}

fn image(structure: &Structure, of: usize, by: usize) -> Row {
    let (of, by) = (structure.unary_at(of), structure.table_at(by));
    let mut image = Row { one: 0, zero: structure.universe() };
    for from in nodes_of(of.one & structure.blocks()) {
        image.one |= by[from].one;
        // Where it may not be one of them, nothing is certain.
        if of.zero >> from & 1 == 0 {
            image.zero &= by[from].zero;
        }
    }
    image
}

fn both(structure: &Structure, one: usize, other: usize) -> Row {
    let (one, other) = (structure.table_at(one), structure.table_at(other));
    let mut found = Row { one: 0, zero: structure.universe() };
    for from in nodes_of(structure.blocks()) {
        found = found.or(one[from].and(other[from]));
    }
    found
}

fn several(structure: &Structure, by: usize) -> Row {
    let (by, summaries) = (structure.table_at(by), structure.summaries());
    let (mut may_once, mut may_twice, mut must_once, mut must_twice) = (0, 0, 0, 0);
    for from in nodes_of(structure.blocks()) {
        let (may, must) = (by[from].one, by[from].must());
        // Two blocks of a summary may lead there, and may be one.
        may_twice |= may & if summaries >> from & 1 == 1 { u64::MAX } else { may_once };
        may_once |= may;
        must_twice |= must & must_once;
        must_once |= must;
    }
    Row { one: may_twice, zero: structure.universe() & !must_twice }
}

fn led_back(structure: &Structure, there: usize, back: usize) -> Row {
    let (there, back) = (structure.table_at(there), structure.table_at(back));
    let blocks = structure.blocks();
    let mut found = Row { one: structure.universe(), zero: 0 };
    for (node, there) in there.iter().enumerate() {
        let bit = 1 << node;
        // Where it does not lead, nothing need lead back.
        for to in nodes_of(there.one & blocks) {
            let may_be_elsewhere = there.zero >> to & 1 == 1;
            if !may_be_elsewhere && back[to].one & bit == 0 {
                found.one &= !bit;
            }
            found.zero |= back[to].zero & bit;
        }
    }
    found
}

/// One or more steps.
fn find_paths(structure: &Structure, by: usize, rows: &mut [Row; MOST_NODES]) {
    let table = structure.table_at(by);
    rows[..table.len()].copy_from_slice(table);
    close(&mut rows[..table.len()]);
}
