//! Whatever the front end makes of the corpus is well formed, and its text reads back the same.
#![allow(clippy::print_stderr, reason = "a test that skips itself must say so")]

mod common;

use std::path::Path;

use common::{corpus, corpus_files, data_model, is_long_mode, load_file};
use heapwright_program::{DataModel, parse, print, well_formed};

#[test]
fn programs_are_well_formed_and_their_text_reads_back() {
    let Some(corpus) = corpus() else { return };
    let files = corpus_files(&corpus);
    let mut failures = Vec::new();
    let mut programs = 0;
    for file in &files {
        let own = data_model(file);
        let models = [DataModel::Lp64, DataModel::Ilp32];
        for model in models.into_iter().filter(|&model| is_long_mode() || model == own) {
            programs += 1;
            if let Err(message) = check(file, model) {
                failures.push(format!("{} ({}): {message}", file.display(), model.name()));
            }
        }
    }
    eprintln!("{} of {programs} programs read back", programs - failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check(file: &Path, model: DataModel) -> Result<(), String> {
    // A file of several that make up a program is a program without `main`: as good as any here.
    let loaded = load_file(file, model).map_err(|error| error.to_string())?;
    let program = loaded.program;
    well_formed(&program).map_err(|defects| format!("the first defect: {}", defects[0]))?;
    let text = print(&program);
    let read = parse(&text).map_err(|error| format!("the text does not parse: {error}"))?;
    if read != program.renumbered() {
        return Err("the text reads back as another program".to_owned());
    }
    Ok(())
}
