//! Prototypes of nodes: how the sub-heap of one node becomes a pattern, and a pattern a sub-heap again.
//!
//! In a prototype, blocks and numbers have stand-ins: names that depend only on where they are met when
//! one walks from the node on. So equal sub-heaps give equal prototypes. Before a prototype is looked into, it
//! is opened: its stand-ins are replaced by names of the one who looks.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_base::DenseId;
use heapwright_logic::{Sort, TermId};
use imbl::OrdMap;
use rustc_hash::FxHashSet;

use crate::heap::at_link::AtLink;
use crate::heap::block::{Block, BlockId, Cell, DefaultBytes, Prototype, Zero};
use crate::heap::names::Names;
use crate::heap::state::State;

/// Block numbers from here on are stand-ins, which no state gives out.
const STAND_INS: usize = 1 << 30;

/// Whose names an opened prototype gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bank {
    /// Of prototypes that are closed.
    Closed,
    /// Of the known side of a comparison.
    Known,
    /// Of the new side.
    New,
}

/// The blocks of one node, by whatever names; the node first.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    pub(crate) blocks: Vec<(BlockId, Arc<Block>)>,
    pub(crate) condition: Vec<TermId>,
    /// See [`Prototype::links`].
    pub(crate) links: Vec<AtLink>,
}

/// Whose neighbours stand-ins are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Whose {
    /// Those of a fragment that becomes a prototype.
    ToBeClosed,
    /// Those of a prototype, by the names of a bank.
    Opened(Bank),
}

/// What a node has as its neighbours: pointers, or stand-ins for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Neighbours {
    pub(crate) next: TermId,
    pub(crate) previous: TermId,
}

impl Bank {
    fn name(self) -> &'static str {
        match self {
            Bank::Closed => "each",
            Bank::Known => "known",
            Bank::New => "new",
        }
    }

    /// The stand-in of a block, at some depth of nesting.
    pub(crate) fn block(self, depth: u32, index: usize) -> BlockId {
        assert!(index < 1 << 16 && depth < 1 << 10, "kinds are small");
        BlockId::from_index(STAND_INS + ((self as usize) << 26) + ((depth as usize) << 16) + index)
    }
}

/// Whether a block number is no state's.
pub(crate) fn is_stand_in(block: BlockId) -> bool {
    block.index() >= STAND_INS
}

/// Whether it stands for a block in closed prototypes.
pub(crate) fn is_closed_stand_in(block: BlockId) -> bool {
    is_stand_in(block) && block < Bank::Known.block(0, 0)
}

/// How many prototypes around a block are opened for comparison; none for a block of a state.
pub(crate) fn level(block: BlockId) -> usize {
    if !is_stand_in(block) || is_closed_stand_in(block) {
        return 0;
    }
    1 + ((block.index() - STAND_INS) >> 16 & ((1 << 10) - 1))
}

impl Names<'_> {
    /// The sub-heap of a prototype by the names of a bank.
    pub(crate) fn open_for_comparison(
        &mut self,
        prototype: &Prototype,
        bank: Bank,
        depth: u32,
    ) -> Fragment {
        let ids: Vec<BlockId> =
            (0..prototype.blocks.len()).map(|index| bank.block(depth, index)).collect();
        let numbers = prototype.numbers.clone();
        let numbers: Vec<TermId> = numbers
            .iter()
            .enumerate()
            .map(|(index, &number)| self.stand_in_number(bank, depth, index, number))
            .collect();
        let neighbours = self.neighbours_for_comparison(bank, depth);
        self.open(prototype, &ids, &numbers, neighbours)
    }

    /// The stand-ins for the neighbours of a node that is opened for comparison.
    pub(crate) fn neighbours_for_comparison(&mut self, bank: Bank, depth: u32) -> Neighbours {
        self.neighbours(Whose::Opened(bank), depth)
    }

    /// What stands for the neighbours in a fragment that is to be closed.
    pub(crate) fn open_neighbours(&mut self) -> Neighbours {
        self.neighbours(Whose::ToBeClosed, 0)
    }

    /// What stands for the neighbours in closed prototypes.
    pub(crate) fn closed_neighbours(&mut self, height: u32) -> Neighbours {
        self.neighbours(Whose::Opened(Bank::Closed), height)
    }

    /// Whether a name stands for a neighbour of the nodes of a prototype.
    pub(crate) fn is_neighbour_in_prototype(&self, height: u32, name: TermId) -> bool {
        let its = self.neighbours.get(&(Whose::Opened(Bank::Closed), height));
        its.is_some_and(|its| its.next == name || its.previous == name)
    }

    fn neighbours(&mut self, whose: Whose, depth: u32) -> Neighbours {
        if let Some(&known) = self.neighbours.get(&(whose, depth)) {
            return known;
        }
        let sort = Sort::BitVector(self.pointer_bits());
        let name = match whose {
            Whose::ToBeClosed => "its",
            Whose::Opened(bank) => bank.name(),
        };
        let next = self.terms.variable(&format!("{name}.{depth}.next"), sort);
        let previous = self.terms.variable(&format!("{name}.{depth}.previous"), sort);
        self.links.extend([next, previous]);
        if whose == Whose::Opened(Bank::Closed) {
            self.stand_ins.extend([next, previous]);
        }
        let neighbours = Neighbours { next, previous };
        self.neighbours.insert((whose, depth), neighbours);
        neighbours
    }

    /// The sub-heap of a prototype with the node `root`; all other names are new in the state.
    #[cfg(test)]
    pub(crate) fn open_in(
        &mut self,
        state: &mut State,
        prototype: &Prototype,
        root: BlockId,
        neighbours: Neighbours,
    ) -> Fragment {
        self.open_with(state, prototype, root, neighbours, None)
    }

    /// The sub-heap of a prototype with the node `root`; all other names are new in the state, but for one
    /// of the node's own numbers, if it is given.
    pub(crate) fn open_with(
        &mut self,
        state: &mut State,
        prototype: &Prototype,
        root: BlockId,
        neighbours: Neighbours,
        given: Option<(TermId, TermId)>,
    ) -> Fragment {
        let mut ids = vec![root];
        for _ in 1..prototype.blocks.len() {
            ids.push(state.new_block_id());
        }
        let mut numbers = Vec::new();
        for &number in &prototype.numbers {
            let bits = self.terms.width(number);
            numbers.push(match given {
                Some((name, value)) if name == number => value,
                _ => self.fresh("each", bits),
            });
        }
        self.open(prototype, &ids, &numbers, neighbours)
    }

    fn open(
        &mut self,
        prototype: &Prototype,
        ids: &[BlockId],
        numbers: &[TermId],
        neighbours: Neighbours,
    ) -> Fragment {
        let blocks: BTreeMap<BlockId, BlockId> =
            prototype.blocks.keys().copied().zip(ids.iter().copied()).collect();
        let mut terms: BTreeMap<TermId, TermId> =
            prototype.numbers.iter().copied().zip(numbers.iter().copied()).collect();
        let closed = self.closed_neighbours(prototype.height);
        terms.insert(closed.next, neighbours.next);
        terms.insert(closed.previous, neighbours.previous);
        let from = prototype.blocks.values();
        let (blocks, condition) = self.renamed(from, &blocks, terms, ids, &prototype.condition);
        Fragment { blocks, condition, links: prototype.links.clone() }
    }

    /// A fragment with other neighbours.
    pub(crate) fn with_neighbours(
        &mut self,
        fragment: &Fragment,
        old: Neighbours,
        new: Neighbours,
    ) -> Fragment {
        let terms = BTreeMap::from([(old.next, new.next), (old.previous, new.previous)]);
        let none = BTreeMap::new();
        let blocks = fragment
            .blocks
            .iter()
            .map(|(id, block)| (*id, Arc::new(self.renamed_block(block, &none, &terms))))
            .collect();
        Fragment { blocks, ..fragment.clone() }
    }

    fn renamed<'b>(
        &mut self,
        from: impl IntoIterator<Item = &'b Arc<Block>>,
        names: &BTreeMap<BlockId, BlockId>,
        mut terms: BTreeMap<TermId, TermId>,
        ids: &[BlockId],
        condition: &[TermId],
    ) -> (Vec<(BlockId, Arc<Block>)>, Vec<TermId>) {
        for (&old, &new) in names {
            terms.insert(self.address(old), self.address(new));
        }
        let blocks = from
            .into_iter()
            .zip(ids)
            .map(|(block, &id)| (id, Arc::new(self.renamed_block(block, names, &terms))))
            .collect();
        let condition = condition.iter().map(|&c| self.terms.substitute(c, &terms)).collect();
        (blocks, condition)
    }

    /// A block with other names for blocks and other terms for variables.
    pub(crate) fn renamed_block(
        &mut self,
        block: &Block,
        names: &BTreeMap<BlockId, BlockId>,
        terms: &BTreeMap<TermId, TermId>,
    ) -> Block {
        let name = |id: BlockId| names.get(&id).copied().unwrap_or(id);
        let mut role = block.role.clone();
        for prototype in role.prototypes_mut() {
            *prototype = self.renamed_prototype(prototype, terms);
        }
        role.rename_peer(name);
        role.change_ends(|value| self.terms.substitute(value, terms));
        if let Some(segment) = role.segment_mut().filter(|segment| !segment.spellings.is_empty()) {
            segment.spellings = self.renamed_spellings(&segment.spellings, terms);
        }
        let cells = block
            .cells
            .iter()
            .map(|(&offset, cell)| {
                let value = self.terms.substitute(cell.value, terms);
                (offset, Cell { value, ..*cell })
            })
            .collect();
        let size = self.terms.substitute(block.size, terms);
        let zero =
            block.zero.map(|zero| Zero { at: self.terms.substitute(zero.at, terms), ..zero });
        let contents = self.renamed_contents(&block.contents, names, terms);
        Block { cells, size, zero, contents, role, ..block.clone() }
    }

    /// A prototype in which names of the state around are replaced. Stand-ins are no such names.
    fn renamed_prototype(
        &mut self,
        prototype: &Arc<Prototype>,
        terms: &BTreeMap<TermId, TermId>,
    ) -> Arc<Prototype> {
        if !self.terms_of_prototype(prototype).iter().any(|variable| terms.contains_key(variable)) {
            return Arc::clone(prototype);
        }
        let none = BTreeMap::new();
        let blocks = prototype
            .blocks
            .iter()
            .map(|(&id, block)| (id, Arc::new(self.renamed_block(block, &none, terms))))
            .collect();
        let condition =
            prototype.condition.iter().map(|&c| self.terms.substitute(c, terms)).collect();
        Arc::new(Prototype { blocks, condition, ..prototype.as_ref().clone() })
    }

    /// All variables in a prototype.
    fn terms_of_prototype(&self, prototype: &Prototype) -> Vec<TermId> {
        let mut terms = prototype.condition.clone();
        for block in prototype.blocks.values() {
            terms.extend(block.all_terms());
        }
        self.terms.free_variables(&terms)
    }

    /// Variables of a prototype that are names of the state around, addresses included.
    pub(crate) fn outer_names(&self, prototype: &Prototype) -> Vec<TermId> {
        let mut names = self.terms_of_prototype(prototype);
        names.retain(|name| !self.stand_ins.contains(name));
        names
    }

    /// The prototype of a node whose neighbours are the open ones. Numbers that are not `outer` are the
    /// node's own.
    pub(crate) fn close(&mut self, fragment: &Fragment, outer: &FxHashSet<TermId>) -> Prototype {
        let order = self.walk_order(fragment);
        let mut fragment = fragment.clone();
        fragment.forget_contents();
        self.forget_arbitrary_cells(&mut fragment, outer);
        let by_id: BTreeMap<BlockId, &Arc<Block>> =
            fragment.blocks.iter().map(|(id, block)| (*id, block)).collect();
        let height = by_id.values().map(|block| block.height()).max().unwrap_or(0);
        let ids: Vec<BlockId> =
            (0..order.len()).map(|index| Bank::Closed.block(height, index)).collect();
        let names: BTreeMap<BlockId, BlockId> =
            order.iter().copied().zip(ids.iter().copied()).collect();
        let mut own: Vec<TermId> = Vec::new();
        for id in &order {
            for value in by_id[id].all_values() {
                for variable in self.terms.free_variables(&[value]) {
                    let is_number = !self.blocks_of_addresses.contains_key(&variable)
                        && !self.links.contains(&variable)
                        && !self.stand_ins.contains(&variable);
                    if is_number && !outer.contains(&variable) && !own.contains(&variable) {
                        own.push(variable);
                    }
                }
            }
        }
        let (open, closed) = (self.open_neighbours(), self.closed_neighbours(height));
        let mut terms: BTreeMap<TermId, TermId> =
            BTreeMap::from([(open.next, closed.next), (open.previous, closed.previous)]);
        let mut numbers = Vec::new();
        for (index, &number) in own.iter().enumerate() {
            let stand_in = self.stand_in_number(Bank::Closed, height, index, number);
            numbers.push(stand_in);
            terms.insert(number, stand_in);
        }
        // What is said of the node's own numbers; the rest is said by the state around.
        let about_own = fragment.condition.iter().copied().filter(|_| !own.is_empty());
        let condition: Vec<TermId> = about_own
            .filter(|&conjunct| {
                let free = self.terms.free_variables(&[conjunct]);
                free.iter().any(|variable| own.contains(variable))
                    && free.iter().all(|variable| {
                        own.contains(variable)
                            || (outer.contains(variable)
                                && !self.blocks_of_addresses.contains_key(variable))
                    })
            })
            .collect();
        // Serial numbers tell nothing of a node that stands for many.
        let blocks: Vec<Arc<Block>> = order
            .iter()
            .map(|id| Arc::new(Block { serial: u64::MAX, ..by_id[id].as_ref().clone() }))
            .collect();
        let (blocks, mut condition) = self.renamed(&blocks, &names, terms, &ids, &condition);
        condition.sort_unstable();
        condition.dedup();
        let blocks: OrdMap<BlockId, Arc<Block>> = blocks.into_iter().collect();
        Prototype { height, blocks, numbers, condition, links: fragment.links }
    }

    /// The order in which blocks are met when one walks from the node on, by offsets.
    fn walk_order(&mut self, fragment: &Fragment) -> Vec<BlockId> {
        let by_id: BTreeMap<BlockId, &Arc<Block>> =
            fragment.blocks.iter().map(|(id, block)| (*id, block)).collect();
        let mut order = vec![fragment.blocks[0].0];
        let mut next = 0;
        while next < order.len() {
            let block = by_id[&order[next]];
            next += 1;
            let mut met: Vec<BlockId> = Vec::new();
            for value in block.all_values() {
                met.extend(self.may_refer_to(&[value]));
            }
            met.extend(block.partner());
            for id in met {
                if by_id.contains_key(&id) && !order.contains(&id) {
                    order.push(id);
                }
            }
        }
        order
    }

    /// A number that is said nothing of, in bytes that may be anything, is as good as no number.
    fn forget_arbitrary_cells(&mut self, fragment: &mut Fragment, outer: &FxHashSet<TermId>) {
        let mut uses: BTreeMap<TermId, u32> = BTreeMap::new();
        for (_, block) in &fragment.blocks {
            for term in block.all_terms() {
                for variable in self.terms.free_variables(&[term]) {
                    *uses.entry(variable).or_default() += 1;
                }
            }
        }
        uses.retain(|variable, count| {
            *count == 1 && !outer.contains(variable) && !self.holds_address(*variable)
        });
        if uses.is_empty() {
            return;
        }
        for variable in self.terms.free_variables(&fragment.condition) {
            uses.remove(&variable);
        }
        for (_, block) in &mut fragment.blocks {
            if block.rest != DefaultBytes::Uninitialised {
                continue;
            }
            let arbitrary = self.arbitrary_cells(block, &|number| uses.contains_key(&number));
            if !arbitrary.is_empty() {
                let block = Arc::make_mut(block);
                for offset in arbitrary {
                    block.cells.remove(&offset);
                }
            }
        }
    }

    /// A number of each node in closed prototypes.
    pub(crate) fn closed_number(&mut self, depth: u32, index: usize, bits: u32) -> TermId {
        self.stand_in_number_of(Bank::Closed, depth, index, bits)
    }

    fn stand_in_number(&mut self, bank: Bank, depth: u32, index: usize, like: TermId) -> TermId {
        let bits = self.terms.width(like);
        self.stand_in_number_of(bank, depth, index, bits)
    }

    fn stand_in_number_of(&mut self, bank: Bank, depth: u32, index: usize, bits: u32) -> TermId {
        let name = format!("{}.{depth}.{index}.{bits}", bank.name());
        let number = self.terms.variable(&name, Sort::BitVector(bits));
        if bank == Bank::Closed {
            self.stand_ins.insert(number);
        }
        number
    }
}
