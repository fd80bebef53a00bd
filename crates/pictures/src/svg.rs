//! Scenes as SVG: one scene alone, or all steps of a story in one picture in which a page shows what
//! belongs to a step.

use std::collections::BTreeMap;
use std::fmt::Write;

use heapwright_trace::printable;

use crate::arrows::{Channels, Ends, route};
use crate::layout::{Layout, PILL_SHIFT, Rect, frame_id};
use crate::measure::{CELL, HEADER, ROW, TREE_BASE, bold, plain, sans};
use crate::scene::{Card, Kind, Look, Scene, Shown, Tone};
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

/// A picture that stands alone.
#[must_use]
pub fn svg(scene: &Scene) -> String {
    let layout = Layout::of(std::slice::from_ref(scene));
    let notes = 20.0 * scene.notes.len() as f64;
    let longest = scene.notes.iter().map(|note| plain(note) + 60.0).fold(0.0, f64::max);
    let width = layout.width.max(longest).max(bold(&scene.title) + 60.0);
    let mut text = head(width, layout.height + notes, &scene.title, &scene.notes.join(" "), false);
    write(&mut text, format_args!("<style>\n{}</style>\n", style::standalone()));
    text.push_str(MARKERS);
    write(
        &mut text,
        format_args!("<text class=\"b\" x=\"20\" y=\"28\">{}</text>\n", escaped(&scene.title)),
    );
    for fragment in fragments(scene, &layout) {
        text.push_str(&fragment);
    }
    for (index, note) in scene.notes.iter().enumerate() {
        let y = layout.height + 20.0 * index as f64;
        write(&mut text, format_args!("<text x=\"20\" y=\"{y:.1}\">{}</text>\n", escaped(note)));
    }
    text.push_str("</svg>\n");
    text
}

/// A picture for a page that has the style and tells the words itself.
#[must_use]
pub fn svg_in_page(scene: &Scene) -> String {
    let layout = Layout::of(std::slice::from_ref(scene));
    let mut text = head(layout.width, layout.height, &scene.title, &scene.notes.join(" "), false);
    text.push_str(MARKERS);
    text.extend(fragments(scene, &layout));
    text.push_str("</svg>\n");
    text
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
    for (number, scene) in scenes.iter().enumerate() {
        for fragment in fragments(scene, &layout) {
            if !steps.contains_key(&fragment) {
                order.push(fragment.clone());
            }
            steps.entry(fragment).or_default().push(number);
        }
    }
    let mut text = head(layout.width, layout.height, title, "", true);
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

fn head(width: f64, height: f64, title: &str, description: &str, is_group: bool) -> String {
    let role = if is_group { "group" } else { "img" };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"hw\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"{role}\">\n<title>{}</title>\n",
        escaped(title)
    );
    if !description.is_empty() {
        write(&mut text, format_args!("<desc>{}</desc>\n", escaped(description)));
    }
    text
}

/// The parts of a scene, cards first, then arrows.
fn fragments(scene: &Scene, layout: &Layout) -> Vec<String> {
    let mut parts = Vec::new();
    let mut arrows = Vec::new();
    let mut channels = Channels::default();
    for (index, frame) in scene.frames.iter().enumerate() {
        let Some(rect) = layout.places.get(&frame_id(index)) else { continue };
        let rect = Rect { height: crate::measure::size(frame).1, ..*rect };
        parts.push(card(frame, rect));
        arrows.extend(links(scene, layout, frame, rect, None, &mut channels));
    }
    for item in &scene.cards {
        let Some(rect) = layout.places.get(&item.id) else { continue };
        let rect = Rect { height: crate::measure::size(item).1, ..*rect };
        parts.push(card(item, rect));
        arrows.extend(links(scene, layout, item, rect, Some(&item.id), &mut channels));
    }
    parts.extend(arrows);
    parts
}

fn card(card: &Card, rect: Rect) -> String {
    let mut text = String::new();
    behind(&mut text, card, rect);
    front(&mut text, card, rect);
    match card.kind {
        Kind::One | Kind::Many | Kind::Tree => rows(&mut text, card, rect),
        Kind::Strip => strip(&mut text, card, rect),
    }
    text.push_str("</g>");
    pills(&mut text, card, rect);
    text
}

/// What shows that a card stands for many.
fn behind(text: &mut String, card: &Card, rect: Rect) {
    let Rect { x, y, width, height } = rect;
    match card.kind {
        Kind::Many => {
            for shift in [18.0, 9.0] {
                write(
                    text,
                    format_args!(
                        "<rect class=\"card\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"7\"/>",
                        x + shift,
                        y - shift
                    ),
                );
            }
        }
        Kind::Tree => {
            let (middle, base) = (x + width / 2.0, y + height);
            write(
                text,
                format_args!(
                    "<path class=\"card\" d=\"M{middle:.1} {:.1}L{:.1} {:.1}H{:.1}z\"/>",
                    base - 4.0,
                    middle + 60.0,
                    base + TREE_BASE,
                    middle - 60.0
                ),
            );
        }
        Kind::One | Kind::Strip => {}
    }
}

/// The frame of a card and its head; opens a group.
fn front(text: &mut String, card: &Card, rect: Rect) {
    let Rect { x, y, width, height } = rect;
    let class = match card.look {
        Look::Plain => "",
        Look::Gone => "gone",
        Look::Lost => "lost",
        Look::Current => "now",
    };
    let label = escaped(&format!("{} {}", card.title, card.note));
    write(
        text,
        format_args!(
            "<g class=\"{class}\" role=\"img\" aria-label=\"{label}\"><rect class=\"card\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"7\"/>"
        ),
    );
    let (right, bar) = (x + width, y + HEADER);
    write(
        text,
        format_args!(
            "<path class=\"bar\" d=\"M{:.1} {bar:.1}V{:.1}a6.5 6.5 0 0 1 6.5-6.5H{:.1}a6.5 6.5 0 0 1 6.5 6.5V{bar:.1}z\"/>",
            x + 1.0,
            y + 7.5,
            right - 7.5
        ),
    );
    write(
        text,
        format_args!(
            "<text class=\"c b\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + 12.0,
            y + 17.5,
            escaped(&card.title)
        ),
    );
    write(
        text,
        format_args!(
            "<text class=\"s m e\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            right - 12.0,
            y + 17.5,
            escaped(&card.note)
        ),
    );
    if card.look == Look::Gone {
        write(
            text,
            format_args!(
                "<path class=\"cross\" d=\"M{:.1} {:.1}L{:.1} {:.1}M{:.1} {:.1}L{:.1} {:.1}\"/>",
                x + 3.0,
                y + 3.0,
                right - 3.0,
                y + height - 3.0,
                right - 3.0,
                y + 3.0,
                x + 3.0,
                y + height - 3.0
            ),
        );
    }
}

fn rows(text: &mut String, card: &Card, rect: Rect) {
    let Rect { x, y, width, .. } = rect;
    for (index, row) in card.rows.iter().enumerate() {
        let top = y + HEADER + ROW * index as f64;
        if row.is_changed {
            write(
                text,
                format_args!(
                    "<rect class=\"new\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                    x + 1.0,
                    top + 1.0,
                    width - 2.0,
                    ROW - 2.0
                ),
            );
        }
        write(
            text,
            format_args!(
                "<path class=\"rule\" d=\"M{x:.1} {top:.1}h{width:.1}\"/><text class=\"c m\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x + 26.0,
                top + 17.5,
                escaped(&row.name)
            ),
        );
        let class = match (&row.shown, row.is_changed) {
            (Shown::Remark(_), _) => "s tfact e",
            (_, true) => "c tnew e",
            (Shown::Null | Shown::Uninitialised, false) => "c m e",
            (Shown::Text(_) | Shown::Link { .. }, false) => "c e",
        };
        write(
            text,
            format_args!(
                "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x + width - 12.0,
                top + 17.5,
                escaped(row.shown.text())
            ),
        );
        if row.is_hit {
            write(
                text,
                format_args!(
                    "<rect class=\"hit\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"4\"/>",
                    x + 2.0,
                    top + 1.5,
                    width - 4.0,
                    ROW - 3.0
                ),
            );
        }
    }
}

fn strip(text: &mut String, card: &Card, rect: Rect) {
    let top = rect.y + HEADER + 4.0;
    for (index, row) in card.rows.iter().enumerate() {
        let x = rect.x + 8.0 + CELL * index as f64;
        let fill = if row.is_changed { "new" } else { "card" };
        write(
            text,
            format_args!(
                "<rect class=\"{fill}\" x=\"{x:.1}\" y=\"{top:.1}\" width=\"{CELL:.1}\" height=\"26\"/>"
            ),
        );
        write(
            text,
            format_args!(
                "<text class=\"c mid\" x=\"{:.1}\" y=\"{:.1}\">{}</text><text class=\"s m mid\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x + CELL / 2.0,
                top + 17.5,
                escaped(row.shown.text()),
                x + CELL / 2.0,
                top + 39.0,
                escaped(&row.name)
            ),
        );
        if row.is_hit {
            write(
                text,
                format_args!(
                    "<rect class=\"hit\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"24\"/>",
                    x + 1.0,
                    top + 1.0,
                    CELL - 2.0
                ),
            );
        }
    }
}

fn pills(text: &mut String, card: &Card, rect: Rect) {
    let lift = if card.kind == Kind::Many { 46.0 } else { 28.0 };
    // An arrow may enter from above at the left.
    let mut x = if card.kind == Kind::Many { rect.x + PILL_SHIFT } else { rect.x };
    for (tone, words) in &card.pills {
        let (pill, ink) = match tone {
            Tone::Bad => ("pbad", "badtext"),
            Tone::Fact => ("pfact", "tfact"),
        };
        let width = sans(words) + 22.0;
        let y = rect.y - lift;
        write(
            text,
            format_args!(
                "<rect class=\"{pill}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"21\" rx=\"10.5\"/><text class=\"{ink} s mid\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x + width / 2.0,
                y + 14.5,
                escaped(words)
            ),
        );
        x += width + 8.0;
    }
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

fn write(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("a string takes everything");
}
