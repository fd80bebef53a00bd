//! Handlers that are run at the end of a program: what is still there then, in which order, and how often.

use crate::{right, wrong};

#[test]
fn handlers_that_go_wrong() {
    wrong(&[
        // The objects of `main` are gone once it has returned.
        "static int *p; static void h(void) { *p = 1; } int main(void) { int x = N; p = &x; atexit(h); return 0; }",
        "static int *p; static void h(void) { *p = 1; } int main(void) { int x = N; p = &x; atexit(h); }",
        "static int *p; static void h(void) { if (*p > 3) E; } int main(void) { { int x = N; p = &x; } atexit(h); exit(0); }",
        "static char *p; static void h(void) { *p = 1; } int main(void) { char *x = __builtin_alloca(4); p = x; atexit(h); return N; }",
        // Twice, in the wrong order, or after something else has ended it.
        "static int *p; static void h(void) { free(p); } int main(void) { p = malloc(4); atexit(h); if (RARE) atexit(h); return 0; }",
        "static int *p; static void f(void) { free(p); } static void g(void) { *p = 1; }
         int main(void) { p = malloc(4); atexit(g); atexit(f); return 0; }",
        "static int *p; static void h(void) { free(p); } int main(void) { p = malloc(4); atexit(h); free(p); exit(N); }",
        "static int k; static void h(void) { if (k > 4) E; } int main(void) { atexit(h); while (N) k++; return 0; }",
        "extern void _Exit(int); static int k; static void h(void) { if (k == 7) E; }
         int main(void) { atexit(h); k = N; if (k == 7) exit(k); _Exit(0); }",
        "static int k; static void g(void) { if (k) E; } static void f(void) { k = 1; exit(1); }
         int main(void) { atexit(g); atexit(f); return N; }",
        "static int k; static void g(void) { E; } static void f(void) { atexit(g); } int main(void) { atexit(f); return N; }",
        "static void h(void) { E; } static int (*r)(void (*)(void)) = atexit; int main(void) { if (RARE) r(h); return 0; }",
        "int c; static void h(void) { c = 1; } int main(void) { c = 0; atexit(h); if (N) E; return c; }",
    ]);
}

#[test]
fn handlers_that_are_right() {
    right(&[
        "static int *p; static void h(void) { *p = 1; } int main(void) { int x = N; p = &x; atexit(h); exit(0); }",
        "static int *p; static void f(void) { free(p); } static void g(void) { *p = 1; }
         int main(void) { p = malloc(4); atexit(f); atexit(g); return 0; }",
        "static int k; static void h(void) { E; } extern void _Exit(int); int main(void) { atexit(h); k = N; _Exit(k); }",
        "struct n { struct n *next; }; static struct n *l;
         static void h(void) { while (l) { struct n *k = l->next; free(l); l = k; } }
         int main(void) { atexit(h); while (N) { struct n *k = malloc(sizeof *k); k->next = l; l = k; } return 0; }",
    ]);
}
