//! Linear laws between numbers of states: guessed from executions, kept if they hold.
//!
//! One execution of each state gives the laws through few points; an execution that breaks one of them is
//! another point, until there is none. After King and Søndergaard, *Automatic Abstraction for
//! Congruences*, 2010. Numbers are read twice: by their lowest bits, where laws outlive every wrap, and
//! as signed numbers of 64 bits, where they tell more. Nothing rests on a guess: what is kept was asked for.

use std::sync::Arc;

use heapwright_logic::{Model, TermId};

use crate::abstraction::numbers::affine::{Law, laws_through};
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::precision::{Arguments, Precision};
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::Possible;

/// Numbers that laws are looked for between.
pub(crate) const MOST_NUMBERS: usize = 10;

/// Executions that are looked at beyond one for each number.
const MORE_EXECUTIONS: usize = 4;

/// Widths by which numbers are read, the coarser first.
const WIDTHS: &[u32] = &[32, 64];

/// The same where what depends on a number may be whether it is even.
const WIDTHS_WITH_PARITY: &[u32] = &[1, 32, 64];

fn widths(precision: &Precision) -> &'static [u32] {
    match precision.arguments {
        Arguments::Forgotten => WIDTHS,
        Arguments::Held => WIDTHS_WITH_PARITY,
    }
}

/// A state, and what some numbers are in it.
pub(crate) struct Side<'s> {
    pub(crate) state: &'s State,
    pub(crate) numbers: Vec<TermId>,
}

/// A law, and by how many bits numbers are read in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Read {
    pub(crate) law: Law,
    width: u32,
}

impl Read {
    /// That numbers obey it.
    pub(crate) fn says(&self, names: &mut Names<'_>, numbers: &[TermId]) -> TermId {
        let constant = names.terms.bit_vector(u128::from(self.law.constant), self.width);
        let zero = names.terms.bit_vector(0, self.width);
        let (mut one, mut other) = (zero, constant);
        for (&coefficient, &number) in self.law.coefficients.iter().zip(numbers) {
            let number = read(names, number, self.width);
            let times = u128::from(coefficient.unsigned_abs());
            let times = names.terms.bit_vector(times, self.width);
            let product = names.terms.multiply(number, times);
            let side = if coefficient < 0 { &mut other } else { &mut one };
            *side = names.terms.add(*side, product);
        }
        names.terms.equal(one, other)
    }

    /// Whether it speaks of a number.
    pub(crate) fn has(&self, number: usize) -> bool {
        self.law.coefficients[number] != 0
    }

    /// Whether it says more than what one number is.
    pub(crate) fn is_worth_saying(&self) -> bool {
        let spoken_of = self.law.coefficients.iter().filter(|&&coefficient| coefficient != 0);
        spoken_of.count() > 1 || self.width == 1
    }
}

/// A number by so many bits.
fn read(names: &mut Names<'_>, number: TermId, width: u32) -> TermId {
    if names.terms.width(number) > width {
        names.terms.extract(number, width - 1, 0)
    } else {
        names.terms.sign_extend(number, width)
    }
}

/// The laws that hold on all sides, which have as many numbers each.
pub(crate) fn common_laws(
    reasoner: &mut Reasoner<'_>,
    precision: &Precision,
    sides: &[Side<'_>],
) -> Vec<Read> {
    let mut executions: Vec<(usize, Arc<Model>)> = Vec::new();
    for (index, side) in sides.iter().enumerate() {
        match reasoner.possible(side.state, TermId::TRUE) {
            Possible::Yes(model) => executions.push((index, model)),
            Possible::No | Possible::Perhaps => return Vec::new(),
        }
    }
    let mut kept: Vec<Read> = Vec::new();
    for &width in widths(precision) {
        let laws = laws_of_width(reasoner, sides, width, &mut executions);
        // What holds of all bits holds of the lowest.
        if laws.len() == kept.len() {
            kept = laws;
        } else {
            kept.extend(laws);
        }
        if kept.is_empty() {
            break;
        }
    }
    kept
}

fn laws_of_width(
    reasoner: &mut Reasoner<'_>,
    sides: &[Side<'_>],
    width: u32,
    executions: &mut Vec<(usize, Arc<Model>)>,
) -> Vec<Read> {
    let most = sides.iter().map(|side| side.numbers.len()).sum::<usize>() + MORE_EXECUTIONS;
    for _ in 0..most {
        let points: Vec<Vec<u64>> = executions
            .iter()
            .map(|(side, model)| point(&mut reasoner.names, &sides[*side].numbers, model, width))
            .collect();
        let laws: Vec<Read> =
            laws_through(&points, width).into_iter().map(|law| Read { law, width }).collect();
        match broken(reasoner, sides, &laws) {
            Broken::Never => return laws,
            Broken::By(side, model) => executions.push((side, model)),
            Broken::Perhaps => {
                return laws
                    .into_iter()
                    .filter(|law| {
                        let law = std::slice::from_ref(law);
                        matches!(broken(reasoner, sides, law), Broken::Never)
                    })
                    .collect();
            }
        }
    }
    Vec::new()
}

/// Whether laws hold on all sides.
enum Broken {
    Never,
    By(usize, Arc<Model>),
    Perhaps,
}

fn broken(reasoner: &mut Reasoner<'_>, sides: &[Side<'_>], laws: &[Read]) -> Broken {
    for (index, side) in sides.iter().enumerate() {
        let all: Vec<TermId> =
            laws.iter().map(|law| law.says(&mut reasoner.names, &side.numbers)).collect();
        let all = reasoner.names.terms.all(&all);
        let contrary = reasoner.names.terms.not(all);
        match reasoner.possible(side.state, contrary) {
            Possible::No => {}
            Possible::Yes(model) => return Broken::By(index, model),
            Possible::Perhaps => return Broken::Perhaps,
        }
    }
    Broken::Never
}

/// What numbers are in an execution.
fn point(names: &mut Names<'_>, numbers: &[TermId], model: &Model, width: u32) -> Vec<u64> {
    numbers
        .iter()
        .map(|&number| {
            let number = read(names, number, width);
            model.evaluate(&names.terms, number).as_bit_vector().bits() as u64
        })
        .collect()
}
