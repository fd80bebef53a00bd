//! Links: what holds between a block and the one that a pointer, or a field of another block, leads to.
//!
//! A row has conditions and, where they hold, a subject with few classes of answers; its value is the
//! set of classes that were seen. Three sorts of conditions are enough for lists that are freed: a
//! block lives; `p` points into the witness; a field of the witness points into the second one.
//!
//! - what a pointer, or a field of a living block, points into lives;
//! - no field of a living block points into what `p` points into, no two point into one block;
//! - behind a link: a pointer back, the order of two numbers;
//! - in what `p` points into: the order of a number and one of the program.

use super::link::{Block, Condition, Link, Subject, first_or};
use super::{Domain, Row, Scope};
use crate::ssa::formula::{AbstractObjectId, LoopVariableSource, Spot, ValueKind};

pub(super) struct Links;

pub(super) struct Neighbours;

impl Domain for Links {
    fn name(&self) -> &'static str {
        "links"
    }

    fn summary(&self) -> &'static str {
        "what pointers and links lead to lives, and nothing else leads there"
    }

    fn rows(&self, scope: &Scope) -> Vec<Box<dyn Row>> {
        let mut rows = Rows::new(scope);
        rows.of_pointers();
        rows.of_links();
        rows.rows
    }
}

impl Domain for Neighbours {
    fn name(&self) -> &'static str {
        "neighbours"
    }

    fn summary(&self) -> &'static str {
        "pointers back and the order of numbers along links"
    }

    fn rows(&self, scope: &Scope) -> Vec<Box<dyn Row>> {
        let mut rows = Rows::new(scope);
        rows.of_neighbours();
        rows.of_numbers();
        rows.rows
    }
}

/// More pointers, and more pairs of links, have no rows.
const MOST_POINTERS: usize = 10;
const MOST_LINKS: usize = 8;

/// More rows about numbers below pointers are not laid out.
const MOST_NUMBERS: usize = 16;

/// Lays out rows.
struct Rows<'a> {
    scope: &'a Scope,
    rows: Vec<Box<dyn Row>>,
}

impl Rows<'_> {
    fn new(scope: &Scope) -> Rows<'_> {
        Rows { scope, rows: Vec::new() }
    }

    fn add(&mut self, conditions: Vec<Condition>, subject: Subject) {
        let link = Link { conditions, subject, pointers: self.scope.pointers, seen: None };
        self.rows.push(Box::new(link));
    }

    /// Pointer variables of the program, those first that the loop changes.
    fn pointers(&self) -> Vec<usize> {
        let is_variable = |it: &usize| {
            let variable = &self.scope.variables[*it];
            let is_program_variable = matches!(
                variable.source,
                Some(LoopVariableSource::Local(_) | LoopVariableSource::Global(_))
            );
            is_program_variable && variable.kind == ValueKind::Pointer
        };
        let pointers = (0..self.scope.variables.len()).filter(is_variable);
        pointers.take(MOST_POINTERS).collect()
    }

    /// Fields of this kind, of one of the witnesses.
    fn fields(&self, spot: Spot, wanted: impl Fn(ValueKind) -> bool) -> Vec<usize> {
        let is_wanted = |it: &usize| {
            let variable = &self.scope.variables[*it];
            first_or(variable.spot) == spot
                && wanted(variable.kind)
                && matches!(variable.source, Some(LoopVariableSource::Field { .. }))
                && variable.object.is_some()
        };
        (0..self.scope.variables.len()).filter(is_wanted).collect()
    }

    fn links(&self, spot: Spot) -> Vec<usize> {
        let mut links = self.fields(spot, |kind| kind == ValueKind::Pointer);
        links.truncate(MOST_LINKS);
        links
    }

    fn object(&self, variable: usize) -> AbstractObjectId {
        self.scope.variables[variable].object.expect("a field has an object")
    }

    fn block(&self, variable: usize) -> Block {
        let spot = first_or(self.scope.variables[variable].spot);
        Block { object: self.object(variable), spot }
    }

    /// The mark of a block's end, if it has one here.
    fn ended(&self, block: Block) -> Option<usize> {
        self.scope.variables.iter().position(|variable| {
            variable.object == Some(block.object)
                && first_or(variable.spot) == block.spot
                && matches!(variable.source, Some(LoopVariableSource::Ended { .. }))
        })
    }

    fn lives(&self, block: Block) -> Vec<Condition> {
        self.ended(block).map(|ended| Condition::Lives { ended }).into_iter().collect()
    }

    fn objects(&self) -> Vec<AbstractObjectId> {
        self.scope.objects.ids().collect()
    }

    /// The block that a link of `from` may lead to, to be told apart from `from` itself.
    fn opposite(&self, from: AbstractObjectId, object: AbstractObjectId) -> Block {
        let is_second = from == object && self.scope.objects[object].has_second;
        Block { object, spot: if is_second { Spot::Second } else { Spot::First } }
    }

    fn of_pointers(&mut self) {
        for pointer in self.pointers() {
            for object in self.objects() {
                let block = Block { object, spot: Spot::First };
                if let Some(ended) = self.ended(block) {
                    self.add(vec![Condition::Into { pointer, block }], Subject::Life { ended });
                }
            }
            for link in self.links(Spot::First) {
                let lives = self.lives(self.block(link));
                self.add(lives, Subject::Apart { one: link, other: pointer });
            }
        }
    }

    fn of_links(&mut self) {
        for link in self.links(Spot::First) {
            let from = self.block(link);
            for object in self.objects() {
                let block = self.opposite(from.object, object);
                if let Some(ended) = self.ended(block) {
                    let mut conditions = self.lives(from);
                    conditions.push(Condition::Into { pointer: link, block });
                    self.add(conditions, Subject::Life { ended });
                }
            }
            self.unshared(link);
        }
    }

    /// No other link leads where this one does.
    fn unshared(&mut self, link: usize) {
        let from = self.block(link);
        for other in self.links(Spot::First) {
            let block = self.block(other);
            if link < other {
                self.add(
                    [self.lives(from), self.lives(block)].concat(),
                    Subject::Apart { one: link, other },
                );
            }
        }
        for other in self.links(Spot::Second) {
            let block = self.block(other);
            if block.object == from.object {
                let mut conditions = [self.lives(from), self.lives(block)].concat();
                conditions.push(Condition::Distinct(from.object));
                self.add(conditions, Subject::Apart { one: link, other });
            }
        }
    }

    fn of_neighbours(&mut self) {
        for link in self.links(Spot::First) {
            let from = self.block(link);
            for object in self.objects() {
                let to = self.opposite(from.object, object);
                if to == from {
                    continue;
                }
                let mut conditions = [self.lives(from), self.lives(to)].concat();
                conditions.push(Condition::Into { pointer: link, block: to });
                for back in self.links(to.spot) {
                    if self.block(back) == to {
                        let subject = Subject::Is { pointer: back, block: from };
                        self.add(conditions.clone(), subject);
                    }
                }
                self.ordered(&conditions, from, to);
            }
        }
    }

    /// How numbers of what a pointer leads to compare with numbers of the program.
    fn of_numbers(&mut self) {
        let numbers: Vec<usize> = self.scope.numbers();
        let numbers = numbers.into_iter().filter(|&it| self.scope.variables[it].object.is_none());
        let numbers: Vec<usize> = numbers.collect();
        let fields = self.fields(Spot::First, |kind| matches!(kind, ValueKind::Number { .. }));
        let mut left = MOST_NUMBERS;
        for pointer in self.pointers() {
            for &one in &fields {
                for &other in &numbers {
                    let kind = self.scope.variables[one].kind;
                    let ValueKind::Number { signed, .. } = kind else { continue };
                    if kind != self.scope.variables[other].kind || left == 0 {
                        continue;
                    }
                    left -= 1;
                    let block = self.block(one);
                    let mut conditions = self.lives(block);
                    conditions.push(Condition::Into { pointer, block });
                    self.add(conditions, Subject::Order { one, other, signed });
                }
            }
        }
    }

    /// The same number in both blocks.
    fn ordered(&mut self, conditions: &[Condition], from: Block, to: Block) {
        let is_number = |kind| matches!(kind, ValueKind::Number { .. });
        let others = self.fields(to.spot, is_number);
        for one in self.fields(from.spot, is_number) {
            let (kind, offset) = self.field(one);
            let is_same = |&&it: &&usize| self.block(it) == to && self.field(it) == (kind, offset);
            let Some(&other) = others.iter().find(is_same) else { continue };
            if let (true, ValueKind::Number { signed, .. }) = (self.block(one) == from, kind) {
                self.add(conditions.to_vec(), Subject::Order { one, other, signed });
            }
        }
    }

    fn field(&self, variable: usize) -> (ValueKind, Option<u64>) {
        let variable = &self.scope.variables[variable];
        let offset = match variable.source {
            Some(LoopVariableSource::Field { offset, .. }) => Some(offset),
            Some(_) | None => None,
        };
        (variable.kind, offset)
    }
}
