//! Models: a value for each variable.
//! A variable without a value counts as zero, false, or the array of zeros: any value will do.

use std::collections::BTreeMap;
use std::fmt;

use imbl::OrdMap;

use crate::arena::Terms;
use crate::evaluate::Evaluator;
use crate::term::{Sort, TermId};
use crate::value::BitVectorValue;

/// A value of any sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Boolean(bool),
    BitVector(BitVectorValue),
    Array(ArrayValue),
}

impl Value {
    /// What a variable of this sort has when a model does not mention it.
    pub fn default_of(sort: Sort) -> Self {
        match sort {
            Sort::Boolean => Self::Boolean(false),
            Sort::BitVector(width) => Self::BitVector(BitVectorValue::zero(width)),
            Sort::Array { index, element } => {
                Self::Array(ArrayValue::new(index, BitVectorValue::zero(element)))
            }
        }
    }

    pub fn sort(&self) -> Sort {
        match self {
            Self::Boolean(_) => Sort::Boolean,
            Self::BitVector(value) => Sort::BitVector(value.width()),
            Self::Array(array) => {
                Sort::Array { index: array.index, element: array.default.width() }
            }
        }
    }

    pub fn as_boolean(&self) -> bool {
        match self {
            Self::Boolean(value) => *value,
            Self::BitVector(_) | Self::Array(_) => panic!("{self:?} is not a boolean"),
        }
    }

    pub fn as_bit_vector(&self) -> BitVectorValue {
        match self {
            Self::BitVector(value) => *value,
            Self::Boolean(_) | Self::Array(_) => panic!("{self:?} is not a bit-vector"),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(value) => write!(f, "{value}"),
            Self::BitVector(value) => write!(f, "{value}"),
            Self::Array(array) => write!(f, "{array}"),
        }
    }
}

/// An array: a default and the elements that differ from it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayValue {
    index: u32,
    default: BitVectorValue,
    entries: BTreeMap<u128, BitVectorValue>,
}

impl ArrayValue {
    /// `default` at each index of `index` bits.
    pub fn new(index: u32, default: BitVectorValue) -> Self {
        Self { index, default, entries: BTreeMap::new() }
    }

    pub fn default_element(&self) -> BitVectorValue {
        self.default
    }

    pub fn select(&self, index: BitVectorValue) -> BitVectorValue {
        assert_eq!(index.width(), self.index, "index {index:?} of {self:?}");
        self.entries.get(&index.bits()).copied().unwrap_or(self.default)
    }

    pub fn store(&mut self, index: BitVectorValue, element: BitVectorValue) {
        assert_eq!(index.width(), self.index, "index {index:?} of {self:?}");
        assert_eq!(element.width(), self.default.width(), "element {element:?} of {self:?}");
        // Equal arrays must be equal values, so the default is never an entry.
        if element == self.default {
            self.entries.remove(&index.bits());
        } else {
            self.entries.insert(index.bits(), element);
        }
    }

    /// The elements that differ from the default, by ascending index.
    pub fn entries(&self) -> impl Iterator<Item = (BitVectorValue, BitVectorValue)> + '_ {
        self.entries
            .iter()
            .map(|(&bits, &element)| (BitVectorValue::new(bits, self.index), element))
    }
}

impl fmt::Display for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[")?;
        for (index, element) in self.entries() {
            write!(f, "{index}: {element}, ")?;
        }
        write!(f, "else {}]", self.default)
    }
}

/// Values of variables, in the order of their ids. Copies share what they have in common: states and ways to match have
/// one each, which differs little from that of the state or way that it comes from.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Model {
    values: OrdMap<TermId, Value>,
}

impl Model {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn set(&mut self, variable: TermId, value: Value) {
        self.values.insert(variable, value);
    }

    pub fn get(&self, variable: TermId) -> Option<&Value> {
        self.values.get(&variable)
    }

    pub fn iter(&self) -> impl Iterator<Item = (TermId, &Value)> + '_ {
        self.values.iter().map(|(&variable, value)| (variable, value))
    }

    /// The value of any term. For many terms under one model, keep an `Evaluator`.
    pub fn evaluate(&self, terms: &Terms, term: TermId) -> Value {
        Evaluator::new(terms, self).evaluate(term)
    }

    pub fn satisfies(&self, terms: &Terms, formula: TermId) -> bool {
        self.evaluate(terms, formula).as_boolean()
    }
}

impl FromIterator<(TermId, Value)> for Model {
    fn from_iter<I: IntoIterator<Item = (TermId, Value)>>(values: I) -> Self {
        Self { values: values.into_iter().collect() }
    }
}
