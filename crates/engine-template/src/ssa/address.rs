//! Addresses: when pointers are equal, their order and distance, and addresses as numbers.
//!
//! A pointer that is moved keeps its block, and its offset is counted as the machine counts addresses, so
//! what two pointers into one block have to do with each other is exact. Where blocks lie is the choice
//! of the implementation. Two pointers into different blocks are different if both blocks are alive and
//! both pointers are inside; all else is open: the place behind a block may be another one's, a block
//! that has ended may have given its place away, and string literals may lie in each other.

use heapwright_logic::{Sort, TermId};
use heapwright_program::{BinaryOperator, ExpressionId, ObjectKind, ScalarType};

use crate::analysis::distance::constant_distance;
use crate::analysis::points_to::ObjectSource;
use crate::analysis::targets::Targets;
use crate::ssa::access::Hit;
use crate::ssa::build::Builder;
use crate::ssa::formula::AbstractObjectId;
use crate::ssa::pointer::PointerTarget;
use crate::ssa::state::State;

/// So far before a block and behind it addresses do not wrap around: the first and the last page belong
/// to nobody.
const PAGE: i64 = 4096;

/// What is known of the address of a pointer.
struct Address {
    value: TermId,
    is_null: TermId,
    /// It is a number that no object is known to be at.
    is_number: TermId,
    /// No other block can have it.
    is_own: TermId,
    /// It is no number, or it is; but if it is in no block, then close to one.
    is_near: TermId,
    is_literal: TermId,
}

impl Builder<'_> {
    pub(crate) fn compare_pointers(
        &mut self,
        state: &State,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> TermId {
        let left = self.address(state, left);
        let right = self.address(state, right);
        match operator {
            BinaryOperator::Equal => self.same_address(&left, &right),
            BinaryOperator::NotEqual => {
                let is_same = self.same_address(&left, &right);
                self.terms.not(is_same)
            }
            _ => self.order(operator, &left, &right),
        }
    }

    /// Whether a pointer is null.
    pub(crate) fn is_null(&mut self, state: &State, pointer: ExpressionId) -> TermId {
        let address = self.address(state, pointer);
        let null = Address {
            value: self.pointers.null(&mut self.terms),
            is_null: TermId::TRUE,
            is_number: TermId::FALSE,
            is_own: TermId::TRUE,
            is_near: TermId::TRUE,
            is_literal: TermId::FALSE,
        };
        self.same_address(&address, &null)
    }

    fn address(&mut self, state: &State, pointer: ExpressionId) -> Address {
        let program = self.preparation.program();
        let targets = self.preparation.points_to.of_expression(program, pointer);
        let value = self.evaluate(state, pointer);
        let is_null = self.pointers.is_target(&mut self.terms, value, PointerTarget::Null);
        let is_number = self.is_number(value, &targets);
        let hits = self.hits(state, pointer);
        let (mut own, mut near) = (vec![self.terms.not(is_number)], Vec::new());
        let mut literal = Vec::new();
        for hit in &hits {
            let elsewhere = self.terms.not(hit.condition);
            let is_own = self.is_own(state, hit);
            own.push(self.terms.or(elsewhere, is_own));
            let is_near = self.is_near(state, hit);
            near.push(self.terms.or(elsewhere, is_near));
            if self.is_literal(hit.object) {
                literal.push(hit.condition);
            }
        }
        Address {
            value,
            is_null,
            is_number,
            is_own: self.terms.all(&own),
            is_near: self.terms.all(&near),
            is_literal: self.terms.any(&literal),
        }
    }

    fn is_number(&mut self, pointer: TermId, targets: &Targets) -> TermId {
        if !targets.number {
            return TermId::FALSE;
        }
        self.pointers.is_target(&mut self.terms, pointer, PointerTarget::Number)
    }

    fn is_literal(&self, object: AbstractObjectId) -> bool {
        let ObjectSource::Declared(id) = self.preparation.points_to.objects.sources[object] else {
            return false;
        };
        matches!(self.preparation.program().objects[id].kind, ObjectKind::String { .. })
    }

    /// Whether a place is inside its block, which is alive.
    fn is_own(&mut self, state: &State, hit: &Hit) -> TermId {
        let known =
            self.preparation.points_to.sizes[hit.object].and_then(|it| i64::try_from(it).ok());
        let is_inside = match (hit.offsets.as_deref(), known) {
            (Some(offsets), Some(size)) if offsets.iter().all(|it| (0..size).contains(it)) => {
                TermId::TRUE
            }
            _ => {
                let size = self.block_size(state, hit.object, hit.key.number);
                self.terms.unsigned_less(hit.key.offset, size)
            }
        };
        let is_alive = self.is_alive(state, hit);
        self.terms.and(is_inside, is_alive)
    }

    /// Whether a place is in its block, or not far from it.
    fn is_near(&mut self, state: &State, hit: &Hit) -> TermId {
        let known =
            self.preparation.points_to.sizes[hit.object].and_then(|it| i64::try_from(it).ok());
        let end = known.unwrap_or(0).saturating_add(PAGE);
        if let Some(offsets) = &hit.offsets
            && offsets.iter().all(|offset| (-PAGE..=end).contains(offset))
        {
            return TermId::TRUE;
        }
        let size = self.block_size(state, hit.object, hit.key.number);
        let both_sides = self.offset_term(2 * PAGE);
        let length = self.terms.add(size, both_sides);
        let moved = self.biased(hit.key.offset);
        // A size that wraps around is impossible; nothing is near then, so that all is open.
        self.terms.unsigned_less_equal(moved, length)
    }

    /// An offset counted from a page before its block on, so that places before it come first.
    fn biased(&mut self, offset: TermId) -> TermId {
        let page = self.offset_term(PAGE);
        self.terms.add(offset, page)
    }

    fn same_address(&mut self, left: &Address, right: &Address) -> TermId {
        let is_equal = self.terms.equal(left.value, right.value);
        let both_own = self.terms.and(left.is_own, right.is_own);
        let mut excluded = vec![both_own];
        for (one, other) in [(left, right), (right, left)] {
            excluded.push(self.terms.and(one.is_null, other.is_near));
        }
        let is_excluded = self.terms.any(&excluded);
        let is_open = self.terms.not(is_excluded);
        let are_literals = self.terms.and(left.is_literal, right.is_literal);
        let is_open = self.terms.or(is_open, are_literals);
        let block = self.pointers.block(&mut self.terms, left.value);
        let other = self.pointers.block(&mut self.terms, right.value);
        let is_other_block = self.terms.not_equal(block, other);
        let may_happen = self.terms.and(is_open, is_other_block);
        if may_happen == TermId::FALSE {
            return is_equal;
        }
        let happens = self.fresh("address", Sort::Boolean);
        let by_chance = self.terms.and(may_happen, happens);
        self.terms.or(is_equal, by_chance)
    }

    /// Which of two addresses is lower. In one block, and not far from it, that is told by offsets.
    fn order(&mut self, operator: BinaryOperator, left: &Address, right: &Address) -> TermId {
        let block = self.pointers.block(&mut self.terms, left.value);
        let other = self.pointers.block(&mut self.terms, right.value);
        let is_one_block = self.terms.equal(block, other);
        let numbers = [left.is_number, right.is_number].map(|it| self.terms.not(it));
        let near = [left.is_near, right.is_near];
        let is_known = self.terms.all(&[&[is_one_block], &numbers[..], &near[..]].concat());
        let start = self.pointers.offset(&mut self.terms, left.value);
        let end = self.pointers.offset(&mut self.terms, right.value);
        let (start, end) = (self.biased(start), self.biased(end));
        let inside = self.compare(operator, start, end, false);
        if is_known == TermId::TRUE {
            return inside;
        }
        let unknown = self.fresh("order", Sort::Boolean);
        self.terms.if_then_else(is_known, inside, unknown)
    }

    /// A pointer moved by some bytes. A number that is moved is some number.
    pub(crate) fn moved_pointer(
        &mut self,
        state: &State,
        left: ExpressionId,
        right: ExpressionId,
    ) -> TermId {
        let program = self.preparation.program();
        let targets = self.preparation.points_to.of_expression(program, left);
        let pointer = self.evaluate(state, left);
        if constant_distance(program, right) == Some(0) {
            return pointer;
        }
        let distance = self.evaluate(state, right);
        let (width, bits) = (self.terms.width(distance), self.pointers.offset_bits);
        assert_eq!(width, bits, "distances are as wide as offsets");
        let offset = self.pointers.offset(&mut self.terms, pointer);
        let block = self.pointers.block(&mut self.terms, pointer);
        let moved = self.terms.add(offset, distance);
        let moved = self.terms.concat(block, moved);
        let is_number = self.is_number(pointer, &targets);
        if is_number == TermId::FALSE {
            return moved;
        }
        let nowhere = self.anything("moved", ScalarType::Pointer);
        self.terms.if_then_else(is_number, nowhere, moved)
    }

    pub(crate) fn difference(
        &mut self,
        state: &State,
        left: ExpressionId,
        right: ExpressionId,
        ty: ScalarType,
    ) -> TermId {
        let left = self.evaluate(state, left);
        let right = self.evaluate(state, right);
        let block = self.pointers.block(&mut self.terms, left);
        let other = self.pointers.block(&mut self.terms, right);
        let is_one_block = self.terms.equal(block, other);
        let start = self.pointers.offset(&mut self.terms, left);
        let end = self.pointers.offset(&mut self.terms, right);
        let distance = self.terms.subtract(start, end);
        assert_eq!(self.terms.width(distance), self.width(ty), "distances are as wide as offsets");
        let unknown = self.anything("distance", ty);
        self.terms.if_then_else(is_one_block, distance, unknown)
    }

    /// The address of a pointer as a number: zero for null, else anything. One pointer has one address;
    /// but that of an object that comes again may be another one each time.
    pub(crate) fn number_of(
        &mut self,
        state: &State,
        expression: ExpressionId,
        ty: ScalarType,
    ) -> TermId {
        let width = self.width(ty);
        let Address { value: pointer, is_null, is_near, .. } = self.address(state, expression);
        if let Some(value) = self.terms.as_constant(pointer)
            && self.pointers.target_of(value).is_number()
        {
            return self.terms.bit_vector(value.bits(), width);
        }
        let is_lasting = self.has_one_address(expression);
        if let Some(&known) = self.numbers_of_pointers.get(&(pointer, width))
            && is_lasting
        {
            return known;
        }
        let number = self.fresh("number", Sort::BitVector(width));
        if u64::from(width) >= 8 * self.preparation.program().model.pointer_size() {
            let zero = self.terms.bit_vector(0, width);
            let is_zero = self.terms.equal(number, zero);
            let agrees = self.terms.equal(is_zero, is_null);
            let is_far = self.terms.not(is_near);
            let holds = self.terms.or(is_far, agrees);
            self.constrain(number, holds);
        }
        if is_lasting {
            self.numbers_of_pointers.insert((pointer, width), number);
        }
        number
    }

    /// Whether a pointer that is the same term is the same address.
    fn has_one_address(&self, pointer: ExpressionId) -> bool {
        let targets = self.preparation.points_to.of_expression(self.preparation.program(), pointer);
        targets.by_object().into_keys().all(|object| {
            let layout = &self.preparation.layouts[object];
            layout.is_many || !layout.comes_again
        })
    }

    /// A pointer made from a number as wide as an address: null from zero, else some number.
    pub(crate) fn pointer_from(&mut self, address: TermId) -> TermId {
        if let Some(value) = self.terms.as_constant(address) {
            let bits = self.pointers.width();
            return self.terms.bit_vector(value.bits(), bits);
        }
        let zero = self.offset_term(0);
        let is_zero = self.terms.equal(address, zero);
        let null = self.pointers.null(&mut self.terms);
        let nowhere = self.anything("cast", ScalarType::Pointer);
        self.terms.if_then_else(is_zero, null, nowhere)
    }
}
