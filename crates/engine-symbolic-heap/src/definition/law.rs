//! Laws: what a case of a predicate says of its numbers.
//!
//! A law compares two sums of parameters, of numbers that the case names, and of constants. All have one width, and sums
//! wrap as those of C do without a sign. `p1 == v1 + 1`, `p1 <=s v1`: `s` and `u` say whether the numbers have signs.

use std::fmt;

use heapwright_logic::{TermId, Terms};

use crate::definition::Value;

/// `left comparison right`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Law {
    pub(crate) left: Sum,
    pub(crate) comparison: Comparison,
    pub(crate) right: Sum,
}

/// Numbers that are added up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) summands: Vec<Summand>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Summand {
    pub(crate) is_taken_off: bool,
    /// A parameter, a number of the case, or a constant.
    pub(crate) value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    Different,
    Less(Sign),
    AtMost(Sign),
}

/// Whether numbers have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Signed,
    Unsigned,
}

impl Law {
    /// All values that are compared.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let summands = self.left.summands.iter().chain(&self.right.summands);
        summands.map(|summand| summand.value)
    }

    /// The law with a term for each value; nothing if one has none.
    pub(crate) fn formula(
        &self,
        terms: &mut Terms,
        value: &dyn Fn(Value) -> Option<TermId>,
    ) -> Option<TermId> {
        let known = self.values().find_map(value)?;
        let bits = terms.width(known);
        let left = self.left.term(terms, bits, value)?;
        let right = self.right.term(terms, bits, value)?;
        Some(self.comparison.formula(terms, left, right))
    }

    /// What the only value of an equation is that is not known.
    pub(crate) fn solved(
        &self,
        terms: &mut Terms,
        bits: &dyn Fn(Value) -> u32,
        known: &dyn Fn(Value) -> Option<TermId>,
    ) -> Option<(Value, TermId)> {
        let is_unknown =
            |value: &Value| !matches!(value, Value::Number(_)) && known(*value).is_none();
        let mut unknown = self.values().filter(is_unknown);
        let (wanted, others) = (unknown.next()?, unknown.count());
        if others > 0 || self.comparison != Comparison::Equal {
            return None;
        }
        let bits = bits(wanted);
        let zero = terms.bit_vector(0, bits);
        let known = |value: Value| if value == wanted { Some(zero) } else { known(value) };
        let (left, right) =
            (self.left.term(terms, bits, &known)?, self.right.term(terms, bits, &known)?);
        let is_added = |sum: &Sum| {
            let found = sum.summands.iter().find(|summand| summand.value == wanted);
            found.map(|summand| !summand.is_taken_off)
        };
        let is_added_on_the_left =
            is_added(&self.left).or(is_added(&self.right).map(|is_added| !is_added));
        let number = match is_added_on_the_left? {
            true => terms.subtract(right, left),
            false => terms.subtract(left, right),
        };
        Some((wanted, number))
    }

    /// `p1 == v1 + 1`
    pub(crate) fn parse(text: &str) -> Option<Law> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let place = words.iter().position(|word| Comparison::of_word(word).is_some())?;
        let comparison = Comparison::of_word(words[place])?;
        let (left, right) = (Sum::of_words(&words[..place])?, Sum::of_words(&words[place + 1..])?);
        Some(Law { left, comparison, right })
    }
}

impl Sum {
    pub(crate) fn of(value: Value) -> Sum {
        Sum { summands: vec![Summand { is_taken_off: false, value }] }
    }

    /// The only value, if it is no more than that.
    pub(crate) fn only(&self) -> Option<Value> {
        match self.summands.as_slice() {
            [Summand { is_taken_off: false, value }] => Some(*value),
            _ => None,
        }
    }

    /// The sum of so many bits; nothing if the value of a summand is not known.
    pub(crate) fn term(
        &self,
        terms: &mut Terms,
        bits: u32,
        value: &dyn Fn(Value) -> Option<TermId>,
    ) -> Option<TermId> {
        let mut sum = terms.bit_vector(0, bits);
        for summand in &self.summands {
            let term = match summand.value {
                Value::Number(number) => terms.bit_vector(number, bits),
                other => value(other)?,
            };
            sum = match summand.is_taken_off {
                false => terms.add(sum, term),
                true => terms.subtract(sum, term),
            };
        }
        Some(sum)
    }

    fn of_words(words: &[&str]) -> Option<Sum> {
        let mut summands = Vec::new();
        let mut rest = words;
        let mut is_taken_off = false;
        loop {
            let (value, behind) = rest.split_first()?;
            let value = Value::of_word(value)?;
            summands.push(Summand { is_taken_off, value });
            let Some((sign, behind)) = behind.split_first() else { return Some(Sum { summands }) };
            is_taken_off = match *sign {
                "+" => false,
                "-" => true,
                _ => return None,
            };
            rest = behind;
        }
    }
}

impl Comparison {
    const ALL: [Comparison; 6] = [
        Comparison::Equal,
        Comparison::Different,
        Comparison::Less(Sign::Signed),
        Comparison::Less(Sign::Unsigned),
        Comparison::AtMost(Sign::Signed),
        Comparison::AtMost(Sign::Unsigned),
    ];

    fn of_word(word: &str) -> Option<Comparison> {
        Comparison::ALL.into_iter().find(|comparison| comparison.word() == word)
    }

    fn word(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::Different => "!=",
            Comparison::Less(Sign::Signed) => "<s",
            Comparison::Less(Sign::Unsigned) => "<u",
            Comparison::AtMost(Sign::Signed) => "<=s",
            Comparison::AtMost(Sign::Unsigned) => "<=u",
        }
    }

    pub(crate) fn formula(self, terms: &mut Terms, left: TermId, right: TermId) -> TermId {
        match self {
            Comparison::Equal => terms.equal(left, right),
            Comparison::Different => {
                let equal = terms.equal(left, right);
                terms.not(equal)
            }
            Comparison::Less(Sign::Signed) => terms.signed_less(left, right),
            Comparison::Less(Sign::Unsigned) => terms.unsigned_less(left, right),
            Comparison::AtMost(Sign::Signed) => terms.signed_less_equal(left, right),
            Comparison::AtMost(Sign::Unsigned) => terms.unsigned_less_equal(left, right),
        }
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.left, self.comparison.word(), self.right)
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, summand) in self.summands.iter().enumerate() {
            match (index, summand.is_taken_off) {
                (0, _) => {}
                (_, false) => write!(f, " + ")?,
                (_, true) => write!(f, " - ")?,
            }
            write!(f, "{}", summand.value)?;
        }
        Ok(())
    }
}
