//! Pictures of three-valued structures: what stands for several has two rings, what is not certain is dotted.

use heapwright_pictures::structure_svg;

const LIST: &str = "blocks: a b*
main/x: a
c_next: a b?
next: a->b? b->b? b->null?
prev: a->null b->a
t: a->a a->b
";

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn rings_and_dots_tell_what_is_certain() {
    let svg = structure_svg(LIST, &["next", "prev"]).expect("a structure");
    assert_eq!(count(&svg, "<circle"), 3, "one ring for a, two for b");
    assert_eq!(count(&svg, "stroke-dasharray"), 3, "next is open three times");
    assert_eq!(count(&svg, ">next</text>"), 3);
    assert_eq!(count(&svg, ">prev</text>"), 2);
    let both = structure_svg("blocks: a b\nnext: a->b\nprev: a->b\n", &["next", "prev"]);
    assert!(both.is_some_and(|svg| count(&svg, ">next, prev</text>") == 1), "one arrow for both");
    assert!(svg.contains(">main/x</text>") && svg.contains(">c_next = 1/2</text>"), "{svg}");
    assert!(!svg.contains(">t</text>"), "only links are drawn");
}

#[test]
fn names_are_escaped() {
    let svg = structure_svg("blocks: a\n<b>&/x: a\n", &[]).expect("a structure");
    assert!(svg.contains("&lt;b&gt;&amp;/x") && !svg.contains("<b>"), "{svg}");
}

#[test]
fn what_is_no_structure_has_no_picture() {
    assert_eq!(structure_svg("nodes: a", &["next"]), None);
}
