//! Trees: which concrete trees an abstract one stands for.
//!
//! The concrete links of the root tell which subtrees there are. Each of them is an abstract tree
//! again, until all is written out; what is tried is the prototype of each node, and where the hole is.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_logic::{TermId, Value};
use heapwright_memory as concrete;

use super::{Demand, Matching, Mismatch, TOO_MANY_WAYS, Walk};
use crate::heap::at_link::AtLink;
use crate::heap::block::{Block, BlockId, Cell, Prototype};
use crate::heap::order::Order;
use crate::heap::state::State;
use crate::heap::tree::{InOrder, Tree};

/// Where the hole of a tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hole {
    Nowhere,
    /// At this link of the root.
    Here(u64),
    /// Somewhere below this link of the root.
    Below(u64),
}

/// The node that a tree hangs at, what comes before and behind all of it, and the root of the tree that it is part of.
type Beside = (concrete::BlockId, [Option<concrete::BlockId>; 2], concrete::BlockId);

impl Walk<'_, '_, '_, '_> {
    /// A tree: the concrete one with this root.
    pub(super) fn tree(
        &mut self,
        matching: &Matching,
        (block, item): (BlockId, &Block),
        tree: &Tree,
        root: concrete::BlockId,
    ) -> Result<Matching, Mismatch> {
        if let Some(leaf) = tree.leaf
            && !self.is_known(matching, leaf)
        {
            return self.tree_with_some_sentinel(matching, (block, item), (tree, leaf), root);
        }
        let links = &tree.links.children;
        let holes: Vec<Hole> = match tree.hole.is_some() {
            false => vec![Hole::Nowhere],
            true => links.iter().flat_map(|&link| [Hole::Here(link), Hole::Below(link)]).collect(),
        };
        let mut problem = format!("{block} is a tree without kinds");
        for prototype in &tree.prototypes {
            for &hole in &holes {
                match self.node_of_tree(matching, (block, item), tree, (prototype, hole), root) {
                    Ok(matching) => return Ok(matching),
                    Err(mismatch) => problem = mismatch,
                }
            }
        }
        Err(problem)
    }

    /// A tree whose sentinel nothing else has led to yet: what some link holds.
    fn tree_with_some_sentinel(
        &mut self,
        matching: &Matching,
        (block, item): (BlockId, &Block),
        (tree, leaf): (&Tree, TermId),
        root: concrete::BlockId,
    ) -> Result<Matching, Mismatch> {
        let size = self.reasoner.names.model().pointer_size();
        let live = self.machine.memory().blocks().filter(|(_, record)| record.is_live_heap());
        let nodes: Vec<concrete::BlockId> = live.map(|(id, _)| id).collect();
        let mut seen = BTreeSet::new();
        let mut problem = "no link leads to a sentinel".to_owned();
        for (node, &link) in
            nodes.iter().flat_map(|n| tree.links.children.iter().map(move |l| (*n, l)))
        {
            let Some(value) = self.read(node, link, size) else { continue };
            if !seen.insert(value.low) {
                continue;
            }
            let mut matching = matching.clone();
            let tried =
                self.demand(&mut matching, Demand { term: leaf, value }).and_then(|()| match self
                    .is_known(&matching, leaf)
                {
                    true => self.tree(&matching, (block, item), tree, root),
                    false => Err("a sentinel is somewhere in a block".to_owned()),
                });
            match tried {
                Ok(matching) => return Ok(matching),
                Err(mismatch) => problem = mismatch,
            }
        }
        Err(problem)
    }

    /// A tree that only its hole leads to, with the node above the hole.
    pub(super) fn tree_from_below(
        &mut self,
        matching: &Matching,
    ) -> Option<(BlockId, concrete::BlockId)> {
        let state = self.state;
        for (&block, item) in &state.blocks {
            let Some(above) = item.tree().and_then(|tree| tree.above) else { continue };
            let address = self.reasoner.names.address(above);
            if !matching.blocks.contains_key(&block)
                && let Some(Value::BitVector(base)) = matching.values.get(address)
            {
                return Some((block, self.machine.memory().lookup(base.bits() as u64)?));
            }
        }
        None
    }

    /// The root is some node on the way up.
    pub(super) fn climb(
        &mut self,
        matching: &Matching,
        block: BlockId,
        above: concrete::BlockId,
    ) -> Result<Matching, Mismatch> {
        let Some(tree) = self.state.block(block).tree() else { unreachable!("a tree") };
        let parent = tree.links.parent.expect("nodes know their parents");
        let (head, size) = (tree.links.head, self.reasoner.names.model().pointer_size());
        let mut problem = "nothing is above a hole".to_owned();
        let mut climbed: Vec<concrete::BlockId> = Vec::new();
        let mut node = Some(above);
        while let Some(root) = node.filter(|node| !climbed.contains(node)) {
            climbed.push(root);
            let mut attempt = matching.clone();
            let settled = self.pair(&mut attempt, block, root).and_then(|()| self.settle(attempt));
            match settled {
                Ok(matching) => return Ok(matching),
                Err(mismatch) => problem = mismatch,
            }
            let up = self.read(root, parent, size);
            node = up.and_then(|up| {
                self.machine.memory().lookup(self.masked(up.low.wrapping_sub(head)))
            });
        }
        Err(problem)
    }

    /// The root is of this prototype, and the hole is there.
    fn node_of_tree(
        &mut self,
        matching: &Matching,
        (block, item): (BlockId, &Block),
        tree: &Tree,
        (prototype, hole): (&Prototype, Hole),
        root: concrete::BlockId,
    ) -> Result<Matching, Mismatch> {
        self.are_links_as_told(tree, (prototype, hole), root)?;
        let left = self.patience.get().checked_sub(1);
        self.patience.set(left.ok_or_else(|| TOO_MANY_WAYS.to_owned())?);
        let mut state = self.state.clone();
        let mut matching = matching.clone();
        let nobody = self.reasoner.names.open_neighbours();
        let fragment = self.reasoner.names.open_in(&mut state, prototype, block, nobody);
        let mut blocks = fragment.blocks.into_iter();
        let mut node = Arc::unwrap_or_clone(blocks.next().expect("a prototype has a node").1);
        state.blocks.extend(blocks);
        state.condition.extend(fragment.condition);
        let size = self.reasoner.names.model().pointer_size();
        if let (Some(offset), Some(value)) = (tree.links.parent, tree.parent) {
            node.cells.insert(offset, Cell { size, value });
        }
        let around = matching.around.get(&block).copied().unwrap_or([None, None]);
        if let Some(sorted) = tree.order {
            self.check_in_order(&mut matching, (sorted, tree), root, around, hole)?;
        }
        let parent = matching.parents.get(&block).copied();
        self.check_downward(&mut matching, tree, (parent, root), matches!(hole, Hole::Here(_)))?;
        let top = self.check_measures_if_known(&mut matching, (tree, block), root, hole)?;
        let beside = [[around[0], Some(root)], [Some(root), around[1]]];
        for (index, &link) in tree.links.children.iter().enumerate() {
            let beside = (root, beside.get(index).copied().unwrap_or([None, None]), top);
            if prototype.links.get(index) == Some(&AtLink::Bytes) {
                continue;
            }
            let value = self.read(root, link, size);
            let is_leaf = self.is_leaf(&matching, tree, value)?;
            let value = match hole {
                Hole::Here(open) if open == link => tree.hole.expect("a hole"),
                Hole::Below(open) if open == link => {
                    self.subtree(&mut state, (&mut matching, beside), (block, item), tree, true)
                }
                Hole::Nowhere | Hole::Here(_) | Hole::Below(_) if is_leaf => {
                    let null = self.reasoner.names.terms.bit_vector(0, 8 * size as u32);
                    tree.leaf.unwrap_or(null)
                }
                Hole::Nowhere | Hole::Here(_) | Hole::Below(_) => {
                    self.subtree(&mut state, (&mut matching, beside), (block, item), tree, false)
                }
            };
            node.cells.insert(link, Cell { size, value });
        }
        if let (Hole::Here(_), Some(above)) = (hole, tree.above) {
            // The root is the node above the hole, by another name.
            state.blocks.remove(&above);
            let base = self.machine.memory().block(root).base;
            self.set_address(&mut matching, above, base)?;
            matching.blocks.insert(above, root);
        }
        state.blocks.insert(block, Arc::new(node.clone()));
        let mut walk = Walk {
            reasoner: &mut *self.reasoner,
            state: &state,
            machine: self.machine,
            patience: self.patience,
        };
        walk.contents(&mut matching, &node, root, &BTreeSet::new())?;
        walk.settle(matching)
    }

    /// A tree without a hole is known at its root, another one where its hole is. Gives the root.
    fn check_measures_if_known(
        &mut self,
        matching: &mut Matching,
        (tree, block): (&Tree, BlockId),
        node: concrete::BlockId,
        hole: Hole,
    ) -> Result<concrete::BlockId, Mismatch> {
        let root = matching.roots.get(&block).copied().unwrap_or(node);
        let hole = match (hole, tree.hole) {
            (Hole::Here(link), _) => Some((node, link)),
            (_, None) if root == node => None,
            (_, _) => return Ok(root),
        };
        if let Some(measures) = &tree.measures {
            self.check_measures(matching, (tree, measures), root, hole)?;
        }
        Ok(root)
    }

    /// Whether a node has the links that its prototype tells of.
    fn are_links_as_told(
        &self,
        tree: &Tree,
        (prototype, hole): (&Prototype, Hole),
        node: concrete::BlockId,
    ) -> Result<(), Mismatch> {
        let size = self.reasoner.names.model().pointer_size();
        for (&link, at) in tree.links.children.iter().zip(&prototype.links) {
            let is_open = hole == Hole::Here(link) || hole == Hole::Below(link);
            let held = self.read(node, link, size).map(|value| self.masked(value.low));
            let is_so = match at {
                AtLink::Below => is_open || held.is_some_and(|held| held != 0),
                AtLink::Leaf => !is_open && held == Some(0),
                AtLink::Bytes => !is_open,
            };
            if !is_so {
                return Err("a node has other links than its prototype".to_owned());
            }
        }
        Ok(())
    }

    /// Whether what a link holds leads to no node: it is null, or leads to the tree's sentinel.
    pub(super) fn is_leaf(
        &mut self,
        matching: &Matching,
        tree: &Tree,
        value: Option<concrete::Value>,
    ) -> Result<bool, Mismatch> {
        let Some(leaf) = tree.leaf else {
            return Ok(value.is_none_or(|value| self.masked(value.low) == 0));
        };
        let Some(value) = value else { return Ok(true) };
        if !self.is_known(matching, leaf) {
            return Err("nobody knows the sentinel of a tree".to_owned());
        }
        match matching.values.evaluate(&self.reasoner.names.terms, leaf) {
            Value::BitVector(leaf) => Ok(self.masked(leaf.bits() as u64) == self.masked(value.low)),
            Value::Boolean(_) | Value::Array(_) => Ok(false),
        }
    }

    /// A tree below the node `block`, with or without the hole; gives the link to it.
    fn subtree(
        &mut self,
        state: &mut State,
        (matching, beside): (&mut Matching, Beside),
        (block, item): (BlockId, &Block),
        tree: &Tree,
        has_hole: bool,
    ) -> TermId {
        let id = state.new_block_id();
        let (node, around, top) = beside;
        matching.around.insert(id, around);
        matching.roots.insert(id, top);
        matching.parents.insert(id, node);
        let head = tree.links.head;
        let parent = tree.links.parent.map(|_| self.reasoner.names.link(block, head));
        let (hole, above) = (tree.hole.filter(|_| has_hole), tree.above.filter(|_| has_hole));
        if let Some(above) = above {
            state.block_mut(above).make_peer_of(id);
        }
        let role = Tree { hole, parent, above, ..tree.clone() }.into();
        state.blocks.insert(id, Arc::new(Block { role, ..item.clone() }));
        self.reasoner.names.link(id, head)
    }

    /// A node and what is around all below it are in order, and what a tree says of its ends and its hole is so.
    fn check_in_order(
        &mut self,
        matching: &mut Matching,
        (sorted, tree): (InOrder, &Tree),
        node: concrete::BlockId,
        [before, behind]: [Option<concrete::BlockId>; 2],
        hole: Hole,
    ) -> Result<(), Mismatch> {
        let row: Vec<concrete::BlockId> =
            [before, Some(node), behind].into_iter().flatten().collect();
        self.check_row(sorted.order, &row)?;
        let beside = [[before, Some(node)], [Some(node), behind]];
        for (index, &link) in tree.links.children.iter().enumerate() {
            let mut told: Vec<(Option<TermId>, Option<concrete::BlockId>)> = Vec::new();
            if let (true, Some(gap)) = (hole == Hole::Here(link), sorted.gap) {
                told.extend([(gap.before, beside[index][0]), (gap.behind, beside[index][1])]);
            }
            let size = self.reasoner.names.model().pointer_size();
            let value = self.read(node, link, size);
            let is_leaf = self.is_leaf(matching, tree, value)?;
            let is_empty = hole == Hole::Here(link) || (is_leaf && hole != Hole::Below(link));
            match (index, before, behind) {
                (0, None, _) if is_empty => told.push((Some(sorted.first), Some(node))),
                (1, _, None) if is_empty => told.push((Some(sorted.last), Some(node))),
                (_, _, _) => {}
            }
            for (term, node) in told {
                if term.is_some() != node.is_some() {
                    return Err("the hole of a sorted tree is elsewhere".to_owned());
                }
                let Order { offset, size, .. } = sorted.order;
                let value = node.and_then(|node| self.read(node, offset, size));
                matching
                    .demands
                    .extend(term.zip(value).map(|(term, value)| Demand { term, value }));
            }
        }
        Ok(())
    }
}
