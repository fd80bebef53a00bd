//! Comparing: a known tree covers a new one, or single nodes that form one.

use std::sync::Arc;

use crate::context::Context;
use crate::fold::Own;
use crate::matching::{Match, Position, Sides};
use crate::payload::Holder;
use crate::state::{Block, BlockId, Kind, Role, Tree};
use crate::tree::found::{FoundTree, Search, can_be_node};

impl Context<'_> {
    /// The kinds of the new side's nodes where the known side has a tree. None: a difference of
    /// shape.
    pub(crate) fn match_tree(
        &mut self,
        sides: Sides<'_>,
        found: &mut Match,
        tree: &Tree,
        (a, b): (BlockId, BlockId),
    ) -> Option<Vec<Arc<Kind>>> {
        let (known, new) = sides;
        if let Role::Tree(tree) = &new.block(b).role {
            return Some(tree.kinds.clone());
        }
        let nodes = self.nodes_of_new(sides, found, tree, b)?;
        self.match_ends(sides, found, tree, (a, &nodes))?;
        let mut kinds = Vec::new();
        for (id, owned) in &nodes.blocks {
            if *id != b {
                found.absorbed.insert(*id);
            }
            found.absorbed.extend(owned.iter().copied());
            // There is one of each: their numbers are as good as the state's.
            kinds.extend(self.kinds_of_tree_node(new, *id, &tree.links, (owned, Own::Blocks)));
        }
        found.absorbed.extend(nodes.filled.iter().copied());
        debug_assert!(known.blocks.contains_key(&a), "foreign {a:?}");
        Some(kinds)
    }

    fn nodes_of_new(
        &mut self,
        (_, new): Sides<'_>,
        found: &Match,
        tree: &Tree,
        b: BlockId,
    ) -> Option<FoundTree> {
        // What is matched for itself belongs to no tree, though nothing else may be seen to hold
        // it: the node of an opened kind is held by its list.
        let mut holders = self.holders(new);
        for &matched in found.back.keys().filter(|&&matched| matched != b) {
            holders.entry(matched).or_default().push(Holder::Root);
        }
        let links = &tree.links;
        let is_node = |_: &Context<'_>, block: &Block| can_be_node(block, links);
        let search = Search { state: new, holders: &holders, links, is_node: &is_node };
        self.tree_below(&search, b)
    }

    /// Matches what the root holds at its parent link, and what the hole holds.
    fn match_ends(
        &mut self,
        sides: Sides<'_>,
        found: &mut Match,
        tree: &Tree,
        (a, nodes): (BlockId, &FoundTree),
    ) -> Option<()> {
        let (known, new) = sides;
        let size = self.model().pointer_size();
        let block = Arc::clone(known.block(a));
        if let Some(parent) = tree.links.parent {
            let (x, y) = (block.cells[&parent], new.block(nodes.root).cells[&parent]);
            let position = Position::Cell { block: a, offset: parent, size };
            self.match_values(sides, position, (x.value, y.value), found)?;
        }
        let offset = tree.links.hole();
        match (block.cells.get(&offset), &nodes.hole) {
            (None, None) => {}
            (Some(x), Some(hole)) => {
                let position = Position::Cell { block: a, offset, size };
                self.match_values(sides, position, (x.value, hole.value), found)?;
                if let Some(above) = tree.above {
                    self.pair(sides, found, above, hole.above)?;
                }
            }
            (Some(_), None) | (None, Some(_)) => return None,
        }
        Some(())
    }
}
