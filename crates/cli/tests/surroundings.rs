//! Functions without a body that may do anything, and functions without a program: wrong programs that
//! must not be proved.

use std::process::Command;

/// The verdict on a text, with some options.
fn verdict(options: &[&str], text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("unit.c");
    std::fs::write(&file, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_heapwright"));
    command.args(["check", "--json", "--timeout", "20s"]).args(options).arg(file);
    let output = command.output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let part = document["part"].as_str().unwrap_or_default();
    format!("{} {part}", document["verdict"].as_str().unwrap()).trim_end().to_owned()
}

fn external(text: &str) -> String {
    verdict(&["--external", "arbitrary"], &format!("#include <assert.h>\n{text}"))
}

#[test]
fn without_the_option_nothing_is_said() {
    assert_eq!(verdict(&[], "int f(void); int main(void) { return f(); }"), "unknown");
}

#[test]
fn a_result_is_any_number() {
    let text = "int f(void); int main(void) { int a[3] = {0}; return a[f() & 3]; }";
    assert_eq!(external(text), "violated valid-deref");
}

#[test]
fn a_result_may_be_null() {
    let text = "struct s { int n; }; struct s *f(void); int main(void) { return f()->n; }";
    assert_eq!(external(text), "violated valid-deref");
}

#[test]
fn an_object_behind_a_parameter_changes() {
    let text = "void f(int *p); int main(void) { int x = 1; f(&x); assert(x == 1); }";
    assert_eq!(external(text), "violated unreach-call");
}

#[test]
fn all_elements_behind_a_parameter_change() {
    let text = "void f(int *p, int count);\n\
                int main(void) { int x[4] = {0}; f(x, 4); assert(x[3] == 0); }";
    assert_eq!(external(text), "violated unreach-call");
}

#[test]
fn writing_more_than_there_is_is_a_fault() {
    let text = "void f(char *p, unsigned long size); int main(void) { char x[4]; f(x, 5); }";
    assert_eq!(external(text), "violated valid-deref");
}

#[test]
fn what_is_const_does_not_change() {
    let text = "void f(const int *p); int main(void) { int x = 1; f(&x); assert(x == 1); }";
    assert_eq!(external(text), "holds");
}

#[test]
fn unclear_extents_and_pointers_are_not_answered_for() {
    let bytes = "void f(char *p); int main(void) { char x[4] = {0}; f(x); assert(x[3] == 0); }";
    assert_eq!(external(bytes), "unknown");
    let nameless = "void f(int *, int); int main(void) { int x[2] = {0}; f(x, 2); assert(!x[1]); }";
    assert_eq!(external(nameless), "unknown");
    let pointers = "struct s { int *p; }; void f(struct s *);\n\
                    int main(void) { int n = 1; struct s s = {&n}; f(&s); assert(n == 1); }";
    assert_eq!(external(pointers), "unknown");
}

#[test]
fn arguments_take_every_value() {
    let text = "int f(int n) { int a[4] = {0}; if (n < 0 || n > 4) return 0; return a[n]; }";
    assert_eq!(verdict(&["--entry", "f"], text), "violated valid-deref");
}

#[test]
fn lists_have_a_third_node() {
    let text = "struct n { int v; struct n *next; };\n\
                int f(struct n *l) { if (l && l->next && l->next->next) return *(int *)0; return 0; }";
    assert_eq!(verdict(&["--entry", "f"], text), "violated valid-deref");
}

#[test]
fn memory_of_the_function_is_lost_and_that_of_the_caller_is_not() {
    let own = "void *malloc(unsigned long); void f(void) { malloc(4); }";
    assert_eq!(verdict(&["--entry", "f"], own), "violated valid-memtrack");
    let callers = "struct s { int *p; }; void f(struct s *s) { s->p = 0; }";
    assert_eq!(verdict(&["--entry", "f"], callers), "holds");
}

#[test]
fn globals_hold_what_they_start_with_or_anything() {
    let text = "int state; int f(void) { int a[2] = {0}; return a[state & 3]; }";
    assert_eq!(verdict(&["--entry", "f"], text), "holds");
    let arbitrary = ["--entry", "f", "--globals", "arbitrary"];
    assert_eq!(verdict(&arbitrary, text), "violated valid-deref");
}

#[test]
fn several_functions_give_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("unit.c");
    std::fs::write(&file, "int good(void) { return 1; }\nint bad(int *p) { return p ? 0 : *p; }\n")
        .unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_heapwright"));
    let output = command.args(["check", "--entry", "all"]).arg(file).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("violated  bad ") && lines[2] == "holds     good", "{text}");
    assert!(lines[1].ends_with(" runs fail"), "{text}");
    assert!(lines[3].starts_with("2 functions: 1 hold, 1 violated, 0 unknown"), "{text}");
    assert_eq!(output.status.code(), Some(10));
}
