//! Definition files: what is wrong with some, and where.

use super::PROGRAM;
use crate::load_definitions;
use crate::testing::program::task_of;

/// The error of a file, with its place.
fn error(text: &str) -> String {
    let error = load_definitions(&task_of(PROGRAM), text).expect_err("it is wrong");
    error.told("p", text)
}

fn is_wrong(text: &str, place: &str, message: &str) {
    let error = error(text);
    assert!(error.starts_with(&format!("p:{place}: ")) && error.contains(message), "{error}");
}

const HEAD: &str = "predicate p(this, q) over struct node\n  case e: this == null\n";

#[test]
fn errors_point_into_the_file() {
    let told = error("predicate p(this) over struct node\n  case n: .nxt = x, p(x)\n");
    assert_eq!(
        told,
        "p:2:12: `struct node` has no such field\n2 |   case n: .nxt = x, p(x)\n  |            ^"
    );
}

#[test]
fn what_cannot_be_read_is_told() {
    is_wrong("predicate (this)", "1:11", "the name of the predicate");
    is_wrong("predicate p(that)", "1:13", "`this` is expected");
    is_wrong("predicate p(this) over struct node", "1:1", "a `case`");
    is_wrong("predicate p(this) over struct node case n .next", "1:43", "`:` is expected");
    is_wrong("predicate p(this) ; over", "1:19", "`;` has no meaning");
    is_wrong("predicate p(this) over struct node \"x", "1:36", "these words");
}

#[test]
fn names_that_nobody_knows_are_told() {
    is_wrong(
        "predicate p(this) over struct nobody case e: this == null",
        "1:31",
        "no `struct nobody`",
    );
    is_wrong(&format!("{HEAD}  case n: .next = x, p(x, y)"), "3:27", "`y` is neither");
    is_wrong(&format!("{HEAD}  case n: .next = x, r(x, q)"), "3:22", "no predicate `r`");
    is_wrong(&format!("{HEAD}  case n: .next = x, p(x)"), "3:22", "has 1 parameters");
    is_wrong(
        "predicate p(this) over struct node case e: this == x",
        "1:52",
        "`null` or a parameter",
    );
}

#[test]
fn names_with_two_meanings_are_told() {
    let twice = "predicate p(this) over struct node case n: .colour = 1\n";
    is_wrong(&format!("{twice}{twice}"), "2:11", "two predicates");
    is_wrong("predicate p(this, q, q) over struct node case n: .next = q", "1:22", "a meaning");
    is_wrong(&format!("{HEAD}  case n: .next = x, p(x, q), p(x, q)"), "3:33", "that of two");
    is_wrong(&format!("{HEAD}  case n: .next = q, p(q, q)"), "3:24", "a field of this node holds");
}

#[test]
fn fields_that_do_not_fit_are_told() {
    is_wrong(
        "predicate p(this) over struct node case n: .colour = this",
        "1:54",
        "numbers in others",
    );
    is_wrong("predicate p(this) over struct node case n: .next = 7", "1:52", "numbers in others");
    is_wrong("predicate p(this) over struct node case n: .colour = 4294967296", "1:54", "narrow");
    is_wrong(
        "predicate p(this) over struct node case n: .next = null, .next = this",
        "1:41",
        "twice",
    );
}

#[test]
fn instances_that_nothing_leads_to_are_told() {
    is_wrong(&format!("{HEAD}  case n: .next = q, p(x, q)"), "3:8", "no field of this node leads");
}

#[test]
fn parameters_that_nothing_keeps_are_told() {
    is_wrong(&format!("{HEAD}  case n: .next = x, p(x, q)"), "1:19", "holds this parameter");
    let some = "  case n: .next = x, .other = q, p(x, q)\n  case m: .next = x, p(x, q)";
    is_wrong(&format!("{HEAD}{some}"), "1:19", "holds this parameter");
}

#[test]
fn predicates_without_finite_heaps_are_told() {
    is_wrong("predicate p(this) over struct node case n: .next = x, p(x)", "1:11", "finite");
    is_wrong(
        "predicate p(this) over struct node case e: this == null",
        "1:11",
        "a case with a node",
    );
}

#[test]
fn links_that_depend_on_themselves_are_told() {
    let text = "predicate p(this, q) over struct node case e: this == q case n: .next = x, .other = q, p(x, x)";
    is_wrong(text, "1:62", "depends on itself");
}

#[test]
fn numbers_that_do_not_fit_are_told() {
    let list = |parameter: &str, items: &str| {
        format!("predicate p(this, k: {parameter}) over struct node case e: this == null\n{items}")
    };
    is_wrong(&list("float", "case n: .next = x, p(x, k)"), "1:22", "a `pointer` or a number");
    is_wrong(&list("int", "case n: .next = k, p(x, k)"), "2:17", "pointers are in fields");
    is_wrong(&list("int", "case n: .next = x, p(x, x)"), "2:25", "a number is expected");
    is_wrong(&list("char", "case n: .colour = k"), "2:19", "another width");
    is_wrong(&list("unsigned", "case n: .colour = c, c < k"), "2:26", "with one without");
    is_wrong(&list("long", "case n: .colour = c, c < k"), "2:26", "different widths");
    is_wrong(&list("int", "case n: .next = x, p(x, k), 1 < 2"), "2:31", "a parameter or a number");
    is_wrong(&list("int", "case n: .next = x, p(x, k), k = 1"), "2:31", "is expected here");
    is_wrong(&list("unsigned char", "case n: .next = x, p(x, k), k == 256"), "2:34", "too narrow");
    is_wrong(&list("int", "case n: .next = x, p(x, j), k > j, j > k"), "1:11", "let no heap");
}
