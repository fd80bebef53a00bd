//! Sizes that are known only when the program runs: arrays of variable length, and `alloca`.
//!
//! No bound of an array is negative, in the type that it is written in. C asks that it be positive;
//! GNU C has arrays without elements, which nobody can access, and programs rely on them. An object is
//! never larger than the largest difference of two pointers; the machine's stack is thought to be
//! large enough for all others. Where a size is neither, an edge says so (`fail size`), which is
//! reached before the object is there.

use heapwright_program::{BinaryOperator, ExpressionId, Failure, Operation, ScalarType};
use rucc_types::{ArrayLen, TypeKind};

use super::function::FunctionLowering;

const NEGATIVE: &str = "the length of the array is negative";
const TOO_LARGE: &str = "the size is larger than that of any object";

/// A number of bytes that fits `size_t`, and the largest one that it can be.
#[derive(Clone, Copy)]
struct Bytes {
    value: ExpressionId,
    most: u128,
}

impl FunctionLowering<'_, '_> {
    /// Evaluates the bounds of variable-length arrays in a type, once, here.
    pub(crate) fn evaluate_bounds(&mut self, ty: rucc_types::TypeId) {
        self.visit_bounds(ty, &mut |_, _| {});
    }

    /// The same for a declaration, where no bound may be negative.
    pub(crate) fn check_bounds(&mut self, ty: rucc_types::TypeId) {
        self.visit_bounds(ty, &mut |this, bound| {
            let ty = this.type_of(bound);
            if ty.is_signed() {
                let zero = this.constant(ty, 0);
                let is_length = this.binary(BinaryOperator::LessEqual, zero, bound);
                this.fail_unless(is_length, NEGATIVE);
            }
        });
    }

    fn visit_bounds(
        &mut self,
        ty: rucc_types::TypeId,
        check: &mut dyn FnMut(&mut Self, ExpressionId),
    ) {
        match self.unit.kind(ty) {
            TypeKind::Pointer(inner) => self.visit_bounds(inner, check),
            TypeKind::Array { elem, len } => {
                if let ArrayLen::Variable(bound) = len {
                    let count = self.unit.unit.tast.vla_size(bound);
                    // A type with a name was evaluated where it got the name.
                    let is_known = self.bounds.contains_key(&count);
                    let value = self.scalar_value(count);
                    let value = self.spill(value);
                    self.seal();
                    if !is_known {
                        check(self, value);
                    }
                    self.bounds.insert(count, value);
                }
                self.visit_bounds(elem, check);
            }
            _ => {}
        }
    }

    /// The bytes of an array that is about to come to life, whose bounds are not negative.
    pub(crate) fn checked_size(&mut self, ty: rucc_types::TypeId) -> ExpressionId {
        self.bytes_of(ty).value
    }

    fn bytes_of(&mut self, ty: rucc_types::TypeId) -> Bytes {
        let array = match self.unit.kind(ty) {
            TypeKind::Array { elem, len: ArrayLen::Fixed(count) } => {
                Some((elem, self.size_constant(count)))
            }
            TypeKind::Array { elem, len: ArrayLen::Variable(bound) } => {
                let count = self.unit.unit.tast.vla_size(bound);
                Some((elem, self.scalar_value(count)))
            }
            _ => None,
        };
        match (self.unit.size_of(ty), array) {
            (None, Some((element, count))) => {
                let element = self.bytes_of(element);
                self.product(count, element)
            }
            (size, _) => {
                let value = self.dynamic_size(ty);
                Bytes { value, most: u128::from(size.unwrap_or(1)) }
            }
        }
    }

    /// So many elements, after a look whether their bytes are too many: computed in a type in
    /// which nothing wraps.
    fn product(&mut self, count: ExpressionId, element: Bytes) -> Bytes {
        let size_type = self.unit.model().size_type();
        let largest = self.largest_size();
        let most = self.most(count).saturating_mul(element.most);
        if most > largest {
            let width = if most >> 64 == 0 { 64 } else { 128 };
            let wide = ScalarType::Integer { signed: false, width };
            let (many, bytes) = (self.convert(count, wide), self.convert(element.value, wide));
            let all = self.binary(BinaryOperator::Multiply, many, bytes);
            let limit = self.constant(wide, largest);
            let is_small = self.binary(BinaryOperator::LessEqual, all, limit);
            self.fail_unless(is_small, TOO_LARGE);
        }
        let count = self.convert(count, size_type);
        let value = self.binary(BinaryOperator::Multiply, count, element.value);
        Bytes { value, most: most.min(largest) }
    }

    /// The largest value that a number can have, if it is not negative.
    fn most(&self, value: ExpressionId) -> u128 {
        match (self.integer(value), self.type_of(value)) {
            (Some(constant), _) => constant.max(0) as u128,
            (None, ScalarType::Integer { signed, width }) => {
                heapwright_program::mask(u32::from(width) - u32::from(signed))
            }
            (None, _) => 1,
        }
    }

    /// Asks that the size of memory on the stack, a `size_t`, be one that an object can have: a
    /// negative number that was converted is not.
    pub(crate) fn check_stack_size(&mut self, size: ExpressionId) {
        let limit = self.largest_size();
        let limit = self.constant(self.unit.model().size_type(), limit);
        let is_small = self.binary(BinaryOperator::LessEqual, size, limit);
        self.fail_unless(is_small, TOO_LARGE);
    }

    /// `PTRDIFF_MAX`
    fn largest_size(&self) -> u128 {
        let bits = 8 * self.unit.model().pointer_size() as u32;
        heapwright_program::mask(bits - 1)
    }

    fn fail_unless(&mut self, condition: ExpressionId, text: &str) {
        if self.integer(condition) == Some(1) {
            return;
        }
        let (good, bad) = (self.new_location(), self.new_location());
        self.emit_unwritten_branch(condition, good, bad);
        self.continue_at(bad);
        self.emit_last(Operation::Fail(Failure::Size { text: text.to_owned() }));
        self.continue_at(good);
    }
}
