//! Lists of three levels: each node of an upper level leads over nodes of the levels below. What must
//! be proved, and traps that must not be.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

/// A skip list with a head and a tail; new nodes come behind a node of the highest level.
fn skip_list(insert: &str, last: &str) -> String {
    format!(
        "struct tower {{ struct tower *low, *middle, *high; }};
        int main(void) {{
            struct tower *head = malloc(sizeof *head), *tail = malloc(sizeof *tail), *at;
            head->low = head->middle = head->high = tail;
            tail->low = tail->middle = tail->high = 0;
            while (__VERIFIER_nondet_int()) {{
                struct tower *fresh = malloc(sizeof *fresh);
                at = head;
                while (at->high != tail && __VERIFIER_nondet_int()) at = at->high;
                {insert}
            }}
            {last}
            return 0;
        }}"
    )
}

const INSERT: &str = "
    fresh->low = at->low; at->low = fresh;
    if (__VERIFIER_nondet_int()) {
        fresh->middle = at->middle; at->middle = fresh;
        if (__VERIFIER_nondet_int()) { fresh->high = at->high; at->high = fresh; }
    }";

const FREE: &str = "while (head) { at = head; head = head->low; free(at); }";

#[test]
fn a_skip_list_of_three_levels_is_built_and_freed() {
    summaries_prove(&skip_list(INSERT, FREE));
}

#[test]
fn its_highest_level_is_walked() {
    let walk = "for (at = head; at != tail; at = at->high) {}";
    summaries_prove(&skip_list(INSERT, &format!("{walk} {FREE}")));
}

#[test]
fn its_middle_level_is_walked() {
    let walk = "for (at = head; at != tail; at = at->middle) {}";
    summaries_prove(&skip_list(INSERT, &format!("{walk} {FREE}")));
}

#[test]
fn nodes_below_have_no_link_of_the_highest_level() {
    let walk = "at = head->middle; while (at != tail) at = at->high;";
    is_never_proved_by_summaries(&skip_list(INSERT, &format!("{walk} {FREE}")));
    let walk = "at = head->low; while (at != tail) at = at->middle;";
    is_never_proved_by_summaries(&skip_list(INSERT, &format!("{walk} {FREE}")));
}

#[test]
fn freeing_it_by_an_upper_level_loses_nodes() {
    for level in ["middle", "high"] {
        let free = format!("while (head) {{ at = head; head = head->{level}; free(at); }}");
        is_never_proved_by_summaries(&skip_list(INSERT, &free));
    }
}

#[test]
fn a_node_that_is_only_in_an_upper_level_is_lost() {
    let insert = "
        fresh->low = at->low;
        if (__VERIFIER_nondet_int()) { fresh->middle = at->middle; at->middle = fresh; }
        else at->low = fresh;";
    is_never_proved_by_summaries(&skip_list(insert, FREE));
}

#[test]
fn the_end_of_a_level_is_not_walked_over() {
    let walk = "at = head; while (at->high) at = at->middle; at->middle->low = 0;";
    is_never_proved_by_summaries(&skip_list(INSERT, &format!("{walk} {FREE}")));
}
