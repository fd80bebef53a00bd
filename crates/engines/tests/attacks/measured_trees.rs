//! Trees that are counted and measured: off by one in a count, one side too high far below, a measure in a node that is not the right one.

use crate::{right, wrong};

const TREE: &str = "typedef struct t { struct t *l, *r; int h; } t;
    static void destroy(t *x) { if (x) { destroy(x->l); destroy(x->r); free(x); } }
    static unsigned long size(t *x) { return x ? 1 + size(x->l) + size(x->r) : 0; }
    static unsigned long height(t *x) { if (!x) return 0; unsigned long a = height(x->l), b = height(x->r); return 1 + (a > b ? a : b); }
    static int h(t *x) { return x ? x->h : 0; }
    static int most(int a, int b) { return a > b ? a : b; }
    static void check(t *x) { if (x) { int d = h(x->l) - h(x->r); if (d < -1 || d > 1) E; check(x->l); check(x->r); } }
    static t *grow(void) { if (!N) return 0; t *x = malloc(sizeof *x); x->l = grow(); x->r = grow(); x->h = 1 + most(h(x->l), h(x->r)); return x; }";

fn all(programs: &[&str], ask: fn(&[&str])) {
    for program in programs {
        ask(&[&format!("{TREE} {program}")]);
    }
}

#[test]
fn counts_are_off_by_one() {
    all(
        &[
            "int main(void) { t *x = grow(); if (size(x) < height(x) + 1) E; destroy(x); return 0; }",
            "int main(void) { t *x = grow(); if (x && size(x) == height(x)) E; destroy(x); return 0; }",
            "int main(void) { t *x = grow(); if (size(x) >= 3 && height(x) >= size(x)) E; destroy(x); return 0; }",
            "static t *copy(t *x) { if (!x || RARE) return 0; t *y = malloc(sizeof *y); *y = *x; y->l = copy(x->l); y->r = copy(x->r); return y; }
             int main(void) { t *x = grow(), *y = copy(x); if (size(x) != size(y)) E; destroy(x); destroy(y); return 0; }",
            "static unsigned long made; static t *make(void) { if (!N) return 0; t *x = malloc(sizeof *x); if (!RARE) made++; x->h = 1; x->l = make(); x->r = make(); return x; }
             int main(void) { t *x = make(); if (size(x) != made) E; destroy(x); return 0; }",
            "static unsigned char few(t *x) { return x ? 1 + few(x->l) + few(x->r) : 0; }
             int main(void) { t *x = grow(); if (x && !few(x)) E; destroy(x); return 0; }",
        ],
        wrong,
    );
}

#[test]
fn sides_are_too_high() {
    all(
        &[
            "int main(void) { t *x = grow(); check(x); destroy(x); return 0; }",
            "static t *full(int d) { if (d <= 0) return 0; t *x = malloc(sizeof *x); x->l = full(d - 1); x->r = full(RARE ? d - 3 : d - 1); x->h = d; return x; }
             int main(void) { int d = N; t *x; if (d > 9) d = 9; x = full(d); check(x); destroy(x); return 0; }",
            "static t *full(int d) { if (d <= 0) return 0; t *x = malloc(sizeof *x); x->l = full(d - 1); x->r = full(d - 1); x->h = d; return x; }
             int main(void) { int d = N; t *x; if (d > 9) d = 9; x = full(d); if (x && x->l && x->l->r) { destroy(x->l->r); x->l->r = 0; } if (x && height(x->l) != height(x->r)) E; check(x); destroy(x); return 0; }",
        ],
        wrong,
    );
}

#[test]
fn measures_in_nodes_are_wrong() {
    all(
        &[
            "static void spoil(t *x) { if (!x) return; if (RARE) x->h = x->h + 1; spoil(x->l); spoil(x->r); }
             int main(void) { t *x = grow(); spoil(x); if (x && (unsigned long)x->h != height(x)) E; destroy(x); return 0; }",
            "int main(void) { t *x = grow(); if (x) { t *y = malloc(sizeof *y); y->l = x; y->r = 0; y->h = x->h; x = y; } if (x && (unsigned long)x->h != height(x)) E; destroy(x); return 0; }",
            "int main(void) { t *x = grow(), *y; if (x && x->l && !x->r) { y = x->l; x->l = y->r; y->r = x; x->h = 1; x = y; } if (x && (unsigned long)x->h != height(x)) E; destroy(x); return 0; }",
        ],
        wrong,
    );
}

#[test]
fn trees_are_measured_rightly() {
    all(
        &[
            "int main(void) { t *x = grow(); if (size(x) < height(x)) E; destroy(x); return 0; }",
            "int main(void) { t *x = grow(); if (x && h(x->l) >= x->h) E; destroy(x); return 0; }",
            "static t *full(int d) { if (d <= 0) return 0; t *x = malloc(sizeof *x); x->l = full(d - 1); x->r = full(d - 1); x->h = d; return x; }
             int main(void) { int d = N; t *x; if (d > 9) d = 9; x = full(d); check(x); if (x && height(x->l) != height(x->r)) E; destroy(x); return 0; }",
        ],
        right,
    );
}
