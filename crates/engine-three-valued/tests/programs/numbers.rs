//! Numbers in nodes, by a class that compares them: right programs that are proved, and wrong ones that never are.

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Finding, Run, Task};
use heapwright_engine_three_valued::ThreeValuedEngine;
use heapwright_property::Property;
use heapwright_three_valued::class::Library;
use heapwright_verdict::{Verdict, conclude};

const CLASS: &str = "
class keys(next; key) \"list of keys\" refines list(next)
sample forall v: !next+(v, v)
family keys \"blocks that have a key, and how keys compare\"
  abstract unary keyed(v) = key(v, v)
    write key: recompute where v = s
  rule keyed(v) & v = w -> key(v, w)
  rule key(u, v) & key(v, w) -> key(u, w)
  rule key(u, v) & !key(u, w) -> !key(v, w)
  rule key(v, w) & !key(u, w) -> !key(u, v)
  rule keyed(u) & keyed(v) & !key(u, v) -> key(v, u)
  rule !keyed(u) & block(u) & block(v) -> !key(u, v)
  rule !keyed(v) & block(u) & block(v) -> !key(u, v)
family sorted \"keys that ascend\"
  abstract unary ascends(v) = forall w: next(v, w) -> key(v, w)
    remove next: ascends(v) | v = s
    add next: v = s & key(s, y) | v != s & ascends(v)
    write key: recompute where v = s | next(v, s)
  rule ascends(u) & next(u, v) & block(v) -> key(u, v)
  rule ascends(u) & !key(u, v) & block(u) & block(v) -> !next(u, v)
";

/// A list that grows in any way.
const PRELUDE: &str = "
struct item { struct item *next; int key; };
static struct item *head;
static struct item *push(int key) {
    struct item *fresh = malloc(sizeof *fresh);
    fresh->key = key; fresh->next = head; head = fresh;
    return fresh;
}
static int draw(void) { return __VERIFIER_nondet_int(); }
";

fn engine() -> ThreeValuedEngine {
    let mut library = Library::built_in();
    library.load("keys.txt", CLASS).expect("a class");
    ThreeValuedEngine { library: library.into(), ..ThreeValuedEngine::default() }
}

fn task(property: Property, body: &str) -> Task {
    crate::task(property, &format!("{PRELUDE}{body}"))
}

fn is_proved(body: &str) {
    let task = task(Property::UnreachCall, body);
    let deadline = Deadline::after(Duration::from_secs(60));
    let finding = engine().run(&task, &Run::alone(&deadline));
    match conclude(&task, finding, &deadline) {
        Verdict::Holds(proof) => {
            let names_it = |line: &String| line.contains("list of keys");
            assert!(proof.invariants().iter().any(names_it), "{:#?}", proof.invariants());
        }
        other => panic!("{other:?}"),
    }
}

/// Neither when runs are tried, nor without them.
fn is_never_proved(body: &str) {
    let task = task(Property::UnreachCall, body);
    for engine in [engine(), engine().glance()] {
        let deadline = Deadline::after(Duration::from_secs(20));
        if let Finding::Proved(proof) = engine.run(&task, &Run::alone(&deadline)) {
            panic!("a wrong proof: {} {:#?}", proof.summary(), proof.invariants());
        }
    }
}

/// Puts a key where it belongs; `TEST` says where that is, `STORED` what is put there.
const INSERT: &str = "
static void insert(int key) {
    struct item *fresh = malloc(sizeof *fresh);
    fresh->key = STORED;
    if (!head || key <= head->key) { fresh->next = head; head = fresh; return; }
    struct item *at = head;
    while (at->next && TEST) at = at->next;
    fresh->next = at->next; at->next = fresh;
}
int main(void) {
    while (draw()) insert(draw());
    for (struct item *p = head; p && p->next; p = p->next)
        if (p->key > p->next->key) reach_error();
}";

fn insertion(test: &str, stored: &str) -> String {
    INSERT.replace("TEST", test).replace("STORED", stored)
}

#[test]
fn a_list_stays_sorted() {
    is_proved(&insertion("at->next->key < key", "key"));
}

#[test]
fn a_list_that_is_not_sorted() {
    is_never_proved(&insertion("at->next->key > key", "key"));
    is_never_proved(&insertion("draw()", "key"));
    is_never_proved(&insertion("at->next->key < key", "key + 1"));
    is_never_proved(&insertion("at->next->key < key", "draw()"));
    is_never_proved(&insertion("at->next->key < key", "(signed char)key"));
    is_never_proved(&insertion("(unsigned)at->next->key < (unsigned)key", "key"));
    is_never_proved(&insertion("(at->next->key & 255) < (key & 255)", "key"));
}

#[test]
fn a_number_that_all_nodes_have() {
    is_proved(
        "int main(void) {
            while (draw()) push(7);
            for (struct item *p = head; p; p = p->next) if (p->key != 7) reach_error();
        }",
    );
    is_never_proved(
        "int main(void) {
            while (draw()) push(draw() ? 7 : 8);
            for (struct item *p = head; p; p = p->next) if (p->key == 8) reach_error();
        }",
    );
    is_never_proved(
        "int main(void) {
            while (draw()) push(7);
            for (struct item *p = head; p; p = p->next) if (p->key > 6) reach_error();
        }",
    );
}

#[test]
fn a_number_that_is_kept_while_its_node_gets_another() {
    is_never_proved(
        "int main(void) {
            while (draw()) push(draw());
            for (struct item *p = head; p; p = p->next) {
                int old = p->key; p->key = draw(); if (old != p->key) reach_error();
            }
        }",
    );
    is_never_proved(
        "int main(void) {
            while (draw()) push(draw());
            if (!head) return 0;
            int old = head->key; free(head); head = 0; push(draw());
            if (old != head->key) reach_error();
        }",
    );
}

#[test]
fn a_number_that_changes_between_comparison_and_use() {
    is_never_proved(
        "int main(void) {
            while (draw()) push(draw());
            int limit = draw();
            for (struct item *p = head; p; p = p->next) {
                if (p->key <= limit) { limit--; if (p->key > limit) reach_error(); }
            }
        }",
    );
    is_never_proved(
        "static int limit;
        static void lower(void) { limit = draw(); }
        int main(void) {
            while (draw()) push(draw());
            for (struct item *p = head; p; p = p->next)
                if (p->key <= limit) { lower(); if (p->key > limit) reach_error(); }
        }",
    );
}

#[test]
fn numbers_that_are_written_in_other_ways() {
    let other_ways = [
        "int *at = &p->key; *at = draw();",
        "((char *)&p->key)[DRAWN] = 1;",
        "*(unsigned *)&p->key = draw();",
        "*(short *)((char *)p + 10) = draw();",
    ];
    for way in other_ways {
        is_never_proved(&format!(
            "int main(void) {{
                while (draw()) push(7);
                for (struct item *p = head; p; p = p->next) {{ {} }}
                for (struct item *p = head; p; p = p->next) if (p->key != 7) reach_error();
            }}",
            way.replace("DRAWN", "2")
        ));
    }
}

#[test]
fn numbers_that_nobody_has_written() {
    is_never_proved(
        "int main(void) {
            struct item *p = malloc(sizeof *p); if (p->key) reach_error();
        }",
    );
    is_never_proved(
        "int main(void) {
            while (draw()) { struct item *p = malloc(sizeof *p); p->next = head; head = p; }
            for (struct item *p = head; p && p->next; p = p->next)
                if (p->key > p->next->key) reach_error();
        }",
    );
    is_never_proved(
        "int main(void) {
            while (draw()) { struct item *p = calloc(1, sizeof *p); p->next = head; head = p; }
            for (struct item *p = head; p; p = p->next) if (p->key == 0) reach_error();
        }",
    );
}

#[test]
fn numbers_of_nodes_of_another_size() {
    is_never_proved(
        "struct large { struct item *next; int key; int more[2]; };
        int main(void) {
            while (draw()) push(7);
            struct large *other = malloc(sizeof *other); other->key = 8; other->next = 0;
            struct item *p = head ? head : (struct item *)other;
            if (p->key == 8) reach_error();
        }",
    );
}

/// The node of a number is no block of the program.
#[test]
fn a_number_is_not_lost_with_its_variable() {
    let task = task(
        Property::ValidMemsafety,
        "int main(void) {
            int wanted = draw();
            while (draw()) push(wanted);
            while (head) {
                struct item *next = head->next;
                if (head->key != wanted) free(draw() ? head : head + 1);
                free(head); head = next;
            }
        }",
    );
    let deadline = Deadline::after(Duration::from_secs(60));
    let finding = engine().run(&task, &Run::alone(&deadline));
    let verdict = conclude(&task, finding, &deadline);
    assert!(matches!(verdict, Verdict::Holds(_)), "{verdict:?}");
}
