//! Certificates written by hand: what follows is confirmed, what does not is refused.

use std::collections::BTreeSet;

use heapwright_certificate::{
    Answer, Certificate, Changes, Claim, FrameClaims, FrameKey, Leaf, Limits, Method, Part,
    Subject, check,
};
use heapwright_frontend::{Settings, Source, load};
use heapwright_logic::{Sort, TermId, Terms};
use heapwright_program::analysis::Loops;
use heapwright_program::{DataModel, Program};
use heapwright_property::{Property, Specification};

const COUNTER: &str = "
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int i = 0;
    while (__VERIFIER_nondet_int()) { if (i < 10) i++; }
    if (i > 10) reach_error();
}";

fn program(text: &str) -> Program {
    load(&[Source::new("test.c", text)], &Settings::new(DataModel::Lp64)).expect("C").program
}

fn answer(program: &Program, certificate: &Certificate) -> Answer {
    let specification = Specification::of_property(Property::UnreachCall);
    check(program, &specification, false, certificate, Limits::default())
}

/// `i` lies between these at the only loop's head.
fn counter_claims(program: &Program, least: u128, most: u128) -> Certificate {
    let main = program.function_named("main").expect("main");
    let body = program.functions[main].body.as_ref().expect("a body");
    let head = Loops::of(body).loops.iter().next().expect("a loop").head;
    let variables = program.variables.enumerated();
    let (variable, _) = variables.into_iter().find(|(_, it)| it.name == "i").expect("i");
    let mut terms = Terms::new();
    let i = terms.variable("i", Sort::BitVector(32));
    let (least, most) = (terms.bit_vector(least, 32), terms.bit_vector(most, 32));
    let bounds = [terms.signed_less_equal(least, i), terms.signed_less_equal(i, most)];
    let formula = terms.all(&bounds);
    let subject = Subject::Variable { depth: 0, variable };
    let leaf = Leaf::Part { subject, part: Part::Bits };
    let claim = Claim {
        text: "bounds".to_owned(),
        formula,
        about: BTreeSet::new(),
        leaves: vec![(i, leaf)],
    };
    let key = FrameKey { calls: Vec::new(), function: main, head, copies: Vec::new() };
    let frame = FrameClaims {
        key,
        name: "main".to_owned(),
        changes: Changes::default(),
        claims: vec![claim],
        unclaimed: Vec::new(),
    };
    Certificate {
        method: Method::Inductive,
        rounds: 1,
        is_lenient: false,
        terms,
        objects: Vec::new(),
        frames: vec![frame],
    }
}

fn is_refused(answer: &Answer) -> bool {
    matches!(answer, Answer::Refused { .. })
}

#[test]
fn bounds_that_every_round_keeps_are_confirmed() {
    let program = program(COUNTER);
    assert_eq!(answer(&program, &counter_claims(&program, 0, 10)), Answer::Confirmed);
}

#[test]
fn a_claim_that_a_round_breaks_is_refused() {
    let program = program(COUNTER);
    let answer = answer(&program, &counter_claims(&program, 0, 9));
    assert!(is_refused(&answer), "{answer:?}");
}

#[test]
fn a_claim_that_does_not_hold_at_first_is_refused() {
    let program = program(COUNTER);
    let answer = answer(&program, &counter_claims(&program, 5, 10));
    assert!(is_refused(&answer), "{answer:?}");
}

#[test]
fn claims_that_do_not_exclude_the_error_are_refused() {
    let program = program(COUNTER);
    let answer = answer(&program, &counter_claims(&program, 0, 11));
    assert!(is_refused(&answer), "{answer:?}");
}

#[test]
fn a_loop_without_claims_is_unclear() {
    let program = program(COUNTER);
    let mut certificate = counter_claims(&program, 0, 10);
    certificate.frames.clear();
    assert!(matches!(answer(&program, &certificate), Answer::Unclear { .. }));
}

#[test]
fn a_claim_that_says_nothing_does_not_help() {
    let program = program(COUNTER);
    let mut certificate = counter_claims(&program, 0, 10);
    certificate.frames[0].claims[0].formula = TermId::TRUE;
    assert!(is_refused(&answer(&program, &certificate)));
}

#[test]
fn a_loop_with_more_rounds_than_the_bound_is_refused() {
    let program = program("int main(void) { int i = 0; while (i < 3) i++; }");
    assert_eq!(answer(&program, &Certificate::bounded(4, 1, false)), Answer::Confirmed);
    assert!(is_refused(&answer(&program, &Certificate::bounded(2, 1, false))));
}

/// Each with the fault that some encoding of pointers has hidden.
#[test]
fn faults_that_encodings_hide_are_seen() {
    let faults = [
        // The end of the distance is far outside.
        "int main(void) { char a[4]; long d = 1L << 32; char *p = a; p = p + d; *p = 0; }",
        // A pointer before its block is less than the block.
        "extern void reach_error(void);
         int main(void) { int a[2]; int *p = a; if (p - 1 < p) reach_error(); }",
        // A jump over an initialiser leaves the variable open.
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
         int main(void) {
            if (__VERIFIER_nondet_int()) goto over;
            int x = 5;
            over: if (x != 5) reach_error();
         }",
        // Two lives of a local may lie in two places.
        "extern void reach_error(void);
         int main(void) {
            long first = 0;
            for (int i = 0; i < 2; i++) {
                int y = i; long now = (long) &y;
                if (i == 0) first = now; else if (now != first) reach_error();
            }
         }",
    ];
    for fault in faults {
        let program = program(fault);
        let answer = answer(&program, &Certificate::bounded(4, 1, false));
        assert!(is_refused(&answer), "{answer:?}: {fault}");
    }
}
