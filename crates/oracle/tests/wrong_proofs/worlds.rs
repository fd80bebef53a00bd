//! Proofs that rest on one implementation's choices, or on numbers that machines round differently.

use heapwright_engine::{NoEvidence, replay_violates};
use heapwright_oracle::{Problem, QueueName};

use crate::claim::{Claim, refuted_by, run, task};

/// Programs that go wrong where the implementation decides otherwise than in the plainest world, with
/// what is decided.
const CHOSEN: [(&str, &str); 6] = [
    (
        "Address",
        "int *p = malloc(4); free(p); int *q = malloc(4); if (p == q) reach_error(); free(q);",
    ),
    (
        "Address",
        "int *p = malloc(9), *q; unsigned long n = (unsigned long)p;
        q = realloc(p, 5); if (n == (unsigned long)q) reach_error(); free(q);",
    ),
    // The block before the last that died, by the bytes of its address.
    (
        "Address",
        "int *p = malloc(4), *r = malloc(4); int *o = p; free(p); free(r);
        int *q = malloc(4); int same = memcmp(&o, &q, sizeof q) == 0; free(q);
        if (same) reach_error();",
    ),
    ("Literals", "const char *a = \"ab\", *b = \"ab\"; if (a != b) reach_error();"),
    ("Null", "void *p = malloc(0); if (p == 0) reach_error(); free(p);"),
    ("Block", "int *p = malloc(4); p = realloc(p, 0); if (p != 0) reach_error(); free(p);"),
];

fn chosen_program(body: &str) -> String {
    format!(
        "typedef unsigned long size_t;
        void *malloc(size_t); void *realloc(void *, size_t); void free(void *);
        int memcmp(const void *, const void *, size_t); void reach_error(void);
        int main(void) {{ {body} return 0; }}"
    )
}

#[test]
fn a_proof_has_to_stand_what_the_implementation_decides() {
    for (decided, body) in CHOSEN {
        let task = task(&chosen_program(body));
        let refutation = run(&task, &mut NoEvidence).refutation.expect(body);
        assert_eq!(refutation.queue, QueueName::WholeRuns, "{body}");
        assert!(refutation.is_violation, "{body}: {refutation}");
        let kinds: Vec<String> =
            refutation.inputs.iter().map(|input| format!("{:?}", input.kind)).collect();
        assert!(kinds.iter().any(|kind| kind.contains(decided)), "{body}: {kinds:?}");
        assert!(replay_violates(&task, &refutation.inputs), "{body}: {kinds:?}");
    }
}

#[test]
fn what_no_implementation_does_refutes_nothing() {
    let bodies = [
        "int *p = malloc(4), *q = malloc(4); if (p == q) reach_error(); free(p); free(q);",
        "const char *a = \"ab\", *b = \"ac\"; if (a == b) reach_error();",
        "void *p = malloc(1); if (p == 0) reach_error(); free(p);",
        "int *p = malloc(4), *q; free(p); q = malloc(4); if (q == p) { *q = 1; } free(q);",
    ];
    for body in bodies {
        let examination = run(&task(&chosen_program(body)), &mut NoEvidence);
        assert!(examination.refutation.is_none(), "{body}: {:?}", examination.refutation);
    }
}

#[test]
fn choices_are_counted_where_there_are_some() {
    let with = "int *p = malloc(4), *q; free(p); q = malloc(4); if (q == p) { *q = 1; } free(q);";
    let examination = run(&task(&chosen_program(with)), &mut NoEvidence);
    assert!(examination.runs_in_other_worlds >= 3, "{examination:?}");
    assert!(examination.summary().contains("where the implementation chooses otherwise"));
    let without = "int *p = malloc(4); free(p);";
    let examination = run(&task(&chosen_program(without)), &mut NoEvidence);
    assert_eq!((examination.runs, examination.runs_in_other_worlds), (1, 0));
}

#[test]
fn a_state_is_run_on_under_other_choices_too() {
    // Only the second block of the loop can lie where another one died.
    let text = "
        typedef unsigned long size_t;
        void *malloc(size_t); void free(void *); void reach_error(void);
        int main(void) {
            int *last = 0, *p;
            int i = 0, n = 0;
            while (i < n) {
                p = malloc(4); last = p; free(p); p = malloc(4);
                if (p == last) reach_error();
                free(p); i = i + 1;
            }
            return 0;
        }";
    let task = task(text);
    // No run comes into the loop.
    let mut claim = Claim { samples: vec![(0, 0), (0, 9), (1, 9)], ..Claim::of(&task.program) };
    let (queue, problem, is_violation) = refuted_by(&task, &mut claim);
    assert!(matches!(queue, QueueName::SmallStates | QueueName::PerturbedStates), "{queue}");
    assert!(matches!(problem, Problem::Violation(_)) && !is_violation, "{problem}");
}

#[test]
fn what_machines_round_differently_refutes_and_contains_nothing() {
    let text = "
        double sin(double); void reach_error(void);
        int main(void) {
            int i = 0, n = 3;
            if (sin(1.0) > 0.5) reach_error();
            while (i < n) { i = i + 1; }
            return 0;
        }";
    let task = task(text);
    let mut claim = Claim { most: -1, ..Claim::of(&task.program) };
    let examination = run(&task, &mut claim);
    assert!(examination.refutation.is_none(), "{:?}", examination.refutation);
    assert_eq!(examination.contained, 0);
    assert!(examination.doubt.is_some_and(|doubt| doubt.contains("round")));
}
