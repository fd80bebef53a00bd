//! Arrays of pointers: the array leads to its elements, each of these to blocks of its own.

use heapwright_heap_text::{HeapText, KindText, RowText, Shape};

use crate::of_heap_text::plain_term;
use crate::scene::{Card, Kind, Row, Shown, Tone};

/// The rows and slots of a block, as rows of its card.
pub(crate) fn elements_of(heap: &HeapText, array: &str) -> Vec<Row> {
    let address = format!("&{array}");
    let row = |label: String, block: &str| {
        let target = block.to_owned();
        Row::new(label, Shown::Link { target, inside: None, is_stale: false })
    };
    let blocks = heap.body.blocks.iter();
    blocks
        .filter_map(|block| match &block.shape {
            Shape::Row(text) if text.array == address => Some(row(places(text), &block.name)),
            Shape::Slot(text) if text.array == address => {
                Some(row(format!("[{}]", index(&text.at, 8)), &block.name))
            }
            Shape::Plain(_)
            | Shape::LastOf(_)
            | Shape::List(_)
            | Shape::Tree(_)
            | Shape::Instance(_)
            | Shape::Row(_)
            | Shape::Slot(_) => None,
        })
        .collect()
}

/// What elements of a row are: one row for each sort that leads somewhere.
pub(crate) fn row_card(card: &mut Card, text: &RowText, shown: &dyn Fn(&str) -> Shown) {
    card.kind = Kind::Many;
    "each element".clone_into(&mut card.title);
    card.pills.push((Tone::Fact, places(text)));
    if text.kinds.iter().any(is_null) {
        card.pills.push((Tone::Fact, "or NULL".to_owned()));
    }
    for kind in text.kinds.iter().filter(|kind| !is_null(kind)) {
        let Shape::Plain(cells) = &kind.body.blocks[0].shape else { continue };
        for cell in cells {
            card.rows.push(Row::new("leads to", shown(&cell.value)));
        }
    }
}

/// From which element to before which: `[0 … n)`.
pub(crate) fn places(text: &RowText) -> String {
    format!("[{} … {})", index(&text.from, text.stride), index(&text.to, text.stride))
}

/// Whether an element of this kind leads nowhere.
pub(crate) fn is_null(kind: &KindText) -> bool {
    let node = &kind.body.blocks[0];
    matches!(&node.shape, Shape::Plain(cells) if cells.iter().all(|cell| cell.value == "0"))
}

/// A place in bytes as an index, where its form tells.
pub(crate) fn index(place: &str, stride: u64) -> String {
    let place = plain_term(place);
    if let Ok(bytes) = place.parse::<u64>()
        && bytes % stride == 0
    {
        return (bytes / stride).to_string();
    }
    let shift = format!(" << {}", stride.trailing_zeros());
    let (base, more) = match place.strip_prefix('(').and_then(|rest| rest.split_once(") + ")) {
        Some((base, more)) => (base.to_owned(), more.parse::<i64>().ok()),
        None => (place.clone(), Some(0)),
    };
    match (base.strip_suffix(&shift), more) {
        (Some(number), Some(0)) => number.to_owned(),
        (Some(number), Some(more)) if more % stride as i64 == 0 => {
            format!("{number} + {}", more / stride as i64)
        }
        _ => format!("byte {place}"),
    }
}

#[cfg(test)]
mod tests {
    use super::index;

    #[test]
    fn places_are_told_as_indices() {
        assert_eq!(index("0", 8), "0");
        assert_eq!(index("24", 8), "3");
        assert_eq!(index("zext64(n3) << 3", 8), "n3");
        assert_eq!(index("(sext64(n3) << 3) + 8", 8), "n3 + 1");
        assert_eq!(index("n3", 8), "byte n3");
    }
}
