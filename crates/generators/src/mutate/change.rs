//! The kinds of changes, and what each makes of a text.

use std::ops::Range;

use crate::mutate::sites::{SIBLINGS, Sites};
use crate::random::Random;

/// A kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    DropStatement,
    RepeatStatement,
    SwapStatements,
    /// A statement is left out when it is reached for the k-th time.
    SkipOnce,
    /// A statement is done twice when it is reached for the k-th time.
    RepeatOnce,
    /// A statement is left out on one input of all.
    SkipRarely,
    RepeatRarely,
    Operator,
    Number,
    Field,
    Variable,
    /// A link to another node is cut or leads back to its own.
    BreakLink,
}

/// A changed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    pub change: Change,
    pub text: String,
    /// What was changed, in one line.
    pub description: String,
}

/// Inputs that mutants wait for.
const RARE: [&str; 3] = ["987654321", "-77777", "1234567"];
/// Declares the input that rare changes draw; declaring it again is allowed.
const INPUT: &str = "extern int __VERIFIER_nondet_int(void);\n";

impl Change {
    pub const ALL: [Change; 12] = [
        Change::DropStatement,
        Change::RepeatStatement,
        Change::SwapStatements,
        Change::SkipOnce,
        Change::RepeatOnce,
        Change::SkipRarely,
        Change::RepeatRarely,
        Change::Operator,
        Change::Number,
        Change::Field,
        Change::Variable,
        Change::BreakLink,
    ];

    /// Makes this change somewhere; `None` where it does not fit.
    pub(crate) fn apply(self, text: &str, sites: &Sites, random: &mut Random) -> Option<Mutant> {
        let (place, new) = self.choose(text, sites, random)?;
        let old = text.get(place.clone())?;
        if old == new {
            return None;
        }
        let line = text[..place.start].matches('\n').count() + 1;
        let description = format!("{self:?}, line {line}: {} -> {}", brief(old), brief(&new));
        let changed = [&text[..place.start], &new, &text[place.end..]].concat();
        let is_rare = matches!(self, Change::SkipRarely | Change::RepeatRarely);
        let text = if is_rare { format!("{INPUT}{changed}") } else { changed };
        Some(Mutant { change: self, text, description })
    }

    /// A place, and what stands there from now on.
    fn choose(
        self,
        text: &str,
        sites: &Sites,
        random: &mut Random,
    ) -> Option<(Range<usize>, String)> {
        match self {
            Change::DropStatement
            | Change::RepeatStatement
            | Change::SkipOnce
            | Change::RepeatOnce
            | Change::SkipRarely
            | Change::RepeatRarely => {
                let place = some(&sites.statements, random)?;
                let new = self.around(&text[place.clone()], place.start, random);
                Some((place, new))
            }
            Change::SwapStatements => {
                let first = some(&sites.pairs, random)?;
                let (one, other) =
                    (sites.statements[first].clone(), sites.statements[first + 1].clone());
                let between = &text[one.end..other.start];
                let place = one.start..other.end;
                Some((place, format!("{}{between}{}", &text[other], &text[one])))
            }
            Change::Operator => {
                let place = some(&sites.operators, random)?;
                let old = &text[place.clone()];
                let (_, others) = SIBLINGS.iter().find(|(known, _)| *known == old)?;
                Some((place, random.pick(others).to_owned()))
            }
            Change::Number => {
                let place = some(&sites.numbers, random)?;
                let new = other_number(&text[place.clone()], random)?;
                Some((place, new))
            }
            Change::Field => other_name(text, &sites.fields, random),
            Change::Variable => {
                let (body, place) = some(&sites.variables, random)?;
                let same = sites.variables.iter().filter(|(other, _)| *other == body);
                let names: Vec<&str> = same.map(|(_, other)| &text[other.clone()]).collect();
                Some((place, random.pick(&names).to_owned()))
            }
            Change::BreakLink => {
                let (base, value) = some(&sites.links, random)?;
                let new = if random.percent(50) { "0" } else { &text[base] };
                Some((value, new.to_owned()))
            }
        }
    }

    /// A statement with its change around it. A counter is called after its place.
    fn around(self, statement: &str, place: usize, random: &mut Random) -> String {
        let time = random.below(4);
        let rare = random.pick(&RARE);
        let count = format!("reached_{place}");
        match self {
            Change::RepeatStatement => format!("{{ {statement} {statement} }}"),
            Change::SkipOnce => {
                format!("{{ static int {count}; if ({count}++ != {time}) {statement} }}")
            }
            Change::RepeatOnce => format!(
                "{{ static int {count}; {statement} if ({count}++ == {time}) {statement} }}"
            ),
            Change::SkipRarely => {
                format!("{{ if (__VERIFIER_nondet_int() != {rare}) {statement} }}")
            }
            Change::RepeatRarely => {
                format!("{{ {statement} if (__VERIFIER_nondet_int() == {rare}) {statement} }}")
            }
            Change::DropStatement
            | Change::SwapStatements
            | Change::Operator
            | Change::Number
            | Change::Field
            | Change::Variable
            | Change::BreakLink => ";".to_owned(),
        }
    }
}

fn some<T: Clone>(choices: &[T], random: &mut Random) -> Option<T> {
    (!choices.is_empty()).then(|| random.pick(choices))
}

fn other_name(
    text: &str,
    places: &[Range<usize>],
    random: &mut Random,
) -> Option<(Range<usize>, String)> {
    let place = some(places, random)?;
    let other = some(places, random)?;
    Some((place, text[other].to_owned()))
}

/// A neighbour of a number, or a number that is often special; a suffix stays.
fn other_number(old: &str, random: &mut Random) -> Option<String> {
    let digits = old.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = &old[digits.len()..];
    let number = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?,
        None => digits.parse::<u64>().ok()?,
    };
    let new = match random.below(6) {
        0 | 1 => number.wrapping_add(1),
        2 | 3 => number.saturating_sub(1),
        4 => 0,
        _ => number.wrapping_mul(2),
    };
    Some(format!("{new}{suffix}"))
}

fn brief(text: &str) -> String {
    let flat: Vec<&str> = text.split_whitespace().collect();
    flat.join(" ").chars().take(60).collect()
}
