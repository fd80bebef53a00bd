//! Columns as other tools count them: characters, where we count bytes.

use heapwright_trace::Sources;

use crate::position::Position;

/// The column of a position, in characters from 1.
pub(crate) fn character_column(sources: &mut Sources, position: &Position) -> u32 {
    let line = sources.file(&position.file).and_then(|text| text.line(position.line));
    in_line(line.unwrap_or_default(), position.column)
}

/// The same where the line is at hand. A column behind the line stays as far behind it.
pub(crate) fn in_line(line: &str, column: u32) -> u32 {
    let bytes = (column as usize).saturating_sub(1);
    match line.get(..bytes) {
        Some(before) => before.chars().count() as u32 + 1,
        None => column.max(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        assert_eq!(in_line("/* é */ free(p);", 10), 9);
        assert_eq!(in_line("free(p);", 1), 1);
        assert_eq!(in_line("", 7), 7);
    }
}
