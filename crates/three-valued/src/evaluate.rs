//! The value of a formula, for all nodes at once: one variable ranges over a word of nodes while the
//! others are fixed, so that a formula with k variables costs nodes^(k-1) word operations.

use std::cell::RefCell;
use std::rc::Rc;

use crate::formula::{Formula, Variable};
use crate::kleene::Kleene;
use crate::structure::{NULL, Node, Row, Structure, WILD, nodes_of};

/// Which node a variable stands for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Assignment {
    nodes: [u8; 16],
}

impl Assignment {
    #[must_use]
    pub fn with(mut self, variable: Variable, node: Node) -> Assignment {
        self.nodes[usize::from(variable)] = node as u8;
        self
    }

    #[must_use]
    pub fn node(&self, variable: Variable) -> Node {
        usize::from(self.nodes[usize::from(variable)])
    }
}

/// The value of a formula without free variables.
#[must_use]
pub fn truth(structure: &Structure, formula: &Formula) -> Kleene {
    truth_at(structure, formula, Assignment::default())
}

/// The value of a formula where its free variables stand for these nodes.
#[must_use]
pub fn truth_at(structure: &Structure, formula: &Formula, at: Assignment) -> Kleene {
    // A variable that the formula does not have: the row is the same everywhere.
    let unused = 15;
    debug_assert_eq!(formula.free() & 1 << unused, 0, "too many variables");
    row(structure, formula, at, unused).at(NULL)
}

/// The values of a formula with the free variables 0 and 1: a row for each node as variable 0.
#[must_use]
pub fn rows_of(structure: &Structure, formula: &Formula) -> Vec<Row> {
    let evaluation = Evaluation::new(structure);
    let of = |from| evaluation.row(formula, Assignment::default().with(0, from), 1);
    (0..structure.len()).map(of).collect()
}

/// The values of a formula for every node as `variable`.
pub(crate) fn row(
    structure: &Structure,
    formula: &Formula,
    at: Assignment,
    variable: Variable,
) -> Row {
    Evaluation::new(structure).row(formula, at, variable)
}

/// A closure that was computed, by where its formula is.
type Known = (*const Formula, Rc<[Row]>);

/// Formulas in one structure that does not change meanwhile.
pub(crate) struct Evaluation<'s> {
    structure: &'s Structure,
    /// The closures so far: a row of one costs as much as all.
    closures: RefCell<Vec<Known>>,
}

impl<'s> Evaluation<'s> {
    pub(crate) fn new(structure: &'s Structure) -> Evaluation<'s> {
        Evaluation { structure, closures: RefCell::new(Vec::new()) }
    }

    /// The values of a formula for every node as `variable`.
    pub(crate) fn row(&self, formula: &Formula, at: Assignment, variable: Variable) -> Row {
        let structure = self.structure;
        let universe = structure.universe();
        let only = |node: Node| Row { one: 1 << node, zero: universe & !(1 << node) };
        let splat = |value: Kleene| Row::splat(value, universe);
        let spread = |row: Row, other: Variable| match other == variable {
            true => row,
            false => splat(row.at(at.node(other))),
        };
        match formula {
            Formula::Constant(value) => splat(*value),
            Formula::Nullary(predicate) => splat(structure.nullary(*predicate)),
            Formula::Unary(predicate, of) => spread(structure.unary(*predicate), *of),
            Formula::Null(of) => spread(only(NULL), *of),
            Formula::Wild(of) => spread(only(WILD), *of),
            Formula::Binary(predicate, from, to) => match (*from == variable, *to == variable) {
                (true, true) => structure.diagonal(*predicate),
                (true, false) => structure.column(*predicate, at.node(*to)),
                (false, _) => spread(structure.binary(*predicate, at.node(*from)), *to),
            },
            Formula::Equal(left, right) if left == right => splat(Kleene::True),
            Formula::Equal(left, right) if *left == variable => equal(structure, at.node(*right)),
            Formula::Equal(left, right) => spread(equal(structure, at.node(*left)), *right),
            Formula::Not(body) => !self.row(body, at, variable),
            Formula::And(parts) => all(universe, parts.iter().map(|it| self.row(it, at, variable))),
            Formula::Or(parts) => some(universe, parts.iter().map(|it| self.row(it, at, variable))),
            Formula::Exists(bound, body) if *bound == variable => {
                splat(any(structure, self.row(body, at, variable)))
            }
            Formula::Exists(bound, body) => match &**body {
                Formula::And(parts) => self.some_of_all(parts, *bound, at, variable),
                body => {
                    let of = |node| self.row(body, at.with(*bound, node), variable);
                    some(universe, nodes_of(structure.blocks()).map(of))
                }
            },
            Formula::ForAll(bound, body) if *bound == variable => {
                splat(!any(structure, !self.row(body, at, variable)))
            }
            Formula::ForAll(bound, body) => {
                let of = |node| self.row(body, at.with(*bound, node), variable);
                all(universe, nodes_of(structure.blocks()).map(of))
            }
            Formula::Closure { .. } => self.closure_row(formula, at, variable),
        }
    }

    /// `∃ bound. parts`, where the parts that do not speak of `variable` say first which nodes `bound` can be.
    fn some_of_all(
        &self,
        parts: &[Formula],
        bound: Variable,
        at: Assignment,
        variable: Variable,
    ) -> Row {
        let universe = self.structure.universe();
        let speaks = |part: &&Formula| part.free() >> variable & 1 == 1;
        let fixed = parts.iter().filter(|part| !speaks(part));
        let fixed = all(universe, fixed.map(|part| self.row(part, at, bound)));
        let of = |node: Node| {
            let at = at.with(bound, node);
            let open = parts.iter().filter(speaks).map(|part| self.row(part, at, variable));
            all(universe, open).and(Row::splat(fixed.at(node), universe))
        };
        some(universe, nodes_of(self.structure.blocks() & fixed.one).map(of))
    }

    fn closure_row(&self, formula: &Formula, at: Assignment, variable: Variable) -> Row {
        let Formula::Closure { left, right, step, from, to } = formula else {
            unreachable!("the caller has looked")
        };
        let ends = (*from, *to);
        let closed = |at: Assignment| {
            let steps = (0..self.structure.len()).map(|node| at.with(*left, node));
            closure(steps.map(|at| self.row(step, at, *right)).collect())
        };
        let outer = step.free() & !(1 << left | 1 << right);
        if outer == 0 {
            let key = std::ptr::from_ref(formula);
            let known = self.closures.borrow().iter().find(|it| it.0 == key).map(|it| it.1.clone());
            let rows = known.unwrap_or_else(|| {
                let rows: Rc<[Row]> = closed(at).into();
                self.closures.borrow_mut().push((key, rows.clone()));
                rows
            });
            return closure_row(&rows, ends, at, variable);
        }
        if outer & 1 << variable == 0 {
            return closure_row(&closed(at), ends, at, variable);
        }
        // The step speaks of the variable: a closure for each of its nodes.
        let of = |node| closure_row(&closed(at.with(variable, node)), ends, at, variable);
        let mut rows = Row::default();
        for node in 0..self.structure.len() {
            let row = of(node);
            rows.one |= row.one & 1 << node;
            rows.zero |= row.zero & 1 << node;
        }
        rows
    }
}

/// All of these at each node; once it is 0 everywhere it stays so.
fn all(universe: u64, rows: impl Iterator<Item = Row>) -> Row {
    let mut found = Row::splat(Kleene::True, universe);
    for row in rows {
        found = found.and(row);
        if found.one == 0 {
            break;
        }
    }
    found
}

/// One of these at each node; once it is 1 everywhere it stays so.
fn some(universe: u64, rows: impl Iterator<Item = Row>) -> Row {
    let mut found = Row::splat(Kleene::False, universe);
    for row in rows {
        found = found.or(row);
        if found.zero == 0 {
            break;
        }
    }
    found
}

/// Whether some block has the property.
fn any(structure: &Structure, row: Row) -> Kleene {
    let blocks = structure.blocks();
    Kleene::from_chances(row.one & blocks != 0, row.zero & blocks == blocks)
}

/// Which nodes are the same individual as one of this node: unknown within a summary.
fn equal(structure: &Structure, node: Node) -> Row {
    let bit = 1 << node;
    let others = structure.universe() & !bit;
    Row { one: bit, zero: others | structure.summaries() & bit }
}

/// The transitive closure of a relation: 1 where a path of steps that are 1 leads, at least 1/2 where
/// one leads whose steps are at least that.
pub(crate) fn closure(mut rows: Vec<Row>) -> Vec<Row> {
    close(&mut rows);
    rows
}

/// Makes a relation transitive.
pub(crate) fn close(rows: &mut [Row]) {
    for middle in 0..rows.len() {
        let onward = rows[middle];
        let (may, must) = (onward.one, onward.must());
        if may == 0 {
            continue;
        }
        for row in rows.iter_mut() {
            if row.one >> middle & 1 == 1 {
                row.one |= may;
            }
            if row.must() >> middle & 1 == 1 {
                row.zero &= !must;
            }
        }
    }
}

fn closure_row(
    rows: &[Row],
    (from, to): (Variable, Variable),
    at: Assignment,
    variable: Variable,
) -> Row {
    let universe = crate::structure::mask(rows.len());
    match (from == variable, to == variable) {
        (false, true) => rows[at.node(from)],
        (false, false) => Row::splat(rows[at.node(from)].at(at.node(to)), universe),
        (true, is_diagonal) => {
            let mut row = Row::default();
            for (node, of) in rows.iter().enumerate() {
                let target = if is_diagonal { node } else { at.node(to) };
                row.one |= (of.one >> target & 1) << node;
                row.zero |= (of.zero >> target & 1) << node;
            }
            row
        }
    }
}
