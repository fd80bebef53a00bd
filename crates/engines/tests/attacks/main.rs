//! Small programs made to break a verifier: no engine proves a wrong one, none refutes a right one.

mod array_laws;
mod array_order;
mod arrays;
mod bytes_behind;
mod copies;
mod divisions;
mod grown_arrays;
mod handlers;
mod keys;
mod late_nodes;
mod lengths;
mod measured_trees;
mod node_sizes;
mod pointer_arrays;
mod right;
mod sorted_lists;
mod texts;
mod tries;
mod wide_texts;
mod wrong;

use std::time::Duration;

use heapwright_engine::{Deadline, Run, Task};
use heapwright_engines::{EngineOptions, engines, engines_on_request};
use heapwright_frontend::{Settings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::Specification;
use heapwright_verdict::{Verdict, conclude};

const PRELUDE: &str = r#"
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void *calloc(size_t, size_t);
extern void *realloc(void *, size_t); extern void free(void *);
extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);
extern void *memset(void *, int, size_t); extern int memcmp(const void *, const void *, size_t);
extern size_t strlen(const char *); extern char *strcpy(char *, const char *);
extern char *strncpy(char *, const char *, size_t); extern char *strcat(char *, const char *);
extern char *strtok(char *, const char *); extern char *strchr(const char *, int);
extern int strcmp(const char *, const char *); extern int atexit(void (*)(void));
extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void); extern void reach_error(void); extern void exit(int);
#define N __VERIFIER_nondet_int()
#define RARE (N == 987654321)
#define E reach_error()
"#;

/// Time for an engine to look at a program.
const TIME: Duration = Duration::from_millis(400);

/// What each engine alone says of a program.
fn verdicts(body: &str) -> Vec<(&'static str, Verdict)> {
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let program = load(&[source], &Settings::new(DataModel::Lp64)).expect(body).program;
    let specification = Specification::everyday();
    let task = Task { program, specification, malloc_may_fail: false };
    let options = EngineOptions::default();
    let mut all = engines(&options);
    all.extend(engines_on_request(&options));
    let asked = all.iter().map(|engine| {
        let deadline = Deadline::after(TIME);
        let finding = engine.run(&task, &Run::alone(&deadline));
        (engine.name(), conclude(&task, finding, &Deadline::after(TIME)))
    });
    asked.collect()
}

/// No engine proves one of the wrong programs.
fn wrong(programs: &[&str]) {
    for program in programs {
        for (engine, verdict) in verdicts(program) {
            assert!(!matches!(verdict, Verdict::Holds(_)), "{engine} proves {program}");
        }
    }
}

/// No engine refutes one of the right programs.
fn right(programs: &[&str]) {
    for program in programs {
        for (engine, verdict) in verdicts(program) {
            assert!(!matches!(verdict, Verdict::Violated(_)), "{engine} refutes {program}");
        }
    }
}

#[test]
fn bit_fields() {
    wrong(wrong::BIT_FIELDS);
    right(right::BIT_FIELDS);
}

#[test]
fn unions_padding_and_flexible_members() {
    wrong(wrong::UNIONS_AND_PADDING);
    right(right::UNIONS_AND_PADDING);
}

#[test]
fn function_pointers() {
    wrong(wrong::FUNCTION_POINTERS);
    right(right::FUNCTION_POINTERS);
}

#[test]
fn recursion() {
    wrong(wrong::RECURSION);
    right(right::RECURSION);
}

#[test]
fn switches_and_jumps() {
    wrong(wrong::JUMPS);
    right(right::JUMPS);
}

#[test]
fn compound_literals_variable_lengths_and_arguments() {
    wrong(wrong::LITERALS_AND_SCOPES);
    right(right::LITERALS_AND_SCOPES);
}

#[test]
fn widths_signs_and_floats() {
    wrong(wrong::NUMBERS);
    right(right::NUMBERS);
}

#[test]
fn addresses() {
    wrong(wrong::ADDRESSES);
    right(right::ADDRESSES);
}

#[test]
fn sizes_that_are_inputs() {
    wrong(wrong::SIZES);
    right(right::SIZES);
}

#[test]
fn strings_and_sorting() {
    wrong(wrong::STRINGS);
    right(right::STRINGS);
}

#[test]
fn constants_and_structs_by_value() {
    wrong(wrong::CONSTANTS_AND_VALUES);
    right(right::CONSTANTS_AND_VALUES);
}

#[test]
fn reallocation_and_exits() {
    wrong(wrong::LIVES);
    right(right::LIVES);
}

#[test]
fn lists() {
    wrong(wrong::LISTS);
    right(right::LISTS);
}

#[test]
fn equal_literals_that_have_to_be_one_are_neither_proved_nor_refuted() {
    let program = r#"int main(void) { const char *a = "one", *b = "one"; if (a != b) E; }"#;
    wrong(&[program]);
    right(&[program]);
}
