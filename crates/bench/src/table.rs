//! A table in plain text: the first columns to the left, numbers to the right.

use std::io::{self, Write};

/// Rows of cells with a heading.
#[derive(Debug)]
pub(crate) struct Table {
    left_columns: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Starts a table; the first `left_columns` columns hold text, the others numbers.
    pub(crate) fn new(left_columns: usize, heading: Vec<String>) -> Table {
        Table { left_columns, rows: vec![heading] }
    }

    pub(crate) fn add(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let widths: Vec<usize> = (0..columns).map(|column| self.width(column)).collect();
        for row in &self.rows {
            let cells: Vec<String> =
                (0..row.len()).map(|column| self.cell(row, column, widths[column])).collect();
            writeln!(out, "{}", cells.join("  ").trim_end())?;
        }
        Ok(())
    }

    fn width(&self, column: usize) -> usize {
        let lengths = self.rows.iter().filter_map(|row| row.get(column));
        lengths.map(|cell| cell.chars().count()).max().unwrap_or_default()
    }

    fn cell(&self, row: &[String], column: usize, width: usize) -> String {
        let text = &row[column];
        if column < self.left_columns {
            format!("{text:<width$}")
        } else {
            format!("{text:>width$}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligns_columns() {
        let cells = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let mut table = Table::new(1, cells(&["folder", "runs"]));
        table.add(cells(&["a", "1000000"]));
        table.add(cells(&["long name", "2"]));
        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        let expected = "folder        runs\na          1000000\nlong name        2\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
