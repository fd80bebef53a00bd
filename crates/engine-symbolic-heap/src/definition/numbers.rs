//! Numbers in the cases of a file: what their names mean, and what is said of them.
//!
//! A parameter with the type of a number is one; a name in a field of numbers, or in the place of such a parameter, is a
//! number of the case. Sums and comparisons are those of C, but all sides must have one type's width, and either all have
//! a sign or none has.

use heapwright_program::{DataModel, ScalarType};

use crate::definition::Value;
use crate::definition::file::{DefinitionError, SumText, Word};
use crate::definition::law::{Comparison, Law, Sign, Sum, Summand};

pub(super) type Resolved<T> = Result<T, DefinitionError>;

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NumberType {
    pub(super) bytes: u64,
    pub(super) sign: Sign,
}

impl NumberType {
    /// That of a field, if it holds a number.
    pub(super) fn of_scalar(scalar: ScalarType, model: DataModel) -> Option<NumberType> {
        let bytes = scalar.size(model);
        match scalar {
            ScalarType::Bool => Some(NumberType { bytes, sign: Sign::Unsigned }),
            ScalarType::Integer { signed: true, .. } => {
                Some(NumberType { bytes, sign: Sign::Signed })
            }
            ScalarType::Integer { signed: false, .. } => {
                Some(NumberType { bytes, sign: Sign::Unsigned })
            }
            ScalarType::Float(_) | ScalarType::Pointer => None,
        }
    }

    /// That of some words of C.
    pub(super) fn of_words(words: &[Word], model: DataModel) -> Resolved<NumberType> {
        let text: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let pointer = model.pointer_size();
        let (bytes, sign) = match text.as_slice() {
            ["char"] | ["signed", "char"] => (1, Sign::Signed),
            ["unsigned", "char"] | ["_Bool"] => (1, Sign::Unsigned),
            ["short"] => (2, Sign::Signed),
            ["unsigned", "short"] => (2, Sign::Unsigned),
            ["int"] => (4, Sign::Signed),
            ["unsigned"] | ["unsigned", "int"] => (4, Sign::Unsigned),
            ["long"] => (pointer, Sign::Signed),
            ["unsigned", "long"] | ["size_t"] => (pointer, Sign::Unsigned),
            ["long", "long"] => (8, Sign::Signed),
            ["unsigned", "long", "long"] => (8, Sign::Unsigned),
            _ => {
                let message = "a parameter is a `pointer` or a number: `int`, `unsigned`, `long`, \
                               `size_t`, `unsigned char` and so on";
                return Err(words[0].error(message));
            }
        };
        Ok(NumberType { bytes, sign })
    }
}

/// The names of a case.
#[derive(Debug, Default)]
pub(super) struct Scope<'t> {
    /// A type for those that are numbers.
    pub(super) parameters: Vec<(&'t str, Option<NumberType>)>,
    pub(super) links: Vec<&'t str>,
    /// Numbers of the case. Those without a name stand for a sum.
    pub(super) variables: Vec<(Option<&'t str>, NumberType)>,
    pub(super) laws: Vec<Law>,
}

impl<'t> Scope<'t> {
    /// What a word is; none for `_`.
    pub(super) fn value(&self, word: &Word) -> Resolved<Option<Value>> {
        let name = word.text.as_str();
        match name {
            "_" => return Ok(None),
            "this" => return Ok(Some(Value::This)),
            "null" => return Ok(Some(Value::Null)),
            _ => {}
        }
        let parameter = self.parameters.iter().position(|(known, _)| *known == name);
        let link = self.links.iter().position(|known| *known == name);
        let variable = self.variables.iter().position(|(known, _)| *known == Some(name));
        let found = parameter.map(Value::Parameter).or(link.map(Value::Link));
        let found = found.or(variable.map(Value::Variable));
        let found = found.or_else(|| name.parse().ok().map(Value::Number));
        found.map(Some).ok_or_else(|| {
            let message = "is neither a parameter, nor where an instance begins, nor a number that \
                           a field holds";
            word.error(format!("`{name}` {message}; `_` is anything"))
        })
    }

    /// The type of a value that is a parameter or a number of the case.
    pub(super) fn type_of(&self, value: Value) -> Option<NumberType> {
        match value {
            Value::Parameter(index) => self.parameters[index].1,
            Value::Variable(index) => Some(self.variables[index].1),
            Value::Null | Value::This | Value::Link(_) | Value::Number(_) => None,
        }
    }

    /// Makes a word a number of the case if it has no meaning yet.
    pub(super) fn declare(&mut self, word: &'t Word, number: NumberType) {
        let is_name = !word.text.starts_with(|c: char| c.is_ascii_digit());
        if is_name && self.value(word).is_err() {
            self.variables.push((Some(&word.text), number));
        }
    }

    /// What is passed on in the place of a number.
    pub(super) fn argument(&mut self, text: &SumText, number: NumberType) -> Resolved<Value> {
        let sum = self.sum(text, &mut Some(number))?;
        match sum.only() {
            Some(value @ (Value::Parameter(_) | Value::Variable(_))) => Ok(value),
            Some(_) | None => {
                self.variables.push((None, number));
                let variable = Value::Variable(self.variables.len() - 1);
                let comparison = Comparison::Equal;
                self.laws.push(Law { left: Sum::of(variable), comparison, right: sum });
                Ok(variable)
            }
        }
    }

    pub(super) fn law(
        &mut self,
        (left, comparison, right): (&SumText, &Word, &SumText),
    ) -> Resolved<()> {
        let mut number = None;
        // Twice, since constants have the type of what stands beside them.
        self.sum(left, &mut number)?;
        let right = self.sum(right, &mut number)?;
        let left = self.sum(left, &mut number)?;
        let Some(NumberType { sign, .. }) = number else {
            return Err(comparison.error("one side has to have a parameter or a number of a field"));
        };
        let (left, comparison, right) = match comparison.text.as_str() {
            "==" => (left, Comparison::Equal, right),
            "!=" => (left, Comparison::Different, right),
            "<" => (left, Comparison::Less(sign), right),
            "<=" => (left, Comparison::AtMost(sign), right),
            ">" => (right, Comparison::Less(sign), left),
            ">=" => (right, Comparison::AtMost(sign), left),
            sign => unreachable!("the reader lets no {sign} through"),
        };
        self.laws.push(Law { left, comparison, right });
        Ok(())
    }

    /// A sum of numbers of one type, which is told if it was not known.
    fn sum(&self, text: &SumText, number: &mut Option<NumberType>) -> Resolved<Sum> {
        let mut sum = Sum::default();
        let first = (false, &text.first);
        let rest = text.rest.iter().map(|(sign, word)| (sign.text == "-", word));
        for (is_taken_off, word) in std::iter::once(first).chain(rest) {
            let message = "a number is expected here";
            let value = self.value(word)?.ok_or_else(|| word.error(message))?;
            match (value, self.type_of(value)) {
                (Value::Number(constant), _) => fits(word, constant, *number)?,
                (_, None) => return Err(word.error(message)),
                (_, Some(own)) => {
                    let known = number.get_or_insert(own);
                    if known.bytes != own.bytes {
                        return Err(word.error("numbers of different widths are compared"));
                    }
                    if known.sign != own.sign {
                        let message = "a number with a sign is compared with one without";
                        return Err(word.error(message));
                    }
                }
            }
            sum.summands.push(Summand { is_taken_off, value });
        }
        Ok(sum)
    }
}

/// Whether a constant is no wider than its type.
fn fits(word: &Word, constant: u128, number: Option<NumberType>) -> Resolved<()> {
    match number {
        Some(number) if number.bytes < 16 && constant >> (8 * number.bytes) != 0 => {
            Err(word.error("the type of what stands beside it is too narrow for this number"))
        }
        Some(_) | None => Ok(()),
    }
}
