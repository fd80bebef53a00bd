//! A heap with nodes for one or many blocks, as nested tables of truth values.

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
    pub(crate) unary: Vec<Vec<Truth>>,
    /// By predicate, then first node, then second.
    pub(crate) binary: Vec<Vec<Vec<Truth>>>,
}

impl Heap {
    /// So many blocks, of which nothing holds.
    pub(crate) fn new(unary: usize, binary: usize, blocks: usize) -> Heap {
        let nodes = blocks + 2;
        Heap {
            is_many: vec![false; nodes],
            unary: vec![vec![Truth::No; nodes]; unary],
            binary: vec![vec![vec![Truth::No; nodes]; nodes]; binary],
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
        let mut heap = self.clone();
        heap.is_many.push(self.is_many[node]);
        for row in &mut heap.unary {
            row.push(row[node]);
        }
        for table in &mut heap.binary {
            for row in table.iter_mut() {
                row.push(row[node]);
            }
            table.push(table[node].clone());
        }
        (heap, self.len())
    }

    /// With a block more, of which nothing holds.
    pub(crate) fn with_block(&self) -> (Heap, Node) {
        let (mut heap, node) = self.with_copy(NULL);
        for row in &mut heap.unary {
            row[node] = Truth::No;
        }
        for table in &mut heap.binary {
            for row in table.iter_mut() {
                row[node] = Truth::No;
            }
            table[node].fill(Truth::No);
        }
        (heap, node)
    }

    pub(crate) fn remove(&mut self, node: Node) {
        self.is_many.remove(node);
        for row in &mut self.unary {
            row.remove(node);
        }
        for table in &mut self.binary {
            table.remove(node);
            for row in table {
                row.remove(node);
            }
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
