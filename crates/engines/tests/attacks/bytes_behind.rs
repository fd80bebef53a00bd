//! Bytes behind a link: writes that come one byte too far forward or back, and lengths that are not those of the block.

use crate::{right, wrong};

const PACKET: &str = "typedef struct p { struct p *x; unsigned char b[]; } p;
    static void clear(p *q) { while (q) { p *y = q->x; free(q); q = y; } }";

fn all(programs: &[&str], ask: fn(&[&str])) {
    for program in programs {
        ask(&[&format!("{PACKET} {program}")]);
    }
}

#[test]
fn writes_reach_the_link_or_the_end() {
    all(
        &[
            // The byte before the first is one of the link, for a length of zero.
            "int main(void) { p *q = 0; while (N) { size_t n = __VERIFIER_nondet_uint(); if (n > 65536) continue; p *y = malloc(sizeof *y + n); y->x = q; y->b[n - 1] = 1; q = y; } clear(q); return 0; }",
            // The place is looked at from above only.
            "int main(void) { p *q = 0; while (N) { int n = N, i = N; if (n < 1 || n > 65536) continue; p *y = malloc(sizeof *y + n); y->x = q; if (i < n && i >= -8) y->b[i] = 1; q = y; } clear(q); return 0; }",
            // One more byte is set, for one length.
            "int main(void) { p *q = 0; while (N) { size_t n = __VERIFIER_nondet_uint(); if (n < 1 || n > 65536) continue; p *y = malloc(sizeof *y + n); y->x = q; memset(y->b + n - 1, 0, 1 + (n == 777)); q = y; } clear(q); return 0; }",
            // The last byte of the link is the first of a place that is counted from the start of the node.
            "int main(void) { p *q = 0; while (N) { unsigned n = __VERIFIER_nondet_uint() % 64, i = __VERIFIER_nondet_uint() % 80; char *m = malloc(sizeof(p) + n); p *y = (p *)m; y->x = q; if (i >= 7 && i < sizeof(p) + n) m[i] = 1; q = y; } clear(q); return 0; }",
        ],
        wrong,
    );
}

#[test]
fn lengths_in_nodes_are_not_those_of_their_blocks() {
    wrong(&[
        // A second link behind the bytes that are written to.
        "typedef struct p { struct p *x; long n; struct p *y; unsigned char b[]; } p;
         int main(void) { p *q = 0; while (N) { size_t n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint(); if (n < 1 || n > 65536) continue; p *y = malloc(sizeof *y + n); y->x = q; y->y = q; y->n = n;
         if (i >= 1 && i < n) ((unsigned char *)&y->n)[i - 1] = 3; q = y; } while (q) { p *y = q->x; if (q->y != y) E; free(q); q = y; } return 0; }",
        // A length is one too large now and then.
        "typedef struct p { struct p *x; size_t n; unsigned char b[]; } p;
         int main(void) { p *q = 0; while (N) { size_t n = __VERIFIER_nondet_uint(); if (n < 1 || n > 65536) continue; p *y = malloc(sizeof *y + n); y->x = q; y->n = n; y->b[n - 1] = 0; if (RARE) y->n = n + 1; q = y; }
         while (q) { p *y = q->x; if (q->b[q->n - 1]) q->b[0] = 1; free(q); q = y; } return 0; }",
    ]);
}

#[test]
fn bytes_are_written_as_far_as_they_go() {
    all(
        &[
            "int main(void) { p *q = 0; while (N) { size_t n = __VERIFIER_nondet_uint(); if (n < 1 || n > 65536) continue; p *y = malloc(sizeof *y + n); y->x = q; memset(y->b, 0, n); if (y->b[n - 1]) E; q = y; } clear(q); return 0; }",
        ],
        right,
    );
    right(&[
        // The bytes begin within the padding, so that one more than the length has room.
        "typedef struct p { struct p *x; unsigned n; unsigned char b[]; } p;
         int main(void) { p *q = 0; while (N) { unsigned char n = __VERIFIER_nondet_uchar(); p *y = malloc(sizeof *y + n); y->x = q; y->n = (unsigned char)(n + 1); q = y; }
         while (q) { p *y = q->x; if (q->n) q->b[q->n - 1] = 1; free(q); q = y; } return 0; }",
    ]);
}
