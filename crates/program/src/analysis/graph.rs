//! A plain directed graph on `0..n`: the ground of the analyses, and its strong components.

use heapwright_base::DenseId;

use crate::program::Body;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    pub successors: Vec<Vec<usize>>,
    pub predecessors: Vec<Vec<usize>>,
}

impl Graph {
    #[must_use]
    pub fn new(size: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Graph {
        let mut graph =
            Graph { successors: vec![Vec::new(); size], predecessors: vec![Vec::new(); size] };
        for (source, target) in edges {
            graph.successors[source].push(target);
            graph.predecessors[target].push(source);
        }
        graph
    }

    /// The locations of an automaton and the ways between them.
    #[must_use]
    pub fn of_body(body: &Body) -> Graph {
        let ends = body.edges.iter().map(|edge| (edge.source.index(), edge.target.index()));
        Graph::new(body.location_count, ends)
    }

    #[must_use]
    pub fn reversed(self) -> Graph {
        Graph { successors: self.predecessors, predecessors: self.successors }
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// What can be reached from `root`, each node before its successors but for cycles.
    #[must_use]
    pub fn reverse_postorder(&self, root: usize) -> Vec<usize> {
        let mut seen = vec![false; self.len()];
        let mut order = Vec::new();
        let mut stack = vec![(root, 0)];
        seen[root] = true;
        while let Some((node, next)) = stack.pop() {
            // The last successor is visited first, so that the first one comes first in the result.
            let successors = &self.successors[node];
            match successors.len().checked_sub(next + 1) {
                None => order.push(node),
                Some(index) => {
                    stack.push((node, next + 1));
                    let successor = successors[index];
                    if !std::mem::replace(&mut seen[successor], true) {
                        stack.push((successor, 0));
                    }
                }
            }
        }
        order.reverse();
        order
    }

    /// Strong components (Tarjan), each after those that it leads to; members in ascending order.
    #[must_use]
    pub fn strong_components(&self) -> Vec<Vec<usize>> {
        self.strong_components_within(&vec![true; self.len()])
    }

    /// Strong components of the part that `is_inside` marks.
    #[must_use]
    pub fn strong_components_within(&self, is_inside: &[bool]) -> Vec<Vec<usize>> {
        let roots: Vec<usize> = (0..self.len()).filter(|&node| is_inside[node]).collect();
        Tarjan::new(self, is_inside).run(&roots)
    }

    #[must_use]
    pub fn has_edge(&self, source: usize, target: usize) -> bool {
        self.successors[source].contains(&target)
    }
}

struct Tarjan<'a> {
    graph: &'a Graph,
    is_inside: &'a [bool],
    /// When a node was found; `None` before.
    found: Vec<Option<usize>>,
    /// The earliest node on the stack that a node leads back to.
    low: Vec<usize>,
    is_open: Vec<bool>,
    open: Vec<usize>,
    count: usize,
    components: Vec<Vec<usize>>,
}

impl<'a> Tarjan<'a> {
    fn new(graph: &'a Graph, is_inside: &'a [bool]) -> Tarjan<'a> {
        let size = graph.len();
        Tarjan {
            graph,
            is_inside,
            found: vec![None; size],
            low: vec![0; size],
            is_open: vec![false; size],
            open: Vec::new(),
            count: 0,
            components: Vec::new(),
        }
    }

    fn run(mut self, roots: &[usize]) -> Vec<Vec<usize>> {
        for &root in roots {
            if self.found[root].is_none() {
                self.search(root);
            }
        }
        self.components
    }

    /// Depth first, with a stack of our own: automata can be longer than the thread's stack.
    fn search(&mut self, root: usize) {
        let graph = self.graph;
        let mut stack = vec![(root, 0)];
        self.enter(root);
        while let Some((node, next)) = stack.pop() {
            let Some(&successor) = graph.successors[node].get(next) else {
                self.close(node);
                if let Some(&(parent, _)) = stack.last() {
                    self.low[parent] = self.low[parent].min(self.low[node]);
                }
                continue;
            };
            stack.push((node, next + 1));
            if !self.is_inside[successor] {
                continue;
            }
            match self.found[successor] {
                None => {
                    self.enter(successor);
                    stack.push((successor, 0));
                }
                Some(time) if self.is_open[successor] => {
                    self.low[node] = self.low[node].min(time);
                }
                Some(_) => {}
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.found[node] = Some(self.count);
        self.low[node] = self.count;
        self.count += 1;
        self.open.push(node);
        self.is_open[node] = true;
    }

    fn close(&mut self, node: usize) {
        if self.found[node] != Some(self.low[node]) {
            return;
        }
        let start = self.open.iter().rposition(|&open| open == node).unwrap_or(0);
        let mut component = self.open.split_off(start);
        for &member in &component {
            self.is_open[member] = false;
        }
        component.sort_unstable();
        self.components.push(component);
    }
}
