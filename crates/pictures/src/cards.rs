//! One card as SVG: its frame, head and rows, what stands behind it, and the words above it.

use crate::layout::Rect;
use crate::measure::{CELL, HEADER, PILL, ROW, STACK, TREE_BASE, lift, pill_shift, pill_width};
use crate::scene::{Card, Kind, Look, Shown, Tone};
use crate::svg::{escaped, write};

/// The card and all that belongs to it, as one fragment.
pub(crate) fn card(card: &Card, rect: Rect, is_in_tree: bool) -> String {
    let mut text = String::new();
    behind(&mut text, card, rect);
    front(&mut text, card, rect);
    match card.kind {
        Kind::One | Kind::Many | Kind::Tree => rows(&mut text, card, rect),
        Kind::Strip => strip(&mut text, card, rect),
    }
    text.push_str("</g>");
    pills(&mut text, card, rect, is_in_tree);
    text
}

/// What shows that a card stands for many.
fn behind(text: &mut String, card: &Card, rect: Rect) {
    let Rect { x, y, width, height } = rect;
    match card.kind {
        Kind::Many => {
            for shift in [STACK, STACK / 2.0] {
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
    let label = escaped(&spoken(card));
    write(
        text,
        format_args!(
            "<g class=\"{class}\" role=\"img\" aria-label=\"{label}\"><rect class=\"card\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"7\"/>"
        ),
    );
    let (right, bar) = (x + width, y + HEADER);
    if !card.rows.is_empty() {
        write(
            text,
            format_args!(
                "<path class=\"bar\" d=\"M{:.1} {bar:.1}V{:.1}a6.5 6.5 0 0 1 6.5-6.5H{:.1}a6.5 6.5 0 0 1 6.5 6.5V{bar:.1}z\"/>",
                x + 1.0,
                y + 7.5,
                right - 7.5
            ),
        );
    }
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

/// What a screen reader says of a card.
fn spoken(card: &Card) -> String {
    let pills = card.pills.iter().map(|(_, words)| words.clone());
    let rows = card.rows.iter().map(|row| match row.shown.target() {
        Some(_) => format!("{} points on", row.name),
        None => format!("{} {}", row.name, row.shown.text()),
    });
    let parts: Vec<String> = pills.chain(rows).collect();
    format!("{} {}: {}", card.title, card.note, parts.join(", "))
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

fn pills(text: &mut String, card: &Card, rect: Rect, is_in_tree: bool) {
    let y = rect.y - lift(card);
    let mut x = rect.x + pill_shift(card, is_in_tree);
    for (tone, words) in &card.pills {
        let (pill, ink) = match tone {
            Tone::Bad => ("pbad", "badtext"),
            Tone::Fact => ("pfact", "tfact"),
        };
        let width = pill_width(words);
        write(
            text,
            format_args!(
                "<rect class=\"{pill}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{PILL:.0}\" rx=\"10.5\"/><text class=\"{ink} s mid\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x + width / 2.0,
                y + 14.5,
                escaped(words)
            ),
        );
        x += width + 8.0;
    }
}
