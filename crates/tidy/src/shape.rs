//! The shape of files: how long they and their functions are, and matches that would not notice a new
//! variant.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Findings, Source};

/// Lines of a file.
pub const LONGEST_FILE: usize = 450;

/// Lines in the body of a function, without blank ones and remarks.
pub const LONGEST_FUNCTION: usize = 60;

/// Everything in some files that is too long or that hides variants.
pub fn findings(sources: &[Source]) -> Findings {
    let enums = own_enums(sources);
    let mut findings = Findings::new();
    for source in sources {
        let lines = source.text.lines().count();
        if lines > LONGEST_FILE {
            findings.insert(format!("long-file {}", source.path), lines);
        }
        for (name, length) in functions(&source.text) {
            if length > LONGEST_FUNCTION {
                findings.insert(format!("long-function {} {name}", source.path), length);
            }
        }
        let own = enums.get(source.crate_name());
        let hidden = wildcards(source, &|name| own.is_some_and(|own| own.contains(name)));
        if hidden > 0 {
            findings.insert(format!("wildcard {}", source.path), hidden);
        }
    }
    findings
}

/// The functions of a text, with the lines of their bodies. Code of tests counts too.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut functions = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let close = format!("{}}}", " ".repeat(indent(line)));
        let Some(end) = lines[index..].iter().position(|line| *line == close) else { continue };
        // A signature of several lines ends where the body is opened.
        let open = lines[index..index + end].iter().position(|line| line.ends_with('{'));
        let body = &lines[index + open.unwrap_or(0) + 1..index + end];
        let counts = |line: &&&str| !line.trim().is_empty() && !line.trim().starts_with("//");
        functions.push((name, body.iter().filter(counts).count()));
    }
    functions
}

fn function_name(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("fn ")?;
    let is_item = before.split_whitespace().all(|word| {
        word.starts_with("pub") || matches!(word, "const" | "unsafe" | "async" | "extern")
    });
    let ends_here = line.ends_with(';') || line.ends_with('}');
    let end = rest.find(['(', '<'])?;
    (is_item && !ends_here).then(|| &rest[..end])
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The enums of each crate.
fn own_enums(sources: &[Source]) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut enums: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for source in sources {
        for line in source.text.lines() {
            let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
            if words.next() == Some("enum")
                && let Some(name) = words.next()
            {
                let name = name.split('<').next().unwrap_or(name);
                enums.entry(source.crate_name()).or_default().insert(name);
            }
        }
    }
    enums
}

/// Arms `_` of matches of which another arm names a variant of an own enum.
fn wildcards(source: &Source, is_own: &dyn Fn(&str) -> bool) -> usize {
    let lines: Vec<&str> = source.product_lines().collect();
    let is_wildcard = |line: &str| line.trim_start().starts_with("_ =>");
    let arms = lines.iter().enumerate().filter(|(_, line)| is_wildcard(line));
    arms.filter(|(index, line)| {
        let depth = indent(line);
        let above = lines[..*index]
            .iter()
            .rev()
            .take_while(|line| line.trim().is_empty() || indent(line) >= depth);
        let mut patterns = above.filter(|line| indent(line) == depth);
        patterns.any(|line| names_variant(line, is_own))
    })
    .count()
}

/// Whether the pattern of an arm begins with a variant of an own enum.
fn names_variant(arm: &str, is_own: &dyn Fn(&str) -> bool) -> bool {
    let pattern = arm.trim().trim_start_matches(['|', ' ', '(']);
    pattern.split_once("::").is_some_and(|(name, _)| is_own(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source { path: "crates/one/src/a.rs".to_owned(), text: text.to_owned() }
    }

    fn found(text: &str) -> Vec<String> {
        findings(&[source(text)]).into_keys().collect()
    }

    #[test]
    fn long_files_are_found() {
        assert!(found(&"//\n".repeat(LONGEST_FILE)).is_empty());
        assert_eq!(found(&"//\n".repeat(LONGEST_FILE + 1)), ["long-file crates/one/src/a.rs"]);
    }

    #[test]
    fn long_functions_are_found() {
        let function = |lines: usize| {
            format!(
                "impl A {{\n    fn f(\n        a: A,\n    ) {{\n{}    }}\n}}\n",
                "        g();\n\n        // h\n".repeat(lines)
            )
        };
        assert!(found(&function(LONGEST_FUNCTION)).is_empty());
        let found = found(&function(LONGEST_FUNCTION + 1));
        assert_eq!(found, ["long-function crates/one/src/a.rs f"]);
    }

    #[test]
    fn matches_that_hide_variants_are_found() {
        let own = "enum A {\n    B,\n}\nfn f() {\n    match a {\n        A::B => {\n        }\n        _ => 1,\n    }\n}";
        assert_eq!(found(own), ["wildcard crates/one/src/a.rs"]);
        let pair = own.replace("A::B =>", "(A::B, _) =>");
        assert_eq!(found(&pair), ["wildcard crates/one/src/a.rs"]);
        assert!(found(&own.replace("enum A", "enum C")).is_empty());
        assert!(found(&own.replace("_ => 1", "A::C => 1")).is_empty());
    }
}
