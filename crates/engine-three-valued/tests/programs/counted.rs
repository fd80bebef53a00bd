//! Heaps of a few blocks that are kept as they are: how many there are, and which numbers they have. Right programs are
//! proved, and wrong ones never are, however near they come.

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Finding, Run};
use heapwright_engine_three_valued::ThreeValuedEngine;
use heapwright_property::Property;
use heapwright_verdict::Verdict;

/// A list of some numbers, and what is wanted of it.
fn program(length: &str, stored: &str, test: &str) -> String {
    format!(
        "struct item {{ struct item *next; int number; }};
        static struct item *made(int length) {{
            struct item *head = 0;
            for (; length > 0; length--) {{
                struct item *fresh = malloc(sizeof *fresh);
                fresh->next = head; {stored} head = fresh;
            }}
            return head;
        }}
        int main(void) {{
            struct item *at = made({length});
            int count = 0;
            while (at) {{ {test} at = at->next; count++; }}
            if (count != 3) reach_error();
            return 0;
        }}"
    )
}

const EQUAL: &str = "if (at->number != 7) reach_error();";

fn is_proved(body: &str) {
    let verdict = crate::verdict(Property::UnreachCall, body);
    assert!(matches!(verdict, Verdict::Holds(_)), "{verdict:?}");
}

/// Neither when runs are tried, nor without them.
fn is_never_proved(body: &str) {
    let task = crate::task(Property::UnreachCall, body);
    for engine in [ThreeValuedEngine::default(), ThreeValuedEngine::default().glance()] {
        let deadline = Deadline::after(Duration::from_secs(20));
        if let Finding::Proved(proof) = engine.run(&task, &Run::alone(&deadline)) {
            panic!("a wrong proof: {} {:#?}", proof.summary(), proof.invariants());
        }
    }
}

#[test]
fn a_list_of_three_equal_numbers_is_counted() {
    is_proved(&program("3", "fresh->number = 7;", EQUAL));
}

#[test]
fn three_numbers_that_differ_are_each_known() {
    let test = "if (at->number != count + 1) reach_error();";
    is_proved(&program("3", "fresh->number = length;", test));
}

#[test]
fn a_list_that_is_one_longer_is_no_list_of_three() {
    is_never_proved(&program("4", "fresh->number = 7;", EQUAL));
}

#[test]
fn a_list_of_any_length_is_no_list_of_three() {
    is_never_proved(&program("__VERIFIER_nondet_int()", "fresh->number = 7;", EQUAL));
}

#[test]
fn a_list_beyond_what_is_kept_is_no_list_of_three() {
    is_never_proved(&program("40", "fresh->number = 7;", EQUAL));
}

#[test]
fn one_number_that_differs_is_seen() {
    is_never_proved(&program("3", "fresh->number = length == 2 ? 8 : 7;", EQUAL));
}

#[test]
fn a_number_that_nobody_wrote_is_not_known() {
    is_never_proved(&program("3", "", EQUAL));
}

#[test]
fn a_number_that_is_written_in_part_is_not_known() {
    is_never_proved(&program("3", "fresh->number = 7; *(char *)&fresh->number = 9;", EQUAL));
}

#[test]
fn an_input_may_be_another_number() {
    is_never_proved(&program("3", "fresh->number = __VERIFIER_nondet_int();", EQUAL));
}

/// Whether the quotient and the remainder are these.
fn divides(sides: (&str, &str), quotient: &str, rest: &str) -> String {
    let (left, right) = sides;
    format!(
        "int main(void) {{
            const int left = {left}, right = {right};
            if (left / right != {quotient}) reach_error();
            if (left % right != {rest}) reach_error();
            return 0;
        }}"
    )
}

#[test]
fn quotients_are_towards_zero() {
    is_proved(&divides(("7", "2"), "3", "1"));
    is_proved(&divides(("-7", "2"), "-3", "-1"));
    is_proved(&divides(("7", "-2"), "-3", "1"));
    is_proved(&divides(("-7", "-2"), "3", "-1"));
}

#[test]
fn quotients_are_not_towards_the_lower() {
    is_never_proved(&divides(("-7", "2"), "-4", "1"));
    is_never_proved(&divides(("7", "-2"), "-4", "-1"));
}

/// C says nothing of it, so nothing may be concluded, whichever number is expected.
#[test]
fn the_least_number_has_no_opposite() {
    is_never_proved(&divides(("(-2147483647 - 1)", "-1"), "2147483647", "1"));
}
