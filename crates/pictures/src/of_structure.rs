//! Three-valued structures drawn as the field draws them: a circle for a block, a double circle for a node that may
//! stand for several, a solid arrow for 1 and a dotted one for 1/2, names of pointers above, other predicates below.
//!
//! The picture is made from the text of a structure alone (`blocks: a b*`, then a line a predicate).

use std::collections::BTreeMap;

use crate::svg::escaped;

const RADIUS: f64 = 26.0;
const GAP: f64 = 130.0;
const MIDDLE: f64 = 150.0;
const LINE: f64 = 15.0;

/// A structure that was read.
struct Drawing<'t> {
    /// Names, and whether each may be several; null comes last if something leads there.
    nodes: Vec<(&'t str, bool)>,
    /// Predicate, node, and whether it is certain.
    marks: Vec<(&'t str, usize, bool)>,
    /// Ends and whether it is certain, with the links of which that is true.
    arrows: BTreeMap<((usize, usize), bool), Vec<&'t str>>,
}

/// The picture of a structure; of its binary predicates those in `links`. `None` for what is no structure.
#[must_use]
pub fn structure_svg(text: &str, links: &[&str]) -> Option<String> {
    let drawing = read(text, links)?;
    let most = (0..drawing.nodes.len()).map(|node| badges(&drawing, node).len()).max()?;
    let width = 40.0 + GAP * drawing.nodes.len() as f64;
    let height = MIDDLE + 90.0 + LINE * most as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for ((ends, is_certain), links) in &drawing.arrows {
        svg += &arrow(&links.join(", "), *ends, *is_certain);
    }
    for node in 0..drawing.nodes.len() {
        svg += &circle(&drawing, node);
    }
    svg += "</svg>\n";
    Some(svg)
}

fn read<'t>(text: &'t str, links: &[&str]) -> Option<Drawing<'t>> {
    let mut lines = text.lines();
    let blocks = lines.next()?.strip_prefix("blocks:")?;
    let block = |name: &'t str| (name.trim_end_matches('*'), name.ends_with('*'));
    let mut nodes: Vec<(&str, bool)> = blocks.split_whitespace().map(block).collect();
    for outside in ["wild", "null"] {
        if text.contains(&format!("->{outside}")) {
            nodes.push((outside, false));
        }
    }
    let place = |name: &str| nodes.iter().position(|known| known.0 == name);
    let mut marks = Vec::new();
    let mut arrows: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    for line in lines {
        let (name, items) = line.split_once(':')?;
        for item in items.split_whitespace() {
            let (item, is_certain) = match item.strip_suffix('?') {
                Some(item) => (item, false),
                None => (item, true),
            };
            match item.split_once("->") {
                Some((from, to)) if links.contains(&name) => {
                    if let Some(ends) = place(from).zip(place(to)) {
                        arrows.entry((ends, is_certain)).or_default().push(name);
                    }
                }
                Some(_) => {}
                None => marks.extend(place(item).map(|node| (name, node, is_certain))),
            }
        }
    }
    Some(Drawing { nodes, marks, arrows })
}

fn centre(node: usize) -> f64 {
    40.0 + RADIUS + GAP * node as f64
}

/// Pointers have a place of their own in the program, so their names have a slash.
fn is_pointer(name: &str) -> bool {
    name.contains('/') && !name.contains('[') && !name.starts_with("size/")
}

fn badges<'t>(drawing: &Drawing<'t>, node: usize) -> Vec<(&'t str, bool)> {
    let of_node = drawing.marks.iter().filter(|mark| mark.1 == node && !is_pointer(mark.0));
    of_node.filter(|mark| !mark.0.starts_with("size/")).map(|mark| (mark.0, mark.2)).collect()
}

fn circle(drawing: &Drawing<'_>, node: usize) -> String {
    let (name, is_many) = drawing.nodes[node];
    let x = centre(node);
    let mut svg = String::new();
    if name == "null" {
        // Ground.
        for (index, half) in [16, 10, 4].into_iter().enumerate() {
            let y = MIDDLE + 5.0 * index as f64;
            let left = x - f64::from(half);
            svg += &format!("<path d=\"M{left} {y}h{}\" stroke=\"black\"/>\n", 2 * half);
        }
        return svg;
    }
    let dash = if name == "wild" { " stroke-dasharray=\"2 3\"" } else { "" };
    let rings: &[f64] = if is_many { &[RADIUS, RADIUS - 4.0] } else { &[RADIUS] };
    for radius in rings {
        svg += &format!(
            "<circle cx=\"{x}\" cy=\"{MIDDLE}\" r=\"{radius}\" fill=\"white\" stroke=\"black\"{dash}/>\n"
        );
    }
    svg += &label(x, MIDDLE + 4.0, name);
    let pointers = drawing.marks.iter().filter(|mark| mark.1 == node && is_pointer(mark.0));
    for (index, (pointer, _, _)) in pointers.enumerate() {
        svg += &label(x, MIDDLE - RADIUS - 44.0 - LINE * index as f64, pointer);
        if index == 0 {
            let (top, end) = (MIDDLE - RADIUS - 38.0, MIDDLE - RADIUS);
            svg += &format!(
                "<path d=\"M{x} {top}V{end}\" stroke=\"black\" marker-end=\"url(#tip)\"/>\n"
            );
        }
    }
    for (index, (badge, is_certain)) in badges(drawing, node).into_iter().enumerate() {
        let text = if is_certain { badge.to_owned() } else { format!("{badge} = 1/2") };
        svg += &label(x, MIDDLE + RADIUS + 60.0 + LINE * index as f64, &text);
    }
    svg
}

fn label(x: f64, y: f64, text: &str) -> String {
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{}</text>\n", escaped(text))
}

/// Neighbours are joined below or above their middle, others by wider arcs, a node with itself by a loop.
fn arrow(links: &str, (from, to): (usize, usize), is_certain: bool) -> String {
    let dash = if is_certain { "" } else { " stroke-dasharray=\"2 4\"" };
    let (start, end) = (centre(from), centre(to));
    let style = format!("fill=\"none\" stroke=\"black\"{dash} marker-end=\"url(#tip)\"");
    // What is certain runs beside what is not.
    let nudge = if is_certain { 8.0 } else { 0.0 };
    if from == to {
        let (left, right, low) = (start - 12.0, start + 12.0, MIDDLE + RADIUS);
        let deep = low + 34.0 + nudge;
        let path = format!("M{left} {low}C{left} {deep} {right} {deep} {right} {low}");
        return format!("<path d=\"{path}\" {style}/>\n{}", label(start, deep - 2.0, links));
    }
    let side = if from < to { 1.0 } else { -1.0 };
    let rise = 16.0 + 14.0 * (start - end).abs() / GAP + nudge;
    let bend = MIDDLE - side * rise * 1.6;
    let (first, last) = (start + side * RADIUS * 0.8, end - side * RADIUS * 0.8);
    let height = MIDDLE - side * RADIUS * 0.6;
    let middle = f64::midpoint(first, last);
    let path = format!("M{first} {height}Q{middle} {bend} {last} {height}");
    let at = f64::midpoint(height, bend) - side * 3.0;
    format!("<path d=\"{path}\" {style}/>\n{}", label(middle, at, links))
}
