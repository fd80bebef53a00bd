//! Texts of wide characters: places are so many times an index, which may wrap, begin anywhere, or be of bytes.

use crate::{right, wrong};

/// A wide text of up to 99 characters.
const TEXT: &str = "typedef int wide; extern unsigned long __VERIFIER_nondet_ulong(void);
static unsigned any(void) { unsigned n = __VERIFIER_nondet_uint(); return n > 99 ? 99 : n; }
static wide *text(unsigned n) { wide *t = malloc(100 * sizeof *t); for (unsigned i = 0; i < 100; i++) t[i] = N;
  t[n] = 0; return t; }
static wide *filled(void) { wide *t = malloc(100 * sizeof *t); for (unsigned i = 0; i < 100; i++) t[i] = 0x01010101; return t; }
static size_t length(const wide *t) { size_t n = 0; while (t[n]) n++; return n; }
";

fn with_text(programs: &[&str]) -> Vec<String> {
    programs.iter().map(|program| format!("{TEXT}{program}")).collect()
}

fn wrong_texts(programs: &[&str]) {
    let programs = with_text(programs);
    wrong(&programs.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn an_index_that_wraps_is_no_small_one() {
    wrong_texts(&[
        "int main(void) { wide *t = filled(); unsigned long i = __VERIFIER_nondet_ulong(); if ((i << 2) < 400) {
           t[i] = 0; size_t n = length(t); if (i > 99) E; free(t); return n > 9; } free(t); }",
        "int main(void) { wide *t = filled(); unsigned long i = __VERIFIER_nondet_ulong(); if ((i << 2) < 400) {
           t[i] = 0; while (N) ; size_t n = length(t); if (n != i) E; } free(t); }",
        "int main(void) { wide *t = filled(); long i = (long)__VERIFIER_nondet_ulong(); if ((unsigned long)i * 4 < 400) {
           t[i] = 0; while (N) ; if (i < 0) E; } free(t); }",
    ]);
}

#[test]
fn a_wide_zero_is_taken_away_by_a_byte() {
    wrong_texts(&[
        "int main(void) { unsigned n = any(); wide *t = filled(); t[n] = 0; while (N) ; ((char *)t)[4 * n + 1] = 'x';
           size_t l = length(t); free(t); return l > 9; }",
        "int main(void) { unsigned n = any(); wide *t = filled(); ((char *)t)[4 * n] = 0; while (N) ;
           size_t l = length(t); free(t); return l > 9; }",
        "int main(void) { unsigned n = any(); wide *t = filled(); *(wide *)((char *)t + 3 * n) = 0; while (N) ;
           size_t l = length(t); free(t); return l > 9; }",
        "int main(void) { unsigned n = any(); wide *t = filled(); *(short *)(t + n) = 0; while (N) ;
           size_t l = length(t); free(t); return l > 9; }",
        "int main(void) { unsigned n = any(); wide *t = filled(); t[n] = 0; while (N) ; if (n) t[n - 1] = 0; t[n] = 1; t[n / 2] = 1;
           size_t l = length(t); free(t); return l > 9; }",
    ]);
}

#[test]
fn the_place_behind_a_wide_zero_is_missed_by_one() {
    wrong_texts(&[
        "int main(void) { unsigned n = any(); wide *t = text(n); while (N) ; size_t l = length(t); t[l + 1] = 0; free(t); }",
        "int main(void) { unsigned n = any(); wide *t = text(n); while (N) ; size_t l = length(t); t[l - 1] = 0; free(t); }",
        "int main(void) { unsigned n = any(); wide *t = text(n); while (N) ; wide *p = t; while (*p++) ; *p = 0; free(t); }",
        "int main(void) { wide b[100]; int n = 0; while (n < 100 && N) b[n++] = 1; b[n] = 0; return length(b) > 9; }",
        "int main(void) { unsigned n = any(); wide *t = text(n); while (N) ; size_t l = length(t); t = realloc(t, 4 * (l + RARE));
           if (l) { while (N) ; l = length(t); } free(t); return l > 9; }",
    ]);
}

#[test]
fn wide_texts_that_end() {
    let programs = with_text(&[
        "int main(void) { unsigned n = any(); wide *t = text(n); size_t l = length(t); t[l] = 0; free(t); }",
        "int main(void) { unsigned n = any(); wide *t = text(n); size_t l = length(t); if (l && t[l - 1] == 10) t[l - 1] = 0;
           for (size_t i = 0; i < length(t); i++) if (t[i] == 7) break; free(t); }",
        "int main(void) { wide b[100]; int n = 0; while (n < 99 && N) b[n++] = 1; b[n] = 0; return length(b) > 9; }",
    ]);
    right(&programs.iter().map(String::as_str).collect::<Vec<_>>());
}
