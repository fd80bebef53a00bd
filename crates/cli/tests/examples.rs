//! Every program in `examples/` is checked and run, but those of the survey, which have a test of their own (`survey.rs`).
//! Its first lines say what must come out:
//!
//! - `//@ truth: holds` or `violated PART`: no answer may contradict it, now or ever;
//! - `//@ now: holds`, `violated PART LINE` or `unknown`: what must be answered today;
//! - `//@ run: exit N`: the exit code of `heapwright run`; a `.expected` file has the output;
//! - `//@ input: TEXT`: standard input of the run;
//! - `//@ with: FILE`: another file of the program;
//! - `//@ property: NAME`, `//@ engine: NAME`, `//@ shape-classes: FILE`, `//@ predicates: FILE`: options of `check`;
//! - `//@ options: WORDS`: further options of both commands.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

struct Example {
    path: PathBuf,
    header: Vec<(String, String)>,
}

impl Example {
    fn read(path: PathBuf) -> Option<Example> {
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.lines().map_while(|line| line.strip_prefix("//@ "));
        let header: Vec<(String, String)> = lines
            .map(|line| line.split_once(": ").expect("a key and a value"))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        (!header.is_empty()).then_some(Example { path, header })
    }

    fn find(&self, key: &str) -> Option<&str> {
        self.header.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    fn get(&self, key: &str) -> &str {
        self.find(key).unwrap_or_else(|| panic!("{}: no `//@ {key}:`", self.path.display()))
    }

    fn heapwright(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_heapwright"));
        command.args(arguments);
        command.args(self.find("options").unwrap_or_default().split_whitespace());
        command.arg(&self.path);
        if let Some(file) = self.find("with") {
            command.arg(self.path.with_file_name(file));
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = self.find("input").unwrap_or_default();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    /// What `check` says.
    fn check(&self) -> serde_json::Value {
        let file = |name: &str| self.path.with_file_name(name).display().to_string();
        let mut arguments = vec!["check".to_owned(), "--json".to_owned()];
        for key in ["property", "engine", "shape-classes", "predicates"] {
            if let Some(value) = self.find(key) {
                let is_file = ["shape-classes", "predicates"].contains(&key);
                let value = if is_file { file(value) } else { value.to_owned() };
                arguments.extend([format!("--{key}"), value]);
            }
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = self.heapwright(&arguments);
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// The same in the words of the header.
    fn answer(&self) -> String {
        let document = self.check();
        let verdict = document["verdict"].as_str().unwrap();
        match verdict {
            "violated" => {
                let part = document["part"].as_str().unwrap();
                format!("violated {part} {}", document["place"]["line"])
            }
            _ => verdict.to_owned(),
        }
    }
}

#[test]
fn every_example_is_answered_as_it_says() {
    let mut problems = String::new();
    for example in examples() {
        let (truth, now, answer) = (example.get("truth"), example.get("now"), example.answer());
        let is_true = answer == "unknown" || answer.starts_with(truth);
        if !is_true || answer != now {
            let path = example.path.display();
            problems += &format!("{path}: truth {truth}, expected {now}, answered {answer}\n");
        }
    }
    assert!(problems.is_empty(), "{problems}");
}

#[test]
fn every_example_runs_as_it_says() {
    let mut problems = String::new();
    for example in examples() {
        let output = example.heapwright(&["run"]);
        let expected_code: i32 = example.get("run").strip_prefix("exit ").unwrap().parse().unwrap();
        let expected = example.path.with_extension("expected");
        let expected = fs::read_to_string(expected).unwrap_or_default();
        let printed = String::from_utf8(output.stdout).unwrap();
        if output.status.code() != Some(expected_code) || printed != expected {
            let (path, errors) = (example.path.display(), String::from_utf8_lossy(&output.stderr));
            problems += &format!("{path}: {}, printed {printed:?}\n{errors}", output.status);
        }
    }
    assert!(problems.is_empty(), "{problems}");
}

#[test]
fn the_command_that_check_gives_shows_the_violation_again() {
    let folder = Path::new(env!("CARGO_BIN_EXE_heapwright")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    for example in examples() {
        let document = example.check();
        if let Some(command) = document["reproduce"].as_str() {
            let output = Command::new("sh").args(["-c", command]).env("PATH", &path).output();
            let output = output.unwrap();
            let errors = String::from_utf8(output.stderr).unwrap();
            let expected = format!("fault: {} at ", document["kind"].as_str().unwrap());
            assert!(errors.starts_with(&expected), "{command}\n{errors}");
            assert_eq!(output.status.code(), Some(101), "{command}");
        }
    }
}

fn examples() -> Vec<Example> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").canonicalize().unwrap();
    let files = c_files(&root).into_iter().filter(|path| !path.starts_with(root.join("survey")));
    let examples: Vec<Example> = files.filter_map(Example::read).collect();
    assert!(examples.len() >= 20, "examples are missing");
    examples
}

fn c_files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let files = entries.into_iter().flat_map(|path| match path.is_dir() {
        true => c_files(&path),
        false => vec![path],
    });
    files.filter(|path| path.extension().is_some_and(|ending| ending == "c")).collect()
}
