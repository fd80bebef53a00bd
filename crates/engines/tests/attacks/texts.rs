//! Texts of any length: where the zero is that ends one, and what takes it away.

use crate::{right, wrong};

/// A text of any length in a block of its size.
const TEXT: &str = "static unsigned any(void) { unsigned n = __VERIFIER_nondet_uint(); return n > 5000 ? 5000 : n; }
static char *text(unsigned n) { char *t = malloc(n + 1u); for (unsigned i = 0; i < n; i++) t[i] = __VERIFIER_nondet_char();
  t[n] = 0; return t; }
";

fn with_text(programs: &[&str]) -> Vec<String> {
    programs.iter().map(|program| format!("{TEXT}{program}")).collect()
}

fn wrong_texts(programs: &[&str]) {
    let programs = with_text(programs);
    wrong(&programs.iter().map(String::as_str).collect::<Vec<_>>());
}

fn right_texts(programs: &[&str]) {
    let programs = with_text(programs);
    right(&programs.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn a_zero_is_written_over() {
    wrong_texts(&[
        "int main(void) { unsigned n = any(), k = any(); char *t = text(n); if (k <= n) t[k] = 'x';
          size_t l = strlen(t); free(t); return l > 9; }",
        "int main(void) { unsigned n = any(); char *t = text(n); memset(t, 'x', n + 1u);
          size_t l = strlen(t); free(t); return l > 9; }",
        "int main(void) { unsigned n = any(), m = any(); if (m < n) m = n; char *t = text(n), *u = malloc(m + 1u);
          memset(u, 'y', m + 1u); memcpy(t, u, n + 1u); size_t l = strlen(t); free(t); free(u); return l > 9; }",
        "int main(void) { unsigned n = any(); char *t = text(n); t[0] = 'x'; size_t l = strlen(t); free(t); return l > 9; }",
        "int main(void) { unsigned n = any(); char *t = text(n); for (unsigned i = 0; i <= n; i++) t[i] = 'x';
          size_t l = strlen(t); free(t); return l > 9; }",
        "int main(void) { unsigned n = any(); char *t = text(n); short *s = (short *)t; if (n % 2) s[n / 2] = 0x4141;
          size_t l = strlen(t); free(t); return l > 9; }",
        "int main(void) { unsigned n = any(); char *t = text(n); struct { char c : 7; } *b = (void *)t; if (N) b->c = 3;
          t[n] = t[n] | b->c; size_t l = strlen(t); free(t); return l > 9; }",
    ]);
}

#[test]
fn a_zero_is_somewhere_else() {
    wrong_texts(&[
        // Behind it, a walk finds no other.
        "int main(void) { unsigned n = any(), k = any(); char *t = malloc(n + 1u); memset(t, 'x', n + 1u);
          if (k > n) k = n; t[k] = 0; char *p = t + k + 1; if (k < n) while (*p) p++; free(t); }",
        "int main(void) { unsigned n = any(); char *t = text(n), *u = malloc(n + 1u); memset(u, 'x', n + 1u);
          size_t l = strlen(u); free(t); free(u); return l > 9; }",
        "int main(void) { unsigned n = any(); char *t = text(n); char *u = malloc(n + 1u); memcpy(u, t, n);
          if (n) { size_t l = strlen(u); free(t); free(u); return l > 9; } free(t); free(u); }",
        // On one way only.
        "int main(void) { unsigned n = any(); char *t = malloc(n + 1u); memset(t, 'x', n + 1u); if (n > 7) t[n] = 0; else t[n] = 'x';
          while (N) ; size_t l = strlen(t); free(t); return l > 9; }",
        "int main(void) { unsigned n = any(); char *t = malloc(n + 1u); memset(t, 'x', n + 1u);
          for (unsigned i = 0; i < n; i++) { t[n] = 'x'; if (i != 7) t[n - i] = 0; if (i == 7) t[n - 6] = 'x'; }
          size_t l = strlen(t); free(t); return l > 9; }",
        // A text that was cut by its block.
        "int main(void) { unsigned n = any(); char *t = text(n); for (unsigned i = 0; i < n; i++) t[i] = 'x';
          if (n > 1) { t = realloc(t, n); } size_t l = strlen(t); free(t); return l > 9; }",
        // Wider characters than the zero.
        "int main(void) { unsigned n = any(); char *t = text(4 * n + 3); int *w = (int *)t; unsigned i = 0; while (w[i]) i++;
          free(t); return i > 9; }",
        "int main(void) { unsigned n = any(); int *w = malloc((n + 1u) * sizeof *w); for (unsigned i = 0; i <= n; i++) w[i] = 1 << 24;
          w[n] = 0; char *t = (char *)(w + n); t++; unsigned i = 0; while (t[i]) i++; while (!t[i]) i++; free(w); return i > 9; }",
    ]);
}

#[test]
fn the_place_behind_a_zero_is_missed_by_one() {
    wrong_texts(&[
        "int main(void) { unsigned n = any(); char *t = text(n); size_t l = strlen(t); t[l + 1] = 0; free(t); }",
        "int main(void) { unsigned n = any(); char *t = text(n), *u = malloc(strlen(t)); strcpy(u, t); free(t); free(u); }",
        "int main(void) { unsigned n = any(), m = any(); char *t = text(n), *u = text(m), *v = malloc(n + m + 1u);
          strcpy(v, t); strcat(v, u); v[n + m + (n == 17)] = 0; free(t); free(u); free(v); }",
        "int main(void) { unsigned n = any(); char *t = text(n); size_t l = strlen(t); while (t[l - 1] == ' ') l--; t[l] = 0; free(t); }",
        "int main(void) { unsigned n = any(); char *t = text(n); int i = 0; while (t[i] != ',') i++; t[i] = 0; free(t); }",
        "int main(void) { unsigned n = any(); char *t = text(n); char *p = t; while (*p++) ; *p = 0; free(t); }",
        "int main(void) { unsigned n = any(); char *t = text(n); signed char i = 0; while (t[i]) i++; t[i] = 0; free(t); }",
        "int main(void) { char b[100]; int n = 0; while (n < 100 && N) b[n++] = 'a'; b[n] = 0; return strlen(b) > 9; }",
    ]);
}

#[test]
fn texts_in_lists_end_or_do_not() {
    wrong_texts(&[
        "struct s { struct s *n; char *t; };
        int main(void) { struct s *l = 0; int k = 0; while (N) { struct s *e = malloc(sizeof *e); unsigned n = any(); e->t = text(n);
            if (++k == 3) e->t[n] = 'x'; e->n = l; l = e; }
          size_t sum = 0; while (l) { struct s *e = l; l = e->n; sum += strlen(e->t); free(e->t); free(e); } return sum > 9; }",
        "struct s { struct s *n; char t[100]; };
        int main(void) { struct s *l = 0; while (N) { struct s *e = malloc(sizeof *e); unsigned n = any() % 101; if (n > 99 && !RARE) n = 99;
            for (unsigned i = 0; i < n; i++) e->t[i] = 'x'; e->t[n] = 0; e->n = l; l = e; }
          size_t sum = 0; while (l) { struct s *e = l; l = e->n; sum += strlen(e->t); free(e); } return sum > 9; }",
    ]);
    right_texts(&[
        "int main(void) { unsigned n = any(); char *t = text(n); size_t l = strlen(t); t[l] = 0; free(t); }",
        "int main(void) { unsigned n = any(); char *t = text(n), *u = malloc(strlen(t) + 1); strcpy(u, t); free(t); free(u); }",
        "int main(void) { unsigned n = any(); char *t = text(n); size_t l = strlen(t); if (l && t[l - 1] == '\\n') t[l - 1] = 0;
          for (size_t i = 0; i < strlen(t); i++) if (t[i] == 's') break; free(t); }",
        "int main(void) { char b[100]; int n = 0; while (n < 99 && N) b[n++] = 'a'; b[n] = 0; return strlen(b) > 9; }",
    ]);
}

#[test]
fn letters_of_short_literals_are_told_apart() {
    wrong_texts(&[
        "int main(void) { const char *m = N ? \"r+\" : \"r\"; int both = 0; for (const char *p = m; *p; p++) if (*p == '+') both = 1; if (both) E; }",
        "int main(void) { static const char m[8] = \"abcdefg\"; unsigned k = any(); int c = 0; if (k < 8) c = m[k]; if (c == 'g') E; }",
        "int main(void) { static const unsigned char m[4] = { 1, 2, 3, 200 }; unsigned k = any() & 3; char *t = text(m[k]); t[k == 3 ? 201 : 0] = 0; free(t); }",
    ]);
    right_texts(&[
        "int main(void) { const char *m = \"r\"; int both = 0; for (const char *p = m; *p; p++) if (*p == '+') both = 1; if (both) E; }",
        "int main(void) { static const char m[8] = \"abcdefg\"; unsigned k = any(); int c = 0; if (k < 8) c = m[k]; if (c == 'h') E; }",
    ]);
}
