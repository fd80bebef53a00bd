//! Drawings as SVG, without Graphviz; readable on light and on dark ground.

use std::fmt::Write;

use heapwright_base::DenseId;

use crate::analysis::{CallGraph, Loops, Order};
use crate::draw::layout::{Size, layout};
use crate::operation::Operation;
use crate::program::{Body, FunctionId, LocationId, Program};
use crate::text::display_operation;

const LETTER: f64 = 7.3;
const MARGIN: f64 = 16.0;
/// Longer labels are cut; the whole text is in the tooltip.
const LONGEST_LABEL: usize = 56;

const STYLE: &str = "\
    text { font: 12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; \
text-anchor: middle; fill: #24292f; }\n\
    .box { fill: #f4f5f7; stroke: #8a8f98; }\n\
    .end { fill: #e3edf7; stroke: #3a6ea5; }\n\
    .head { fill: #fdf0d5; stroke: #c98a1b; stroke-width: 1.8; }\n\
    .outside { stroke-dasharray: 4 3; }\n\
    .way { fill: none; stroke: #8a8f98; stroke-width: 1.2; }\n\
    .tip { fill: #8a8f98; }\n\
    .condition { fill: #3a6ea5; }\n\
    .alarm { fill: #b3382c; }\n\
    @media (prefers-color-scheme: dark) {\n\
    text { fill: #e6e8eb; }\n\
    .box { fill: #2b3038; stroke: #7d848e; }\n\
    .end { fill: #223347; stroke: #7fb0e0; }\n\
    .head { fill: #40341c; stroke: #dda63f; }\n\
    .condition { fill: #8fbcea; }\n\
    .alarm { fill: #f08a7e; }\n\
    }\n";

/// What stands at a place of the drawing.
struct Item {
    text: String,
    /// Absent for labels, which have no frame.
    frame: Option<&'static str>,
    class: &'static str,
}

impl Item {
    fn size(&self) -> Size {
        let letters = shortened(&self.text).chars().count() as f64;
        let (padding, height) = if self.frame.is_some() { (14.0, 22.0) } else { (6.0, 16.0) };
        Size { width: letters * LETTER + padding, height }
    }
}

/// The automaton of one function: a box a location, an arrow an operation; heads of loops stand out.
#[must_use]
pub fn function_svg(program: &Program, function: FunctionId) -> String {
    let item = &program.functions[function];
    let (mut items, mut edges) = (Vec::new(), Vec::new());
    if let Some(body) = &item.body {
        let order = entry_first(body);
        let loops = Loops::of(body);
        let mut place = vec![0; body.location_count];
        for &location in &order {
            place[location.index()] = items.len();
            let frame = if loops.is_head(location) {
                "head"
            } else if location == body.entry || location == body.exit {
                "end"
            } else {
                "box"
            };
            items.push(Item { text: location.to_string(), frame: Some(frame), class: "" });
        }
        let positions = Order::of(body);
        for edge in &body.edges {
            let label = items.len();
            let text = display_operation(program, &edge.operation);
            items.push(Item { text, frame: None, class: class_of(&edge.operation) });
            let (source, target) = (place[edge.source.index()], place[edge.target.index()]);
            // A way back is laid out as a way down that is walked upwards.
            let is_back = positions.position(edge.target) < positions.position(edge.source);
            if is_back && positions.is_reachable(edge.target) {
                edges.push(Arrow { top: target, bottom: label, is_up: true });
                edges.push(Arrow { top: label, bottom: source, is_up: true });
            } else {
                edges.push(Arrow { top: source, bottom: label, is_up: false });
                edges.push(Arrow { top: label, bottom: target, is_up: false });
            }
        }
    }
    drawing(&item.name, &items, &edges)
}

/// Who may call whom, from `main` on, or everyone if there is no `main`; recursion stands out.
#[must_use]
pub fn call_graph_svg(program: &Program) -> String {
    let calls = CallGraph::of(program);
    let functions = super::shown_functions(program, &calls);
    let (mut items, mut edges) = (Vec::new(), Vec::new());
    for (place, &id) in functions.iter().enumerate() {
        let frame = match (&program.functions[id].body, calls.is_recursive(id)) {
            (None, _) => "box outside",
            (Some(_), true) => "head",
            (Some(_), false) => "box",
        };
        items.push(Item {
            text: program.functions[id].name.clone(),
            frame: Some(frame),
            class: "",
        });
        for callee in calls.callees(id) {
            if let Some(target) = functions.iter().position(|it| it == callee) {
                edges.push(Arrow { top: place, bottom: target, is_up: false });
            }
        }
    }
    drawing("calls", &items, &edges)
}

/// The layout starts from its first box.
fn entry_first(body: &Body) -> Vec<LocationId> {
    let all = (0..body.location_count).map(LocationId::from_index);
    std::iter::once(body.entry).chain(all.filter(|location| *location != body.entry)).collect()
}

fn class_of(operation: &Operation) -> &'static str {
    match operation {
        Operation::Assume { .. } => "condition",
        Operation::Fail(_) | Operation::Unsupported { .. } => "alarm",
        _ => "",
    }
}

fn drawing(title: &str, items: &[Item], arrows: &[Arrow]) -> String {
    let sizes: Vec<Size> = items.iter().map(Item::size).collect();
    let edges: Vec<(usize, usize)> = arrows.iter().map(|it| (it.top, it.bottom)).collect();
    let layout = layout(&sizes, &edges);
    let (width, height) = (layout.width + 2.0 * MARGIN, layout.height + 2.0 * MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto\"><path class=\"tip\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n\
         <g transform=\"translate({MARGIN} {MARGIN})\">\n",
        escaped(title)
    );
    for (arrow, route) in arrows.iter().zip(&layout.routes) {
        let goal = if arrow.is_up { arrow.top } else { arrow.bottom };
        let tip = if items[goal].frame.is_some() { " marker-end=\"url(#tip)\"" } else { "" };
        let path = arrow.path(route, &sizes);
        let _ = writeln!(text, "<path class=\"way\" d=\"{path}\"{tip}/>");
    }
    for (item, (&position, size)) in items.iter().zip(layout.positions.iter().zip(&sizes)) {
        draw_item(&mut text, item, position, *size);
    }
    text.push_str("</g>\n</svg>\n");
    text
}

fn draw_item(text: &mut String, item: &Item, (x, y): (f64, f64), size: Size) {
    let Size { width, height } = size;
    if let Some(frame) = item.frame {
        let (left, top) = (x - width / 2.0, y - height / 2.0);
        let _ = writeln!(
            text,
            "<rect class=\"{frame}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\" rx=\"6\"/>"
        );
    }
    let label = shortened(&item.text);
    // Half the height of a letter; not every viewer knows central baselines.
    let y = y + 4.0;
    let class =
        if item.class.is_empty() { String::new() } else { format!(" class=\"{}\"", item.class) };
    let whole = if label == item.text {
        String::new()
    } else {
        format!("<title>{}</title>", escaped(&item.text))
    };
    let _ =
        writeln!(text, "<text{class} x=\"{x:.1}\" y=\"{y:.1}\">{whole}{}</text>", escaped(&label));
}

/// One edge of a drawing, as the layout sees it, and which way it is walked.
struct Arrow {
    top: usize,
    bottom: usize,
    is_up: bool,
}

impl Arrow {
    /// A curve through the points of the route that leaves and arrives upright.
    fn path(&self, route: &[(f64, f64)], sizes: &[Size]) -> String {
        if self.top == self.bottom {
            return circle(route[0], sizes[self.top]);
        }
        let mut points = route.to_vec();
        let last = points.len() - 1;
        // The layout may still have turned the edge round.
        let sign = if points[0].1 < points[last].1 { 1.0 } else { -1.0 };
        points[0].1 += sign * sizes[self.top].height / 2.0;
        points[last].1 -= sign * sizes[self.bottom].height / 2.0;
        if self.is_up || sign < 0.0 {
            // Beside the middle, where the ways down leave and arrive.
            let next = points[1].0;
            points[0].0 += port(points[0].0, next, sizes[self.top]);
            let before = points[last - 1].0;
            points[last].0 += port(points[last].0, before, sizes[self.bottom]);
        }
        if self.is_up {
            points.reverse();
        }
        let mut path = format!("M{:.1} {:.1}", points[0].0, points[0].1);
        for pair in points.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let middle = f64::midpoint(y0, y1);
            let _ = write!(path, "C{x0:.1} {middle:.1} {x1:.1} {middle:.1} {x1:.1} {y1:.1}");
        }
        path
    }
}

/// How far beside its middle a box is left, on the side where the way goes.
fn port(from: f64, to: f64, size: Size) -> f64 {
    let room = (size.width / 2.0 - 6.0).clamp(0.0, 9.0);
    if to < from { -room } else { room }
}

fn circle((x, y): (f64, f64), size: Size) -> String {
    let right = x + size.width / 2.0;
    format!("M{right:.1} {:.1}c14 -6 14 18 0 12", y - 6.0)
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST_LABEL {
        return text.to_owned();
    }
    text.chars().take(LONGEST_LABEL - 1).chain(['…']).collect()
}

fn escaped(text: &str) -> String {
    // Control characters are not allowed in XML at all.
    let text: String =
        text.chars().map(|it| if it.is_control() { '\u{fffd}' } else { it }).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
