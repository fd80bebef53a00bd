//! Sorted trees: which numbers the nodes of one may have, from left to right.
//!
//! On the way down it is known which nodes come right before and right behind all that is below a node: those where the way
//! turned last. So each node is compared with two others, and where nothing is below a link, it is known what is next to it.

use heapwright_logic::Sort;

use crate::concrete::{Block, Held, bits_of};
use crate::contains::{Demand, Matching, Search, Tried};
use crate::scope::Scope;
use crate::syntax::{OrderText, TermText, TreeOrderText, TreeText};

/// What comes next on one side.
#[derive(Clone, Copy, Debug)]
pub(super) enum Neighbour {
    /// No node of the tree.
    Nobody,
    /// A node with this number.
    Node(Held),
    /// A node, where no number was written.
    Unwritten,
}

impl<'s> Search<'s> {
    /// Compares a node with what is around it and all below it; which of its links are the hole, and below which is nothing. Gives what is around all below each link.
    pub(super) fn in_order(
        &mut self,
        matching: &mut Matching<'s>,
        (sorted, scope): (&TreeOrderText, &Scope),
        (tree, node): (&TreeText, Block),
        (before, behind): (Neighbour, Neighbour),
        (is_hole, is_empty): (&dyn Fn(u64) -> bool, &[bool]),
    ) -> Tried<Vec<(Neighbour, Neighbour)>> {
        let TreeOrderText { order, .. } = sorted;
        let held = bits_of(self.state, node, order.offset, order.size);
        let number = held.map_or(Neighbour::Unwritten, Neighbour::Node);
        if !may_follow(order, before, number) || !may_follow(order, number, behind) {
            return Err("a tree is not sorted".to_owned());
        }
        let arounds = vec![(before, number), (number, behind)];
        let ends = [&order.first, &order.last];
        for (index, &link) in tree.children.iter().enumerate() {
            let (left, right) = arounds[index];
            if is_hole(link) {
                self.beside_hole(matching, (sorted.before.as_ref(), scope), order, left)?;
                self.beside_hole(matching, (sorted.behind.as_ref(), scope), order, right)?;
            }
            let outer = if index == 0 { left } else { right };
            if let (true, Neighbour::Nobody, Neighbour::Node(held)) =
                (is_empty[index], outer, number)
            {
                let sort = Sort::BitVector(8 * order.size as u32);
                let term = self.read(scope, ends[index], sort)?;
                matching.demands.push(Demand { term, held });
            }
        }
        Ok(arounds)
    }

    /// What a text says of the node next to the hole on one side.
    fn beside_hole(
        &mut self,
        matching: &mut Matching<'s>,
        (text, scope): (Option<&TermText>, &Scope),
        order: &OrderText,
        neighbour: Neighbour,
    ) -> Tried<()> {
        match (text, neighbour) {
            (Some(text), Neighbour::Node(held)) => {
                let term = self.read(scope, text, Sort::BitVector(8 * order.size as u32))?;
                matching.demands.push(Demand { term, held });
                Ok(())
            }
            (None, Neighbour::Nobody) | (Some(_), Neighbour::Unwritten) => Ok(()),
            (Some(_), Neighbour::Nobody) | (None, Neighbour::Node(_) | Neighbour::Unwritten) => {
                Err("the hole of a tree has nodes on other sides".to_owned())
            }
        }
    }
}

/// Whether one node may come right before another.
fn may_follow(order: &OrderText, one: Neighbour, next: Neighbour) -> bool {
    let (Neighbour::Node(one), Neighbour::Node(next)) = (one, next) else { return true };
    order.allows(one.bits, next.bits)
}
