//! Programs in C: those that shape classes prove, and wrong ones that they must not prove.

mod counted;
mod gdsl;
mod never_proved;
mod numbers;
mod proved;
mod random;
mod shapes;

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Run, Task};
use heapwright_engine_three_valued::ThreeValuedEngine;
use heapwright_frontend::{Settings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::{Property, Specification};
use heapwright_verdict::{Verdict, conclude};

/// Lists and trees of any size, whose nodes are initialised in full.
const PRELUDE: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void *calloc(size_t, size_t); extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { struct node *next; struct node *prev; };
static struct node *build(void) {
    struct node *head = malloc(sizeof *head), *last = head;
    head->next = 0; head->prev = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = 0; fresh->prev = last; last->next = fresh; last = fresh;
    }
    return head;
}
static void release(struct node *list) {
    while (list) { struct node *next = list->next; free(list); list = next; }
}
";

fn task(property: Property, body: &str) -> Task {
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let program = load(&[source], &Settings::new(DataModel::Lp64)).expect("C").program;
    let specification = Specification::of_property(property);
    Task { program, specification, malloc_may_fail: false }
}

fn verdict(property: Property, body: &str) -> Verdict {
    let task = task(property, body);
    let deadline = Deadline::after(Duration::from_secs(60));
    let finding = ThreeValuedEngine::default().run(&task, &Run::alone(&deadline));
    conclude(&task, finding, &deadline)
}
