//! Why the last candidate for an invariant was given up: the states in which it fails, in words, as
//! pictures and as the engine has them.

use heapwright_engine::{Gap, GapKind};
use heapwright_pictures::{Charset, Scene, abstract_heap, terminal};
use heapwright_program::Program;
use heapwright_trace::printable;
use serde::Serialize;

use crate::check::ReasonReport;
use crate::palette::Palette;
use crate::verdict_line::reason_text;
use crate::wrap::hanging;

/// Lines of a state as the engine has it on a terminal; JSON and the page have all.
const MOST_LINES: usize = 16;

/// A candidate that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailureReport {
    pub engine: String,
    pub reason: String,
    pub states: Vec<FailedState>,
}

/// A state of it, or one that it does not describe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailedState {
    pub role: FailedRole,
    /// `main at list.c:15`
    pub place: Option<String>,
    pub sentences: Vec<String>,
    /// Of a known state: where it differs from the one that arrived.
    pub difference: Option<String>,
    /// As the engine has it.
    pub text: String,
    #[serde(skip)]
    pub scene: Option<Scene>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailedRole {
    /// It came to a place where no known state describes it.
    Arrived,
    /// It was known there.
    Known,
    /// A state of the candidate from which a step is not safe.
    From,
    /// Where that step ends.
    To,
}

impl FailedRole {
    pub(crate) fn words(self) -> &'static str {
        match self {
            FailedRole::Arrived => "this state arrives, and no known one describes it",
            FailedRole::Known => "known there",
            FailedRole::From => "from this state of the candidate",
            FailedRole::To => "a way leads to this one",
        }
    }
}

impl FailureReport {
    #[must_use]
    pub fn of(program: &Program, gap: &Gap) -> FailureReport {
        let state = |role, text: &str, difference: Option<&str>| {
            let heap = abstract_heap(program, text);
            let (place, sentences, scene) = match heap {
                // At the end of the program nothing is active any more.
                Some(mut heap) => {
                    name_cards(&mut heap.scene);
                    (heap.line.map(|_| heap.place), heap.sentences, Some(heap.scene))
                }
                None => (None, Vec::new(), None),
            };
            let difference = difference.map(str::to_owned);
            FailedState { role, place, sentences, difference, text: text.to_owned(), scene }
        };
        let states = match &gap.kind {
            GapKind::NotDescribed { arrived, known } => {
                let known = known
                    .iter()
                    .map(|known| state(FailedRole::Known, &known.text, Some(&known.difference)));
                std::iter::once(state(FailedRole::Arrived, arrived, None)).chain(known).collect()
            }
            GapKind::Step { from, to } => {
                let from = from.as_ref().map(|text| state(FailedRole::From, text, None));
                let to = to.as_ref().map(|text| state(FailedRole::To, text, None));
                from.into_iter().chain(to).collect()
            }
        };
        let reason = reason_text(&ReasonReport::of(program, gap.engine, &gap.reason));
        FailureReport { engine: gap.engine.to_owned(), reason, states }
    }

    /// For people; each line ends with a newline.
    #[must_use]
    pub fn text(&self, palette: Palette) -> String {
        let mut lines = vec![format!("  {}: {}", self.engine, printable(&self.reason))];
        for state in &self.states {
            let place = state.place.as_ref().map_or(String::new(), |place| format!(" ({place})"));
            lines.push(String::new());
            lines.push(format!("  {}{}:", palette.bold(state.role.words()), printable(&place)));
            let difference = state.difference.as_ref();
            lines.extend(difference.map(|text| format!("    does not fit: {}", printable(text))));
            for sentence in &state.sentences {
                let told = hanging("    • ", &printable(sentence), palette.width);
                lines.extend(told.lines().map(str::to_owned));
            }
            lines.extend(drawn(state, palette).iter().map(|it| format!("    {it}")));
            let text: Vec<&str> = state.text.lines().collect();
            let shown = text.iter().take(MOST_LINES);
            lines.extend(shown.map(|line| format!("    | {}", printable(line))));
            if text.len() > MOST_LINES {
                let more = text.len() - MOST_LINES;
                lines.push(format!("    | … {more} more lines, which --json and --html have"));
            }
        }
        lines.iter().fold(String::new(), |text, line| text + line.trim_end() + "\n")
    }
}

/// The difference between states speaks of blocks by the engine's names.
fn name_cards(scene: &mut Scene) {
    for card in scene.cards.iter_mut().filter(|card| card.note.is_empty()) {
        card.note.clone_from(&card.id);
    }
}

fn drawn(state: &FailedState, palette: Palette) -> Vec<String> {
    let charset = if palette.is_unicode { Charset::Unicode } else { Charset::Ascii };
    let width = palette.width.saturating_sub(4);
    state.scene.as_ref().map_or(Vec::new(), |scene| terminal(scene, width, charset))
}

#[cfg(test)]
mod tests {
    use heapwright_engine::{KnownState, Reason};
    use heapwright_program::DataModel;

    use super::*;

    #[test]
    fn states_and_their_difference_are_told() {
        let known = KnownState {
            text: "in main at L1\n  head = 0\n".to_owned(),
            difference: "`head` holds different addresses".to_owned(),
        };
        let arrived = "in main at L1\n  head = &b16\nb16: heap, 8 bytes\n  +0/8 = 0\n".to_owned();
        let kind = GapKind::NotDescribed { arrived, known: vec![known] };
        let gap = Gap { engine: "an-engine", reason: Reason::new("not closed"), kind };
        let report = FailureReport::of(&Program::new(DataModel::Lp64), &gap);
        let roles: Vec<FailedRole> = report.states.iter().map(|state| state.role).collect();
        assert_eq!(roles, [FailedRole::Arrived, FailedRole::Known]);
        let text = report.text(Palette::PLAIN);
        assert!(text.starts_with("  an-engine: not closed\n"), "{text}");
        let difference = "does not fit: `head` holds different addresses";
        assert!(text.contains(difference), "{text}");
        assert!(text.find("| b16: heap, 8 bytes").unwrap() < text.find(difference).unwrap());
    }
}
