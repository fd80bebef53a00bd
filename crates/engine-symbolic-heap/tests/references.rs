//! What keeps a block reachable: a whole word that is an address in it or one past its end, and
//! nothing else that was computed from its address.

mod common;

use common::{holds, is_never_proved, is_never_proved_by_summaries, summaries_prove};

/// A block whose only pointer is overwritten for one rare input, after a statement that leaves
/// something of its address in a global.
fn program(globals: &str, statement: &str) -> String {
    format!(
        "typedef unsigned long word;
        extern void *memcpy(void *, const void *, size_t); extern void *memset(void *, int, size_t);
        {globals}
        int main(void) {{
            char *p = malloc(4), *q = malloc(4);
            if (__VERIFIER_nondet_int() == 987654321) {{ {statement} p = 0; }}
            free(p); free(q);
            return 0;
        }}"
    )
}

fn none_keeps_it(cases: &[(&str, &str)]) {
    for (globals, statement) in cases {
        let program = program(globals, statement);
        is_never_proved(&program);
        is_never_proved_by_summaries(&program);
    }
}

/// The same with a pointer that is never freed, but kept.
fn each_keeps_it(cases: &[(&str, &str)]) {
    for (globals, statement) in cases {
        let program = program(globals, statement).replace("free(p);", "if (p) free(p);");
        holds(&program);
        summaries_prove(&program);
    }
}

#[test]
fn a_part_of_an_address_keeps_nothing() {
    none_keeps_it(&[
        ("unsigned char g;", "g = *(unsigned char *)&p;"),
        ("unsigned g;", "memcpy(&g, &p, 4);"),
        ("word g;", "g = (unsigned)(word)p;"),
        ("word g;", "g = (word)p >> 4;"),
        ("int g;", "g = (word)p & 1;"),
        ("struct { word v : 40; } g;", "g.v = (word)p;"),
    ]);
}

#[test]
fn arithmetic_on_an_address_keeps_nothing() {
    none_keeps_it(&[
        ("word g;", "g = (word)p ^ 0x5555555555555555ul;"),
        ("word g;", "g = (word)p ^ (word)q;"),
        ("word g;", "g = ~(word)p;"),
        ("word g;", "g = -(word)p;"),
        ("word g;", "g = (word)p * 2;"),
        ("word g;", "g = (word)p << 32 | (word)p >> 32;"),
        ("long g;", "g = (long)p - (long)q;"),
        ("long g;", "g = (p + 2) - p;"),
        ("int t[16];", "t[3] = (int)((word)p * 2654435761u >> 5);"),
        ("float g;", "g = (float)(word)p;"),
    ]);
}

#[test]
fn a_comparison_of_an_address_keeps_nothing() {
    none_keeps_it(&[
        ("int g;", "g = p < q;"),
        ("int g;", "g = p == q;"),
        ("int g;", "g = p != 0;"),
        ("_Bool g;", "g = ((word)p & 7) == 0;"),
    ]);
}

#[test]
fn an_address_outside_of_the_block_keeps_nothing() {
    none_keeps_it(&[
        ("char *g;", "g = (char *)((word)p - 1);"),
        ("char *g;", "g = (char *)((word)p + 5);"),
        ("char *g;", "int i = __VERIFIER_nondet_int(); g = p + i;"),
        ("char *g;", "g = p; ((unsigned char *)&g)[5] ^= 0xff;"),
        ("char *g;", "g = p; memset(&g, 0, 4);"),
    ]);
}

#[test]
fn what_an_address_has_decided_keeps_nothing() {
    none_keeps_it(&[
        ("char *g;", "g = malloc(((word)p & 1) + 1);"),
        ("char t[32]; char *g;", "g = t + ((word)p & 31);"),
        ("int g;", "if ((word)p & 64) g = 1;"),
    ]);
}

#[test]
fn an_address_in_what_is_gone_keeps_nothing() {
    none_keeps_it(&[
        ("", "{ char *own[2]; own[1] = p; char **h = own; if (!h[1]) return 1; }"),
        ("static void keep(char *p) { char *own[2]; char **h = own; h[0] = p; }", "keep(p);"),
        ("", "char **box = malloc(sizeof *box); *box = p; free(box);"),
    ]);
    is_never_proved(
        "int main(void) {
            struct node *p = malloc(sizeof *p), *q = malloc(sizeof *q);
            p->next = q; q->next = p;
            if (__VERIFIER_nondet_int() == 987654321) p = q = 0;
            free(p); free(q);
            return 0;
        }",
    );
}

#[test]
fn a_whole_address_keeps_its_block_wherever_it_is() {
    each_keeps_it(&[
        ("char *g;", "g = p;"),
        ("char *g;", "g = p + 2;"),
        ("char *g;", "g = p + 4;"),
        ("word g;", "g = (word)p;"),
        ("union { char *p; word w; } g;", "g.w = (word)p;"),
        ("unsigned char g[11];", "memcpy(g + 3, &p, 8);"),
        ("struct __attribute__((packed)) { char c; char *p; } g;", "g.p = p;"),
        ("unsigned __int128 g;", "g = (word)p;"),
        ("char *g;", "unsigned i = __VERIFIER_nondet_int(); if (i > 4) i = 3; g = p + i;"),
    ]);
}

#[test]
fn a_tag_within_the_block_keeps_it() {
    each_keeps_it(&[
        ("word g;", "g = (word)p | 1;"),
        ("char *g;", "word tagged = (word)p | 1; g = (char *)(tagged & ~1ul);"),
        ("unsigned g[2];", "g[0] = (unsigned)(word)p; g[1] = (unsigned)((word)p >> 32);"),
    ]);
}

#[test]
fn hashes_in_the_nodes_of_a_list_keep_nothing() {
    let list = |lose: &str| {
        format!(
            "struct hashed {{ struct hashed *next; unsigned hash; }};
            struct hashed *list;
            int main(void) {{
                while (__VERIFIER_nondet_int()) {{
                    char *mine = malloc(4);
                    struct hashed *fresh = malloc(sizeof *fresh);
                    fresh->hash = (unsigned)(unsigned long)mine * 31;
                    fresh->next = list; list = fresh;
                    {lose}
                }}
                return 0;
            }}"
        )
    };
    summaries_prove(&list("free(mine);"));
    is_never_proved_by_summaries(&list("mine = 0;"));
    is_never_proved_by_summaries(&list("if (__VERIFIER_nondet_int() != 987654321) free(mine);"));
}

#[test]
fn a_block_that_only_some_nodes_may_hold_is_not_kept() {
    let list = |held: &str| {
        format!(
            "struct holder {{ struct holder *next; char *shared; int kind; }};
            struct holder *list;
            int main(void) {{
                char *shared = malloc(4);
                list = malloc(sizeof *list);
                list->next = 0; list->kind = 0; list->shared = {held};
                while (__VERIFIER_nondet_int()) {{
                    struct holder *fresh = malloc(sizeof *fresh);
                    fresh->kind = __VERIFIER_nondet_int() ? 1 : 2;
                    fresh->shared = {held};
                    fresh->next = list; list = fresh;
                }}
                shared = 0;
                while (__VERIFIER_nondet_int()) {{}}
                return 0;
            }}"
        )
    };
    summaries_prove(&list("shared"));
    is_never_proved_by_summaries(&list("__VERIFIER_nondet_int() ? shared : 0"));
    is_never_proved_by_summaries(&list("(char *)((unsigned long)shared & 15)"));
}

#[test]
fn what_a_caller_knows_of_an_address_does_not_hide_a_leak_in_a_call() {
    let program = |known: &str, lose: &str| {
        format!(
            "extern void exit(int);
            struct node *global;
            static void call(int depth) {{
                if (__VERIFIER_nondet_int() == 987654321) {{ {lose} }}
                if (depth > 0) call(depth - 1);
            }}
            int main(void) {{
                global = malloc(sizeof *global); global->next = 0;
                unsigned long known = {known};
                call(__VERIFIER_nondet_int());
                free(global);
                return known == 7;
            }}"
        )
    };
    summaries_prove(&program("3", "exit(1);"));
    is_never_proved_by_summaries(&program("3", "global = 0; exit(1);"));
    is_never_proved_by_summaries(&program("(unsigned long)global >> 4", "global = 0; exit(1);"));
    is_never_proved_by_summaries(&program("(unsigned long)global >> 4", "global = 0; for (;;) {}"));
    is_never_proved_by_summaries(&program("(unsigned long)global >> 4", "global = 0;"));
}
