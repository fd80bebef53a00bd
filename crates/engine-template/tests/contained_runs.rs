//! Runs of the interpreter are contained in the formula: with the run's inputs fixed and no cut
//! passed, the formula can be satisfied, and gives the value that the run returned and no other.

use std::collections::VecDeque;

use heapwright_engine::{Task, run_settings};
use heapwright_engine_template::analysis::inlined::Calls;
use heapwright_engine_template::ssa::formula::{Formula, InputKind, Version};
use heapwright_engine_template::ssa::{BuildSettings, Preparation};
use heapwright_frontend::{Settings, Source, load};
use heapwright_interpreter::{Environment, InputKind as DrawnKind, Outcome, SeededInputs, run};
use heapwright_logic::{Model, TermId, Value};
use heapwright_program::DataModel;
use heapwright_property::{Property, Specification};
use heapwright_solver::{Deadline, EmbeddedSolver, SmtSolver};

const PRELUDE: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void *calloc(size_t, size_t); extern void free(void *);
extern void *memset(void *, int, size_t); extern void *memcpy(void *, const void *, size_t);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
struct node { struct node *next; int value; };
";

/// Rounds of loops, and depth of recursion.
const COPIES: u32 = 6;

fn task(body: &str, model: DataModel) -> Task {
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let program = load(&[source], &Settings::new(model)).expect("the program is correct").program;
    let specification = Specification::of_property(Property::UnreachCall);
    Task { program, specification, malloc_may_fail: false }
}

/// Checks some runs of a program that assigns what it returns to `status`; how many of them the
/// formula is long enough for.
fn contained(body: &str, model: DataModel) -> usize {
    let task = task(body, model);
    let preparation = Preparation::of(&task, Calls::Inlined { depth: COPIES })
        .expect("the program can be inlined");
    let settings = BuildSettings { copies: COPIES, ..BuildSettings::default() };
    let mut formula = preparation.formula(&task, settings);
    let mut first = preparation.formula_from_start(&task, settings);
    assert!(formula.unsupported.is_empty(), "{:?}", formula.unsupported);
    let mut is_in_both = |&seed: &u64| {
        let is_long_enough = is_contained(&task, &mut formula, seed);
        assert_eq!(is_contained(&task, &mut first, seed), is_long_enough);
        is_long_enough
    };
    (0..12).filter(|seed| is_in_both(seed)).count()
}

fn is_contained(task: &Task, formula: &mut Formula, seed: u64) -> bool {
    let mut settings = run_settings(task);
    settings.record_inputs = true;
    let report = run(&task.program, &settings, Environment::silent(SeededInputs::new(seed)));
    let Outcome::Exited(status) = report.outcome else { panic!("{:?}", report.outcome) };
    let (mut model, fixed) = fix_inputs(formula, &report.inputs_drawn);
    let Some(last) = last_status(formula, &mut model) else { return false };

    let mut solver = EmbeddedSolver::new();
    for &constraint in &formula.constraints {
        solver.assert(&formula.terms, constraint);
    }
    let from_start = formula.is_from_start();
    for condition in fixed.into_iter().chain([from_start, last.guard]) {
        solver.assert(&formula.terms, condition);
    }
    let width = formula.terms.width(last.term);
    let expected = formula.terms.bit_vector(status as u32 as u128, width);
    let agrees = formula.terms.equal(last.term, expected);
    let differs = formula.terms.not(agrees);
    let deadline = Deadline::never();
    let contained = solver.check(&formula.terms, &[agrees], &deadline);
    assert!(contained.is_sat(), "seed {seed}: the run is not in the formula");
    let other = solver.check(&formula.terms, &[differs], &deadline);
    assert!(other.is_unsat(), "seed {seed}: the formula allows another result than {status}");
    true
}

/// Gives the inputs that the run executes their values, in order.
fn fix_inputs(
    formula: &mut Formula,
    drawn: &[heapwright_interpreter::DrawnInput],
) -> (Model, Vec<TermId>) {
    let mut values: VecDeque<u128> = VecDeque::new();
    let mut variables: VecDeque<u128> = VecDeque::new();
    for input in drawn {
        match input.kind {
            DrawnKind::Nondeterministic(_) => values.push_back(input.bits),
            DrawnKind::UninitialisedVariable(_) => variables.push_back(input.bits),
            _ => {}
        }
    }
    let mut model = Model::new();
    let mut fixed = Vec::new();
    for input in formula.inputs.clone() {
        if !model.satisfies(&formula.terms, input.guard) {
            continue;
        }
        let queue = match input.kind {
            InputKind::Nondeterministic(_) => &mut values,
            InputKind::Uninitialised(_) => &mut variables,
            InputKind::AllocationFails => continue,
        };
        let Some(bits) = queue.pop_front() else { break };
        let width = formula.terms.width(input.value);
        let value = heapwright_logic::BitVectorValue::new(bits, width);
        if formula.terms.as_variable(input.value).is_some() {
            model.set(input.value, Value::BitVector(value));
        }
        let constant = formula.terms.constant(value);
        fixed.push(formula.terms.equal(input.value, constant));
    }
    (model, fixed)
}

/// The last executed assignment of `status`.
fn last_status(formula: &Formula, model: &mut Model) -> Option<Version> {
    let versions = formula.versions.iter().rev();
    let mut named = versions.filter(|version| version.name.starts_with("status#"));
    named.find(|version| model.satisfies(&formula.terms, version.guard)).cloned()
}

fn all_contained(body: &str) {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        assert!(contained(body, model) >= 6, "too few runs are short enough to compare");
    }
}

#[test]
fn lists() {
    all_contained(
        "int main(void) {
            struct node *head = 0; int n = __VERIFIER_nondet_uint() % 5, status = 0;
            for (int i = 0; i < n; i++) {
                struct node *fresh = malloc(sizeof *fresh);
                fresh->value = __VERIFIER_nondet_uint() % 8; fresh->next = head; head = fresh;
            }
            for (struct node *p = head; p; p = p->next) p->value += 1;
            for (struct node *p = head; p; p = p->next) status = status * 3 + p->value;
            while (head) { struct node *next = head->next; free(head); head = next; }
            status = status % 100;
            return status;
        }",
    );
}

#[test]
fn walks_that_keep_what_they_saw() {
    // Five values of one site at once, with two pointers: a count of pointers would not do.
    all_contained(
        "int main(void) {
            struct node *head = 0, *p; int status;
            for (int i = 0; i < 5; i++) {
                struct node *fresh = malloc(sizeof *fresh);
                fresh->value = i; fresh->next = head; head = fresh;
            }
            p = head; int a = p->value; p = p->next; int b = p->value; p = p->next;
            int c = p->value; p = p->next; int d = p->value; p = p->next; int e = p->value;
            status = a + 3 * b + 5 * c + 7 * d + 11 * e;
            return status;
        }",
    );
}

#[test]
fn arrays_and_strings() {
    all_contained(
        "static int table[4] = {3, 1, 4, 1};
        int main(void) {
            int local[5]; const char *text = \"heap\"; int status = 0;
            unsigned k = __VERIFIER_nondet_uint() % 5;
            for (unsigned i = 0; i < 5; i++) local[i] = i * i;
            local[k] = 7; table[k % 4] += 2;
            for (unsigned i = 0; i < 4; i++) status += local[i] * table[i] + text[i] % 3;
            return status;
        }",
    );
}

#[test]
fn order_and_distance_before_in_and_behind_a_block() {
    all_contained(
        "int main(void) {
            int a[4]; int status = 0;
            int *p = a + (int)(__VERIFIER_nondet_uint() % 8) - 2;
            int *q = a + (int)(__VERIFIER_nondet_uint() % 8) - 2;
            status = (p < q) + 2 * (p <= q) + 4 * (p == q) + 8 * (p - q + 10);
            status += 128 * (p >= a) + 256 * ((char *)p - (char *)q > 0) + 512 * !p;
            return status;
        }",
    );
}

#[test]
fn moves_of_a_pointer_that_add_up_to_nothing() {
    all_contained(
        "int main(void) {
            char a[4] = {5, 6, 7, 8}; char *p = a; int status = 0;
            unsigned k = __VERIFIER_nondet_uint() % 3;
            for (unsigned i = 0; i < k; i++) p += 0x40000000;
            for (unsigned i = 0; i < k; i++) p -= 0x3fffffff;
            status = *p + 10 * (p - a);
            return status;
        }",
    );
}

#[test]
fn structs_pointers_and_bit_fields() {
    all_contained(
        "struct inner { char a; short b; }; struct outer { int x; struct inner in; unsigned f : 3; unsigned g : 5; };
        static void set(struct outer *o, int v) { o->in.b = v; o->f = v; o->g = v * 3; }
        int main(void) {
            struct outer one = {1, {2, 3}, 4, 5}, two; int status, x = 4, *p = &x;
            set(&one, __VERIFIER_nondet_uint() % 40); two = one; two.in.a = 9;
            *p += 2; struct inner *in = &two.in; in->b++;
            status = one.in.a + two.in.a + two.in.b + two.f + two.g + one.x + x;
            return status;
        }",
    );
}

#[test]
fn branches_functions_and_pointers_to_them() {
    all_contained(
        "static int twice(int x) { return 2 * x; } static int less(int x) { return x - 1; }
        static int (*table[2])(int) = {twice, less}; static int calls;
        static int apply(int (*f)(int), int x) { calls++; return f(x); }
        int main(void) {
            int x = __VERIFIER_nondet_uint() % 9, status = 0;
            switch (x) { case 0: status = 5; break; case 1: case 2: status = 6; default: status += x; }
            int (*f)(int) = x > 3 ? twice : less;
            status += apply(f, x) + apply(table[x & 1], 3) + calls;
            if (status < 0) status = -status;
            do { status -= 2; } while (status > 40);
            status = status & 63;
            return status;
        }",
    );
}

#[test]
fn scopes_in_loops() {
    all_contained(
        "static int take(int *p) { int old = *p; *p = 0; return old; }
        int main(void) {
            int status = 0; unsigned n = __VERIFIER_nondet_uint() % 5;
            for (unsigned i = 0; i < n; i++) {
                int y = i + 1, z[2] = {1, 2}; int *q = i & 1 ? &y : &z[1];
                *q += 3; status += take(&y) + z[1] + y;
            }
            return status;
        }",
    );
}

#[test]
fn blocks_of_many_sizes() {
    all_contained(
        "int main(void) {
            int status = 0; unsigned n = 1 + __VERIFIER_nondet_uint() % 4;
            unsigned *a = calloc(n, sizeof *a); unsigned char *b = malloc(8);
            memset(b, 0, 8);
            for (unsigned i = 0; i < n; i++) { a[i] += i + 1; b[i] = a[i]; }
            struct node *s = malloc(sizeof *s); struct node t = {0, 5};
            memcpy(s, &t, sizeof t); s->next = s;
            for (unsigned i = 0; i < n; i++) status += a[i] + b[i] + s->next->value;
            free(a); free(b); free(s);
            return status;
        }",
    );
}

#[test]
fn lists_inside_lists_with_members_taken_back() {
    all_contained(
        "struct link { struct link *next, *previous; };
        struct item { int value; struct link link; };
        static struct link head = {&head, &head};
        int main(void) {
            int status = 0; unsigned n = __VERIFIER_nondet_uint() % 4;
            for (unsigned i = 0; i < n; i++) {
                struct item *fresh = malloc(sizeof *fresh);
                fresh->value = i + 1; fresh->link.next = head.next; fresh->link.previous = &head;
                head.next->previous = &fresh->link; head.next = &fresh->link;
            }
            for (struct link *p = head.next; p != &head; p = p->next) {
                struct item *it = (struct item *)((char *)p - __builtin_offsetof(struct item, link));
                status = 2 * status + it->value;
            }
            return status;
        }",
    );
}

#[test]
fn recursion_on_numbers_and_through_pointers() {
    all_contained(
        "static int calls;
        static int odd(int n); static int even(int n) { calls++; return n <= 0 ? 1 : odd(n - 1); }
        static int odd(int n) { return n <= 0 ? 0 : 2 * even(n - 1); }
        static void deep(int n, int *out) {
            int x = n, y[2] = {n, 3}; if (n > 0) { deep(n - 1, n & 1 ? &x : &y[1]); }
            *out += x + 2 * y[0] + y[1];
        }
        int main(void) {
            int n = __VERIFIER_nondet_uint() % 5, status = even(n), z = 1;
            deep(n, &z); status = (status + 3 * z + calls) % 100;
            return status;
        }",
    );
}

#[test]
fn recursion_on_lists() {
    all_contained(
        "static struct node *build(int n) {
            if (n <= 0) return 0;
            struct node *x = malloc(sizeof *x); x->value = __VERIFIER_nondet_uint() % 4;
            x->next = build(n - 1); return x;
        }
        static int fold(struct node *p) { return p ? 2 * fold(p->next) + p->value : 1; }
        static void drop(struct node *p) { if (p) { drop(p->next); free(p); } }
        int main(void) {
            int n = __VERIFIER_nondet_uint() % 5, status;
            struct node *list = build(n);
            status = fold(list); drop(list); status = status % 90;
            return status;
        }",
    );
}
