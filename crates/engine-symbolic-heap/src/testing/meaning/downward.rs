//! Downward relations: whether the numbers of concrete nodes are what a tree says of them.

use heapwright_memory as concrete;
use heapwright_program::sign_extend;

use super::{Demand, Matching, Mismatch, Walk};
use crate::heap::downward::Relation;
use crate::heap::tree::Tree;

impl Walk<'_, '_, '_, '_> {
    /// A node is related to the one above it, if it is not the root, whose number a tree tells; and so is that of the node that has the hole.
    pub(super) fn check_downward(
        &mut self,
        matching: &mut Matching,
        tree: &Tree,
        (parent, node): (Option<concrete::BlockId>, concrete::BlockId),
        has_hole: bool,
    ) -> Result<(), Mismatch> {
        for one in &tree.downward {
            let (offset, size) = (one.place.offset, one.place.size);
            let held = self.read(node, offset, size);
            let above = parent.and_then(|parent| self.read(parent, offset, size));
            let number = |value: concrete::Value| sign_extend(value.low.into(), 8 * size as u32);
            if let (Some(above), Some(held)) = (above, held)
                && !one
                    .relations
                    .iter()
                    .all(|one| are_related(*one, size, (number(above), number(held))))
            {
                return Err("nodes are not related as their tree says".to_owned());
            }
            let root = parent.is_none().then_some(one.root);
            for term in root.into_iter().chain(one.above_hole.filter(|_| has_hole)) {
                matching.demands.extend(held.map(|value| Demand { term, value }));
            }
        }
        Ok(())
    }
}

fn are_related(relation: Relation, size: u64, (node, child): (i128, i128)) -> bool {
    match relation {
        Relation::Greater => node > child,
        Relation::AtLeast => node >= child,
        Relation::Less => node < child,
        Relation::AtMost => node <= child,
        Relation::NonzeroOverZero => node == 0 || child == 0,
        Relation::ZeroOverNonzero => node != 0 || child != 0,
        Relation::OneMore => node == sign_extend((child + 1) as u128, 8 * size as u32),
    }
}
