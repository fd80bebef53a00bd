//! Lists that are copied, and then are not the same: a number that is cut, swapped or changed on the way, one node too many.

use crate::{right, wrong};

/// A list, a copy of which each node is set by some statements, and a comparison of both.
fn all(programs: &[(&str, &str)], ask: fn(&[&str])) {
    for (copied, then) in programs {
        ask(&[&format!(
            "typedef struct n {{ struct n *x; int v, w; }} n;
             static void clear(n *h) {{ while (h) {{ n *y = h->x; free(h); h = y; }} }}
             int main(void) {{ n *h = 0, *c = 0, **t = &c; while (N) {{ n *y = malloc(sizeof *y); y->v = N; y->w = N; y->x = h; h = y; }}
             for (n *p = h; p; p = p->x) {{ n *y = malloc(sizeof *y); y->v = p->v; y->w = p->w; {copied} y->x = 0; *t = y; t = &y->x; }}
             n *a = h, *b = c; {then} while (a && b) {{ if (a->v != b->v || a->w != b->w) E; a = a->x; b = b->x; }} if (a || b) E;
             clear(h); clear(c); return 0; }}"
        )]);
    }
}

#[test]
fn copies_are_not_the_same() {
    all(
        &[
            // The number fits most of the time.
            ("y->v = (short)p->v;", ""),
            // One half of the number comes to the place of the other.
            ("*((short *)&y->v + (N & 1)) = *(short *)&p->v;", ""),
            // Two numbers of one node change places.
            ("if (RARE) { y->v = p->w; y->w = p->v; }", ""),
            // The first node changes when a later one is copied.
            ("if (RARE) h->v++;", ""),
            // The copy has one node more, with the number of the first.
            (
                "",
                "if (RARE && c) { n *y = malloc(sizeof *y); y->v = c->v; y->w = c->w; y->x = c; b = c = y; }",
            ),
            // They are compared from different nodes on.
            ("", "if (a && RARE) a = a->x;"),
        ],
        wrong,
    );
}

#[test]
fn copies_are_the_same() {
    all(&[("", ""), ("if (RARE) y->v = y->v;", "a = h;")], right);
}
