//! What calls inside the program are asked: the clauses of a contract about functions that the called one calls.
//!
//! Calls are followed, so no proof rests on these clauses; a caller that breaks one is told so where it calls. For
//! each function with clauses, a C function behind the end of its file tells which of them the arguments break, and
//! `lower/asked` puts a call of it in front of each call of the function.

use std::fmt::Write;

use heapwright_program::Program;

use super::Entry;
use super::call::Call;
use super::contract::Clause;
use super::declarations::definition;
use super::maker::named;
use super::nullness::NullTests;
use super::owners::mentions;
use crate::diagnostic::InputError;
use crate::settings::Source;
use crate::syntax::Unit;

/// A function whose callers are asked something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    /// The file that defines it.
    pub(crate) unit: usize,
    pub(crate) function: String,
    /// In the order in which they are looked at.
    pub(crate) clauses: Vec<String>,
    text: String,
}

/// The C functions that look at arguments have names that begin so.
pub(crate) const ASKS: &str = "heapwright_asks_";

/// The name of the file that these functions seem to stand in.
const CONTRACT_FILE: &str = "<contract>";

impl Asked {
    /// The name of the C function that looks at the arguments. It gives 0, or the number of the first clause that
    /// they break, from 1 on.
    pub(crate) fn checker(&self) -> String {
        format!("{ASKS}{}", self.function)
    }

    pub(crate) fn append_to(&self, source: &Source) -> Source {
        let mut source = source.clone();
        let text = format!("\n#line 1 \"{CONTRACT_FILE}\"\n{}", self.text);
        source.text.extend_from_slice(text.as_bytes());
        source
    }
}

/// The functions of the contract whose calls can be looked at, and what is not looked at, for people. A function that
/// several files define is not known by its name.
pub(crate) fn asked(
    entry: &Entry,
    units: &[Unit],
    tests: &NullTests,
    program: &Program,
) -> Result<Vec<Asked>, InputError> {
    let mut all = Vec::new();
    for function in entry.contract.functions() {
        let mut found = units
            .iter()
            .enumerate()
            .filter_map(|(index, unit)| definition(unit, function).map(|decl| (index, unit, decl)));
        let (Some((index, unit, decl)), None) = (found.next(), found.next()) else { continue };
        let clauses = entry.contract.of(function);
        let call = Call::of((unit, decl), (function, clauses), tests, program);
        call.check_names()?;
        all.extend(call.asked(index));
    }
    Ok(all)
}

impl Call<'_, '_> {
    /// What its callers are asked, if that can be looked at.
    fn asked(mut self, unit: usize) -> Option<Asked> {
        let clauses = self.conditions();
        // A type without a name cannot be written down.
        let is_spelled = self
            .parameters
            .iter()
            .all(|one| one.spelling != "void *" || self.maker.unit.pointee(one.ty).is_some());
        if clauses.is_empty() || !is_spelled {
            return None;
        }
        let parameters: Vec<String> =
            self.parameters.iter().map(|one| format!("{} {}", one.spelling, one.name)).collect();
        let parameters =
            if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        let mut body = String::new();
        for (clause, number) in clauses.iter().zip(1..) {
            let _ = writeln!(body, "    if (!({clause}))\n        return {number};");
        }
        let function = self.function.to_owned();
        let text = named(
            &format!("int @asks_{function}({parameters})\n{{\n{body}    return 0;\n}}\n"),
            "heapwright_",
        );
        Some(Asked { unit, function, clauses, text })
    }

    /// The clauses that are C conditions, or are said as such. What the harness never passes to it is looked at
    /// first, so that a condition can be: a pointer that a condition follows is not null.
    fn conditions(&mut self) -> Vec<String> {
        let mut pointers = Vec::new();
        for index in 0..self.parameters.len() {
            let name = self.parameters[index].name.clone();
            let is_pointer = self.maker.unit.pointee(self.parameters[index].ty).is_some();
            let is_named = self.clauses.iter().any(|clause| match clause {
                Clause::NonNull(named) => *named == name,
                Clause::Condition(condition) => mentions(condition, &name),
                Clause::MaybeNull(_)
                | Clause::List(_)
                | Clause::Tree(_)
                | Clause::Text(_)
                | Clause::Owned(_)
                | Clause::Length { .. }
                | Clause::Last { .. }
                | Clause::Member { .. }
                | Clause::Kept => false,
            });
            if is_pointer && is_named && !self.may_be_null(index, "") {
                pointers.push(format!("{name} != 0"));
            }
        }
        let mut conditions = pointers;
        for clause in self.clauses {
            if let Clause::Condition(condition) = clause {
                conditions.push(condition.clone());
            }
        }
        conditions
    }
}
