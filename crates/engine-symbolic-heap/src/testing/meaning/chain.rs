//! Segments: which concrete chains an abstract one stands for.
//!
//! For every length that the chain may have, the segment is written out as that many nodes, each of
//! some prototype. Then it is matched like any other state.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_memory as concrete;
use heapwright_program::sign_extend;

use super::{Demand, Matching, Mismatch, TOO_MANY_WAYS, Walk};
use crate::heap::block::{Block, BlockId, End};
use crate::heap::language::PrototypeSet;
use crate::heap::order::{Direction, Order, Signedness, Sorted, Strictness};
use crate::heap::prototype::Neighbours;
use crate::heap::segment::Segment;
use crate::heap::state::State;
use crate::summary::list::composite::path_to_link;
use crate::summary::list::links::offsets_in_prototypes;

/// A segment that is being written out.
struct Chain<'s> {
    segment: &'s Segment,
    nodes: Vec<concrete::BlockId>,
    /// The names that the nodes get.
    names: Vec<BlockId>,
}

impl Walk<'_, '_, '_, '_> {
    /// A segment: the concrete chain that starts at `first`, with each length that it may have.
    pub(super) fn segment(
        &mut self,
        matching: &Matching,
        block: BlockId,
        segment: &Segment,
        first: concrete::BlockId,
    ) -> Result<Matching, Mismatch> {
        let offsets =
            offsets_in_prototypes(&mut self.reasoner.names, &segment.prototypes, |its| its.next);
        let mut ways: Vec<Vec<u64>> = offsets.iter().map(|&offset| vec![offset]).collect();
        for prototype in &segment.prototypes {
            ways.extend(
                path_to_link(&mut self.reasoner.names, prototype)
                    .map(|(first, last)| vec![first, last]),
            );
        }
        let mut problem = format!("{block} has too few nodes");
        let mut chains = vec![vec![first]];
        // Ends because a chain of different blocks does.
        while let Some(nodes) = chains.pop() {
            if nodes.len() >= segment.minimum as usize {
                match self.write_out(matching, block, segment, &nodes) {
                    Ok(matching) => return Ok(matching),
                    Err(mismatch) => problem = format!("{mismatch} ({} nodes)", nodes.len()),
                }
            }
            let last = nodes[nodes.len() - 1];
            for way in ways.iter().rev() {
                let following = way.iter().try_fold(last, |block, &offset| {
                    let next =
                        self.read(block, offset, self.reasoner.names.model().pointer_size())?;
                    let base = self.masked(next.low.wrapping_sub(segment.head));
                    let id = self.machine.memory().lookup(base)?;
                    let record = self.machine.memory().block(id);
                    (record.base == base && record.is_live_heap()).then_some(id)
                });
                if let Some(id) = following
                    && !nodes.contains(&id)
                    && !matching.taken.contains(&id)
                {
                    chains.push(nodes.iter().copied().chain([id]).collect());
                }
            }
        }
        Err(problem)
    }

    /// A segment without nodes: its name is null.
    pub(super) fn no_node(
        &mut self,
        matching: &mut Matching,
        block: BlockId,
    ) -> Result<(), Mismatch> {
        let length = self.state.block(block).end(End::Length);
        let none = concrete::Value::from_low(0);
        matching.demands.extend(length.map(|term| Demand { term, value: none }));
        self.set_address(matching, block, 0)
    }

    /// The segment is exactly these nodes.
    fn write_out(
        &mut self,
        matching: &Matching,
        block: BlockId,
        segment: &Segment,
        nodes: &[concrete::BlockId],
    ) -> Result<Matching, Mismatch> {
        let mut state = self.state.clone();
        let mut matching = matching.clone();
        let mut names = vec![block];
        for _ in 1..nodes.len() {
            names.push(state.new_block_id());
        }
        if let Some(last) = segment.last {
            let node = nodes[nodes.len() - 1];
            state.blocks.remove(&last);
            if nodes.len() == 1 {
                // The first node is the last one, by another name.
                let base = self.machine.memory().block(node).base;
                self.set_address(&mut matching, last, base)?;
                matching.blocks.insert(last, node);
            } else {
                names[nodes.len() - 1] = last;
            }
        }
        if let Some(term) = segment.length {
            let value = concrete::Value::from_low(nodes.len() as u64);
            matching.demands.push(Demand { term, value });
        }
        self.check_order(&mut matching, segment, nodes)?;
        self.note_spellings(&mut matching, segment, nodes);
        let chain = Chain { segment, nodes: nodes.to_vec(), names };
        let firsts = segment.words().firsts;
        self.choose_kinds(&chain, 0, firsts, &state, &matching)
    }

    /// The numbers of a sorted segment.
    fn check_order(
        &mut self,
        matching: &mut Matching,
        segment: &Segment,
        nodes: &[concrete::BlockId],
    ) -> Result<(), Mismatch> {
        let Some(Sorted { order, first, last }) = segment.order else { return Ok(()) };
        let Order { offset, size, .. } = order;
        for (term, node) in [(first, nodes.first()), (last, nodes.last())] {
            let value = node.and_then(|&node| self.read(node, offset, size));
            if let Some(value) = value {
                matching.demands.push(Demand { term, value });
            }
        }
        self.check_row(order, nodes)
    }

    /// The numbers of nodes that come one behind the other.
    pub(super) fn check_row(
        &mut self,
        order: Order,
        nodes: &[concrete::BlockId],
    ) -> Result<(), Mismatch> {
        let Order { offset, size, signedness, direction, strictness } = order;
        let number = |bits: u128| match signedness {
            Signedness::Signed => sign_extend(bits, 8 * size as u32),
            Signedness::Unsigned => bits as i128,
        };
        let numbers = nodes
            .iter()
            .map(|&node| self.read(node, offset, size).map(|value| number(value.low.into())));
        let numbers: Vec<Option<i128>> = numbers.collect();
        let is_apart = |pair: &[Option<i128>]| {
            strictness == Strictness::Loose || pair[0].is_none() || pair[0] != pair[1]
        };
        let is_in_order = |pair: &[Option<i128>]| match (pair[0], pair[1], direction) {
            (Some(one), Some(next), Direction::Up) => one <= next,
            (Some(one), Some(next), Direction::Down) => next <= one,
            (None, _, _) | (_, None, _) => true,
        };
        match numbers.windows(2).all(|pair| is_in_order(pair) && is_apart(pair)) {
            true => Ok(()),
            false => Err("nodes are not sorted".to_owned()),
        }
    }

    /// The nodes from some index on, each of some prototype; the first of them of one of `allowed`.
    fn choose_kinds(
        &mut self,
        chain: &Chain<'_>,
        index: usize,
        allowed: PrototypeSet,
        state: &State,
        matching: &Matching,
    ) -> Result<Matching, Mismatch> {
        if index == chain.nodes.len() {
            let mut walk = Walk {
                reasoner: &mut *self.reasoner,
                state,
                machine: self.machine,
                patience: self.patience,
            };
            return walk.settle(matching.clone());
        }
        let mut problem = "a segment without kinds".to_owned();
        let words = chain.segment.words();
        for (number, prototype) in chain.segment.prototypes.iter().enumerate() {
            let is_last = index + 1 == chain.nodes.len();
            if !allowed.has(number) || (is_last && !words.lasts.has(number)) {
                continue;
            }
            let Some(left) = self.patience.get().checked_sub(1) else {
                return Err(TOO_MANY_WAYS.to_owned());
            };
            self.patience.set(left);
            let mut state = state.clone();
            let (name, node) = (chain.names[index], chain.nodes[index]);
            let neighbours = self.neighbours(chain, index);
            let fragment = self.reasoner.names.open_in(&mut state, prototype, name, neighbours);
            let mut blocks = fragment.blocks.into_iter();
            let (_, root) = blocks.next().expect("a prototype has a node");
            state.blocks.extend(blocks);
            state.blocks.insert(name, Arc::clone(&root));
            state.condition.extend(fragment.condition);
            let mut attempt = matching.clone();
            let mut walk = Walk {
                reasoner: &mut *self.reasoner,
                state: &state,
                machine: self.machine,
                patience: self.patience,
            };
            let is_of_kind = walk.is_node(&mut attempt, index, name, &root, node);
            let following = words.follows[number];
            let chosen = is_of_kind
                .and_then(|()| self.choose_kinds(chain, index + 1, following, &state, &attempt));
            match chosen {
                Ok(matching) => return Ok(matching),
                Err(mismatch) => problem = mismatch,
            }
        }
        Err(problem)
    }

    /// What the node itself demands; early, so that a wrong prototype is soon found out.
    fn is_node(
        &mut self,
        matching: &mut Matching,
        index: usize,
        name: BlockId,
        root: &Block,
        node: concrete::BlockId,
    ) -> Result<(), Mismatch> {
        if index > 0 {
            let base = self.machine.memory().block(node).base;
            self.set_address(matching, name, base)?;
            self.take(matching, node, name)?;
            matching.blocks.insert(name, node);
        }
        self.contents(matching, root, node, &BTreeSet::new())?;
        let is_single =
            |state: &State, pair: &(BlockId, concrete::BlockId)| state.block(pair.0).is_single();
        loop {
            if let Some(demand) = matching.demands.pop() {
                self.demand(matching, demand)?;
            } else if matching.pairs.last().is_some_and(|pair| is_single(self.state, pair)) {
                let (block, id) = matching.pairs.pop().expect("there is a last one");
                self.contents(matching, self.state.block(block), id, &BTreeSet::new())?;
            } else {
                return Ok(());
            }
        }
    }

    /// What a node has as its neighbours.
    fn neighbours(&mut self, chain: &Chain<'_>, index: usize) -> Neighbours {
        let Chain { segment, names, .. } = chain;
        let ends = segment.neighbours();
        let next = match names.get(index + 1) {
            Some(&next) => self.reasoner.names.link(next, segment.head),
            None => ends.next,
        };
        let previous = match index {
            0 => ends.previous,
            _ => self.reasoner.names.link(names[index - 1], segment.back),
        };
        Neighbours { next, previous }
    }
}
