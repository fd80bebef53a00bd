//! Arrays that grow, are copied, or are used as stacks: what is said of elements that were never written, cut in two, or are not there any more.

use crate::{right, wrong};

/// A vector of ones, with its length and capacity beside it.
fn vectors(programs: &[&str], ask: fn(&[&str])) {
    for program in programs {
        ask(&[&format!(
            "struct v {{ int *a; int n, cap; }};
             static void push(struct v *v, int x) {{ if (v->n == v->cap) {{ v->cap *= 2; v->a = realloc(v->a, v->cap * sizeof(int)); }} v->a[v->n++] = x; }}
             int main(void) {{ struct v v; int i; v.n = 0; v.cap = 4; v.a = malloc(4 * sizeof(int));
             while (N && v.n < 10000) push(&v, 1);
             {program} free(v.a); return 0; }}"
        )]);
    }
}

/// Two arrays of any length, the first full of numbers.
fn copies(programs: &[&str], ask: fn(&[&str])) {
    for program in programs {
        ask(&[&format!(
            "int main(void) {{ int n = N, k = N, i; if (n < 2 || n > 1000 || k < 0 || k > n) return 0;
             int *a = malloc(n * sizeof *a), *b = calloc(n, sizeof *b); for (i = 0; i < n; i++) a[i] = -7;
             {program} free(a); free(b); return 0; }}"
        )]);
    }
}

/// Records side by side.
fn records(programs: &[&str], ask: fn(&[&str])) {
    for program in programs {
        ask(&[&format!(
            "struct p {{ int x, y; }};
             int main(void) {{ int n = N, k = N, i; if (n < 2 || n > 1000 || k < 0 || k >= n) return 0;
             struct p *p = malloc(n * sizeof *p); for (i = 0; i < n; i++) {{ p[i].x = 1; p[i].y = 2; }}
             {program} free(p); return 0; }}"
        )]);
    }
}

#[test]
fn what_was_never_pushed() {
    let programs = [
        "v.n++; for (i = 0; i < v.n && i < v.cap; i++) if (v.a[i] != 1) E;",
        "for (i = 0; i < v.cap; i++) if (v.a[i] != 1) E;",
        "for (i = 0; i <= v.n; i++) if (v.a[i] != 1) E;",
        "push(&v, N); for (i = 0; i < v.n; i++) if (v.a[i] != 1) E;",
        "if (v.n > 2) { v.n -= 2; push(&v, 2); v.n++; for (i = 0; i < v.n; i++) if (v.a[i] != 1) E; }",
        "if (v.n > 0) { v.n--; v.a[v.n] = 2; v.n++; for (i = 0; i < v.n; i++) if (v.a[i] != 1) E; }",
        "int *old = v.a; push(&v, 1); if (v.n > 3) old[0] = 1;",
        "if (v.n > 3) { v.a = realloc(v.a, 8); for (i = 0; i < v.n; i++) if (v.a[i] != 1) E; }",
        "if (v.n > 3) { v.a = realloc(v.a, 8); v.a = realloc(v.a, v.cap * sizeof(int)); for (i = 0; i < v.n; i++) if (v.a[i] != 1) E; }",
        "struct v w = v; push(&w, 1); v.a[0] = 1; v.a = w.a;",
        "struct v *p = &v; p->n = v.n + (v.n == 77); for (i = 0; i < v.n && i < v.cap; i++) if (v.a[i] != 1) E;",
    ];
    vectors(&programs, wrong);
    let programs = [
        "for (i = 0; i < v.n; i++) if (v.a[i] != 1) E;",
        "if (v.n > 0) { v.n--; v.n++; } for (i = 0; i < v.n; i++) if (v.a[i] != 1) E;",
        "if (v.n > 3) { v.a = realloc(v.a, 8); if (v.a[1] != 1) E; }",
    ];
    vectors(&programs, right);
}

#[test]
fn what_was_not_copied() {
    let programs = [
        "memcpy(b, a, k * sizeof *a); for (i = 0; i < n; i++) if (b[i] != -7) E;",
        "memcpy(b, a, n * sizeof *a - 1); for (i = 0; i < n; i++) if (b[i] != -7) E;",
        "memcpy((char *)b + 1, a, n * sizeof *a - 1); for (i = 1; i < n; i++) if (b[i] != -7) E;",
        "memcpy(b + 1, a, (n - 1) * sizeof *a); for (i = 0; i < n; i++) if (b[i] != -7) E;",
        "memcpy(b, a + 1, (n - 1) * sizeof *a); for (i = 0; i < n; i++) if (b[i] != -7) E;",
        "for (i = 0; i < n; i++) a[i] = i; memmove(a + 1, a, (n - 1) * sizeof *a); for (i = 0; i < n; i++) if (a[i] != i) E;",
        "for (i = 0; i < n; i++) a[i] = i; memmove(a, a + 1, (n - 1) * sizeof *a); for (i = 0; i < n; i++) if (a[i] != i) E;",
        "for (i = 0; i < n; i++) a[i] = i; memcpy(b, a + 1, (n - 1) * sizeof *a); for (i = 0; i < n - 1; i++) if (b[i] != i) E;",
        "for (i = 0; i < n; i++) { a[i] = i + 5; b[i] = i; } memcpy(b, a, k * sizeof *a); for (i = 1; i < n; i++) if (b[i - 1] > b[i]) E;",
        "for (i = 0; i < n; i++) a[i] = b[i] = N; a[k % n] = 1; memcpy(b, a, k * sizeof *a); for (i = 0; i < n; i++) if (a[i] != b[i]) E;",
        "int *c = malloc(n * sizeof *c); for (i = 0; i < n; i++) b[i] = a[i] = N; memcpy(c, a, n * sizeof *c); if (n == 77) c[3] = b[3] + 1;
         for (i = 0; i < n; i++) if (c[i] != b[i]) { free(c); E; } free(c);",
        "memcpy(b, a, n * sizeof *a); b = realloc(b, 2 * n * sizeof *b); for (i = 0; i < 2 * n; i++) if (b[i] != -7) E;",
        "memcpy(b, a, (n + 1) * sizeof *a);",
    ];
    copies(&programs, wrong);
    let programs = [
        "memcpy(b, a, n * sizeof *a); for (i = 0; i < n; i++) if (b[i] != -7) E;",
        "memcpy(b + 1, a, (n - 1) * sizeof *a); for (i = 1; i < n; i++) if (b[i] != -7) E;",
        "for (i = 0; i < n; i++) a[i] = i; memcpy(b, a + 1, (n - 1) * sizeof *a); for (i = 0; i < n - 1; i++) if (b[i] != i + 1) E;",
    ];
    copies(&programs, right);
}

#[test]
fn members_of_records() {
    let programs = [
        "p[k].y = 1; for (i = 0; i < n; i++) if (p[i].y != 2) E;",
        "((int *)p)[k] = 9; for (i = 0; i < n; i++) if (p[i].x != 1) E;",
        "((int *)p)[2 * k + 1] = 9; for (i = 0; i < n; i++) if (p[i].y != 2) E;",
        "((char *)p)[k] = 9; for (i = 0; i < n; i++) if (p[i].x != 1) E;",
        "*(long *)(p + k) = 7; for (i = 0; i < n; i++) if (p[i].x != 1) E;",
        "for (i = 0; i < n; i += 2) p[i].x = 3; for (i = 0; i < n; i++) if (p[i].x != 3) E;",
        "for (i = 0; i < 2 * n; i++) if (((int *)p)[i] != 1) E;",
        "for (i = 0; i < n; i++) p[i].x = i; for (i = 0; i < n; i++) if (((int *)p)[i] != i) E;",
        "p = realloc(p, (n + 1) * sizeof *p); for (i = 0; i <= n; i++) if (p[i].x != 1) E;",
        "memcpy((int *)p + 1, p, (n - 1) * sizeof *p); for (i = 0; i < n; i++) if (p[i].y != 2) E;",
    ];
    records(&programs, wrong);
    let programs = [
        "p[k].y = 1; for (i = 0; i < n; i++) if (p[i].x != 1) E;",
        "p = realloc(p, (n + 1) * sizeof *p); for (i = 0; i < n; i++) if (p[i].x != 1 || p[i].y != 2) E;",
    ];
    records(&programs, right);
}

#[test]
fn room_that_is_not_there() {
    wrong(&[
        "int main(void) { int n = 0, cap = 4, i; int *a = malloc(16); while (N && n < 9999) { if (n == cap) { cap += 4; a = realloc(a, cap * 4); } a[n++] = 1; }
         for (i = 0; i <= n; i++) a[i] = 0; free(a); return 0; }",
        "int main(void) { int n = 0, cap = 4; long *a = malloc(16); while (N && n < 9999) { if (n == cap) { cap += 4; a = realloc(a, cap * 4); } a[n++] = 1; }
         free(a); return 0; }",
        "int main(void) { int n = 0, i; unsigned char cap = 4; int *a = malloc(16); while (N && n < 999) { if (n == cap) { cap *= 2; a = realloc(a, cap * 4); } a[n++] = 1; }
         free(a); return 0; }",
        "int main(void) { int n = 0, cap = 4, i; int *a = malloc(16); while (N && n < 9999) { if (n > cap) { cap *= 2; a = realloc(a, cap * 4); } a[n++] = 1; }
         free(a); return 0; }",
        "int main(void) { int n = N, i, max; if (n < 3 || n > 999) return 0; int *a = malloc(n * 4); for (i = 0; i < n; i++) a[i] = N;
         max = a[0]; for (i = 2; i < n; i++) if (a[i] > max) max = a[i]; for (i = 0; i < n; i++) if (a[i] > max) E; free(a); return 0; }",
    ]);
}

#[test]
fn texts_and_pointers_that_are_copied() {
    wrong(&[
        "int main(void) { int n = N; if (n < 1 || n > 999) return 0; char *s = malloc(n + 1), *d = malloc(n + 1); memset(s, 'a', n); s[n] = 0;
         memcpy(d, s, n); if (strlen(d) > (size_t)n) E; free(s); free(d); return 0; }",
        "int main(void) { int n = N; if (n < 1 || n > 999) return 0; char *s = malloc(n + 1); s[n] = 0; s = realloc(s, n); int k = 0; while (s[k]) k++; free(s); return 0; }",
        "int main(void) { int n = N; if (n < 2 || n > 999) return 0; char **a = malloc(n * sizeof *a); a[0] = malloc(1); a = realloc(a, 2 * n * sizeof *a);
         if (n == 77) a[0] = 0; free(a[0]); free(a); return 0; }",
        "int main(void) { int n = N; if (n < 2 || n > 999) return 0; char **a = malloc(n * sizeof *a), **b = malloc(n * sizeof *b); a[0] = malloc(1); a[1] = 0;
         memcpy(b, a, n * sizeof *a); free(a[0]); if (n == 77) free(b[0]); free(a); free(b); return 0; }",
        "int main(void) { int n = N; if (n < 5 || n > 7) return 0; char **a = malloc(sizeof *a), **b = malloc(sizeof *b); *a = malloc(1); *b = 0;
         memcpy(b, a, n); free(*b); free(a); free(b); return 0; }",
    ]);
}
