//! The row of all template polyhedra: a sum of variables, added up or taken away, is at most `d`.
//!
//! The sum is computed in so many bits that it never wraps around, whatever the signs of its
//! variables: one bit more for each further variable, and one for unsigned ones.

use heapwright_logic::{BitVectorValue, TermId, Terms};

use super::{Point, Row, Scope, Version};
use crate::ssa::formula::ValueKind;

/// A variable of a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Addend {
    pub variable: usize,
    pub is_negative: bool,
    bits: u32,
    signed: bool,
}

impl Addend {
    pub fn new(scope: &Scope, variable: usize, is_negative: bool) -> Addend {
        match scope.variables[variable].kind {
            ValueKind::Number { bits, signed } => Addend { variable, is_negative, bits, signed },
            ValueKind::Pointer | ValueKind::Boolean | ValueKind::Opaque { .. } => {
                panic!("{} is no number", scope.name(variable))
            }
        }
    }

    fn value(self, point: &Point) -> i128 {
        let bits = point.values[self.variable];
        // Wide enough: `Bound::new` takes no numbers of more than 64 bits.
        let value = if self.signed { bits.to_signed() } else { bits.bits() as i128 };
        if self.is_negative { -value } else { value }
    }

    fn least(self) -> i128 {
        let lowest = if self.signed { -(1 << (self.bits - 1)) } else { 0 };
        let highest = if self.signed { (1 << (self.bits - 1)) - 1 } else { (1 << self.bits) - 1 };
        if self.is_negative { -highest } else { lowest }
    }

    fn greatest(self) -> i128 {
        -Addend { is_negative: !self.is_negative, ..self }.least()
    }
}

/// The parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    Bottom,
    AtMost(i128),
    Top,
}

#[derive(Clone, Debug)]
pub struct Bound {
    sum: Vec<Addend>,
    width: u32,
    limit: Limit,
    /// How often the limit was raised by a model, and by a search.
    pub raised: u32,
    pub searched: u32,
}

/// Numbers of more bits have no rows.
const WIDEST: u32 = 64;

impl Bound {
    /// None if a variable is too wide.
    pub fn new(sum: Vec<Addend>) -> Option<Bound> {
        let widest = sum.iter().map(|addend| addend.bits + u32::from(!addend.signed)).max()?;
        let width = widest + u32::try_from(sum.len()).expect("a short sum");
        let fits = sum.iter().all(|addend| addend.bits <= WIDEST);
        fits.then_some(Bound { sum, width, limit: Limit::Bottom, raised: 0, searched: 0 })
    }

    /// Bits of the sum.
    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn limit(&self) -> Limit {
        self.limit
    }

    /// The sum, as a signed number.
    pub fn sum_term(&self, terms: &mut Terms, version: &Version) -> TermId {
        let mut sum = None;
        for addend in &self.sum {
            let value = version.values[addend.variable];
            let wide = if addend.signed {
                terms.sign_extend(value, self.width)
            } else {
                terms.zero_extend(value, self.width)
            };
            sum = Some(match (sum, addend.is_negative) {
                (None, false) => wide,
                (None, true) => terms.negate(wide),
                (Some(sum), false) => terms.add(sum, wide),
                (Some(sum), true) => terms.subtract(sum, wide),
            });
        }
        sum.expect("a sum has a variable")
    }

    pub fn limit_term(&self, terms: &mut Terms, limit: i128) -> TermId {
        terms.constant(BitVectorValue::from_signed(limit, self.width))
    }

    pub fn sum_value(&self, point: &Point) -> i128 {
        self.sum.iter().map(|addend| addend.value(point)).sum()
    }

    /// The greatest value that the sum can have in its types.
    pub fn greatest(&self) -> i128 {
        self.sum.iter().map(|addend| addend.greatest()).sum()
    }

    /// The least value that the sum can have.
    pub fn least(&self) -> i128 {
        self.sum.iter().map(|addend| addend.least()).sum()
    }

    /// Puts a limit to a row at top.
    pub fn lower(&mut self, limit: i128) {
        if limit < self.greatest() {
            self.limit = Limit::AtMost(limit);
        }
    }

    /// Raises the limit to what a search has found.
    pub fn raise(&mut self, limit: i128) {
        let limit = match self.limit {
            Limit::Bottom => limit,
            Limit::AtMost(old) => old.max(limit),
            Limit::Top => return,
        };
        self.limit = if limit >= self.greatest() { Limit::Top } else { Limit::AtMost(limit) };
    }

    /// The sum in words.
    pub fn left_side(&self, scope: &Scope) -> String {
        let mut text = String::new();
        for addend in &self.sum {
            match (text.is_empty(), addend.is_negative) {
                (true, false) => {}
                (true, true) => text.push('-'),
                (false, false) => text.push_str(" + "),
                (false, true) => text.push_str(" - "),
            }
            text.push_str(scope.name(addend.variable));
        }
        text
    }
}

impl Row for Bound {
    fn variables(&self) -> Vec<usize> {
        self.sum.iter().map(|addend| addend.variable).collect()
    }

    fn formula(&self, terms: &mut Terms, version: &Version) -> TermId {
        match self.limit {
            Limit::Bottom => TermId::FALSE,
            Limit::Top => TermId::TRUE,
            Limit::AtMost(limit) => {
                let sum = self.sum_term(terms, version);
                let limit = self.limit_term(terms, limit);
                terms.signed_less_equal(sum, limit)
            }
        }
    }

    fn covers(&self, point: &Point) -> bool {
        match self.limit {
            Limit::Bottom => false,
            Limit::AtMost(limit) => self.sum_value(point) <= limit,
            Limit::Top => true,
        }
    }

    fn join(&mut self, point: &Point) {
        if !self.covers(point) {
            self.raised += 1;
            self.raise(self.sum_value(point));
        }
    }

    fn is_top(&self) -> bool {
        self.limit == Limit::Top
    }

    fn forget(&mut self) {
        self.limit = Limit::Top;
    }

    fn text(&self, scope: &Scope) -> Vec<String> {
        match (self.limit, self.sum.as_slice()) {
            (Limit::Bottom | Limit::Top, _) => Vec::new(),
            (Limit::AtMost(limit), [only]) if only.is_negative => {
                vec![format!("{} >= {}", scope.name(only.variable), -limit)]
            }
            (Limit::AtMost(limit), [one, other]) if limit == 0 && other.is_negative => {
                let name = |addend: &Addend| scope.name(addend.variable);
                vec![format!("{} <= {}", name(one), name(other))]
            }
            (Limit::AtMost(limit), _) => vec![format!("{} <= {limit}", self.left_side(scope))],
        }
    }

    fn bound(&mut self, _point: &Point) -> Option<&mut Bound> {
        Some(self)
    }

    fn bounds(&self) -> Vec<&Bound> {
        vec![self]
    }

    fn boxed_clone(&self) -> Box<dyn Row> {
        Box::new(self.clone())
    }
}

/// The rows of these sums of variables, each with its sign.
pub(super) fn bounds(scope: &Scope, sums: Vec<Vec<(usize, bool)>>) -> Vec<Box<dyn Row>> {
    let bound = |sum: Vec<(usize, bool)>| {
        let addend = |&(variable, is_negative): &_| Addend::new(scope, variable, is_negative);
        Bound::new(sum.iter().map(addend).collect())
    };
    sums.into_iter().filter_map(bound).map(|bound| Box::new(bound) as Box<dyn Row>).collect()
}
