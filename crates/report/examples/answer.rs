//! Runs a C file and writes the answer in every format into a folder: `answer FILE.c FOLDER
//! [INVARIANTS.txt]`. With a file of invariants, as `heapwright show --invariants` prints them, the
//! answer is that of a proof.

use std::path::Path;

use heapwright_engine::{Deadline, Engine, Run, Task};
use heapwright_engine_concrete::ConcreteEngine;
use heapwright_frontend::{Flags, Settings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::Specification;
use heapwright_report::{
    Answer, CheckReport, Palette, ProofCheck, ReasonReport, Reproduction, RunCommand, SolverWork,
    TextStyle, check_html, check_json, check_text, proof_places,
};
use heapwright_verdict::{Verdict, conclude};

#[allow(clippy::print_stdout, reason = "an example prints")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, folder, rest @ ..] = arguments.as_slice() else {
        panic!("answer FILE.c FOLDER [INVARIANTS.txt]");
    };
    let settings = Settings::new(DataModel::Lp64);
    let source = Source::read(Path::new(file), Flags::default(), &settings).expect("readable");
    let program = load(&[source], &settings).expect("a program").program;
    let specification = Specification::everyday();
    let parts = specification.parts.clone();
    let task = Task { program, specification, malloc_may_fail: false };
    let run = RunCommand { files: vec![file.clone()], ..RunCommand::default() };
    let reproduction = Reproduction { run, native: None };
    let deadline = Deadline::never();
    let invariants = rest.first().map(|path| invariants(path)).unwrap_or_default();
    let places = proof_places(&task.program, &invariants);
    let answer = if places.is_empty() {
        let finding = ConcreteEngine::default().run(&task, &Run::alone(&deadline));
        match conclude(&task, finding, &deadline) {
            Verdict::Holds(proof) => Answer::of_proof(&proof),
            Verdict::Violated(violation) => {
                Answer::of_violation(&task, &violation, &reproduction, Vec::new())
            }
            Verdict::Unknown(reasons) => {
                let of = |reason| ReasonReport::of(&task.program, "concrete", reason);
                Answer::Unknown { reasons: reasons.iter().map(of).collect() }
            }
        }
    } else {
        let (summary, proof_check) = ("a proof".to_owned(), ProofCheck::default());
        Answer::Holds { summary, assumptions: Vec::new(), invariants, proof_check }
    };
    let report = CheckReport {
        files: vec![file.clone()],
        parts,
        data_model: "LP64".to_owned(),
        answer,
        places,
        engine: Some("concrete".to_owned()),
        part_answers: Vec::new(),
        searched: Vec::new(),
        engines: Vec::new(),
        solver: SolverWork::default(),
        seconds: 0.0,
    };
    let style = TextStyle { palette: Palette::PLAIN, full_trace: false, is_quiet: false };
    print!("{}", check_text(&report, style));
    let write = |name: &str, text: String| {
        std::fs::write(Path::new(folder).join(name), text).expect("writable");
    };
    write("answer.html", check_html(&report, "0.1.0"));
    write("answer.json", check_json(&report, "0.1.0"));
}

/// The invariants of a page of them.
fn invariants(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("readable");
    let pages = text.split("\n// ").skip(1);
    pages.map(|page| page.split_once('\n').map_or("", |(_, text)| text).to_owned()).collect()
}
