//! Implications: where the body certainly holds, the head is made to. The last variable of a rule ranges over
//! words of nodes, the others are tried node by node.

use crate::coerce::changes::Notes;
use crate::coerce::test::Test;
use crate::coerce::{Applied, Contradiction};
use crate::kleene::Kleene;
use crate::rule::{Atom, Literal, MOST_VARIABLES};
use crate::structure::{Node, Row, Structure, nodes_of};

/// A rule with its literals in the order in which they are looked at.
#[derive(Clone, Debug)]
pub(super) struct Implication {
    /// For each variable, the literals that speak of it and of variables before it alone.
    due: [Vec<Test>; MOST_VARIABLES],
    head: Literal,
    /// The head as seen from its own last variable, and from the last one of the rule.
    opposed: (usize, Test),
    last: usize,
    /// The atoms of the body whose change makes the rule say something new.
    occurrences: Vec<Atom>,
    /// The atom of the head, if the body does not have it: where it has changed, it may say the opposite.
    concluded: Option<Atom>,
}

/// Where variables are looked at, and what they stand for.
struct Search<'s, 'n> {
    structure: &'s mut Structure,
    notes: &'s mut Notes<'n>,
    places: [u64; MOST_VARIABLES],
    at: [Node; MOST_VARIABLES],
    /// Whether only heads that certainly fail are of interest.
    is_opposed: bool,
}

/// The last variable of a literal.
fn level_of(literal: Literal) -> usize {
    ((8 - literal.atom.variables().leading_zeros()).max(1) - 1) as usize
}

impl Implication {
    pub(super) fn new(body: &[Literal], head: Literal) -> Implication {
        let last = body.iter().chain([&head]).map(|it| level_of(*it)).max().unwrap_or(0);
        let is_fixed = |atom: Atom| matches!(atom, Atom::Block(_) | Atom::Null(_) | Atom::Wild(_));
        let mut occurrences: Vec<Atom> = Vec::new();
        for literal in body {
            if !is_fixed(literal.atom) && !occurrences.contains(&literal.atom) {
                occurrences.push(literal.atom);
            }
        }
        let mut due: [Vec<Test>; MOST_VARIABLES] = Default::default();
        for literal in body {
            let level = level_of(*literal);
            due[level].push(Test::new(*literal, level as u8));
        }
        let level = level_of(head);
        let opposed = (level, Test::new(head, level as u8));
        let concluded = Some(head.atom).filter(|it| !is_fixed(*it) && !occurrences.contains(it));
        Implication { due, head, opposed, last, occurrences, concluded }
    }

    /// Applies the rule wherever one of its atoms has changed.
    pub(super) fn apply(&self, structure: &mut Structure, notes: &mut Notes<'_>) -> Applied {
        let everywhere = [u64::MAX; MOST_VARIABLES];
        let at = [0; MOST_VARIABLES];
        if self.occurrences.is_empty() {
            let is_opposed = false;
            let mut search = Search { structure, notes, places: everywhere, at, is_opposed };
            return self.assign(&mut search, 0);
        }
        for atom in &self.occurrences {
            let Some(places) = notes.changed.places(*atom) else { continue };
            let is_opposed = false;
            let mut search = Search { structure, notes, places, at, is_opposed };
            self.assign(&mut search, 0)?;
            if places == everywhere {
                return Ok(());
            }
        }
        if let Some(places) = self.concluded.and_then(|atom| notes.changed.places(atom)) {
            let mut search = Search { structure, notes, places, at, is_opposed: true };
            self.assign(&mut search, 0)?;
        }
        Ok(())
    }

    fn assign(&self, search: &mut Search<'_, '_>, level: usize) -> Applied {
        let mut nodes = search.structure.universe() & search.places[level];
        if search.is_opposed && self.opposed.0 == level {
            nodes &= self.opposed.1.fails(search.structure, search.at);
        }
        for test in &self.due[level] {
            if nodes == 0 {
                return Ok(());
            }
            nodes &= test.holds(search.structure, search.at);
        }
        if nodes == 0 {
            return Ok(());
        }
        if level == self.last {
            return self.conclude(search, nodes);
        }
        for node in nodes_of(nodes) {
            search.at[level] = node;
            self.assign(search, level + 1)?;
        }
        Ok(())
    }

    /// Makes the head true for all of these nodes as the last variable.
    fn conclude(&self, search: &mut Search<'_, '_>, nodes: u64) -> Applied {
        let (level, test) = self.opposed;
        // A head that does not speak of the last variable is the same for all of them.
        let nodes = if level == self.last { nodes } else { 1 << search.at[level] };
        if test.fails(search.structure, search.at) & nodes != 0 {
            return Err(Contradiction);
        }
        let open = test.open(search.structure, search.at) & nodes;
        if open == 0 {
            return Ok(());
        }
        let Search { structure, notes, at, .. } = search;
        let (head, value) = (self.head, Kleene::from(self.head.is_positive));
        let at = |of: u8| at[usize::from(of)];
        match head.atom {
            Atom::Nullary(predicate) => {
                structure.set_nullary(predicate, value);
                notes.mark_nullary();
            }
            Atom::Unary(predicate, _) => {
                let row = decided(structure.unary(predicate), open, head.is_positive);
                structure.set_unary_row(predicate, row);
                notes.mark_unary(predicate, open);
            }
            Atom::Binary(predicate, from, to) if usize::from(to) == level && from != to => {
                let from = at(from);
                let row = decided(structure.binary(predicate, from), open, head.is_positive);
                structure.set_binary_row(predicate, from, row);
                notes.mark_binary(predicate, 1 << from, open);
            }
            Atom::Binary(predicate, from, to) => {
                for node in nodes_of(open) {
                    let to = if from == to { node } else { at(to) };
                    structure.set_binary(predicate, node, to, value);
                    notes.mark_binary(predicate, 1 << node, 1 << to);
                }
            }
            // Two blocks of one summary: if all are equal there is one, if all differ there is none.
            Atom::Equal(_, _) if head.is_positive => {
                for node in nodes_of(open) {
                    structure.set_summary(node, false);
                    notes.mark_summary(1 << node);
                }
            }
            Atom::Equal(_, _) => return Err(Contradiction),
            Atom::Block(_) | Atom::Null(_) | Atom::Wild(_) => {
                unreachable!("these are definite")
            }
        }
        Ok(())
    }
}

/// The row with one value at these nodes, at which it was open.
fn decided(row: Row, open: u64, is_positive: bool) -> Row {
    match is_positive {
        true => Row { one: row.one, zero: row.zero & !open },
        false => Row { one: row.one & !open, zero: row.zero },
    }
}
