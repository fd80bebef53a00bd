//! A witness of a proof: its invariants are assertions of the program, and the program has to be right
//! with them.

use std::cell::Cell;

use heapwright_engine::{Deadline, Task};
use heapwright_frontend::{InputError, Source, World};
use heapwright_program::SignedOverflow;
use heapwright_property::{Part, Specification};
use heapwright_report::{Entry, Invariant, InvariantItem};

use super::instrument::{FAILS, instrumented};
use super::question::specification;
use super::{Outcome, ValidateArguments, decide, first_reason};
use crate::question::signed_overflow;

pub(super) fn check(
    arguments: &ValidateArguments,
    entry: &Entry,
    invariants: &[InvariantItem],
    deadline: &Deadline,
) -> Result<Outcome, InputError> {
    let invariants: Vec<&Invariant> = invariants.iter().map(|item| &item.invariant).collect();
    let written = Cell::new(0);
    let change = |source: &mut Source| {
        let here: Vec<&Invariant> =
            invariants.iter().copied().filter(|it| is_of(it, &source.name)).collect();
        let text = String::from_utf8_lossy(&source.text).into_owned();
        let changed = instrumented(&text, &here)
            .map_err(|problem| InputError::new(format!("{}: {problem}", source.name)))?;
        written.set(written.get() + here.len());
        source.text = changed.into_bytes();
        Ok(())
    };
    let program = arguments.sources.load_changed(World::Modelled, &change)?.program;
    if written.get() < invariants.len() {
        return Err(InputError::new("the witness has invariants of files that are not given"));
    }
    let asked = specification(&entry.metadata.task)?;
    let claims = Specification {
        parts: vec![Part::UnreachCall],
        error_functions: vec![FAILS.to_owned()],
        assertions: false,
        excused: Vec::new(),
    };
    let mut shown = Vec::new();
    for (question, what) in [(claims, "its invariants"), (asked, "the property")] {
        if question.error_functions.iter().any(|name| name == FAILS) && invariants.is_empty() {
            continue;
        }
        let program = match signed_overflow(&question, false)? {
            // What overflows in an invariant is no overflow of the program.
            SignedOverflow::Fails => {
                let sources = arguments.sources.with_overflow(SignedOverflow::Fails);
                sources.load(World::Modelled)?.program
            }
            SignedOverflow::Wraps | SignedOverflow::Ends => program.clone(),
        };
        let task = Task::new(program, question, arguments.malloc_may_fail);
        let decision = decide(&task, deadline);
        if !decision.violations.is_empty() {
            return Ok(Outcome::Rejected(format!("there is an execution that violates {what}")));
        }
        if !decision.open_parts().is_empty() {
            let why = first_reason(&decision);
            return Ok(Outcome::Unknown(format!("{what} could not be proved: {why}")));
        }
        shown.push(what);
    }
    let count = invariants.len();
    Ok(Outcome::Confirmed(format!(
        "{} hold{} ({count} invariants)",
        shown.join(" and "),
        plural(&shown)
    )))
}

fn plural(shown: &[&str]) -> &'static str {
    if shown.len() == 1 { "s" } else { "" }
}

/// Names of files differ by folders where a witness was made elsewhere.
fn is_of(invariant: &Invariant, file: &str) -> bool {
    let base = |path: &str| path.rsplit('/').next().map(str::to_owned);
    base(&invariant.location.file_name) == base(file)
}
