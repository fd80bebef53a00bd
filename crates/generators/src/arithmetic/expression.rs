//! Random expressions over the variables in scope: pure ones, and ones with side effects.
//! A side effect stands only where a sequence point separates it from everything else that reads
//! or writes: as a whole statement, or under `,` `&&` `||` `?:`.

use super::types::{IntegerType, Range};
use super::value::{Operator, Value};
use crate::program::DataModel;
use crate::random::Random;

/// Something that can be read, and written unless it is `fixed`.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) text: String,
    /// The type when read; a bit-field reads as its promoted type.
    pub(crate) ty: IntegerType,
    pub(crate) range: Range,
    pub(crate) is_fixed: bool,
}

impl Place {
    /// A variable of its type's full range.
    pub(crate) fn variable(text: String, ty: IntegerType, model: DataModel) -> Place {
        Place { text, ty, range: ty.range(model), is_fixed: false }
    }

    fn value(&self) -> Value {
        Value { text: self.text.clone(), ty: self.ty, range: self.range }
    }
}

/// An array whose length is a power of two, so that a mask makes any index valid.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    pub(crate) name: String,
    pub(crate) ty: IntegerType,
    pub(crate) length: usize,
    pub(crate) is_fixed: bool,
}

/// A function without side effects.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) parameters: Vec<IntegerType>,
    pub(crate) result: IntegerType,
}

/// What expressions may name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub(crate) places: Vec<Place>,
    pub(crate) arrays: Vec<Array>,
    pub(crate) functions: Vec<Function>,
}

/// Writes expressions.
#[derive(Debug)]
pub(crate) struct Writer<'r> {
    pub(crate) random: &'r mut Random,
    pub(crate) model: DataModel,
    pub(crate) scope: Scope,
}

/// Longer operands are not repeated in guards.
const SHORT: usize = 30;

impl Writer<'_> {
    /// An expression without side effects.
    pub(crate) fn pure(&mut self, depth: usize) -> Value {
        if depth == 0 {
            return self.leaf();
        }
        match self.random.below(20) {
            0..2 => self.leaf(),
            2..10 => self.binary(depth),
            10..12 => self.unary(depth),
            12..14 => self.comparison(depth),
            14 => self.logical(depth),
            15 => self.conditional(depth),
            16 => {
                let (left, right) = (self.pure(depth - 1), self.pure(depth - 1));
                Value { text: format!("({}, {})", left.text, right.text), ..right }
            }
            17 => self.guarded_division(depth),
            18 => self.call(depth),
            _ => self.element(depth),
        }
    }

    fn leaf(&mut self) -> Value {
        if self.scope.places.is_empty() || self.random.percent(30) {
            self.constant()
        } else {
            self.random.pick(&self.scope.places).value()
        }
    }

    /// A constant, often at the edge of its type.
    pub(crate) fn constant(&mut self) -> Value {
        let ty = self.random.pick(&IntegerType::ALL);
        let all = ty.range(self.model);
        let value = match self.random.below(8) {
            0 => all.low,
            1 => all.high,
            2 => all.high - 1,
            3 => i128::from(self.random.bits()),
            4 => -1,
            _ => i128::try_from(self.random.below(300)).expect("small"),
        };
        Value::constant(value.clamp(all.low, all.high), ty, self.model)
    }

    fn binary(&mut self, depth: usize) -> Value {
        let operator = self.random.pick(&Operator::ALL);
        let (left, right) = (self.pure(depth - 1), self.pure(depth - 1));
        left.combined(operator, &right, self.model)
    }

    fn unary(&mut self, depth: usize) -> Value {
        let operand = self.pure(depth - 1);
        match self.random.below(6) {
            0 => operand.negated(self.model),
            1 => operand.complemented(self.model),
            2 => Value::truth(format!("(!{})", operand.text)),
            3 => {
                Value { text: format!("(+{})", operand.text), ty: operand.ty.promoted(), ..operand }
            }
            _ => {
                let ty = self.random.pick(&IntegerType::ALL);
                operand.cast(ty, self.model)
            }
        }
    }

    fn comparison(&mut self, depth: usize) -> Value {
        let symbol = self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
        let (left, right) = (self.pure(depth - 1), self.pure(depth - 1));
        Value::truth(format!("({} {symbol} {})", left.text, right.text))
    }

    fn logical(&mut self, depth: usize) -> Value {
        let symbol = self.random.pick(&["&&", "||"]);
        let (left, right) = (self.pure(depth - 1), self.pure(depth - 1));
        Value::truth(format!("({} {symbol} {})", left.text, right.text))
    }

    fn conditional(&mut self, depth: usize) -> Value {
        let condition = self.pure(depth - 1);
        let (yes, no) = (self.pure(depth - 1), self.pure(depth - 1));
        self.choice(&condition.text, &yes, &no)
    }

    fn choice(&self, condition: &str, yes: &Value, no: &Value) -> Value {
        let ty = yes.ty.common(no.ty, self.model);
        let range = yes.range.converted(ty, self.model).union(no.range.converted(ty, self.model));
        Value { text: format!("({condition} ? {} : {})", yes.text, no.text), ty, range }
    }

    /// `r == 0 || r == -1 ? l : l / r`, with the real divisor behind a test.
    fn guarded_division(&mut self, depth: usize) -> Value {
        let (left, right) = (self.pure(depth - 1), self.pure(depth - 1));
        let operator = self.random.pick(&[Operator::Divide, Operator::Remainder]);
        if right.text.len() > SHORT || left.text.len() > SHORT {
            return left.combined(operator, &right, self.model);
        }
        let ty = left.ty.common(right.ty, self.model);
        // The test is made in the type of the division, where -1 may have become large.
        let divisor = right.cast(ty, self.model).text;
        let condition = format!("({divisor} == 0 || {divisor} == ({})-1)", ty.name());
        let text = format!("({} {} {})", left.text, operator.symbol(), right.text);
        let quotient = Value { text, ty, range: ty.range(self.model) };
        self.choice(&condition, &left, &quotient)
    }

    fn call(&mut self, depth: usize) -> Value {
        if self.scope.functions.is_empty() {
            return self.unary(depth);
        }
        let function = self.random.pick(&self.scope.functions);
        // Arguments are passed as they are: the conversion to the parameter is part of the test.
        let arguments: Vec<String> =
            function.parameters.iter().map(|_| self.pure(depth - 1).text).collect();
        let text = format!("{}({})", function.name, arguments.join(", "));
        Value { text, ty: function.result, range: function.result.range(self.model) }
    }

    fn element(&mut self, depth: usize) -> Value {
        if self.scope.arrays.is_empty() {
            return self.binary(depth);
        }
        let array = self.random.pick(&self.scope.arrays);
        let text = self.element_text(&array, depth - 1);
        Value { text, ty: array.ty, range: array.ty.range(self.model) }
    }

    fn element_text(&mut self, array: &Array, depth: usize) -> String {
        let index = self.index(array, depth);
        let name = &array.name;
        match self.random.below(4) {
            0 => format!("(*({name} + {index}))"),
            1 => format!("({index})[{name}]"),
            _ => format!("{name}[{index}]"),
        }
    }

    /// An index within `array`.
    pub(crate) fn index(&mut self, array: &Array, depth: usize) -> String {
        let index = self.pure(depth);
        format!("({} & {})", index.text, array.length - 1)
    }

    /// Something that may be written, with no side effect in finding it.
    pub(crate) fn target(&mut self) -> Option<Place> {
        let arrays: Vec<Array> =
            self.scope.arrays.iter().filter(|array| !array.is_fixed).cloned().collect();
        if !arrays.is_empty() && self.random.percent(25) {
            let array = self.random.pick(&arrays);
            let text = self.element_text(&array, 1);
            return Some(Place::variable(text, array.ty, self.model));
        }
        let free: Vec<&Place> = self.scope.places.iter().filter(|place| !place.is_fixed).collect();
        (!free.is_empty()).then(|| (self.random.pick(&free)).clone())
    }

    /// An expression with side effects, all of them in a defined order.
    pub(crate) fn effect(&mut self, depth: usize) -> Value {
        let Some(place) = self.target() else { return self.pure(depth) };
        if depth == 0 {
            return self.increment(&place);
        }
        match self.random.below(9) {
            0 => self.increment(&place),
            1..3 => self.assignment(&place, depth),
            3..5 => self.compound(&place, depth),
            5 => {
                let (first, second) = (self.effect(depth - 1), self.effect(depth - 1));
                Value { text: format!("({}, {})", first.text, second.text), ..second }
            }
            6 => {
                let symbol = self.random.pick(&["&&", "||"]);
                let (left, right) = (self.effect(depth - 1), self.effect(depth - 1));
                Value::truth(format!("({} {symbol} {})", left.text, right.text))
            }
            7 => {
                let condition = self.effect(depth - 1);
                let (yes, no) = (self.effect(depth - 1), self.effect(depth - 1));
                self.choice(&condition.text, &yes, &no)
            }
            _ => {
                let operator = self.random.pick(&Operator::ALL);
                let (left, right) = (self.effect(depth - 1), self.constant());
                left.combined(operator, &right, self.model)
            }
        }
    }

    fn assignment(&mut self, place: &Place, depth: usize) -> Value {
        let value = self.pure(depth);
        Value { text: format!("({} = {})", place.text, value.text), ..place.value() }
    }

    fn compound(&mut self, place: &Place, depth: usize) -> Value {
        let operator = self.random.pick(&Operator::ALL);
        let value = self.pure(depth - 1);
        let text = match place.value().as_it_is(operator, &value, self.model) {
            Some(_) => format!("({} {}= {})", place.text, operator.symbol(), value.text),
            None => {
                let result = place.value().combined(operator, &value, self.model);
                format!("({} = {})", place.text, result.text)
            }
        };
        Value { text, ..place.value() }
    }

    fn increment(&mut self, place: &Place) -> Value {
        let (symbol, edge) = self.random.pick(&[("++", place.range.high), ("--", place.range.low)]);
        let text = &place.text;
        let step = if self.random.percent(50) {
            format!("{text}{symbol}")
        } else {
            format!("{symbol}{text}")
        };
        let promoted = place.ty.promoted();
        let next = Range { low: place.range.low - 1, high: place.range.high + 1 };
        let is_safe = !promoted.is_signed() || promoted.range(self.model).includes(next);
        let text = if is_safe {
            format!("({step})")
        } else {
            let edge = Value::constant(edge, place.ty.promoted(), self.model);
            format!("({text} != {} ? {step} : {text})", edge.text)
        };
        Value { text, ..place.value() }
    }
}
