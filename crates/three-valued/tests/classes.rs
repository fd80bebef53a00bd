//! The built-in classes on small heaps, and what is said about wrong ones.

use heapwright_three_valued::class::{Library, ShapeClass, verify};

/// Heaps of each size that a class is tried on.
const HEAPS: usize = 2_000;

#[test]
fn the_built_in_classes_are_right_on_small_heaps() {
    for class in &Library::built_in().classes {
        assert_eq!(verify(class, 3, HEAPS), Ok(()), "{}", class.name);
    }
}

#[test]
fn a_finer_class_has_the_families_of_the_coarser_one() {
    let library = Library::built_in();
    let names = |class: &str| -> Vec<String> {
        let class = library.class(class).expect("built in");
        class.families.iter().map(|family| family.name.clone()).collect()
    };
    assert_eq!(names("list"), ["closure", "reach", "cyclic", "shared"]);
    assert_eq!(names("dlist"), ["closure", "reach", "cyclic", "shared", "cancel"]);
    assert_eq!(names("ptree"), ["down", "closure", "reach", "cyclic", "twice", "shared", "cancel"]);
}

/// Each change of a built-in class makes it wrong, and a small heap shows it.
#[test]
fn every_changed_formula_or_rule_is_caught() {
    let text = include_str!("../classes.txt");
    let changes = [
        ("add next: t(u, v) | t(u, s) & t(y, v)", "add next: t(u, v) | t(u, s)"),
        ("remove next: when !t(o, s) then t(u, v) &", "remove next: t(u, v) &"),
        ("add next: cyc(v) | t(y, s) & t(y, v) & t(v, s)", "add next: cyc(v) | t(y, s) & t(v, s)"),
        (
            "rule !cyc(u) & t(u, v) & block(v) -> !next(v, u)",
            "rule t(u, v) & block(v) -> !next(v, u)",
        ),
        ("exists u: u != s & next(u, y)", "exists u: next(u, y)"),
        ("remove prev: c_next(v) & !next(v, s)", "remove prev: c_next(v)"),
        ("add left: twice(v) | v = y & right(s, y)", "add left: twice(v)"),
        ("add up: left(v, s) & v = y |", "add up:"),
        ("rule !shared(v) & down(u, v)", "rule down(u, v)"),
        ("!t(b, s) & t(b, v))", "t(b, v))"),
    ];
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        let mut library = Library { classes: Vec::new() };
        library.add(&text.replace(from, to)).expect(to);
        let shows = |class: &ShapeClass| match verify(class, 3, HEAPS) {
            Ok(()) => false,
            Err(error) => error.heap.is_some(),
        };
        assert!(library.classes.iter().any(shows), "`{to}` instead of `{from}`");
    }
}

#[test]
fn errors_say_the_line_and_what_is_wrong() {
    let error = |text: &str| {
        let mut library = Library::built_in();
        library.add(text).expect_err(text).to_string()
    };
    assert_eq!(error("family f \"f\"\n"), "1:1: a file begins with a `class` line");
    assert_eq!(error("class list(n) \"again\"\n"), "1:7: there is a class `list` already");
    let head = "class ring(n) \"ring\"\nfamily f \"f\"\n";
    assert_eq!(
        error(&format!("{head}unary p(v) = m(v, v)\n")),
        "3:14: there is no predicate or variable `m`"
    );
    assert_eq!(
        error(&format!("{head}unary p(v) = n(v, v)\n  remove m: p(v)\n")),
        "4:10: there is no link `m`"
    );
    assert_eq!(
        error(&format!("{head}rule n(u, v) -> n(v, w)\n")),
        "3:6: every variable of the conclusion stands in a premise"
    );
}

#[test]
fn an_error_shows_its_line_with_a_caret() {
    let text = "class ring(n) \"ring\"\nfamily f \"f\"\n  unary p(v) = n(v, w)\n";
    let error = Library::built_in().load("ring.txt", text).expect_err("w is not bound");
    let told = "ring.txt:3:21: `w` is not bound here
3 |   unary p(v) = n(v, w)
  |                     ^";
    assert_eq!(error.told("ring.txt", text), told);
}

#[test]
fn a_rule_that_a_heap_breaks_is_refused_with_the_heap() {
    let text = "class pair(n) \"pair\"\nfamily f \"f\"\n  rule n(u, v) & block(v) -> n(v, u)\n";
    let error = Library::built_in().load("pair.txt", text).expect_err("no heap has to do that");
    let told = error.told("pair.txt", text);
    assert!(told.starts_with("pair.txt:3:8: this rule is not true of every heap\n"), "{told}");
    assert!(told.contains("on this heap:\n    blocks: a"), "{told}");
}

#[test]
fn an_update_that_is_wrong_is_refused_where_it_stands() {
    let text = "class ring(n) \"ring\"\nfamily f \"f\"\n  unary p(v) = n(v, v)\n    add n: p(v)\n";
    let error = Library::built_in().load("ring.txt", text).expect_err("p is forgotten");
    assert_eq!((error.place.line, error.place.column), (4, 12));
    assert!(error.message.starts_with("`p` is not what its definition says after n("), "{error}");
}

/// A new block would make the predicate false elsewhere, and no store tells that: every structure with two blocks
/// would contradict its definition, and a program that makes two would be proved whatever it does.
#[test]
fn a_predicate_that_a_new_block_changes_elsewhere_is_refused() {
    let text = "class one(n) \"one\"\nfamily f \"f\"\n  abstract unary only(v) = forall w: w = v\n";
    let error = Library::built_in().load("one.txt", text).expect_err("two blocks are two");
    assert_eq!((error.place.line, error.place.column), (3, 28));
    assert_eq!(error.message, "`only` changes with a block that nothing leads to");
}

/// All blocks of a summary can lie on cycles that are not the same one.
#[test]
fn a_conclusion_about_a_block_and_itself_is_refused() {
    let text = "class ring(n) \"ring\"\nfamily f \"f\"\n  binary t(u, v) = n+(u, v)\n  \
                abstract unary cyc(v) = n+(v, v)\n  rule cyc(v) -> t(v, v)\n";
    let error = Library::built_in().load("ring.txt", text).expect_err("not of every two blocks");
    assert_eq!((error.place.line, error.place.column), (5, 8));
    let fitting = text.replace("cyc(v) -> t(v, v)", "cyc(v) & v = w -> t(v, w)");
    assert!(Library::built_in().load("ring.txt", &fitting).is_ok());
}
