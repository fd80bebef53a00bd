//! Formulas: planes against plain evaluation, the embedding theorem, and text.

mod common;

use common::{Random, lists, plainly, random_formula, weakened};
use heapwright_three_valued::text::{
    parse_formula, parse_structure, print_formula, print_structure,
};
use heapwright_three_valued::{Kleene, blur, embeds, rows_of};

#[test]
fn planes_give_the_values_of_the_definition() {
    let (lists, mut random) = (lists(), Random::new(1));
    for round in 0..3_000 {
        let heap = lists.random_heap(&mut random, 4);
        let weak = weakened(&blur(&heap, &lists.vocabulary), &lists, &mut random);
        let formula = random_formula(&lists, &mut random, round % 4);
        let rows = rows_of(&weak, &formula);
        assert_eq!(rows_of(&weak, &formula.clone().miniscoped()), rows, "{formula:?}");
        for (from, row) in rows.iter().enumerate() {
            for to in 0..weak.len() {
                let plain = plainly(&weak, &formula, &[from, to]);
                assert_eq!(row.at(to), plain, "{formula:?} at {from}, {to}");
            }
        }
    }
}

#[test]
fn a_formula_on_an_abstraction_describes_its_value_on_the_heap() {
    let (lists, mut random) = (lists(), Random::new(2));
    for round in 0..2_000 {
        let heap = lists.random_heap(&mut random, 4);
        let abstraction = weakened(&blur(&heap, &lists.vocabulary), &lists, &mut random);
        assert!(embeds(&heap, &abstraction));
        let formula = random_formula(&lists, &mut random, round % 4);
        // Both variables at null: a node that every embedding keeps.
        let (above, below) = (rows_of(&abstraction, &formula), rows_of(&heap, &formula));
        assert!(above[0].at(0).describes(below[0].at(0)), "{formula:?}");
    }
}

#[test]
fn formulas_are_read_as_they_are_printed() {
    let (lists, mut random) = (lists(), Random::new(3));
    for round in 0..1_000 {
        let formula = random_formula(&lists, &mut random, round % 4);
        let text = print_formula(&formula, &lists.vocabulary);
        let read = parse_formula(&text, &lists.vocabulary, &["v0", "v1"]);
        let read = read.unwrap_or_else(|error| panic!("{text}: {error}"));
        let heap = lists.random_heap(&mut random, 3);
        assert_eq!(rows_of(&heap, &formula), rows_of(&heap, &read), "{text}");
    }
}

#[test]
fn the_short_forms_of_formulas_mean_what_they_say() {
    let lists = lists();
    let structure =
        parse_structure("blocks: a b c\nx: a\nnext: a->b b->c c->null\n", &lists.vocabulary);
    let structure = structure.expect("well written");
    let value = |text: &str| {
        let formula = parse_formula(text, &lists.vocabulary, &[]).expect(text);
        heapwright_three_valued::truth(&structure, &formula)
    };
    assert_eq!(value("exists u: x(u) & forall v: next*(u, v)"), Kleene::True);
    assert_eq!(value("exists u: next+(u, u)"), Kleene::False);
    assert_eq!(value("forall u: x(u) -> !exists v: next(v, u)"), Kleene::True);
    assert_eq!(value("exists u, v: u != v & tc(a, b: next(b, a))(v, u) & x(u)"), Kleene::True);
}

#[test]
fn errors_in_formulas_say_where_and_what() {
    let lists = lists();
    let error =
        |text: &str| parse_formula(text, &lists.vocabulary, &["v"]).unwrap_err().to_string();
    assert_eq!(error("x(v) & nxt(v, v)"), "there is no predicate or variable `nxt` (at byte 7)");
    assert_eq!(error("x(w)"), "`w` is not bound here (at byte 2)");
    assert_eq!(error("x(v) x(v)"), "nothing more is expected here (at byte 5)");
    assert_eq!(error("(x(v)"), "`)` is missing (at byte 5)");
}

#[test]
fn structures_are_read_as_they_are_printed() {
    let (lists, mut random) = (lists(), Random::new(4));
    for _ in 0..500 {
        let heap = blur(&lists.random_heap(&mut random, 4), &lists.vocabulary);
        let weak = weakened(&heap, &lists, &mut random);
        let text = print_structure(&weak, &lists.vocabulary);
        assert_eq!(parse_structure(&text, &lists.vocabulary).as_ref(), Ok(&weak), "{text}");
    }
}
