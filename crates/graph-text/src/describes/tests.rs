//! What graphs mean: the lists with a cursor of Chang and others, *Shape Analysis*, 2020, figures 4.1 and 4.2.
//!
//! Variable 0 holds the list, variable 1 the cursor.

use crate::describes::describes;
use crate::text::read;

fn is_described(claim: &str, memory: &str) -> bool {
    let state = |body: &str| {
        let text = format!("state f0 L0\n{}end\n", body.trim_start());
        let mut states = read(&text).unwrap_or_else(|error| panic!("{error}"));
        states.pop().expect("one state")
    };
    describes(&state(claim), &state(memory)).expect("found out")
}

/// Five nodes, the cursor at the third.
const FIVE: &str = "
variable v0: n0+0
variable v1: n2+0
node 8\nlink 0: n1+0
node 8\nlink 0: n2+0
node 8\nlink 0: n3+0
node 8\nlink 0: n4+0
node 8\nlink 0: null
";
/// What lies before the cursor and behind it is put together.
const TWO_PARTS: &str = "
variable v0: n0+0
variable v1: n2+0
node 8\nlink 0: n1+0 n2+0
node 8 many\nlink 0: n1+0 n2+0
node 8\nlink 0: n3+0 null
node 8 many\nlink 0: n3+0 null
";
/// All but what variables lead to is put together.
const ONE_REST: &str = "
variable v0: n0+0
variable v1: n1+0
node 8\nlink 0: n1+0 n2+0
node 8\nlink 0: n2+0 null
node 8 many\nlink 0: n1+0 n2+0 null
";
/// One node for everything.
const ONE_NODE: &str = "
variable v0: n0+0
variable v1: n0+0
node 8 many\nlink 0: n0+0 null
";

#[test]
fn four_graphs_describe_one_list_the_later_the_less_exactly() {
    // The third describes a ring through the cursor, too.
    let rings = ONE_NODE.replace("many", "many cyclic 0");
    let graphs = [FIVE, TWO_PARTS, ONE_REST, &rings];
    for (exact, one) in graphs.iter().enumerate() {
        for (rough, other) in graphs.iter().enumerate() {
            assert_eq!(is_described(other, one), exact <= rough, "{rough} of {exact}");
        }
    }
}

#[test]
fn a_null_cursor_is_described_only_where_that_is_said() {
    let null = FIVE.replace("variable v1: n2+0", "variable v1: null");
    for graph in [TWO_PARTS, ONE_REST, ONE_NODE] {
        assert!(!is_described(graph, &null));
    }
    let may_be_null = ONE_NODE.replace("variable v1: n0+0", "variable v1: n0+0 null");
    assert!(is_described(&may_be_null, &null));
    assert!(is_described(&may_be_null, FIVE));
}

#[test]
fn two_lists_are_described_where_nodes_for_many_hide_that_they_hang_together() {
    let apart = "
        variable v0: n0+0
        variable v1: n2+0
        node 8\nlink 0: n1+0
        node 8\nlink 0: null
        node 8\nlink 0: n3+0
        node 8\nlink 0: null\n";
    assert!(!is_described(FIVE, apart));
    assert!(!is_described(TWO_PARTS, apart));
    assert!(is_described(ONE_REST, apart));
    assert!(is_described(ONE_NODE, apart));
}

#[test]
fn blocks_that_nobody_leads_to_are_not_spoken_of() {
    let garbage = format!("{FIVE}node 99\nlink 0: n0+0 n1+0\n");
    for graph in [FIVE, TWO_PARTS, ONE_REST, ONE_NODE] {
        assert!(is_described(graph, &garbage));
    }
}

#[test]
fn a_cyclic_end_is_described_only_where_links_may_be_shared_and_cyclic() {
    // In a memory each block is one node, whose links are counted.
    let cyclic = FIVE.replace("link 0: null", "link 0: n3+0").replace("node 8", "node 8 shared 0");
    for graph in [FIVE, TWO_PARTS, ONE_REST, ONE_NODE] {
        assert!(!is_described(graph, &cyclic));
    }
    for bits in ["shared 0", "cyclic 0"] {
        assert!(!is_described(&ONE_NODE.replace("many", &format!("many {bits}")), &cyclic));
    }
    assert!(is_described(&ONE_NODE.replace("many", "many shared 0 cyclic 0"), &cyclic));
    // A ring in which no block has two links to it is cyclic and not shared.
    let ring = "
        variable v0: n0+0
        variable v1: n1+0
        node 8 shared 0\nlink 0: n1+0
        node 8 shared 0\nlink 0: n0+0\n";
    assert!(!is_described(&ONE_NODE.replace("many", "many shared 0"), ring));
    assert!(is_described(&ONE_NODE.replace("many", "many cyclic 0"), ring));
}

#[test]
fn sizes_bytes_and_unlisted_words() {
    let larger = FIVE.replace("node 8", "node 16");
    assert!(is_described(FIVE, &larger), "a size is the least size");
    assert!(!is_described(&larger, FIVE));
    let inner = FIVE.replace("variable v1: n2+0", "variable v1: n2+4");
    assert!(!is_described(FIVE, &inner));
    let open = ONE_NODE.replace("link 0: n0+0 null\n", "");
    assert!(is_described(&open, FIVE));
    assert!(!is_described(FIVE, &FIVE.replace("link 0: null\n", "")));
    let wild = FIVE.replace("link 0: null", "link 0: wild");
    assert!(!is_described(ONE_NODE, &wild));
    assert!(is_described(&open, &wild));
}

#[test]
fn a_single_node_stands_for_one_block() {
    let alias = FIVE.replace("variable v1: n2+0", "variable v1: n0+0");
    assert!(!is_described(ONE_REST, &alias));
    assert!(!is_described(&alias, FIVE));
    assert!(is_described(ONE_NODE, &alias));
}
