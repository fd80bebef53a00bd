//! What can be asked about a program, as SV-COMP names it, and what a `.prp` file asks: decided by
//! its content, never by its name.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// A property that Heapwright can be asked about.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Property {
    /// No call of the error function is reachable.
    UnreachCall,
    /// Every free and dereference is valid and no memory is lost.
    ValidMemsafety,
    /// All memory is freed when the program ends.
    ValidMemcleanup,
    /// No signed integer overflows.
    NoOverflow,
    /// Every execution ends.
    Termination,
}

/// What exactly is violated; `valid-memsafety` has three parts, and a FALSE names one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    UnreachCall,
    ValidDeref,
    ValidFree,
    ValidMemtrack,
    ValidMemcleanup,
    NoOverflow,
    Termination,
}

impl Part {
    /// The name that a verdict line gives it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Part::UnreachCall => "unreach-call",
            Part::ValidDeref => "valid-deref",
            Part::ValidFree => "valid-free",
            Part::ValidMemtrack => "valid-memtrack",
            Part::ValidMemcleanup => "valid-memcleanup",
            Part::NoOverflow => "no-overflow",
            Part::Termination => "termination",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A question about one program: the parts that must hold, and which functions must not be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Specification {
    pub parts: Vec<Part>,
    /// Calling one of these violates [`Part::UnreachCall`].
    pub error_functions: Vec<String>,
    /// Whether a failed `assert` violates [`Part::UnreachCall`] as well; a property file asks about
    /// calls of the function that it names and nothing else.
    pub assertions: bool,
    /// Parts that somebody else answers for: an execution that violates one of them ends there, and
    /// counts for nothing beyond. If each part of a question is shown with the others excused, no
    /// execution has a first violation, so that all of them hold.
    pub excused: Vec<Part>,
}

impl Specification {
    /// What a user asks who names no property: memory safety and assertions together.
    #[must_use]
    pub fn everyday() -> Specification {
        Specification {
            parts: vec![Part::UnreachCall, Part::ValidDeref, Part::ValidFree, Part::ValidMemtrack],
            error_functions: vec!["reach_error".to_owned(), "__VERIFIER_error".to_owned()],
            assertions: true,
            excused: Vec::new(),
        }
    }

    /// A property without a file, by its name.
    #[must_use]
    pub fn of_property(property: Property) -> Specification {
        let parts = match property {
            Property::UnreachCall => vec![Part::UnreachCall],
            Property::ValidMemsafety => {
                vec![Part::ValidDeref, Part::ValidFree, Part::ValidMemtrack]
            }
            Property::ValidMemcleanup => vec![Part::ValidMemcleanup],
            Property::NoOverflow => vec![Part::NoOverflow],
            Property::Termination => vec![Part::Termination],
        };
        let everyday = Specification::everyday();
        // What a call of an error function means is part of one property alone.
        let asks_about_calls = property == Property::UnreachCall;
        let error_functions = if asks_about_calls { everyday.error_functions } else { Vec::new() };
        let excused = Vec::new();
        Specification { parts, error_functions, assertions: asks_about_calls, excused }
    }

    /// What a property file asks; `None` when it states something that we do not know.
    #[must_use]
    pub fn from_content(content: &str) -> Option<Specification> {
        let mut specification = Specification::of_property(Property::from_content(content)?);
        if let [Part::UnreachCall] = specification.parts.as_slice() {
            let formula = content.lines().find_map(|line| formula(line.trim()))?;
            specification.error_functions = vec![forbidden_call(&formula)?.to_owned()];
            specification.assertions = false;
        }
        Some(specification)
    }

    #[must_use]
    pub fn asks(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }

    /// Whether executions that violate this part are somebody else's to judge.
    #[must_use]
    pub fn excuses(&self, part: Part) -> bool {
        self.excused.contains(&part)
    }
}

impl Property {
    /// The name used in verdicts, result files and filters.
    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::ValidMemsafety => "valid-memsafety",
            Property::ValidMemcleanup => "valid-memcleanup",
            Property::NoOverflow => "no-overflow",
            Property::Termination => "termination",
        }
    }

    /// Reads the text of a property file; `None` when it states something else.
    pub fn from_content(content: &str) -> Option<Property> {
        let lines = content.lines().map(str::trim).filter(|line| !line.is_empty());
        let formulas: BTreeSet<String> = lines.map(formula).collect::<Option<_>>()?;
        let formulas: Vec<&str> = formulas.iter().map(String::as_str).collect();
        match formulas.as_slice() {
            ["Gvalid-deref", "Gvalid-free", "Gvalid-memtrack"] => Some(Property::ValidMemsafety),
            ["Gvalid-memcleanup"] => Some(Property::ValidMemcleanup),
            ["G!overflow"] => Some(Property::NoOverflow),
            ["Fend"] => Some(Property::Termination),
            [only] if forbidden_call(only).is_some() => Some(Property::UnreachCall),
            _ => None,
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// The formula of one `CHECK( init(main()), LTL(…) )` line, without its blanks.
fn formula(line: &str) -> Option<String> {
    let dense: String = line.chars().filter(|character| !character.is_whitespace()).collect();
    let (_, formula) = dense.strip_prefix("CHECK(init(")?.split_once("),LTL(")?;
    formula.strip_suffix("))").map(str::to_owned)
}

/// The function that must not be called: the property names it (`reach_error`, formerly
/// `__VERIFIER_error`), so any will do.
fn forbidden_call(formula: &str) -> Option<&str> {
    formula.strip_prefix("G!call(")?.strip_suffix("())")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &str, expected: Option<Property>) {
        assert_eq!(Property::from_content(content), expected, "{content}");
    }

    #[test]
    fn reads_each_supported_property() {
        let unreach = Some(Property::UnreachCall);
        check("CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n", unreach);
        check("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )", unreach);
        check("CHECK( init(main()), LTL(G valid-memcleanup) )", Some(Property::ValidMemcleanup));
        check("CHECK( init(main()), LTL(G ! overflow) )", Some(Property::NoOverflow));
        check("CHECK(init(main()),LTL(F end))", Some(Property::Termination));
    }

    #[test]
    fn the_error_function_is_the_one_that_the_file_names() {
        let text = "CHECK( init(main()), LTL(G ! call(my_error())) )";
        let specification = Specification::from_content(text).unwrap();
        assert_eq!(specification.error_functions, ["my_error"]);
        assert!(!specification.assertions);
    }

    #[test]
    fn memory_safety_needs_all_three_parts_in_any_order() {
        let free = "CHECK( init(main()), LTL(G valid-free) )\n";
        let dereference = "CHECK( init(main()), LTL(G valid-deref) )\n";
        let track = "CHECK( init(main()), LTL(G valid-memtrack) )\n";
        check(&format!("{free}{dereference}{track}"), Some(Property::ValidMemsafety));
        check(&format!("{track}{dereference}{free}"), Some(Property::ValidMemsafety));
        check(&format!("{free}{dereference}"), None);
    }

    #[test]
    fn other_properties_are_not_supported() {
        check("CHECK( init(main()), LTL(G ! data-race) )", None);
        check("COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )", None);
        check("", None);
    }

    #[test]
    fn the_names_for_filters_and_files_are_the_same() {
        use clap::ValueEnum;
        for property in Property::value_variants() {
            let value = property.to_possible_value().expect("no property is hidden");
            assert_eq!(value.get_name(), property.name());
            assert_eq!(serde_json::to_value(property).unwrap(), property.name());
        }
    }
}
