//! A layered layout: boxes in rows, arrows downwards, labels are boxes too, so nothing overlaps.
//!
//! Sugiyama, Tagawa, Toda 1981: turn cycles round, give every node a row, cut long edges into
//! points, order the rows by barycentres, then place each row as near to its neighbours as the
//! widths allow. The last step solves each row exactly: least squares with minimum distances is
//! isotonic regression, which pooling adjacent violators solves.

use crate::analysis::Graph;

/// A box to place, or the point where a long edge passes a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size {
    pub width: f64,
    pub height: f64,
}

/// Where everything goes; positions are centres.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    pub positions: Vec<(f64, f64)>,
    /// For every edge the points it passes, from its source to its target.
    pub routes: Vec<Vec<(f64, f64)>>,
    pub width: f64,
    pub height: f64,
}

const GAP_X: f64 = 18.0;
const GAP_Y: f64 = 15.0;
const SWEEPS: usize = 24;

/// Places boxes that `edges` connect; those that the first box does not lead to come after it.
pub(super) fn layout(sizes: &[Size], edges: &[(usize, usize)]) -> Layout {
    let mut rows = Rows::new(sizes, edges);
    rows.order();
    rows.place();
    rows.finish(sizes.len())
}

struct Rows {
    sizes: Vec<Size>,
    rows: Vec<Vec<usize>>,
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    x: Vec<f64>,
    row_of: Vec<usize>,
    /// Where a node stands in its row, as far as it was last looked at.
    index: Vec<usize>,
    /// For every edge the nodes it passes, from its source to its target.
    chains: Vec<Vec<usize>>,
}

impl Rows {
    fn new(sizes: &[Size], edges: &[(usize, usize)]) -> Rows {
        let downward = downward_order(sizes.len(), edges);
        let row_of = row_numbers(sizes.len(), edges, &downward);
        let mut rows = Rows {
            sizes: sizes.to_vec(),
            rows: vec![Vec::new(); row_of.iter().max().map_or(0, |last| last + 1)],
            above: vec![Vec::new(); sizes.len()],
            below: vec![Vec::new(); sizes.len()],
            x: vec![0.0; sizes.len()],
            row_of,
            index: Vec::new(),
            chains: Vec::new(),
        };
        let mut by_order: Vec<usize> = (0..sizes.len()).collect();
        by_order.sort_by_key(|node| downward[*node]);
        for node in by_order {
            rows.rows[rows.row_of[node]].push(node);
        }
        for &(source, target) in edges {
            rows.add_chain(source, target);
        }
        rows.index = vec![0; rows.sizes.len()];
        rows
    }

    /// Cuts an edge where it passes a row.
    fn add_chain(&mut self, source: usize, target: usize) {
        let is_upward = self.row_of[source] > self.row_of[target];
        let (top, bottom) = if is_upward { (target, source) } else { (source, target) };
        let mut chain = vec![top];
        for row in self.row_of[top] + 1..self.row_of[bottom] {
            let point = self.sizes.len();
            self.sizes.push(Size { width: 8.0, height: 0.0 });
            self.above.push(Vec::new());
            self.below.push(Vec::new());
            self.x.push(0.0);
            self.row_of.push(row);
            // Ways back go along the right side.
            self.rows[row].push(point);
            chain.push(point);
        }
        if bottom != top {
            chain.push(bottom);
        }
        for pair in chain.windows(2) {
            self.below[pair[0]].push(pair[1]);
            self.above[pair[1]].push(pair[0]);
        }
        if is_upward {
            chain.reverse();
        }
        self.chains.push(chain);
    }

    /// Sweeps down and up by barycentres and keeps the order with the fewest crossings.
    fn order(&mut self) {
        let mut best = (self.crossings(), self.rows.clone());
        for sweep in 0..SWEEPS {
            let is_down = sweep % 2 == 0;
            let count = self.rows.len();
            for step in 1..count {
                let row = if is_down { step } else { count - 1 - step };
                self.sort_row(row, is_down);
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.rows.clone());
            }
        }
        self.rows = best.1;
    }

    fn sort_row(&mut self, row: usize, is_down: bool) {
        let other = if is_down { row - 1 } else { row + 1 };
        self.number_row(other);
        let neighbours = if is_down { &self.above } else { &self.below };
        let mut keyed: Vec<(f64, usize)> = Vec::new();
        for (position, &node) in self.rows[row].iter().enumerate() {
            let linked = &neighbours[node];
            let centre = if linked.is_empty() {
                position as f64
            } else {
                linked.iter().map(|it| self.index[*it] as f64).sum::<f64>() / linked.len() as f64
            };
            keyed.push((centre, node));
        }
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.rows[row] = keyed.into_iter().map(|(_, node)| node).collect();
    }

    fn number_row(&mut self, row: usize) {
        for (position, &node) in self.rows[row].iter().enumerate() {
            self.index[node] = position;
        }
    }

    /// Pairs of edges between two rows whose ends are in opposite orders.
    fn crossings(&mut self) -> usize {
        for row in 0..self.rows.len() {
            self.number_row(row);
        }
        let mut total = 0;
        for row in &self.rows {
            // The lower ends so far, sorted: those beyond a new one are crossed.
            let mut ends: Vec<usize> = Vec::new();
            for node in row {
                let mut targets: Vec<usize> =
                    self.below[*node].iter().map(|target| self.index[*target]).collect();
                targets.sort_unstable();
                for target in targets {
                    let place = ends.partition_point(|end| *end <= target);
                    total += ends.len() - place;
                    ends.insert(place, target);
                }
            }
        }
        total
    }

    fn place(&mut self) {
        for row in 0..self.rows.len() {
            let widths: f64 = self.rows[row].iter().map(|node| self.sizes[*node].width).sum();
            let mut left = -(widths + GAP_X * self.rows[row].len() as f64) / 2.0;
            for &node in &self.rows[row] {
                self.x[node] = left + self.sizes[node].width / 2.0;
                left += self.sizes[node].width + GAP_X;
            }
        }
        // Each sweep looks one way only, so that chains become straight at once. The last one goes
        // down, which puts what follows a branch in the middle below it.
        for sweep in 0..=SWEEPS {
            let is_down = sweep % 2 == 0;
            let count = self.rows.len();
            for step in 0..count {
                let row = if is_down { step } else { count - 1 - step };
                self.place_row(row, is_down);
            }
        }
    }

    /// Moves a row as near to its neighbours as the widths allow.
    fn place_row(&mut self, row: usize, is_down: bool) {
        let nodes = &self.rows[row];
        let mut blocks: Vec<Block> = Vec::new();
        let mut shift = 0.0;
        for (position, &node) in nodes.iter().enumerate() {
            if position > 0 {
                let previous = self.sizes[nodes[position - 1]].width;
                shift += (previous + self.sizes[node].width) / 2.0 + GAP_X;
            }
            let (wish, weight) = self.wish(node, is_down);
            blocks.push(Block { centre: wish - shift, weight, count: 1 });
            // Ends because every round leaves one block less.
            while let [.., left, right] = blocks[..]
                && left.centre > right.centre
            {
                blocks.truncate(blocks.len() - 2);
                blocks.push(left.joined(right));
            }
        }
        let mut centres = blocks.iter().flat_map(|it| std::iter::repeat_n(it.centre, it.count));
        let mut shift = 0.0;
        for (position, &node) in self.rows[row].iter().enumerate() {
            if position > 0 {
                let previous = self.sizes[self.rows[row][position - 1]].width;
                shift += (previous + self.sizes[node].width) / 2.0 + GAP_X;
            }
            self.x[node] = centres.next().unwrap_or(0.0) + shift;
        }
    }

    /// Where a node wants to be, and how much: points keep long edges straight.
    fn wish(&self, node: usize, is_down: bool) -> (f64, f64) {
        let linked = if is_down { &self.above[node] } else { &self.below[node] };
        if linked.is_empty() {
            return (self.x[node], 0.1);
        }
        let mean = linked.iter().map(|it| self.x[*it]).sum::<f64>() / linked.len() as f64;
        let is_point = self.sizes[node].height == 0.0;
        (mean, if is_point { 8.0 } else { 1.0 })
    }

    fn finish(self, count: usize) -> Layout {
        let all = 0..self.sizes.len();
        let left = all.clone().map(|node| self.x[node] - self.sizes[node].width / 2.0);
        let left = left.fold(f64::INFINITY, f64::min);
        let right = all.map(|node| self.x[node] + self.sizes[node].width / 2.0);
        let right = right.fold(f64::NEG_INFINITY, f64::max);
        let mut y = Vec::new();
        let mut bottom = 0.0;
        for row in &self.rows {
            let height = row.iter().map(|node| self.sizes[*node].height).fold(0.0, f64::max);
            y.push(bottom + height / 2.0);
            bottom += height + GAP_Y;
        }
        let at = |node: usize| (self.x[node] - left, y[self.row_of[node]]);
        Layout {
            positions: (0..count).map(at).collect(),
            routes: self
                .chains
                .iter()
                .map(|it| it.iter().map(|node| at(*node)).collect())
                .collect(),
            width: (right - left).max(0.0),
            height: (bottom - GAP_Y).max(0.0),
        }
    }
}

/// Neighbours in a row that stand as close as they can, at one common wish.
#[derive(Clone, Copy)]
struct Block {
    centre: f64,
    weight: f64,
    count: usize,
}

impl Block {
    fn joined(self, other: Block) -> Block {
        let weight = self.weight + other.weight;
        let centre = (self.centre * self.weight + other.centre * other.weight) / weight;
        Block { centre, weight, count: self.count + other.count }
    }
}

/// A number for each node; edges to a smaller one count as ways back. What an earlier root does not
/// lead to comes before it, for it may lead there.
fn downward_order(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let graph = Graph::new(count, edges.iter().copied());
    let mut number = vec![usize::MAX; count];
    let mut unused = count;
    for root in 0..count {
        if number[root] != usize::MAX {
            continue;
        }
        for node in graph.reverse_postorder(root).into_iter().rev() {
            if number[node] == usize::MAX {
                unused -= 1;
                number[node] = unused;
            }
        }
    }
    number
}

/// The longest way down to each node; a self-loop is no way down.
fn row_numbers(count: usize, edges: &[(usize, usize)], downward: &[usize]) -> Vec<usize> {
    let mut above = vec![Vec::new(); count];
    for &(source, target) in edges {
        match downward[source].cmp(&downward[target]) {
            std::cmp::Ordering::Less => above[target].push(source),
            std::cmp::Ordering::Greater => above[source].push(target),
            std::cmp::Ordering::Equal => {}
        }
    }
    let mut nodes: Vec<usize> = (0..count).collect();
    nodes.sort_by_key(|node| downward[*node]);
    let mut row = vec![0; count];
    for node in nodes {
        row[node] = above[node].iter().map(|it| row[*it] + 1).max().unwrap_or(0);
    }
    row
}
