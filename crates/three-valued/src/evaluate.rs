//! The value of a formula, for all nodes at once: one variable ranges over a word of nodes while the
//! others are fixed, so that a formula with k variables costs nodes^(k-1) word operations.

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
    let of = |from| row(structure, formula, Assignment::default().with(0, from), 1);
    (0..structure.len()).map(of).collect()
}

/// The values of a formula for every node as `variable`.
pub(crate) fn row(
    structure: &Structure,
    formula: &Formula,
    at: Assignment,
    variable: Variable,
) -> Row {
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
        Formula::Not(body) => !row(structure, body, at, variable),
        Formula::And(parts) => {
            let of = |part| row(structure, part, at, variable);
            parts.iter().map(of).fold(splat(Kleene::True), Row::and)
        }
        Formula::Or(parts) => {
            let of = |part| row(structure, part, at, variable);
            parts.iter().map(of).fold(splat(Kleene::False), Row::or)
        }
        Formula::Exists(bound, body) => {
            let of = |node| row(structure, body, at.with(*bound, node), variable);
            let none = splat(Kleene::False);
            match *bound == variable {
                true => splat(any(structure, row(structure, body, at, variable))),
                false => nodes_of(structure.blocks()).map(of).fold(none, Row::or),
            }
        }
        Formula::ForAll(bound, body) => {
            let of = |node| row(structure, body, at.with(*bound, node), variable);
            let all = splat(Kleene::True);
            match *bound == variable {
                true => splat(!any(structure, !row(structure, body, at, variable))),
                false => nodes_of(structure.blocks()).map(of).fold(all, Row::and),
            }
        }
        Formula::Closure { left, right, step, from, to } => {
            let ends = (*from, *to);
            let closed = |at: Assignment| {
                let steps = (0..structure.len()).map(|node| at.with(*left, node));
                closure(steps.map(|at| row(structure, step, at, *right)).collect())
            };
            let is_bound = variable == *left || variable == *right;
            if is_bound || step.free() & 1 << variable == 0 {
                return closure_row(&closed(at), ends, at, variable);
            }
            // The step speaks of the variable: a closure for each of its nodes.
            let of = |node| closure_row(&closed(at.with(variable, node)), ends, at, variable);
            let pick =
                |row: Row, node: Node| Row { one: row.one & 1 << node, zero: row.zero & 1 << node };
            let picked = (0..structure.len()).map(|node| pick(of(node), node));
            picked.fold(Row::default(), |all, row| Row {
                one: all.one | row.one,
                zero: all.zero | row.zero,
            })
        }
    }
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
    for middle in 0..rows.len() {
        let onward = rows[middle];
        let (may, must) = (onward.one, onward.must());
        for row in &mut rows {
            if row.one >> middle & 1 == 1 {
                row.one |= may;
            }
            if row.must() >> middle & 1 == 1 {
                row.zero &= !must;
            }
        }
    }
    rows
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
