//! The story of a violation, and its labels in the words of the trace: fields by name, blocks by
//! number.

use heapwright_trace::{Block, Life, StoryStep, Trace};
use serde::Serialize;

use crate::fault::FaultReport;
use crate::position::Position;

/// One step of the story.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    pub place: Position,
    pub text: String,
    /// What is then so.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub result: String,
    /// Its number in the whole trace, from 1.
    pub number: usize,
}

impl Step {
    pub(crate) fn of(trace: &Trace, told: &StoryStep) -> Step {
        let place = &trace.steps[told.step].place;
        let (file, line, column) = (place.file.clone(), place.line, place.column);
        Step {
            place: Position { file, line, column },
            text: told.text.clone(),
            result: told.result.clone(),
            number: told.step + 1,
        }
    }
}

/// The steps that lead to a fault. Without a trace there is the fault alone.
pub(crate) fn story(trace: Option<&Trace>, fault: &FaultReport) -> Vec<Step> {
    let end = fault.labels.first();
    let Some(trace) = trace else {
        let alone = end.map(|label| Step {
            place: label.position.clone(),
            text: label.text.clone(),
            result: String::new(),
            number: 1,
        });
        return alone.into_iter().collect();
    };
    let mut steps: Vec<Step> = trace.story.iter().map(|told| Step::of(trace, told)).collect();
    if let (Some(last), Some(label)) = (steps.last_mut(), end)
        && last.place.line == label.position.line
    {
        last.result.clone_from(&label.text);
    }
    steps
}

/// Puts names into the labels of a fault that have offsets, and carets under whole expressions.
pub(crate) fn name_fields(trace: &Trace, words: Option<String>, fault: &mut FaultReport) {
    let Some(last) = trace.steps.last() else { return };
    if let Some(first) = fault.labels.first_mut()
        && first.position.line == last.place.line
        && first.position.column == last.place.column
    {
        first.end_column = last.place.end;
    }
    let Some(primary) = fault.labels.first_mut() else { return };
    if fault.kind == "null-dereference" {
        if let Some(base) = words.as_deref().and_then(base_of) {
            primary.text = format!("`{base}` is NULL");
        }
        return;
    }
    let Some(mark) = &trace.mark else { return };
    let Some(block) = last.state.block(mark.block) else { return };
    if let Some(better) = access_words(&primary.text, mark.offset, block) {
        primary.text = better;
    }
    for label in &mut fault.labels {
        let is_about_heap = block.name.contains('#');
        if is_about_heap {
            label.text = label.text.replacen("the block", &block.name, 1);
        }
    }
}

/// `p` of `p->next`, `*p` and `p[i]`.
fn base_of(words: &str) -> Option<String> {
    if let Some(rest) = words.strip_prefix('*') {
        return Some(rest.trim_matches(['(', ')']).to_owned());
    }
    let end = [words.rfind("->"), words.rfind('[')].into_iter().flatten().max()?;
    let base = words[..end].trim();
    let is_whole = base.matches('(').count() == base.matches(')').count();
    (!base.is_empty() && is_whole).then(|| base.to_owned())
}

/// `reads `next` of node #3, which is freed` for `reads 8 bytes at offset 8 of the block, …`.
fn access_words(text: &str, offset: i64, block: &Block) -> Option<String> {
    let verb = text.split(' ').next().filter(|verb| ["reads", "writes"].contains(verb))?;
    let cell = block.cells.iter().find(|cell| i64::try_from(cell.offset) == Ok(offset));
    let state = match block.life {
        Life::Freed => "which is freed".to_owned(),
        Life::OutOfScope => "which is out of scope".to_owned(),
        Life::Alive => {
            let size = block.size;
            let ty = block.ty.as_deref().unwrap_or_default();
            let of = if ty.is_empty() { String::new() } else { format!(" ({ty})") };
            let (_, outside) = text.split_once(" at offset ")?;
            let at = outside.split(' ').next().unwrap_or_default();
            return Some(format!(
                "{verb} at byte {at} of {}, which has {size} bytes{of}",
                article(&block.name)
            ));
        }
    };
    let cell = cell?;
    Some(format!("{verb} `{}` of {}, {state}", cell.name, article(&block.name)))
}

/// `node #3`; `` `buffer` ``
fn article(name: &str) -> String {
    if name.contains('#') { name.to_owned() } else { format!("`{name}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_is_what_is_followed() {
        assert_eq!(base_of("p->next").as_deref(), Some("p"));
        assert_eq!(base_of("a->b->c").as_deref(), Some("a->b"));
        assert_eq!(base_of("*p").as_deref(), Some("p"));
        assert_eq!(base_of("v[i + 1]").as_deref(), Some("v"));
        assert_eq!(base_of("f(x->y"), None);
        assert_eq!(base_of("x"), None);
    }
}
