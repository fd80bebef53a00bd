//! Drawings: texts are escaped, labels do not overlap, what stands out stands out.

use heapwright_program::draw::{call_graph_dot, call_graph_svg, function_dot, function_svg};
use heapwright_program::parse;

const LIST: &str = include_str!("programs/list.program");
const EVERYTHING: &str = include_str!("programs/everything.program");

#[test]
fn dot_has_a_box_a_location_and_an_arrow_an_operation() {
    let program = parse(LIST).unwrap();
    let text = function_dot(&program, program.function_named("main").unwrap());
    assert!(text.contains("    L2 [label=\"L2\", fillcolor=\"#fdf0d5\""), "{text}");
    assert!(text.contains("    L6 -> L7 [label=\"next = head->next\"];"), "{text}");
    assert!(text.contains("    L2 -> L3 [label=\"0 < i\", style=dashed];"), "{text}");
    assert!(call_graph_dot(&program).contains("    f2 -> f1;"));
}

#[test]
fn quotes_and_angles_are_escaped() {
    let program = parse(EVERYTHING).unwrap();
    let take = program.function_named("take").unwrap();
    assert!(function_dot(&program, take).contains(r#"label="assert(x == \"ä\\n\") fails""#));
    let svg = function_svg(&program, take);
    assert!(svg.contains("assert(x == &quot;ä\\n&quot;) fails"));
    assert!(svg.contains("n &lt; 2") && !svg.contains("n < 2"));
    assert!(call_graph_svg(&program).contains(">log</text>"));
}

/// The centre and the number of letters of every text in a drawing.
fn texts(svg: &str) -> Vec<(f64, f64, f64)> {
    let number = |line: &str, name: &str| -> f64 {
        let start = line.find(name).unwrap() + name.len();
        line[start..].split('"').next().unwrap().parse().unwrap()
    };
    let lines = svg.lines().filter(|line| line.starts_with("<text"));
    let width = |line: &str| {
        let (_, text) = line.trim_end_matches("</text>").rsplit_once('>').unwrap();
        text.replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&")
            .replace("&quot;", "\"")
            .chars()
            .count() as f64
            * 7.0
    };
    lines.map(|line| (number(line, " x=\""), number(line, " y=\""), width(line))).collect()
}

#[test]
fn labels_do_not_overlap() {
    for source in [LIST, EVERYTHING] {
        let program = parse(source).unwrap();
        for function in program.functions.ids() {
            let texts = texts(&function_svg(&program, function));
            for (index, (x, y, width)) in texts.iter().enumerate() {
                for (other_x, other_y, other_width) in &texts[index + 1..] {
                    let is_apart = (y - other_y).abs() >= 14.0
                        || (x - other_x).abs() >= (width + other_width) / 2.0;
                    assert!(is_apart, "{function}: {x},{y} and {other_x},{other_y}");
                }
            }
        }
    }
}
