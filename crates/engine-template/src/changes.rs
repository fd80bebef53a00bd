//! Changes: what a loop changes in memory, in the language of the crate `certificate`.

use heapwright_base::DenseId;
use heapwright_certificate::Changes;

use crate::analysis::effects::Slot;
use crate::analysis::layout::{ObjectLayout, Shape};
use crate::analysis::points_to::ObjectSource;
use crate::ssa::Preparation;

/// Bytes behind the parts of an object of unknown size that claims leave open.
const FAR: u64 = 1 << 40;

/// What a loop changes in memory. Of bytes that are no cell, nothing is known at any time.
pub(crate) fn changes(preparation: &Preparation, changed: &[Slot]) -> Changes {
    let mut changes = Changes::default();
    for (id, layout) in preparation.layouts.enumerated() {
        let source = preparation.points_to.objects.sources[id];
        if matches!(source, ObjectSource::Code(_)) {
            continue;
        }
        let gaps = gaps(layout, preparation.points_to.sizes[id]);
        if gaps.as_ref().is_none_or(|gaps| !gaps.is_empty()) {
            changes.bytes.insert(id.index(), gaps);
        }
    }
    for &slot in changed {
        match slot {
            Slot::Variable(_) | Slot::Size(_) => {}
            Slot::Cell(object, position) => {
                let layout = &preparation.layouts[object];
                let cell = &layout.cells()[position];
                let ranges =
                    changes.bytes.entry(object.index()).or_insert_with(|| Some(Vec::new()));
                if layout.has_elements() {
                    *ranges = None;
                } else if let Some(ranges) = ranges {
                    ranges.push((cell.start / 8, (cell.start + cell.extent).div_ceil(8)));
                    *ranges = joined(std::mem::take(ranges));
                }
            }
            Slot::Count(object) | Slot::Current(object) => {
                changes.begins.insert(object.index());
            }
            Slot::Ended(object) => {
                let source = preparation.points_to.objects.sources[object];
                let is_declared = matches!(source, ObjectSource::Declared(_));
                if preparation.layouts[object].has_life || is_declared {
                    changes.ends.insert(object.index());
                }
            }
        }
    }
    changes
}

/// Ranges that touch each other are one.
fn joined(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (start, end) in ranges {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            Some(_) | None => joined.push((start, end)),
        }
    }
    joined
}

/// The bytes of an object that are no cell; `None` for all.
fn gaps(layout: &ObjectLayout, size: Option<u64>) -> Option<Vec<(u64, u64)>> {
    match &layout.shape {
        Shape::Opaque => None,
        Shape::Elements(_) => Some(Vec::new()),
        Shape::Split(cells) => {
            let end = size.unwrap_or(FAR);
            let mut gaps = Vec::new();
            let mut at = 0;
            for cell in cells {
                if cell.start / 8 > at {
                    gaps.push((at, cell.start / 8));
                }
                at = at.max((cell.start + cell.extent).div_ceil(8));
            }
            if end > at {
                gaps.push((at, end));
            }
            Some(gaps)
        }
    }
}
