//! Truth values in rows of one length, all in one piece: a copy is cheap, and a place is a row and a column.

use std::ops::{Index, IndexMut};

use crate::truth::Truth;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    width: usize,
    values: Vec<Truth>,
}

impl Table {
    /// So many rows of so many values that are all false.
    pub(crate) fn new(rows: usize, width: usize) -> Table {
        Table { width, values: vec![Truth::No; rows * width] }
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &[Truth]> {
        self.values.chunks_exact(self.width)
    }

    /// With one value more at the end of each row: a copy of the one in this column.
    pub(crate) fn with_column(&self, column: usize) -> Table {
        let mut values = Vec::with_capacity(self.values.len() + 2 * self.width + 1);
        for row in self.rows() {
            values.extend_from_slice(row);
            values.push(row[column]);
        }
        Table { width: self.width + 1, values }
    }

    /// With a copy of a row behind the last one.
    pub(crate) fn with_row(mut self, row: usize) -> Table {
        let start = row * self.width;
        self.values.extend_from_within(start..start + self.width);
        self
    }

    pub(crate) fn without_column(&self, column: usize) -> Table {
        let mut values = Vec::with_capacity(self.values.len());
        for row in self.rows() {
            values.extend_from_slice(&row[..column]);
            values.extend_from_slice(&row[column + 1..]);
        }
        Table { width: self.width - 1, values }
    }

    pub(crate) fn without_row(mut self, row: usize) -> Table {
        let start = row * self.width;
        self.values.drain(start..start + self.width);
        self
    }
}

impl Index<usize> for Table {
    type Output = [Truth];
    #[inline]
    fn index(&self, row: usize) -> &[Truth] {
        &self.values[row * self.width..(row + 1) * self.width]
    }
}

impl IndexMut<usize> for Table {
    #[inline]
    fn index_mut(&mut self, row: usize) -> &mut [Truth] {
        &mut self.values[row * self.width..(row + 1) * self.width]
    }
}
