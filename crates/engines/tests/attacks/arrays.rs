//! Arrays of any size: what an access at an offset that nobody tells may touch.

use crate::{right, wrong};

#[test]
fn references_are_lost_among_many() {
    wrong(&[
        // The only reference to a block is overwritten at an index that nobody knows.
        "int main(void) { int n = N; if (n < 1 || n > 500) return 0; int **t = malloc(n * sizeof *t);
          for (int i = 0; i < n; i++) t[i] = 0;
          int k = N, l = N; if (k < 0 || k >= n || l < 0 || l >= n) { free(t); return 0; }
          t[k] = malloc(4); t[l] = 0; free(t[k]); free(t); }",
        // An index that is within the block, and not within the array.
        "struct s { int a[4]; int *p; };
        int main(void) { struct s *s = malloc(sizeof *s); s->p = malloc(4); int *a = s->a;
          int k = N; if (k < 0 || k > 5) k = 0; a[k] = 0; free(s->p); free(s); }",
        // Numbers that are copied over an address.
        "struct s { char text[24]; char *end; };
        int main(void) { struct s *s = malloc(sizeof *s), *o = calloc(1, sizeof *o); s->end = malloc(1);
          unsigned n = __VERIFIER_nondet_uint(); if (n > 25) n = 25; memcpy(s, o, n); free(s->end);
          free(o); free(s); }",
    ]);
}

#[test]
fn bounds_are_missed_by_one() {
    wrong(&[
        "int main(void) { int n = N; if (n < 1 || n > 10000) return 0; int *a = malloc(n * sizeof *a);
          for (int i = 0; i <= n; i++) a[i] = i; free(a); }",
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(); if (n > 5000) return 0;
          char *a = malloc(n + 1); memset(a, 0, n + (n == 4711) + 1); free(a); }",
        "int main(void) { int n = N; if (n < 1 || n > 10000) return 0; int *a = malloc(n * sizeof *a);
          for (int i = 1; i < n; i++) { int j = i; while (j >= 0 && N) { a[j] = 0; j--; } a[j] = 1; }
          free(a); }",
        "int main(void) { int n = N; if (n < 1 || n > 10000) return 0; char *a = malloc(n), *p = a, *e = a + n;
          while (p != e) *p++ = 1; *p = 0; free(a); }",
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
          if (n > 900 || m > 900) return 0; char *a = malloc(n + 1), *b = calloc(1, m + 1);
          if (n <= m) memcpy(a, b, m + 1); free(a); free(b); }",
    ]);
}

#[test]
fn sizes_wrap_or_grow_too_late() {
    wrong(&[
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(); int *a = malloc(n * 4u);
          for (unsigned i = 0; i < n && i < 3; i++) a[i] = 1; free(a); }",
        "int main(void) { unsigned n = 0, cap = 4; int *a = malloc(cap * sizeof *a);
          while (N && n < 100000) { if (n > cap) { cap *= 2; a = realloc(a, cap * sizeof *a); } a[n++] = 1; }
          free(a); }",
        "int main(void) { unsigned n = 0, cap = 4; int *a = malloc(cap * sizeof *a);
          while (N && n < 100000) { if (n == cap) { a = realloc(a, cap * sizeof *a); cap *= 2; } a[n++] = 1; }
          free(a); }",
        "int main(void) { signed char n = 0; char *a = malloc(100);
          while (N) { a[n] = 1; n++; if (n == 101) n = 0; } free(a); }",
    ]);
}

#[test]
fn a_size_is_not_the_number_that_it_was_made_from_for_ever() {
    // No run and no path comes to the round in which the number changes.
    wrong(&["int main(void) { int n = N; if (n < 1 || n > 10) return 0; int *a = malloc(n * sizeof *a); unsigned k = 0;
          while (N) { k++; if (k * 2654435769u == 123456789u && n < 10) n++; } a[n - 1] = 0; free(a); }"]);
}

#[test]
fn what_is_read_may_be_anything_that_was_written() {
    wrong(&[
        "int main(void) { int n = N; if (n < 1 || n > 5000) return 0; int *a = calloc(n, sizeof *a);
          int k = N, l = N; if (k < 0 || k >= n || l < 0 || l >= n) { free(a); return 0; }
          a[k] = 1; if (a[l]) E; free(a); }",
        "int table[2000];
        int main(void) { unsigned k = __VERIFIER_nondet_uint(), l = __VERIFIER_nondet_uint();
          if (k < 2000 && l < 2000) { table[k] = 7; if (table[l] == 7 && l == 1999) E; } }",
        // The length of a second array is read from a first one.
        "int main(void) { int n = N; if (n < 1 || n > 5000) return 0; int *a = malloc(n * sizeof *a);
          for (int i = 0; i < n; i++) { a[i] = N; if (a[i] < 0) a[i] = 0; if (a[i] > 9) a[i] = 10; }
          int k = N; if (k < 0 || k >= n) k = 0; char b[10]; b[a[k]] = 0; free(a); }",
        "int main(void) { int n = N; if (n < 2 || n > 5000) return 0; short *a = calloc(n, sizeof *a);
          char *c = (char *)a; int k = N; if (k < 0 || k >= 2 * n) k = 0; c[k] = 1;
          int s = 0; for (int i = 0; i < n; i++) s += a[i]; if (s == 256) E; free(a); }",
    ]);
}

#[test]
fn arrays_that_are_right() {
    right(&[
        "int main(void) { int n = N; if (n < 1 || n > 10000) return 0; int *a = malloc(n * sizeof *a);
          for (int i = 0; i < n; i++) a[i] = N;
          for (int i = 1; i < n; i++) { int x = a[i], j = i; while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; } a[j] = x; }
          free(a); }",
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(); if (n > 5000) return 0;
          char *a = malloc(n + 1), *b = malloc(n + 1); memset(a, 0, n + 1); memcpy(b, a, n + 1);
          free(a); free(b); }",
        "int main(void) { unsigned n = 0, cap = 4; int *a = malloc(cap * sizeof *a);
          while (N && n < 100000) { if (n == cap) { cap *= 2; a = realloc(a, cap * sizeof *a); } a[n++] = 1; }
          free(a); }",
        "int table[2000];
        int main(void) { while (N) { unsigned k = __VERIFIER_nondet_uint(); if (k < 2000) table[k]++; } }",
        "struct node { struct node *next; int key; int *values; };
        int main(void) { struct node *l = 0; while (N) { struct node *x = malloc(sizeof *x); x->next = l;
            x->values = malloc(64); x->key = N; l = x; }
          for (struct node *p = l; p; p = p->next) { int k = N; if (k >= 0 && k < 16) p->values[k] = p->key; }
          while (l) { struct node *x = l; l = l->next; free(x->values); free(x); } }",
    ]);
}
