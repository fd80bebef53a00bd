//! Search trees: read from left to right, a number in the nodes of a tree never falls, or never grows; strictly, if
//! no two neighbours have the same.
//!
//! Such a tree tells what its leftmost node has at that place, and its rightmost. If it has a hole, it tells what the nodes have that are
//! next to the hole on either side, of which one may be missing. So what may be put into the hole without disorder is a question about
//! numbers of the state, and all these are exactly what they are in every concrete tree. Only nodes with two links are read in this way.

use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId, End, Field, Prototype};
use crate::heap::names::Names;
use crate::heap::order::{Order, Place};
use crate::heap::state::State;
use crate::heap::tree::{Gap, InOrder};
use crate::precision::{Precision, Sorting};
use crate::reasoning::Reasoner;
use crate::summary::sorted::{
    assume_order, is_in_order, number_of_node, orders_of_nodes, put_number, unify,
};
use crate::summary::tree::discover::{FoundTree, link_value};
use crate::summary::tree::unfold::Link;

/// How a tree that stands in a heap is sorted, if it is seen to be.
pub(crate) fn sorted_tree(
    reasoner: &mut Reasoner<'_>,
    precision: &Precision,
    state: &State,
    tree: &FoundTree,
) -> Option<InOrder> {
    match precision.sorting {
        Sorting::Unseen | Sorting::Downwards => return None,
        Sorting::Seen => {}
    }
    let known = tree.blocks.iter().find_map(|(id, _)| state.block(*id).tree());
    let orders = match known {
        Some(known) => {
            let order = known.order?.order;
            vec![order, order.loosened()]
        }
        None => {
            let (root, below) = (tree.root, tree.blocks.get(1)?.0);
            let nodes = (&**state.block(root), &**state.block(below));
            orders_of_nodes(&reasoner.names, state, nodes)
        }
    };
    orders.into_iter().find_map(|order| read_in_order(reasoner, state, tree, order))
}

/// The numbers of a tree that stands in a heap, if it is sorted in this way.
pub(crate) fn read_in_order(
    reasoner: &mut Reasoner<'_>,
    state: &State,
    tree: &FoundTree,
    order: Order,
) -> Option<InOrder> {
    let reading = Reading { state, tree, order };
    (tree.links.children.len() == 2).then(|| reading.block(reasoner, tree.root))?
}

/// Drops what prototypes of a sorted or related tree say of how the number of a node compares with numbers outside the tree: that is said
/// by the order, or follows from the root, and would be said once more for each way in which a node has come there.
pub(crate) fn forget_comparisons(
    names: &Names<'_>,
    place: Place,
    prototypes: &mut [Arc<Prototype>],
) {
    for prototype in prototypes {
        let Some(cell) = prototype.node().cells.get(&place.offset) else { continue };
        let key = cell.value;
        let is_comparison = |conjunct: &TermId| {
            let free = names.terms.free_variables(&[*conjunct]);
            free.contains(&key) && free.iter().any(|name| !prototype.numbers.contains(name))
        };
        if prototype.condition.iter().any(is_comparison) {
            let kept = prototype.condition.iter().copied().filter(|c| !is_comparison(c)).collect();
            Arc::make_mut(prototype).condition = kept;
        }
    }
}

/// A tree that is read from left to right.
#[derive(Clone, Copy)]
struct Reading<'s> {
    state: &'s State,
    tree: &'s FoundTree,
    order: Order,
}

/// What hangs at a link.
enum Part {
    Nothing,
    Hole,
    Row(InOrder),
}

impl Reading<'_> {
    /// A block and all below it.
    fn block(self, reasoner: &mut Reasoner<'_>, id: BlockId) -> Option<InOrder> {
        let Reading { state, order, .. } = self;
        let block = Arc::clone(state.block(id));
        if let Some(tree) = block.tree() {
            let row = tree.order.filter(|row| row.order.implies(order))?;
            let row = InOrder { order, ..row };
            let (Some(gap), Some(value)) = (row.gap, tree.hole) else { return Some(row) };
            return self.plug(reasoner, row, gap, (id, Field::End(End::Next), value));
        }
        let key = number_of_node(&mut reasoner.names, &block, order.place())?;
        let [left, right] = self.tree.links.children[..] else { return None };
        let node = InOrder { order, first: key, last: key, gap: None };
        let value = link_value(&mut reasoner.names, &block, left)?;
        let gap = Gap { before: None, behind: Some(key) };
        let row = self.plug(reasoner, node, gap, (id, Field::Cell(left), value))?;
        let value = link_value(&mut reasoner.names, &block, right)?;
        let gap = Gap { before: Some(key), behind: None };
        let whole = self.plug(reasoner, row, gap, (id, Field::Cell(right), value))?;
        Some(InOrder { gap: whole.gap.or(row.gap), ..whole })
    }

    /// A row with what hangs at one of its links, which leaves a gap. The gap of the result is that of what hangs there.
    fn plug(
        self,
        reasoner: &mut Reasoner<'_>,
        row: InOrder,
        gap: Gap,
        link: (BlockId, Field, TermId),
    ) -> Option<InOrder> {
        let InOrder { order, first, last, .. } = row;
        let filler = match self.at(reasoner, link)? {
            Part::Nothing => return Some(InOrder { gap: None, ..row }),
            Part::Hole => return Some(InOrder { gap: Some(gap), ..row }),
            Part::Row(filler) => filler,
        };
        let mut fits = |one: Option<TermId>, next: Option<TermId>| match (one, next) {
            (Some(one), Some(next)) => is_in_order(reasoner, self.state, order, (one, next)),
            (None, _) | (_, None) => true,
        };
        let is_sorted = fits(gap.before, Some(filler.first)) && fits(Some(filler.last), gap.behind);
        // Where nothing is on one side of the gap, the filler is at that end.
        is_sorted.then(|| InOrder {
            order,
            first: if gap.before.is_some() { first } else { filler.first },
            last: if gap.behind.is_some() { last } else { filler.last },
            gap: filler.gap.map(|inner| Gap {
                before: inner.before.or(gap.before),
                behind: inner.behind.or(gap.behind),
            }),
        })
    }

    /// What hangs at a link.
    fn at(
        self,
        reasoner: &mut Reasoner<'_>,
        (holder, field, value): (BlockId, Field, TermId),
    ) -> Option<Part> {
        if self.tree.hole.is_some_and(|hole| (hole.holder, hole.field) == (holder, field)) {
            return Some(Part::Hole);
        }
        if self.tree.is_leaf(&reasoner.names, value) {
            return Some(Part::Nothing);
        }
        let (below, _) = reasoner.names.pointer(value)?;
        Some(Part::Row(self.block(reasoner, below)?))
    }
}

/// How the numbers of a tree are shared out between its root and what is below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sharing {
    /// The number next to the hole, where the hole is below a link, is that of the root.
    is_root_at_hole: bool,
}

/// The ways to share out the numbers of a tree whose root has such links; none if there cannot be one.
pub(crate) fn sharings(sorted: InOrder, choice: &[Link]) -> Vec<Sharing> {
    let plain = Sharing { is_root_at_hole: false };
    let at_hole = Sharing { is_root_at_hole: true };
    let gap = sorted.gap.unwrap_or(Gap { before: None, behind: None });
    // Seen from the root, its own number is on the inner side of what is below a link.
    let below = |inner: Option<TermId>, outer: Option<TermId>| match (inner, outer) {
        (None, _) => vec![],
        (Some(_), Some(_)) => vec![plain, at_hole],
        (Some(_), None) => vec![plain],
    };
    match choice {
        [Link::Hole, _] if gap.before.is_some() => vec![],
        [_, Link::Hole] if gap.behind.is_some() => vec![],
        [Link::Hole, _] | [_, Link::Hole] => vec![at_hole],
        [Link::BelowWithHole, _] => below(gap.behind, gap.before),
        [_, Link::BelowWithHole] => below(gap.before, gap.behind),
        _ => vec![plain],
    }
}

impl Sharing {
    /// What the root has, by all that is known; the same number by different names.
    fn keys(self, sorted: InOrder, choice: &[Link]) -> Vec<TermId> {
        let gap = sorted.gap.unwrap_or(Gap { before: None, behind: None });
        let is_end = |link: &Link| matches!(link, Link::Leaf | Link::Hole);
        let [left, right] = choice else { unreachable!("only nodes with two links are sorted") };
        let at_hole = match (left, right) {
            (Link::Hole | Link::BelowWithHole, _) => gap.behind,
            (_, Link::Hole | Link::BelowWithHole) => gap.before,
            (_, _) => None,
        };
        let at_hole = at_hole.filter(|_| self.is_root_at_hole);
        let first = is_end(left).then_some(sorted.first);
        let last = is_end(right).then_some(sorted.last);
        at_hole.into_iter().chain(first).chain(last).collect()
    }

    /// Lets the names of what the root has be one, wherever they stand.
    pub(crate) fn unify(
        self,
        names: &mut Names<'_>,
        state: &mut State,
        sorted: InOrder,
        choice: &[Link],
    ) {
        let keys = self.keys(sorted, choice);
        let Some((&key, others)) = keys.split_first() else { return };
        for &other in others {
            unify(names, state, (key, other));
        }
    }

    /// What the root has, and how what is below each link is sorted.
    pub(crate) fn share_out(
        self,
        names: &mut Names<'_>,
        state: &mut State,
        sorted: InOrder,
        choice: &[Link],
    ) -> Shares {
        let order = sorted.order;
        let width = names.terms.width(sorted.first);
        let key = self.keys(sorted, choice).first().copied();
        let key = key.unwrap_or_else(|| names.fresh("sorted", width));
        if let Some(Gap { before, behind }) = sorted.gap {
            let row = [Some(sorted.first), before, behind, Some(sorted.last)];
            tell_gap(names, state, order, row);
        }
        let mut below = Vec::new();
        for (index, link) in choice.iter().enumerate() {
            let is_left = index == 0;
            let gap = match link {
                Link::Leaf | Link::Hole | Link::Bytes => {
                    below.push(None);
                    continue;
                }
                Link::Below | Link::Either => None,
                Link::BelowWithHole => sorted.gap.map(|gap| self.gap_below(gap, is_left)),
            };
            let inner = names.fresh("sorted", width);
            let (first, last) = match is_left {
                true => (sorted.first, inner),
                false => (inner, sorted.last),
            };
            // What is below may be one node, which is both its ends.
            assume_order(names, state, order.loosened(), (first, last));
            let beside_root = if is_left { (inner, key) } else { (key, inner) };
            assume_order(names, state, order, beside_root);
            if let Some(Gap { before, behind }) = gap {
                tell_gap(names, state, order, [Some(first), before, behind, Some(last)]);
            }
            below.push(Some(InOrder { order, first, last, gap }));
        }
        Shares { order, key, below }
    }

    /// What is next to the hole in the tree below a link.
    fn gap_below(self, gap: Gap, is_left: bool) -> Gap {
        match (self.is_root_at_hole, is_left) {
            (false, _) => gap,
            (true, true) => Gap { behind: None, ..gap },
            (true, false) => Gap { before: None, ..gap },
        }
    }
}

/// What the numbers at the ends of a row and next to its hole are like.
fn tell_gap(
    names: &mut Names<'_>,
    state: &mut State,
    order: Order,
    [first, before, behind, last]: [Option<TermId>; 4],
) {
    let pairs = [
        (order.loosened(), first, before),
        (order, before, behind),
        (order.loosened(), behind, last),
    ];
    for (order, one, next) in pairs {
        if let (Some(one), Some(next)) = (one, next)
            && one != next
        {
            assume_order(names, state, order, (one, next));
        }
    }
}

/// The numbers of a tree, shared out.
pub(crate) struct Shares {
    order: Order,
    key: TermId,
    /// Of what is below each link.
    pub(crate) below: Vec<Option<InOrder>>,
}

impl Shares {
    /// A number of its own that a node of a prototype has, and what is known to be it.
    pub(crate) fn given(&self, prototype: &Prototype) -> Option<(TermId, TermId)> {
        let cell = prototype.node().cells.get(&self.order.offset)?;
        let is_own = cell.size == self.order.size && prototype.numbers.contains(&cell.value);
        is_own.then_some((cell.value, self.key))
    }

    /// Says which number the root has.
    pub(crate) fn tell_root(&self, names: &mut Names<'_>, state: &mut State, root: &mut Block) {
        put_number(names, state, root, self.order.place(), self.key);
    }
}
