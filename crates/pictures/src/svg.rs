//! Scenes as SVG: one scene alone, or all steps of a story in one picture in which a page shows what
//! belongs to a step.

use std::collections::BTreeMap;
use std::fmt::Write;

use heapwright_trace::printable;

use crate::arrows::{Channels, Ends, route};
use crate::cards::card;
use crate::extent::Extent;
use crate::layout::{Layout, Rect, frame_id};
use crate::measure::{HEADER, ROW, bold, plain};
use crate::scene::{Card, Kind, Scene, Shown};
use crate::style;

/// Text within markup: nothing in it is markup, and nothing in it moves the cursor.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in printable(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            character => escaped.push(character),
        }
    }
    escaped
}

/// Around what is drawn.
const MARGIN: f64 = 16.0;
/// The height of a line of words.
const LINE: f64 = 20.0;
/// Words below a picture are wrapped, if the picture is not wider itself.
const WORDS: f64 = 640.0;

/// Cards of a picture; more are counted.
const MOST_CARDS: usize = 12;

/// A picture that stands alone.
#[must_use]
pub fn svg(scene: &Scene) -> String {
    let (fragments, drawn) = alone(scene);
    let mut extent = drawn.with_margin(MARGIN);
    let title = extent.top;
    extent.top -= LINE;
    extent.right = extent.right.max(extent.left + bold(&scene.title) + 2.0 * MARGIN);
    let width = extent.width().max(WORDS) - 2.0 * MARGIN;
    let notes: Vec<String> = scene.notes.iter().flat_map(|note| wrapped(note, width)).collect();
    let longest = notes.iter().map(|note| plain(note)).fold(0.0, f64::max);
    extent.right = extent.right.max(extent.left + longest + 2.0 * MARGIN);
    let below = extent.bottom;
    extent.bottom += LINE * notes.len() as f64;
    let mut text = head(extent, &scene.title, &scene.notes.join(" "), false);
    write(&mut text, format_args!("<style>\n{}</style>\n", style::standalone()));
    text.push_str(MARKERS);
    let x = extent.left + MARGIN;
    let name = escaped(&scene.title);
    write(
        &mut text,
        format_args!("<text class=\"b\" x=\"{x:.1}\" y=\"{title:.1}\">{name}</text>\n"),
    );
    text.extend(fragments);
    for (index, note) in notes.iter().enumerate() {
        let (y, note) = (below + LINE * (index as f64 + 0.5), escaped(note));
        write(&mut text, format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\">{note}</text>\n"));
    }
    text.push_str("</svg>\n");
    text
}

/// How much a page may shrink a picture before one has to scroll.
const LEAST_SCALE: f64 = 0.66;

/// A picture for a page that has the style and tells the words itself.
#[must_use]
pub fn svg_in_page(scene: &Scene) -> String {
    let layout = Layout::of(std::slice::from_ref(scene));
    let (fragments, drawn) = fragments(scene, &layout);
    let mut text = head(drawn.with_margin(MARGIN), &scene.title, &scene.notes.join(" "), false);
    text.push_str(MARKERS);
    text.extend(fragments);
    text.push_str("</svg>\n");
    text
}

/// The parts of a scene by itself.
fn alone(scene: &Scene) -> (Vec<String>, Extent) {
    let (scene, dropped) = scene.cut(MOST_CARDS);
    let layout = Layout::of(std::slice::from_ref(&scene));
    let (mut fragments, mut drawn) = fragments(&scene, &layout);
    if dropped > 0 {
        drawn.bottom += LINE + 8.0;
        let Extent { left: x, bottom: y, .. } = drawn;
        let words = format!("… and {dropped} more blocks");
        fragments.push(format!("<text class=\"m\" x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>\n"));
    }
    (fragments, drawn)
}

/// Lines of words that are no wider than asked, but for single words that are.
fn wrapped(words: &str, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ') {
        match lines.last_mut() {
            Some(line) if plain(line) + plain(" ") + plain(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Several pictures, one below the other.
#[must_use]
pub fn svg_page(scenes: &[Scene]) -> String {
    let pictures: Vec<String> = scenes.iter().map(svg).collect();
    let size = |picture: &str, name: &str| -> f64 {
        let (_, rest) = picture.split_once(&format!(" {name}=\"")).expect("each has a size");
        rest.split('"').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    let width = pictures.iter().map(|picture| size(picture, "width")).fold(0.0, f64::max);
    let mut body = String::new();
    let mut y = 0.0;
    for picture in &pictures {
        body.push_str(&picture.replacen("<svg ", &format!("<svg y=\"{y:.0}\" "), 1));
        y += size(picture, "height") + 16.0;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {y:.0}\" width=\"{width:.0}\" height=\"{y:.0}\">\n{body}</svg>\n"
    )
}

/// One picture for all steps: each part has the steps in which it is seen as `data-on`, from 0.
#[must_use]
pub fn svg_of_steps(scenes: &[Scene], title: &str) -> String {
    let layout = Layout::of(scenes);
    let mut order: Vec<String> = Vec::new();
    let mut steps: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut extent = Extent::default();
    for (number, scene) in scenes.iter().enumerate() {
        let (fragments, drawn) = fragments(scene, &layout);
        extent = extent.union(drawn);
        for fragment in fragments {
            if !steps.contains_key(&fragment) {
                order.push(fragment.clone());
            }
            steps.entry(fragment).or_default().push(number);
        }
    }
    let mut text = head(extent.with_margin(MARGIN), title, "", true);
    text.push_str(MARKERS);
    // Arrows lie above cards.
    for is_link in [false, true] {
        for fragment in order.iter().filter(|it| it.starts_with("<path class=\"arrow") == is_link) {
            let on = ranges(&steps[fragment]);
            write(&mut text, format_args!("<g data-on=\"{on}\">{fragment}</g>\n"));
        }
    }
    text.push_str("</svg>\n");
    text
}

/// `0-3 5`
fn ranges(steps: &[usize]) -> String {
    let runs = steps.chunk_by(|one, next| one + 1 == *next);
    let run = |run: &[usize]| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    };
    runs.map(run).collect::<Vec<_>>().join(" ")
}

const MARKERS: &str = "<defs><marker id=\"t\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7.5\" markerHeight=\"7.5\" orient=\"auto\"><path class=\"tip\" d=\"M0 .8 10 5 0 9.2z\"/></marker><marker id=\"u\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7.5\" markerHeight=\"7.5\" orient=\"auto\"><path class=\"btip\" d=\"M0 .8 10 5 0 9.2z\"/></marker></defs>\n";

fn head(extent: Extent, title: &str, description: &str, is_group: bool) -> String {
    let role = if is_group { "group" } else { "img" };
    let least = extent.width() * LEAST_SCALE;
    let Extent { left, top, .. } = extent;
    let (width, height) = (extent.width(), extent.height());
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"hw\" viewBox=\"{left:.0} {top:.0} {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" style=\"min-width:{least:.0}px\" role=\"{role}\">\n<title>{}</title>\n",
        escaped(title)
    );
    if !description.is_empty() {
        write(&mut text, format_args!("<desc>{}</desc>\n", escaped(description)));
    }
    text
}

/// The parts of a scene, cards first, then arrows; and the room that they take.
fn fragments(scene: &Scene, layout: &Layout) -> (Vec<String>, Extent) {
    let mut parts = Vec::new();
    let mut arrows = Vec::new();
    let mut channels = Channels::default();
    let mut extent = Extent::default();
    let frames = scene.frames.iter().enumerate();
    let frames = frames.map(|(index, frame)| (frame_id(index), frame, None));
    let cards = scene.cards.iter().map(|item| (item.id.clone(), item, Some(item.id.as_str())));
    for (id, item, source) in frames.chain(cards) {
        let Some(rect) = layout.places.get(&id) else { continue };
        let rect = Rect { height: crate::measure::size(item).1, ..*rect };
        let is_in_tree = source.is_some_and(|id| layout.trees.contains(id));
        parts.push(card(item, rect, is_in_tree));
        extent.include_card(item, rect, is_in_tree);
        arrows.extend(links(scene, layout, item, rect, source, &mut channels));
    }
    parts.extend(arrows);
    (parts, extent.union(channels.turns))
}

/// The arrows that leave a card.
fn links(
    scene: &Scene,
    layout: &Layout,
    card: &Card,
    rect: Rect,
    source: Option<&str>,
    channels: &mut Channels,
) -> Vec<String> {
    let mut arrows = Vec::new();
    for (index, row) in card.rows.iter().enumerate() {
        let Shown::Link { target, is_stale, .. } = &row.shown else { continue };
        let Some((to_card, to_last)) = scene.target(target) else { continue };
        let Some(to) = layout.places.get(&to_card.id) else { continue };
        let is_back = layout.back.contains(&(card.id.clone(), row.name.clone()));
        let y = rect.y + HEADER + ROW * (index as f64 + 0.5);
        let y = if card.kind == Kind::Strip { rect.y + HEADER + 17.0 } else { y };
        let ends = Ends { from: rect, source, y, to: *to, target: &to_card.id, to_last, is_back };
        let found = route(&ends, layout, channels);
        arrows.push(arrow(&found.path, found.leaves_left, is_back, *is_stale, rect, y));
    }
    arrows
}

fn arrow(
    path: &str,
    leaves_left: bool,
    is_back: bool,
    is_stale: bool,
    rect: Rect,
    y: f64,
) -> String {
    let (line, dot, marker) = if is_back { ("blk", "bdot", "u") } else { ("link", "dot", "t") };
    let stale = if is_stale { " stale" } else { "" };
    let x = if leaves_left { rect.x + 14.0 } else { rect.right() - 14.0 };
    format!(
        "<path class=\"arrow {line}{stale}\" d=\"{path}\" marker-end=\"url(#{marker})\"/><circle class=\"{dot}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.6\"/>"
    )
}

pub(crate) fn write(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("a string takes everything");
}
