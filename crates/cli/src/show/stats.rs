//! `show --format stats`: how large the files are and what of them is not modelled.

use std::collections::BTreeMap;
use std::fmt::Write;

use heapwright_frontend::InputError;
use heapwright_program::{Function, Operation, Program};
use serde::Serialize;

use super::Shown;
use crate::arguments::ShowArguments;
use crate::exit;
use crate::sources::LoadedAlone;

#[derive(Serialize)]
struct Stats {
    files: Vec<FileStats>,
    /// How often each construct that is not modelled occurs in all files.
    unsupported: BTreeMap<String, usize>,
    failed: Vec<String>,
}

#[derive(Serialize)]
struct FileStats {
    file: String,
    functions: usize,
    edges: usize,
    unsupported: usize,
}

pub(super) fn stats(arguments: &ShowArguments) -> Result<Shown, InputError> {
    let mut stats = Stats { files: Vec::new(), unsupported: BTreeMap::new(), failed: Vec::new() };
    let mut messages = String::new();
    for LoadedAlone { name, loaded } in arguments.sources.load_each()? {
        match loaded {
            Ok(loaded) => stats.add(name, &loaded.program),
            Err(error) => {
                messages.push_str(&format!("{error}\n"));
                stats.failed.push(name);
            }
        }
    }
    let text = match arguments.json {
        true => format!("{}\n", serde_json::to_string_pretty(&stats).expect("plain data")),
        false => stats.text(),
    };
    let exit = if stats.failed.is_empty() { 0 } else { exit::BAD_INPUT };
    Ok(Shown { text, messages, exit })
}

impl Stats {
    fn add(&mut self, file: String, program: &Program) {
        // Models are ours; counting them would say nothing about the file.
        let is_own = |function: &&Function| !program.files[function.place.file].is_model;
        let bodies: Vec<_> =
            program.functions.iter().filter(is_own).filter_map(|item| item.body.as_ref()).collect();
        let mut unsupported = 0;
        for edge in bodies.iter().flat_map(|body| body.edges.iter()) {
            if let Operation::Unsupported { construct } = &edge.operation {
                *self.unsupported.entry(construct.clone()).or_default() += 1;
                unsupported += 1;
            }
        }
        let edges = bodies.iter().map(|body| body.edges.iter().count()).sum();
        self.files.push(FileStats { file, functions: bodies.len(), edges, unsupported });
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let total = FileStats {
            file: "all".to_owned(),
            functions: self.files.iter().map(|row| row.functions).sum(),
            edges: self.files.iter().map(|row| row.edges).sum(),
            unsupported: self.files.iter().map(|row| row.unsupported).sum(),
        };
        let names = self.files.iter().map(|row| row.file.chars().count());
        let width = names.max().unwrap_or(0).max(total.file.len());
        let mut line = |text_of_line: String| {
            writeln!(text, "{text_of_line}").expect("a string takes everything");
        };
        line(format!(
            "{:width$}  {:>9}  {:>9}  {:>11}",
            "file", "functions", "edges", "unsupported"
        ));
        for FileStats { file, functions, edges, unsupported } in self.files.iter().chain([&total]) {
            line(format!("{file:width$}  {functions:>9}  {edges:>9}  {unsupported:>11}"));
        }
        if !self.unsupported.is_empty() {
            line("\nnot modelled:".to_owned());
            let mut kinds: Vec<(&String, &usize)> = self.unsupported.iter().collect();
            kinds.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            for (construct, count) in kinds {
                line(format!("{count:>7}  {construct}"));
            }
        }
        if !self.failed.is_empty() {
            let count = match self.failed.len() {
                1 => "1 file".to_owned(),
                count => format!("{count} files"),
            };
            line(format!("\n{count} could not be read:"));
            self.failed.iter().for_each(|name| line(format!("  {name}")));
        }
        text
    }
}
