//! The arena: every term exists once, so equality of terms is equality of ids.
//! Only `intern` makes terms; the rules (`rules/`) decide what it is asked to make.

use rustc_hash::FxHashMap;

use crate::term::{ConstantId, Predicate, Sort, SymbolId, Term, TermId};
use crate::value::{BitVectorValue, MAXIMUM_WIDTH};

/// All terms of one formula world. Ids of one `Terms` mean nothing in another.
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: Vec<Term>,
    sorts: Vec<Sort>,
    ids: FxHashMap<Term, TermId>,
    constants: Vec<BitVectorValue>,
    constant_ids: FxHashMap<BitVectorValue, TermId>,
    names: Vec<Box<str>>,
    variable_ids: FxHashMap<Box<str>, TermId>,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    pub fn new() -> Self {
        let mut terms = Self {
            nodes: Vec::new(),
            sorts: Vec::new(),
            ids: FxHashMap::default(),
            constants: Vec::new(),
            constant_ids: FxHashMap::default(),
            names: Vec::new(),
            variable_ids: FxHashMap::default(),
        };
        assert_eq!(terms.intern(Term::Boolean(false), Sort::Boolean), TermId::FALSE);
        assert_eq!(terms.intern(Term::Boolean(true), Sort::Boolean), TermId::TRUE);
        terms
    }

    /// How many terms exist; ids are below this.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the truth values always exist.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn node(&self, term: TermId) -> Term {
        self.nodes[term.index()]
    }

    pub fn sort(&self, term: TermId) -> Sort {
        self.sorts[term.index()]
    }

    /// The width of a bit-vector term.
    pub fn width(&self, term: TermId) -> u32 {
        match self.sort(term) {
            Sort::BitVector(width) => width,
            Sort::Boolean | Sort::Array { .. } => {
                panic!("{} is not a bit-vector", self.display(term))
            }
        }
    }

    pub fn constant_value(&self, constant: ConstantId) -> BitVectorValue {
        self.constants[constant.0 as usize]
    }

    pub fn name(&self, symbol: SymbolId) -> &str {
        &self.names[symbol.0 as usize]
    }

    /// The value of a bit-vector constant.
    pub fn as_constant(&self, term: TermId) -> Option<BitVectorValue> {
        match self.node(term) {
            Term::BitVector(constant) => Some(self.constant_value(constant)),
            _ => None,
        }
    }

    pub fn is_constant(&self, term: TermId) -> bool {
        matches!(self.node(term), Term::Boolean(_) | Term::BitVector(_))
    }

    /// The name of a variable.
    pub fn as_variable(&self, term: TermId) -> Option<&str> {
        match self.node(term) {
            Term::Variable(symbol) => Some(self.name(symbol)),
            _ => None,
        }
    }

    pub fn boolean(&self, value: bool) -> TermId {
        if value { TermId::TRUE } else { TermId::FALSE }
    }

    pub fn constant(&mut self, value: BitVectorValue) -> TermId {
        if let Some(&known) = self.constant_ids.get(&value) {
            return known;
        }
        let constant = ConstantId(index_of_next(self.constants.len()));
        self.constants.push(value);
        let term = self.intern(Term::BitVector(constant), Sort::BitVector(value.width()));
        self.constant_ids.insert(value, term);
        term
    }

    /// The constant of `width` bits that agrees with `bits` modulo two to the `width`.
    pub fn bit_vector(&mut self, bits: u128, width: u32) -> TermId {
        self.constant(BitVectorValue::new(bits, width))
    }

    /// The variable called `name`: one name, one variable, one sort.
    pub fn variable(&mut self, name: &str, sort: Sort) -> TermId {
        if let Some(&known) = self.variable_ids.get(name) {
            assert_eq!(self.sort(known), sort, "variable {name} asked for with two sorts");
            return known;
        }
        check_sort(sort);
        let symbol = SymbolId(index_of_next(self.names.len()));
        self.names.push(name.into());
        let term = self.intern(Term::Variable(symbol), sort);
        self.variable_ids.insert(name.into(), term);
        term
    }

    /// A variable that is not there yet, with exactly this name.
    ///
    /// Panics if some variable has the name already: two values that are meant to differ must never
    /// become one.
    pub fn new_variable(&mut self, name: &str, sort: Sort) -> TermId {
        assert!(!self.variable_ids.contains_key(name), "a second variable named {name}");
        self.variable(name, sort)
    }

    /// A variable nobody has yet, called after `prefix`.
    pub fn fresh_variable(&mut self, prefix: &str, sort: Sort) -> TermId {
        // Ends because each candidate is longer or larger than the finitely many taken names.
        let name = (self.names.len()..)
            .map(|number| format!("{prefix}!{number}"))
            .find(|name| !self.variable_ids.contains_key(name.as_str()))
            .expect("names do not run out");
        self.variable(&name, sort)
    }

    /// Makes the node as it stands. Only for rules that have nothing more to say.
    pub(crate) fn make(&mut self, term: Term) -> TermId {
        let sort = self.sort_of_node(term);
        self.intern(term, sort)
    }

    /// A node as it stands if it exists, else the simplified term of its meaning. What was printed
    /// is read back as it was, whatever the rules would make of it now.
    pub(crate) fn known_or_built(&mut self, term: Term) -> TermId {
        match self.ids.get(&term) {
            Some(&known) => known,
            None => self.build(term),
        }
    }

    /// The term of a node that is known to exist.
    pub(crate) fn existing(&self, term: Term) -> TermId {
        self.ids[&term]
    }

    fn intern(&mut self, term: Term, sort: Sort) -> TermId {
        let next = TermId(index_of_next(self.nodes.len()));
        let id = *self.ids.entry(term).or_insert(next);
        if id == next {
            self.nodes.push(term);
            self.sorts.push(sort);
        }
        id
    }

    /// The sort of a node over its children; panics if they do not fit together.
    fn sort_of_node(&self, term: Term) -> Sort {
        match term {
            Term::Boolean(_) => Sort::Boolean,
            Term::BitVector(constant) => Sort::BitVector(self.constant_value(constant).width()),
            Term::Variable(symbol) => panic!("variable {} made twice", self.name(symbol)),
            Term::Not(a) => self.expect_sort(a, Sort::Boolean),
            Term::And(a, b) => {
                self.expect_sort(a, Sort::Boolean);
                self.expect_sort(b, Sort::Boolean)
            }
            Term::Equal(a, b) => {
                self.expect_scalar(a);
                self.expect_sort(b, self.sort(a));
                Sort::Boolean
            }
            Term::Relation(
                Predicate::UnsignedLess
                | Predicate::SignedLess
                | Predicate::UnsignedMultiplyOverflows
                | Predicate::SignedMultiplyOverflows,
                a,
                b,
            ) => {
                self.expect_sort(b, Sort::BitVector(self.width(a)));
                Sort::Boolean
            }
            Term::IfThenElse(condition, a, b) => {
                self.expect_sort(condition, Sort::Boolean);
                self.expect_sort(b, self.sort(a))
            }
            Term::Complement(a) => Sort::BitVector(self.width(a)),
            Term::Binary(_, a, b) => self.expect_sort(b, Sort::BitVector(self.width(a))),
            Term::Concat(..)
            | Term::Extract { .. }
            | Term::ZeroExtend { .. }
            | Term::SignExtend { .. } => self.sort_of_slice(term),
            Term::Select(..) | Term::Store(..) | Term::ConstantArray { .. } => {
                self.sort_of_array_node(term)
            }
        }
    }

    fn sort_of_slice(&self, term: Term) -> Sort {
        let (width, is_possible) = match term {
            Term::Concat(high, low) => {
                let width = self.width(high) + self.width(low);
                (width, width <= MAXIMUM_WIDTH)
            }
            Term::Extract { term: whole, high, low } => {
                assert!(low <= high, "bits {high}..{low} of {}", self.display(whole));
                (high - low + 1, high < self.width(whole))
            }
            Term::ZeroExtend { term: narrow, width } | Term::SignExtend { term: narrow, width } => {
                (width, width >= self.width(narrow) && width <= MAXIMUM_WIDTH)
            }
            _ => panic!("{term:?} is not a slice"),
        };
        assert!(is_possible, "{term:?} has no width");
        Sort::BitVector(width)
    }

    fn sort_of_array_node(&self, term: Term) -> Sort {
        match term {
            Term::Select(array, index) => {
                let (index_width, element_width) = self.array_widths(array);
                self.expect_sort(index, Sort::BitVector(index_width));
                Sort::BitVector(element_width)
            }
            Term::Store(array, index, element) => {
                let (index_width, element_width) = self.array_widths(array);
                self.expect_sort(index, Sort::BitVector(index_width));
                self.expect_sort(element, Sort::BitVector(element_width));
                self.sort(array)
            }
            Term::ConstantArray { element, index } => {
                let sort = Sort::Array { index, element: self.width(element) };
                check_sort(sort);
                sort
            }
            _ => panic!("{term:?} is not about arrays"),
        }
    }

    /// The index and element widths of an array term.
    pub fn array_widths(&self, array: TermId) -> (u32, u32) {
        match self.sort(array) {
            Sort::Array { index, element } => (index, element),
            Sort::Boolean | Sort::BitVector(_) => panic!("{} is no array", self.display(array)),
        }
    }

    fn expect_scalar(&self, term: TermId) {
        let is_array = matches!(self.sort(term), Sort::Array { .. });
        assert!(!is_array, "arrays are never compared: {}", self.display(term));
    }

    fn expect_sort(&self, term: TermId, sort: Sort) -> Sort {
        assert_eq!(self.sort(term), sort, "sort of {}", self.display(term));
        sort
    }
}

fn check_sort(sort: Sort) {
    let is_width = |width: u32| (1..=MAXIMUM_WIDTH).contains(&width);
    let is_possible = match sort {
        Sort::Boolean => true,
        Sort::BitVector(width) => is_width(width),
        Sort::Array { index, element } => is_width(index) && is_width(element),
    };
    assert!(is_possible, "{sort:?} has an impossible width");
}

fn index_of_next(length: usize) -> u32 {
    u32::try_from(length).expect("more than four billion terms")
}
