//! Which exact trees an abstract one stands for: the kind of each node, where the hole is, and how they are sorted.

use std::sync::Arc;

use heapwright_logic::TermId;

use super::models::Walk;
use crate::analysis::search::Search;
use crate::heap::at_link::AtLink;
use crate::heap::block::{Block, BlockId, Cell, Prototype};
use crate::heap::tree::{InOrder, Tree};

/// Whether a node has at its links what a prototype says, if it says it; the hole is at the link with this index, or below it.
fn has_links_as_told(
    search: &Search<'_>,
    (tree, prototype): (&Tree, &Prototype),
    node: &Block,
    open: Option<usize>,
) -> bool {
    let links = tree.links.children.iter().zip(&prototype.links).enumerate();
    let mut values = links.map(|(index, (offset, at))| (index, node.cells.get(offset), *at));
    values.all(|(index, cell, at)| {
        let is_open = open == Some(index);
        let names = &search.reasoner.names;
        let is_null = cell.is_some_and(|cell| names.constant(cell.value) == Some(0));
        match at {
            AtLink::Below => is_open || cell.is_some_and(|cell| cell.size == 8) && !is_null,
            AtLink::Leaf => !is_open && is_null,
            AtLink::Bytes => !is_open,
        }
    })
}

impl Walk<'_> {
    /// Whether a tree is the one with this exact root, wherever its hole is.
    pub(super) fn tree(
        &self,
        search: &mut Search<'_>,
        (id, block, tree): (BlockId, &Block, &Tree),
        node: BlockId,
    ) -> bool {
        if let Some((sentinel, _)) = tree.leaf.and_then(|leaf| search.reasoner.names.pointer(leaf))
            && !self.bound.contains_key(&sentinel)
        {
            let targets: Vec<BlockId> = self.heap.blocks.keys().copied().collect();
            return targets.into_iter().any(|target| {
                let mut walk = self.clone();
                walk.bind(sentinel, target) && walk.tree(search, (id, block, tree), node)
            });
        }
        let holes: Vec<Option<(usize, bool)>> = match tree.hole.is_some() {
            false => vec![None],
            true => (0..tree.links.children.len())
                .flat_map(|index| [Some((index, true)), Some((index, false))])
                .collect(),
        };
        tree.prototypes.iter().any(|prototype| {
            holes.iter().any(|&hole| self.root(search, (id, block, tree), prototype, node, hole))
        })
    }

    /// Whether the walk can be finished if the root is of this prototype and the hole is at this link of
    /// it, or below it.
    fn root(
        &self,
        search: &mut Search<'_>,
        (id, block, tree): (BlockId, &Block, &Tree),
        prototype: &Prototype,
        node: BlockId,
        hole: Option<(usize, bool)>,
    ) -> bool {
        let exact = Arc::clone(self.heap.block(node));
        if !has_links_as_told(search, (tree, prototype), &exact, hole.map(|(index, _)| index)) {
            return false;
        }
        let mut walk = self.clone();
        let root = walk.new_name();
        let around = self.around.get(&id).copied().unwrap_or([None, None]);
        if let Some(sorted) = tree.order
            && !walk.is_in_order(search, (sorted, tree), node, around, hole)
        {
            return false;
        }
        let parent = self.parents.get(&id).copied();
        if !walk.is_related(search, tree, (parent, node), matches!(hole, Some((_, true)))) {
            return false;
        }
        let top = self.roots.get(&id).copied().unwrap_or(node);
        if !walk.is_measured_if_known(search, tree, (parent, node, top), hole) {
            return false;
        }
        let mut links: Vec<(u64, TermId)> = Vec::new();
        let beside = [[around[0], Some(node)], [Some(node), around[1]]];
        for (index, &offset) in tree.links.children.iter().enumerate() {
            if prototype.links.get(index) == Some(&AtLink::Bytes) {
                continue;
            }
            let Some(cell) = exact.cells.get(&offset) else { return false };
            let beside = beside.get(index).copied().unwrap_or([None, None]);
            let value = match hole {
                Some((at, true)) if at == index => tree.hole.expect("a hole"),
                Some((at, false)) if at == index => {
                    walk.below(search, (block, tree), (root, node, top), (true, beside))
                }
                _ if self.is_leaf(search, tree, cell.value) => {
                    let null = search.reasoner.names.terms.bit_vector(0, 64);
                    tree.leaf.unwrap_or(null)
                }
                _ => walk.below(search, (block, tree), (root, node, top), (false, beside)),
            };
            links.push((offset, value));
        }
        links.extend(tree.links.parent.zip(tree.parent));
        if let (Some((_, true)), Some(above)) = (hole, tree.above)
            && *walk.bound.entry(above).or_insert(node) != node
        {
            return false;
        }
        let mut prototype = prototype.clone();
        let first = *prototype.blocks.keys().next().expect("a prototype has a node");
        let changed = Arc::make_mut(prototype.blocks.get_mut(&first).expect("it is there"));
        for (offset, value) in links {
            changed.cells.insert(offset, Cell { size: 8, value });
        }
        let nobody = search.reasoner.names.open_neighbours();
        walk.node(search, &prototype, (root, node), nobody) && walk.solve(search)
    }

    /// Whether a link that holds this leads to no node of a tree, whose sentinel is bound.
    pub(super) fn is_leaf(&self, search: &mut Search<'_>, tree: &Tree, value: TermId) -> bool {
        let exact = search.reasoner.names.pointer(value);
        match tree.leaf.and_then(|leaf| search.reasoner.names.pointer(leaf)) {
            Some((sentinel, offset)) => exact.is_some_and(|(target, at)| {
                self.bound.get(&sentinel) == Some(&target) && at == offset
            }),
            None => exact.is_none(),
        }
    }

    /// A tree below a node; gives the link to it.
    fn below(
        &mut self,
        search: &mut Search<'_>,
        (block, tree): (&Block, &Tree),
        (node, exact, top): (BlockId, BlockId, BlockId),
        (has_hole, around): (bool, [Option<BlockId>; 2]),
    ) -> TermId {
        let name = self.new_name();
        self.around.insert(name, around);
        self.parents.insert(name, exact);
        self.roots.insert(name, top);
        let mut below = block.clone();
        let hole = tree.hole.filter(|_| has_hole);
        let parent = tree.links.parent.map(|_| search.reasoner.names.link(node, tree.links.head));
        let above = tree.above.filter(|_| has_hole);
        below.role = Tree { hole, parent, above, ..tree.clone() }.into();
        self.state.blocks.insert(name, Arc::new(below));
        search.reasoner.names.link(name, tree.links.head)
    }

    /// Whether a node and what is around all below it are in order, and what a tree says of its ends and its hole is so.
    fn is_in_order(
        &mut self,
        search: &mut Search<'_>,
        (sorted, tree): (InOrder, &Tree),
        node: BlockId,
        [before, behind]: [Option<BlockId>; 2],
        hole: Option<(usize, bool)>,
    ) -> bool {
        let order = Some(sorted.order);
        let follows = |search: &mut Search<'_>, one: Option<BlockId>, next: Option<BlockId>| {
            one.zip(next).is_none_or(|pair| self.are_sorted(search, order, pair))
        };
        if !follows(search, before, Some(node)) || !follows(search, Some(node), behind) {
            return false;
        }
        let beside = [[before, Some(node)], [Some(node), behind]];
        let exact = Arc::clone(self.heap.block(node));
        for (index, offset) in tree.links.children.iter().enumerate() {
            let is_hole = hole == Some((index, true));
            let gap = sorted.gap.filter(|_| is_hole);
            if let Some(gap) = gap
                && !(self.has_beside(search, sorted, gap.before, beside[index][0])
                    && self.has_beside(search, sorted, gap.behind, beside[index][1]))
            {
                return false;
            }
            let cell = exact.cells.get(offset);
            let is_leaf = cell.is_some_and(|cell| self.is_leaf(search, tree, cell.value));
            let (end, outer) = match index {
                0 => (sorted.first, before),
                _ => (sorted.last, behind),
            };
            let is_end = outer.is_none() && (is_hole || (is_leaf && hole != Some((index, false))));
            if is_end && !self.has_beside(search, sorted, Some(end), Some(node)) {
                return false;
            }
        }
        true
    }

    /// Whether a node is related to the one above it, and has the numbers that a tree says that it has.
    fn is_related(
        &mut self,
        search: &mut Search<'_>,
        tree: &Tree,
        (parent, node): (Option<BlockId>, BlockId),
        has_hole: bool,
    ) -> bool {
        tree.downward.iter().all(|one| {
            let Some(number) = self.number(one.place, node) else { return true };
            let above = parent.and_then(|parent| self.number(one.place, parent));
            let holds = one.relations.iter().all(|relation| {
                above.is_none_or(|above| {
                    let says = relation.says(&mut search.reasoner.names.terms, (above, number));
                    search.reasoner.names.truth(says) == Some(true)
                })
            });
            let told = parent.is_none().then_some(one.root).into_iter();
            let mut told = told.chain(one.above_hole.filter(|_| has_hole));
            holds && told.all(|term| self.value(search, term, number))
        })
    }

    /// Whether a node has the number that is said of it, and is there if one is.
    fn has_beside(
        &mut self,
        search: &mut Search<'_>,
        sorted: InOrder,
        said: Option<TermId>,
        node: Option<BlockId>,
    ) -> bool {
        match (said, node) {
            (Some(said), Some(node)) => {
                let exact = self.number(sorted.order.place(), node);
                exact.is_none_or(|exact| self.value(search, said, exact))
            }
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}
