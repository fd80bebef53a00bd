//! A failing execution as a sequence of waypoints: what calls return, which branches are taken, where it
//! goes wrong.

use heapwright_trace::{Event, Sources, Span, Trace};

use super::{Constraint, Location, SegmentItem, Waypoint, WaypointItem, WaypointType};
use crate::check::ViolationReport;
use crate::columns::character_column;
use crate::input::InputReport;
use crate::position::Position;

/// The waypoints of a violation, each in a segment of its own, the target last.
pub(super) fn segments(violation: &ViolationReport, sources: &mut Sources) -> Vec<SegmentItem> {
    let whole = violation.trace.as_ref().filter(|trace| !trace.is_cut);
    let mut waypoints = match whole {
        Some(trace) => along(trace, violation, sources),
        None => calls(violation).filter_map(|input| returned(input, None, sources)).collect(),
    };
    let function = violation.trace.as_ref().and_then(|trace| trace.steps.last());
    let function = function.map(|step| step.function.clone());
    waypoints.extend(target(violation, sources).map(|position| Waypoint {
        kind: WaypointType::Target,
        action: "follow".to_owned(),
        constraint: None,
        location: location(&position, function, sources),
    }));
    let segment = |waypoint| SegmentItem { segment: vec![WaypointItem { waypoint }] };
    waypoints.into_iter().map(segment).collect()
}

/// The results of calls, in the order of drawing.
pub(super) fn calls(violation: &ViolationReport) -> impl Iterator<Item = &InputReport> {
    violation.inputs.iter().filter(|input| input.is_call())
}

/// What calls return and which branches of the story are taken, in the order of the execution.
fn along(trace: &Trace, violation: &ViolationReport, sources: &mut Sources) -> Vec<Waypoint> {
    let mut waypoints = Vec::new();
    let mut inputs = calls(violation);
    for (index, step) in trace.steps.iter().enumerate() {
        let is_told = trace.story.iter().any(|told| told.step == index);
        for event in &step.events {
            match event {
                Event::Input { .. } => {
                    let input = inputs.next();
                    let function = Some(step.function.clone());
                    waypoints.extend(input.and_then(|it| returned(it, function, sources)));
                }
                Event::Decision { truth, place, .. } if is_told => {
                    waypoints.extend(branching(place, *truth, &step.function, sources));
                }
                Event::Decision { .. }
                | Event::Assign { .. }
                | Event::Allocate { .. }
                | Event::Free { .. }
                | Event::Call { .. }
                | Event::Return { .. }
                | Event::Lose { .. }
                | Event::Fault => {}
            }
        }
    }
    // What was drawn in steps that are not told.
    waypoints.extend(inputs.filter_map(|input| returned(input, None, sources)));
    waypoints
}

fn location(position: &Position, function: Option<String>, sources: &mut Sources) -> Location {
    Location {
        file_name: position.file.clone(),
        line: position.line,
        column: Some(character_column(sources, position)),
        function,
    }
}

/// The result of a call; its place is that of the closing parenthesis.
fn returned(
    input: &InputReport,
    function: Option<String>,
    sources: &mut Sources,
) -> Option<Waypoint> {
    let at = input.place.as_ref()?;
    let name = input.name.trim_end_matches("()");
    let line = sources.file(&at.file).and_then(|text| text.line(at.line)).unwrap_or_default();
    let column = closing_parenthesis(line, at.column, name).unwrap_or(at.column);
    let position = Position { column, ..at.clone() };
    Some(Waypoint {
        kind: WaypointType::FunctionReturn,
        action: "follow".to_owned(),
        constraint: Some(Constraint {
            value: format!("\\result == {}", input.value),
            format: Some("acsl_expression".to_owned()),
        }),
        location: location(&position, function, sources),
    })
}

/// Where a call without arguments ends that begins at or behind a column.
fn closing_parenthesis(line: &str, column: u32, name: &str) -> Option<u32> {
    let start = (column as usize).checked_sub(1)?;
    let called = start + line.get(start..)?.find(name)? + name.len();
    let end = called + line[called..].find(')')?;
    u32::try_from(end + 1).ok()
}

/// A branch of an `if` or a loop; its place is that of the keyword.
fn branching(place: &Span, truth: bool, function: &str, sources: &mut Sources) -> Option<Waypoint> {
    let line = sources.file(&place.file)?.line(place.line)?;
    let column = keyword(line, place.column)?;
    let position = Position { file: place.file.clone(), line: place.line, column };
    Some(Waypoint {
        kind: WaypointType::Branching,
        action: "follow".to_owned(),
        constraint: Some(Constraint { value: truth.to_string(), format: None }),
        location: location(&position, Some(function.to_owned()), sources),
    })
}

/// The column of the keyword whose whole condition begins at a column.
fn keyword(line: &str, column: u32) -> Option<u32> {
    let start = (column as usize).checked_sub(1)?;
    let before = line.get(..start)?.trim_end().strip_suffix('(')?.trim_end();
    let word = ["if", "while"].into_iter().find(|word| before.ends_with(word))?;
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let stem = &before[..before.len() - word.len()];
    // Parts of a condition are decisions of their own, a negation turns the branch.
    let rest = &line[start..];
    let is_whole = !["&&", "||", "?", "!"].into_iter().any(|mark| rest.contains(mark));
    let is_keyword = !stem.ends_with(is_word) && is_whole;
    is_keyword.then_some(stem.len() as u32 + 1)
}

/// The start of the statement at fault, as far as the line tells.
pub(super) fn target(violation: &ViolationReport, sources: &mut Sources) -> Option<Position> {
    let at = violation.fault.place.as_ref()?;
    let line = sources.file(&at.file).and_then(|text| text.line(at.line)).unwrap_or_default();
    let start = (line.len() - line.trim_start().len()) as u32 + 1;
    Some(Position { column: start.min(at.column), ..at.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_is_named_by_its_keyword() {
        assert_eq!(keyword("    if (length > 0) {", 9), Some(5));
        assert_eq!(keyword("    while (p) {", 12), Some(5));
        assert_eq!(keyword("    if (a && b) {", 9), None);
        assert_eq!(keyword("    if (a && b) {", 14), None);
        assert_eq!(keyword("    endif (a)", 12), None);
        assert_eq!(keyword("    x = y;", 9), None);
    }

    #[test]
    fn a_call_ends_at_its_parenthesis() {
        assert_eq!(closing_parenthesis("  x = nondet(  );", 7, "nondet"), Some(16));
        assert_eq!(closing_parenthesis("  MACRO;", 3, "nondet"), None);
    }
}
