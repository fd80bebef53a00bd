//! Implications: where the body certainly holds, the head is made to. The last variable of a rule ranges over
//! words of nodes, the others are tried node by node.

use crate::coerce::changes::Changes;
use crate::coerce::{Applied, Contradiction};
use crate::kleene::Kleene;
use crate::rule::{Atom, Literal, MOST_VARIABLES};
use crate::structure::{Node, Structure, nodes_of};

/// A rule with its literals in the order in which they are looked at.
#[derive(Clone, Debug)]
pub(super) struct Implication {
    /// For each variable, the literals that speak of it and of variables before it alone.
    due: [Vec<Literal>; MOST_VARIABLES],
    head: Literal,
    last: usize,
    /// The literals whose change makes the rule say something new.
    occurrences: Vec<Atom>,
}

/// Where variables are looked at, and what they stand for.
struct Search<'s> {
    structure: &'s mut Structure,
    next: &'s mut Changes,
    places: [u64; MOST_VARIABLES],
    at: [Node; MOST_VARIABLES],
}

impl Implication {
    pub(super) fn new(body: Vec<Literal>, head: Literal) -> Implication {
        let used = body.iter().chain([&head]).fold(0, |used, it| used | it.atom.variables());
        let count = (8 - used.leading_zeros()) as usize;
        let mut occurrences: Vec<Atom> = Vec::new();
        for literal in body.iter().chain([&head]) {
            let is_fixed = matches!(literal.atom, Atom::Block(_) | Atom::Null(_) | Atom::Wild(_));
            if !is_fixed && !occurrences.contains(&literal.atom) {
                occurrences.push(literal.atom);
            }
        }
        let mut due: [Vec<Literal>; MOST_VARIABLES] = Default::default();
        for literal in body {
            let variables = literal.atom.variables();
            let level = (8 - variables.leading_zeros()).max(1) - 1;
            due[level as usize].push(literal);
        }
        Implication { due, head, last: count.max(1) - 1, occurrences }
    }

    /// Applies the rule wherever one of its atoms has changed.
    pub(super) fn apply(
        &self,
        structure: &mut Structure,
        changed: &Changes,
        next: &mut Changes,
    ) -> Applied {
        let everywhere = [u64::MAX; MOST_VARIABLES];
        if self.occurrences.is_empty() {
            let mut search =
                Search { structure, next, places: everywhere, at: [0; MOST_VARIABLES] };
            return self.assign(&mut search, 0);
        }
        for atom in &self.occurrences {
            let Some(places) = changed.places(*atom) else { continue };
            let mut search = Search { structure, next, places, at: [0; MOST_VARIABLES] };
            self.assign(&mut search, 0)?;
            if places == everywhere {
                return Ok(());
            }
        }
        Ok(())
    }

    fn assign(&self, search: &mut Search<'_>, next: usize) -> Applied {
        let variable = next as u8;
        let mut nodes = search.structure.universe() & search.places[next];
        for literal in &self.due[next] {
            if nodes == 0 {
                return Ok(());
            }
            nodes &= literal.row(search.structure, search.at, variable).must();
        }
        if next == self.last {
            return self.conclude(search, variable, nodes);
        }
        for node in nodes_of(nodes) {
            search.at[next] = node;
            self.assign(search, next + 1)?;
        }
        Ok(())
    }

    /// Makes the head true for all of these nodes as `variable`.
    fn conclude(&self, search: &mut Search<'_>, variable: u8, nodes: u64) -> Applied {
        if nodes == 0 {
            return Ok(());
        }
        let head = self.head;
        let row = head.row(search.structure, search.at, variable);
        if row.never() & nodes != 0 {
            return Err(Contradiction);
        }
        let open = row.half() & nodes;
        let (value, at) = (Kleene::from(head.is_positive), search.at);
        for node in nodes_of(open) {
            let at = |of: u8| if of == variable { node } else { at[usize::from(of)] };
            match head.atom {
                Atom::Nullary(predicate) => {
                    search.structure.set_nullary(predicate, value);
                    search.next.mark_nullary();
                }
                Atom::Unary(predicate, of) => {
                    search.structure.set_unary(predicate, at(of), value);
                    search.next.mark_unary(predicate, 1 << at(of));
                }
                Atom::Binary(predicate, from, to) => {
                    search.structure.set_binary(predicate, at(from), at(to), value);
                    search.next.mark_binary(predicate, 1 << at(from), 1 << at(to));
                }
                // Two blocks of one summary: if all are equal there is one, if all differ there is none.
                Atom::Equal(_, _) if head.is_positive => {
                    search.structure.set_summary(node, false);
                    search.next.mark_summary(1 << node);
                }
                Atom::Equal(_, _) => return Err(Contradiction),
                Atom::Block(_) | Atom::Null(_) | Atom::Wild(_) => {
                    unreachable!("these are definite")
                }
            }
        }
        Ok(())
    }
}
