//! Nodes that are as long as each needs: one too short, one that tells a wrong length, sizes that wrap.

use crate::{right, wrong};

const LIST: &str = "struct n { struct n *next; unsigned length; unsigned char more[]; };
    static struct n *make(struct n *l, unsigned k) { struct n *x = malloc(sizeof *x + k); x->next = l; x->length = k; return x; }
    static struct n *pop(struct n *l) { struct n *n = l->next; free(l); return n; }";

fn all(programs: &[&str], ask: fn(&[&str])) {
    for program in programs {
        ask(&[&format!(
            "{LIST} int main(void) {{ struct n *l = 0, *x; {program} while (l) l = pop(l); }}"
        )]);
    }
}

#[test]
fn some_node_is_too_short() {
    let programs = [
        "while (N) l = make(l, __VERIFIER_nondet_uint() % 99); for (x = l; x; x = x->next) x->more[x->length + 4] = 1;",
        "while (N) { l = make(l, __VERIFIER_nondet_uint() % 99); if (RARE) l->length += 5; }
         for (x = l; x; x = x->next) if (x->length) x->more[x->length - 1 + 4] = 1;",
        "while (N) l = make(l, N == 77 ? 3 : 8); for (x = l; x; x = x->next) x->more[8] = 1;",
        "while (N) { l = make(l, __VERIFIER_nondet_uint() % 99); l->length = 40; } for (x = l; x; x = x->next) x->more[x->length] = 1;",
        "unsigned k = __VERIFIER_nondet_uint() % 50; while (N) { l = make(l, k); if (RARE) k--; }
         for (x = l; x; x = x->next) x->more[k + 4] = 1;",
        // The first that was made is shorter than all others.
        "l = make(l, 1); while (N) l = make(l, 9 + __VERIFIER_nondet_uint() % 9); for (x = l; x; x = x->next) x->more[9] = 1;",
    ];
    all(&programs, wrong);
}

#[test]
fn sizes_wrap() {
    let programs = [
        "while (N) { unsigned k = __VERIFIER_nondet_uint(); x = malloc((unsigned)sizeof *x + k); x->next = l; l = x; }",
        "while (N) { unsigned char k = __VERIFIER_nondet_uchar() + 8; x = malloc(k); x->next = l; l = x; }",
    ];
    all(&programs, wrong);
}

#[test]
fn nodes_as_long_as_they_say() {
    let programs = [
        "while (N) l = make(l, __VERIFIER_nondet_uint() % 99); for (x = l; x; x = x->next) if (x->length) x->more[x->length - 1] = 1;",
        "l = make(l, 1); while (N) l = make(l, 9 + __VERIFIER_nondet_uint() % 9); for (x = l; x; x = x->next) x->more[4] = 1;",
    ];
    all(&programs, right);
}

/// Nodes with a link and as many bytes as they need right behind it.
fn all_behind_links(writes: &[&str], ask: fn(&[&str])) {
    for write in writes {
        ask(&[&format!(
            "struct b {{ struct b *next; unsigned char bytes[]; }};
             int main(void) {{ struct b *l = 0, *x;
               while (N) {{ size_t n = __VERIFIER_nondet_uint(); if (n > 100000) continue;
                 x = malloc(sizeof *x + n); x->next = l; l = x; {write} }}
               while (l) {{ x = l->next; free(l); l = x; }} }}"
        )]);
    }
}

#[test]
fn a_byte_before_the_first_is_one_of_the_link() {
    let writes = [
        "x->bytes[n - 1] = 1;",
        "if (n != 1) x->bytes[n - 2] = 1;",
        "if (n) x->bytes[(long)n - 2] = 1;",
        "if (n) x->bytes[n] = 1;",
        "if (n || RARE) x->bytes[n - 1] = 1;",
        "if (n > 3) *(int *)(x->bytes + n - 5) = 1;",
    ];
    all_behind_links(&writes, wrong);
}

#[test]
fn bytes_behind_the_link() {
    let writes = [
        "if (n) x->bytes[n - 1] = 1;",
        "if (n > 1) { x->bytes[0] = 1; x->bytes[n - 2] = 1; }",
        "if (n) { size_t i = __VERIFIER_nondet_uint(); if (i > 0 && i <= n) x->bytes[i - 1] = 1; }",
    ];
    all_behind_links(&writes, right);
}
