//! Elements of arrays: rows and slots, with their array and their places.

use crate::parse::{Line, Parsed};
use crate::syntax::{CellText, KindText, RowText, Shape, SlotText, TermText};

/// The array of elements, and from where to where they are.
pub(super) type Places = (Option<TermText>, Option<TermText>, Option<TermText>);

pub(super) fn row_text(
    line: Line<'_>,
    (stride, kinds): (u64, Vec<KindText>),
    at: Places,
) -> Parsed<Shape> {
    match at {
        (Some(array), Some(from), Some(to)) => {
            Ok(Shape::Row(RowText { stride, array, from, to, kinds }))
        }
        _ => Err(line.error("a row has an `of`, a `from` and a `to`")),
    }
}

pub(super) fn slot_text(line: Line<'_>, cells: Vec<CellText>, at: Places) -> Parsed<Shape> {
    match at {
        (Some(array), Some(at), None) => Ok(Shape::Slot(SlotText { array, at, cells })),
        _ => Err(line.error("a slot has an `of` and a `from`")),
    }
}
