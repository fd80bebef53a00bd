//! Lists: which chains of blocks one stands for.
//!
//! Node by node: each is of some kind, and is the last one or has a next one. The next one is where
//! the node's own cells, or those of what it owns, say that `next` is.

use std::rc::Rc;

use heapwright_logic::{Sort, TermId};

use crate::concrete::{Block, Held, bits_of};
use crate::contains::{Demand, InstanceId, Matching, Open, Search, Tried};
use crate::scope::{Scope, declare};
use crate::syntax::{KindText, ListText, Shape};

/// A list that has been followed up to a node.
#[derive(Clone, Debug)]
pub(super) struct Link {
    list: InstanceId,
    /// The node that comes before, and its kind.
    node: Block,
    kind: usize,
    /// Nodes so far.
    count: u32,
    /// What the node has as `next`.
    next: TermId,
}

/// A node that a list comes to.
#[derive(Clone, Copy, Debug)]
struct Step {
    list: InstanceId,
    node: Block,
    /// The node before it, and its kind.
    before: Option<(Block, usize)>,
    /// Nodes, this one included.
    count: u32,
}

impl<'s> Search<'s> {
    /// A list has no node: its name is what stands at its end, which is null.
    pub(super) fn no_node(&mut self, matching: &mut Matching<'s>, list: InstanceId) -> Tried<()> {
        matching.instances[list].is_empty = true;
        // A tree that may be empty tells nothing of its ends.
        let Shape::List(text) = &matching.instances[list].text.shape else { return Ok(()) };
        let scope = Rc::clone(&matching.instances[list].scope);
        for ends in std::iter::once(&text.end).chain(&text.length) {
            let term = self.read(&scope, ends, Sort::BitVector(self.pointer_bits))?;
            matching.demands.push(Demand { term, held: Held { bits: 0, block: None } });
        }
        Ok(())
    }

    /// A list begins with a block.
    pub(super) fn first_node(
        &mut self,
        matching: &Matching<'s>,
        list: InstanceId,
        node: Block,
    ) -> Tried<()> {
        self.node(matching, Step { list, node, before: None, count: 1 })
    }

    /// A list goes on behind a node.
    pub(super) fn next_node(&mut self, matching: &Matching<'s>, link: &Link) -> Tried<()> {
        let head = self.list(matching, link.list).head;
        let candidates: Vec<Block> = match self.value(matching, link.next) {
            Some(bits) => {
                let base = self.masked(bits.wrapping_sub(u128::from(head)));
                let is_there = |block: &Block| u128::from(self.state.blocks()[*block].base) == base;
                (0..self.state.blocks().len()).filter(is_there).collect()
            }
            // Nothing that was looked at yet tells where it is.
            None => (0..self.state.blocks().len()).collect(),
        };
        let is_free = |block: &Block| {
            self.state.blocks()[*block].is_live_heap() && !matching.taken.contains(block)
        };
        let candidates: Vec<Block> = candidates.into_iter().filter(is_free).collect();
        self.any_of(candidates, |search, node| {
            let mut matching = matching.clone();
            let base = u128::from(search.state.blocks()[node].base);
            let pointer = search.masked(base.wrapping_add(u128::from(head)));
            search.demand(&mut matching, link.next, Held { bits: pointer, block: None })?;
            search.take(&mut matching, node)?;
            let before = Some((link.node, link.kind));
            let step = Step { list: link.list, node, before, count: link.count + 1 };
            search.node(&matching, step)
        })
    }

    fn list(&self, matching: &Matching<'s>, list: InstanceId) -> &'s ListText {
        match &matching.instances[list].text.shape {
            Shape::List(list) => list,
            Shape::Plain(_)
            | Shape::LastOf(_)
            | Shape::Tree(_)
            | Shape::Instance(_)
            | Shape::Row(_)
            | Shape::Slot(_) => {
                unreachable!("a list")
            }
        }
    }

    /// A node is of some kind, and the last one or not.
    fn node(&mut self, matching: &Matching<'s>, step: Step) -> Tried<()> {
        let list = self.list(matching, step.list);
        self.is_in_order(list, step)?;
        let may_be = |kind: &usize| match step.before {
            Some((_, before)) => list.may_follow(before, *kind),
            None => list.may_begin(*kind),
        };
        let kinds = (0..list.kinds.len()).filter(may_be);
        let ways: Vec<(usize, bool)> =
            kinds.flat_map(|kind| [(kind, false), (kind, true)]).collect();
        let may_end = |kind: usize| step.count >= list.minimum && list.may_end(kind);
        let ways = ways.into_iter().filter(|&(kind, is_last)| !is_last || may_end(kind));
        self.any_of(ways, |search, (kind, is_last)| {
            let mut matching = matching.clone();
            let tried = search.node_of_kind(&mut matching, step, kind, is_last);
            if let Err(mismatch) = tried {
                return Err(search.noted(&matching, mismatch));
            }
            search.settle(matching)
        })
    }

    /// The numbers by which a list is sorted, of a node and the one before it.
    fn is_in_order(&self, list: &ListText, step: Step) -> Tried<()> {
        let Some(order) = &list.order else { return Ok(()) };
        let bits =
            |node: Block| bits_of(self.state, node, order.offset, order.size).map(|held| held.bits);
        let before = step.before.and_then(|(before, _)| bits(before));
        let pair = before.zip(bits(step.node));
        if pair.is_none_or(|(one, next)| order.allows(one, next)) {
            Ok(())
        } else {
            Err("a list is not sorted".to_owned())
        }
    }

    fn node_of_kind(
        &mut self,
        matching: &mut Matching<'s>,
        step: Step,
        kind: usize,
        is_last: bool,
    ) -> Tried<()> {
        let list = self.list(matching, step.list);
        let around = Rc::clone(&matching.instances[step.list].scope);
        let pointer = Sort::BitVector(self.pointer_bits);
        let previous = match (step.before, &list.back) {
            (Some((before, _)), _) => {
                let base = self.state.blocks()[before].base.wrapping_add(list.back_head);
                self.terms.bit_vector(u128::from(base), self.pointer_bits)
            }
            (None, Some(back)) => self.read(&around, back, pointer)?,
            (None, None) => self.terms.fresh_variable("previous", pointer),
        };
        let next = match is_last {
            true => self.read(&around, &list.end, pointer)?,
            false => self.terms.fresh_variable("next", pointer),
        };
        self.ends(matching, step, is_last)?;
        if !list.spellings.is_empty() {
            matching.chains.entry(step.list).or_default().push_back(step.node);
        }
        let text = &list.kinds[kind];
        let neighbours = [("next", next), ("previous", previous)];
        // Comes off the stack after what the node itself opens.
        if !is_last {
            let Step { list, node, count, .. } = step;
            matching.open.push(Open::Next(Link { list, node, kind, count, next }));
        }
        self.open_kind(matching, text, &around, &neighbours, step.node, &[])?;
        self.settle_plain(matching)
    }

    /// What a list says of its first and its last node, and of how many there are.
    fn ends(&mut self, matching: &mut Matching<'s>, step: Step, is_last: bool) -> Tried<()> {
        let list = self.list(matching, step.list);
        let around = Rc::clone(&matching.instances[step.list].scope);
        if let (true, Some(last)) = (is_last, &list.last) {
            let term = around.find(&format!("&{last}"));
            let term = term.ok_or_else(|| format!("{last} is not listed"))?;
            let bits = u128::from(self.state.blocks()[step.node].base);
            matching.demands.push(Demand { term, held: Held { bits, block: Some(step.node) } });
        }
        if let (true, Some(length)) = (is_last, &list.length) {
            let term = self.read(&around, length, Sort::BitVector(self.pointer_bits))?;
            let held = Held { bits: u128::from(step.count), block: None };
            matching.demands.push(Demand { term, held });
        }
        let Some(order) = &list.order else { return Ok(()) };
        let Some(held) = bits_of(self.state, step.node, order.offset, order.size) else {
            return Ok(());
        };
        let sort = Sort::BitVector(8 * order.size as u32);
        for (is_here, text) in [(step.before.is_none(), &order.first), (is_last, &order.last)] {
            if is_here {
                let term = self.read(&around, text, sort)?;
                matching.demands.push(Demand { term, held });
            }
        }
        Ok(())
    }

    /// A node is of a kind: its blocks and numbers get names, and its contents are compared.
    pub(super) fn open_kind(
        &mut self,
        matching: &mut Matching<'s>,
        kind: &'s KindText,
        around: &Rc<Scope>,
        neighbours: &[(&str, TermId)],
        node: Block,
        links: &[u64],
    ) -> Tried<()> {
        let mut scope = Scope::within(around);
        let prefix = scope.prefix();
        for (name, term) in neighbours {
            scope.name(format!("{prefix}{name}"), *term);
        }
        declare(&mut self.terms, &mut scope, &kind.body.numbers);
        let base = self.state.blocks()[node].base;
        let address = self.terms.bit_vector(u128::from(base), self.pointer_bits);
        let pointer = Sort::BitVector(self.pointer_bits);
        for (index, block) in kind.body.blocks.iter().enumerate() {
            let term = match index {
                0 => address,
                _ => self.terms.fresh_variable(&block.name, pointer),
            };
            scope.name(format!("&{}", block.name), term);
        }
        let scope = Rc::new(scope);
        for block in kind.body.blocks.iter().skip(1) {
            self.add_instance(matching, block, &scope)?;
        }
        for condition in &kind.body.conditions {
            let formula = self.read(&scope, condition, Sort::Boolean)?;
            self.demand(matching, formula, Held { bits: 1, block: None })?;
        }
        self.contents_of(matching, (&kind.body.blocks[0], &scope), node, links)
    }
}
