//! What graphs at all loop heads show of links: which never form cycles, and which never lead to one block from two.

use std::collections::BTreeSet;

use heapwright_engine::Fact;
use heapwright_graph_text::{NodeId, State};

/// The facts that hold of every state.
pub(crate) fn facts_of(states: &[State]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (size, offset) in links(states) {
        if !states.iter().any(|state| may_cycle(state, offset)) {
            facts.push(Fact::Acyclic { size, offset });
        }
        if !states.iter().any(|state| may_share(state, size, offset)) {
            facts.push(Fact::Unshared { size, offset });
        }
    }
    facts
}

/// The words that lead to nodes, by the sizes of blocks and the offsets in them.
fn links(states: &[State]) -> BTreeSet<(u64, u64)> {
    let nodes = states.iter().flat_map(|state| state.graph.nodes.iter());
    let words = nodes.flat_map(|node| node.words.iter().map(|word| (node.size, word)));
    let links = words.filter(|(_, (_, held))| held.iter().any(|target| target.node().is_some()));
    links.map(|(size, (offset, _))| (size, *offset)).collect()
}

fn may_cycle(state: &State, offset: u64) -> bool {
    let all: Vec<NodeId> = state.graph.nodes.ids().collect();
    state.graph.may_cycle(&all, offset)
}

fn may_share(state: &State, size: u64, offset: u64) -> bool {
    let mut nodes = state.graph.nodes.iter().filter(|node| node.size == size);
    nodes.any(|node| node.shared.contains(&offset))
}
