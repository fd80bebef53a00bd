//! Formats for other tools: what we write is what their descriptions say, and what we read back.

mod schema;
mod validation;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

pub(crate) fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

pub(crate) fn heapwright(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heapwright"));
    command.env("SOURCE_DATE_EPOCH", "1794835845");
    command.args(arguments).output().expect("the binary runs")
}

/// What `check` writes to the file of this option.
pub(crate) fn written(file: &Path, option: &str, name: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join(name);
    let (out, file) = (out.display().to_string(), file.display().to_string());
    heapwright(&["check", "--quiet", option, &out, &file]);
    std::fs::read_to_string(&out).unwrap_or_else(|error| panic!("{file} {option}: {error}"))
}

fn json(arguments: &[&str]) -> Value {
    let output = heapwright(&[&["check", "--json"], arguments].concat());
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn published_schema() -> Value {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/heapwright-check-1.json");
    let text = std::fs::read_to_string(path).expect("the schema is there");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn json_is_as_the_schema_says() {
    let file = |name: &str| example(name).display().to_string();
    let (violated, lost, list) =
        (file("use_after_free.c"), file("lost_head.c"), file("list_of_any_length.c"));
    for (arguments, verdict) in [
        (vec![violated.as_str()], "violated"),
        (vec![lost.as_str()], "violated"),
        (vec!["--show-invariants", list.as_str()], "holds"),
        (vec!["--property", "termination", "--timeout", "2s", list.as_str()], "unknown"),
        (vec!["--no-signed-overflow", list.as_str()], "holds"),
        (vec!["--property", "no-overflow", list.as_str()], "holds"),
        (vec!["there-is-no-such-file.c"], "input-error"),
    ] {
        let document = json(&arguments);
        assert_eq!(document["verdict"], verdict);
        let problems = schema::problems(&published_schema(), &document);
        assert!(problems.is_empty(), "{verdict}: {}", problems.join("\n"));
    }
}

#[test]
fn the_schema_refuses_other_documents() {
    let schema = published_schema();
    let mut document = json(&["there-is-no-such-file.c"]);
    document["verdict"] = "perhaps".into();
    assert_eq!(schema::problems(&schema, &document).len(), 1);
    document["verdict"] = "unknown".into();
    document["colour"] = "green".into();
    assert_eq!(schema::problems(&schema, &document).len(), 1);
    document.as_object_mut().expect("an object").remove("colour");
    document.as_object_mut().expect("an object").remove("files");
    assert_eq!(schema::problems(&schema, &document).len(), 1);
}

fn sarif(file: &Path) -> Value {
    let log: Value = serde_json::from_str(&written(file, "--sarif", "out.sarif")).expect("JSON");
    log["runs"][0].clone()
}

#[test]
fn sarif_tells_what_fails_and_what_passes() {
    let run = sarif(&example("use_after_free.c"));
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["kind"]), (&"HW001".into(), &"fail".into()));
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 29);
    assert_eq!(result["taxa"][0]["id"], "416");
    let steps = &result["codeFlows"][0]["threadFlows"][0]["locations"];
    assert!(steps.as_array().is_some_and(|steps| steps.len() > 8), "{steps}");
    for result in run["results"].as_array().expect("a list") {
        let rule =
            &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().expect("one") as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert_eq!(
            result["kind"] == "fail",
            result["level"] == "error",
            "only failures have levels"
        );
    }
    let kinds = |run: &Value| -> Vec<Value> {
        run["results"].as_array().expect("a list").iter().map(|it| it["kind"].clone()).collect()
    };
    assert_eq!(kinds(&sarif(&example("list_of_any_length.c"))), vec!["pass"; 4]);
}

/// The fingerprint of the first result for a program.
fn fingerprint(folder: &Path, text: &str) -> (Value, Value) {
    let file = folder.join("program.c");
    std::fs::write(&file, text).expect("writable");
    let result = sarif(&file)["results"][0].clone();
    let line = result["locations"][0]["physicalLocation"]["region"]["startLine"].clone();
    (result["partialFingerprints"]["heapwright/v1"].clone(), line)
}

#[test]
fn a_fingerprint_survives_other_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = std::fs::read_to_string(example("use_after_free.c")).expect("readable");
    let (before, line) = fingerprint(folder.path(), &text);
    let (after, moved) = fingerprint(folder.path(), &format!("/* a\n * remark */\n\n{text}"));
    assert_eq!((line, moved), (29.into(), 32.into()));
    assert_eq!(before, after);
    let other = text.replace("head = current->next; /* too late */", "current = current->next;");
    assert_ne!(fingerprint(folder.path(), &other).0, before);
}

#[test]
fn build_servers_count_what_fails() {
    let text = written(&example("use_after_free.c"), "--junit", "out.xml");
    let document = roxmltree::Document::parse(&text).expect("XML");
    let suite = document.descendants().find(|node| node.has_tag_name("testsuite")).expect("one");
    let count = |tag: &str| suite.descendants().filter(|node| node.has_tag_name(tag)).count();
    assert_eq!(suite.attribute("tests"), Some(count("testcase").to_string().as_str()));
    assert_eq!(suite.attribute("failures"), Some("1"));
    assert_eq!((count("testcase"), count("failure")), (4, 1));
}

#[test]
fn names_of_files_are_never_markup() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a\"><b&'.c");
    std::fs::write(&file, "int main(void) { int *p = 0; return *p; /* ]]> <x */ }\n")
        .expect("writable");
    for (option, name) in [("--junit", "out.xml"), ("--witness", "out.graphml")] {
        let text = written(&file, option, name);
        roxmltree::Document::parse(&text)
            .unwrap_or_else(|error| panic!("{option}: {error}\n{text}"));
    }
    let page = written(&file, "--html", "out.html");
    assert!(!page.contains("<b&") && page.contains("&lt;b&amp;"), "a name is text on a page");
    sarif(&file);
}

#[test]
fn a_test_suite_has_the_inputs_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, suite) = (folder.path().join("inputs.c"), folder.path().join("suite"));
    std::fs::write(&file, validation::TWO_INPUTS).expect("writable");
    let (name, out) = (file.display().to_string(), suite.display().to_string());
    heapwright(&["check", "--quiet", "--test-suite", &out, &name]);
    let test = std::fs::read_to_string(suite.join("testcase-1.xml")).expect("it is written");
    let document = roxmltree::Document::parse_with_options(
        &test,
        roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() },
    );
    let document = document.expect("XML");
    let inputs = document.descendants().filter(|node| node.has_tag_name("input"));
    let inputs: Vec<&str> = inputs.filter_map(|node| node.text()).collect();
    assert_eq!(inputs.len(), 2, "{test}");
    assert_eq!(inputs[0], "7");
}
