//! Violations are shown with small inputs.

use heapwright_engine::{Deadline, Finding, Task};
use heapwright_frontend::{Settings, Source, load};
use heapwright_interpreter::{DrawnInput, InputKind};
use heapwright_program::{DataModel, Place, ScalarType};
use heapwright_property::Specification;
use heapwright_verdict::{Verdict, conclude};

/// The numbers that are left of these, where the program fails with them.
fn shrunk(body: &str, numbers: &[i32]) -> Vec<i32> {
    let text = format!("extern int __VERIFIER_nondet_int(void); int main(void) {{ {body} }}");
    let settings = Settings::new(DataModel::Lp64);
    let program = load(&[Source::new("test.c", text)], &settings).unwrap().program;
    let task = Task { program, specification: Specification::everyday(), malloc_may_fail: false };
    let place = Place { file: task.program.files.ids().next().unwrap(), line: 1, column: 1 };
    let input = |&number: &i32| DrawnInput {
        kind: InputKind::Nondeterministic("__VERIFIER_nondet_int".into()),
        ty: ScalarType::INT,
        bits: u128::from(number as u32),
        place,
    };
    let finding = Finding::Refuted(numbers.iter().map(input).collect());
    match conclude(&task, finding, &Deadline::never()) {
        Verdict::Violated(violation) => {
            violation.inputs().iter().map(|input| input.bits as u32 as i32).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_does_not_matter_becomes_zero() {
    let body = "int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); int x[2] = { a, 0 };
        if (b == 4711) return x[b]; return a;";
    assert_eq!(shrunk(body, &[-893_937_258, 4711]), [0, 4711]);
}

#[test]
fn numbers_become_as_small_as_the_failure_allows() {
    let body = "int n = __VERIFIER_nondet_int(); char a[8]; for (int i = 0; i < n; i++) a[i] = 0;";
    assert_eq!(shrunk(body, &[1_000_000]), [9]);
    let body = "int n = __VERIFIER_nondet_int(); char a[8]; if (n < -20) a[n] = 0;";
    assert_eq!(shrunk(body, &[-1_000_000]), [-21]);
}

#[test]
fn fewer_rounds_draw_fewer_inputs() {
    let body = "int *p = 0; while (__VERIFIER_nondet_int() < 10) ; return *p;";
    assert_eq!(shrunk(body, &[3, 3, 3, 99]).last(), Some(&10));
}

#[test]
fn another_failure_is_not_taken_for_this_one() {
    let body = "int a = __VERIFIER_nondet_int(); int *p = 0; if (a == 0) return *p;
        int x[2] = { 0, 0 }; return x[a];";
    assert_eq!(shrunk(body, &[77]), [2]);
}
