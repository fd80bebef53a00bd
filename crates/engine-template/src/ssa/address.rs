//! Addresses: when pointers are equal, their order and distance, and addresses as numbers.

use heapwright_logic::{Sort, TermId};
use heapwright_program::{BinaryOperator, ExpressionId, ScalarType};

use crate::analysis::points_to::constant_distance;
use crate::ssa::build::Builder;
use crate::ssa::pointer::PointerTarget;
use crate::ssa::state::State;

impl Builder<'_> {
    pub(crate) fn compare_pointers(
        &mut self,
        state: &State,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> TermId {
        let program = self.preparation.program();
        let may_be_number = [left, right]
            .iter()
            .any(|&side| self.preparation.points_to.of_expression(program, side).number);
        let left = self.evaluate(state, left);
        let right = self.evaluate(state, right);
        match operator {
            BinaryOperator::Equal => self.same_address(left, right, may_be_number),
            BinaryOperator::NotEqual => {
                let is_same = self.same_address(left, right, may_be_number);
                self.terms.not(is_same)
            }
            _ => {
                let (block, other) = (
                    self.pointers.block(&mut self.terms, left),
                    self.pointers.block(&mut self.terms, right),
                );
                let is_one_block = self.terms.equal(block, other);
                let start = self.pointers.offset(&mut self.terms, left);
                let end = self.pointers.offset(&mut self.terms, right);
                let inside = self.compare(operator, start, end, false);
                let unknown = self.fresh("order", Sort::Boolean);
                self.terms.if_then_else(is_one_block, inside, unknown)
            }
        }
    }

    /// Whether two pointers are equal. A number may happen to be the address of a block.
    fn same_address(&mut self, left: TermId, right: TermId, may_be_number: bool) -> TermId {
        let is_equal = self.terms.equal(left, right);
        let null = self.pointers.null(&mut self.terms);
        if !may_be_number || left == null || right == null {
            return is_equal;
        }
        let is_left = self.pointers.is_target(&mut self.terms, left, PointerTarget::Number);
        let is_right = self.pointers.is_target(&mut self.terms, right, PointerTarget::Number);
        let is_mixed = self.terms.xor(is_left, is_right);
        if is_mixed == TermId::FALSE {
            return is_equal;
        }
        let (left_null, right_null) = (self.terms.equal(left, null), self.terms.equal(right, null));
        let has_null = self.terms.or(left_null, right_null);
        let is_nowhere = self.terms.not(has_null);
        let happens = self.fresh("address", Sort::Boolean);
        let may_happen = self.terms.and(is_nowhere, happens);
        let by_chance = self.terms.and(is_mixed, may_happen);
        self.terms.or(is_equal, by_chance)
    }

    /// A pointer moved by some bytes. A number that is moved is some number; a distance that does not
    /// fit the offset leads nowhere.
    pub(crate) fn moved_pointer(
        &mut self,
        state: &State,
        left: ExpressionId,
        right: ExpressionId,
    ) -> TermId {
        let program = self.preparation.program();
        let may_be_number = self.preparation.points_to.of_expression(program, left).number;
        let constant = constant_distance(program, right);
        let pointer = self.evaluate(state, left);
        if constant == Some(0) {
            return pointer;
        }
        let distance = self.evaluate(state, right);
        let bits = self.pointers.offset_bits;
        let short = self.resized(distance, bits, true);
        let offset = self.pointers.offset(&mut self.terms, pointer);
        let block = self.pointers.block(&mut self.terms, pointer);
        let moved = self.terms.add(offset, short);
        let moved = self.terms.concat(block, moved);
        let width = self.terms.width(distance);
        let long = self.resized(short, width, true);
        let does_fit = self.terms.equal(long, distance);
        let is_known = if may_be_number {
            let is_number =
                self.pointers.is_target(&mut self.terms, pointer, PointerTarget::Number);
            let is_no_number = self.terms.not(is_number);
            self.terms.and(does_fit, is_no_number)
        } else {
            does_fit
        };
        if is_known == TermId::TRUE {
            return moved;
        }
        let nowhere = self.anything("moved", ScalarType::Pointer);
        self.terms.if_then_else(is_known, moved, nowhere)
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
        let width = self.width(ty);
        let distance = self.resized(distance, width, true);
        let unknown = self.anything("distance", ty);
        self.terms.if_then_else(is_one_block, distance, unknown)
    }

    /// The address of a pointer as a number: zero for null only, else anything.
    pub(crate) fn number_of(&mut self, pointer: TermId, ty: ScalarType) -> TermId {
        let width = self.width(ty);
        let null = self.pointers.null(&mut self.terms);
        if let Some(value) = self.terms.as_constant(pointer)
            && self.pointers.target_of(value).is_number()
        {
            return self.terms.bit_vector(value.bits(), width);
        }
        if let Some(&known) = self.numbers_of_pointers.get(&(pointer, width)) {
            return known;
        }
        let number = self.fresh("number", Sort::BitVector(width));
        if u64::from(width) >= 8 * self.preparation.program().model.pointer_size() {
            let zero = self.terms.bit_vector(0, width);
            let is_zero = self.terms.equal(number, zero);
            let is_null = self.terms.equal(pointer, null);
            let agree = self.terms.equal(is_zero, is_null);
            self.constrain(number, agree);
        }
        self.numbers_of_pointers.insert((pointer, width), number);
        number
    }

    /// A pointer made from an integer: null from zero, else some number.
    pub(crate) fn pointer_from(&mut self, number: TermId) -> TermId {
        let width = self.terms.width(number);
        let zero = self.terms.bit_vector(0, width);
        let is_zero = self.terms.equal(number, zero);
        let null = self.pointers.null(&mut self.terms);
        if let Some(value) = self.terms.as_constant(number) {
            let bits = self.pointers.width();
            let address_bits = 8 * self.preparation.program().model.pointer_size() as u32;
            let address = value.bits() & heapwright_program::mask(address_bits);
            return self.terms.bit_vector(address, bits);
        }
        let nowhere = self.anything("cast", ScalarType::Pointer);
        self.terms.if_then_else(is_zero, null, nowhere)
    }
}
