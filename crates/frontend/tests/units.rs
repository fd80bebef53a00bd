//! Several files, and files of other times.

use heapwright_frontend::{InputError, Loaded, Settings, Source, Standard, load};
use heapwright_program::DataModel;

fn linked(texts: &[&str], standard: Standard) -> Result<Loaded, InputError> {
    let name = |(index, text): (usize, &&str)| Source::new(format!("{index}.c"), *text);
    let sources: Vec<Source> = texts.iter().enumerate().map(name).collect();
    load(&sources, &Settings { standard, ..Settings::new(DataModel::Lp64) })
}

#[test]
fn unions_without_a_name_are_the_same_in_both_files() {
    let declares =
        "struct e { int kind; union { double value; void *pointer; }; struct { int n; } all[2]; };";
    let first = format!(
        "{declares} int f(struct e *); int main(void) {{ struct e e = {{0}}; e.value = 1; e.all[1].n = 2; return f(&e); }}"
    );
    let second = format!(
        "{declares} int f(struct e *e) {{ e->pointer = 0; return e->kind + e->all[0].n; }}"
    );
    // Lowering checks that each path fits the type that it walks through.
    linked(&[&first, &second], Standard::default()).expect("a program");
}

#[test]
fn words_of_later_versions_are_names_in_old_files() {
    let text = "int main(void) { int restrict = 1; return restrict; }";
    assert!(linked(&[text], Standard::C17).is_err());
    linked(&[text], Standard::C89).expect("a program");
}

#[test]
fn versions_have_several_names() {
    for (name, standard) in [
        ("gnu89", Standard::C89),
        ("c90", Standard::C89),
        ("c99", Standard::C99),
        ("gnu17", Standard::C17),
    ] {
        assert_eq!(Standard::named(name), Some(standard), "{name}");
    }
    assert_eq!(Standard::named("pascal"), None);
}
