//! Lists whose nodes have one number, or are sorted in one direction: by one that is not, and by the other direction.

use crate::{right, wrong};

const LIST: &str = "struct n { struct n *next; int v; };
    static struct n *push(struct n *l, int v) { struct n *x = malloc(sizeof *x); x->next = l; x->v = v; return x; }
    static struct n *low(struct n *l) { int v = N; if (l && v > l->v) v = l->v; return push(l, v); }
    static struct n *high(struct n *l) { int v = N; if (l && v < l->v) v = l->v; return push(l, v); }
    static void up(struct n *l) { for (; l && l->next; l = l->next) if (l->v > l->next->v) E; }
    static void down(struct n *l) { for (; l && l->next; l = l->next) if (l->v < l->next->v) E; }
    static void level(struct n *l) { for (; l && l->next; l = l->next) if (l->v != l->next->v) E; }";

fn all(programs: &[&str], ask: fn(&[&str])) {
    for program in programs {
        ask(&[&format!(
            "{LIST} int main(void) {{ struct n *l = 0, *x; int k = N; {program} while (l) {{ x = l->next; free(l); l = x; }} }}"
        )]);
    }
}

#[test]
fn some_number_is_out_of_order() {
    let programs = [
        "while (N) { l = low(l); if (RARE) l->v = 7; } up(l);",
        "while (N) l = low(l); down(l);",
        "while (N) l = high(l); up(l);",
        "while (N) l = push(l, k); while (N) l = low(l); level(l);",
        "while (N) l = push(l, k); while (N) l = low(l); down(l);",
        "while (N) l = push(l, k); while (N) l = high(l); up(l);",
        "while (N) { l = push(l, k); if (RARE) k++; } up(l);",
        "while (N) { l = push(l, k); if (RARE && k > 0) k--; } down(l);",
        "while (N) l = low(l); while (N) l = high(l); up(l);",
        "while (N) l = push(l, k); for (x = l; x; x = x->next) if (RARE) x->v = k < 5; level(l);",
    ];
    all(&programs, wrong);
}

#[test]
fn some_number_has_another_sign() {
    let list = "struct n { struct n *next; T v; };
        static struct n *put(struct n *l, T v) {
            struct n *x = malloc(sizeof *x), **p = &l; x->v = v;
            while (*p && (C) (*p)->v < (C) v) p = &(*p)->next;
            x->next = *p; *p = x; return l;
        }
        int main(void) {
            struct n *l = 0, *x; while (N) l = put(l, N);
            for (x = l; x && x->next; x = x->next) if (x->v > x->next->v) E;
            while (l) { x = l->next; free(l); l = x; }
        }";
    for (held, compared) in [
        ("unsigned", "int"),
        ("int", "unsigned"),
        ("unsigned char", "signed char"),
        ("signed char", "unsigned char"),
        ("unsigned long", "unsigned"),
    ] {
        wrong(&[&format!("#define T {held}\n#define C {compared}\n{list}")]);
    }
}

#[test]
fn numbers_are_in_order() {
    let programs = [
        "while (N) l = push(l, k); level(l);",
        "while (N) l = low(l); up(l);",
        "while (N) l = high(l); down(l);",
        "while (N) l = push(l, k); while (N) l = low(l); up(l);",
        "while (N) l = push(l, k); while (N) l = high(l); down(l);",
    ];
    all(&programs, right);
}
