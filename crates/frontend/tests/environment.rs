//! Models of the environment against the real library: the same texts, the same numbers, the same
//! faults. What the environment gives is an input of the model, so that the real result can be put in.
#![allow(clippy::print_stderr, reason = "a test that skips itself must say so")]

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use heapwright_frontend::{Settings, Source, World, load};
use heapwright_interpreter::{Environment, ListedInputs, Outcome, run};
use heapwright_program::DataModel;

const HEADERS: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
    #include <stdarg.h>\n#include <time.h>\n#include <setjmp.h>\n";

/// Formats with their arguments, as C writes them.
const PRINTED: &[&str] = &[
    r#""plain""#,
    r#""%d", 0"#,
    r#""%d|%i", -1, 2147483647"#,
    r#""%d", -2147483647 - 1"#,
    r#""%5d|%-5d|%05d|%+d|% d", 42, 42, 42, 42, 42"#,
    r#""%.3d|%8.3d|%-8.3d|%.0d", 7, 7, 7, 0"#,
    r#""%08.3d|%+05d", 7, -7"#,
    r#""%u|%x|%X|%o", 4294967295u, 255u, 255u, 8u"#,
    r##""%#x|%#o|%#X|%#x", 255u, 8u, 255u, 0u"##,
    r##""%#.0o|%#.3o|%#8x|%-#8x|%#08x", 0u, 8u, 255u, 255u, 255u"##,
    r#""%ld|%lld|%zu", -9223372036854775807L - 1, 9223372036854775807LL, (size_t)-1"#,
    r#""%hd|%hhd|%hhu", 70000, 200, 511"#,
    r#""%s|%10s|%-10s|%.2s|%10.2s", "abc", "abc", "abc", "abc", "abc""#,
    r#""%s", """#,
    r#""%*d|%-*d|%.*s|%*s", 6, 1, 6, 2, 2, "xyz", -6, "w""#,
    r#""%c%c|%3c|%-3c|", 'a', 'b', 'c', 'd'"#,
    r#""100%%|%%d""#,
    r#""%.1f|%8.3f|%e|%g", 2.25, -1.5, 12345.678, 0.0001"#,
    r#""%.*d", -1, 5"#,
];

#[test]
fn texts_in_memory_are_those_of_the_library() {
    let mut native = String::from("int main(void) { char b[200]; int n;\n");
    for printed in PRINTED {
        writeln!(native, "n = sprintf(b, {printed}); printf(\"%d:%s\\n\", n, b);").unwrap();
    }
    native.push_str("return 0; }");
    let Some((_, output)) = compiled(&native, &[]) else { return };
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), PRINTED.len(), "{output}");
    let list = "static int list(char *b, size_t n, const char *f, ...) { va_list a; va_start(a, f);
                int r = vsnprintf(b, n, f, a); va_end(a); return r; }\n";
    for (printed, line) in PRINTED.iter().zip(lines) {
        let (length, text) = line.split_once(':').expect("a length and a text");
        let cut: String = text.chars().take(3).collect();
        let program = format!(
            "{list}int main(void) {{ char b[200];
             if (sprintf(b, {printed}) != {length} || strcmp(b, {text:?})) return 1;
             if (snprintf(b, 4, {printed}) != {length} || strcmp(b, {cut:?})) return 2;
             if (snprintf(0, 0, {printed}) != {length}) return 3;
             if (list(b, 200, {printed}) != {length} || strcmp(b, {text:?})) return 4;
             if (list(b, 4, {printed}) != {length} || strcmp(b, {cut:?})) return 5;
             return 0; }}"
        );
        assert_eq!(modelled(&program, []), Ending::Exit(0), "{printed}: {line}");
    }
}

/// Texts and formats for `sscanf` with at most three places to store to.
const SCANNED: &[(&str, &str)] = &[
    ("12 -7 +3", "%d %d %d"),
    ("12", "%d%d"),
    ("", "%d"),
    ("   ", "%d"),
    ("x", "%d"),
    ("0x1f 017 9", "%i %i %i"),
    ("ff,10", "%x,%d"),
    ("1234", "%2d%d"),
    ("5;6", "%d,%d"),
    ("a 5", "a%d"),
    ("7%8", "%d%%%d"),
    ("1 2 3", "%*d %d"),
    ("- 5", "%d"),
    ("12abc", "%d%n"),
];

#[test]
fn numbers_in_texts_are_those_of_the_library() {
    for (text, format) in SCANNED {
        let start = "int main(void) { int a = -9, b = -9, c = -9;";
        let call = format!("int n = sscanf({text:?}, {format:?}, &a, &b, &c);");
        let native = format!("{start} {call} printf(\"%d %d %d %d\", n, a, b, c); return 0; }}");
        let Some((_, output)) = compiled(&native, &[]) else { return };
        let values: Vec<&str> = output.split(' ').collect();
        let [n, a, b, c] = values[..] else { panic!("{output}") };
        let test = format!("return !(n == {n} && a == {a} && b == {b} && c == {c});");
        let program = format!("{start} {call} {test} }}");
        assert_eq!(modelled(&program, []), Ending::Exit(0), "{text:?} {format:?}: {output}");
    }
}

#[test]
fn faults_are_those_that_sanitizers_see() {
    for program in [
        // One byte too small, and just large enough.
        r#"int main(void) { char b[5]; sprintf(b, "%d", 12345); return 0; }"#,
        r#"int main(void) { char b[6]; sprintf(b, "%d", 12345); return b[4] - '5'; }"#,
        r#"int main(void) { char b[3]; snprintf(b, 4, "%s", "abc"); return 0; }"#,
        r#"int main(void) { char b[3]; snprintf(b, 3, "%s", "abc"); return b[1] - 'b'; }"#,
        // No terminator.
        r#"int main(void) { char b[3] = {'a', 'b', 'c'}; printf("%s", b); return 0; }"#,
        r#"int main(void) { char b[3] = {'a', 'b', 'c'}; printf("%.3s", b); return 0; }"#,
        r#"int main(void) { char b[3] = {'a', 'b', 'c'}; puts(b); return 0; }"#,
        r#"int main(void) { char b[3] = {'a', 'b', 'c'}; fwrite(b, 1, 3, stdout); return 0; }"#,
        r#"int main(void) { char b[3] = {'a', 'b', 'c'}; fwrite(b, 2, 2, stdout); return 0; }"#,
        // Memory that is gone.
        r#"int main(void) { char *p = strdup("ab"); free(p); printf("%s", p); return 0; }"#,
        r#"int main(void) { char *p = strdup("ab"); printf("%s", p); free(p); return 0; }"#,
        r#"int main(void) { char b[4]; return sscanf("abcd", "%s", b); }"#,
        r#"int main(void) { char b[4]; return sscanf("abcd", "%3s", b); }"#,
        r#"int main(void) { char *p = 0; return asprintf(&p, "%d", 12) - 2 + (free(p), 0); }"#,
    ] {
        let program = program.to_owned();
        let Some((native, _)) = compiled(&program, &["-D_GNU_SOURCE"]) else { return };
        assert_eq!(modelled(&program, []), native, "{program}");
    }
}

#[test]
fn formats_that_ask_for_other_arguments_are_misused() {
    for call in
        [r#"printf("%d %d", 1)"#, r#"printf("%s")"#, r#"printf("%f", 1)"#, r#"printf("%d", 1.0)"#]
    {
        let program = format!("int main(void) {{ {call}; return 0; }}");
        assert_eq!(modelled(&program, []), Ending::Fault, "{call}");
    }
    for call in [
        r#"printf("%d", 1, 2)"#,
        r#"printf("%ld", 1)"#,
        r#"printf("%u %x", -1, -1)"#,
        r#"printf("%c%%", 65)"#,
        r#"printf("%p", (void *)0)"#,
    ] {
        let program = format!("int main(void) {{ {call}; return 0; }}");
        assert_eq!(modelled(&program, []), Ending::Exit(0), "{call}");
    }
}

#[test]
fn streams_that_are_closed_or_null_are_misused() {
    let with = |rest: &str| {
        let text = format!("int main(void) {{ FILE *f = fopen(\"a\", \"r\"); {rest} return 0; }}");
        modelled(&text, [1])
    };
    assert_eq!(with("if (f) fclose(f);"), Ending::Exit(0));
    assert_eq!(with("fclose(f); fclose(f);"), Ending::Fault);
    assert_eq!(with("fclose(f); fputs(\"a\", f);"), Ending::Fault);
    assert_eq!(with("fprintf(f, \"a\"); fclose(f);"), Ending::Exit(0));
    let text = "int main(void) { FILE *f = fopen(\"a\", \"r\"); fclose(f); return 0; }";
    assert_eq!(modelled(text, [0, 2]), Ending::Fault);
    assert_eq!(modelled("int main(void) { fputs(\"a\", stdout); return 0; }", []), Ending::Exit(0));
}

#[test]
fn lines_are_cut_at_the_size_of_their_buffer() {
    let program = |size: u32, room: u32| {
        format!(
            "int main(void) {{ char b[{room}]; b[0] = 'x'; char *r = fgets(b, {size}, stdin);
             return r == 0 ? 100 + (b[0] == 'x') : (int)strlen(b); }}"
        )
    };
    let line = [b'a', b'b', b'c', b'\n'].map(u128::from);
    assert_eq!(modelled(&program(8, 8), line), Ending::Exit(4));
    assert_eq!(modelled(&program(3, 3), line), Ending::Exit(2));
    assert_eq!(modelled(&program(1, 1), line), Ending::Exit(0));
    assert_eq!(modelled(&program(0, 1), line), Ending::Exit(101));
    // The end of the input leaves the buffer alone.
    assert_eq!(modelled(&program(8, 8), [u128::MAX]), Ending::Exit(101));
    assert_eq!(modelled(&program(8, 4), line), Ending::Fault);
    assert_eq!(modelled(&program(8, 5), line), Ending::Exit(4));
}

#[test]
fn words_without_a_width_overflow_any_buffer() {
    let program = "int main(void) { char b[3]; return scanf(\"%s\", b); }";
    let word = |length: usize| {
        let mut inputs = vec![1u128];
        inputs.extend(std::iter::repeat_n(u128::from(b'w'), length));
        inputs.push(u128::from(b' '));
        inputs
    };
    assert_eq!(modelled(program, word(2)), Ending::Exit(1));
    assert_eq!(modelled(program, word(3)), Ending::Fault);
    let program = "int main(void) { char b[3]; return scanf(\"%2s\", b); }";
    assert_eq!(modelled(program, word(9)), Ending::Exit(1));
    let program = "int main(void) { char b[3]; return scanf(\"%3s\", b); }";
    assert_eq!(modelled(program, word(9)), Ending::Fault);
}

#[test]
fn what_is_not_scanned_is_not_stored() {
    let program = "int main(void) { int a = 1, b = 2; int n = scanf(\"%d %d\", &a, &b);
                   return n == 1 ? a * 10 + b : n + 50; }";
    assert_eq!(modelled(program, [1, 7]), Ending::Exit(72));
    assert_eq!(modelled(program, [2, 7, 8]), Ending::Exit(52));
    assert_eq!(modelled(program, [u128::MAX]), Ending::Exit(49));
}

#[test]
fn arguments_are_texts_and_a_null_pointer() {
    let constant = "int main(int argc, char **argv) { return argc > 1 ? (int)strlen(argv[1])
                    : argv[1] == 0 ? 77 : 78; }";
    // argc, then the lengths of the program's name and of the argument.
    assert_eq!(modelled(constant, [1, 5]), Ending::Exit(77));
    let all =
        "int main(int argc, char **argv) { int n = 0; while (*argv++) n++; return n - argc; }";
    assert_eq!(modelled(all, [1, 5]), Ending::Exit(0));
    assert_eq!(modelled(all, [2, 5, 3]), Ending::Exit(0));
    assert_eq!(modelled(all, [3, 5, 3, 0]), Ending::Exit(0));
    let beyond = "int main(int argc, char **argv) { return argv[argc + 1] != 0; }";
    assert_eq!(modelled(beyond, [1, 5]), Ending::Fault);
    let unused = "int main(int argc, char **argv) { (void)argc; (void)argv; return 3; }";
    assert_eq!(modelled(unused, []), Ending::Exit(3));
}

#[test]
fn a_variable_of_the_environment_stays_what_it_is() {
    let program =
        "int main(void) { char *a = getenv(\"A\"), *b = getenv(\"B\"); char name[] = \"A\";
                   if (getenv(name) != a) return 1; return a ? (int)(b == 0) * 2 : 3; }";
    assert_eq!(modelled(program, [1, 4, 0]), Ending::Exit(2));
    assert_eq!(modelled(program, [0, 0]), Ending::Exit(3));
}

#[test]
fn a_jump_is_remembered_and_nothing_more() {
    let program = "static jmp_buf b; int main(void) { return setjmp(b) == 0 ? 4 : 5; }";
    assert_eq!(modelled(program, []), Ending::Exit(4));
    let program = "static jmp_buf b; int main(void) { if (setjmp(b)) return 1; longjmp(b, 2); }";
    assert_eq!(modelled(program, []), Ending::Unknown);
}

#[derive(Debug, PartialEq, Eq)]
enum Ending {
    Fault,
    Exit(i32),
    Unknown,
}

/// How a program ends whose world gives these inputs.
fn modelled(text: &str, inputs: impl IntoIterator<Item = u128>) -> Ending {
    let source = Source::new("program.c", format!("#define _GNU_SOURCE\n{HEADERS}{text}"));
    let settings = Settings { world: World::Modelled, ..Settings::new(DataModel::Lp64) };
    let program = load(&[source], &settings).expect(text).program;
    // Bytes that nobody has written are letters, so that texts have the length that was drawn.
    let mut inputs = ListedInputs::new(inputs);
    for serial in 0..16 {
        inputs.bytes.extend((0..16).map(|offset| ((serial, offset), b'q')));
    }
    match run(&program, &Default::default(), Environment::silent(inputs)).outcome {
        Outcome::Fault(_) => Ending::Fault,
        Outcome::Exited(code) => Ending::Exit(code),
        Outcome::Aborted
        | Outcome::Returned
        | Outcome::AssumptionFailed
        | Outcome::Unsupported { .. }
        | Outcome::Limit(_) => Ending::Unknown,
    }
}

/// How a program ends under sanitizers, and what it prints; `None`, and a word about it, where there
/// is no compiler.
fn compiled(text: &str, flags: &[&str]) -> Option<(Ending, String)> {
    const FAULT: i32 = 77;
    let folder = Folder::new();
    let (file, program) = (folder.0.join("program.c"), folder.0.join("program"));
    std::fs::write(&file, format!("{HEADERS}{text}")).expect("a folder of our own");
    let mut compiler = Command::new("cc");
    compiler.args(["-O0", "-w", "-fsanitize=address", "-fno-builtin"]).args(flags);
    let done = compiler.arg(&file).arg("-o").arg(&program).output();
    if !done.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: `cc -fsanitize=address` does not work here");
        return None;
    }
    let options = format!("exitcode={FAULT}:detect_leaks=0");
    let output = Command::new(&program).env("ASAN_OPTIONS", options).output().expect("it runs");
    let ending = match output.status.code() {
        Some(code) if code != FAULT => Ending::Exit(code),
        Some(_) | None => Ending::Fault,
    };
    Some((ending, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// A folder that goes with its value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("heapwright-environment-{}-{number}", std::process::id());
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
