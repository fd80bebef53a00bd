//! Rules whose form is common are applied by operations on rows, wherever they hold: that takes less than to find out
//! where something has changed. All others are searched for node by node; both say the same.

use heapwright_base::DenseId;

use crate::coerce::changes::Notes;
use crate::coerce::{Applied, Contradiction};
use crate::rule::{Atom, Literal};
use crate::structure::{Row, Structure, nodes_of};
use crate::vocabulary::{BinaryId, UnaryId};

/// A rule of a common form. `p`, `q` and `r` are the first, second and third predicate with two arguments that it
/// speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Native {
    form: Form,
    /// The first predicate with one argument, and the second.
    sets: [UnaryId; 2],
    links: [BinaryId; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `x(u) ∧ r(v) ∧ block(u) → p(u, v)`.
    Copied,
    /// `x(u) ∧ ¬r(v) ∧ block(u) ∧ block(v) → ¬p(u, v)`.
    CopiedOutside,
    /// `r(u) ∧ ¬r(v) ∧ block(v) → ¬p(u, v)`.
    Inside,
    /// `p(u, v) ∧ p(v, w) → p(u, w)`.
    Transitive,
    /// `p(u, v) ∧ ¬p(u, w) → ¬p(v, w)`.
    Prefix,
    /// `p(u, v) ∧ p(u, w) ∧ ¬p(v, w) → p(w, v)`.
    Linear,
    /// `¬p(u, v) ∧ block(u) ∧ block(v) → ¬q(u, v)`.
    Within,
    /// `p(u, w) ∧ q(u, v) ∧ u ≠ v ∧ block(w) → q(w, v)`.
    Onward,
    /// `p(u, w) ∧ ¬q(w, v) ∧ u ≠ v ∧ block(w) ∧ block(v) → ¬q(u, v)`.
    Nowhere,
    /// `c(u) ∧ p(u, v) ∧ block(v) → q(v, u)`.
    LedBack,
    /// `c(u) ∧ ¬p(v, u) ∧ block(u) ∧ block(v) → ¬q(u, v)`.
    NotLedBack,
    /// `¬c(u) ∧ p(u, v) ∧ block(v) → ¬q(v, u)`.
    NoReturn,
    /// `¬c(u) ∧ p(u, v) ∧ u ≠ v ∧ block(v) → ¬p(v, u)`.
    OneWay,
    /// `¬c(v) ∧ p(u, v) ∧ u ≠ w ∧ block(v) → ¬p(w, v)`.
    Alone,
    /// `¬c(v) ∧ p(u, v) ∧ block(v) → ¬q(u, v)`.
    NotBoth,
    /// `p(u, v) ∧ block(v) → q(u, v)`.
    Part,
    /// `p(u, v) ∧ ¬q(u, v) → r(u, v)`.
    Other,
}

const FORMS: [Form; 17] = [
    Form::Copied,
    Form::CopiedOutside,
    Form::Inside,
    Form::Transitive,
    Form::Prefix,
    Form::Linear,
    Form::Within,
    Form::Onward,
    Form::Nowhere,
    Form::LedBack,
    Form::NotLedBack,
    Form::NoReturn,
    Form::OneWay,
    Form::Alone,
    Form::NotBoth,
    Form::Part,
    Form::Other,
];

impl Form {
    /// The rule of this form about these predicates.
    fn rule(self, [x, r]: [UnaryId; 2], [p, q, o]: [BinaryId; 3]) -> (Vec<Literal>, Literal) {
        let block = |of: u8| Atom::Block(of).holds();
        let differ = |one: u8, other: u8| Atom::Equal(one, other).fails();
        let (unary, binary) = (Atom::Unary, Atom::Binary);
        let (body, head) = match self {
            Form::Copied => {
                (vec![unary(x, 0).holds(), unary(r, 1).holds(), block(0)], binary(p, 0, 1).holds())
            }
            Form::CopiedOutside => (
                vec![unary(x, 0).holds(), unary(r, 1).fails(), block(0), block(1)],
                binary(p, 0, 1).fails(),
            ),
            Form::Inside => {
                (vec![unary(x, 0).holds(), unary(x, 1).fails(), block(1)], binary(p, 0, 1).fails())
            }
            Form::Transitive => {
                (vec![binary(p, 0, 1).holds(), binary(p, 1, 2).holds()], binary(p, 0, 2).holds())
            }
            Form::Prefix => {
                (vec![binary(p, 0, 1).holds(), binary(p, 0, 2).fails()], binary(p, 1, 2).fails())
            }
            Form::Linear => (
                vec![binary(p, 0, 1).holds(), binary(p, 0, 2).holds(), binary(p, 1, 2).fails()],
                binary(p, 2, 1).holds(),
            ),
            Form::Within => {
                (vec![binary(p, 0, 1).fails(), block(0), block(1)], binary(q, 0, 1).fails())
            }
            Form::Onward => (
                vec![binary(p, 0, 1).holds(), binary(q, 0, 2).holds(), differ(0, 2), block(1)],
                binary(q, 1, 2).holds(),
            ),
            Form::Nowhere => (
                vec![
                    binary(p, 0, 1).holds(),
                    binary(q, 1, 2).fails(),
                    differ(0, 2),
                    block(1),
                    block(2),
                ],
                binary(q, 0, 2).fails(),
            ),
            Form::LedBack => (
                vec![unary(x, 0).holds(), binary(p, 0, 1).holds(), block(1)],
                binary(q, 1, 0).holds(),
            ),
            Form::NotLedBack => (
                vec![unary(x, 0).holds(), binary(p, 1, 0).fails(), block(0), block(1)],
                binary(q, 0, 1).fails(),
            ),
            Form::NoReturn => (
                vec![unary(x, 0).fails(), binary(p, 0, 1).holds(), block(1)],
                binary(q, 1, 0).fails(),
            ),
            Form::OneWay | Form::Alone | Form::NotBoth | Form::Part | Form::Other => {
                return self.rule_of_links(x, [p, q, o]);
            }
        };
        (body, head)
    }

    /// The same for forms about what links of one node say of each other.
    fn rule_of_links(self, x: UnaryId, [p, q, o]: [BinaryId; 3]) -> (Vec<Literal>, Literal) {
        let block = |of: u8| Atom::Block(of).holds();
        let outside = Atom::Unary(x, 0).fails();
        let binary = Atom::Binary;
        match self {
            Form::OneWay => {
                let differ = Atom::Equal(0, 1).fails();
                let body = vec![outside, binary(p, 0, 1).holds(), differ, block(1)];
                (body, binary(p, 1, 0).fails())
            }
            Form::Alone => {
                let differ = Atom::Equal(1, 2).fails();
                let body = vec![outside, binary(p, 1, 0).holds(), differ, block(0)];
                (body, binary(p, 2, 0).fails())
            }
            Form::NotBoth => {
                (vec![outside, binary(p, 1, 0).holds(), block(0)], binary(q, 1, 0).fails())
            }
            Form::Part => (vec![binary(p, 0, 1).holds(), block(1)], binary(q, 0, 1).holds()),
            Form::Other => {
                (vec![binary(p, 0, 1).holds(), binary(q, 0, 1).fails()], binary(o, 0, 1).holds())
            }
            Form::Copied
            | Form::CopiedOutside
            | Form::Inside
            | Form::Transitive
            | Form::Prefix
            | Form::Linear
            | Form::Within
            | Form::Onward
            | Form::Nowhere
            | Form::LedBack
            | Form::NotLedBack
            | Form::NoReturn => unreachable!("told by the caller"),
        }
    }
}

impl Native {
    /// A rule that speaks of one predicate with two arguments.
    pub(super) fn new(form: Form, sets: [UnaryId; 2], link: BinaryId) -> Native {
        Native { form, sets, links: [link; 3] }
    }

    /// The form of a rule, if it is common.
    pub(super) fn of(body: &[Literal], head: Literal) -> Option<Native> {
        let (mut sets, mut links) = (Vec::new(), Vec::new());
        for literal in body.iter().chain([&head]) {
            if let Atom::Unary(predicate, _) = literal.atom
                && !sets.contains(&predicate)
            {
                sets.push(predicate);
            }
            if let Atom::Binary(predicate, ..) = literal.atom
                && !links.contains(&predicate)
            {
                links.push(predicate);
            }
        }
        // A form that does not speak of a predicate does not look at which it is.
        let set = |index: usize| sets.get(index).copied().unwrap_or(UnaryId::from_index(0));
        let first = *links.first()?;
        let sets = [set(0), set(1)];
        let link = |index: usize| links.get(index).copied().unwrap_or(first);
        let links = [first, link(1), link(2)];
        let is_it = |form: &&Form| {
            let (other, conclusion) = form.rule(sets, links);
            other == body && conclusion == head
        };
        FORMS.iter().find(is_it).map(|&form| Native { form, sets, links })
    }

    pub(super) fn apply(self, structure: &mut Structure, notes: &mut Notes<'_>) -> Applied {
        match self.form {
            Form::Copied | Form::CopiedOutside | Form::Inside => self.sets(structure, notes),
            Form::Transitive | Form::Prefix | Form::Linear => self.paths(structure, notes),
            Form::Within | Form::Onward | Form::Nowhere => self.steps(structure, notes),
            Form::LedBack | Form::NotLedBack | Form::NoReturn | Form::OneWay => {
                self.returns(structure, notes)
            }
            Form::Alone | Form::NotBoth => self.exclusions(structure, notes),
            Form::Part | Form::Other => self.parts(structure, notes),
        }
    }

    /// What leads to a node rules out what else could.
    fn exclusions(self, structure: &mut Structure, notes: &mut Notes<'_>) -> Applied {
        let [link, other, _] = self.links;
        let nodes = structure.unary(self.sets[0]).never() & structure.blocks();
        for from in 0..structure.len() {
            let there = structure.binary(link, from).must() & nodes;
            if there == 0 {
                continue;
            }
            if self.form == Form::NotBoth {
                decide(structure, notes, (other, from), there, false)?;
                continue;
            }
            for another in (0..structure.len()).filter(|&another| another != from) {
                decide(structure, notes, (link, another), there, false)?;
            }
        }
        Ok(())
    }

    /// What one link says of another, row by row.
    fn parts(self, structure: &mut Structure, notes: &mut Notes<'_>) -> Applied {
        let [part, other, whole] = self.links;
        for from in 0..structure.len() {
            let there = structure.binary(part, from).must();
            if self.form == Form::Part {
                decide(structure, notes, (other, from), there & structure.blocks(), true)?;
            } else {
                let not_other = structure.binary(other, from).never();
                decide(structure, notes, (whole, from), there & not_other, true)?;
            }
        }
        Ok(())
    }

    /// What a pointer reaches, and what it does not.
    fn sets(self, structure: &mut Structure, notes: &mut Notes<'_>) -> Applied {
        let (blocks, by) = (structure.blocks(), self.links[0]);
        let [of, known] = self.sets.map(|set| structure.unary(set));
        let (from, there, is_positive) = if self.form == Form::Copied {
            (of.must() & blocks, known.must(), true)
        } else if self.form == Form::CopiedOutside {
            (of.must() & blocks, known.never() & blocks, false)
        } else {
            (of.must(), of.never() & blocks, false)
        };
        for from in nodes_of(if there == 0 { 0 } else { from }) {
            decide(structure, notes, (by, from), there, is_positive)?;
        }
        Ok(())
    }

    /// Paths of one predicate, of three nodes each.
    fn paths(self, structure: &mut Structure, notes: &mut Notes<'_>) -> Applied {
        let by = self.links[0];
        for from in 0..structure.len() {
            let row = structure.binary(by, from);
            let (must, never) = (row.must(), row.never());
            let mut there = 0;
            for over in nodes_of(must) {
                let onward = structure.binary(by, over);
                if self.form == Form::Prefix {
                    decide(structure, notes, (by, over), never, false)?;
                } else if self.form == Form::Linear {
                    for other in nodes_of(must & onward.never()) {
                        decide(structure, notes, (by, other), 1 << over, true)?;
                    }
                } else {
                    there |= onward.must();
                }
            }
            decide(structure, notes, (by, from), there, true)?;
        }
        Ok(())
    }

    /// A link and the paths that go over it.
    fn steps(self, structure: &mut Structure, notes: &mut Notes<'_>) -> Applied {
        let (blocks, [link, path, _]) = (structure.blocks(), self.links);
        if self.form == Form::Within {
            for from in nodes_of(blocks) {
                let never = structure.binary(link, from).never() & blocks;
                decide(structure, notes, (path, from), never, false)?;
            }
            return Ok(());
        }
        for from in 0..structure.len() {
            let others = !(1 << from);
            for over in nodes_of(structure.binary(link, from).must() & blocks) {
                if self.form == Form::Onward {
                    let there = structure.binary(path, from).must() & others;
                    decide(structure, notes, (path, over), there, true)?;
                } else {
                    let never = structure.binary(path, over).never() & blocks & others;
                    decide(structure, notes, (path, from), never, false)?;
                }
            }
        }
        Ok(())
    }

    /// What leads there, and what leads back.
    fn returns(self, structure: &mut Structure, notes: &mut Notes<'_>) -> Applied {
        let (blocks, [there, back, _]) = (structure.blocks(), self.links);
        let set = structure.unary(self.sets[0]);
        let from = if self.form == Form::LedBack {
            set.must()
        } else if self.form == Form::NotLedBack {
            set.must() & blocks
        } else {
            set.never()
        };
        for from in nodes_of(from & structure.universe()) {
            let bit = 1 << from;
            match self.form {
                Form::NotLedBack => {
                    for to in nodes_of(structure.binary(back, from).one & blocks) {
                        if structure.binary(there, to).never() & bit != 0 {
                            decide(structure, notes, (back, from), 1 << to, false)?;
                        }
                    }
                }
                form => {
                    let others = if form == Form::OneWay { !bit } else { u64::MAX };
                    let back = if form == Form::OneWay { there } else { back };
                    for to in nodes_of(structure.binary(there, from).must() & blocks & others) {
                        decide(structure, notes, (back, to), bit, form == Form::LedBack)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Gives a row one value at these nodes.
#[inline]
fn decide(
    structure: &mut Structure,
    notes: &mut Notes<'_>,
    (predicate, from): (BinaryId, usize),
    nodes: u64,
    is_positive: bool,
) -> Applied {
    let row = structure.table_at(predicate.index())[from];
    let opposed = if is_positive { row.never() } else { row.must() };
    if opposed & nodes != 0 {
        return Err(Contradiction);
    }
    let open = row.half() & nodes;
    if open != 0 {
        let row = match is_positive {
            true => Row { one: row.one, zero: row.zero & !open },
            false => Row { one: row.one & !open, zero: row.zero },
        };
        structure.set_binary_row(predicate, from, row);
        notes.mark_binary(predicate, 1 << from, open);
    }
    Ok(())
}
