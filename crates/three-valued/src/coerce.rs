//! Coerce: rules sharpen 1/2 to 0 or 1, and refute structures that describe no heap.

use crate::evaluate::{Assignment, row, rows_of};
use crate::formula::Formula;
use crate::kleene::Kleene;
use crate::rule::{Atom, Literal, MOST_VARIABLES, Rule};
use crate::structure::{Node, Row, Structure, nodes_of};
use crate::vocabulary::{BinaryId, NullaryId, UnaryId, Vocabulary};
use heapwright_base::DenseId;

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coerced {
    /// The structure may describe heaps; so often were the rules gone through.
    Possible { rounds: usize },
    /// It describes none, because of the rule with this index.
    Impossible { rule: usize },
}

/// A rule cannot hold in the structure.
struct Contradiction;

type Change = Result<bool, Contradiction>;

/// Applies the rules until none changes anything.
pub fn coerce(structure: &mut Structure, vocabulary: &Vocabulary, rules: &[Rule]) -> Coerced {
    let rules = rules.iter().cloned().map(|rule| Prepared::new(rule, vocabulary));
    coerce_by(structure, vocabulary, &rules.collect::<Vec<_>>())
}

/// A rule with the predicates that it is about.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    rule: Rule,
    /// What it looks at or may change.
    touched: Touched,
    /// What it may change.
    written: Touched,
}

impl Prepared {
    pub(crate) fn new(rule: Rule, vocabulary: &Vocabulary) -> Prepared {
        let (touched, written) = (touched_by(&rule, vocabulary), written_by(&rule));
        Prepared { rule, touched, written }
    }
}

pub(crate) fn coerce_by(
    structure: &mut Structure,
    vocabulary: &Vocabulary,
    rules: &[Prepared],
) -> Coerced {
    let mut rounds = 0;
    let mut changed = Touched::ALL;
    // Ends because every change makes one 1/2 definite.
    loop {
        rounds += 1;
        let mut next = Touched::NONE;
        for (index, Prepared { rule, touched, written }) in rules.iter().enumerate() {
            // A rule whose predicates are as they were when it was last applied says nothing new.
            let is_due = rounds == 1 || touched.meets(changed.with(next));
            if !is_due {
                continue;
            }
            match apply(structure, vocabulary, rule) {
                Ok(true) => next = next.with(*written),
                Ok(false) => {}
                Err(Contradiction) => return Coerced::Impossible { rule: index },
            }
        }
        if next == Touched::NONE {
            return Coerced::Possible { rounds };
        }
        changed = next;
    }
}

/// A set of predicates. Ids beyond a word share bits, which only makes a rule run once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Touched {
    nullary: u64,
    unary: u64,
    binary: u64,
}

/// Which nodes are summaries is a unary predicate as well.
const SUMMARY: Touched = Touched { unary: 1, ..Touched::NONE };

impl Touched {
    const NONE: Touched = Touched { nullary: 0, unary: 0, binary: 0 };
    const ALL: Touched = Touched { nullary: !0, unary: !0, binary: !0 };

    fn nullary(id: NullaryId) -> Touched {
        Touched { nullary: 1 << (id.index() % 64), ..Touched::NONE }
    }

    fn unary(id: UnaryId) -> Touched {
        Touched { unary: 1 << (id.index() % 64), ..Touched::NONE }
    }

    fn binary(id: BinaryId) -> Touched {
        Touched { binary: 1 << (id.index() % 64), ..Touched::NONE }
    }

    fn atom(atom: Atom) -> Touched {
        match atom {
            Atom::Nullary(id) => Touched::nullary(id),
            Atom::Unary(id, _) => Touched::unary(id),
            Atom::Binary(id, _, _) => Touched::binary(id),
            Atom::Equal(_, _) => SUMMARY,
            Atom::Block(_) | Atom::Null(_) | Atom::Wild(_) => Touched::NONE,
        }
    }

    fn with(self, other: Touched) -> Touched {
        Touched {
            nullary: self.nullary | other.nullary,
            unary: self.unary | other.unary,
            binary: self.binary | other.binary,
        }
    }

    fn meets(self, other: Touched) -> bool {
        self.nullary & other.nullary | self.unary & other.unary | self.binary & other.binary != 0
    }
}

/// What a rule may change.
fn written_by(rule: &Rule) -> Touched {
    match rule {
        Rule::Implication { head, .. } => Touched::atom(head.atom),
        Rule::Function(link) => Touched::binary(*link).with(SUMMARY),
        Rule::Unique(predicate) => Touched::unary(*predicate).with(SUMMARY),
        Rule::UnaryDefinition(predicate) => Touched::unary(*predicate),
        Rule::BinaryDefinition(predicate) => Touched::binary(*predicate),
    }
}

/// What a rule looks at, with what it may change.
fn touched_by(rule: &Rule, vocabulary: &Vocabulary) -> Touched {
    let definition = match rule {
        Rule::Implication { body, .. } => {
            let read = body.iter().map(|literal| Touched::atom(literal.atom));
            return read.fold(written_by(rule), Touched::with);
        }
        Rule::Function(_) | Rule::Unique(_) => return written_by(rule).with(SUMMARY),
        Rule::UnaryDefinition(predicate) => &vocabulary.unary()[*predicate].definition,
        Rule::BinaryDefinition(predicate) => &vocabulary.binary()[*predicate].definition,
    };
    let mut touched = written_by(rule).with(SUMMARY);
    if let Some(definition) = definition {
        definition.visit(&mut |part| {
            touched = touched.with(match part {
                Formula::Nullary(id) => Touched::nullary(*id),
                Formula::Unary(id, _) => Touched::unary(*id),
                Formula::Binary(id, _, _) => Touched::binary(*id),
                Formula::Constant(_)
                | Formula::Equal(..)
                | Formula::Null(_)
                | Formula::Wild(_)
                | Formula::Not(_)
                | Formula::And(_)
                | Formula::Or(_)
                | Formula::Exists(..)
                | Formula::ForAll(..)
                | Formula::Closure { .. } => Touched::NONE,
            });
        });
    }
    touched
}

fn apply(structure: &mut Structure, vocabulary: &Vocabulary, rule: &Rule) -> Change {
    match rule {
        Rule::Implication { body, head } => imply(structure, body, *head),
        Rule::Function(link) => keep_function(structure, *link),
        Rule::Unique(predicate) => keep_unique(structure, *predicate),
        Rule::UnaryDefinition(predicate) => define_unary(structure, vocabulary, *predicate),
        Rule::BinaryDefinition(predicate) => define_binary(structure, vocabulary, *predicate),
    }
}

/// The last variable of a rule ranges over words of nodes, the others are tried node by node.
fn imply(structure: &mut Structure, body: &[Literal], head: Literal) -> Change {
    let used = body.iter().chain([&head]).fold(0, |used, it| used | it.atom.variables());
    let count = (8 - used.leading_zeros()) as usize;
    let last = count.max(1) - 1;
    let mut at = [0; MOST_VARIABLES];
    assign(structure, body, head, &mut at, (0, last))
}

fn assign(
    structure: &mut Structure,
    body: &[Literal],
    head: Literal,
    at: &mut [Node; MOST_VARIABLES],
    (next, last): (usize, usize),
) -> Change {
    // Only nodes at which the literals are certain whose last variable this is; those of the variables
    // before are certain already.
    let (variable, known) = (next as u8, (1u8 << next) - 1);
    let mut nodes = structure.universe();
    for literal in body {
        let variables = literal.atom.variables();
        let is_due = variables & !known == 1 << next || next == 0 && variables == 0;
        if is_due && nodes != 0 {
            nodes &= literal.row(structure, *at, variable).must();
        }
    }
    if next == last {
        return conclude(structure, head, *at, variable, nodes);
    }
    let mut has_changed = false;
    for node in nodes_of(nodes) {
        at[next] = node;
        has_changed |= assign(structure, body, head, at, (next + 1, last))?;
    }
    Ok(has_changed)
}

/// Makes the head true for all of these nodes as `variable`.
fn conclude(
    structure: &mut Structure,
    head: Literal,
    at: [Node; MOST_VARIABLES],
    variable: u8,
    nodes: u64,
) -> Change {
    if nodes == 0 {
        return Ok(false);
    }
    let row = head.row(structure, at, variable);
    if row.never() & nodes != 0 {
        return Err(Contradiction);
    }
    let open = row.half() & nodes;
    if open == 0 {
        return Ok(false);
    }
    let value = Kleene::from(head.is_positive);
    for node in nodes_of(open) {
        let at = |of: u8| if of == variable { node } else { at[usize::from(of)] };
        match head.atom {
            Atom::Nullary(predicate) => structure.set_nullary(predicate, value),
            Atom::Unary(predicate, of) => structure.set_unary(predicate, at(of), value),
            Atom::Binary(predicate, from, to) => {
                structure.set_binary(predicate, at(from), at(to), value);
            }
            // Two blocks of one summary: if all are equal there is one, if all differ there is none.
            Atom::Equal(_, _) if head.is_positive => structure.set_summary(node, false),
            Atom::Equal(_, _) => return Err(Contradiction),
            Atom::Block(_) | Atom::Null(_) | Atom::Wild(_) => unreachable!("these are definite"),
        }
    }
    Ok(true)
}

fn keep_function(structure: &mut Structure, link: BinaryId) -> Change {
    let mut has_changed = false;
    for from in nodes_of(structure.blocks()) {
        let row = structure.binary(link, from);
        let sharp = one_of(structure, row, !structure.is_summary(from))?;
        if sharp.row != row {
            structure.set_binary_row(link, from, sharp.row);
            has_changed = true;
        }
        has_changed |= make_single(structure, sharp.single);
    }
    Ok(has_changed)
}

fn keep_unique(structure: &mut Structure, predicate: UnaryId) -> Change {
    let row = structure.unary(predicate);
    let sharp = one_of(structure, row, true)?;
    let is_new = sharp.row != row;
    structure.set_unary_row(predicate, sharp.row);
    Ok(make_single(structure, sharp.single) || is_new)
}

struct OneOf {
    row: Row,
    /// A node that must be a single block.
    single: Option<Node>,
}

/// A row that is 1 at exactly one individual. `is_of_one`: the row is about a single block, so that a
/// certain target is a single one too; for the blocks of a summary, each has its target, and a certain
/// one is the target of all.
fn one_of(structure: &Structure, row: Row, is_of_one: bool) -> Result<OneOf, Contradiction> {
    let must = row.must();
    if row.one == 0 || must.count_ones() > 1 {
        return Err(Contradiction);
    }
    let universe = structure.universe();
    let only = |bit: u64| Row { one: bit, zero: universe & !bit };
    if must != 0 {
        let single = is_of_one.then(|| must.trailing_zeros() as Node);
        return Ok(OneOf { row: only(must), single });
    }
    let is_last = row.one.count_ones() == 1 && row.one & structure.summaries() == 0;
    Ok(OneOf { row: if is_last { only(row.one) } else { row }, single: None })
}

fn make_single(structure: &mut Structure, node: Option<Node>) -> bool {
    let Some(node) = node.filter(|&node| structure.is_summary(node)) else { return false };
    structure.set_summary(node, false);
    true
}

fn define_unary(structure: &mut Structure, vocabulary: &Vocabulary, predicate: UnaryId) -> Change {
    let definition = vocabulary.unary()[predicate].definition.as_ref();
    let definition = definition.expect("a rule about a predicate with a definition");
    let meant = row(structure, definition, Assignment::default(), 0);
    let stored = structure.unary(predicate);
    let sharp = meet(stored, meant, structure.blocks())?;
    structure.set_unary_row(predicate, sharp);
    Ok(sharp != stored)
}

fn define_binary(
    structure: &mut Structure,
    vocabulary: &Vocabulary,
    predicate: BinaryId,
) -> Change {
    let definition = vocabulary.binary()[predicate].definition.as_ref();
    let definition = definition.expect("a rule about a predicate with a definition");
    let mut has_changed = false;
    for (from, meant) in rows_of(structure, definition).into_iter().enumerate() {
        if structure.blocks() >> from & 1 == 0 {
            continue;
        }
        let stored = structure.binary(predicate, from);
        let sharp = meet(stored, meant, structure.blocks())?;
        structure.set_binary_row(predicate, from, sharp);
        has_changed |= sharp != stored;
    }
    Ok(has_changed)
}

/// What both rows allow, at these nodes.
fn meet(stored: Row, meant: Row, nodes: u64) -> Result<Row, Contradiction> {
    let sharp =
        Row { one: stored.one & (meant.one | !nodes), zero: stored.zero & (meant.zero | !nodes) };
    let is_possible = (sharp.one | sharp.zero) & nodes == nodes;
    if is_possible { Ok(sharp) } else { Err(Contradiction) }
}

/// The rules that say that predicates with definitions are what these say.
#[must_use]
pub fn definition_rules(vocabulary: &Vocabulary) -> Vec<Rule> {
    let unary = vocabulary.unary().enumerated();
    let unary = unary.filter(|(_, it)| it.definition.is_some());
    let binary = vocabulary.binary().enumerated();
    let binary = binary.filter(|(_, it)| it.definition.is_some());
    let unary = unary.map(|(id, _)| Rule::UnaryDefinition(id));
    unary.chain(binary.map(|(id, _)| Rule::BinaryDefinition(id))).collect()
}
