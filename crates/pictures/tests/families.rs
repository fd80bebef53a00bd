//! Storage graphs and forest automata become structures that can be drawn; pictures stand side by side.

use heapwright_pictures::{Panel, of_forest, of_storage_graph, side_by_side};
use heapwright_program::{DataModel, Program};

#[test]
fn a_storage_graph_tells_what_is_many_and_what_is_a_choice() {
    let text = "in main at L1 // list.c:15:12\nhead: n0+0\nlast: null\nn0: size 8\nlink 0: n1+0\n\
                n1: size 8 many\nlink 0: null n1+0\n";
    let (text, links) = of_storage_graph(&Program::new(DataModel::Lp64), text);
    assert_eq!(text, "blocks: n0 n1*\nmain/head: n0\n+0: n0->n1 n1->null? n1->n1?\n");
    assert_eq!(links, ["+0"]);
}

#[test]
fn a_forest_is_its_states_and_rules() {
    let text = "in main at L1 // list.c:15:12\nvariable head b0+0\nvariable last #0\nblock b0 q0\n\
                state q0 8 3\nrule q0 0/8 tree q1 +0\nstate q1 8 3\nrule q1 0/8 #0\nrule q1 0/8 tree q1 +0\n";
    let (text, links) = of_forest(&Program::new(DataModel::Lp64), text);
    assert_eq!(text, "blocks: q0 q1\nmain/head: q0\n+0: q0->q1 q1->null? q1->q1?\n");
    assert_eq!(links, ["+0"]);
}

#[test]
fn pictures_stand_in_two_columns() {
    let panel = |title: &str| Panel {
        title: title.to_owned(),
        words: "a < b".to_owned(),
        picture: "<svg width=\"100\" height=\"50\"></svg>\n".to_owned(),
    };
    let svg = side_by_side(&[panel("one"), panel("two"), panel("three")]);
    assert_eq!(svg.matches("a &lt; b").count(), 3);
    assert!(svg.contains("<svg x=\"16\" y=\"44\" width=\"100\""), "{svg}");
    assert!(svg.contains("<svg x=\"148\" y=\"44\" width=\"100\""), "{svg}");
    assert!(svg.contains("<svg x=\"16\" y=\"154\" width=\"100\""), "{svg}");
}
