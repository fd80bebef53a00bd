//! Downward relations: which numbers a node of a tree may have below another.

use heapwright_logic::Sort;
use heapwright_program::sign_extend;

use crate::concrete::{Block, bits_of};
use crate::contains::{Demand, Matching, Search, Tried};
use crate::scope::Scope;
use crate::syntax::{DownwardText, RelationText, TreeText};

impl<'s> Search<'s> {
    /// Compares a node with the one above it, if it has one in its tree, and with what is told of the root and of the node that has the hole.
    pub(super) fn is_related(
        &mut self,
        matching: &mut Matching<'s>,
        (tree, scope): (&TreeText, &Scope),
        (parent, node): (Option<Block>, Block),
        has_hole: bool,
    ) -> Tried<()> {
        for one in &tree.downward {
            let DownwardText { offset, size, .. } = *one;
            // Where nothing was written, there may be any number.
            let Some(held) = bits_of(self.state, node, offset, size) else { continue };
            let above = parent.and_then(|parent| bits_of(self.state, parent, offset, size));
            let width = 8 * size as u32;
            if let Some(above) = above
                && !one.relations.iter().all(|one| fits(*one, width, (above.bits, held.bits)))
            {
                return Err("a node is not related to the one above it".to_owned());
            }
            let root = parent.is_none().then_some(&one.root);
            for text in root.into_iter().chain(one.above.as_ref().filter(|_| has_hole)) {
                let term = self.read(scope, text, Sort::BitVector(width))?;
                matching.demands.push(Demand { term, held });
            }
        }
        Ok(())
    }
}

/// Whether the bits of a node may be above those of another.
fn fits(relation: RelationText, width: u32, (above, below): (u128, u128)) -> bool {
    let signed = |bits| sign_extend(bits, width);
    match relation {
        RelationText::Greater => signed(above) > signed(below),
        RelationText::AtLeast => signed(above) >= signed(below),
        RelationText::Less => signed(above) < signed(below),
        RelationText::AtMost => signed(above) <= signed(below),
        RelationText::NonzeroOverZero => above == 0 || below == 0,
        RelationText::ZeroOverNonzero => above != 0 || below != 0,
        RelationText::OneMore => signed(above) == signed(below.wrapping_add(1)),
    }
}
