//! Invariants written into C: a call of a function that must not be called where one fails. Lines stay
//! where they are.

use heapwright_report::Invariant;

/// Called where an invariant fails.
pub(super) const FAILS: &str = "__heapwright_invariant_fails";

/// The text with all these invariants; `Err` says which one has no place in it.
pub(super) fn instrumented(text: &str, invariants: &[&Invariant]) -> Result<String, String> {
    let mut insertions: Vec<(usize, String)> = Vec::new();
    for invariant in invariants {
        let line = invariant.location.line;
        let unfit = |why: &str| format!("the invariant of line {line} {why}");
        if invariant.format != "c_expression" {
            return Err(unfit(&format!("is in the format {}, not C", invariant.format)));
        }
        let at = offset(text, line, invariant.location.column)
            .ok_or_else(|| unfit("is behind the end of the file"))?;
        let check =
            format!("({{ extern void {FAILS}(void); if (!({})) {FAILS}(); 1; }})", invariant.value);
        match invariant.kind.as_str() {
            "loop_invariant" => insertions
                .extend(at_loop(text, at, &check).ok_or_else(|| unfit("is not at a loop"))?),
            "location_invariant" => insertions.push((at, format!("{check}; "))),
            other => return Err(unfit(&format!("is of the unknown type {other}"))),
        }
    }
    // From the end, so that places before stay.
    insertions.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let mut text = text.to_owned();
    for (at, insertion) in insertions {
        text.insert_str(at, &insertion);
    }
    Ok(text)
}

/// Bytes before a line and a column that counts characters; without a column, the first word.
fn offset(text: &str, line: u32, column: Option<u32>) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    let rest = text.get(start..)?;
    let in_line = match column {
        Some(column) => rest.char_indices().nth(column as usize - 1)?.0,
        None => rest.len() - rest.trim_start_matches([' ', '\t']).len(),
    };
    Some(start + in_line)
}

/// What to insert where, so that a check is made each time the loop comes to its head.
fn at_loop(text: &str, at: usize, check: &str) -> Option<Vec<(usize, String)>> {
    let rest = &text[at..];
    if let Some(body) = rest.strip_prefix("do").filter(|rest| !starts_with_word(rest)) {
        let open = at + 2 + (body.len() - body.trim_start().len());
        return text[open..].starts_with('{').then(|| vec![(open + 1, format!(" {check};"))]);
    }
    let word = ["while", "for"]
        .into_iter()
        .find(|word| rest.strip_prefix(word).is_some_and(|rest| !starts_with_word(rest)))?;
    let open = at + rest.find('(')? + 1;
    if text[at + word.len()..open - 1].trim() != "" {
        return None;
    }
    let (start, end) = match word {
        "while" => (open, open + until(&text[open..], ')')?),
        _ => {
            let start = open + until(&text[open..], ';')? + 1;
            (start, start + until(&text[start..], ';')?)
        }
    };
    Some(match text[start..end].trim().is_empty() {
        true => vec![(start, check.to_owned())],
        false => vec![(start, format!("{check} && (")), (end, ")".to_owned())],
    })
}

fn starts_with_word(text: &str) -> bool {
    text.starts_with(|character: char| character.is_alphanumeric() || character == '_')
}

/// Bytes up to a character outside of brackets, literals and remarks.
fn until(text: &str, end: char) -> Option<usize> {
    let mut depth = 0usize;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            found if found == end && depth == 0 => return Some(at),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            quote @ ('"' | '\'') => {
                while let Some((_, inner)) = characters.next() {
                    match inner {
                        '\\' => drop(characters.next()),
                        inner if inner == quote => break,
                        _ => {}
                    }
                }
            }
            '/' if text[at..].starts_with("/*") => {
                let close = at + 2 + text[at + 2..].find("*/")? + 2;
                while characters.next_if(|(at, _)| *at < close).is_some() {}
            }
            '/' if text[at..].starts_with("//") => {
                let close = at + text[at..].find('\n')?;
                while characters.next_if(|(at, _)| *at < close).is_some() {}
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use heapwright_report::Location;

    use super::*;

    fn with(text: &str, line: u32, column: u32) -> Result<String, String> {
        let location =
            Location { file_name: "a.c".to_owned(), line, column: Some(column), function: None };
        let invariant = Invariant {
            kind: "loop_invariant".to_owned(),
            location,
            value: "p".to_owned(),
            format: "c_expression".to_owned(),
        };
        let check = format!("({{ extern void {FAILS}(void); if (!(p)) {FAILS}(); 1; }})");
        instrumented(text, &[&invariant]).map(|text| text.replace(&check, "CHECK"))
    }

    #[test]
    fn loops_check_at_their_heads() {
        let while_loop = with("x;\n  while (f(\")\") /* ) */) {}\n", 2, 3).unwrap();
        assert_eq!(while_loop, "x;\n  while (CHECK && (f(\")\") /* ) */)) {}\n");
        assert_eq!(with("for (;;) {}", 1, 1).unwrap(), "for (;CHECK;) {}");
        let for_loop = with("for (i = 0; i < n; i++) {}", 1, 1).unwrap();
        assert_eq!(for_loop, "for (i = 0;CHECK && ( i < n); i++) {}");
        assert_eq!(with("do { x } while (y);", 1, 1).unwrap(), "do { CHECK; x } while (y);");
    }

    #[test]
    fn what_is_no_loop_is_refused() {
        assert!(with("done(x);", 1, 1).is_err());
        assert!(with("x = 1;", 1, 1).is_err());
        assert!(with("x = 1;", 9, 1).is_err());
    }
}
