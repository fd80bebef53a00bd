//! Witnesses that we write are confirmed by `validate`; changed ones are not.

use std::path::Path;

use crate::{example, heapwright, written};

/// Goes wrong only with a 7 and then a number above 7.
pub(crate) const TWO_INPUTS: &str = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int one = __VERIFIER_nondet_int();
    int *p = &one;
    if (one == 7) {
        int other = __VERIFIER_nondet_int();
        if (other > one)
            p = 0;
    }
    return *p;
}
";

/// What `validate` says of this text, and its exit code.
fn validated(witness: &str, name: &str, program: &Path) -> (String, Option<i32>) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(name);
    std::fs::write(&file, witness).expect("writable");
    let (file, program) = (file.display().to_string(), program.display().to_string());
    let output = heapwright(&["validate", "--timeout", "60s", &file, &program]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (String::from_utf8_lossy(&output.stdout).into_owned() + &errors, output.status.code())
}

fn two_inputs(folder: &Path) -> std::path::PathBuf {
    let file = folder.join("inputs.c");
    std::fs::write(&file, TWO_INPUTS).expect("writable");
    file
}

#[test]
fn violations_that_we_write_are_confirmed() {
    let folder = tempfile::tempdir().expect("a folder");
    let programs = [example("use_after_free.c"), example("lost_head.c"), two_inputs(folder.path())];
    for program in programs {
        for name in ["witness.yml", "witness.graphml"] {
            let witness = written(&program, "--witness", name);
            let (text, code) = validated(&witness, name, &program);
            assert_eq!(code, Some(0), "{}: {text}\n{witness}", program.display());
        }
    }
}

#[test]
fn results_of_calls_are_told_at_their_closing_parentheses() {
    let folder = tempfile::tempdir().expect("a folder");
    let witness = written(&two_inputs(folder.path()), "--witness", "witness.yml");
    assert!(witness.contains("value: \\result == 7"), "{witness}");
    assert!(witness.contains("line: 3\n          column: 37"), "{witness}");
}

#[test]
fn a_violation_elsewhere_is_not_confirmed() {
    let program = example("use_after_free.c");
    let witness = written(&program, "--witness", "witness.yml");
    let elsewhere = witness.replace("line: 29", "line: 27");
    assert_ne!(elsewhere, witness);
    assert_eq!(validated(&elsewhere, "witness.yml", &program).1, Some(20));
}

#[test]
fn a_violation_of_what_holds_is_rejected() {
    let program = example("use_after_free.c");
    let witness = written(&program, "--witness", "witness.yml");
    let right = example("list_of_any_length.c");
    let of_right = witness.replace("use_after_free.c", "list_of_any_length.c");
    assert_eq!(validated(&of_right, "witness.yml", &right).1, Some(10));
}

/// Two loops with something to say: `last` is null exactly when `head` is.
const ENDS: &str = "\
#include <stdlib.h>
struct node { struct node *next; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
    struct node *head = 0, *last = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = 0;
        if (last)
            last->next = node;
        else
            head = node;
        last = node;
    }
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
";

#[test]
fn invariants_that_we_write_are_confirmed_and_others_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("ends.c");
    std::fs::write(&program, ENDS).expect("writable");
    let witness = written(&program, "--witness", "witness.yml");
    let said = "(head != 0 && last != 0) || (head == 0 && last == 0)";
    assert!(witness.contains(said), "{witness}");
    let (text, code) = validated(&witness, "witness.yml", &program);
    assert_eq!(code, Some(0), "{text}");
    let wrong = witness.replace(said, "head != 0");
    assert_eq!(validated(&wrong, "witness.yml", &program).1, Some(10));
}

#[test]
fn a_proof_of_which_c_can_say_nothing_is_confirmed_by_another() {
    let program = example("list_of_any_length.c");
    let witness = written(&program, "--witness", "witness.yml");
    assert!(witness.contains("content: []"), "{witness}");
    let (text, code) = validated(&witness, "witness.yml", &program);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn what_is_no_witness_is_bad_input() {
    let program = example("use_after_free.c");
    assert_eq!(validated("x: [", "witness.yml", &program).1, Some(30));
    assert_eq!(validated("<a/>", "witness.graphml", &program).1, Some(30));
}
