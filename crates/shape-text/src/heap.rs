//! A heap with nodes for one or many blocks, as tables of truth values.

use crate::table::Table;
use crate::truth::Truth;

/// A node by its index. The first two are no blocks.
pub(crate) type Node = usize;

/// Where null pointers lead.
pub(crate) const NULL: Node = 0;
/// Where pointers lead that are neither null nor lead to a block that is alive.
pub(crate) const WILD: Node = 1;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heap {
    /// Whether a node may stand for several blocks.
    pub(crate) is_many: Vec<bool>,
    /// By predicate, then node.
    pub(crate) unary: Table,
    /// By predicate, then first node, then second.
    pub(crate) binary: Vec<Table>,
}

impl Heap {
    /// So many blocks, of which nothing holds.
    pub(crate) fn new(unary: usize, binary: usize, blocks: usize) -> Heap {
        let nodes = blocks + 2;
        Heap {
            is_many: vec![false; nodes],
            unary: Table::new(unary, nodes),
            binary: vec![Table::new(nodes, nodes); binary],
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.is_many.len()
    }

    pub(crate) fn blocks(&self) -> std::ops::Range<Node> {
        2..self.len()
    }

    pub(crate) fn is_block(&self, node: Node) -> bool {
        node >= 2
    }

    /// With a copy of a node at the end.
    pub(crate) fn with_copy(&self, node: Node) -> (Heap, Node) {
        let mut is_many = self.is_many.clone();
        is_many.push(self.is_many[node]);
        let unary = self.unary.with_column(node);
        let binary = self.binary.iter().map(|table| table.with_column(node).with_row(node));
        (Heap { is_many, unary, binary: binary.collect() }, self.len())
    }

    /// With a block more, of which nothing holds.
    pub(crate) fn with_block(&self) -> (Heap, Node) {
        let (mut heap, node) = self.with_copy(NULL);
        for predicate in 0..heap.unary.rows().count() {
            heap.unary[predicate][node] = Truth::No;
        }
        for table in &mut heap.binary {
            for from in 0..node {
                table[from][node] = Truth::No;
            }
            table[node].fill(Truth::No);
        }
        (heap, node)
    }

    pub(crate) fn remove(&mut self, node: Node) {
        self.is_many.remove(node);
        self.unary = self.unary.without_column(node);
        for table in &mut self.binary {
            *table = table.without_column(node).without_row(node);
        }
    }

    /// A link leads there and nowhere else.
    pub(crate) fn lead(&mut self, link: usize, from: Node, target: Node) {
        let row = &mut self.binary[link][from];
        row.fill(Truth::No);
        row[target] = Truth::Yes;
    }

    /// The nodes where a row may be true.
    pub(crate) fn chances(row: &[Truth]) -> Vec<Node> {
        (0..row.len()).filter(|&node| row[node] != Truth::No).collect()
    }
}
