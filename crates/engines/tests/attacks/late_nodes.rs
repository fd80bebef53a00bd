//! What all nodes keep but one that comes late: each of these programs goes right for as many rounds as are usually tried.

use crate::{right, wrong};

const LIST: &str = "typedef struct n { struct n *x, *p; unsigned char k; int *d; } n;
    static void clear(n *h) { while (h) { n *y = h->x; free(h); h = y; } }";

fn all(programs: &[&str], ask: fn(&[&str])) {
    for program in programs {
        ask(&[&format!("{LIST} {program}")]);
    }
}

#[test]
fn one_node_far_down_is_not_like_the_others() {
    all(
        &[
            // The back pointer of the 200th node is missing.
            "int main(void) { n *h = 0; unsigned char c = 0; while (N) { n *y = malloc(sizeof *y); y->x = h; y->p = 0; if (h && ++c != 200) h->p = y; h = y; }
             for (n *q = h; q; q = q->x) if (q->x && q->x->p != q) E; clear(h); return 0; }",
            // The 50th node shares what the one before it owns.
            "int main(void) { n *h = 0; unsigned char c = 0; int *last = 0; while (N) { n *y = malloc(sizeof *y); y->x = h; if (++c == 50 && last) y->d = last; else y->d = last = malloc(4); h = y; }
             while (h) { n *y = h->x; free(h->d); free(h); h = y; } return 0; }",
            // The last node is forgotten once, so that the next one is not linked to it.
            "int main(void) { n *h = 0, *t = 0; unsigned char c = 0; while (N) { n *y = malloc(sizeof *y); y->x = 0; if (t) t->x = y; else h = y; if (++c != 77) t = y; } clear(h); return 0; }",
            // One node in 256 is linked to itself.
            "int main(void) { n *h = malloc(sizeof *h), *q; h->x = h; unsigned char c = 0; while (N) { n *y = malloc(sizeof *y); y->x = h->x; h->x = y; if (++c == 0) y->x = y; }
             q = h->x; while (q != h) { n *y = q->x; free(q); q = y; } free(h); return 0; }",
            // A call that returns to the 90th one cuts off what is behind it.
            "static unsigned char c; static n *make(void) { if (!N) return 0; n *y = malloc(sizeof *y); y->x = make(); if (++c == 90) y->x = 0; return y; }
             int main(void) { clear(make()); return 0; }",
        ],
        wrong,
    );
}

#[test]
fn narrow_counters_come_round() {
    all(
        &[
            // As many nodes are freed as the counter says.
            "int main(void) { n *h = 0; unsigned char c = 0; while (N) { n *y = malloc(sizeof *y); y->x = h; h = y; c++; } while (c--) { n *y = h->x; free(h); h = y; } return 0; }",
            // A list that is not empty has a counter that is not zero.
            "int main(void) { n *h = 0; unsigned char s = 0; int any = 0; while (N) { n *y = malloc(sizeof *y); y->x = h; h = y; s += 1; any = 1; } if (any && s == 0) E; clear(h); return 0; }",
            // Keys that a counter gives are different.
            "int main(void) { n *h = 0, *p; unsigned char c = 0, k = __VERIFIER_nondet_uchar(); while (N) { n *y = malloc(sizeof *y); y->k = c++; y->x = h; h = y; }
             for (p = h; p && p->k != k; p = p->x) {} if (p) for (p = p->x; p; p = p->x) if (p->k == k) E; clear(h); return 0; }",
            // Each key is below the one before it.
            "int main(void) { n *h = 0; unsigned char k = 0; while (N) { n *y = malloc(sizeof *y); y->x = h; y->k = k++; h = y; } for (n *q = h; q && q->x; q = q->x) if (q->k <= q->x->k) E; clear(h); return 0; }",
            // The result of a recursive walk is narrower than the length.
            "static unsigned char few(n *l) { return l ? 1 + few(l->x) : 0; }
             int main(void) { n *h = 0; unsigned c = 0; while (N) { n *y = malloc(sizeof *y); y->x = h; h = y; c++; } if (few(h) != c) E; clear(h); return 0; }",
            // Elements behind the 256th are never written.
            "int main(void) { int m = N; if (m <= 0 || m > 1000) return 0; int *a = malloc(m * sizeof *a); unsigned char i = 0; for (int k = 0; k < m; k++, i++) a[i] = 7; for (int k = 0; k < m; k++) if (a[k] != 7) E; free(a); return 0; }",
        ],
        wrong,
    );
}

#[test]
fn all_nodes_are_alike() {
    all(
        &[
            "int main(void) { n *h = 0; while (N) { n *y = malloc(sizeof *y); y->x = h; y->p = 0; if (h) h->p = y; h = y; }
             for (n *q = h; q; q = q->x) if (q->x && q->x->p != q) E; clear(h); return 0; }",
            "static n *make(void) { if (!N) return 0; n *y = malloc(sizeof *y); y->x = make(); return y; }
             int main(void) { clear(make()); return 0; }",
        ],
        right,
    );
}
