//! Bytes: what a range of a block holds, and what a write leaves of cells that it touches.

use crate::automaton::{Cell, Value};
use crate::forest::{Base, Cells};

/// What so many bytes hold. A number may be read from several cells or from a part of one, a pointer only whole.
#[must_use]
pub fn read(cells: &Cells, offset: u64, width: u64) -> Value<Base> {
    if let Some(cell) = cells.get(&offset).filter(|cell| cell.width == width) {
        return cell.holds;
    }
    let mut bits: u128 = 0;
    for index in 0..width {
        let at = offset + index;
        let Some((start, cell)) = cells.range(..=at).next_back() else { return Value::Any };
        let Value::Bits(held) = cell.holds else { return Value::Any };
        if at - start >= cell.width || index >= 16 && held != 0 {
            return Value::Any;
        }
        let byte = u32::try_from(8 * (at - start)).ok().and_then(|by| held.checked_shr(by));
        let byte = byte.unwrap_or(0) & 0xff;
        bits |= byte.checked_shl((8 * index) as u32).filter(|_| index < 16).unwrap_or(0);
    }
    Value::Bits(bits)
}

/// Writes so many bytes. Of a run of zeros that is touched, the rest stays; other cells are forgotten.
pub fn write(cells: &mut Cells, offset: u64, width: u64, value: Value<Base>) {
    let end = offset + width;
    let is_touched = |(start, cell): (&u64, &Cell<Value<Base>>)| {
        (*start < end && offset < start + cell.width).then_some((*start, cell.clone()))
    };
    let touched: Vec<_> = cells.iter().filter_map(is_touched).collect();
    for (start, cell) in touched {
        cells.remove(&start);
        if cell.holds == Value::NULL {
            let zeros = |width| Cell { width, holds: Value::NULL };
            if start < offset {
                cells.insert(start, zeros(offset - start));
            }
            if end < start + cell.width {
                cells.insert(end, zeros(start + cell.width - end));
            }
        }
    }
    if value != Value::Any && width > 0 {
        cells.insert(offset, Cell { width, holds: value });
    }
}
