//! Expressions as text: infix, with C's precedences and no parentheses that can go.
//!
//! What a constant is printed as depends on the type that its surroundings expect; the rules are
//! those of `parse_expression::Parser::elaborate`, step by step.

use heapwright_base::DenseId;

use crate::expression::{BinaryOperator, Expression, ExpressionId, UnaryOperator};
use crate::program::{FunctionId, ObjectId, Program, VariableId};
use crate::text::names::Names;
use crate::text::{literal, quote};
use crate::types::ScalarType;

/// How tightly unary operators and conversions bind.
pub(super) const UNARY: u8 = 11;
/// How tightly names and numbers bind.
const ATOM: u8 = 12;

/// The symbol of an operator and how tightly it binds.
pub(super) const fn symbol(operator: BinaryOperator) -> (&'static str, u8) {
    match operator {
        BinaryOperator::Multiply => ("*", 10),
        BinaryOperator::Divide => ("/", 10),
        BinaryOperator::Remainder => ("%", 10),
        BinaryOperator::Add | BinaryOperator::OffsetPointer => ("+", 9),
        BinaryOperator::Subtract | BinaryOperator::PointerDifference => ("-", 9),
        BinaryOperator::ShiftLeft => ("<<", 8),
        BinaryOperator::ShiftRight => (">>", 8),
        BinaryOperator::Less => ("<", 7),
        BinaryOperator::LessEqual => ("<=", 7),
        BinaryOperator::Equal => ("==", 6),
        BinaryOperator::NotEqual => ("!=", 6),
        BinaryOperator::BitAnd => ("&", 5),
        BinaryOperator::BitXor => ("^", 4),
        BinaryOperator::BitOr => ("|", 3),
    }
}

/// Prints things of one program as seen from `scope`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Printer<'a> {
    pub program: &'a Program,
    /// Absent where the text is for people only: bare names, constants without types.
    pub names: Option<&'a Names>,
    pub scope: Option<FunctionId>,
}

impl<'a> Printer<'a> {
    pub(super) fn variable(&self, id: VariableId) -> String {
        let Some(variable) = self.program.variables.get(id) else { return format!("#{id}") };
        match self.names {
            Some(names) if names.variable(self.scope, &variable.name) != Some(id) => {
                format!("#{id}")
            }
            Some(_) => quote::name(&variable.name).into_owned(),
            None => variable.name.clone(),
        }
    }

    pub(super) fn object(&self, id: ObjectId) -> String {
        let Some(object) = self.program.objects.get(id) else { return format!("#{id}") };
        match self.names {
            Some(names) if names.object(self.scope, &object.name) != Some(id) => format!("#{id}"),
            Some(_) => quote::name(&object.name).into_owned(),
            None => object.name.clone(),
        }
    }

    /// A function where only a function can stand.
    pub(super) fn function(&self, id: FunctionId) -> String {
        self.function_if(id, |names, name| names.function(name) == Some(id))
    }

    /// A function where an object could stand as well.
    pub(super) fn function_address(&self, id: FunctionId) -> String {
        let scope = self.scope;
        self.function_if(id, |names, name| names.function_address(scope, name) == Some(id))
    }

    fn function_if(&self, id: FunctionId, is_known: impl Fn(&Names, &str) -> bool) -> String {
        let Some(function) = self.program.functions.get(id) else { return format!("#{id}") };
        match self.names {
            Some(names) if !is_known(names, &function.name) => format!("#{id}"),
            Some(_) => quote::name(&function.name).into_owned(),
            None => function.name.clone(),
        }
    }

    /// An expression where a constant of type `expected` needs no suffix.
    pub(super) fn expression(&self, id: ExpressionId, expected: Option<ScalarType>) -> String {
        self.operand(id, expected, 0)
    }

    /// An expression that binds at least as tightly as `minimum`.
    pub(super) fn operand(
        &self,
        id: ExpressionId,
        expected: Option<ScalarType>,
        minimum: u8,
    ) -> String {
        if id.index() >= self.program.expressions.len() {
            return format!("#{id}");
        }
        let (text, binding) = self.node(id, expected);
        if binding < minimum { format!("({text})") } else { text }
    }

    fn node(&self, id: ExpressionId, expected: Option<ScalarType>) -> (String, u8) {
        match self.program.expressions.get(id) {
            Expression::Constant { ty, bits } => {
                let model = self.program.model;
                let text = match self.names {
                    Some(_) => literal::exact(ty, bits, expected, model),
                    None => literal::plain(ty, bits, model),
                };
                (text, ATOM)
            }
            Expression::Variable(variable) => (self.variable(variable), ATOM),
            Expression::ObjectAddress(object) => (format!("&{}", self.object(object)), ATOM),
            Expression::FunctionAddress(function) => {
                (format!("&{}", self.function_address(function)), ATOM)
            }
            Expression::Unary { operator, operand } => {
                (self.unary(operator, operand, expected), UNARY)
            }
            Expression::Binary { operator, left, right } => {
                self.binary(operator, left, right, expected)
            }
            Expression::Convert { operand, ty } => {
                (format!("({ty}) {}", self.operand(operand, None, UNARY)), UNARY)
            }
        }
    }

    fn unary(
        &self,
        operator: UnaryOperator,
        operand: ExpressionId,
        expected: Option<ScalarType>,
    ) -> String {
        let text = self.operand(operand, expected, UNARY);
        let starts_a_number =
            text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        match operator {
            // `-5` is a constant; the negation of 5 needs the parentheses.
            UnaryOperator::Negate if starts_a_number => format!("-({text})"),
            UnaryOperator::Negate => format!("-{text}"),
            UnaryOperator::Complement => format!("~{text}"),
        }
    }

    fn binary(
        &self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
        expected: Option<ScalarType>,
    ) -> (String, u8) {
        let (symbol, binding) = symbol(operator);
        let left_expected = expected.filter(|_| !operator.is_comparison());
        let left_type = self.program.expressions.type_of(left);
        let right_expected = match operator {
            BinaryOperator::OffsetPointer => self.program.model.offset_type(),
            _ => left_type,
        };
        let left = self.operand(left, left_expected, binding);
        let right = self.operand(right, Some(right_expected), binding + 1);
        (format!("{left} {symbol} {right}"), binding)
    }
}
