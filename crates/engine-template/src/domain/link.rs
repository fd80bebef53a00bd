//! The row of links: where some conditions hold, a subject has one of the classes of answers that were
//! seen.
//!
//! Blocks are compared for equality alone, since their numbers mean nothing across a loop's head.

use heapwright_logic::{BitVectorValue, TermId, Terms};

use super::{Point, Row, Scope, Version};
use crate::ssa::formula::{AbstractObjectId, Spot};
use crate::ssa::pointer::{NUMBER_BITS, PointerLayout};

/// A block that rows speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    pub(super) object: AbstractObjectId,
    pub(super) spot: Spot,
}

impl Block {
    fn term(self, version: &Version) -> TermId {
        match self.spot {
            Spot::First | Spot::Kept => version.witnesses[self.object],
            Spot::Second => version.seconds[self.object],
        }
    }

    fn value(self, point: &Point) -> BitVectorValue {
        match self.spot {
            Spot::First | Spot::Kept => point.witnesses[self.object],
            Spot::Second => point.seconds[self.object],
        }
    }
}

/// Where a row says something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    /// This mark is not set.
    Lives { ended: usize },
    /// The pointer points into the block.
    Into { pointer: usize, block: Block },
    /// The two witnesses are two blocks.
    Distinct(AbstractObjectId),
}

/// What a row says something of; each has a few classes of answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Subject {
    /// Whether a block has ended.
    Life { ended: usize },
    /// Whether two pointers point into one block.
    Apart { one: usize, other: usize },
    /// Whether a pointer is the block's address, or null.
    Is { pointer: usize, block: Block },
    /// Which of two numbers is less.
    Order { one: usize, other: usize, signed: bool },
}

impl Subject {
    /// How many classes there are; all of them together say nothing.
    fn classes(self) -> u8 {
        match self {
            Subject::Life { .. } | Subject::Apart { .. } => 2,
            Subject::Is { .. } | Subject::Order { .. } => 3,
        }
    }

    fn variables(self) -> Vec<usize> {
        match self {
            Subject::Life { ended } => vec![ended],
            Subject::Is { pointer, .. } => vec![pointer],
            Subject::Apart { one, other } | Subject::Order { one, other, .. } => vec![one, other],
        }
    }
}

/// What is kept belongs to first witnesses.
pub(super) fn first_or(spot: Spot) -> Spot {
    match spot {
        Spot::First | Spot::Kept => Spot::First,
        Spot::Second => Spot::Second,
    }
}

/// One row.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) conditions: Vec<Condition>,
    pub(super) subject: Subject,
    pub(super) pointers: PointerLayout,
    /// Whether a state was seen, and which classes where the conditions held.
    pub(super) seen: Option<u8>,
}

impl Link {
    fn all(&self) -> u8 {
        (1 << self.subject.classes()) - 1
    }

    fn holds(&self, condition: Condition, point: &Point) -> bool {
        match condition {
            Condition::Lives { ended } => point.values[ended].is_zero(),
            Condition::Into { pointer, block } => {
                let pointer = self.block_of(point.values[pointer]);
                pointer == self.block_of(block.value(point))
            }
            Condition::Distinct(object) => point.witnesses[object] != point.seconds[object],
        }
    }

    fn condition_term(&self, terms: &mut Terms, condition: Condition, version: &Version) -> TermId {
        match condition {
            Condition::Lives { ended } => is_zero(terms, version.values[ended]),
            Condition::Into { pointer, block } => {
                let pointer = self.pointers.block(terms, version.values[pointer]);
                let block = self.pointers.block(terms, block.term(version));
                terms.equal(pointer, block)
            }
            Condition::Distinct(object) => {
                terms.not_equal(version.witnesses[object], version.seconds[object])
            }
        }
    }

    fn block_of(&self, pointer: BitVectorValue) -> BitVectorValue {
        pointer.extract(self.pointers.width() - 1, self.pointers.offset_bits)
    }

    fn has_object(&self, pointer: BitVectorValue) -> bool {
        let low = NUMBER_BITS + self.pointers.offset_bits;
        !pointer.extract(self.pointers.width() - 1, low).is_zero()
    }

    /// The class of a point.
    fn class(&self, point: &Point) -> u8 {
        let value = |variable: usize| point.values[variable];
        match self.subject {
            Subject::Life { ended } => u8::from(!value(ended).is_zero()),
            Subject::Apart { one, other } => {
                let (one, other) = (value(one), value(other));
                let meet = self.has_object(one) && self.block_of(one) == self.block_of(other);
                u8::from(meet)
            }
            Subject::Is { pointer, block } => match value(pointer) {
                pointer if pointer == block.value(point) => 0,
                pointer if pointer.is_zero() => 1,
                _ => 2,
            },
            Subject::Order { one, other, signed } => {
                let (one, other) = (value(one), value(other));
                let order = if signed {
                    one.to_signed().cmp(&other.to_signed())
                } else {
                    one.bits().cmp(&other.bits())
                };
                match order {
                    std::cmp::Ordering::Less => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 2,
                }
            }
        }
    }

    /// Whether the subject is of one of the classes that were seen.
    fn subject_term(&self, terms: &mut Terms, version: &Version, seen: u8) -> TermId {
        let mut cases = Vec::new();
        for class in (0..self.subject.classes()).filter(|class| seen & (1 << class) != 0) {
            cases.push(self.class_term(terms, version, class));
        }
        terms.any(&cases)
    }

    fn class_term(&self, terms: &mut Terms, version: &Version, class: u8) -> TermId {
        let value = |variable: usize| version.values[variable];
        match self.subject {
            Subject::Life { ended } => {
                let lives = is_zero(terms, value(ended));
                if class == 0 { lives } else { terms.not(lives) }
            }
            Subject::Apart { one, other } => {
                let layout = self.pointers;
                let blocks = [one, other].map(|it| layout.block(terms, value(it)));
                let is_one = terms.equal(blocks[0], blocks[1]);
                let tag =
                    terms.extract(value(one), layout.width() - 1, NUMBER_BITS + layout.offset_bits);
                let is_number = is_zero(terms, tag);
                let is_object = terms.not(is_number);
                let meet = terms.and(is_object, is_one);
                if class == 1 { meet } else { terms.not(meet) }
            }
            Subject::Is { pointer, block } => {
                let is_block = terms.equal(value(pointer), block.term(version));
                let is_null = is_zero(terms, value(pointer));
                let is_other = terms.or(is_block, is_null);
                match class {
                    0 => is_block,
                    1 => is_null,
                    _ => terms.not(is_other),
                }
            }
            Subject::Order { one, other, signed } => {
                let (one, other) = (value(one), value(other));
                let mut less = |one, other| {
                    if signed {
                        terms.signed_less(one, other)
                    } else {
                        terms.unsigned_less(one, other)
                    }
                };
                match class {
                    0 => less(one, other),
                    1 => terms.equal(one, other),
                    _ => less(other, one),
                }
            }
        }
    }

    fn subject_text(&self, scope: &Scope, seen: u8) -> String {
        let name = |variable: usize| scope.name(variable);
        match self.subject {
            Subject::Life { ended } => match seen {
                0b01 => format!("{} == 0", name(ended)),
                _ => format!("{} == 1", name(ended)),
            },
            Subject::Apart { one, other } => match seen {
                0b01 => format!("{} and {} lead to no common block", name(one), name(other)),
                _ => format!("{} and {} lead to one block", name(one), name(other)),
            },
            Subject::Is { pointer, block } => {
                let block = block_text(scope, block);
                let cases = [(1, format!("== {block}")), (2, "== NULL".to_owned())];
                let mut texts: Vec<String> = cases
                    .into_iter()
                    .filter(|(bit, _)| seen & bit != 0)
                    .map(|(_, text)| format!("{} {text}", name(pointer)))
                    .collect();
                if seen & 4 != 0 {
                    texts.push("another pointer".to_owned());
                }
                texts.join(" || ")
            }
            Subject::Order { one, other, .. } => {
                let sign = match seen {
                    0b001 => "<",
                    0b010 => "==",
                    0b011 => "<=",
                    0b100 => ">",
                    0b101 => "!=",
                    _ => ">=",
                };
                format!("{} {sign} {}", name(one), name(other))
            }
        }
    }

    fn condition_text(&self, scope: &Scope, condition: Condition) -> Option<String> {
        match condition {
            Condition::Lives { ended } => Some(format!("not {}", scope.name(ended))),
            Condition::Into { pointer, block } => {
                Some(format!("{} leads to {}", scope.name(pointer), block_text(scope, block)))
            }
            Condition::Distinct(_) => None,
        }
    }
}

fn block_text(scope: &Scope, block: Block) -> String {
    let other = if block.spot == Spot::Second { "other " } else { "" };
    format!("{other}{}", scope.objects[block.object].name)
}

fn is_zero(terms: &mut Terms, value: TermId) -> TermId {
    let width = terms.width(value);
    let zero = terms.bit_vector(0, width);
    terms.equal(value, zero)
}

impl Row for Link {
    fn variables(&self) -> Vec<usize> {
        let mut variables = self.subject.variables();
        for condition in &self.conditions {
            match *condition {
                Condition::Lives { ended } => variables.push(ended),
                Condition::Into { pointer, .. } => variables.push(pointer),
                Condition::Distinct(_) => {}
            }
        }
        variables
    }

    fn blocks(&self) -> Vec<(AbstractObjectId, Spot)> {
        let mut blocks = Vec::new();
        for condition in &self.conditions {
            match *condition {
                Condition::Into { block, .. } => blocks.push((block.object, block.spot)),
                Condition::Distinct(object) => {
                    blocks.extend([(object, Spot::First), (object, Spot::Second)]);
                }
                Condition::Lives { .. } => {}
            }
        }
        if let Subject::Is { block, .. } = self.subject {
            blocks.push((block.object, block.spot));
        }
        blocks
    }

    fn formula(&self, terms: &mut Terms, version: &Version) -> TermId {
        let Some(seen) = self.seen else { return TermId::FALSE };
        if seen == self.all() {
            return TermId::TRUE;
        }
        let mut conditions = Vec::new();
        for &condition in &self.conditions {
            conditions.push(self.condition_term(terms, condition, version));
        }
        let conditions = terms.all(&conditions);
        let subject = self.subject_term(terms, version, seen);
        terms.implies(conditions, subject)
    }

    fn covers(&self, point: &Point) -> bool {
        let Some(seen) = self.seen else { return false };
        let is_meant = self.conditions.iter().all(|&condition| self.holds(condition, point));
        !is_meant || seen & (1 << self.class(point)) != 0
    }

    fn join(&mut self, point: &Point) {
        if !self.covers(point) {
            let is_meant = self.conditions.iter().all(|&condition| self.holds(condition, point));
            let class = if is_meant { 1 << self.class(point) } else { 0 };
            self.seen = Some(self.seen.unwrap_or(0) | class);
        }
    }

    fn is_top(&self) -> bool {
        self.seen == Some(self.all())
    }

    fn forget(&mut self) {
        self.seen = Some(self.all());
    }

    fn text(&self, scope: &Scope) -> Vec<String> {
        let Some(seen) = self.seen.filter(|&seen| seen != self.all()) else { return Vec::new() };
        let conditions = self.conditions.iter();
        let mut conditions: Vec<String> =
            conditions.filter_map(|&it| self.condition_text(scope, it)).collect();
        conditions.dedup();
        if seen == 0 {
            return vec![format!("never {}", conditions.join(" && "))];
        }
        let subject = self.subject_text(scope, seen);
        vec![format!("{subject}, if {}", conditions.join(" && "))]
    }

    fn boxed_clone(&self) -> Box<dyn Row> {
        Box::new(self.clone())
    }
}
