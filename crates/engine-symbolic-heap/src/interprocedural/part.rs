//! What the states of a proof say of calls that are cut off, as the first lines of their texts.
//!
//! Calls are counted from 1 on. A call has one entry, any number of states where states meet within
//! it, and the exits in which it returns; a state without such a line is one of the program itself.

use std::collections::BTreeMap;
use std::fmt;

use heapwright_engine::Reason;

use crate::abstraction::abstraction_points::abstraction_point;
use crate::heap::names::Names;
use crate::heap::state::{Outside, State};
use crate::heap::text::parse::HeapSyntaxError;
use crate::interprocedural::Procedure;
use crate::interprocedural::{Invariants, Places};
use crate::precision::Precision;

/// What a state says, and of which call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CallPart {
    pub(crate) call: usize,
    pub(crate) role: CallRole,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallRole {
    /// In which states it begins, and whether the program may end in it.
    Entry {
        ends: bool,
    },
    Within,
    Exit,
}

const MAY_END: &str = ", in which the program may end";

impl fmt::Display for CallPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let call = self.call;
        match self.role {
            CallRole::Entry { ends: true } => write!(f, "entry of call {call}{MAY_END}"),
            CallRole::Entry { ends: false } => write!(f, "entry of call {call}"),
            CallRole::Within => write!(f, "within call {call}"),
            CallRole::Exit => write!(f, "exit of call {call}"),
        }
    }
}

impl CallPart {
    /// What such a line says.
    pub(crate) fn read(line: &str) -> Option<CallPart> {
        let (role, number) = if let Some(call) = line.strip_prefix("entry of call ") {
            let (number, ends) = match call.strip_suffix(MAY_END) {
                Some(number) => (number, true),
                None => (call, false),
            };
            (CallRole::Entry { ends }, number)
        } else if let Some(number) = line.strip_prefix("within call ") {
            (CallRole::Within, number)
        } else {
            (CallRole::Exit, line.strip_prefix("exit of call ")?)
        };
        Some(CallPart { call: number.parse().ok()?, role })
    }
}

impl Invariants {
    /// All states, with what they say of calls: those of the program first, then for each call its
    /// entry, those within, and its exits.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (Option<CallPart>, &State)> {
        let calls = self.procedures.iter().enumerate().flat_map(|(index, procedure)| {
            let part = move |role| Some(CallPart { call: index + 1, role });
            let entry = (part(CallRole::Entry { ends: procedure.ends }), &procedure.entry);
            let within = procedure.places.values().flatten();
            let within = within.map(move |state| (part(CallRole::Within), state));
            let exits = procedure.exits.iter().map(move |state| (part(CallRole::Exit), state));
            std::iter::once(entry).chain(within).chain(exits)
        });
        self.program.values().flatten().map(|state| (None, state)).chain(calls)
    }
}

/// Parts of a proof that were read so far.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    program: Places,
    calls: BTreeMap<usize, Vec<(CallRole, State)>>,
}

impl Parts {
    pub(crate) fn add(
        &mut self,
        (names, precision): (&Names<'_>, &Precision),
        part: Option<CallPart>,
        state: State,
    ) -> Result<(), Reason> {
        match part {
            Some(CallPart { call, role }) => {
                self.calls.entry(call).or_default().push((role, state));
            }
            None if state.outside.is_none() => {
                add_place(names, precision, &mut self.program, state)?;
            }
            None => return Err(Reason::new("a text of a call that does not say of which")),
        }
        Ok(())
    }

    /// The whole proof, if the parts fit together.
    pub(crate) fn into_invariants(
        self,
        names: &Names<'_>,
        precision: &Precision,
    ) -> Result<Invariants, Reason> {
        let calls = self.calls.into_values();
        let procedures =
            calls.map(|parts| procedure(names, precision, parts)).collect::<Result<_, _>>()?;
        Ok(Invariants { program: self.program, procedures })
    }
}

fn add_place(
    names: &Names<'_>,
    precision: &Precision,
    places: &mut Places,
    state: State,
) -> Result<(), Reason> {
    let place =
        (!state.frames.is_empty()).then(|| abstraction_point(names, precision, &state)).flatten();
    let place = place.ok_or_else(|| Reason::new("an invariant where no states meet"))?;
    places.entry(place).or_default().push(state);
    Ok(())
}

/// A call from the parts that were read of it.
fn procedure(
    names: &Names<'_>,
    precision: &Precision,
    parts: Vec<(CallRole, State)>,
) -> Result<Procedure, Reason> {
    let wrong = || Reason::new("texts of a call that do not fit together");
    let (mut entries, mut exits, mut places) = (Vec::new(), Vec::new(), Places::new());
    for (role, state) in parts {
        match role {
            CallRole::Entry { ends } => entries.push((ends, state)),
            CallRole::Within => add_place(names, precision, &mut places, state)?,
            CallRole::Exit => exits.push(state),
        }
    }
    let [(ends, entry)] = <[_; 1]>::try_from(entries).map_err(|_| wrong())?;
    let outside = entry.outside.clone().ok_or_else(wrong)?;
    let fits = |state: &State| {
        state.outside.as_ref().is_some_and(|other| is_same_call(names, &outside, other))
    };
    let is_entry = entry.frames.len() == 1 && entry.frame().function == outside.function;
    let within = places.values().flatten();
    let all_fit = is_entry
        && within.into_iter().all(&fits)
        && exits.iter().all(|exit| exit.frames.is_empty() && fits(exit));
    if !all_fit {
        return Err(wrong());
    }
    Ok(Procedure { function: outside.function, entry, places, exits, ends })
}

/// Whether callers hold as much, and of the same sorts.
fn is_same_call(names: &Names<'_>, entry: &Outside, other: &Outside) -> bool {
    let sorts = |outside: &Outside| -> Vec<_> {
        outside.held.iter().map(|&value| names.terms.sort(value)).collect()
    };
    entry.function == other.function && sorts(entry) == sorts(other)
}

/// A state as text, below a line that says what it tells of which call, if it does.
pub(crate) fn describe_part(
    names: &mut Names<'_>,
    part: Option<CallPart>,
    state: &State,
) -> String {
    let title = part.map_or(String::new(), |part| format!("{part}\n"));
    title + &names.describe(state)
}

/// The state of a text whose first line may say what it tells of which call.
pub(crate) fn parse_part(
    names: &mut Names<'_>,
    text: &str,
) -> Result<(Option<CallPart>, State), HeapSyntaxError> {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    match CallPart::read(first.trim()) {
        // The line stays, empty, so that errors have the right number.
        Some(part) => Ok((Some(part), names.parse_state(&format!("\n{rest}"))?)),
        None => Ok((None, names.parse_state(text)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_is_read_as_it_was_written() {
        let roles = [
            CallRole::Entry { ends: true },
            CallRole::Entry { ends: false },
            CallRole::Within,
            CallRole::Exit,
        ];
        for role in roles {
            let part = CallPart { call: 12, role };
            assert_eq!(CallPart::read(&part.to_string()), Some(part));
        }
    }

    #[test]
    fn other_lines_say_nothing_of_calls() {
        for line in ["call of f", "exit of call", "exit of call x", "entry of call 1, or so", ""] {
            assert_eq!(CallPart::read(line), None, "{line}");
        }
    }
}
