//! Cells that lie side by side say what extents of constants say.

use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId};
use crate::heap::contents::{Beside, Extent};
use crate::heap::names::Names;
use crate::heap::range::Range;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::places::prove;
use crate::reasoning::range::range;
use crate::summary::extents::laws::{bounds, laws_of_element, line, line_of, numbers_beside};

/// Cells that are looked at.
pub(super) const MOST_CELLS: usize = 64;

/// Cells of one size that lie side by side.
pub(super) fn runs(block: &Block) -> Vec<(u64, u64, Vec<TermId>)> {
    let mut runs: Vec<(u64, u64, Vec<TermId>)> = Vec::new();
    for (&offset, cell) in &block.cells {
        match runs.last_mut() {
            Some((start, size, values))
                if *size == cell.size && *start + *size * values.len() as u64 == offset =>
            {
                values.push(cell.value);
            }
            _ => runs.push((offset, cell.size, vec![cell.value])),
        }
    }
    runs.retain(|(start, size, _)| size.is_power_of_two() && start % size == 0);
    runs
}

/// Says by extents what cells say; these stay.
pub(super) fn fold_cells(reasoner: &mut Reasoner<'_>, state: &mut State, id: BlockId) {
    let block = Arc::clone(state.block(id));
    let mut extents = block.contents.extents.clone();
    let of_numbers = runs(&block).into_iter().map(|(start, size, values)| Run {
        start,
        size,
        stride: size,
        values,
    });
    for run in of_numbers.chain(runs_of_members(&reasoner.names, &block)) {
        let law = law_of_run(reasoner, state, &run);
        let extent = run.extent(&mut reasoner.names, law);
        extents.retain(|known| !is_within_run(&reasoner.names, known, &extent));
        if !extent.law.is_empty() {
            extents.push(extent);
        }
    }
    if extents != block.contents.extents {
        state.block_mut(id).contents.extents = extents;
    }
}

/// Whether an extent of constants is one that cells have made before.
pub(super) fn is_within_run(names: &Names<'_>, known: &Extent, run: &Extent) -> bool {
    let places = [known.from, known.to, run.from, run.to].map(|place| names.constant(place));
    let [Some(from), Some(to), Some(start), Some(end)] = places else { return false };
    known.is_like(run)
        && known.beside.map(|one| one.block) == run.beside.map(|one| one.block)
        && start <= from
        && to <= end
}

/// Runs of members that are looked at.
const MOST_RUNS: usize = 8;

/// Cells of one size, each so far behind the one before.
struct Run {
    start: u64,
    size: u64,
    stride: u64,
    values: Vec<TermId>,
}

impl Run {
    fn extent(&self, names: &mut Names<'_>, law: Vec<TermId>) -> Extent {
        let Run { start, size, stride, ref values } = *self;
        let bits = names.pointer_bits();
        let from = names.terms.bit_vector(u128::from(start), bits);
        let end = start + stride * values.len() as u64;
        let to = names.terms.bit_vector(u128::from(end), bits);
        Extent { from, to, stride, size, beside: None, law }
    }
}

/// Members of records that lie side by side: cells that are as far apart as elements of the program are.
fn runs_of_members(names: &Names<'_>, block: &Block) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let strides = names.facts.layout.strides.iter().copied();
    for stride in strides.filter(|stride| stride.is_power_of_two()) {
        if names.constant(block.size).is_some_and(|size| size < 2 * u128::from(stride)) {
            continue;
        }
        let first = runs.len();
        let narrow = block.cells.iter().filter(|(_, cell)| cell.size < stride);
        for (&start, cell) in narrow.filter(|(_, cell)| cell.size.is_power_of_two()) {
            let goes_on = |run: &&mut Run| {
                run.size == cell.size && run.start + stride * run.values.len() as u64 == start
            };
            let has_room = runs.len() < MOST_RUNS;
            match runs[first..].iter_mut().find(goes_on) {
                Some(run) => run.values.push(cell.value),
                None if has_room => {
                    let (size, values) = (cell.size, vec![cell.value]);
                    runs.push(Run { start, size, stride, values });
                }
                None => {}
            }
        }
    }
    runs
}

pub(super) fn extent_at(
    names: &mut Names<'_>,
    (start, size): (u64, u64),
    count: usize,
    beside: Option<Beside>,
    law: Vec<TermId>,
) -> Extent {
    let bits = names.pointer_bits();
    let from = names.terms.bit_vector(u128::from(start), bits);
    let to = names.terms.bit_vector(u128::from(start + size * count as u64), bits);
    Extent { from, to, stride: size, size, beside, law }
}

/// What all cells of a run have in common.
fn law_of_run(reasoner: &mut Reasoner<'_>, state: &State, run: &Run) -> Vec<TermId> {
    let Run { start, size, stride, ref values } = *run;
    let names = &mut reasoner.names;
    let (here, place) = (names.here(size), names.place());
    let bits = 8 * size as u32;
    if values.iter().all(|&value| value == values[0]) {
        let first = (names.terms.bit_vector(u128::from(start), names.pointer_bits()), values[0]);
        return match names.constant(values[0]) {
            Some(_) => vec![names.terms.equal(here, values[0])],
            None => laws_of_element(reasoner, state, first, stride),
        };
    }
    let mut law = Vec::new();
    let constants: Option<Vec<i128>> = values
        .iter()
        .map(|&value| Some(heapwright_program::sign_extend(names.constant(value)?, bits)))
        .collect();
    if let Some(constants) = constants {
        let first = i128::from(start / stride);
        let line_of = line_of((first, constants[0]), (first + 1, constants[1]));
        let is_on = |(slope, rise): (i128, i128)| {
            let places = (first..).zip(&constants);
            places.into_iter().all(|(index, &value)| slope * index + rise == value)
        };
        if let Some(line_of) = line_of.filter(|&line| is_on(line)) {
            law.push(line(names, (place, here), stride, line_of));
        }
    }
    let ranges = values.iter().map(|&value| range(names, state, value));
    let hull = ranges.reduce(Range::hull).expect("a run has cells");
    law.extend(bounds(names, here, hull));
    if values.len() <= MOST_COMPARED {
        law.extend(orders_of_all(reasoner, state, here, values));
    }
    law
}

/// Cells that are compared with numbers of variables.
const MOST_COMPARED: usize = 4;

/// That elements are at least, or at most, what a variable holds.
fn orders_of_all(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    here: TermId,
    values: &[TermId],
) -> Vec<TermId> {
    let mut law = Vec::new();
    for number in numbers_beside(&reasoner.names, state, here) {
        for is_below in [true, false] {
            let order = |names: &mut Names<'_>, value: TermId| match is_below {
                true => names.terms.signed_less_equal(value, number),
                false => names.terms.signed_less_equal(number, value),
            };
            let hold = values.iter().all(|&value| {
                let holds = order(&mut reasoner.names, value);
                prove(reasoner, state, holds)
            });
            if hold {
                law.push(order(&mut reasoner.names, here));
            }
        }
    }
    law
}
