//! Rules for arrays: a read looks through the writes below it while it can tell the indices apart.

use crate::arena::Terms;
use crate::term::{Term, TermId};

impl Terms {
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let mut current = array;
        // Ends because each round goes to a child.
        loop {
            match self.node(current) {
                Term::Store(_, at, element) if at == index => return element,
                Term::Store(base, at, _) if self.are_surely_different(at, index) => current = base,
                Term::ConstantArray { element, .. } => {
                    assert_eq!(self.width(index), self.array_widths(array).0, "index width");
                    return element;
                }
                _ => return self.make(Term::Select(current, index)),
            }
        }
    }

    pub fn store(&mut self, array: TermId, index: TermId, element: TermId) -> TermId {
        // Writing back what is there changes nothing.
        if self.node(element) == Term::Select(array, index) {
            return array;
        }
        match self.node(array) {
            Term::Store(base, at, _) if at == index => self.store(base, index, element),
            Term::ConstantArray { element: everywhere, .. } if everywhere == element => array,
            _ => self.make(Term::Store(array, index, element)),
        }
    }

    /// `element` at each index of `index` bits.
    pub fn constant_array(&mut self, element: TermId, index: u32) -> TermId {
        self.make(Term::ConstantArray { element, index })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    fn memory(terms: &mut Terms) -> (TermId, TermId, TermId) {
        let array = terms.variable("memory", Sort::Array { index: 32, element: 8 });
        let address = terms.variable("p", Sort::BitVector(32));
        let byte = terms.variable("b", Sort::BitVector(8));
        (array, address, byte)
    }

    #[test]
    fn a_read_passes_writes_at_other_offsets_of_the_same_base() {
        let mut terms = Terms::new();
        let (array, address, byte) = memory(&mut terms);
        let four = terms.bit_vector(4, 32);
        let next = terms.add(address, four);
        let written = terms.store(array, next, byte);
        let expected = terms.select(array, address);
        assert_eq!(terms.select(written, address), expected);
        assert_eq!(terms.select(written, next), byte);
    }

    #[test]
    fn a_read_stops_at_a_write_that_may_be_at_its_index() {
        let mut terms = Terms::new();
        let (array, address, byte) = memory(&mut terms);
        let other = terms.variable("q", Sort::BitVector(32));
        let written = terms.store(array, other, byte);
        let read = terms.select(written, address);
        assert_eq!(terms.node(read), Term::Select(written, address));
    }

    #[test]
    fn a_second_write_replaces_the_first() {
        let mut terms = Terms::new();
        let (array, address, byte) = memory(&mut terms);
        let zero = terms.bit_vector(0, 8);
        let first = terms.store(array, address, byte);
        let second = terms.store(first, address, zero);
        assert_eq!(second, terms.store(array, address, zero));
    }
}
