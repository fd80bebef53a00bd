//! What statements do to the structures of a class: pointers are assigned, links stored, blocks made.

use crate::class::instance::{CompiledClause, Instance, NEW, OLD, PredicateId, SOURCE, Tracked};
use crate::class::{Action, Event};
use crate::evaluate::{Assignment, Evaluation, row, truth_at};
use crate::formula::Formula;
use crate::kleene::Kleene;
use crate::structure::{MOST_NODES, NULL, Node, Row, Structure, WILD, nodes_of};
use crate::vocabulary::UnaryId;

/// What a new block holds in its links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fresh {
    /// Null or anything that leads to no tracked block.
    Unknown,
    Null,
}

impl Instance {
    /// The pointer now leads to this node, which is a single one.
    pub fn assign(&self, structure: &mut Structure, pointer: UnaryId, target: Node) {
        assert!(!structure.is_summary(target), "a pointer to a summary");
        structure.set_unary_row(pointer, only(target, structure));
        self.bring_up_to_date(structure, pointer);
    }

    /// The pointer may lead anywhere, or is not known.
    pub fn forget(&self, structure: &mut Structure, pointer: UnaryId) {
        let universe = structure.universe();
        structure.set_unary_row(pointer, Row { one: universe, zero: universe });
        self.bring_up_to_date(structure, pointer);
    }

    fn bring_up_to_date(&self, structure: &mut Structure, pointer: UnaryId) {
        for tracked in self.tracked.iter().filter(|it| it.pointer == Some(pointer)) {
            define_all(structure, tracked);
        }
    }

    /// `source->role = target`, where the source is a single block, its link leads to a definite single
    /// node, and the target is a single node.
    ///
    /// # Panics
    /// When one of these is not so: the caller focuses first.
    pub fn store(&self, structure: &mut Structure, source: Node, role: usize, target: Node) {
        let link = self.links[role];
        let before = structure.binary(link, source);
        assert!(before.half() == 0 && before.one.count_ones() == 1, "a link that is not in focus");
        assert!(!structure.is_summary(source) && !structure.is_summary(target), "a summary");
        let old = before.one.trailing_zeros() as Node;
        let at = Assignment::default().with(SOURCE, source);
        if structure.blocks() >> old & 1 == 1 {
            structure.set_binary_row(link, source, only(NULL, structure));
            self.change(structure, Event::Remove, role, at.with(OLD, old));
        }
        structure.set_binary_row(link, source, only(target, structure));
        if structure.blocks() >> target & 1 == 1 {
            self.change(structure, Event::Add, role, at.with(NEW, target));
        }
    }

    pub(super) fn change(
        &self,
        structure: &mut Structure,
        event: Event,
        role: usize,
        at: Assignment,
    ) {
        for tracked in self.tracked.iter().filter(|it| it.roles >> role & 1 == 1) {
            let fits = |clause: &&CompiledClause| {
                let is_certain = |when| truth_at(structure, when, at) == Kleene::True;
                clause.event == event
                    && clause.role == role
                    && clause.when.as_ref().is_none_or(is_certain)
            };
            match tracked.clauses.iter().find(fits).map(|clause| &clause.action) {
                Some(Action::Set(formula)) => set_all(structure, tracked, at, formula),
                Some(Action::RecomputeWhere(place)) => recompute(structure, tracked, at, place),
                None => define_all(structure, tracked),
            }
        }
    }

    /// Computes what depends on a link anew, after it has changed in a way that no clause tells.
    pub fn recompute(&self, structure: &mut Structure, role: usize) {
        for tracked in self.tracked.iter().filter(|it| it.roles >> role & 1 == 1) {
            define_all(structure, tracked);
        }
    }

    /// A new block that nothing leads to; gives it too.
    #[must_use]
    pub fn allocate(&self, structure: &Structure, fresh: Fresh) -> (Structure, Node) {
        let (mut structure, node) = structure.with_block();
        let outside = 1 << NULL | 1 << WILD;
        let universe = structure.universe();
        let links = match fresh {
            Fresh::Null => only(NULL, &structure),
            Fresh::Unknown => Row { one: outside, zero: universe },
        };
        for &link in &self.links {
            structure.set_binary_row(link, node, links);
        }
        for tracked in &self.tracked {
            define_at(&mut structure, tracked, node);
        }
        (structure, node)
    }

    /// Gives every predicate the value of its definition.
    pub fn define(&self, structure: &mut Structure) {
        for tracked in &self.tracked {
            define_all(structure, tracked);
        }
    }
}

fn only(node: Node, structure: &Structure) -> Row {
    Row { one: 1 << node, zero: structure.universe() & !(1 << node) }
}

/// Of nodes that are no blocks, no predicate of a class holds.
fn on_blocks(row: Row, structure: &Structure) -> Row {
    let blocks = structure.blocks();
    Row { one: row.one & blocks, zero: row.zero | structure.universe() & !blocks }
}

/// The value of a formula for all arguments of a predicate, by first argument if there are two.
fn values(structure: &Structure, id: PredicateId, at: Assignment, formula: &Formula) -> Vec<Row> {
    match id {
        PredicateId::Unary(_) => vec![on_blocks(row(structure, formula, at, 0), structure)],
        PredicateId::Binary(_) => {
            let evaluation = Evaluation::new(structure);
            let of = |from| on_blocks(evaluation.row(formula, at.with(0, from), 1), structure);
            nodes_of(structure.blocks()).map(of).collect()
        }
    }
}

fn stored(structure: &Structure, id: PredicateId) -> Vec<Row> {
    match id {
        PredicateId::Unary(id) => vec![structure.unary(id)],
        PredicateId::Binary(id) => {
            nodes_of(structure.blocks()).map(|from| structure.binary(id, from)).collect()
        }
    }
}

fn put(structure: &mut Structure, id: PredicateId, rows: Vec<Row>) {
    match id {
        PredicateId::Unary(id) => structure.set_unary_row(id, rows[0]),
        PredicateId::Binary(id) => {
            for (from, row) in nodes_of(structure.blocks()).zip(rows) {
                structure.set_binary_row(id, from, row);
            }
        }
    }
}

fn set_all(structure: &mut Structure, tracked: &Tracked, at: Assignment, formula: &Formula) {
    let rows = values(structure, tracked.id, at, formula);
    put(structure, tracked.id, rows);
}

fn define_all(structure: &mut Structure, tracked: &Tracked) {
    let rows = meant(structure, tracked);
    put(structure, tracked.id, rows);
}

/// What the definition of a predicate says.
fn meant(structure: &Structure, tracked: &Tracked) -> Vec<Row> {
    match tracked.id {
        PredicateId::Unary(_) => vec![on_blocks(tracked.definition.row(structure), structure)],
        PredicateId::Binary(_) => {
            let mut rows = [Row::default(); MOST_NODES];
            tracked.definition.find_rows(structure, &mut rows);
            nodes_of(structure.blocks()).map(|from| on_blocks(rows[from], structure)).collect()
        }
    }
}

/// By the definition where `place` holds, as before where it does not, either where it may.
fn recompute(structure: &mut Structure, tracked: &Tracked, at: Assignment, place: &Formula) {
    let before = stored(structure, tracked.id);
    let meant = meant(structure, tracked);
    let places = values(structure, tracked.id, at, place);
    let pick = |((before, meant), place): ((Row, Row), Row)| Row {
        one: place.one & meant.one | place.zero & before.one,
        zero: place.one & meant.zero | place.zero & before.zero,
    };
    let rows = before.into_iter().zip(meant).zip(places).map(pick).collect();
    put(structure, tracked.id, rows);
}

/// Gives a predicate the value of its definition wherever the node is an argument.
fn define_at(structure: &mut Structure, tracked: &Tracked, node: Node) {
    let bit = 1u64 << node;
    let meant = meant(structure, tracked);
    let mix = |before: Row, meant: Row, places: u64| Row {
        one: before.one & !places | meant.one & places,
        zero: before.zero & !places | meant.zero & places,
    };
    let before = stored(structure, tracked.id);
    let rows = match tracked.id {
        PredicateId::Unary(_) => vec![mix(before[0], meant[0], bit)],
        PredicateId::Binary(_) => {
            let from = nodes_of(structure.blocks());
            let rows = from.zip(before.into_iter().zip(meant));
            let places = |from: Node| if from == node { u64::MAX } else { bit };
            rows.map(|(from, (before, meant))| mix(before, meant, places(from))).collect()
        }
    };
    put(structure, tracked.id, rows);
}
