//! How the nodes of a list or a tree are sorted, in words and on cards.

use heapwright_heap_text::{Direction, OrderText};

use crate::fields::Fields;

/// How nodes are sorted: `ascend strictly by `key``.
pub(crate) fn order_words(fields: &Fields<'_>, id: &str, order: &OrderText) -> String {
    let direction = match order.direction {
        Direction::Ascending => "ascend",
        Direction::Descending => "descend",
    };
    let key = fields.name(id, order.offset);
    let strictly = if order.is_strict { " strictly" } else { "" };
    let unsigned = if order.is_unsigned { ", read without a sign" } else { "" };
    format!("{direction}{strictly} by `{key}`{unsigned}")
}

/// How nodes are sorted.
pub(crate) fn order_pill(order: &OrderText, fields: &Fields<'_>, id: &str) -> String {
    let direction = match order.direction {
        Direction::Ascending => "ascending",
        Direction::Descending => "descending",
    };
    let strictly = if order.is_strict { "strictly " } else { "" };
    let unsigned = if order.is_unsigned { "unsigned " } else { "" };
    format!("{strictly}{direction} by {unsigned}{}", fields.name(id, order.offset))
}
