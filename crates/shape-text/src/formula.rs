//! Formulas with transitive closure, and their values by plain recursion.

use std::cell::RefCell;

use crate::heap::{Heap, NULL, Node, WILD};
use crate::table::Table;
use crate::truth::Truth;

/// A variable, as its place among those of a formula.
pub(crate) type Variable = usize;

/// Quantifiers range over blocks; free variables may be any node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Formula {
    Constant(Truth),
    Unary(usize, Variable),
    Binary(usize, Variable, Variable),
    Equal(Variable, Variable),
    IsNull(Variable),
    IsWild(Variable),
    IsBlock(Variable),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    Exists(Variable, Box<Formula>),
    ForAll(Variable, Box<Formula>),
    /// One or more steps lead from one node to the other.
    Path {
        left: Variable,
        right: Variable,
        step: Box<Formula>,
        from: Variable,
        to: Variable,
        /// Whether the step speaks of nothing but its two ends, so that all paths can be known at once.
        is_closed: bool,
    },
}

impl Formula {
    /// Every part of it, itself first.
    pub(crate) fn visit(&self, look: &mut dyn FnMut(&Formula)) {
        look(self);
        match self {
            Formula::Constant(_)
            | Formula::Unary(..)
            | Formula::Binary(..)
            | Formula::Equal(..)
            | Formula::IsNull(_)
            | Formula::IsWild(_)
            | Formula::IsBlock(_) => {}
            Formula::Not(body) | Formula::Exists(_, body) | Formula::ForAll(_, body) => {
                body.visit(look);
            }
            Formula::All(parts) | Formula::Any(parts) => {
                parts.iter().for_each(|part| part.visit(look));
            }
            Formula::Path { step, .. } => step.visit(look),
        }
    }

    /// Whether it speaks of paths of any number of steps.
    pub(crate) fn has_path(&self) -> bool {
        let mut has_path = false;
        self.visit(&mut |part| has_path |= matches!(part, Formula::Path { .. }));
        has_path
    }

    /// Some block has the property. What does not speak of it is looked at once, not for each block.
    pub(crate) fn exists(bound: Variable, body: Formula) -> Formula {
        let Formula::All(parts) = body else { return Formula::Exists(bound, Box::new(body)) };
        let (inner, mut outer): (Vec<Formula>, Vec<Formula>) =
            parts.into_iter().partition(|part| part.speaks_of(bound));
        if inner.is_empty() {
            return Formula::Exists(bound, Box::new(Formula::All(outer)));
        }
        outer.push(Formula::Exists(bound, Box::new(Formula::All(inner))));
        Formula::All(outer)
    }

    /// All blocks have the property, the same way.
    pub(crate) fn for_all(bound: Variable, body: Formula) -> Formula {
        let Formula::Any(parts) = body else { return Formula::ForAll(bound, Box::new(body)) };
        let (inner, mut outer): (Vec<Formula>, Vec<Formula>) =
            parts.into_iter().partition(|part| part.speaks_of(bound));
        if inner.is_empty() {
            return Formula::ForAll(bound, Box::new(Formula::Any(outer)));
        }
        outer.push(Formula::ForAll(bound, Box::new(Formula::Any(inner))));
        Formula::Any(outer)
    }

    /// Whether a variable stands in it.
    fn speaks_of(&self, variable: Variable) -> bool {
        let mut speaks = false;
        self.visit(&mut |part| match part {
            Formula::Unary(_, of)
            | Formula::IsNull(of)
            | Formula::IsWild(of)
            | Formula::IsBlock(of) => speaks |= *of == variable,
            Formula::Binary(_, from, to)
            | Formula::Equal(from, to)
            | Formula::Path { from, to, .. } => speaks |= *from == variable || *to == variable,
            Formula::Constant(_)
            | Formula::Not(_)
            | Formula::All(_)
            | Formula::Any(_)
            | Formula::Exists(..)
            | Formula::ForAll(..) => {}
        });
        speaks
    }

    /// Paths of such steps.
    pub(crate) fn path(
        step: Formula,
        (left, right): (Variable, Variable),
        (from, to): (Variable, Variable),
    ) -> Formula {
        let is_closed = step.speaks_only_of(left, right);
        Formula::Path { left, right, step: Box::new(step), from, to, is_closed }
    }

    fn speaks_only_of(&self, left: Variable, right: Variable) -> bool {
        let mut bound = vec![left, right];
        let mut is_closed = true;
        self.visit(&mut |part| match part {
            Formula::Exists(variable, _) | Formula::ForAll(variable, _) => bound.push(*variable),
            Formula::Path { left, right, from, to, .. } => {
                is_closed &= bound.contains(from) && bound.contains(to);
                bound.extend([*left, *right]);
            }
            Formula::Unary(_, of)
            | Formula::IsNull(of)
            | Formula::IsWild(of)
            | Formula::IsBlock(of) => is_closed &= bound.contains(of),
            Formula::Binary(_, from, to) | Formula::Equal(from, to) => {
                is_closed &= bound.contains(from) && bound.contains(to);
            }
            Formula::Constant(_) | Formula::Not(_) | Formula::All(_) | Formula::Any(_) => {}
        });
        is_closed
    }
}

/// Variables that a formula may have.
pub(crate) const MOST_VARIABLES: usize = 24;

/// Which node each variable stands for.
pub(crate) type Assignment = [Node; MOST_VARIABLES];

pub(crate) const NOWHERE: Assignment = [NULL; MOST_VARIABLES];

/// Which node leads to which, by where the formula of the path is.
type Known = (*const Formula, Table);

/// Gives formulas their values in one heap that does not change meanwhile.
pub(crate) struct Evaluator<'h> {
    heap: &'h Heap,
    /// Which node leads to which, for steps that speak of their ends alone.
    paths: RefCell<Vec<Known>>,
}

impl<'h> Evaluator<'h> {
    pub(crate) fn new(heap: &'h Heap) -> Evaluator<'h> {
        Evaluator { heap, paths: RefCell::new(Vec::new()) }
    }

    pub(crate) fn value(&self, formula: &Formula, at: &mut Assignment) -> Truth {
        match formula {
            Formula::Constant(value) => *value,
            Formula::Unary(predicate, of) => self.heap.unary[*predicate][at[*of]],
            Formula::Binary(predicate, from, to) => {
                self.heap.binary[*predicate][at[*from]][at[*to]]
            }
            Formula::Equal(left, right) if left == right => Truth::Yes,
            Formula::Equal(left, right) => self.equal(at[*left], at[*right]),
            Formula::IsNull(of) => Truth::from(at[*of] == NULL),
            Formula::IsWild(of) => Truth::from(at[*of] == WILD),
            Formula::IsBlock(of) => Truth::from(self.heap.is_block(at[*of])),
            Formula::Not(body) => self.value(body, at).not(),
            Formula::All(parts) => self.least(parts.iter().map(|part| self.value(part, at))),
            Formula::Any(parts) => self.most(parts.iter().map(|part| self.value(part, at))),
            Formula::Exists(bound, body) => self.most(self.heap.blocks().map(|node| {
                at[*bound] = node;
                self.value(body, at)
            })),
            Formula::ForAll(bound, body) => self.least(self.heap.blocks().map(|node| {
                at[*bound] = node;
                self.value(body, at)
            })),
            Formula::Path { left, right, step, from, to, is_closed } => {
                let ends = (at[*from], at[*to]);
                if *is_closed {
                    let key = std::ptr::from_ref(formula);
                    if let Some((_, known)) = self.paths.borrow().iter().find(|it| it.0 == key) {
                        return known[ends.0][ends.1];
                    }
                    let paths = self.paths_of(step, (*left, *right), at);
                    let value = paths[ends.0][ends.1];
                    self.paths.borrow_mut().push((key, paths));
                    return value;
                }
                self.paths_of(step, (*left, *right), at)[ends.0][ends.1]
            }
        }
    }

    fn least(&self, values: impl Iterator<Item = Truth>) -> Truth {
        let mut least = Truth::Yes;
        for value in values {
            least = least.min(value);
            if least == Truth::No {
                break;
            }
        }
        least
    }

    fn most(&self, values: impl Iterator<Item = Truth>) -> Truth {
        let mut most = Truth::No;
        for value in values {
            most = most.max(value);
            if most == Truth::Yes {
                break;
            }
        }
        most
    }

    /// Two blocks of one node may be the same or not.
    fn equal(&self, left: Node, right: Node) -> Truth {
        match left == right {
            true if self.heap.is_many[left] => Truth::Maybe,
            is_same => Truth::from(is_same),
        }
    }

    /// The best path between each two nodes: as true as the least of its steps.
    fn paths_of(
        &self,
        step: &Formula,
        (left, right): (Variable, Variable),
        at: &mut Assignment,
    ) -> Table {
        let nodes = self.heap.len();
        let mut paths = Table::new(nodes, nodes);
        let mut inner = *at;
        for from in 0..nodes {
            for to in 0..nodes {
                (inner[left], inner[right]) = (from, to);
                paths[from][to] = self.value(step, &mut inner);
            }
        }
        for middle in 0..nodes {
            for from in 0..nodes {
                let first = paths[from][middle];
                if first == Truth::No {
                    continue;
                }
                for to in 0..nodes {
                    let over = first.min(paths[middle][to]);
                    paths[from][to] = paths[from][to].max(over);
                }
            }
        }
        paths
    }
}
