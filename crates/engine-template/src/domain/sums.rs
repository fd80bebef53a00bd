//! Equations: a sum of two or three numbers, one of them perhaps twice, is always the same.
//!
//! As in `x + y == n` of a counter that takes from one number what it gives to another, or in
//! `result == a + b` of a function. The sum is computed as C does for unsigned numbers, so it does not
//! matter whether it wraps around.

use heapwright_logic::{BitVectorValue, TermId, Terms};

use super::{Domain, Point, Row, Scope, Version};
use crate::ssa::formula::ValueKind;

pub(super) struct Sums;

/// Variables of one width beyond these have no rows: there are as many triples as their cube.
const MOST_VARIABLES: usize = 7;

impl Domain for Sums {
    fn name(&self) -> &'static str {
        "sums"
    }

    fn summary(&self) -> &'static str {
        "sums of two or three numbers that are always the same"
    }

    fn rows(&self, scope: &Scope) -> Vec<Box<dyn Row>> {
        let mut rows: Vec<Box<dyn Row>> = Vec::new();
        for numbers in by_width(scope) {
            for (a, b) in scope.pairs(&numbers) {
                let pairs = [[1, -1], [1, 1], [1, -2], [2, -1]];
                rows.extend(pairs.map(|[of_a, of_b]| row(scope, &[(a, of_a), (b, of_b)])));
            }
            for (a, b, c) in triples(scope, &numbers) {
                let signs = [[1, 1, -1], [1, -1, 1], [1, -1, -1], [1, 1, 1]];
                let triple =
                    |[of_a, of_b, of_c]: [i8; 3]| row(scope, &[(a, of_a), (b, of_b), (c, of_c)]);
                rows.extend(signs.map(triple));
            }
        }
        rows
    }
}

fn by_width(scope: &Scope) -> Vec<Vec<usize>> {
    let mut widths: Vec<u32> = scope.numbers().iter().map(|&it| scope.width(it)).collect();
    widths.sort_unstable();
    widths.dedup();
    let of_width = |width| {
        let numbers = scope.numbers().into_iter().filter(|&it| scope.width(it) == width);
        // Those that change first: a row about none of them says nothing.
        let mut numbers: Vec<usize> = numbers.collect();
        numbers.sort_by_key(|&it| scope.variables[it].source.is_none());
        numbers.truncate(MOST_VARIABLES);
        numbers
    };
    widths.into_iter().map(of_width).collect()
}

/// Triples of which one changes at least, and that belong to one summary at most.
fn triples(scope: &Scope, numbers: &[usize]) -> Vec<(usize, usize, usize)> {
    let changes = |index: usize| scope.variables[index].source.is_some();
    let mut triples = Vec::new();
    for (at, &a) in numbers.iter().enumerate() {
        for (further, &b) in numbers.iter().enumerate().skip(at + 1) {
            for &c in &numbers[further + 1..] {
                let is_one = scope.is_one_summary(a, b)
                    && scope.is_one_summary(b, c)
                    && scope.is_one_summary(a, c);
                if is_one && (changes(a) || changes(b) || changes(c)) {
                    triples.push((a, b, c));
                }
            }
        }
    }
    triples
}

fn row(scope: &Scope, addends: &[(usize, i8)]) -> Box<dyn Row> {
    debug_assert!(
        addends
            .iter()
            .all(|&(it, _)| { matches!(scope.variables[it].kind, ValueKind::Number { .. }) })
    );
    let width = scope.width(addends[0].0);
    Box::new(Equation { addends: addends.to_vec(), width, value: Constant::Bottom })
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Constant {
    Bottom,
    Is(BitVectorValue),
    Top,
}

#[derive(Clone, Debug)]
struct Equation {
    /// Variables, each with its factor.
    addends: Vec<(usize, i8)>,
    width: u32,
    value: Constant,
}

impl Equation {
    fn sum(&self, terms: &mut Terms, version: &Version) -> TermId {
        let mut sum = terms.bit_vector(0, self.width);
        for &(variable, factor) in &self.addends {
            for _ in 0..factor.unsigned_abs() {
                let value = version.values[variable];
                sum = if factor > 0 { terms.add(sum, value) } else { terms.subtract(sum, value) };
            }
        }
        sum
    }

    fn at(&self, point: &Point) -> BitVectorValue {
        let mut sum: u128 = 0;
        for &(variable, factor) in &self.addends {
            let value = point.values[variable].bits();
            let product = value.wrapping_mul(i128::from(factor) as u128);
            sum = sum.wrapping_add(product);
        }
        BitVectorValue::new(sum & heapwright_program::mask(self.width), self.width)
    }
}

impl Row for Equation {
    fn variables(&self) -> Vec<usize> {
        self.addends.iter().map(|&(variable, _)| variable).collect()
    }

    fn formula(&self, terms: &mut Terms, version: &Version) -> TermId {
        match self.value {
            Constant::Bottom => TermId::FALSE,
            Constant::Top => TermId::TRUE,
            Constant::Is(value) => {
                let sum = self.sum(terms, version);
                let value = terms.constant(value);
                terms.equal(sum, value)
            }
        }
    }

    fn covers(&self, point: &Point) -> bool {
        match self.value {
            Constant::Bottom => false,
            Constant::Is(value) => self.at(point) == value,
            Constant::Top => true,
        }
    }

    fn join(&mut self, point: &Point) {
        if !self.covers(point) {
            self.value = match self.value {
                Constant::Bottom => Constant::Is(self.at(point)),
                Constant::Is(_) | Constant::Top => Constant::Top,
            };
        }
    }

    fn is_top(&self) -> bool {
        self.value == Constant::Top
    }

    fn forget(&mut self) {
        self.value = Constant::Top;
    }

    fn text(&self, scope: &Scope) -> Vec<String> {
        let Constant::Is(value) = self.value else { return Vec::new() };
        let mut text = String::new();
        for &(variable, factor) in &self.addends {
            text.push_str(match (text.is_empty(), factor > 0) {
                (true, true) => "",
                (true, false) => "-",
                (false, true) => " + ",
                (false, false) => " - ",
            });
            if factor.unsigned_abs() > 1 {
                text.push_str(&format!("{} * ", factor.unsigned_abs()));
            }
            text.push_str(scope.name(variable));
        }
        vec![format!("{text} == {}", value.to_signed())]
    }

    fn boxed_clone(&self) -> Box<dyn Row> {
        Box::new(self.clone())
    }
}
