//! Coerce: rules sharpen 1/2 to 0 or 1, and refute structures that describe no heap.

mod changes;
mod implication;
mod native;
mod pointers;
mod readers;
mod test;

use std::cell::RefCell;

pub(crate) use crate::coerce::changes::Changes;

use crate::coerce::changes::{Counts, Notes, Touched};
use crate::coerce::implication::Implication;
use crate::coerce::native::Native;
use crate::coerce::pointers::Pointers;
use crate::coerce::readers::Readers;
use crate::definition::Definition;
use crate::formula::Formula;
use crate::rule::{Atom, Rule};
use crate::structure::{MOST_NODES, Node, Row, Structure, nodes_of};
use crate::vocabulary::{BinaryId, UnaryId, Vocabulary};

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coerced {
    /// The structure may describe heaps; so often were the rules gone through.
    Possible { rounds: usize },
    /// It describes none, because of the rule with this index.
    Impossible { rule: usize },
}

/// A rule cannot hold in the structure.
pub(super) struct Contradiction;

/// Whether a rule can hold; what it changes is noted.
pub(super) type Applied = Result<(), Contradiction>;

/// Applies the rules until none changes anything.
pub fn coerce(structure: &mut Structure, vocabulary: &Vocabulary, rules: &[Rule]) -> Coerced {
    Rules::new(rules, vocabulary).apply_everywhere(structure)
}

/// Rules that are ready to be applied, with room for notes about what has changed.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    prepared: Vec<Prepared>,
    /// Which rules a change of a structure that was sharp is of interest to.
    touching: Readers,
    /// Which rules a change by another rule is of interest to.
    reading: Readers,
    counts: Counts,
    spare: RefCell<Vec<Scratch>>,
}

/// Room for notes about what has changed, and which rules are due.
#[derive(Clone, Debug)]
struct Scratch {
    changes: Changes,
    due: Vec<u64>,
}

impl Rules {
    pub(crate) fn new(rules: &[Rule], vocabulary: &Vocabulary) -> Rules {
        let rules = rules.iter().enumerate();
        let rules = rules.map(|(index, rule)| Prepared::new(index, rule, vocabulary)).collect();
        Rules::of(pointers::gathered(rules), Counts::of(vocabulary))
    }

    fn of(prepared: Vec<Prepared>, counts: Counts) -> Rules {
        let reading: Vec<Touched> = prepared.iter().map(|rule| rule.reads.clone()).collect();
        let own = |rule: &Prepared| rule.writes.clone().with(rule.reads.clone());
        let touching: Vec<Touched> = prepared.iter().map(own).collect();
        Rules {
            prepared,
            touching: Readers::new(&touching, counts),
            reading: Readers::new(&reading, counts),
            counts,
            spare: RefCell::default(),
        }
    }

    /// Sharpens a structure of which nothing is known.
    pub(crate) fn apply_everywhere(&self, structure: &mut Structure) -> Coerced {
        self.apply_where(structure, |_, changes| changes.mark_all())
    }

    /// Sharpens a structure that was sharp before the changes that `mark` notes.
    pub(crate) fn apply_where(
        &self,
        structure: &mut Structure,
        mark: impl FnOnce(&Structure, &mut Changes),
    ) -> Coerced {
        let new = || Scratch { changes: Changes::none(self.counts), due: Vec::new() };
        let mut scratch = self.spare.borrow_mut().pop().unwrap_or_else(new);
        let Scratch { changes, due } = &mut scratch;
        mark(structure, changes);
        self.touching.collect(changes, due);
        let coerced = self.apply_due(structure, &mut Notes::new(changes, due, &self.reading));
        changes.clear();
        self.spare.borrow_mut().push(scratch);
        coerced
    }

    /// Applies the rules that are due until none is. Rules only make values definite, and do so the more, the more
    /// values are: in which order they are applied does not matter.
    fn apply_due(&self, structure: &mut Structure, notes: &mut Notes<'_>) -> Coerced {
        let mut rounds = 0;
        // Ends because every change makes one 1/2 definite.
        while rounds == 0 || notes.is_any_due() {
            rounds += 1;
            let mut next = 0;
            while let Some(rule) = notes.take_due(next) {
                next = rule + 1;
                let Prepared { kind, rule, .. } = &self.prepared[rule];
                if let Err(Contradiction) = apply(structure, kind, notes) {
                    return Coerced::Impossible { rule: *rule };
                }
            }
        }
        Coerced::Possible { rounds }
    }
}

/// A rule that is ready to be applied.
#[derive(Clone, Debug)]
struct Prepared {
    kind: Kind,
    /// Its index, or that of the first of those that it stands for.
    rule: usize,
    reads: Touched,
    writes: Touched,
}

impl Prepared {
    fn new(index: usize, rule: &Rule, vocabulary: &Vocabulary) -> Prepared {
        let kind = Kind::of(rule, vocabulary);
        Prepared { kind, rule: index, reads: read_by(rule, vocabulary), writes: written_by(rule) }
    }
}

#[derive(Clone, Debug)]
enum Kind {
    Implication(Implication),
    Native(Native),
    Function(BinaryId),
    Unique(UnaryId),
    UnaryDefinition(UnaryId, Box<Definition>),
    BinaryDefinition(BinaryId, Box<Definition>),
    Pointers(Pointers),
}

impl Kind {
    fn of(rule: &Rule, vocabulary: &Vocabulary) -> Kind {
        let meant = |definition: &Option<Formula>| {
            let formula = definition.clone().expect("a rule about a predicate with a definition");
            Box::new(Definition::new(formula))
        };
        match rule {
            Rule::Implication { body, head } => match Native::of(body, *head) {
                Some(native) => Kind::Native(native),
                None => Kind::Implication(Implication::new(body, *head)),
            },
            Rule::Function(link) => Kind::Function(*link),
            Rule::Unique(predicate) => Kind::Unique(*predicate),
            Rule::UnaryDefinition(id) => {
                Kind::UnaryDefinition(*id, meant(&vocabulary.unary()[*id].definition))
            }
            Rule::BinaryDefinition(id) => {
                Kind::BinaryDefinition(*id, meant(&vocabulary.binary()[*id].definition))
            }
        }
    }
}

/// What a rule may change. What it has said once is said: when another rule changes that, it is this other one
/// that finds a contradiction.
fn written_by(rule: &Rule) -> Touched {
    match rule {
        Rule::Implication { head, .. } => Touched::atom(head.atom),
        Rule::Function(link) => Touched::binary(*link),
        Rule::Unique(predicate) => Touched::unary(*predicate),
        Rule::UnaryDefinition(id) => Touched::unary(*id),
        Rule::BinaryDefinition(id) => Touched::binary(*id),
    }
}

/// What a rule looks at.
fn read_by(rule: &Rule, vocabulary: &Vocabulary) -> Touched {
    let definition = match rule {
        Rule::Implication { body, .. } => {
            let read = body.iter().map(|literal| Touched::atom(literal.atom));
            return read.fold(Touched::default(), Touched::with);
        }
        Rule::Function(link) => return Touched::binary(*link).with(Touched::summary()),
        Rule::Unique(predicate) => return Touched::unary(*predicate).with(Touched::summary()),
        Rule::UnaryDefinition(id) => &vocabulary.unary()[*id].definition,
        Rule::BinaryDefinition(id) => &vocabulary.binary()[*id].definition,
    };
    let mut read = Touched::default();
    if let Some(definition) = definition {
        definition.visit(&mut |part| {
            let seen = match part {
                Formula::Nullary(id) => Touched::atom(Atom::Nullary(*id)),
                Formula::Unary(id, _) => Touched::unary(*id),
                Formula::Binary(id, _, _) => Touched::binary(*id),
                // Blocks of a summary are equal or not.
                Formula::Equal(..) => Touched::summary(),
                Formula::Constant(_)
                | Formula::Null(_)
                | Formula::Wild(_)
                | Formula::Not(_)
                | Formula::And(_)
                | Formula::Or(_)
                | Formula::Exists(..)
                | Formula::ForAll(..)
                | Formula::Closure { .. } => Touched::default(),
            };
            read = std::mem::take(&mut read).with(seen);
        });
    }
    read
}

fn apply(structure: &mut Structure, rule: &Kind, notes: &mut Notes<'_>) -> Applied {
    match rule {
        Kind::Implication(implication) => implication.apply(structure, notes),
        Kind::Native(native) => native.apply(structure, notes),
        Kind::Function(link) => keep_function(structure, *link, notes),
        Kind::Unique(predicate) => keep_unique(structure, *predicate, notes),
        Kind::UnaryDefinition(predicate, definition) => {
            define_unary(structure, *predicate, definition, notes)
        }
        Kind::BinaryDefinition(predicate, definition) => {
            define_binary(structure, *predicate, definition, notes)
        }
        Kind::Pointers(pointers) => pointers.apply(structure, notes),
    }
}

fn keep_function(structure: &mut Structure, link: BinaryId, notes: &mut Notes<'_>) -> Applied {
    let (changed, single) = notes.changed.of_link(link);
    for from in nodes_of(structure.blocks()) {
        let row = structure.binary(link, from);
        let is_new = (changed | single) >> from & 1 == 1 || row.one & single != 0;
        if !is_new {
            continue;
        }
        let sharp = one_of(structure, row, !structure.is_summary(from))?;
        if sharp.row != row {
            structure.set_binary_row(link, from, sharp.row);
            notes.mark_binary(link, 1 << from, row.half());
        }
        make_single(structure, sharp.single, notes);
    }
    Ok(())
}

fn keep_unique(structure: &mut Structure, predicate: UnaryId, notes: &mut Notes<'_>) -> Applied {
    let row = structure.unary(predicate);
    let sharp = one_of(structure, row, true)?;
    if sharp.row != row {
        structure.set_unary_row(predicate, sharp.row);
        notes.mark_unary(predicate, row.half());
    }
    make_single(structure, sharp.single, notes);
    Ok(())
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

fn make_single(structure: &mut Structure, node: Option<Node>, notes: &mut Notes<'_>) {
    if let Some(node) = node.filter(|&node| structure.is_summary(node)) {
        structure.set_summary(node, false);
        notes.mark_summary(1 << node);
    }
}

fn define_unary(
    structure: &mut Structure,
    predicate: UnaryId,
    definition: &Definition,
    notes: &mut Notes<'_>,
) -> Applied {
    let stored = structure.unary(predicate);
    let meant = definition.row(structure);
    let sharp = meet(stored, meant, structure.blocks())?;
    if sharp != stored {
        structure.set_unary_row(predicate, sharp);
        notes.mark_unary(predicate, stored.half());
    }
    Ok(())
}

fn define_binary(
    structure: &mut Structure,
    predicate: BinaryId,
    definition: &Definition,
    notes: &mut Notes<'_>,
) -> Applied {
    let mut meant = [Row::default(); MOST_NODES];
    definition.find_rows(structure, &mut meant);
    for from in nodes_of(structure.blocks()) {
        let stored = structure.binary(predicate, from);
        let sharp = meet(stored, meant[from], structure.blocks())?;
        if sharp != stored {
            structure.set_binary_row(predicate, from, sharp);
            notes.mark_binary(predicate, 1 << from, stored.half());
        }
    }
    Ok(())
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

#[cfg(test)]
mod tests;
