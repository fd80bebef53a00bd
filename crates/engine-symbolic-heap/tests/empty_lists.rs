//! Many lists alive at one time, each of which may be empty.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

const LISTS: usize = 8;

/// Lists `l0` to `l7` of any lengths, each of nodes with its number; `rest` is what happens to them before they are freed.
fn program(rest: &str) -> String {
    let all = |text: &dyn Fn(usize) -> String| (0..LISTS).map(text).collect::<String>();
    let begin = all(&|i| format!("struct node *l{i} = 0;\n"));
    let fill = all(&|i| {
        format!(
            "while (__VERIFIER_nondet_int()) {{
                t = malloc(sizeof *t); t->next = l{i}; t->value = {i}; l{i} = t; }}\n"
        )
    });
    let empty = all(&|i| format!("while (l{i}) {{ t = l{i}->next; free(l{i}); l{i} = t; }}\n"));
    format!(
        "#define assert(c) do {{ if (!(c)) reach_error(); }} while (0)
        static int is_empty(struct node *list) {{ return list == 0; }}
        static struct node *second(struct node *list) {{ return list ? list->next : 0; }}
        int main(void) {{ struct node *t; {begin} {fill} {rest} {empty} return 0; }}"
    )
}

fn proved(rest: &str) {
    summaries_prove(&program(rest));
}

fn not_proved(rest: &str) {
    is_never_proved_by_summaries(&program(rest));
}

#[test]
fn lists_are_freed_whichever_are_empty() {
    proved("");
    not_proved("l3 = 0;");
    not_proved("if (l3) l3 = l3->next;");
    not_proved("free(l3);");
    not_proved("if (l2 && l5) l2 = l5;");
}

#[test]
fn a_list_that_may_be_empty_has_no_first_node() {
    proved("if (l4) assert(l4->value == 4);");
    not_proved("assert(l4->value == 4);");
    not_proved("if (l4) assert(l5->value == 5);");
    not_proved("l4->value = 4;");
    not_proved("if (l4) assert(l4->next->value == 4);");
}

#[test]
fn two_empty_lists_are_both_null() {
    proved("if (l1 && l2) assert(l1 != l2);");
    not_proved("assert(l1 != l2);");
    not_proved("if (l1 == l2) reach_error();");
    not_proved("assert((long)l1 - (long)l2 != 0);");
    not_proved("assert(!(l1 <= l2) || l1 < l2);");
    proved("assert(l1 != l2 || !l1);");
    proved("if (l1 == l2) assert(!l2);");
}

#[test]
fn whether_a_list_is_empty_is_known_by_other_ways_too() {
    not_proved("long all = 0; all |= (long)l1; all |= (long)l6; assert(all);");
    not_proved("int bit = !l6; assert(bit == 0);");
    not_proved("int bit = l6 ? 1 : 0; assert(bit);");
    not_proved(
        "char bytes[8]; *(struct node **)bytes = l6; assert(bytes[0] || bytes[1] || bytes[2] || bytes[3] || bytes[4] || bytes[5]);",
    );
    not_proved(
        "union { struct node *p; int half[2]; } u; u.p = l6; assert(u.half[0] | u.half[1]);",
    );
    proved("int bit = l6 ? 1 : 0; if (bit) assert(l6->value == 6);");
    proved("struct node *copy = l6; if (!copy) assert(!l6); else assert(l6 == copy);");
    not_proved("struct node *copy = l6; l6 = 0; if (copy) assert(!copy->next); l6 = copy;");
    not_proved("struct node *copy = l6; if (l7) copy = 0; assert(copy == l6);");
}

#[test]
fn functions_find_out_whether_a_list_is_empty() {
    proved("if (!is_empty(l0)) assert(l0->value == 0);");
    not_proved("if (is_empty(l0)) assert(l0->value == 0);");
    not_proved("assert(!is_empty(l0));");
    proved("t = second(l0); if (t) assert(t->value == 0);");
    not_proved("t = second(l0); assert(t->value == 0);");
    not_proved("t = second(l0); if (t) free(t);");
}

#[test]
fn one_list_is_put_before_another() {
    let append = "if (!l1) l1 = l2; else { t = l1; while (t->next) t = t->next; t->next = l2; }";
    proved(&format!(
        "{append} l2 = 0; for (t = l1; t; t = t->next) assert(t->value == 1 || t->value == 2);"
    ));
    not_proved(append);
    not_proved(&format!("{append} l2 = 0; for (t = l1; t; t = t->next) assert(t->value == 1);"));
}

/// An array of lists, one of which gets a node each time.
fn buckets(rest: &str) -> String {
    format!(
        "extern unsigned __VERIFIER_nondet_uint(void);
        #define assert(c) do {{ if (!(c)) reach_error(); }} while (0)
        int main(void) {{
            struct node *all[8] = {{ 0 }}, *t;
            while (__VERIFIER_nondet_int()) {{
                unsigned k = __VERIFIER_nondet_uint();
                t = malloc(sizeof *t); t->value = (int)(k % 8); t->next = all[k % 8]; all[k % 8] = t;
            }}
            {rest} return 0; }}"
    )
}

#[test]
fn arrays_of_lists_are_freed_list_by_list() {
    let free = |from: &str, to: &str| {
        buckets(&format!(
            "for (int i = {from}; i < {to}; i++) while (all[i]) {{ t = all[i]->next; free(all[i]); all[i] = t; }}"
        ))
    };
    summaries_prove(&free("0", "8"));
    is_never_proved_by_summaries(&free("0", "7"));
    is_never_proved_by_summaries(&free("1", "8"));
    let seen = "for (int i = 0; i < 8; i++) assert(!all[i] || all[i]->value == 3);";
    is_never_proved_by_summaries(&buckets(&format!(
        "{seen} for (int i = 0; i < 8; i++) while (all[i]) {{ t = all[i]->next; free(all[i]); all[i] = t; }}"
    )));
}
