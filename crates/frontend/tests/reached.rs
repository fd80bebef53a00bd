//! Functions that `main` does not lead to are left out, and no others.
#![allow(clippy::print_stderr, reason = "a test that skips itself must say so")]

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use common::{corpus, corpus_files, data_model, is_long_mode, read};
use heapwright_frontend::{Functions, InputError, Settings, Source, load};
use heapwright_program::{DataModel, Program, well_formed};

fn linked(texts: &[&str], functions: Functions) -> Result<Program, InputError> {
    let name = |(index, text): (usize, &&str)| Source::new(format!("{index}.c"), *text);
    let sources: Vec<Source> = texts.iter().enumerate().map(name).collect();
    let settings = Settings { functions, ..Settings::new(DataModel::Lp64) };
    Ok(load(&sources, &settings)?.program)
}

/// The functions with a body, those of models left aside.
fn bodies(program: &Program) -> BTreeSet<&str> {
    let own = program
        .functions
        .iter()
        .filter(|function| function.body.is_some() && !program.files[function.place.file].is_model);
    own.map(|function| function.name.as_str()).collect()
}

fn reaches(texts: &[&str], expected: &[&str]) {
    let program = linked(texts, Functions::Reached).expect("a program");
    assert_eq!(bodies(&program), expected.iter().copied().collect(), "{texts:?}");
}

#[test]
fn functions_that_nobody_calls_are_left_out() {
    reaches(
        &[
            "static int f(void) { return 1; } int g(void) { return f(); } int main(void) { return 0; }",
        ],
        &["main"],
    );
    reaches(&["int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return 0; }"], &["main"]);
}

#[test]
fn functions_are_called_over_several_steps_and_files() {
    reaches(
        &[
            "int g(void); static int f(void) { return g(); } int main(void) { return f(); }",
            "static int f(void) { return 2; } static int h(void) { return 3; } int g(void) { return h(); }",
        ],
        &["main", "f", "g", "h"],
    );
}

#[test]
fn functions_that_are_pointed_to_stay() {
    reaches(
        &[
            "static int f(void) { return 1; } int (*table[])(void) = { 0, f }; int main(void) { return table[1](); }",
        ],
        &["main", "f"],
    );
    reaches(
        &[
            "static int f(void) { return 1; } int main(void) { static int (*p)(void) = &f; return p(); }",
        ],
        &["main", "f"],
    );
}

#[test]
fn macros_call_what_they_name() {
    reaches(
        &[
            "static int f(void) { return 1; } static int g(void) {\n#define CALL() f()\nreturn 2; }\nint main(void) { return CALL(); }",
        ],
        &["main", "f"],
    );
}

#[test]
fn a_function_of_the_library_that_a_program_defines_is_its_own() {
    let text = "typedef __SIZE_TYPE__ size_t; size_t strlen(const char *s) { return s[0] != 0; }\
        int main(void) { char text[2] = { 'a', 0 }; return (int) __builtin_strlen(text); }";
    reaches(&[text], &["main", "strlen"]);
}

#[test]
fn files_without_main_are_read_as_a_whole() {
    reaches(&["static int f(void) { return 1; } int g(void) { return 2; }"], &["f", "g"]);
}

#[test]
fn a_function_is_defined_once_even_if_nobody_calls_it() {
    let texts =
        ["int f(void) { return 1; } int main(void) { return 0; }", "int f(void) { return 2; }"];
    let said = |functions| linked(&texts, functions).expect_err("two definitions").to_string();
    assert!(said(Functions::Reached).contains("`f` is defined twice"));
    assert_eq!(said(Functions::Reached), said(Functions::All));
}

#[test]
fn nothing_that_a_program_names_is_left_out() {
    let Some(corpus) = corpus() else { return };
    let files = corpus_files(&corpus);
    let step = if is_long_mode() { 1 } else { 20 };
    let mut smaller = 0;
    for file in files.iter().step_by(step) {
        let loaded = |functions| {
            let settings = Settings { functions, ..Settings::new(data_model(file)) };
            Ok::<_, InputError>(load(&[read(file, &settings)?], &settings)?.program)
        };
        let Ok(whole) = loaded(Functions::All) else { continue };
        let reached = loaded(Functions::Reached).expect("what can be read as a whole");
        smaller += usize::from(reached.functions.len() < whole.functions.len());
        check(&whole, &reached, file);
    }
    assert!(smaller > 0, "some task has a function that nobody calls");
}

fn check(whole: &Program, reached: &Program, file: &Path) {
    assert!(well_formed(reached).is_ok(), "{}", file.display());
    let (all, some) = (bodies(whole), bodies(reached));
    for function in &reached.functions {
        let name = function.name.as_str();
        assert_eq!(all.contains(name), some.contains(name), "{name} in {}", file.display());
    }
}
