//! Facts of C that an engine cannot find missing, because it takes them from the lowering: small
//! programs are compiled with sanitizers and run, and the interpreter must end as they do.
//!
//! Whoever drops such a fact in front end, models or interpreter fails here: constants that may be
//! written, arrays of impossible length, copies that overlap, volatile objects that never change,
//! variables that have their initial value although a jump left it out.
#![allow(clippy::print_stderr, reason = "a test that skips itself must say so")]

use std::path::{Path, PathBuf};
use std::process::Command;

use heapwright_frontend::{Settings, Source, load};
use heapwright_interpreter::{Environment, ListedInputs, Outcome, run};
use heapwright_program::DataModel;

const HEADERS: &str =
    "#include <stdlib.h>\n#include <string.h>\n#include <stdint.h>\n#include <alloca.h>\n";

/// How a program ends, as far as both sides can tell.
#[derive(Debug, PartialEq, Eq)]
enum Ending {
    Fault,
    Exit(i32),
}

#[test]
fn writes_to_constants_fail_as_natively() {
    compare(&[
        "static const int k = 5; int main(void) { *(int *)&k = 6; return 0; }",
        "const int k[3] = {1, 2, 3}; int main(void) { int *p = (int *)k; p[1] = 6; return 0; }",
        "struct s { int a, b; }; static const struct s k = {1, 2};
         int main(void) { ((struct s *)&k)->b = 3; return 0; }",
        "int main(void) { static const char k[4] = \"abc\"; memset((char *)k, 0, 2); return 0; }",
        "static const char *const k[2] = {\"a\", \"b\"};
         int main(void) { ((const char **)k)[0] = 0; return 0; }",
        // Not defined with const type.
        "static int k = 5; int main(void) { const int *p = &k; *(int *)p = 6; return k - 6; }",
        "static const char *k[2] = {\"a\", \"b\"}; int main(void) { k[0] = k[1]; return 0; }",
        "int main(void) { const int *p = malloc(4); *(int *)p = 1; free((int *)p); return 0; }",
        "static void f(const int *p) { *(int *)p = 2; } int main(void) { int x = 1; f(&x);
         return x - 2; }",
        // Initialised again in each round.
        "static int f(const int *p) { return *p; } int main(void) { int sum = 0;
         for (int i = 0; i < 3; i++) { const int x = i; const int a[2] = {x, x};
         const char s[8] = \"ab\"; sum += f(&x) + f(a) + s[7]; } return sum - 6; }",
        "struct s { int a[4]; }; static int f(const struct s x) { const struct s y = x;
         return *(&y.a[2]); } int main(void) { struct s x = {{1, 2, 3}}; return f(x) - 3; }",
        "static int f(const int x) { const int *p = &x; return *p; }
         int main(void) { return f(4) - 4 + *(const int *)&(const int){0}; }",
    ]);
}

#[test]
fn impossible_sizes_fail_as_natively() {
    let array = |length: &str| {
        format!("int main(void) {{ {length}; int a[n]; a[0] = 1; return a[0] - 1; }}")
    };
    compare(&[
        &array("int n = -5"),
        &array("int n = 0"),
        &array("long n = -1"),
        &array("unsigned n = 0"),
        &array("signed char n = -128"),
        &array("int n = 5"),
        "int main(void) { int n = 3, m = -2; int a[n][m]; a[0][0] = 1; return 0; }",
        "int main(void) { int n = -3, m = -2; int a[n][m]; a[0][0] = 1; return 0; }",
        "int main(void) { int n = 3, m = 2; int a[n][m]; a[2][1] = 1; return a[2][1] - 1; }",
        "int main(void) { for (int n = 2; n >= -1; n--) { char a[n]; a[n - 1] = 0; } return 0; }",
        "int main(void) { int n = -4; typedef int row[n]; row *p = malloc(16); free(p); return 0; }",
        "int main(void) { char *p = alloca(0); return p == 0; }",
        "int main(void) { int n = 4; char *p = alloca(n); p[3] = 0; return p[3]; }",
    ]);
}

#[test]
fn overlapping_copies_fail_as_natively() {
    compare(&[
        "int main(void) { char b[8] = \"abcdef\"; memcpy(b + 1, b, 3); return 0; }",
        "int main(void) { char b[8] = \"abcdef\"; memcpy(b, b + 2, 3); return 0; }",
        "int main(void) { char *b = calloc(8, 1); char *c = b + 3; memcpy(c, b, 4); free(b);
         return 0; }",
        "int main(void) { char b[9] = \"abcdefgh\"; strcpy(b, b + 2); return 0; }",
        "int main(void) { char b[16] = \"abc\"; strcat(b, b + 1); return 0; }",
        "int main(void) { char b[9] = \"abcdefgh\"; strncpy(b + 1, b, 3); return 0; }",
        "int main(void) { void *(*f)(void *, const void *, size_t) = memcpy; char b[8] = \"abc\";
         f(b + 1, b, 3); return 0; }",
        "int main(void) { char b[8] = \"abcdef\"; memmove(b + 1, b, 3); return b[3] - 'c'; }",
        "int main(void) { char b[8] = \"abcdef\"; memcpy(b + 3, b, 3); return b[5] - 'c'; }",
        "int main(void) { char b[8] = \"abcdef\"; char *c = b; memcpy(b, c, 3); return 0; }",
        "int main(void) { char b[8] = \"abcdef\"; char *c = b + 1; memcpy(c, b, 0); return 0; }",
        "struct s { int a, b; }; int main(void) { struct s t = {1, 2}; struct s *p = &t; *p = t;
         return t.a - 1; }",
    ]);
}

/// Natively the stack holds what an earlier call has left there.
#[test]
fn a_variable_whose_declaration_is_left_out_can_be_what_it_is_natively() {
    let dirty = "static void dirty(void) { volatile unsigned char b[512];
                 for (int i = 0; i < 512; i++) b[i] = 0x5a; }";
    for function in [
        "static int f(int c) { if (c) goto out; int x = 5; out: return x == 5; }",
        "static int f(int c) { switch (c) { int x; case 0: x = 5; case 1: return x == 5; }
         return 1; }",
        "static int f(int c) { int r = 0; for (int i = 0; i < 2; i++) { if (c) goto in;
         int x = 5; in: r = x == 5; dirty(); } return r; }",
        "static int f(int c) { { if (c) goto in; } { int x = 5; in: return x == 5; } }",
    ] {
        let text = format!("{dirty}\n{function}\nint main(void) {{ dirty(); return f(1); }}");
        let Some(native) = native(&text, &[]) else { return };
        assert_eq!(native, Ending::Exit(0), "{text}");
        let seen = [0, 5, 0x5a5a_5a5a].map(|value| {
            let mut inputs = ListedInputs::zeros();
            inputs.variables.extend([value; 4]);
            interpreted(&text, inputs)
        });
        assert_eq!(seen, [Ending::Exit(0), Ending::Exit(1), Ending::Exit(0)], "{text}");
    }
}

/// Natively a signal changes the object while the program waits for it.
#[test]
fn a_volatile_object_can_change_as_it_does_natively() {
    let signal = "#include <signal.h>\n#include <sys/time.h>\nextern volatile int flag;
        static void set(int number) { (void)number; flag = 1; }
        __attribute__((constructor)) static void start(void) {
            struct itimerval soon = {{0, 0}, {0, 20000}};
            signal(SIGALRM, set); setitimer(ITIMER_REAL, &soon, 0); }";
    let waiting = "volatile int flag; int main(void) { while (flag == 0) { } return 0; }";
    let Some(native) = native(waiting, &[signal]) else { return };
    assert_eq!(native, Ending::Exit(0));
    // It stays as it is once, and then it is 1.
    assert_eq!(interpreted(waiting, ListedInputs::new([0, 1, 1])), Ending::Exit(0));
    let twice = "struct s { volatile int x; }; static struct s s;
                 int main(void) { int a = s.x; int b = s.x; return a == b; }";
    assert_eq!(interpreted(twice, ListedInputs::new([0, 1, 7])), Ending::Exit(0));
    assert_eq!(interpreted(twice, ListedInputs::new([0, 0])), Ending::Exit(1));
    let local = "int main(void) { volatile int x = 3; x += 1; int *volatile p = 0;
                 return (x == 4) + (p == 0); }";
    assert_eq!(interpreted(local, ListedInputs::new([0, 0, 0])), Ending::Exit(2));
    assert_eq!(interpreted(local, ListedInputs::new([1, 9, 0, 0])), Ending::Exit(1));
}

/// Each program ends in the interpreter as it does natively.
fn compare(programs: &[&str]) {
    for program in programs {
        let Some(native) = native(program, &[]) else { return };
        assert_eq!(interpreted(program, ListedInputs::zeros()), native, "{program}");
    }
}

fn interpreted(text: &str, inputs: ListedInputs) -> Ending {
    let source = Source::new("program.c".to_owned(), format!("{HEADERS}{text}"));
    let loaded = load(&[source], &Settings::new(DataModel::Lp64)).expect(text);
    let mut settings = heapwright_interpreter::Settings::default();
    // A program that waits for ever is a mismatch, too.
    settings.limits.steps = 10_000_000;
    let report = run(&loaded.program, &settings, Environment::silent(inputs));
    match report.outcome {
        Outcome::Fault(_) => Ending::Fault,
        Outcome::Exited(code) => Ending::Exit(code),
        other => panic!("{other:?}: {text}"),
    }
}

/// How the program ends when it is compiled with these further files; `None`, and a word about it,
/// where it cannot be compiled.
fn native(text: &str, further: &[&str]) -> Option<Ending> {
    let folder = Folder::new();
    let first = format!("{HEADERS}{text}");
    let texts = [first.as_str()].into_iter().chain(further.iter().copied());
    let mut compiler = Command::new("cc");
    compiler.args(["-O0", "-w", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    // A copy that is compiled in place is not looked at.
    compiler.arg("-fno-builtin");
    for (number, text) in texts.enumerate() {
        let file = folder.0.join(format!("{number}.c"));
        std::fs::write(&file, text).expect("a folder of our own");
        compiler.arg(file);
    }
    let program = folder.0.join("program");
    let compiled = compiler.arg("-o").arg(&program).output();
    if !compiled.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: `cc -fsanitize=address,undefined` does not work here");
        return None;
    }
    Some(native_run(&program))
}

fn native_run(program: &Path) -> Ending {
    // A fault of the program has a code of its own; what is caught elsewhere has none.
    const FAULT: i32 = 77;
    let options = format!("exitcode={FAULT}:detect_leaks=0:detect_stack_use_after_return=0");
    let mut command = Command::new(program);
    command.env("ASAN_OPTIONS", &options).env("UBSAN_OPTIONS", &options);
    let output = command.output().expect("a program that was just compiled");
    match output.status.code() {
        Some(code) if code != FAULT => Ending::Exit(code),
        Some(_) | None => Ending::Fault,
    }
}

/// A folder that goes with its value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("heapwright-native-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}
