//! Files about a whole project: pages with an index, one SARIF log, one JUnit report.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use heapwright_report::{IndexRow, index_html};
use serde_json::{Value, json};

use super::answer::Answered;
use super::record::Row;

/// The pages of all programs, and one that leads to them, the worst first.
pub(super) fn write_pages(folder: &Path, answers: &[Answered]) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut rows = Vec::new();
    let mut taken = BTreeSet::from(["index".to_owned()]);
    for answer in answers {
        let kept = answer.kept.with_extension("html");
        let page = format!("{}.html", file_name(&answer.name, &mut taken));
        let has_page = kept.exists();
        if has_page {
            std::fs::copy(kept, folder.join(&page))?;
        }
        let row = Row::of(answer);
        rows.push((
            row.verdict,
            IndexRow {
                about: row.about(),
                seconds: match answer.is_cached {
                    true => "kept".to_owned(),
                    false => format!("{:.1} s", answer.report.statistics.seconds),
                },
                name: row.name,
                verdict: row.verdict.word().to_owned(),
                page: has_page.then_some(page),
            },
        ));
    }
    rows.sort_by_key(|(verdict, _)| std::cmp::Reverse(*verdict));
    let rows: Vec<IndexRow> = rows.into_iter().map(|(_, row)| row).collect();
    std::fs::write(folder.join("index.html"), index_html(&rows, env!("CARGO_PKG_VERSION")))
}

/// A name that every file system takes, and that no other program has.
fn file_name(name: &str, taken: &mut BTreeSet<String>) -> String {
    let plain = |it: char| if it.is_alphanumeric() || "-_.".contains(it) { it } else { '_' };
    let plain: String = name.chars().map(plain).collect();
    let numbered = (2..).map(|number| format!("{plain}-{number}"));
    let mut names = std::iter::once(plain.clone()).chain(numbered);
    let free = names.find(|name| !taken.contains(name)).expect("numbers do not end");
    taken.insert(free.clone());
    free
}

/// One log with a run for each program. Consumers tell the runs of one tool apart by what is automated.
pub(super) fn write_sarif(path: &Path, answers: &[Answered]) -> io::Result<()> {
    let mut log = json!(null);
    let mut runs: Vec<Value> = Vec::new();
    for answer in answers {
        let text = std::fs::read_to_string(answer.kept.with_extension("sarif"))?;
        let mut of_program: Value = serde_json::from_str(&text).map_err(io::Error::other)?;
        let own = of_program["runs"].as_array_mut().map(std::mem::take).unwrap_or_default();
        for mut run in own {
            run["automationDetails"] = json!({"id": format!("heapwright/{}/", answer.name)});
            runs.push(run);
        }
        log = of_program;
    }
    log["runs"] = Value::Array(runs);
    std::fs::write(path, format!("{}\n", serde_json::to_string_pretty(&log)?))
}

/// One report with the suites of all programs.
pub(super) fn write_junit(path: &Path, answers: &[Answered]) -> io::Result<()> {
    let mut suites = String::new();
    for answer in answers {
        let text = std::fs::read_to_string(answer.kept.with_extension("xml"))?;
        let lines = text.lines().skip_while(|line| !line.trim_start().starts_with("<testsuite "));
        let lines = lines.take_while(|line| !line.starts_with("</testsuites>"));
        for line in lines {
            suites += line;
            suites.push('\n');
        }
    }
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n{suites}</testsuites>\n"
    );
    std::fs::write(path, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_do_not_overwrite_each_other() {
        let mut taken = BTreeSet::from(["index".to_owned()]);
        let names = ["a:b", "a_b", "index", "../x"];
        let files = names.map(|name| file_name(name, &mut taken));
        assert_eq!(files, ["a_b", "a_b-2", "index-2", ".._x"]);
    }
}
