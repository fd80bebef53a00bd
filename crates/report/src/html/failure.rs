//! Where a proof failed: the state that does not fit beside those that were known, as pictures.

use std::fmt::Write;

use heapwright_pictures::{escaped, svg_in_page};

use super::markup::prose;
use crate::failure::{FailedState, FailureReport};

/// The section about the last candidate for an invariant.
pub(super) fn failed(failure: &FailureReport) -> String {
    let mut page = format!(
        "<h2>Where the proof failed</h2>\n<p>{}: {}. This refutes nothing: it shows what the engine could \
         not bring together.</p>\n",
        escaped(&failure.engine),
        prose(&failure.reason)
    );
    for state in &failure.states {
        page.push_str(&one(state));
    }
    page
}

fn one(state: &FailedState) -> String {
    let place = state.place.as_ref().map_or(String::new(), |it| format!(" ({})", escaped(it)));
    let mut page = format!(
        "<section class=\"place\"><h3>{}{place}</h3>\n",
        escaped(&capital(state.role.words()))
    );
    if let Some(difference) = &state.difference {
        let _ = writeln!(page, "<p><strong>Does not fit:</strong> {}</p>", prose(difference));
    }
    if !state.sentences.is_empty() {
        let _ = writeln!(page, "<p>{}.</p>", prose(&state.sentences.join("; ")));
    }
    if let Some(scene) = state.scene.as_ref().filter(|scene| !scene.cards.is_empty()) {
        let picture = svg_in_page(scene);
        let _ = writeln!(page, "<div class=\"picture\" tabindex=\"0\">\n{picture}</div>");
    }
    let text = escaped(&state.text);
    let _ = writeln!(
        page,
        "<details><summary>as the engine has it</summary><pre>{text}</pre></details></section>"
    );
    page
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::FailedRole;

    #[test]
    fn states_are_text_and_never_markup() {
        let state = FailedState {
            role: FailedRole::Arrived,
            place: Some("main at <a>.c:1".to_owned()),
            sentences: vec!["`head` is <b>".to_owned()],
            difference: Some("<i>".to_owned()),
            text: "<script>".to_owned(),
            scene: None,
        };
        let (engine, reason) = ("an-engine".to_owned(), "not closed".to_owned());
        let page = failed(&FailureReport { engine, reason, states: vec![state] });
        assert!(page.contains("This state arrives"), "{page}");
        assert!(page.contains("<code>head</code> is &lt;b&gt;"), "{page}");
        for foreign in ["<a>", "<b>", "<i>", "<script>"] {
            assert!(!page.contains(foreign), "{page}");
        }
    }
}
