//! Scenes as Graphviz text, for those who have their own tools.

use std::fmt::Write;

use crate::scene::{Card, Kind, Look, Scene, Shown};

/// A digraph of this name.
#[must_use]
pub fn dot(scene: &Scene, name: &str) -> String {
    let mut text = format!(
        "digraph {} {{\n  rankdir=LR;\n  label={};\n  node [shape=plaintext, fontname=\"monospace\"];\n",
        quoted(name),
        quoted(&scene.title)
    );
    for card in scene.frames.iter().chain(&scene.cards) {
        node(&mut text, card);
    }
    for card in scene.frames.iter().chain(&scene.cards) {
        for (index, row) in card.rows.iter().enumerate() {
            let Shown::Link { target, is_stale, .. } = &row.shown else { continue };
            let Some((to, is_last)) = scene.target(target) else { continue };
            let style = if *is_stale { " [style=dashed]" } else { "" };
            let style = if is_last { " [label=\"the last\"]" } else { style };
            let (from, to) = (quoted(&card.id), quoted(&to.id));
            writeln!(text, "  {from}:r{index} -> {to}:h{style};").expect("a string");
        }
    }
    text.push_str("}\n");
    text
}

fn node(text: &mut String, card: &Card) {
    let style = match (card.kind, card.look) {
        (_, Look::Gone) => " style=\"dashed\" color=\"red\"",
        (Kind::Many | Kind::Tree, _) => " border=\"3\"",
        (Kind::One | Kind::Strip, Look::Plain | Look::Lost | Look::Current) => "",
    };
    let pills: Vec<&str> = card.pills.iter().map(|(_, words)| words.as_str()).collect();
    let head = format!("{} {} {}", card.title, card.note, pills.join(", "));
    let mut label = format!(
        "<table cellspacing=\"0\"{style}><tr><td port=\"h\" bgcolor=\"#eef2f6\">{}</td></tr>",
        markup(head.trim())
    );
    for (index, row) in card.rows.iter().enumerate() {
        let words = format!("{} {}", row.name, row.shown.text());
        write!(label, "<tr><td port=\"r{index}\">{}</td></tr>", markup(words.trim()))
            .expect("a string");
    }
    writeln!(text, "  {} [label=<{label}</table>>];", quoted(&card.id)).expect("a string");
}

fn markup(text: &str) -> String {
    crate::svg::escaped(text)
}

fn quoted(text: &str) -> String {
    let text = heapwright_trace::printable(text);
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
