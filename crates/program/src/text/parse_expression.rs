//! Reading expressions: first their shape, then, from the outside in, their types.
//!
//! A constant gets its type from its suffix or from its surroundings, and what `+` and `-` mean
//! depends on whether the left operand is a pointer; so the shape must be known first.

use heapwright_base::DenseId;

use crate::expression::{BinaryOperator, ExpressionId, UnaryOperator};
use crate::program::{AddressTarget, FunctionId, ObjectId, VariableId};
use crate::text::cursor::{Cursor, Parsed};
use crate::text::expression::symbol;
use crate::text::literal::Number;
use crate::text::parse::Parser;
use crate::text::types::scalar_named;
use crate::types::ScalarType;

/// Deeper nesting than any program has; keeps absurd texts from overflowing the stack.
const DEPTH_LIMIT: usize = 400;

/// Longer symbols before their beginnings.
const OPERATORS: [BinaryOperator; 14] = [
    BinaryOperator::ShiftLeft,
    BinaryOperator::ShiftRight,
    BinaryOperator::LessEqual,
    BinaryOperator::Less,
    BinaryOperator::Equal,
    BinaryOperator::NotEqual,
    BinaryOperator::Multiply,
    BinaryOperator::Divide,
    BinaryOperator::Remainder,
    BinaryOperator::Add,
    BinaryOperator::Subtract,
    BinaryOperator::BitAnd,
    BinaryOperator::BitXor,
    BinaryOperator::BitOr,
];

/// An expression whose constants have no types yet.
enum Shape<'a> {
    Number(Number, Cursor<'a>),
    Bool(bool),
    Null,
    Variable(VariableId),
    Address(AddressTarget),
    Unary(UnaryOperator, Box<Shape<'a>>),
    Binary(BinaryOperator, Box<Shape<'a>>, Box<Shape<'a>>),
    Convert(ScalarType, Box<Shape<'a>>),
}

impl<'a> Parser<'a> {
    pub(super) fn read_expression(&mut self, expected: Option<ScalarType>) -> Parsed<ExpressionId> {
        let shape = self.read_shape(0)?;
        self.elaborate(shape, expected)
    }

    /// Operators that bind at least as tightly as `minimum`; all group to the left.
    fn read_shape(&mut self, minimum: u8) -> Parsed<Shape<'a>> {
        let mut left = self.read_unary()?;
        while let Some((operator, binding)) = self.read_operator(minimum) {
            let right = self.read_shape(binding + 1)?;
            left = Shape::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn read_operator(&mut self, minimum: u8) -> Option<(BinaryOperator, u8)> {
        self.cursor.skip_blanks();
        let next = self.cursor.rest();
        let operator = OPERATORS.into_iter().find(|it| next.starts_with(symbol(*it).0))?;
        let (text, binding) = symbol(operator);
        (binding >= minimum && self.cursor.eat(text)).then_some((operator, binding))
    }

    fn read_unary(&mut self) -> Parsed<Shape<'a>> {
        self.cursor.skip_blanks();
        self.nest()?;
        let next = self.cursor.rest().as_bytes();
        let shape = match next {
            [b'-', b'0'..=b'9', ..] | [b'0'..=b'9', ..] => self.read_number()?,
            [b'-', ..] => {
                self.cursor.bump();
                Shape::Unary(UnaryOperator::Negate, Box::new(self.read_unary()?))
            }
            [b'~', ..] => {
                self.cursor.bump();
                Shape::Unary(UnaryOperator::Complement, Box::new(self.read_unary()?))
            }
            [b'(', ..] => self.read_parenthesis()?,
            [b'&', ..] => {
                self.cursor.bump();
                Shape::Address(self.read_address_target()?)
            }
            _ => self.read_word()?,
        };
        self.depth -= 1;
        Ok(shape)
    }

    pub(super) fn nest(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err(self.cursor.error("less nesting"));
        }
        Ok(())
    }

    /// `(i64) x` or `(x + y)`.
    fn read_parenthesis(&mut self) -> Parsed<Shape<'a>> {
        self.cursor.expect("(")?;
        let word = self.cursor.peek_word();
        if let Some(scalar) = scalar_named(word) {
            self.cursor.eat_word(word);
            self.cursor.expect(")")?;
            return Ok(Shape::Convert(scalar, Box::new(self.read_unary()?)));
        }
        let inside = self.read_shape(0)?;
        self.cursor.expect(")")?;
        Ok(inside)
    }

    fn read_word(&mut self) -> Parsed<Shape<'a>> {
        if self.cursor.eat_word("true") {
            Ok(Shape::Bool(true))
        } else if self.cursor.eat_word("false") {
            Ok(Shape::Bool(false))
        } else if self.cursor.eat_word("null") {
            Ok(Shape::Null)
        } else if matches!(self.cursor.peek(), Some('`' | '#'))
            || !self.cursor.peek_word().is_empty()
        {
            Ok(Shape::Variable(self.read_variable()?))
        } else {
            Err(self.cursor.error("an expression"))
        }
    }

    /// `-5`, `2.5e3f32`, `0x10_ptr`
    fn read_number(&mut self) -> Parsed<Shape<'a>> {
        let start = self.cursor;
        let is_negative = self.cursor.eat("-");
        let is_hexadecimal = self.cursor.eat("0x");
        let digits = if is_hexadecimal {
            self.cursor.take_while(|letter| letter.is_ascii_hexdigit()).to_owned()
        } else {
            self.read_decimal()
        };
        let has_suffix = !is_hexadecimal || self.cursor.rest().starts_with('_');
        if is_hexadecimal && has_suffix {
            self.cursor.bump();
        }
        let word = self.cursor.take_while(|letter| letter.is_ascii_alphanumeric());
        let suffix = match word {
            "" => None,
            _ => Some(scalar_named(word).ok_or_else(|| start.error("a number and its type"))?),
        };
        Ok(Shape::Number(Number { is_negative, is_hexadecimal, digits, suffix }, start))
    }

    /// Digits, a fraction and an exponent.
    fn read_decimal(&mut self) -> String {
        let is_digit = |letter: char| letter.is_ascii_digit();
        let mut digits = self.cursor.take_while(is_digit).to_owned();
        if let [b'.', b'0'..=b'9', ..] = self.cursor.rest().as_bytes() {
            self.cursor.bump();
            digits.push('.');
            digits.push_str(self.cursor.take_while(is_digit));
        }
        if let [b'e', b'-' | b'0'..=b'9', ..] = self.cursor.rest().as_bytes() {
            self.cursor.bump();
            digits.push('e');
            if self.cursor.eat("-") {
                digits.push('-');
            }
            digits.push_str(self.cursor.take_while(is_digit));
        }
        digits
    }

    fn elaborate(
        &mut self,
        shape: Shape<'a>,
        expected: Option<ScalarType>,
    ) -> Parsed<ExpressionId> {
        let model = self.program.model;
        match shape {
            Shape::Number(number, start) => {
                let ty = number.ty(expected);
                let bits = number.bits(ty, model);
                let bits = bits.ok_or_else(|| start.error(&format!("a number of type {ty}")))?;
                Ok(self.program.expressions.constant(ty, bits, model))
            }
            Shape::Bool(value) => {
                Ok(self.program.expressions.constant(ScalarType::Bool, value.into(), model))
            }
            Shape::Null => Ok(self.program.expressions.constant(ScalarType::Pointer, 0, model)),
            Shape::Variable(variable) => {
                let scalar = self.program.variables[variable].scalar;
                Ok(self.program.expressions.variable(variable, scalar))
            }
            Shape::Address(AddressTarget::Object(object)) => {
                Ok(self.program.expressions.object_address(object))
            }
            Shape::Address(AddressTarget::Function(function)) => {
                Ok(self.program.expressions.function_address(function))
            }
            Shape::Unary(operator, operand) => {
                let operand = self.elaborate(*operand, expected)?;
                Ok(self.program.expressions.unary(operator, operand))
            }
            Shape::Convert(ty, operand) => {
                let operand = self.elaborate(*operand, None)?;
                Ok(self.program.expressions.convert(operand, ty))
            }
            Shape::Binary(operator, left, right) => {
                self.elaborate_binary(operator, *left, *right, expected)
            }
        }
    }

    fn elaborate_binary(
        &mut self,
        operator: BinaryOperator,
        left: Shape<'a>,
        right: Shape<'a>,
        expected: Option<ScalarType>,
    ) -> Parsed<ExpressionId> {
        let model = self.program.model;
        let left = self.elaborate(left, expected.filter(|_| !operator.is_comparison()))?;
        let left_type = self.program.expressions.type_of(left);
        let (operator, right_expected) = match operator {
            BinaryOperator::Add if left_type.is_pointer() => {
                (BinaryOperator::OffsetPointer, model.offset_type())
            }
            BinaryOperator::Subtract if left_type.is_pointer() => {
                (BinaryOperator::PointerDifference, left_type)
            }
            operator => (operator, left_type),
        };
        let right = self.elaborate(right, Some(right_expected))?;
        Ok(self.program.expressions.binary(operator, left, right, model))
    }

    /// `x` or `#v7`.
    pub(super) fn read_variable(&mut self) -> Parsed<VariableId> {
        self.cursor.skip_blanks();
        let start = self.cursor;
        let id = if self.cursor.eat("#v") {
            self.read_id(self.program.variables.len())?
        } else {
            let name = self.cursor.name("the name of a variable")?;
            self.names.variable(self.scope, &name)
        };
        id.ok_or_else(|| start.error("a variable that is declared"))
    }

    /// `x` or `#o7`.
    pub(super) fn read_object(&mut self) -> Parsed<ObjectId> {
        self.cursor.skip_blanks();
        let start = self.cursor;
        let id = if self.cursor.eat("#o") {
            self.read_id(self.program.objects.len())?
        } else {
            let name = self.cursor.name("the name of an object")?;
            self.names.object(self.scope, &name)
        };
        id.ok_or_else(|| start.error("an object that is declared"))
    }

    /// `f` or `#f7`.
    pub(super) fn read_function_name(&mut self) -> Parsed<FunctionId> {
        self.cursor.skip_blanks();
        let start = self.cursor;
        let id = if self.cursor.eat("#f") {
            self.read_id(self.program.functions.len())?
        } else {
            let name = self.cursor.name("the name of a function")?;
            self.names.function(&name)
        };
        id.ok_or_else(|| start.error("a function that is declared"))
    }

    /// What stands after `&`: an object or else a function.
    pub(super) fn read_address_target(&mut self) -> Parsed<AddressTarget> {
        self.cursor.skip_blanks();
        let start = self.cursor;
        if self.cursor.rest().starts_with("#f") {
            return self.read_function_name().map(AddressTarget::Function);
        }
        if self.cursor.rest().starts_with("#o") {
            return self.read_object().map(AddressTarget::Object);
        }
        let name = self.cursor.name("the name of an object or a function")?;
        let object = self.names.object(self.scope, &name).map(AddressTarget::Object);
        let function = self.names.function_address(self.scope, &name).map(AddressTarget::Function);
        let target = object.or(function);
        target.ok_or_else(|| start.error("an object or a function that is declared"))
    }

    fn read_id<I: DenseId>(&mut self, count: usize) -> Parsed<Option<I>> {
        let index: u32 = self.cursor.number("an id")?;
        let index = index as usize;
        Ok((index < count).then(|| I::from_index(index)))
    }

    /// Passes a name or an id whose meaning is looked up later.
    pub(super) fn skip_reference(&mut self, what: &str) -> Parsed<()> {
        if self.cursor.eat("#") {
            self.cursor.take_while(|letter| letter.is_ascii_alphanumeric());
            return Ok(());
        }
        self.cursor.name(what).map(|_| ())
    }
}
