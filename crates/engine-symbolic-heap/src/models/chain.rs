//! Segments: which concrete chains an abstract one stands for.

use std::collections::BTreeSet;

use heapwright_base::DenseId;
use heapwright_memory as concrete;

use super::{Demand, Matching, Mismatch, Walk};
use crate::state::{Block, BlockId, Segment};

impl Walk<'_, '_, '_, '_> {
    /// A segment: the concrete chain that starts at `first`, with each length that it may have.
    pub(super) fn segment(
        &mut self,
        matching: &Matching,
        block: BlockId,
        item: &Block,
        segment: &Segment,
        first: concrete::BlockId,
    ) -> Result<Matching, Mismatch> {
        let mut nodes = vec![first];
        let mut problem = format!("{block} has too few nodes");
        // Ends because a chain of different blocks does.
        loop {
            if nodes.len() >= segment.minimum as usize {
                let mut attempt = matching.clone();
                let chained = self.chain(&mut attempt, item, segment, &nodes);
                match chained.and_then(|()| self.settle(attempt)) {
                    Ok(matching) => return Ok(matching),
                    Err(mismatch) => problem = format!("{mismatch} ({} nodes)", nodes.len()),
                }
            }
            let last = nodes[nodes.len() - 1];
            let next = self.read(last, segment.next, self.context.model().pointer_size());
            let base = next.map(|next| self.masked(next.low.wrapping_sub(segment.head)));
            let following = base.and_then(|base| {
                let id = self.machine.memory().lookup(base)?;
                let record = self.machine.memory().block(id);
                (record.base == base && record.is_live_heap()).then_some(id)
            });
            match following {
                Some(id) if !nodes.contains(&id) && !matching.taken.contains(&id) => nodes.push(id),
                _ => return Err(problem),
            }
        }
    }

    /// The segment is exactly these nodes.
    fn chain(
        &mut self,
        matching: &mut Matching,
        item: &Block,
        segment: &Segment,
        nodes: &[concrete::BlockId],
    ) -> Result<(), Mismatch> {
        let pointer = self.context.model().pointer_size();
        let links = [Some(segment.next), segment.previous.map(|(offset, _)| offset)];
        let links = links.into_iter().flatten();
        let special: BTreeSet<u64> =
            links.chain(segment.each.keys().copied()).chain(segment.own.keys().copied()).collect();
        let base = |walk: &Self, index: usize| walk.machine.memory().block(nodes[index]).base;
        for (index, &node) in nodes.iter().enumerate() {
            if index > 0 {
                self.take(matching, node, BlockId::from_index(0))?;
            }
            self.contents(matching, item, node, &special)?;
            for (&offset, each) in &segment.each {
                if let Some(value) = self.read(node, offset, each.size) {
                    let bits = 8 * each.size as u32;
                    let number = heapwright_program::sign_extend(value.wide(), bits);
                    if number < each.range.low || number > each.range.high {
                        return Err(format!("{number} at {offset} is not in {:?}", each.range));
                    }
                }
            }
            for (&offset, &target) in &segment.own {
                let value = self.read(node, offset, pointer);
                let own = self.masked(base(self, index).wrapping_add(target));
                if value.is_some_and(|value| value.low != own) {
                    return Err(format!("the cell at {offset} does not point into its node"));
                }
            }
            if let Some((previous, _)) = segment.previous
                && index > 0
            {
                let expected = self.masked(base(self, index - 1).wrapping_add(segment.head));
                if self.read(node, previous, pointer).is_none_or(|value| value.low != expected) {
                    return Err("a link back leads elsewhere".to_owned());
                }
            }
        }
        let ends = [
            (nodes[nodes.len() - 1], Some(segment.next)),
            (nodes[0], segment.previous.map(|(offset, _)| offset)),
        ];
        for (node, offset) in ends {
            if let Some(offset) = offset
                && let Some(cell) = item.cells.get(&offset)
                && let Some(value) = self.read(node, offset, cell.size)
            {
                matching.demands.push(Demand { term: cell.value, value });
            }
        }
        if let Some((_, last)) = segment.previous {
            let base = base(self, nodes.len() - 1);
            self.set_address(matching, last, base)?;
            matching.blocks.insert(last, nodes[nodes.len() - 1]);
        }
        Ok(())
    }
}
