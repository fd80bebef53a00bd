//! Functions with calling contexts and summaries: what is found of them, and what must not be claimed.
//! The small programs follow the examples of the thesis on 2LS (2.5 and 3.7) in other words.

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Finding, Proof, Run, Task};
use heapwright_engine_template::analysis::inlined::Calls;
use heapwright_engine_template::ssa::{BuildSettings, Preparation, text};
use heapwright_engine_template::{CallStyle, Settings, TemplateEngine};
use heapwright_frontend::{Settings as SourceSettings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::{Property, Specification};

const PRELUDE: &str = "
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
struct node { int val; struct node *next; };
";

fn task(source: &str, property: Property) -> Task {
    let sources = [Source::new("test.c", format!("{PRELUDE}{source}").into_bytes())];
    let program = load(&sources, &SourceSettings::new(DataModel::Lp64)).expect("C").program;
    let specification = Specification::of_property(property);
    Task { program, specification, malloc_may_fail: false }
}

fn find(task: &Task, calls: CallStyle, domains: Option<&str>) -> Finding {
    let domains = domains.map(|names| names.split(',').map(str::to_owned).collect());
    // Invariants only: with one round, hardly anything is decided by looking at executions.
    let settings = Settings { calls, domains, most_copies: 1, ..Settings::default() };
    let deadline = Deadline::after(Duration::from_secs(60));
    TemplateEngine { settings }.run(task, &Run::alone(&deadline))
}

/// The proof, checked again, that summaries give.
fn proved(source: &str, domains: &str) -> Box<dyn Proof> {
    let task = task(source, Property::UnreachCall);
    match find(&task, CallStyle::Summaries, Some(domains)) {
        Finding::Proved(proof) => {
            proof.check(&task, &Deadline::never()).expect("a proof that holds");
            proof
        }
        Finding::Refuted(inputs) => panic!("refuted with {inputs:?}"),
        Finding::Open(reasons) => panic!("open: {reasons:?}"),
    }
}

/// Whether a line stands in the invariants about a place.
#[track_caller]
fn says(proof: &dyn Proof, place: &str, line: &str) {
    let invariants = proof.invariants();
    let about = invariants.iter().find(|text| text.starts_with(&format!("{place}:")));
    let about = about.unwrap_or_else(|| panic!("nothing about {place} in {invariants:#?}"));
    assert!(about.lines().any(|text| text.trim() == line), "{about}");
}

/// Not proved, however calls are treated.
fn never_proved(property: Property, source: &str) {
    let task = task(source, property);
    for calls in [CallStyle::Summaries, CallStyle::Mixed] {
        if let Finding::Proved(proof) = find(&task, calls, None) {
            panic!("{calls:?}: a wrong proof: {}", proof.summary());
        }
    }
}

#[test]
fn a_summary_is_about_the_context_of_the_calls() {
    let proof = proved(
        "static int difference(int x, int y) { return y - x; }
        int main(void) {
            int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
            if (a < -9 || a > 0 || b < 0 || b > 7) return 0;
            int c = difference(a, b), d = difference(-1, b);
            if (c < 0 || d < 0 || d > 16) reach_error();
        }",
        "intervals,zones",
    );
    says(&*proof, "calls of difference", "difference::x <= 0");
    says(&*proof, "calls of difference", "difference::x >= -9");
    says(&*proof, "summary of difference", "difference::result >= 0");
}

#[test]
fn a_function_is_in_the_formula_once() {
    let source = "static void add(int *sum, int k) { *sum += k; }
        int main(void) { int x = 0, y = 0; add(&x, 1); add(&x, 2); add(&y, 3); return x + y; }";
    let task = task(source, Property::UnreachCall);
    let preparation = Preparation::of(&task, Calls::Summarised).expect("a small program");
    let formula = preparation.formula(&task, BuildSettings::default());
    let functions = formula.functions.as_slice();
    assert_eq!(functions.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["add"]);
    assert_eq!(functions[0].calls.len(), 3);
}

/// What a function gets and leaves: thesis, figure 2.3 in other words.
#[test]
fn parameters_and_globals_are_bound_at_a_call() {
    let source = "static int total; static int add(int x, int y) { total += x; return x + y; }
        int main(void) {
            int a = __VERIFIER_nondet_int(), c = add(a, 2);
            if (c != total + 2) reach_error(); }";
    let task = task(source, Property::UnreachCall);
    let preparation = Preparation::of(&task, Calls::Summarised).expect("a small program");
    let formula = preparation.formula(&task, BuildSettings::default());
    let text = text::display(&formula, &task.program);
    let at = text.find("function add").expect("a function");
    let end = text.find("unreach-call at").expect("an obligation");
    let lines: Vec<&str> =
        text[at..end].lines().map(str::trim).filter(|line| !line.contains("test.c")).collect();
    let expected = [
        "entered enter@add",
        "returns enter@add",
        "returns return@add()",
        "input total: inside total@add",
        "call 0: 0",
        "input add::x: inside add::x@add",
        "call 0: a#in",
        "input add::y: inside add::y@add",
        "call 0: 2",
        "output total: inside total#",
        "call 0: total@add()",
        "output add::result: inside add::result#",
        "call 0: add::result@add()",
    ];
    assert_eq!(lines, expected, "{text}");
}

#[test]
fn a_node_is_chained_through_a_pointer_to_the_list() {
    let proof = proved(
        "static void chain(struct node **list) {
            struct node *fresh = malloc(sizeof *fresh);
            fresh->val = 3; fresh->next = *list; *list = fresh;
        }
        int main(void) {
            struct node *list = 0;
            while (__VERIFIER_nondet_int()) chain(&list);
            for (struct node *p = list; p; p = p->next) if (p->val != 3) reach_error();
        }",
        "shape,intervals,equalities",
    );
    says(&*proof, "calls of chain", "chain::list == &list");
    says(&*proof, "summary of chain", "list.@0:ptr == &dynamic_object$0");
    says(&*proof, "summary of chain", "new dynamic_object$0.val@0:i32 <= 3");
    says(
        &*proof,
        "summary of chain",
        "old dynamic_object$0.val@0:i32 == dynamic_object$0.val@0:i32",
    );
}

#[test]
fn a_list_that_was_there_is_walked_and_changed() {
    let proof = proved(
        "static struct node *cons(int v, struct node *l) {
            struct node *x = malloc(sizeof *x); x->val = v; x->next = l; return x;
        }
        static void clamp(struct node *p) {
            for (; p; p = p->next) if (p->val > 9) p->val = 9;
        }
        int main(void) {
            struct node *list = 0;
            while (__VERIFIER_nondet_int()) {
                int x = __VERIFIER_nondet_int();
                if (x >= 0 && x < 100) list = cons(x, list);
            }
            clamp(list);
            for (struct node *p = list; p; p = p->next) if (p->val < 0 || p->val > 99) reach_error();
        }",
        "shape,intervals,equalities",
    );
    says(&*proof, "calls of clamp", "dynamic_object$0.val@0:i32 <= 99");
    says(
        &*proof,
        "calls of clamp",
        "dynamic_object$0.next@8:ptr == NULL || dynamic_object$0.next@8:ptr == &dynamic_object$0",
    );
}

#[test]
fn recursion_on_numbers_has_an_exact_summary() {
    let proof = proved(
        "static int count(int n) { return n <= 0 ? 0 : 1 + count(n - 1); }
        int main(void) {
            int n = __VERIFIER_nondet_int(), c = count(n);
            if (n > 0 && c != n) reach_error();
        }",
        "intervals,equalities",
    );
    says(&*proof, "summary of count", "old count::n == count::result, if `0 <s old count::n`");
}

#[test]
fn recursion_adds_two_numbers() {
    let proof = proved(
        "static int add(int n, int m) { if (n <= 0) return m + n; return add(n - 1, m + 1); }
        int main(void) {
            int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
            if (add(a, b) != a + b) reach_error();
        }",
        "sums",
    );
    says(&*proof, "summary of add", "add::result - old add::n - old add::m == 0");
}

#[test]
fn recursion_builds_and_walks_a_list() {
    proved(
        "static struct node *build(int n) {
            if (n <= 0) return 0;
            struct node *x = malloc(sizeof *x);
            x->val = 5; x->next = build(n - 1); return x;
        }
        static int good(struct node *p) { return !p || (p->val == 5 && good(p->next)); }
        int main(void) { if (!good(build(__VERIFIER_nondet_int()))) reach_error(); }",
        "shape,intervals,equalities,values",
    );
}

#[test]
fn mutual_recursion() {
    proved(
        "static int odd(int n);
        static int even(int n) { if (n <= 0) return 1; return odd(n - 1); }
        static int odd(int n) { if (n <= 0) return 0; return even(n - 1); }
        int main(void) { int r = even(__VERIFIER_nondet_int()); if (r != 0 && r != 1) reach_error(); }",
        "intervals",
    );
}

#[test]
fn an_error_deep_in_a_recursion_is_not_proved_away() {
    let source = "static void go(int n) { if (n == 90) reach_error(); if (n < 100) go(n + 1); }
        int main(void) { go(0); }";
    never_proved(Property::UnreachCall, source);
}

#[test]
fn a_call_may_change_what_its_pointer_leads_to() {
    let source = "static void bump(int *p) { *p += 1; }
        int main(void) { int x = 0, y = 0; bump(__VERIFIER_nondet_int() ? &x : &y);
            if (x == 1) reach_error(); }";
    never_proved(Property::UnreachCall, source);
}

#[test]
fn a_call_in_a_loop_changes_globals() {
    let source = "static int turns; static void turn(void) { turns++; }
        int main(void) { for (int i = 0; i < 20; i++) turn(); if (turns == 20) reach_error(); }";
    never_proved(Property::UnreachCall, source);
}

#[test]
fn variables_of_an_outer_activation_keep_their_values() {
    let source = "static int f(int n) { int x = n; int *p = &x; if (n > 0) f(n - 1); return *p; }
        int main(void) { if (f(3) == 3) reach_error(); }";
    never_proved(Property::UnreachCall, source);
}

#[test]
fn an_inner_activation_may_change_a_variable_of_an_outer_one() {
    let source = "static void f(int n, int *out) {
            int x = 0; if (n > 0) { f(n - 1, &x); if (x == 7) reach_error(); } *out = 7; }
        int main(void) { int x; f(2, &x); }";
    never_proved(Property::UnreachCall, source);
}

#[test]
fn blocks_of_different_calls_differ() {
    let source = "static struct node *make(int v) {
            struct node *x = malloc(sizeof *x); x->val = v; return x; }
        int main(void) { struct node *a = make(1), *b = make(2);
            if (a != b && a->val == 1 && b->val == 2) reach_error(); }";
    never_proved(Property::UnreachCall, source);
}

#[test]
fn a_node_that_a_call_frees_is_gone() {
    let source = "static void drop(struct node *x) { free(x); }
        int main(void) { struct node *x = malloc(sizeof *x); x->val = 1; drop(x); return x->val; }";
    never_proved(Property::ValidMemsafety, source);
    let twice = "static void drop(struct node *x) { free(x); }
        int main(void) { struct node *x = malloc(sizeof *x); drop(x); drop(x); }";
    never_proved(Property::ValidMemsafety, twice);
}

#[test]
fn the_address_of_a_variable_that_has_ended_dangles() {
    let source = "static int *leak(int n) { int x = n; int *p = &x; if (n > 0) return leak(n - 1); return p; }
        int main(void) { return *leak(2); }";
    never_proved(Property::ValidMemsafety, source);
}

#[test]
fn a_call_that_does_not_return_hides_nothing_before_it() {
    let source = "static int stop(int n) { if (n) reach_error(); return stop(1); }
        int main(void) { stop(0); }";
    never_proved(Property::UnreachCall, source);
}

#[test]
fn what_comes_after_a_call_that_never_returns_is_proved() {
    proved(
        "static int stop(int n) { return stop(n + 1); }
        int main(void) { stop(0); reach_error(); }",
        "intervals",
    );
}

#[test]
fn main_that_calls_itself_is_not_modelled() {
    let source = "int main(void) { static int n; int x = n++; if (n < 3) main(); if (x == 0) reach_error(); }";
    let task = task(source, Property::UnreachCall);
    for calls in [CallStyle::Mixed, CallStyle::Inline, CallStyle::Summaries] {
        let settings = Settings { calls, most_copies: 4, ..Settings::default() };
        let deadline = Deadline::never();
        match (TemplateEngine { settings }).run(&task, &Run::alone(&deadline)) {
            Finding::Open(reasons) => assert!(reasons[0].text.contains("main"), "{reasons:?}"),
            Finding::Proved(_) | Finding::Refuted(_) => panic!("a program that is not modelled"),
        }
    }
}
