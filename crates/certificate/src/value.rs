//! Values: numbers are bit-vectors, pointers a block and an offset as wide as the data model.
//!
//! Block 0 is none: the offset is then the address itself, and null is address 0 of it. Where a block
//! lies is a number that is known of no two blocks at once, so pointers compare as addresses do.

use heapwright_logic::{Sort, TermId};
use heapwright_program::{BinaryOperator, ScalarType};

use crate::state::State;
use crate::walk::Checker;

/// Bits of a block's number.
pub(crate) const BLOCK_BITS: u32 = 32;

/// No block is as near to the ends of the address space.
const MARGIN: u128 = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Value {
    Bits(TermId),
    Pointer(Pointer),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Pointer {
    pub(crate) block: TermId,
    pub(crate) offset: TermId,
}

impl Value {
    pub(crate) fn bits(self) -> TermId {
        match self {
            Value::Bits(bits) => bits,
            Value::Pointer(pointer) => panic!("{pointer:?} is no number"),
        }
    }

    pub(crate) fn pointer(self) -> Pointer {
        match self {
            Value::Pointer(pointer) => pointer,
            Value::Bits(bits) => panic!("{bits:?} is no pointer"),
        }
    }
}

impl Checker<'_> {
    pub(crate) fn fresh(&mut self, name: &str, sort: Sort) -> TermId {
        // The count of all variables is in the name, so no two are one.
        self.fresh_count += 1;
        let name = format!("{name}#{}", self.fresh_count);
        let before = self.terms.len();
        let term = self.terms.variable(&name, sort);
        assert!(self.terms.len() > before, "{name} is not new");
        term
    }

    /// Anything of a type; a pointer may be to any block that there is.
    pub(crate) fn anything(&mut self, name: &str, ty: ScalarType) -> Value {
        if ty.is_pointer() {
            let block = self.fresh(&format!("{name}.block"), Sort::BitVector(BLOCK_BITS));
            let offset = self.fresh(&format!("{name}.offset"), Sort::BitVector(self.width));
            self.bound_block(block);
            return Value::Pointer(Pointer { block, offset });
        }
        Value::Bits(self.fresh(name, Sort::BitVector(ty.value_bits(self.program.model))))
    }

    /// A number from outside, or what an unwritten slot holds: a pointer is an address of nothing.
    pub(crate) fn garbage(&mut self, name: &str, ty: ScalarType) -> Value {
        if ty.is_pointer() {
            let offset = self.fresh(name, Sort::BitVector(self.width));
            return Value::Pointer(self.number_pointer(offset));
        }
        self.anything(name, ty)
    }

    pub(crate) fn number_pointer(&mut self, address: TermId) -> Pointer {
        Pointer { block: self.terms.bit_vector(0, BLOCK_BITS), offset: address }
    }

    pub(crate) fn offset_term(&mut self, bytes: i128) -> TermId {
        self.terms.bit_vector(bytes as u128, self.width)
    }

    pub(crate) fn choose(&mut self, condition: TermId, then: Value, otherwise: Value) -> Value {
        match (then, otherwise) {
            (Value::Bits(then), Value::Bits(otherwise)) => {
                Value::Bits(self.terms.if_then_else(condition, then, otherwise))
            }
            (Value::Pointer(then), Value::Pointer(otherwise)) => Value::Pointer(Pointer {
                block: self.terms.if_then_else(condition, then.block, otherwise.block),
                offset: self.terms.if_then_else(condition, then.offset, otherwise.offset),
            }),
            (one, other) => panic!("{one:?} and {other:?} are of two kinds"),
        }
    }

    pub(crate) fn has_no_block(&mut self, pointer: Pointer) -> TermId {
        let none = self.terms.bit_vector(0, BLOCK_BITS);
        self.terms.equal(pointer.block, none)
    }

    fn constant(&self, term: TermId) -> Option<u128> {
        self.terms.as_constant(term).map(heapwright_logic::BitVectorValue::bits)
    }

    pub(crate) fn is_null(&mut self, pointer: Pointer) -> TermId {
        let is_number = self.has_no_block(pointer);
        match self.constant(pointer.offset) {
            Some(0) => is_number,
            Some(offset) if offset < MARGIN => TermId::FALSE,
            Some(_) | None => {
                let address = self.address(pointer);
                let zero = self.offset_term(0);
                self.terms.equal(address, zero)
            }
        }
    }

    /// The number that a pointer is.
    pub(crate) fn address(&mut self, pointer: Pointer) -> TermId {
        let is_number = self.has_no_block(pointer);
        if is_number == TermId::TRUE {
            return pointer.offset;
        }
        let base = self.base_of(pointer.block);
        let inside = self.terms.add(base, pointer.offset);
        self.terms.if_then_else(is_number, pointer.offset, inside)
    }

    fn base_of(&mut self, block: TermId) -> TermId {
        let base = self.terms.select(self.bases, block);
        if self.based.insert(block) {
            let size = self.size_of(block);
            let least = self.offset_term(MARGIN as i128);
            let is_above = self.terms.unsigned_less_equal(least, base);
            let most = self.offset_term(-(MARGIN as i128));
            let room = self.terms.subtract(most, base);
            let fits = self.terms.unsigned_less_equal(size, room);
            let below = self.terms.unsigned_less_equal(base, most);
            let is_placed = self.terms.all(&[is_above, below, fits]);
            let none = self.terms.bit_vector(0, BLOCK_BITS);
            let is_none = self.terms.equal(block, none);
            let holds = self.terms.or(is_none, is_placed);
            self.constraints.push(holds);
        }
        base
    }

    fn same_address(&mut self, state: &State, left: Pointer, right: Pointer) -> TermId {
        let is_zero = |checker: &Self, pointer: Pointer| {
            [pointer.block, pointer.offset].map(|it| checker.constant(it)) == [Some(0), Some(0)]
        };
        if is_zero(self, right) {
            return self.is_null(left);
        }
        if is_zero(self, left) {
            return self.is_null(right);
        }
        let is_one_block = self.terms.equal(left.block, right.block);
        let same_offset = self.terms.equal(left.offset, right.offset);
        if is_one_block == TermId::TRUE {
            return same_offset;
        }
        let are_apart = self.are_apart(state, left, right);
        if are_apart == TermId::TRUE {
            return self.terms.and(is_one_block, same_offset);
        }
        let (at_left, at_right) = (self.address(left), self.address(right));
        let by_address = self.terms.equal(at_left, at_right);
        let differ = self.terms.not(by_address);
        let other_block = self.terms.not(is_one_block);
        let premise = self.terms.and(other_block, are_apart);
        let fact = self.terms.implies(premise, differ);
        self.constraints.push(fact);
        self.terms.if_then_else(is_one_block, same_offset, by_address)
    }

    /// Whether pointers into two blocks surely differ: both live, and both pointers are inside. The
    /// end of one may be the start of the other, a new block may lie where a dead one lay, and
    /// string literals may share their bytes.
    fn are_apart(&mut self, state: &State, left: Pointer, right: Pointer) -> TermId {
        let mut conditions = Vec::new();
        for pointer in [left, right] {
            let none = self.has_no_block(pointer);
            conditions.push(self.terms.not(none));
            let size = self.size_of(pointer.block);
            let is_inside = self.terms.unsigned_less(pointer.offset, size);
            let is_code = self.is_some(pointer.block, super::blocks::ObjectFacts::is_code);
            let zero = self.offset_term(0);
            let is_start = self.terms.equal(pointer.offset, zero);
            let is_function = self.terms.and(is_code, is_start);
            conditions.push(self.terms.or(is_inside, is_function));
            conditions.push(self.is_alive(&state.log, pointer.block));
        }
        let literals = [left, right].map(|it| self.is_some(it.block, |facts| facts.is_literal));
        let are_literals = self.terms.and(literals[0], literals[1]);
        conditions.push(self.terms.not(are_literals));
        self.terms.all(&conditions)
    }

    pub(crate) fn compare_pointers(
        &mut self,
        state: &State,
        operator: BinaryOperator,
        left: Pointer,
        right: Pointer,
    ) -> TermId {
        match operator {
            BinaryOperator::Equal => self.same_address(state, left, right),
            BinaryOperator::NotEqual => {
                let same = self.same_address(state, left, right);
                self.terms.not(same)
            }
            other => {
                let (left, right) = (self.address(left), self.address(right));
                self.compare(other, left, right, false)
            }
        }
    }

    pub(crate) fn difference(&mut self, left: Pointer, right: Pointer) -> TermId {
        if left.block == right.block {
            return self.terms.subtract(left.offset, right.offset);
        }
        let (left, right) = (self.address(left), self.address(right));
        self.terms.subtract(left, right)
    }

    pub(crate) fn compare(
        &mut self,
        operator: BinaryOperator,
        left: TermId,
        right: TermId,
        is_signed: bool,
    ) -> TermId {
        match (operator, is_signed) {
            (BinaryOperator::Equal, _) => self.terms.equal(left, right),
            (BinaryOperator::NotEqual, _) => self.terms.not_equal(left, right),
            (BinaryOperator::Less, true) => self.terms.signed_less(left, right),
            (BinaryOperator::Less, false) => self.terms.unsigned_less(left, right),
            (BinaryOperator::LessEqual, true) => self.terms.signed_less_equal(left, right),
            (BinaryOperator::LessEqual, false) => self.terms.unsigned_less_equal(left, right),
            (other, _) => unreachable!("{other:?} compares nothing"),
        }
    }

    pub(crate) fn resized(&mut self, value: TermId, width: u32, is_signed: bool) -> TermId {
        let old = self.terms.width(value);
        if width < old {
            self.terms.extract(value, width - 1, 0)
        } else if is_signed {
            self.terms.sign_extend(value, width)
        } else {
            self.terms.zero_extend(value, width)
        }
    }
}
