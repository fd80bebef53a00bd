//! Addresses as numbers: two blocks lie apart, but a number that has left its block may be any other.

mod common;

use common::{holds, is_never_proved};

fn program(statements: &str) -> String {
    format!(
        "typedef unsigned long word;
        extern unsigned long __VERIFIER_nondet_ulong(void);
        int main(void) {{
            char *p = malloc(4), *q = malloc(4);
            word i = __VERIFIER_nondet_ulong(), j = __VERIFIER_nondet_ulong();
            {statements}
            free(p); free(q);
            return 0;
        }}"
    )
}

#[test]
fn a_number_that_has_left_its_block_may_be_any_address() {
    for condition in [
        "(word)p + i == (word)q",
        "(word)p + i == (word)q + j",
        "(word)p + i == 0",
        "!((word)p + i)",
        "(_Bool)((word)p + i) == 0",
        "p + i == q",
        "p + i == 0",
        "(word)p + 16400 == (word)q || (word)q + 16400 == (word)p",
    ] {
        is_never_proved(&program(&format!("if ({condition}) reach_error();")));
    }
}

#[test]
fn the_order_of_numbers_wraps_around() {
    for condition in [
        "i >> 63 && !((word)p + i < (word)p)",
        "(word)p + i < (word)p && i < 1ul << 63 | 1ul << 62 | 1ul << 61",
        "(long)i > 0 && (long)p + (long)i < (long)p",
        "p < q",
        "q < p",
    ] {
        is_never_proved(&program(&format!("if ({condition}) reach_error();")));
    }
}

#[test]
fn pointers_into_different_blocks_differ() {
    holds(&program(
        "if (p == q || p + 4 == q + 1 || !p || (word)p == 0 || p + 4 == 0) reach_error();
        if (i <= 4 && j <= 4 && (p + i == q + j || !(p + i))) reach_error();",
    ));
}

#[test]
fn pointers_into_one_block_have_an_order() {
    holds(&program(
        "if (p + 1 < p || !(p < p + 4) || (word)p > (word)p + 3) reach_error();
        if (i < j && j <= 4 && !(p + i < p + j)) reach_error();",
    ));
}
