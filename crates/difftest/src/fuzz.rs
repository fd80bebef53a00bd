//! What fuzzing runs: a function of bytes for each thing that reads text, which panics where a law
//! is broken. cargo-fuzz calls them with bytes that cover new code (`fuzz/`); an ordinary test calls
//! them with changed seeds.

use heapwright_frontend::{Settings, Source, load};
use heapwright_logic::{Sort, TermId, Terms};
use heapwright_program::{DataModel, parse, print, well_formed};
use heapwright_property::{Property, Specification};
use heapwright_solver::echo_answer;

/// A reader of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// C.
    FrontEnd,
    /// The text form of programs.
    ProgramText,
    /// Heaps in invariants.
    HeapText,
    /// Terms in invariants.
    TermText,
    /// SV-COMP property files.
    Property,
    /// What SMT-LIB 2 solvers answer.
    SolverAnswer,
}

impl Target {
    pub const ALL: [Target; 6] = [
        Target::FrontEnd,
        Target::ProgramText,
        Target::HeapText,
        Target::TermText,
        Target::Property,
        Target::SolverAnswer,
    ];

    /// The name of the target for cargo-fuzz, and of the folder of its seeds.
    pub fn name(self) -> &'static str {
        match self {
            Target::FrontEnd => "front_end",
            Target::ProgramText => "program_text",
            Target::HeapText => "heap_text",
            Target::TermText => "term_text",
            Target::Property => "property",
            Target::SolverAnswer => "solver_answer",
        }
    }

    /// Reads the bytes, and panics where they are neither accepted nor refused as they should be.
    pub fn run(self, bytes: &[u8]) {
        match self {
            Target::FrontEnd => front_end(bytes),
            Target::ProgramText => with_text(bytes, program_text),
            Target::HeapText => with_text(bytes, heap_text),
            Target::TermText => with_text(bytes, term_text),
            Target::Property => with_text(bytes, property),
            Target::SolverAnswer => with_text(bytes, solver_answer),
        }
    }
}

/// Readers of text never see what is no UTF-8.
fn with_text(bytes: &[u8], run: fn(&str)) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        run(text);
    }
}

/// C gives a well-formed program, or an error that says something.
fn front_end(bytes: &[u8]) {
    // No headers: what they contain is not what is fuzzed.
    let settings = Settings { system_folders: Vec::new(), ..Settings::new(DataModel::Lp64) };
    match load(&[Source::new("fuzz.c", bytes)], &settings) {
        Ok(loaded) => {
            if let Err(defects) = well_formed(&loaded.program) {
                panic!("{}", defects[0]);
            }
            let text = print(&loaded.program);
            let read = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert!(read == loaded.program.renumbered(), "read back, the program is another one");
        }
        Err(error) => assert!(!error.to_string().trim().is_empty(), "an error without a message"),
    }
}

/// What is read prints as something that reads as the same.
fn program_text(text: &str) {
    match parse(text) {
        Ok(program) if well_formed(&program).is_ok() => {
            let printed = print(&program);
            let again = parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
            assert!(again == program.renumbered(), "read back, the program is another one");
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().trim().is_empty(), "an error without a message"),
    }
}

/// What is read prints as something that reads as the same.
fn heap_text(text: &str) {
    if let Ok(heap) = heapwright_heap_text::parse(text) {
        let printed = heap.to_string();
        let again = heapwright_heap_text::parse(&printed);
        assert_eq!(again.as_ref(), Ok(&heap), "{printed}");
    }
}

/// A term is read back from its full text.
fn term_text(text: &str) {
    let mut terms = Terms::new();
    if let Ok(term) = terms.parse(text, Sort::Boolean, &mut known) {
        let printed = terms.display_in_full(term, &std::collections::BTreeMap::new()).to_string();
        let again = terms.parse(&printed, Sort::Boolean, &mut known);
        assert_eq!(again, Ok(term), "{printed}");
    }
}

/// Variables are named by their sorts: `p`, `x8`, `y32`, `a`.
fn known(terms: &mut Terms, name: &str) -> Option<TermId> {
    let sort = match name {
        "p" | "q" => Sort::Boolean,
        "a" => Sort::Array { index: 32, element: 8 },
        _ => match name.strip_prefix(['x', 'y'])?.parse().ok()? {
            width @ 1..=128 => Sort::BitVector(width),
            _ => return None,
        },
    };
    Some(terms.variable(name, sort))
}

/// A specification asks something.
fn property(text: &str) {
    let property = Property::from_content(text);
    if let Some(specification) = Specification::from_content(text) {
        assert!(property.is_some(), "a specification of no property");
        assert!(!specification.parts.is_empty(), "a specification that asks nothing");
    }
}

/// Names in bars lose these when they are read, so only what has none is understood again.
fn solver_answer(text: &str) {
    if let Some(echo) = echo_answer(text)
        && !text.contains('|')
    {
        assert_eq!(echo_answer(&echo), Some(echo.clone()));
    }
}
