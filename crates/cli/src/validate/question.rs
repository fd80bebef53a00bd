//! The question of a witness: its specification, read line by line.

use heapwright_frontend::InputError;
use heapwright_property::{Part, Specification};
use heapwright_report::TaskData;

const PARTS: [(&str, Part); 5] = [
    ("Gvalid-deref", Part::ValidDeref),
    ("Gvalid-free", Part::ValidFree),
    ("Gvalid-memtrack", Part::ValidMemtrack),
    ("Gvalid-memcleanup", Part::ValidMemcleanup),
    ("G!overflow", Part::NoOverflow),
];

/// `CHECK( init(main()), LTL(G valid-deref) )`, or the formula alone; one a line.
pub(super) fn specification(task: &TaskData) -> Result<Specification, InputError> {
    let mut parts = Vec::new();
    let mut error_functions = Vec::new();
    for line in task.specification.lines().filter(|line| !line.trim().is_empty()) {
        let line: String = line.split_whitespace().collect();
        let formula =
            line.strip_prefix("CHECK(init(main()),LTL(").and_then(|it| it.strip_suffix("))"));
        let formula = formula.unwrap_or(&line);
        let known = PARTS.into_iter().find(|(text, _)| *text == formula);
        let called = formula.strip_prefix("G!call(").and_then(|it| it.strip_suffix("())"));
        match (known, called) {
            (Some((_, part)), _) => parts.push(part),
            (None, Some(function)) => {
                parts.push(Part::UnreachCall);
                error_functions.push(function.to_owned());
            }
            (None, None) => {
                return Err(InputError::new(format!(
                    "the witness is about `{formula}`, which Heapwright does not know"
                )));
            }
        }
    }
    if parts.is_empty() {
        return Err(InputError::new("the witness has no specification"));
    }
    parts.sort_unstable();
    parts.dedup();
    // A failed assertion counts as a call of the error function, as it does where nobody asks.
    let assertions = parts.contains(&Part::UnreachCall);
    Ok(Specification { parts, error_functions, assertions, excused: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Option<Vec<Part>> {
        let task = TaskData { specification: text.to_owned(), ..TaskData::default() };
        specification(&task).ok().map(|specification| specification.parts)
    }

    #[test]
    fn a_formula_may_stand_alone() {
        let whole = "CHECK( init(main()), LTL(G valid-memtrack) )\n";
        assert_eq!(parts(whole), Some(vec![Part::ValidMemtrack]));
        assert_eq!(parts("G ! call(reach_error())"), Some(vec![Part::UnreachCall]));
        assert_eq!(parts("F end"), None);
        assert_eq!(parts(""), None);
    }
}
