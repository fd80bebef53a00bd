//! Text within XML: nothing in it is markup, and no character that XML forbids.

pub(super) fn text(content: &str) -> String {
    let mut safe = String::with_capacity(content.len());
    for character in content.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' => safe.push(character),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            character => safe.push(character),
        }
    }
    safe
}
