//! Structures as bit planes: for each predicate a word of nodes where it may be 1 and one where it may
//! be 0, so that connectives, joins and inclusions are a few operations on words.
//!
//! Every structure has the nodes *null* and *wild* (everything that is neither null nor a live block
//! that is tracked), so that links are total functions. The other nodes are blocks; quantifiers range
//! over blocks only.

use heapwright_base::DenseId;

use crate::kleene::Kleene;
use crate::vocabulary::{BinaryId, NullaryId, UnaryId, Vocabulary};

/// A node of a structure, by its index.
pub type Node = usize;

/// Where null pointers lead.
pub const NULL: Node = 0;
/// Where pointers lead that are neither null nor lead to a tracked block.
pub const WILD: Node = 1;
/// The nodes that are no blocks.
const OUTSIDE: u64 = 0b11;
/// How many nodes a structure may have.
pub const MOST_NODES: usize = 64;

/// The values of a predicate over all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Row {
    /// Where it may be 1.
    pub one: u64,
    /// Where it may be 0.
    pub zero: u64,
}

impl Row {
    /// One value at all of these nodes.
    #[must_use]
    pub fn splat(value: Kleene, universe: u64) -> Row {
        Row {
            one: if value.may_be_one() { universe } else { 0 },
            zero: if value.may_be_zero() { universe } else { 0 },
        }
    }

    #[must_use]
    pub fn at(self, node: Node) -> Kleene {
        Kleene::from_chances(self.one >> node & 1 == 1, self.zero >> node & 1 == 1)
    }

    #[must_use]
    pub fn and(self, other: Row) -> Row {
        Row { one: self.one & other.one, zero: self.zero | other.zero }
    }

    #[must_use]
    pub fn or(self, other: Row) -> Row {
        Row { one: self.one | other.one, zero: self.zero & other.zero }
    }

    /// Where it is certainly 1.
    #[must_use]
    pub fn must(self) -> u64 {
        self.one & !self.zero
    }

    /// Where it is certainly 0.
    #[must_use]
    pub fn never(self) -> u64 {
        self.zero & !self.one
    }

    /// Where it may be either.
    #[must_use]
    pub fn half(self) -> u64 {
        self.one & self.zero
    }

    /// Whether every value of `other` is described by the one here.
    #[must_use]
    pub fn describes(self, other: Row) -> bool {
        other.one & !self.one == 0 && other.zero & !self.zero == 0
    }
}

impl std::ops::Not for Row {
    type Output = Row;
    fn not(self) -> Row {
        Row { one: self.zero, zero: self.one }
    }
}

/// A three-valued structure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Structure {
    nodes: u32,
    unary: u32,
    /// Values of predicates without arguments, a bit each; unary rows; then, predicate by predicate,
    /// the rows of binary ones, a row for each first argument.
    rows: Vec<Row>,
}

impl Structure {
    /// A structure of null, wild and so many blocks, where everything is 0.
    ///
    /// # Panics
    /// When there are more than [`MOST_NODES`] nodes.
    #[must_use]
    pub fn new(vocabulary: &Vocabulary, blocks: usize) -> Structure {
        let nodes = blocks + 2;
        assert!(nodes <= MOST_NODES, "a structure of {nodes} nodes");
        let universe = mask(nodes);
        let unary = vocabulary.unary().len();
        let nullary = Row { one: 0, zero: mask(vocabulary.nullary().len()) };
        let mut rows = vec![nullary];
        rows.resize(1 + unary + vocabulary.binary().len() * nodes, Row { one: 0, zero: universe });
        Structure { nodes: nodes as u32, unary: unary as u32, rows }
    }

    /// Of rows in their order, with so many nodes and unary predicates.
    pub(crate) fn of_rows(nodes: usize, unary: usize, rows: Vec<Row>) -> Structure {
        Structure { nodes: nodes as u32, unary: unary as u32, rows }
    }

    /// How many nodes there are, null and wild included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes as usize
    }

    /// Whether there is no block.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 2
    }

    /// All nodes.
    #[must_use]
    pub fn universe(&self) -> u64 {
        mask(self.len())
    }

    /// All nodes but null and wild.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.universe() & !OUTSIDE
    }

    /// The nodes that may stand for several blocks.
    #[must_use]
    pub fn summaries(&self) -> u64 {
        self.rows[1].one
    }

    #[must_use]
    pub fn is_summary(&self, node: Node) -> bool {
        self.summaries() >> node & 1 == 1
    }

    pub fn set_summary(&mut self, node: Node, is_summary: bool) {
        let value = if is_summary { Kleene::Half } else { Kleene::False };
        set(&mut self.rows[1], node, value);
    }

    #[must_use]
    pub fn nullary(&self, predicate: NullaryId) -> Kleene {
        self.rows[0].at(predicate.index())
    }

    pub fn set_nullary(&mut self, predicate: NullaryId, value: Kleene) {
        set(&mut self.rows[0], predicate.index(), value);
    }

    #[must_use]
    pub fn unary(&self, predicate: UnaryId) -> Row {
        self.rows[1 + predicate.index()]
    }

    pub fn set_unary_row(&mut self, predicate: UnaryId, row: Row) {
        self.rows[1 + predicate.index()] = row;
    }

    pub fn set_unary(&mut self, predicate: UnaryId, node: Node, value: Kleene) {
        set(&mut self.rows[1 + predicate.index()], node, value);
    }

    /// The unary predicate with this index.
    #[inline]
    pub(crate) fn unary_at(&self, index: usize) -> Row {
        self.rows[1 + index]
    }

    /// The rows of the binary predicate with this index.
    #[inline]
    pub(crate) fn table_at(&self, index: usize) -> &[Row] {
        let start = 1 + self.unary as usize + index * self.len();
        &self.rows[start..start + self.len()]
    }

    pub(crate) fn nullary_at(&self, index: usize) -> Kleene {
        self.rows[0].at(index)
    }

    /// The values of `predicate(from, ·)`.
    #[must_use]
    pub fn binary(&self, predicate: BinaryId, from: Node) -> Row {
        self.rows[self.binary_at(predicate, from)]
    }

    pub fn set_binary_row(&mut self, predicate: BinaryId, from: Node, row: Row) {
        let at = self.binary_at(predicate, from);
        self.rows[at] = row;
    }

    pub fn set_binary(&mut self, predicate: BinaryId, from: Node, to: Node, value: Kleene) {
        let at = self.binary_at(predicate, from);
        set(&mut self.rows[at], to, value);
    }

    /// The values of `predicate(·, to)`.
    #[must_use]
    pub fn column(&self, predicate: BinaryId, to: Node) -> Row {
        let start = self.binary_at(predicate, 0);
        let mut column = Row::default();
        for (from, row) in self.rows[start..start + self.len()].iter().enumerate() {
            column.one |= (row.one >> to & 1) << from;
            column.zero |= (row.zero >> to & 1) << from;
        }
        column
    }

    /// The values of `predicate(v, v)`.
    #[must_use]
    pub fn diagonal(&self, predicate: BinaryId) -> Row {
        let start = self.binary_at(predicate, 0);
        let mut diagonal = Row::default();
        for (node, row) in self.rows[start..start + self.len()].iter().enumerate() {
            diagonal.one |= row.one & 1 << node;
            diagonal.zero |= row.zero & 1 << node;
        }
        diagonal
    }

    /// How many binary predicates there are.
    #[must_use]
    pub fn binary_count(&self) -> usize {
        (self.rows.len() - 1 - self.unary as usize) / self.len()
    }

    pub(crate) fn unary_count(&self) -> usize {
        self.unary as usize
    }

    fn binary_at(&self, predicate: BinaryId, from: Node) -> usize {
        1 + self.unary as usize + predicate.index() * self.len() + from
    }

    /// All rows in their order; two structures of one class and size have them at the same places.
    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(crate) fn rows_mut(&mut self) -> &mut [Row] {
        &mut self.rows
    }

    /// The structure whose node `i` is the node `sources[i]` of this one; a node that is listed twice is
    /// copied with all its values, and the copies relate to each other as the node to itself.
    #[must_use]
    pub fn rearranged(&self, sources: &[Node]) -> Structure {
        assert!(sources.len() <= MOST_NODES, "a structure of {} nodes", sources.len());
        assert!(sources.starts_with(&[NULL, WILD]), "null and wild stay where they are");
        let mut rows = Vec::with_capacity(self.rows.len() / self.len() * sources.len() + 1);
        rows.push(self.rows[0]);
        let (unary, binary) = self.rows[1..].split_at(self.unary as usize);
        rows.extend(unary.iter().map(|row| gather(*row, sources)));
        for predicate in binary.chunks_exact(self.len()) {
            rows.extend(sources.iter().map(|&from| gather(predicate[from], sources)));
        }
        Structure { nodes: sources.len() as u32, unary: self.unary, rows }
    }

    /// With one node more, the last one: a copy of another, with all its values.
    #[must_use]
    pub(crate) fn with_copy(&self, node: Node) -> Structure {
        let last = self.len();
        assert!(last < MOST_NODES, "a structure of {} nodes", last + 1);
        let copied = |row: &Row| Row {
            one: row.one | (row.one >> node & 1) << last,
            zero: row.zero | (row.zero >> node & 1) << last,
        };
        let (unary, binary) = self.rows[1..].split_at(self.unary as usize);
        let mut rows = Vec::with_capacity(self.rows.len() + self.binary_count());
        rows.push(self.rows[0]);
        rows.extend(unary.iter().map(copied));
        for predicate in binary.chunks_exact(last) {
            rows.extend(predicate.iter().map(copied));
            rows.push(copied(&predicate[node]));
        }
        Structure { nodes: self.nodes + 1, unary: self.unary, rows }
    }

    /// Without these blocks.
    #[must_use]
    pub fn without(&self, blocks: u64) -> Structure {
        let kept: Vec<Node> = nodes_of(self.universe() & !(blocks & !OUTSIDE)).collect();
        self.rearranged(&kept)
    }

    /// With one block more, where everything is 0; gives it too.
    #[must_use]
    pub fn with_block(&self) -> (Structure, Node) {
        let node = self.len();
        assert!(node < MOST_NODES, "a structure of {} nodes", node + 1);
        let with_zero = |row: &Row| Row { one: row.one, zero: row.zero | 1 << node };
        let empty = Row { one: 0, zero: mask(node + 1) };
        let (unary, binary) = self.rows[1..].split_at(self.unary as usize);
        let mut rows = Vec::with_capacity(self.rows.len() + self.binary_count());
        rows.push(self.rows[0]);
        rows.extend(unary.iter().map(with_zero));
        for predicate in binary.chunks_exact(node) {
            rows.extend(predicate.iter().map(with_zero));
            rows.push(empty);
        }
        (Structure { nodes: self.nodes + 1, unary: self.unary, rows }, node)
    }

    /// Whether every value is 0 or 1 and no node is a summary.
    #[must_use]
    pub fn is_concrete(&self) -> bool {
        self.rows.iter().all(|row| row.half() == 0)
    }
}

/// The nodes of a set, in order.
pub fn nodes_of(mut set: u64) -> impl Iterator<Item = Node> {
    std::iter::from_fn(move || {
        let node = (set != 0).then(|| set.trailing_zeros() as Node)?;
        set &= set - 1;
        Some(node)
    })
}

/// The lowest `count` bits.
pub(crate) fn mask(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

fn set(row: &mut Row, node: usize, value: Kleene) {
    let bit = 1 << node;
    row.one = if value.may_be_one() { row.one | bit } else { row.one & !bit };
    row.zero = if value.may_be_zero() { row.zero | bit } else { row.zero & !bit };
}

fn gather(row: Row, sources: &[Node]) -> Row {
    let mut gathered = Row::default();
    for (target, &source) in sources.iter().enumerate() {
        gathered.one |= (row.one >> source & 1) << target;
        gathered.zero |= (row.zero >> source & 1) << target;
    }
    gathered
}
