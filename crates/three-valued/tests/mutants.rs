//! Mutants of the built-in classes: one literal, sign, connective or argument of a rule or of an update is
//! changed. Each is caught on a small heap, or says something that is true of all of them as well.

use heapwright_three_valued::class::{Library, ShapeClass, verify};

/// Blocks of the largest heaps, and how many of each size are tried at first, and for those that are left.
const BLOCKS: usize = 3;
const FIRST: usize = 150;
const LAST: usize = 1_500;

/// A line of the class file, changed.
struct Mutant {
    class: String,
    line: usize,
    changed: String,
}

/// Every mutant of every rule and update.
fn mutants(text: &str) -> Vec<Mutant> {
    let mut class = String::new();
    let mut found = Vec::new();
    for (line, words) in text.lines().enumerate() {
        let trimmed = words.trim_start();
        if let Some(rest) = trimmed.strip_prefix("class ") {
            class = rest.split('(').next().expect("a name").to_owned();
        }
        let is_rule = trimmed.starts_with("rule ");
        let is_update = ["remove ", "add ", "write "].iter().any(|it| trimmed.starts_with(it));
        if is_rule || is_update {
            let start =
                words.find(": ").map_or(words.find("rule ").map(|at| at + 5), |at| Some(at + 2));
            let (head, body) = words.split_at(start.expect("a line with a formula"));
            let changes =
                changes(body).into_iter().chain(if is_rule { dropped(body) } else { Vec::new() });
            for changed in changes.filter(|changed| changed != body) {
                let changed = format!("{head}{changed}");
                found.push(Mutant { class: class.clone(), line, changed });
            }
        }
    }
    found
}

/// One sign, connective or order of arguments is another.
fn changes(body: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut replace = |from: &str, to: &str| {
        for (at, _) in body.match_indices(from) {
            found.push(format!("{}{to}{}", &body[..at], &body[at + from.len()..]));
        }
    };
    replace("!", "");
    replace(" & ", " | ");
    replace(" | ", " & ");
    replace(" = ", " != ");
    replace(" != ", " = ");
    for left in ["u", "v", "w", "s", "o", "y", "a", "b"] {
        for right in ["u", "v", "w", "s", "o", "y", "a", "b"] {
            replace(&format!("({left}, {right})"), &format!("({right}, {left})"));
        }
    }
    // A sign before each atom that has none.
    for (at, _) in body.match_indices('(') {
        let name = body[..at].rfind([' ', '!', '(']).map_or(0, |at| at + 1);
        let is_atom = name < at && !body[..name].ends_with('!');
        if is_atom {
            found.push(format!("{}!{}", &body[..name], &body[name..]));
        }
    }
    found
}

/// A rule without one of its premises.
fn dropped(body: &str) -> Vec<String> {
    let Some((premises, conclusion)) = body.split_once(" -> ") else { return Vec::new() };
    let premises: Vec<&str> = premises.split(" & ").collect();
    let without = |index: usize| {
        let left = premises.iter().enumerate().filter(|(at, _)| *at != index).map(|(_, it)| *it);
        format!("{} -> {conclusion}", left.collect::<Vec<_>>().join(" & "))
    };
    (0..premises.len()).map(without).collect()
}

#[derive(Debug, PartialEq, Eq)]
enum Fate {
    /// It is not well written.
    Unread,
    Caught,
    /// It is true of the heaps that were tried.
    Lives,
}

fn fate(text: &str, mutant: &Mutant, most: usize) -> Fate {
    let lines = text.lines().enumerate();
    let changed = |(line, words)| if line == mutant.line { mutant.changed.as_str() } else { words };
    let text: Vec<&str> = lines.map(changed).collect();
    let mut library = Library { classes: Vec::new() };
    if library.add(&text.join("\n")).is_err() {
        return Fate::Unread;
    }
    let class: &ShapeClass = library.class(&mutant.class).expect("it is there");
    match verify(class, BLOCKS, most) {
        Ok(()) => Fate::Lives,
        Err(error) if error.heap.is_some() => Fate::Caught,
        Err(_) => Fate::Unread,
    }
}

#[test]
fn every_mutant_is_caught_or_true() {
    let text = include_str!("../classes.txt");
    let (mut caught, mut living) = (0, Vec::new());
    for mutant in mutants(text) {
        let mut end = fate(text, &mutant, FIRST);
        if end == Fate::Lives {
            end = fate(text, &mutant, LAST);
        }
        match end {
            Fate::Unread => {}
            Fate::Caught => caught += 1,
            Fate::Lives => living.push(format!("{}: {}", mutant.line + 1, mutant.changed.trim())),
        }
    }
    // Those that live are true: a premise is left out that others imply (mostly that a node is a block),
    // premises contradict each other, more is computed anew than has to be, a condition never holds
    // (`t(s, o)` before the link from `s` to `o` is cut is certain), or in a list one way implies another.
    assert_eq!((caught, living.len()), (653, 81), "living:\n{}", living.join("\n"));
}
