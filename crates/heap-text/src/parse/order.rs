//! `strictly ascending by unsigned +OFFSET/SIZE` in the first line of a list or a tree, and its numbers below.

use crate::parse::{Line, Parsed, place_text};
use crate::syntax::{Direction, OrderText, TermText, TreeOrderText};

/// What the first line says.
pub(super) struct OrderWords {
    direction: Direction,
    is_strict: bool,
    is_unsigned: bool,
    offset: u64,
    size: u64,
}

/// What follows behind `strictly ascending by`.
pub(super) fn order_words(
    line: Line<'_>,
    (direction, is_strict): (&str, bool),
    how: &[&str],
) -> Parsed<OrderWords> {
    let direction = match direction {
        "ascending" => Direction::Ascending,
        _ => Direction::Descending,
    };
    let (is_unsigned, place) = match how {
        [place] => (false, place),
        ["unsigned", place] => (true, place),
        _ => return Err(line.error("sorted by which place, `+OFFSET/SIZE`?")),
    };
    let (offset, size) = place_text(line, place)?;
    Ok(OrderWords { direction, is_strict, is_unsigned, offset, size })
}

pub(super) fn order_text(
    line: Line<'_>,
    words: Option<OrderWords>,
    ends: (Option<TermText>, Option<TermText>),
) -> Parsed<Option<OrderText>> {
    match (words, ends) {
        (Some(words), (Some(first), Some(last))) => {
            let OrderWords { direction, is_strict, is_unsigned, offset, size } = words;
            Ok(Some(OrderText { direction, is_strict, is_unsigned, offset, size, first, last }))
        }
        (None, (None, None)) => Ok(None),
        _ => Err(line.error("a sorted list or tree has a `first` and a `last`, others do not")),
    }
}

pub(super) fn tree_order_text(
    line: Line<'_>,
    order: Option<OrderText>,
    (before, behind): (Option<TermText>, Option<TermText>),
    (links, has_hole): (usize, bool),
) -> Parsed<Option<TreeOrderText>> {
    let is_beside = before.is_some() || behind.is_some();
    if is_beside != (order.is_some() && has_hole) {
        let text = "a tree has a `before` or a `behind` if it is sorted and has an `end`";
        return Err(line.error(text));
    }
    if order.is_some() && links != 2 {
        return Err(line.error("only a tree with two links is sorted"));
    }
    Ok(order.map(|order| TreeOrderText { order, before, behind }))
}
