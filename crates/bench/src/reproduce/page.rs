//! The page: a head, and a section for each experiment between marks, so that one can be measured anew
//! and the others stay.

use std::collections::BTreeMap;

const HEAD: &str = "\
# The papers' experiments, repeated

```
heapwright reproduce --tasks sv-benchmarks/c --output docs/reproduction.md
```

makes this page. Published figures are those that the papers print; ours come from the same programs where these are
there, and from programs of our own where a paper only describes its programs. Machines and time limits
differ, so compare answers, and work that is counted, before seconds. Seconds are processor time of whole runs of
the command line, with reading the file and checking the proof.
";

/// The page with fresh sections, and the former text of all others.
pub(super) fn page(names: &[&str], fresh: &BTreeMap<&str, String>, former: &str) -> String {
    let mut text = HEAD.to_owned();
    for name in names {
        let section = fresh.get(name).map_or_else(|| section(former, name), String::as_str);
        if !section.is_empty() {
            text += &format!("\n{}\n{}\n", mark(name), section.trim_end());
        }
    }
    text
}

fn mark(name: &str) -> String {
    format!("<!-- experiment: {name} -->")
}

/// The text of a section of a page, without its mark.
fn section<'a>(page: &'a str, name: &str) -> &'a str {
    let rest = page.split(&mark(name)).nth(1).unwrap_or_default();
    rest.split("<!-- experiment: ").next().unwrap_or_default().trim()
}

/// A table in Markdown; the first columns are words, the others figures.
pub(super) fn table(words: usize, heading: &[&str], rows: &[Vec<String>]) -> String {
    let rule = |index| if index < words { " --- |" } else { " ---: |" };
    let rules: String = (0..heading.len()).map(rule).collect();
    let mut text = format!("| {} |\n|{rules}\n", heading.join(" | "));
    for row in rows {
        text += &format!("| {} |\n", row.join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_that_is_not_measured_stays() {
        let names = ["one", "two"];
        let sections = |pairs: &[(&'static str, &str)]| {
            pairs.iter().map(|(name, text)| (*name, (*text).to_owned())).collect()
        };
        let former = page(&names, &sections(&[("one", "first"), ("two", "second")]), "");
        let later = page(&names, &sections(&[("two", "new")]), &former);
        assert_eq!(section(&later, "one"), "first");
        assert_eq!(section(&later, "two"), "new");
        assert_eq!(page(&names, &BTreeMap::new(), &later), later);
    }

    #[test]
    fn figures_are_on_the_right() {
        let text = table(1, &["task", "s"], &[vec!["a".to_owned(), "1".to_owned()]]);
        assert_eq!(text, "| task | s |\n| --- | ---: |\n| a | 1 |\n");
    }
}
