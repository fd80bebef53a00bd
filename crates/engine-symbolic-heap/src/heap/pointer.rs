//! Which terms are pointers, by their form, and which blocks a term may speak of.

use heapwright_logic::{BitVectorValue, Operator, Term, TermId};

use crate::heap::block::{Block, BlockId, Cell};
use crate::heap::names::Names;

impl Names<'_> {
    /// The block and offset of a term that is a pointer by its form.
    pub(crate) fn pointer(&mut self, term: TermId) -> Option<(BlockId, TermId)> {
        if let Some(&known) = self.pointers.get(&term) {
            return known;
        }
        let found = self.find_pointer(term);
        self.pointers.insert(term, found);
        found
    }

    fn find_pointer(&mut self, term: TermId) -> Option<(BlockId, TermId)> {
        let bits = self.pointer_bits();
        match self.terms.node(term) {
            Term::Variable(_) => {
                let block = *self.blocks_of_addresses.get(&term)?;
                Some((block, self.terms.bit_vector(0, bits)))
            }
            Term::Binary(Operator::Add, a, b) => {
                if let Some((block, offset)) = self.pointer(a) {
                    if self.pointer(b).is_some() {
                        return None;
                    }
                    return Some((block, self.terms.add(offset, b)));
                }
                let (block, offset) = self.pointer(b)?;
                Some((block, self.terms.add(a, offset)))
            }
            Term::Binary(Operator::Subtract, a, b) => {
                let (block, offset) = self.pointer(a)?;
                if self.pointer(b).is_some() {
                    return None;
                }
                Some((block, self.terms.subtract(offset, b)))
            }
            _ => None,
        }
    }

    pub(crate) fn constant(&self, term: TermId) -> Option<u128> {
        self.terms.as_constant(term).map(BitVectorValue::bits)
    }

    pub(crate) fn truth(&self, term: TermId) -> Option<bool> {
        match self.terms.node(term) {
            Term::Boolean(value) => Some(value),
            _ => None,
        }
    }

    /// A pointer to the start of a block.
    pub(crate) fn pointer_to(&mut self, block: BlockId) -> TermId {
        self.address(block)
    }

    /// The blocks that some of these values may refer to.
    pub(crate) fn may_refer_to(&self, values: &[TermId]) -> Vec<BlockId> {
        let names = self.terms.free_variables(values);
        names.iter().filter_map(|name| self.blocks_of_addresses.get(name).copied()).collect()
    }

    /// Whether some block's address is in a term, or what stands for the link to a neighbour.
    pub(crate) fn holds_address(&self, term: TermId) -> bool {
        let variables = self.terms.free_variables(&[term]);
        variables.iter().any(|variable| {
            self.blocks_of_addresses.contains_key(variable) || self.links.contains(variable)
        })
    }

    /// A link to a node.
    pub(crate) fn link(&mut self, block: BlockId, head: u64) -> TermId {
        let base = self.address(block);
        let offset = self.terms.bit_vector(u128::from(head), self.pointer_bits());
        self.terms.add(base, offset)
    }
}

/// Writes a pointer-sized cell that nothing else overlaps.
pub(crate) fn set_cell(block: &mut Block, offset: u64, value: TermId, names: &Names<'_>) {
    let size = names.model().pointer_size();
    block.cells.insert(offset, Cell { size, value });
}
