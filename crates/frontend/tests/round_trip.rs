//! Whatever the front end makes of the corpus is well formed, and its text reads back the same.
#![allow(clippy::print_stderr, reason = "a test that skips itself must say so")]

mod common;

use std::path::Path;

use common::{corpus, corpus_files, data_model, load_file};
use heapwright_program::{parse, print, well_formed};

#[test]
fn programs_are_well_formed_and_their_text_reads_back() {
    let Some(corpus) = corpus() else { return };
    let files = corpus_files(&corpus);
    let failures: Vec<String> = files
        .iter()
        .filter_map(|file| {
            check(file).err().map(|message| format!("{}: {message}", file.display()))
        })
        .collect();
    eprintln!("{} of {} files read back", files.len() - failures.len(), files.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check(file: &Path) -> Result<(), String> {
    // A file of several that make up a program is a program without `main`: as good as any here.
    let loaded = load_file(file, data_model(file)).map_err(|error| error.to_string())?;
    let program = loaded.program;
    well_formed(&program).map_err(|defects| format!("the first defect: {}", defects[0]))?;
    let text = print(&program);
    let read = parse(&text).map_err(|error| format!("the text does not parse: {error}"))?;
    if read != program.renumbered() {
        return Err("the text reads back as another program".to_owned());
    }
    Ok(())
}
