//! The course of runs: what decides that other executions may have otherwise, and what does not.

use heapwright_frontend::{Settings as Reading, Source, load};
use heapwright_interpreter::{
    Course, Environment, Executable, Machine, Outcome, SeededInputs, Settings,
};
use heapwright_program::DataModel;

const PRELUDE: &str = "
typedef __SIZE_TYPE__ size_t; typedef __UINTPTR_TYPE__ uintptr_t;
extern void *malloc(size_t); extern void free(void *); extern void *realloc(void *, size_t);
extern void *memcpy(void *, const void *, size_t); extern void *memset(void *, int, size_t);
extern int __VERIFIER_nondet_int(void); extern long __VERIFIER_nondet_long(void);
extern double sin(double); extern double fabs(double);
#define N __VERIFIER_nondet_int()
";

fn course(text: &str, seed: u64) -> (Course, Outcome) {
    let source = Source::new("test.c", format!("{PRELUDE}{text}"));
    let program = load(&[source], &Reading::new(DataModel::Lp64)).expect(text).program;
    let mut settings = Settings { follow_course: true, ..Settings::default() };
    settings.compile.mark_addresses = true;
    let executable = Executable::compile(&program, &settings.compile);
    let environment = Environment::silent(SeededInputs::new(seed));
    let report = Machine::new(&executable, &settings, environment).run();
    (report.course, report.outcome)
}

fn open(programs: &[&str]) {
    for text in programs {
        for seed in 0..4 {
            let (course, outcome) = course(text, seed);
            assert!(matches!(course, Course::Open(_)), "{text}\n{course:?} {outcome:?}");
        }
    }
}

fn fixed(programs: &[&str]) {
    for text in programs {
        for seed in 0..4 {
            let (course, outcome) = course(text, seed);
            assert_eq!(course, Course::Fixed, "{text}\n{outcome:?}");
            assert!(matches!(outcome, Outcome::Exited(_)), "{text}\n{outcome:?}");
        }
    }
}

#[test]
fn branches_on_inputs_are_open_however_they_are_handed_on() {
    open(&[
        "int main(void) { if (N) return 1; }",
        "int main(void) { int x; return x ? 1 : 2; }",
        "int main(void) { int *p = malloc(4); int r = *p > 3 ? 1 : 2; free(p); return r; }",
        "int g; int main(void) { g = N; if (g > 7) return 1; }",
        "static int f(int x) { return x + 1; } int main(void) { if (f(N) == 3) return 1; }",
        "struct s { char c; int a, b; }; int main(void) { struct s s = { 0, 0, N }, t; t = s; if (t.b) return 1; }",
        "int main(void) { int x = N; char b[8]; memcpy(b + 2, &x, 4); if (b[5]) return 1; }",
        "struct s { unsigned a : 3, b : 7; }; int main(void) { struct s s = { 1, 2 }; s.b = N; if (s.b == 5) return 1; }",
        "int main(void) { char b[4]; memset(b, N, 4); if (b[3]) return 1; }",
        "int main(void) { switch (N) { case 3: return 1; case 4: return 2; } }",
        "int main(void) { double d = N; if (d * 2 > 0.5) return 1; }",
        "int main(void) { if (sin(1.0) > 0.8) return 1; }",
        "int main(void) { int a[2] = { 0, 0 }; a[1] = N; int *p = a; p++; while (*p) p--; }",
        "static int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); __builtin_va_arg(l, int);
           int x = __builtin_va_arg(l, int); __builtin_va_end(l); return x ? 1 : 2; }
         int main(void) { return f(2, 1, N); }",
        "int main(void) { __int128 x = N; if (x > 5) return 1; }",
        "int main(void) { _Bool b = N; return b ? 1 : 2; }",
    ]);
}

#[test]
fn inputs_that_say_where_how_much_and_by_what_are_open() {
    open(&[
        "int main(void) { int a[4] = { 0 }; return a[N & 3]; }",
        "int main(void) { int a[4]; a[N & 3] = 1; }",
        "int main(void) { char *p = malloc(N & 15); free(p); }",
        "int main(void) { char a[16], b[16] = { 0 }; memcpy(a, b, N & 15); }",
        "int main(void) { return 100 / (N | 1); }",
        "int main(void) { int m = -1; return N / m; }",
        "int main(void) { int n = (N & 3) + 1; char a[n]; a[0] = 1; return a[0]; }",
        "static int f(void) { return 1; } static int g(void) { return 2; }
         int main(void) { int (*t[2])(void) = { f, g }; return t[N & 1](); }",
        "int main(void) { char *p = malloc(8); free(p + (N & 0)); }",
    ]);
}

#[test]
fn where_blocks_lie_is_open() {
    open(&[
        "int main(void) { int a, b; if (&a < &b) return 1; }",
        "int main(void) { int a; if ((uintptr_t)&a & 16) return 1; }",
        "int a, b; int main(void) { return (uintptr_t)&a % 7 == (uintptr_t)&b % 7 ? 1 : 2; }",
        "int a; static uintptr_t x = (uintptr_t)&a; int main(void) { if (x & 64) return 1; }",
        "int main(void) { char *p = malloc(4); free(p); char *q = malloc(4); int r = p == q ? 1 : 2; free(q); return r; }",
        "int main(void) { int *p = malloc(4); char b[8]; memcpy(b, &p, 8); int r = b[3] > 9 ? 1 : 2; free(p); return r; }",
        "int main(void) { return \"abc\" == \"abc\" ? 1 : 2; }",
        "int main(void) { int *p = malloc(4), *q = malloc(4); long d = p - q; free(p); free(q); return d > 0 ? 1 : 2; }",
    ]);
}

#[test]
fn blocks_that_only_open_words_lead_to_are_not_kept() {
    open(&[
        "static long kept; int main(void) { char *p = malloc(4); kept = (long)p + (N & 0); p = 0; }",
        "static struct { long a, b; } kept; int main(void) { kept.b = (long)malloc(4); }",
        "static char *kept; int main(void) { kept = (char *)malloc(64) + (N & 1); }",
    ]);
}

#[test]
fn what_only_goes_along_decides_nothing() {
    fixed(&[
        "int main(void) { return N; }",
        "int main(void) { int a[100], sum = 0; for (int i = 0; i < 100; i++) { a[i] = N; sum += a[i]; } return sum; }",
        "int main(void) { int *p = malloc(4); int x = *p; *p = 3; int r = *p == 3 ? x : 2; free(p); return r; }",
        "int main(void) { int a[10]; int *p = a, *q = a + 7; if (q - p != 7 || p >= q) return a[20]; }",
        "int main(void) { char *p = malloc(4); unsigned hash = (uintptr_t)p % 7; free(p); return hash; }",
        "int main(void) { int x = N; x = 4; if (x == 4) return 1; }",
        "int main(void) { double d = sin(2.0) * fabs(-3.5); return (int)d; }",
        "int main(void) { void *p = 0; if ((uintptr_t)p) return *(int *)p; }",
        "static int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int x = __builtin_va_arg(l, int);
           int y = __builtin_va_arg(l, int); __builtin_va_end(l); return x ? y : 2; }
         int main(void) { return f(2, 1, N); }",
        "static void *kept; int main(void) { kept = malloc(4); long other = N; return other; }",
        "int main(void) { return N / 10 % 7; }",
    ]);
}

/// What a function of the library was given, told or left open reaches the program by its results and by what it
/// writes.
#[test]
fn the_library_hands_inputs_on() {
    const LIBRARY: &str = "
        extern int printf(const char *, ...); extern int sprintf(char *, const char *, ...);
        extern int snprintf(char *, size_t, const char *, ...);
        extern size_t strlen(const char *); extern int strcmp(const char *, const char *);
        extern int memcmp(const void *, const void *, size_t); extern char *strchr(const char *, int);
        extern char *strdup(const char *); extern char *strcpy(char *, const char *);
        extern void *memmove(void *, const void *, size_t); extern void *calloc(size_t, size_t);
        extern int atoi(const char *); extern long strtol(const char *, char **, int); extern int abs(int);
        extern int getchar(void); extern int putchar(int); extern int rand(void); extern long time(long *);
        extern char *getenv(const char *); extern int isalpha(int); extern int toupper(int);
        extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
        static int less(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
    ";
    let programs = [
        "int main(void) { char t[16]; sprintf(t, \"%d\", N); if (strlen(t) > 3) return 1; }",
        "int main(void) { char t[4]; if (snprintf(t, 4, \"%d\", N) > 3) return 1; }",
        "int main(void) { if (printf(\"%d\\n\", N) > 3) return 1; }",
        "int main(void) { int x; if (printf(\"%p\", (void *)&x) > 12) return 1; }",
        "int main(void) { char t[40]; int x; sprintf(t, \"%p\", (void *)&x); if (t[5] == '7') return 1; }",
        "int main(void) { char t[2] = { 0, 0 }; t[0] = (char)N; if (strlen(t)) return 1; }",
        "int main(void) { char t[2] = { 0, 0 }; t[0] = (char)N; return strcmp(t, \"a\") == 0 ? 1 : 2; }",
        "struct s { char c; int i; }; int main(void) { struct s a, b; a.c = b.c = 1; a.i = b.i = 2;
           return memcmp(&a, &b, sizeof a) ? 1 : 2; }",
        "int main(void) { return strchr(\"abc\", N) ? 1 : 2; }",
        "int main(void) { char t[3] = { 0, 0, 0 }; t[0] = (char)N; char *u = strdup(t); int r = u[0] ? 1 : 2; free(u); return r; }",
        "int main(void) { char t[3] = { 0, 0, 0 }, u[3]; t[0] = (char)N; strcpy(u, t); if (u[0]) return 1; }",
        "int main(void) { int a[3] = { 1, 2, 3 }; a[0] = N; memmove(a + 1, a, 8); if (a[1] == 9) return 1; }",
        "int main(void) { char t[3] = { '1', 0, 0 }; t[0] = (char)N; if (atoi(t)) return 1; }",
        "int main(void) { char t[3] = { '1', 0, 0 }; t[0] = (char)N; char *e; strtol(t, &e, 10); if (*e) return 1; }",
        "int main(void) { if (abs(N) > 5) return 1; }",
        "int main(void) { if (getchar() == 'q') return 1; }",
        "int main(void) { if (rand() & 1) return 1; }",
        "int main(void) { if (time(0) > 99) return 1; }",
        "int main(void) { if (getenv(\"HOME\")) return 1; }",
        "int main(void) { if (isalpha(N & 127)) return 1; }",
        "int main(void) { if (toupper(N & 127) == 'A') return 1; }",
        "int main(void) { int a[2]; a[0] = N; a[1] = 1; qsort(a, 2, 4, less); if (a[0] == 1) return 1; }",
        "int main(void) { int *p = calloc((N & 3) + 1, 4); free(p); }",
        "int main(void) { if (putchar(N) == 'a') return 1; }",
        "int main(void) { int x, y = x; if (y != x) return 1; }",
        "int main(void) { char *p = malloc(4); p = realloc(p, (N & 7) + 1); free(p); }",
    ]
    .map(|text| format!("{LIBRARY}{text}"));
    open(&programs.each_ref().map(String::as_str));
}
