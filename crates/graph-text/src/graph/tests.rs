//! Blocks that are taken out of nodes for many: what may lead to them afterwards.

use heapwright_base::DenseId;
use heapwright_program::VariableId;

use crate::graph::Root;
use crate::state::State;
use crate::text::{read, targets_text};

fn state(body: &str) -> State {
    read(&format!("state f0 L0\n{body}end\n")).expect("well written").pop().expect("a state")
}

fn variable(index: usize) -> Root {
    Root::Variable(VariableId::from_index(index))
}

/// What a variable, or a word of a node, holds.
fn held(state: &State, root: usize) -> String {
    targets_text(&state.graph.roots[&variable(root)])
}

fn word(state: &State, node: usize) -> String {
    targets_text(&state.graph.nodes.as_slice()[node].words[&0])
}

#[test]
fn another_variable_on_the_same_node_may_lead_to_the_block() {
    let two = "variable v0: n0+0\nvariable v1: n0+8\nnode 16 many\nlink 0: n0+0 null\n";
    let settled = state(two).settled(variable(0)).pop().expect("one state");
    assert_eq!(held(&settled, 0), " n1+0");
    assert_eq!(held(&settled, 1), " n0+8 n1+8");
    assert_eq!(word(&settled, 0), " null n0+0 n1+0");
    // Without cycles, it has no link to itself.
    assert_eq!(word(&settled, 1), " null n0+0");
    let apart = settled.settled(variable(1));
    assert_eq!(apart.iter().map(|it| held(it, 1)).collect::<Vec<_>>(), [" n2+8", " n1+8"]);
}

#[test]
fn the_link_that_was_followed_is_the_only_one_where_blocks_are_not_shared() {
    let list = "variable v0: n0+0\nnode 8\nlink 0: n1+0\nnode 8 many BITS\nlink 0: n1+0 null\n";
    let taken = |bits: &str| {
        let mut state = state(&list.replace(" BITS", bits));
        let first = state.graph.roots[&variable(0)].first().copied().expect("it leads somewhere");
        let from = first.node().expect("to a node");
        let held = state.graph.nodes[from].words[&0].first().copied().expect("a link");
        state.graph.follow(from, 0, held);
        state
    };
    let only = taken("");
    assert_eq!((word(&only, 1), word(&only, 2)), (" null n1+0".into(), " null n1+0".into()));
    let shared = taken(" shared 0");
    assert_eq!(word(&shared, 1), " null n1+0 n2+0");
    assert_eq!(word(&shared, 2), " null n1+0");
    let cyclic = taken(" shared 0 cyclic 0");
    assert_eq!(word(&cyclic, 2), " null n1+0 n2+0");
}

#[test]
fn another_link_to_a_block_that_is_not_shared_leads_elsewhere() {
    let two = "variable v0: n0+0\nvariable v1: n1+0\nvariable v2: n2+0\n\
        node 8\nlink 0: n2+0 null\nnode 8\nlink 0: n2+0 null\nnode 8 BITS\nlink 0: null\n";
    let followed = |bits: &str| {
        let mut state = state(&two.replace(" BITS", bits));
        let held = state.graph.roots[&variable(2)].first().copied().expect("it leads somewhere");
        let from = state.graph.roots[&variable(0)].first().and_then(|it| it.node());
        state.graph.follow(from.expect("a node"), 0, held);
        (word(&state, 0), word(&state, 1))
    };
    assert_eq!(followed(""), (" n2+0".to_owned(), " null".to_owned()));
    assert_eq!(followed(" shared 0"), (" n2+0".to_owned(), " null n2+0".to_owned()));
}
