//! What C can say of a proof at its loops: which pointers are null, which numbers are known.

use std::collections::BTreeMap;

use heapwright_pictures::{Row, Shown};
use heapwright_trace::Sources;

use super::{Invariant, InvariantItem, Location};
use crate::columns::in_line;
use crate::proof::{ProofCase, ProofPlace};

/// An invariant for each loop of which every case says something.
pub(super) fn invariants(places: &[ProofPlace], sources: &mut Sources) -> Vec<InvariantItem> {
    let mut by_line: BTreeMap<(&str, u32), Vec<&ProofCase>> = BTreeMap::new();
    for place in places {
        if let (Some(file), Some(line)) = (&place.file, place.line) {
            by_line.entry((file, line)).or_default().extend(&place.cases);
        }
    }
    let mut invariants = Vec::new();
    for ((file, line), cases) in by_line {
        let text = sources.file(file).and_then(|text| text.line(line)).unwrap_or_default();
        let (Some(start), Some(facts)) = (loop_start(text), disjunction(&cases)) else { continue };
        let function = cases.first().and_then(|case| case.scene.frames.last());
        invariants.push(InvariantItem {
            invariant: Invariant {
                kind: "loop_invariant".to_owned(),
                location: Location {
                    file_name: file.to_owned(),
                    line,
                    column: Some(in_line(text, start)),
                    function: function.map(|frame| frame.title.clone()),
                },
                value: facts,
                format: "c_expression".to_owned(),
            },
        });
    }
    invariants
}

/// The column of the loop's keyword in a line that begins with one.
fn loop_start(line: &str) -> Option<u32> {
    let text = line.trim_start();
    let is_loop = ["while", "for", "do"].into_iter().any(|word| {
        let rest = text.strip_prefix(word);
        rest.is_some_and(|rest| rest.trim_start().starts_with(['(', '{']))
    });
    is_loop.then(|| (line.len() - text.len()) as u32 + 1)
}

/// What holds in one of the cases; `None` if C can say nothing of it.
fn disjunction(cases: &[&ProofCase]) -> Option<String> {
    let mut cases: Vec<BTreeMap<String, String>> = cases.iter().map(|case| facts(case)).collect();
    cases.sort();
    cases.dedup();
    // Ends because each round has one case less.
    while let Some((one, other, fact)) = neighbours(&cases) {
        cases.remove(other);
        cases[one].remove(&fact);
        cases.sort();
        cases.dedup();
    }
    let is_trivial = cases.iter().any(BTreeMap::is_empty);
    let words = |case: &BTreeMap<String, String>| {
        let facts: Vec<String> = case.iter().map(|(name, is)| format!("{name} {is}")).collect();
        format!("({})", facts.join(" && "))
    };
    (!is_trivial && !cases.is_empty())
        .then(|| cases.iter().map(words).collect::<Vec<_>>().join(" || "))
}

/// Two cases that differ in one variable alone, which is null in one and not in the other.
fn neighbours(cases: &[BTreeMap<String, String>]) -> Option<(usize, usize, String)> {
    for (one, case) in cases.iter().enumerate() {
        for (other, second) in cases.iter().enumerate().skip(one + 1) {
            let mut differing = case.iter().filter(|(name, is)| second.get(*name) != Some(*is));
            let (Some((name, is)), None) = (differing.next(), differing.next()) else { continue };
            let opposite = if is == NULL { NOT_NULL } else { NULL };
            let is_null_or_not = [NULL, NOT_NULL].contains(&is.as_str())
                && second.get(name).is_some_and(|second| second == opposite);
            if is_null_or_not && case.len() == second.len() {
                return Some((one, other, name.clone()));
            }
        }
    }
    None
}

const NULL: &str = "== 0";
const NOT_NULL: &str = "!= 0";

/// What a case says of the variables of its innermost call.
fn facts(case: &ProofCase) -> BTreeMap<String, String> {
    let rows = case.scene.frames.last().map_or(&[][..], |frame| &frame.rows);
    rows.iter().filter_map(|row| Some((row.name.clone(), fact(row)?))).collect()
}

fn fact(row: &Row) -> Option<String> {
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    if row.name.is_empty() || !row.name.chars().all(is_word) {
        return None;
    }
    match &row.shown {
        Shown::Null => Some(NULL.to_owned()),
        Shown::Link { is_stale: false, .. } => Some(NOT_NULL.to_owned()),
        Shown::Text(text) => {
            let number: i32 = text.parse().ok()?;
            Some(format!("== {number}"))
        }
        Shown::Remark(_) | Shown::Uninitialised | Shown::Link { is_stale: true, .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use heapwright_pictures::{Card, Kind, Look, Scene};

    use super::*;

    fn case(facts: &[(&str, Shown)]) -> ProofCase {
        let rows = facts.iter().map(|(name, shown)| Row::new(*name, shown.clone())).collect();
        let frame = Card {
            id: "main".to_owned(),
            title: "main".to_owned(),
            note: String::new(),
            kind: Kind::One,
            look: Look::Plain,
            group: String::new(),
            rows,
            pills: Vec::new(),
        };
        let scene = Scene { frames: vec![frame], ..Scene::default() };
        ProofCase { sentences: Vec::new(), scene }
    }

    fn link() -> Shown {
        Shown::Link { target: "b1".to_owned(), inside: None, is_stale: false }
    }

    #[test]
    fn what_is_always_so_is_not_said() {
        let (null, list) = (case(&[("p", Shown::Null)]), case(&[("p", link())]));
        assert_eq!(disjunction(&[&null, &list]), None);
        assert_eq!(disjunction(&[&null]).as_deref(), Some("(p == 0)"));
        let silent = case(&[]);
        assert_eq!(disjunction(&[&null, &silent]), None);
    }

    #[test]
    fn cases_that_differ_in_one_pointer_are_one() {
        let first = case(&[("p", Shown::Null), ("n", Shown::Text("3".to_owned()))]);
        let second = case(&[("p", link()), ("n", Shown::Text("3".to_owned()))]);
        assert_eq!(disjunction(&[&first, &second]).as_deref(), Some("(n == 3)"));
        let third = case(&[("p", link()), ("q", link())]);
        let fourth = case(&[("p", Shown::Null), ("q", Shown::Null)]);
        let said = disjunction(&[&third, &fourth]);
        assert_eq!(said.as_deref(), Some("(p != 0 && q != 0) || (p == 0 && q == 0)"));
    }

    #[test]
    fn loops_begin_with_their_keyword() {
        assert_eq!(loop_start("    while (cursor) {"), Some(5));
        assert_eq!(loop_start("do {"), Some(1));
        assert_eq!(loop_start("  done(x);"), None);
        assert_eq!(loop_start("  x = 1;"), None);
    }
}
