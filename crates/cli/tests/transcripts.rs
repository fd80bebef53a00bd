//! Transcripts: `tests/cli/*.md` and the book show what a user types and sees, and this runs them.
//!
//! In a block of language `console`, a line `$ command` is run by `sh` in the repository's folder,
//! with `heapwright` in its path. Below it stand `? code` if the exit code is not 0, the standard
//! output, and the standard error with `! ` before each line. `[..]` stands for anything within a
//! line, a line `...` for any number of lines. `<!-- needs: gcc -->` skips a file without gcc.
//!
//! `HEAPWRIGHT_ACCEPT=1 cargo test -p heapwright --test transcripts` writes what was seen into the
//! files, where it differs; look at the difference before you commit it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn every_transcript_shows_what_happens() {
    let files: Vec<PathBuf> =
        ["tests/cli", "docs/book/src"].into_iter().flat_map(transcripts).collect();
    let is_accepting = env::var_os("HEAPWRIGHT_ACCEPT").is_some();
    let mut problems = String::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        if let Some(missing) = missing_program(&text) {
            eprintln!("SKIPPED {}: {missing} is not installed", file.display());
            continue;
        }
        let seen = replay(&text);
        if is_accepting {
            fs::write(&file, seen).unwrap();
        } else if seen != text {
            problems += &difference(&file, &text, &seen);
        }
    }
    let hint = "HEAPWRIGHT_ACCEPT=1 accepts the new output";
    assert!(problems.is_empty(), "{problems}\n{hint}");
}

fn transcripts(folder: &str) -> Vec<PathBuf> {
    let folder = root().join(folder);
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    files.sort();
    assert!(!files.is_empty(), "no transcripts in {}", folder.display());
    files
}

#[test]
fn the_book_has_every_chapter_that_its_summary_names_and_no_other() {
    let folder = root().join("docs/book/src");
    let summary = fs::read_to_string(folder.join("SUMMARY.md")).unwrap();
    let links = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let mut named: Vec<String> = links.map(str::to_owned).collect();
    named.sort();
    let chapters = transcripts("docs/book/src").into_iter();
    let names = chapters.map(|path| path.file_name().unwrap().to_string_lossy().into_owned());
    let found: Vec<String> = names.filter(|name| name != "SUMMARY.md").collect();
    assert_eq!(named, found);
    for chapter in found {
        let text = fs::read_to_string(folder.join(&chapter)).unwrap();
        let included = text.split("{{#include ").skip(1).filter_map(|rest| rest.split("}}").next());
        let shown = text.split("](pictures/").skip(1).filter_map(|rest| rest.split(')').next());
        let shown = shown.map(|name| format!("pictures/{name}"));
        for file in included.map(str::to_owned).chain(shown) {
            assert!(folder.join(&file).exists(), "{chapter} needs {file}");
        }
    }
}

#[test]
fn every_picture_of_the_book_is_made_by_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new(root().join("docs/book/make-pictures"))
        .arg(env!("CARGO_BIN_EXE_heapwright"))
        .env("PICTURES", folder.path())
        .status()
        .unwrap();
    assert!(status.success());
    for entry in fs::read_dir(root().join("docs/book/src/pictures")).unwrap() {
        let name = entry.unwrap().file_name();
        let made = fs::read_to_string(folder.path().join(&name)).unwrap();
        let picture = roxmltree::Document::parse(&made).unwrap();
        let cards = picture.descendants().filter(|node| node.attribute("class") == Some("card"));
        assert!(cards.count() > 1, "{} shows no heap", name.to_string_lossy());
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A program that the transcript needs and that is not there.
fn missing_program(text: &str) -> Option<&str> {
    let mut needs = text.lines().filter_map(|line| {
        line.strip_prefix("<!-- needs: ").and_then(|rest| rest.strip_suffix(" -->"))
    });
    needs.find(|program| Command::new(program).arg("--version").output().is_err())
}

/// The transcript with what is seen today; expectations that fit stay as they are.
fn replay(text: &str) -> String {
    let mut lines = text.lines().peekable();
    let mut seen = Vec::new();
    let mut is_inside = false;
    while let Some(line) = lines.next() {
        seen.push(line.to_owned());
        match line {
            "```console" => is_inside = true,
            "```" => is_inside = false,
            _ => {}
        }
        if let Some(command) = line.strip_prefix("$ ").filter(|_| is_inside) {
            let mut expected = Vec::new();
            while let Some(line) = lines.next_if(|line| *line != "```" && !line.starts_with("$ ")) {
                expected.push(line);
            }
            let output = run(command);
            let lines: Vec<&str> = output.iter().map(String::as_str).collect();
            match fits(&expected, &lines) {
                true => seen.extend(expected.iter().map(|line| (*line).to_owned())),
                false => seen.extend(output.iter().map(|line| redacted(line))),
            }
        }
    }
    seen.join("\n") + "\n"
}

/// Exit code, standard output and standard error as a transcript has them.
fn run(command: &str) -> Vec<String> {
    let binary = Path::new(env!("CARGO_BIN_EXE_heapwright"));
    let mut path = binary.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(env::var_os("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(root())
        .env("PATH", path)
        .env_remove("RUST_BACKTRACE")
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().map_or("signal".to_owned(), |code| code.to_string());
    let mut lines = Vec::new();
    lines.extend((code != "0").then(|| format!("? {code}")));
    lines.extend(text(&output.stdout).lines().map(|line| line.trim_end().to_owned()));
    lines
        .extend(text(&output.stderr).lines().map(|line| format!("! {line}").trim_end().to_owned()));
    // An empty line would look like the end to some editors; keep the last ones out.
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Whether lines fit a pattern with `...` for any number of them.
fn fits(pattern: &[&str], lines: &[&str]) -> bool {
    match pattern {
        [] => lines.is_empty(),
        ["...", rest @ ..] => (0..=lines.len()).any(|start| fits(rest, &lines[start..])),
        [first, rest @ ..] => match lines {
            [line, others @ ..] => line_fits(first, line) && fits(rest, others),
            [] => false,
        },
    }
}

/// Whether a line fits a pattern with `[..]` for any text.
fn line_fits(pattern: &str, line: &str) -> bool {
    match pattern.split_once("[..]") {
        None => pattern == line,
        Some((before, after)) => line.strip_prefix(before).is_some_and(|rest| {
            let ends = rest.char_indices().map(|(index, _)| index).chain([rest.len()]);
            ends.into_iter().any(|index| line_fits(after, &rest[index..]))
        }),
    }
}

/// A line without what differs from run to run.
fn redacted(line: &str) -> String {
    if let Some((before, after)) = line.split_once("\"seconds\": ") {
        let comma = if after.ends_with(',') { "," } else { "" };
        return format!("{before}\"seconds\": [..]{comma}");
    }
    // How much of a proof is run is a matter of time.
    match line.strip_prefix("  run: ").and_then(|run| run.split_once(';')) {
        Some((_, after)) => format!("  run: [..];{after}"),
        None => line.to_owned(),
    }
}

fn difference(file: &Path, expected: &str, seen: &str) -> String {
    let (expected, seen): (Vec<&str>, Vec<&str>) =
        (expected.lines().collect(), seen.lines().collect());
    let start = expected.iter().zip(&seen).take_while(|(one, other)| one == other).count();
    let show = |lines: &[&str], sign: &str| {
        let lines = lines.iter().skip(start).take(12);
        lines.map(|line| format!("{sign} {line}\n")).collect::<String>()
    };
    let name = file.display();
    format!("{name}:{}\n{}{}", start + 1, show(&expected, "-"), show(&seen, "+"))
}
