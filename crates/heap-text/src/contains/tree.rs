//! Trees: which blocks one stands for.
//!
//! The links of a node say which subtrees there are; what is tried is the kind of each node and where
//! the hole is, if there is one.

use std::rc::Rc;

use heapwright_logic::{Sort, TermId};

use crate::concrete::{Block, Held};
use crate::contains::in_order::Neighbour;
use crate::contains::measures::Grown;
use crate::contains::{Demand, InstanceId, Matching, Open, Search, Tried};
use crate::syntax::{AtLinkText, Shape, TreeText};

/// A node of a tree that is still to be looked at.
#[derive(Clone, Debug)]
pub(super) struct TreeNode {
    tree: InstanceId,
    node: Block,
    /// What it has as its parent, if nodes know their parents.
    back: Option<TermId>,
    /// Whether the hole is somewhere below.
    has_hole: bool,
    /// What of the tree comes before it and all below it, and what behind.
    around: (Neighbour, Neighbour),
    /// The node of the tree that it is right below.
    parent: Option<Block>,
    /// The root of the tree.
    root: Block,
}

/// Where the hole is, as seen from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hole {
    Nowhere,
    /// This link of the node.
    Here(u64),
    /// Below this link.
    Below(u64),
}

impl<'s> Search<'s> {
    /// A tree has a block as its root.
    pub(super) fn open_tree(
        &mut self,
        matching: &mut Matching<'s>,
        tree: InstanceId,
        node: Block,
    ) -> Tried<()> {
        let text = self.tree(matching, tree);
        let scope = Rc::clone(&matching.instances[tree].scope);
        let pointer = Sort::BitVector(self.pointer_bits);
        let back = text.back.as_ref().map(|back| self.read(&scope, back, pointer));
        let (back, has_hole) = (back.transpose()?, text.end.is_some());
        let around = (Neighbour::Nobody, Neighbour::Nobody);
        let (parent, root) = (None, node);
        let node = TreeNode { tree, node, back, has_hole, around, parent, root };
        matching.open.push(Open::Tree(node));
        Ok(())
    }

    fn tree(&self, matching: &Matching<'s>, tree: InstanceId) -> &'s TreeText {
        match &matching.instances[tree].text.shape {
            Shape::Tree(tree) => tree,
            Shape::Plain(_)
            | Shape::LastOf(_)
            | Shape::List(_)
            | Shape::Instance(_)
            | Shape::Row(_)
            | Shape::Slot(_) => {
                unreachable!("a tree")
            }
        }
    }

    /// A node is of some kind, with the hole somewhere.
    pub(super) fn tree_node(&mut self, matching: &Matching<'s>, node: &TreeNode) -> Tried<()> {
        let text = self.tree(matching, node.tree);
        if self.is_sentinel_open(matching, node)? {
            return self.some_sentinel(matching, node);
        }
        let holes: Vec<Hole> = match node.has_hole {
            false => vec![Hole::Nowhere],
            true => {
                let links = text.children.iter();
                links.flat_map(|&link| [Hole::Here(link), Hole::Below(link)]).collect()
            }
        };
        let kinds = 0..text.kinds.len();
        let ways = kinds.flat_map(|kind| holes.iter().map(move |&hole| (kind, hole)));
        let ways: Vec<(usize, Hole)> = ways.collect();
        self.any_of(ways, |search, way| {
            let mut matching = matching.clone();
            match search.tree_node_so(&mut matching, node, way) {
                Ok(()) => search.settle(matching),
                Err(mismatch) => Err(search.noted(&matching, mismatch)),
            }
        })
    }

    fn tree_node_so(
        &mut self,
        matching: &mut Matching<'s>,
        node: &TreeNode,
        (kind, hole): (usize, Hole),
    ) -> Tried<()> {
        let text = self.tree(matching, node.tree);
        let scope = Rc::clone(&matching.instances[node.tree].scope);
        let kind = &text.kinds[kind];
        let told: Vec<(u64, AtLinkText)> =
            text.children.iter().copied().zip(kind.links.iter().copied()).collect();
        self.are_as_told(node, &told, hole)?;
        let is_bytes = |link: &u64| told.contains(&(*link, AtLinkText::Bytes));
        let links = text.children.iter().copied().filter(|link| !is_bytes(link));
        let links: Vec<u64> = links.chain(text.parent).collect();
        self.open_kind(matching, kind, &scope, &[], node.node, &links)?;
        if let (Some(offset), Some(term)) = (text.parent, node.back)
            && let Some(held) = self.state.word(node.node, offset)
        {
            self.demand(matching, term, held)?;
        }
        if let (Hole::Here(_), Some(above)) = (hole, &text.above) {
            let term = scope.find(&format!("&{above}"));
            let term = term.ok_or_else(|| format!("{above} is not listed"))?;
            let bits = u128::from(self.state.blocks()[node.node].base);
            matching.demands.push(Demand { term, held: Held { bits, block: Some(node.node) } });
        }
        let (has_hole, nodes) = (matches!(hole, Hole::Here(_)), (node.parent, node.node));
        self.is_related(matching, (text, &scope), nodes, has_hole)?;
        // A tree without a hole is known at once, another one where its hole is.
        let is_known = match (hole, text.end.is_some()) {
            (Hole::Here(link), _) => Some(Some((node.node, link))),
            (_, false) if node.parent.is_none() => Some(None),
            (_, _) => None,
        };
        if let (Some(hole), Some(measures)) = (is_known, &text.measures) {
            let grown = Grown { tree: node.tree, root: node.root, hole };
            self.is_measured(matching, (measures, &scope), grown)?;
        }
        let arounds = match &text.order {
            Some(order) => {
                let mut is_empty = Vec::new();
                for &link in &text.children {
                    let held = self.state.word(node.node, link);
                    let is_leaf = held.map(|held| self.is_leaf(matching, node.tree, held));
                    let is_leaf = is_leaf.transpose()?.unwrap_or(false);
                    is_empty.push(hole == Hole::Here(link) || is_leaf);
                }
                let is_hole = |link: u64| hole == Hole::Here(link);
                let ends = (&is_hole as &dyn Fn(u64) -> bool, is_empty.as_slice());
                self.in_order(matching, (order, &scope), (text, node.node), node.around, ends)?
            }
            None => vec![node.around; text.children.len()],
        };
        let children = text.children.iter().zip(arounds);
        for (&link, around) in children.filter(|(link, _)| !is_bytes(link)) {
            self.child(matching, node, (link, hole), around)?;
        }
        self.settle_plain(matching)
    }

    /// Whether the links of a node are what its kind tells, if it tells; the hole is at a link that leads on, or below.
    fn are_as_told(&self, node: &TreeNode, told: &[(u64, AtLinkText)], hole: Hole) -> Tried<()> {
        let is_open = |link: u64| matches!(hole, Hole::Here(at) | Hole::Below(at) if at == link);
        let is_null = |link: u64| self.state.word(node.node, link).map(|held| held.bits == 0);
        let is_right = told.iter().all(|&(link, at)| match at {
            AtLinkText::Below => is_open(link) || is_null(link) == Some(false),
            AtLinkText::Leaf => !is_open(link) && is_null(link) == Some(true),
            AtLinkText::Bytes => !is_open(link),
        });
        match is_right {
            true => Ok(()),
            false => Err("a node has other links than its kind".to_owned()),
        }
    }

    /// Whether a tree has a sentinel, and nothing has told yet where it is.
    fn is_sentinel_open(&mut self, matching: &Matching<'s>, node: &TreeNode) -> Tried<bool> {
        let term = self.sentinel(matching, node.tree)?;
        Ok(term.is_some_and(|term| self.value(matching, term).is_none()))
    }

    /// What links hold that lead to no node, if it is not null.
    fn sentinel(&mut self, matching: &Matching<'s>, tree: InstanceId) -> Tried<Option<TermId>> {
        let scope = Rc::clone(&matching.instances[tree].scope);
        let leaf = self.tree(matching, tree).leaf.as_ref();
        let pointer = Sort::BitVector(self.pointer_bits);
        leaf.map(|leaf| self.read(&scope, leaf, pointer)).transpose()
    }

    /// The sentinel is where some link leads to: every tree has a link to it.
    fn some_sentinel(&mut self, matching: &Matching<'s>, node: &TreeNode) -> Tried<()> {
        let Some(term) = self.sentinel(matching, node.tree)? else { return Ok(()) };
        let links = &self.tree(matching, node.tree).children;
        let blocks = 0..self.state.blocks().len();
        let live = blocks.filter(|&block| self.state.blocks()[block].is_live_heap());
        let words = live.flat_map(|block| links.iter().map(move |&link| (block, link)));
        let words = words.filter_map(|(block, link)| self.state.word(block, link));
        let mut words: Vec<Held> = words.filter(|held| held.bits != 0).collect();
        words.sort_by_key(|held| held.bits);
        words.dedup_by_key(|held| held.bits);
        self.any_of(words, |search, held| {
            let mut matching = matching.clone();
            search.demand(&mut matching, term, held)?;
            search.settle_plain(&mut matching)?;
            if search.value(&matching, term).is_none() {
                return Err("a sentinel is somewhere in a block".to_owned());
            }
            matching.open.push(Open::Tree(node.clone()));
            search.settle(matching)
        })
    }

    /// Whether a link that holds this leads to no node of a tree, of which it is known where its sentinel is.
    pub(super) fn is_leaf(
        &mut self,
        matching: &Matching<'s>,
        tree: InstanceId,
        held: Held,
    ) -> Tried<bool> {
        match self.sentinel(matching, tree)? {
            Some(term) => Ok(self.value(matching, term) == Some(held.bits)),
            None => Ok(held.bits == 0),
        }
    }

    /// The links of a tree's nodes, and where in a node they lead.
    pub(super) fn links_of_tree(
        &self,
        matching: &Matching<'s>,
        tree: InstanceId,
    ) -> (Vec<u64>, u64) {
        let text = self.tree(matching, tree);
        (text.children.clone(), text.head)
    }

    /// A link of a node to what is below it.
    fn child(
        &mut self,
        matching: &mut Matching<'s>,
        node: &TreeNode,
        (link, hole): (u64, Hole),
        around: (Neighbour, Neighbour),
    ) -> Tried<()> {
        let text = self.tree(matching, node.tree);
        let held = self.state.word(node.node, link);
        if hole == Hole::Here(link) {
            let scope = Rc::clone(&matching.instances[node.tree].scope);
            let end = text.end.as_ref().expect("a tree with a hole has an end");
            let term = self.read(&scope, end, Sort::BitVector(self.pointer_bits))?;
            return match held {
                Some(held) => self.demand(matching, term, held),
                None => Ok(()),
            };
        }
        let has_hole = hole == Hole::Below(link);
        let Some(held) = held else {
            // Nothing was written there, but a link of a tree is a leaf or leads to a node.
            return Err("a link of a tree has no value".to_owned());
        };
        if !has_hole && self.is_leaf(matching, node.tree, held)? {
            return Ok(());
        }
        let base = self.masked(held.bits.wrapping_sub(u128::from(text.head)));
        let below = (0..self.state.blocks().len()).find(|&block| {
            let item = &self.state.blocks()[block];
            item.is_live_heap() && u128::from(item.base) == base
        });
        let below = below.ok_or_else(|| "a link of a tree leads to no live block".to_owned())?;
        self.take(matching, below)?;
        let parent = self.state.blocks()[node.node].base.wrapping_add(text.head);
        let parent = self.terms.bit_vector(u128::from(parent), self.pointer_bits);
        let back = text.parent.map(|_| parent);
        let (tree, parent, root) = (node.tree, Some(node.node), node.root);
        let node = TreeNode { tree, node: below, back, has_hole, around, parent, root };
        matching.open.push(Open::Tree(node));
        Ok(())
    }
}
