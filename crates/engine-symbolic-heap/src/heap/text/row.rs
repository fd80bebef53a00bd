//! Rows and slots of arrays from the trees of their texts.

use std::sync::Arc;

use imbl::OrdSet;

use crate::heap::block::{End, Origin, Prototype};
use crate::heap::role::Summary as _;
use crate::heap::row::{Row, Slot};
use crate::heap::text::build::Read;
use crate::heap::text::build_block::EndTerms;
use crate::heap::text::parse::Piece;

/// `row by STRIDE`, with `of`, `from` and `to`
pub(super) fn parse_row(
    part: &Piece<'_>,
    ends: &EndTerms,
    prototypes: Vec<Arc<Prototype>>,
    origins: OrdSet<Origin>,
) -> Read<Row> {
    let wrong = || part.error("not `row by STRIDE` with `of`, `from`, `to` and kinds of elements");
    let stride = part.after("row by ").and_then(|stride| stride.text.parse().ok());
    let end = |end: End| ends.get(&end).copied().ok_or_else(wrong);
    let (array, from, to) = (end(End::Array)?, end(End::From)?, end(End::To)?);
    let stride = stride.ok_or_else(wrong)?;
    let row = Row { array, from, to, stride, prototypes, origins };
    let is_right = ends.len() == 3 && row.is_well_formed();
    if is_right { Ok(row) } else { Err(wrong()) }
}

/// `slot`, with `of` and `from`
pub(super) fn parse_slot(part: &Piece<'_>, ends: &EndTerms) -> Read<Slot> {
    let wrong = || part.error("a slot has an `of` and a `from`");
    let end = |end: End| ends.get(&end).copied().ok_or_else(wrong);
    let (array, at) = (end(End::Array)?, end(End::From)?);
    if ends.len() == 2 { Ok(Slot { array, at }) } else { Err(wrong()) }
}
