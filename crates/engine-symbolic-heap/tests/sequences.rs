//! Lists whose marks come in a regular order: in turn, in blocks, one always behind another; and
//! near-by programs that must not be proved.

mod common;

use common::{holds, is_never_proved, is_never_proved_by_summaries};

/// Marks 1 and 2 in turn, then a 3; `BUILD` gives the second mark, `WALK` is asked of it.
fn in_turn(build: &str, walk: &str, end: &str) -> String {
    format!(
        "struct item {{ int mark; struct item *next; }};
        int main(void) {{
            int flag = 1;
            struct item *head = malloc(sizeof *head), *at = head, *fresh;
            while (__VERIFIER_nondet_int()) {{
                if (flag) {{ at->mark = 1; flag = 0; }} else {{ {build} flag = 1; }}
                fresh = malloc(sizeof *fresh);
                at->next = fresh; at = fresh;
            }}
            at->mark = {end}; at->next = 0;
            flag = 1;
            for (at = head; at->mark != 3; at = at->next) {{
                if (flag) {{ flag = 0; if (at->mark != 1) reach_error(); }}
                else {{ flag = 1; {walk} }}
            }}
            while (head) {{ at = head->next; free(head); head = at; }}
            return 0;
        }}"
    )
}

#[test]
fn marks_come_in_turn() {
    holds(&in_turn("at->mark = 2;", "if (at->mark != 2) reach_error();", "3"));
}

#[test]
fn a_mark_out_of_turn_is_no_proof() {
    let build = "at->mark = __VERIFIER_nondet_int() ? 2 : 1;";
    is_never_proved_by_summaries(&in_turn(build, "if (at->mark != 2) reach_error();", "3"));
    is_never_proved(&in_turn("at->mark = 2;", "if (at->mark != 1) reach_error();", "3"));
    // Without the mark at the end the walk runs over it.
    is_never_proved(&in_turn("at->mark = 2;", "if (at->mark != 2) reach_error();", "2"));
}

/// A list that is dealt out into two by a flag, each with its own mark.
fn dealt_out(flag: &str, second: u32) -> String {
    format!(
        "struct item {{ int mark; struct item *next; }};
        int main(void) {{
            int flag = 1;
            struct item *head = malloc(sizeof *head), *at = head, *one = 0, *two = 0, *old;
            while (__VERIFIER_nondet_int()) {{
                at->mark = flag ? 1 : 2; flag = !flag;
                at->next = malloc(sizeof *at); at = at->next;
            }}
            at->mark = 3; at->next = 0; at = head; flag = 1;
            while (at->mark != 3) {{
                old = at; at = at->next;
                if (flag) {{ old->next = one; one = old; flag = 0; }}
                else {{ old->next = two; two = old; flag = {flag}; }}
            }}
            free(at);
            while (one) {{ if (one->mark != 1) reach_error(); old = one; one = one->next; free(old); }}
            while (two) {{
                if (two->mark != {second}) reach_error();
                old = two; two = two->next; free(old);
            }}
            return 0;
        }}"
    )
}

#[test]
fn a_list_in_turn_is_dealt_out() {
    holds(&dealt_out("1", 2));
}

#[test]
fn dealing_out_of_turn_is_no_proof() {
    is_never_proved_by_summaries(&dealt_out("__VERIFIER_nondet_int()", 2));
    is_never_proved(&dealt_out("1", 1));
}

/// A doubly linked list in which a red node (0) comes between black ones (1), walked both ways.
fn red_and_black(condition: &str, end: &str) -> String {
    format!(
        "struct item {{ struct item *next; struct item *previous; int colour; }};
        int main(void) {{
            struct item *head = malloc(sizeof *head), *last = head, *fresh;
            head->colour = 1; head->next = head->previous = 0;
            while (__VERIFIER_nondet_int()) {{
                fresh = malloc(sizeof *fresh);
                fresh->next = 0; fresh->previous = last; last->next = fresh; fresh->colour = 0;
                if ({condition}) fresh->colour = 1;
                last = fresh;
            }}
            if ({end}) {{
                fresh = malloc(sizeof *fresh);
                fresh->next = 0; fresh->previous = last; last->next = fresh; fresh->colour = 1;
                last = fresh;
            }}
            for (fresh = last; fresh; fresh = fresh->previous)
                if (fresh->colour == 0) {{
                    fresh = fresh->previous;
                    if (!fresh || fresh->colour != 1) reach_error();
                }}
            for (fresh = head; fresh; fresh = fresh->next)
                if (fresh->colour == 0) {{
                    fresh = fresh->next;
                    if (!fresh || fresh->colour != 1) reach_error();
                }}
            while (last) {{ fresh = last->previous; free(last); last = fresh; }}
            return 0;
        }}"
    )
}

#[test]
fn red_nodes_are_between_black_ones() {
    holds(&red_and_black("last->colour == 0 || __VERIFIER_nondet_int()", "last->colour == 0"));
}

#[test]
fn two_red_nodes_or_one_at_the_end_are_no_proof() {
    is_never_proved_by_summaries(&red_and_black("__VERIFIER_nondet_int()", "last->colour == 0"));
    is_never_proved(&red_and_black("last->colour == 0 || __VERIFIER_nondet_int()", "0"));
}

/// Three marks in turn, made at three places.
fn three(second: &str, check: &str) -> String {
    format!(
        "struct item {{ int mark; struct item *next; }};
        static struct item *push(struct item *next, int mark) {{
            struct item *fresh = malloc(sizeof *fresh);
            fresh->mark = mark; fresh->next = next;
            return fresh;
        }}
        int main(void) {{
            struct item *head = 0, *at;
            while (__VERIFIER_nondet_int()) {{
                head = push(head, 3); head = push(head, {second}); head = push(head, 1);
            }}
            at = head;
            while (at) {{
                if (at->mark != 1) reach_error();
                at = at->next;
                if (at->mark != 2) reach_error();
                at = at->next;
                if (at->mark != 3) reach_error();
                at = at->next;
            }}
            while (head) {{ at = head->next; free(head); head = at; {check} }}
            return 0;
        }}"
    )
}

#[test]
fn three_marks_come_in_turn() {
    holds(&three("2", ""));
}

#[test]
fn three_marks_out_of_turn_are_no_proof() {
    is_never_proved(&three("1 + (__VERIFIER_nondet_int() != 0)", ""));
    is_never_proved(&three("2", "if (head && head->mark == 3) reach_error();"));
}

/// Ones, then twos, in a ring behind a head with mark 0.
fn ring(first: &str) -> String {
    format!(
        "struct item {{ int mark; struct item *next; }};
        static void push(struct item *head, int mark) {{
            struct item *fresh = malloc(sizeof *fresh);
            fresh->mark = mark; fresh->next = head->next; head->next = fresh;
        }}
        int main(void) {{
            struct item *head = malloc(sizeof *head), *at;
            head->mark = 0; head->next = head;
            while (__VERIFIER_nondet_int()) push(head, 2);
            while (__VERIFIER_nondet_int()) push(head, {first});
            int seen = 1;
            for (at = head->next; at->mark != 0; at = at->next) {{
                if (at->mark < seen) reach_error();
                seen = at->mark;
            }}
            if (at != head) reach_error();
            while (head->next != head) {{ at = head->next; head->next = at->next; free(at); }}
            free(head);
            return 0;
        }}"
    )
}

#[test]
fn a_ring_has_ones_before_twos() {
    holds(&ring("1"));
}

#[test]
fn a_ring_with_a_second_head_or_any_marks_is_no_proof() {
    is_never_proved(&ring("__VERIFIER_nondet_int() ? 1 : 2"));
    is_never_proved(&ring("__VERIFIER_nondet_int() ? 1 : 0"));
}

/// Nodes with a negative number are taken out through the address of the link; the others stay.
fn filtered(bound: i32, after: &str) -> String {
    format!(
        "int main(void) {{
            struct node *head = 0, *at, **link = &head;
            while (__VERIFIER_nondet_int()) {{
                at = malloc(sizeof *at); at->value = __VERIFIER_nondet_int();
                at->next = head; head = at;
            }}
            while (*link) {{
                if ((*link)->value < {bound}) {{ at = *link; *link = at->next; free(at); {after} }}
                else link = &(*link)->next;
            }}
            for (at = head; at; at = at->next) if (at->value < 0) reach_error();
            while (head) {{ at = head->next; free(head); head = at; }}
            return 0;
        }}"
    )
}

#[test]
fn what_is_behind_the_cursor_does_not_mix_with_what_was_seen() {
    holds(&filtered(0, ""));
}

#[test]
fn a_filter_that_skips_nodes_is_no_proof() {
    is_never_proved(&filtered(-1, ""));
    is_never_proved_by_summaries(&filtered(0, "if (*link) link = &(*link)->next;"));
}

/// Each node owns a list of marks in turn.
fn nested(second: &str) -> String {
    format!(
        "struct item {{ int mark; struct item *next; }};
        struct owner {{ struct item *items; struct owner *next; long size; }};
        static void push(struct owner *owner, int mark) {{
            struct item *fresh = malloc(sizeof *fresh);
            fresh->mark = mark; fresh->next = owner->items; owner->items = fresh;
        }}
        int main(void) {{
            struct owner *head = 0, *at;
            struct item *item;
            while (__VERIFIER_nondet_int()) {{
                at = malloc(sizeof *at); at->items = 0; at->next = head; head = at;
                while (__VERIFIER_nondet_int()) {{ push(at, {second}); push(at, 1); }}
            }}
            for (at = head; at; at = at->next)
                for (item = at->items; item; item = item->next) {{
                    if (item->mark != 1) reach_error();
                    item = item->next;
                    if (!item || item->mark != 2) reach_error();
                }}
            while (head) {{
                at = head->next;
                while ((item = head->items)) {{ head->items = item->next; free(item); }}
                free(head); head = at;
            }}
            return 0;
        }}"
    )
}

#[test]
fn lists_in_turn_are_owned() {
    holds(&nested("2"));
    is_never_proved(&nested("2 - (__VERIFIER_nondet_int() == 7)"));
}
