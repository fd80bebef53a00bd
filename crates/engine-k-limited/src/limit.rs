//! The limit: nodes at most k - 1 links away from what roots lead to stay apart, the others are put together.
//!
//! Blocks that no root leads to are dropped. The rest falls into the parts that hang together, and all nodes
//! of one size in one part become a node for many blocks. So there are finitely many graphs at a place, as
//! many as names of variables allow. Method: `clean_k` of Jones, Muchnick, POPL 1979.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::{DenseId, IdVec};
use heapwright_graph_text::{Graph, Node, NodeId, Targets};

/// A graph that describes all that the given one does.
pub(crate) fn limited(mut graph: Graph, k: usize) -> Graph {
    let reached = graph.reached();
    for id in graph.nodes.ids() {
        if !reached.iter().any(|(node, _)| *node == id) {
            graph.nodes[id].words.clear();
        }
    }
    let groups = groups(&graph, &reached, k);
    let mut into = IdVec::filled(None, graph.nodes.len());
    for (index, group) in groups.iter().enumerate() {
        for node in group {
            into[*node] = Some(NodeId::from_index(index));
        }
    }
    let renamed = |targets: &Targets| -> Targets {
        let rename = |node: NodeId| into[node].expect("it is reached");
        targets.iter().map(|it| it.node().map_or(*it, |node| it.in_node(rename(node)))).collect()
    };
    let roots = graph.roots.iter().map(|(root, held)| (*root, renamed(held))).collect();
    let mut limited = Graph { roots, ..Graph::default() };
    for group in &groups {
        let mut node = merged(&graph, group);
        for targets in node.words.values_mut() {
            *targets = renamed(targets);
        }
        limited.nodes.push(node);
    }
    limited
}

/// The nodes that become one, by the first of them that is reached.
fn groups(graph: &Graph, reached: &[(NodeId, usize)], k: usize) -> Vec<Vec<NodeId>> {
    let far: BTreeSet<NodeId> =
        reached.iter().filter(|(_, distance)| *distance >= k).map(|it| it.0).collect();
    let parts = parts(graph, &far);
    let mut groups: Vec<Vec<NodeId>> = Vec::new();
    let mut known: BTreeMap<(NodeId, u64), usize> = BTreeMap::new();
    for &(node, _) in reached {
        let Some(part) = parts.get(&node) else {
            groups.push(vec![node]);
            continue;
        };
        let group = *known.entry((*part, graph.nodes[node].size)).or_insert(groups.len());
        match groups.get_mut(group) {
            Some(group) => group.push(node),
            None => groups.push(vec![node]),
        }
    }
    groups
}

/// The parts of these nodes that hang together: over links, and where one word may lead to several. Each is
/// named by one of its nodes.
fn parts(graph: &Graph, among: &BTreeSet<NodeId>) -> BTreeMap<NodeId, NodeId> {
    let mut part: BTreeMap<NodeId, NodeId> = among.iter().map(|node| (*node, *node)).collect();
    let words = graph.nodes.enumerated().flat_map(|(id, node)| {
        let from = among.contains(&id).then_some(id);
        node.words.values().map(move |targets| (from, targets))
    });
    for (from, targets) in words {
        let mut together = from;
        for node in targets.iter().filter_map(|it| it.node()).filter(|it| among.contains(it)) {
            let (one, other) = (part[together.get_or_insert(node)], part[&node]);
            for named in part.values_mut().filter(|named| **named == other) {
                *named = one;
            }
        }
    }
    part
}

/// One node for all blocks of a group; its words lead to nodes as they were before.
fn merged(graph: &Graph, group: &[NodeId]) -> Node {
    let members = || group.iter().map(|id| &graph.nodes[*id]);
    let first = &graph.nodes[group[0]];
    let mut node = Node {
        size: first.size,
        is_many: group.len() > 1 || first.is_many,
        words: first.words.clone(),
        ..Node::default()
    };
    node.words.retain(|offset, held| {
        members().all(|member| {
            let more = member.words.get(offset);
            held.extend(more.into_iter().flatten());
            more.is_some()
        })
    });
    let offsets = || graph.nodes.iter().flat_map(|node| node.words.keys().copied());
    node.shared.extend(offsets().filter(|it| group.iter().any(|id| graph.may_share(*id, *it))));
    if node.is_many {
        node.cyclic.extend(offsets().filter(|it| graph.may_cycle(group, *it)));
    }
    node
}

/// A graph that describes what either does, which have the same roots and like nodes.
pub(crate) fn joined(one: &Graph, other: &Graph) -> Graph {
    let mut joined = one.clone();
    for (node, more) in joined.nodes.iter_mut().zip(other.nodes.iter()) {
        node.words.retain(|offset, held| {
            let more = more.words.get(offset);
            held.extend(more.into_iter().flatten());
            more.is_some()
        });
        node.shared.extend(&more.shared);
        node.cyclic.extend(&more.cyclic);
    }
    joined
}
