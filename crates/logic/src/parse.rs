//! Terms read back from their text, in the syntax of [`crate::display`].
//!
//! First the text becomes a tree; then widths go up from names and down to numbers, and the term is
//! made. A level of the text has one operator, or a chain of `&&`; all else is in parentheses.

mod build;

use std::fmt;

use crate::arena::Terms;
use crate::syntax::{Infix, SIGNS, Syntax};
use crate::term::{Sort, TermId};

/// Why a text is no term, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TermSyntaxError {
    /// Bytes before the place; the whole length where the term as a whole is wrong.
    pub position: usize,
    pub message: String,
}

impl fmt::Display for TermSyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.position + 1, self.message)
    }
}

impl std::error::Error for TermSyntaxError {}

impl Terms {
    /// The term of a text, of the given sort. `names` knows the variables.
    pub fn parse(
        &mut self,
        text: &str,
        sort: Sort,
        names: &mut dyn FnMut(&mut Terms, &str) -> Option<TermId>,
    ) -> Result<TermId, TermSyntaxError> {
        let mut reader = Reader { terms: self, names, text, position: 0 };
        let tree = reader.expression()?;
        reader.blanks();
        if reader.position < text.len() {
            return Err(reader.error("the term ends before this"));
        }
        build::build(self, &tree, Some(sort))
            .map_err(|message| TermSyntaxError { position: text.len(), message })
    }
}

struct Reader<'a> {
    terms: &'a mut Terms,
    names: &'a mut dyn FnMut(&mut Terms, &str) -> Option<TermId>,
    text: &'a str,
    position: usize,
}

type Read = Result<Syntax, TermSyntaxError>;

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.position..]
    }

    fn error(&self, message: impl Into<String>) -> TermSyntaxError {
        TermSyntaxError { position: self.position, message: message.into() }
    }

    fn blanks(&mut self) {
        self.position += self.rest().len() - self.rest().trim_start().len();
    }

    fn takes(&mut self, sign: &str) -> bool {
        let takes = self.rest().starts_with(sign);
        if takes {
            self.position += sign.len();
        }
        takes
    }

    fn expect(&mut self, sign: &str) -> Result<(), TermSyntaxError> {
        self.blanks();
        if self.takes(sign) { Ok(()) } else { Err(self.error(format!("`{sign}` is missing"))) }
    }

    fn expression(&mut self) -> Read {
        let mut left = self.operand()?;
        loop {
            self.blanks();
            if self.takes("?") {
                let then = self.operand()?;
                self.expect(":")?;
                let otherwise = self.operand()?;
                return Ok(Syntax::Choice(Box::new(left), Box::new(then), Box::new(otherwise)));
            }
            let Some((sign, infix)) =
                SIGNS.into_iter().find(|(sign, _)| self.rest().starts_with(sign))
            else {
                return Ok(left);
            };
            self.position += sign.len();
            let right = self.operand()?;
            left = Syntax::Infix(infix, Box::new(left), Box::new(right));
            self.blanks();
            if infix != Infix::And || !self.rest().starts_with("&&") {
                return Ok(left);
            }
        }
    }

    /// An atom with the slices and elements that are taken of it.
    fn operand(&mut self) -> Read {
        let mut operand = self.atom()?;
        while self.takes("[") {
            operand = match self.slice() {
                Some((high, low)) => Syntax::Extract { of: Box::new(operand), high, low },
                None => {
                    let index = self.expression()?;
                    self.expect("]")?;
                    Syntax::Select(Box::new(operand), Box::new(index))
                }
            };
        }
        Ok(operand)
    }

    /// `high:low]`, after the bracket.
    fn slice(&mut self) -> Option<(u32, u32)> {
        let (inside, _) = self.rest().split_once(']')?;
        let (high, low) = inside.split_once(':')?;
        let bits = (high.parse().ok()?, low.parse().ok()?);
        self.position += inside.len() + 1;
        Some(bits)
    }

    fn atom(&mut self) -> Read {
        self.blanks();
        let mut characters = self.rest().chars();
        let (first, second) = (characters.next(), characters.next());
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        match first {
            Some('(') => {
                self.position += 1;
                let inside = self.expression()?;
                self.expect(")")?;
                Ok(inside)
            }
            Some('-') if is_digit(second) => {
                self.position += 1;
                self.number(true)
            }
            Some(c) if c.is_ascii_digit() => self.number(false),
            Some(sign @ ('-' | '!' | '~')) => {
                self.position += 1;
                let of = Box::new(self.operand()?);
                Ok(match sign {
                    '-' => Syntax::Negate(of),
                    '!' => Syntax::Not(of),
                    _ => Syntax::Complement(of),
                })
            }
            _ => self.word(),
        }
    }

    fn number(&mut self, is_negative: bool) -> Read {
        let digits = self.digits();
        let magnitude: u128 =
            digits.parse().map_err(|_| self.error("a number has at most 128 bits"))?;
        let bits = if is_negative { magnitude.wrapping_neg() } else { magnitude };
        let width = if self.takes("u") {
            let digits = self.digits();
            let width = digits.parse().ok().filter(|width| (1..=128).contains(width));
            Some(width.ok_or_else(|| self.error("a width of 1 to 128 bits is missing"))?)
        } else {
            None
        };
        Ok(Syntax::Number { bits, width })
    }

    fn digits(&mut self) -> String {
        let length = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let digits = self.rest()[..length].to_owned();
        self.position += length;
        digits
    }

    /// A name, a truth value or a function with its arguments.
    fn word(&mut self) -> Read {
        let is_address = self.rest().starts_with('&');
        let length = self.rest()[usize::from(is_address)..]
            .find(|c: char| !(c.is_alphanumeric() || "_.!$'".contains(c)))
            .unwrap_or(self.rest().len() - usize::from(is_address));
        if length == 0 {
            return Err(self.error("a number, a name or `(` is missing"));
        }
        let word = self.rest()[..length + usize::from(is_address)].to_owned();
        let start = self.position;
        self.position += word.len();
        match word.as_str() {
            "true" => return Ok(Syntax::Truth(true)),
            "false" => return Ok(Syntax::Truth(false)),
            _ => {}
        }
        if let Some(function) = self.function(&word) {
            return function;
        }
        let Some(variable) = (self.names)(self.terms, &word) else {
            self.position = start;
            return Err(self.error(format!("`{word}` is not known")));
        };
        Ok(Syntax::Name(variable))
    }

    fn function(&mut self, word: &str) -> Option<Read> {
        if word.starts_with("overflows_") && self.rest().starts_with("*(") {
            self.position += 1;
        } else if !self.rest().starts_with('(') {
            return None;
        }
        Some(self.call(word))
    }

    fn call(&mut self, word: &str) -> Read {
        let start = self.position;
        self.expect("(")?;
        let mut arguments = vec![self.expression()?];
        self.blanks();
        while self.takes(",") {
            arguments.push(self.expression()?);
            self.blanks();
        }
        self.expect(")")?;
        call(word, arguments).ok_or_else(|| TermSyntaxError {
            position: start,
            message: format!("there is no function `{word}` of so many arguments"),
        })
    }
}

fn call(word: &str, arguments: Vec<Syntax>) -> Option<Syntax> {
    let width_after = |prefix: &str| word.strip_prefix(prefix)?.parse::<u32>().ok();
    let mut arguments = arguments.into_iter().map(Box::new);
    let first = arguments.next()?;
    match (word, arguments.next(), arguments.next(), arguments.next()) {
        (_, None, ..) => {
            if let Some(width) = width_after("zext") {
                return Some(Syntax::Extend { of: first, is_signed: false, width });
            }
            if let Some(width) = width_after("sext") {
                return Some(Syntax::Extend { of: first, is_signed: true, width });
            }
            let index = width_after("everywhere")?;
            Some(Syntax::Everywhere { element: first, index })
        }
        ("overflows_u" | "overflows_s", Some(right), None, None) => {
            let is_signed = word == "overflows_s";
            Some(Syntax::ProductOverflows { is_signed, left: first, right })
        }
        ("store", Some(index), Some(element), None) => Some(Syntax::Store(first, index, element)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
