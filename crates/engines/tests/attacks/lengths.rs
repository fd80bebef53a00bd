//! Lengths of lists and counters: off by one, and what wraps.

use crate::{right, wrong};

const LIST: &str = "struct n { struct n *next; int v; };
    static struct n *push(struct n *l) { struct n *x = malloc(sizeof *x); x->next = l; return x; }
    static struct n *pop(struct n *l) { struct n *n = l->next; free(l); return n; }";

fn all(programs: &[&str], ask: fn(&[&str])) {
    for program in programs {
        ask(&[&format!("{LIST} int main(void) {{ {program} }}")]);
    }
}

#[test]
fn counts_are_wrong_by_one() {
    let programs = [
        "int n = N, i; struct n *l = 0; for (i = 0; i < n; i++) l = push(l);
         for (i = 0; i <= n; i++) l = pop(l);",
        "int n = N, i; struct n *l = 0; for (i = 0; i < n; i++) l = push(l);
         for (i = 1; i < n; i++) l = pop(l);",
        "int k = 0; struct n *l = push(0); while (N) { l = push(l); k++; } while (k >= 0) { l = pop(l); k--; } if (!RARE) return 0; l = pop(l);",
        "struct n *a = 0, *b = 0; while (N) { a = push(a); if (!RARE) b = push(b); }
         while (a) { a = pop(a); b = pop(b); }",
        "struct n *a = 0; unsigned long k = 0; while (N) { a = push(a); k++; } if (k > 3) k++;
         while (k--) a = pop(a);",
    ];
    all(&programs, wrong);
}

#[test]
fn counters_wrap() {
    let programs = [
        "unsigned char k = 0; struct n *l = 0; while (N) { l = push(l); k++; } while (k--) l = pop(l);",
        "signed char k = 0; struct n *l = 0; while (N) { l = push(l); k++; } while (k > 0) { l = pop(l); k--; }
         while (k < 0) { k++; l = pop(l); }",
        "unsigned char k = 0; struct n *l = 0; while (N) { l = push(l); k++; } if (k == 0 && l) E;
         while (l) l = pop(l);",
        "unsigned k = 0; struct n *l = 0; while (N) { l = push(l); k += 0x10000000; } if (k == 0 && l) E;
         while (l) l = pop(l);",
    ];
    all(&programs, wrong);
}

#[test]
fn right_counts_are_not_refuted() {
    let programs = [
        "int n = N, i; struct n *l = 0; for (i = 0; i < n; i++) l = push(l);
         for (i = 0; i < n; i++) l = pop(l);",
        "unsigned char k = 0; struct n *l = 0; while (N && k < 255) { l = push(l); k++; } while (k--) l = pop(l);",
        "unsigned k = 0; struct n *l = 0; while (N) { l = push(l); k++; } if (k != 0 && !l) E;
         while (l) l = pop(l);",
    ];
    all(&programs, right);
}
