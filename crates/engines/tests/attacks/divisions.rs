//! Divisors that may be zero: in the k-th round, behind a link, in a condition, an index or an argument.

use crate::{right, wrong};

const LIST: &str = "
    struct n { int v; struct n *next; };
    static struct n *list(void) {
        struct n *l = 0;
        while (N) { struct n *k = malloc(sizeof *k); k->v = N; k->next = l; l = k; }
        return l;
    }
    static void drop(struct n *l) { while (l) { struct n *k = l->next; free(l); l = k; } }
";

#[test]
fn divisors_that_may_be_zero() {
    wrong(&[
        "int main(void) { int x = N; return 1 / x; }",
        "int main(void) { int x = N; return 1 % x; }",
        "int main(void) { unsigned char x = N; unsigned y = 7; y /= x; return y; }",
        "int main(void) { long x = N; if (x > 5 || 1 / x) return 1; }",
        "int main(void) { int a[4] = { 0 }, x = N & 3; return a[3 / x & 3]; }",
        "static int f(int x) { return x; } int main(void) { return f(1 % (N & 1)); }",
        "int main(void) { int x = 3; while (N) { x--; if (x < 0) x = 3; if (RARE) return 1 / x; } }",
        "int main(void) { _Bool b = N; return 1 / b; }",
        "int main(void) { unsigned x = N; x <<= 31; x <<= 1; return 4 % x; }",
        "int main(void) { int x = RARE ? 0 : 1; return 5 % x; }",
        "int main(void) { int x = N; switch (9 / x) { case 9: return 1; } }",
        "int main(void) { int n = N & 7; char a[8 / n]; a[0] = 1; return a[0]; }",
    ]);
}

#[test]
fn divisors_in_lists_that_may_be_zero() {
    let programs = [
        "int main(void) { struct n *l = list(); for (struct n *k = l; k; k = k->next) k->v = 1 / k->v; drop(l); }",
        "int main(void) { struct n *l = list(); int c = 0; for (struct n *k = l; k && c < 9; k = k->next) c++;
           drop(l); return 5 / c; }",
        "int main(void) { struct n *l = list(); if (l) l->v = 5; int x = l ? l->v : 0; drop(l); return 5 % x; }",
    ]
    .map(|body| format!("{LIST}{body}"));
    wrong(&programs.each_ref().map(String::as_str));
}

#[test]
fn divisors_that_are_never_zero() {
    right(&[
        "int main(void) { int x = N; if (x == 0) return 0; return 100u / x; }",
        "int main(void) { unsigned x = N; return 100 / (x | 1); }",
        "int main(void) { double d = N; return 1.0 / d > 0.5; }",
        "int main(void) { return N / 10 + N % 7; }",
    ]);
}
