//! Pointers as bit-vectors: which object, which block of it, how many bytes into the block.
//!
//! From the highest bit: a tag (0 for "no object", else an abstract object), the number of the block
//! among those that the object stands for (0 where it stands for one), and the offset. Null is all
//! zeros. The numbers have no meaning beyond equality and order of allocation: no row of a template
//! may speak about the bits of a pointer but through [`PointerLayout::is_target`].

use std::fmt;

use heapwright_base::DenseId;
use heapwright_logic::{BitVectorValue, Term, TermId, Terms};

use crate::ssa::formula::AbstractObjectId;

/// Bits of a block's number: more blocks of one site than this are never alive at once.
pub const NUMBER_BITS: u32 = 32;

/// How wide the parts of a pointer are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerLayout {
    pub tag_bits: u32,
    pub offset_bits: u32,
}

/// What a pointer points to, as a may-point-to row speaks of it: all blocks of one object alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PointerTarget {
    Null,
    /// A number that is not the address of any block: garbage, or made from an integer.
    Number,
    /// `offset` bytes into a block of this object (modulo the width of an address).
    Object {
        object: AbstractObjectId,
        offset: u64,
    },
}

impl PointerTarget {
    /// Whether no object is there.
    #[must_use]
    pub fn is_number(self) -> bool {
        matches!(self, PointerTarget::Null | PointerTarget::Number)
    }
}

impl PointerLayout {
    #[must_use]
    pub fn width(self) -> u32 {
        self.tag_bits + NUMBER_BITS + self.offset_bits
    }

    /// What the value of a pointer term in a model points to.
    #[must_use]
    pub fn target_of(self, pointer: BitVectorValue) -> PointerTarget {
        let tag = pointer.extract(self.width() - 1, NUMBER_BITS + self.offset_bits).bits();
        let offset = pointer.extract(self.offset_bits - 1, 0).bits();
        match tag {
            0 if pointer.is_zero() => PointerTarget::Null,
            0 => PointerTarget::Number,
            tag => PointerTarget::Object {
                object: AbstractObjectId::from_index(tag as usize - 1),
                offset: offset as u64,
            },
        }
    }

    /// The predicate "`pointer` points to `target`".
    pub fn is_target(self, terms: &mut Terms, pointer: TermId, target: PointerTarget) -> TermId {
        let null = self.null(terms);
        match target {
            PointerTarget::Null => terms.equal(pointer, null),
            PointerTarget::Number => {
                let is_null = terms.equal(pointer, null);
                let is_free = self.has_tag(terms, pointer, 0);
                let is_number = terms.not(is_null);
                terms.and(is_free, is_number)
            }
            PointerTarget::Object { object, offset } => {
                let is_object = self.is_object(terms, pointer, object);
                let wanted = terms.bit_vector(u128::from(offset), self.offset_bits);
                let actual = self.offset(terms, pointer);
                let is_there = terms.equal(actual, wanted);
                terms.and(is_object, is_there)
            }
        }
    }

    /// The predicate "`pointer` points into a block of `object`, or out of one".
    pub fn is_object(self, terms: &mut Terms, pointer: TermId, object: AbstractObjectId) -> TermId {
        self.has_tag(terms, pointer, object.index() + 1)
    }

    pub fn null(self, terms: &mut Terms) -> TermId {
        terms.bit_vector(0, self.width())
    }

    /// The start of block `number` of `object`.
    pub fn address(self, terms: &mut Terms, object: AbstractObjectId, number: TermId) -> TermId {
        let tag = terms.bit_vector(object.index() as u128 + 1, self.tag_bits);
        let start = terms.bit_vector(0, self.offset_bits);
        let block = terms.concat(tag, number);
        terms.concat(block, start)
    }

    /// Tag and number together: the identity of the block.
    pub fn block(self, terms: &mut Terms, pointer: TermId) -> TermId {
        self.part(terms, pointer, self.width() - 1, self.offset_bits)
    }

    pub fn number(self, terms: &mut Terms, pointer: TermId) -> TermId {
        self.part(terms, pointer, self.offset_bits + NUMBER_BITS - 1, self.offset_bits)
    }

    pub fn offset(self, terms: &mut Terms, pointer: TermId) -> TermId {
        self.part(terms, pointer, self.offset_bits - 1, 0)
    }

    fn has_tag(self, terms: &mut Terms, pointer: TermId, tag: usize) -> TermId {
        let actual = self.part(terms, pointer, self.width() - 1, self.offset_bits + NUMBER_BITS);
        let wanted = terms.bit_vector(tag as u128, self.tag_bits);
        terms.equal(actual, wanted)
    }

    /// Bits of a pointer. Choices are looked through, since their ends are often addresses.
    fn part(self, terms: &mut Terms, pointer: TermId, high: u32, low: u32) -> TermId {
        part_of(terms, pointer, (high, low), LOOK_THROUGH)
    }
}

/// Choices that stand in each other, at most, when a part of a pointer is taken.
const LOOK_THROUGH: u32 = 6;

fn part_of(terms: &mut Terms, pointer: TermId, (high, low): (u32, u32), depth: u32) -> TermId {
    match terms.node(pointer) {
        Term::IfThenElse(condition, then, otherwise) if depth > 0 => {
            let then = part_of(terms, then, (high, low), depth - 1);
            let otherwise = part_of(terms, otherwise, (high, low), depth - 1);
            terms.if_then_else(condition, then, otherwise)
        }
        _ => terms.extract(pointer, high, low),
    }
}

impl fmt::Display for PointerTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PointerTarget::Null => f.write_str("null"),
            PointerTarget::Number => f.write_str("number"),
            PointerTarget::Object { object, offset: 0 } => write!(f, "&{object}"),
            PointerTarget::Object { object, offset } => write!(f, "&{object}+{offset}"),
        }
    }
}
