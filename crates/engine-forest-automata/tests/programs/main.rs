//! Programs in C: those that forest automata prove, wrong ones that they must not prove, and random ones.

mod corpus;
mod never_proved;
mod proved;
mod random;

use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Finding, Run, Task};
use heapwright_engine_forest_automata::ForestEngine;
use heapwright_frontend::{Settings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::{Part, Specification};

/// Lists of any length.
const PRELUDE: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void *calloc(size_t, size_t); extern void free(void *);
extern void *memcpy(void *, const void *, size_t); extern void *memset(void *, int, size_t);
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

/// What forest automata can be asked about.
const PARTS: [Part; 4] =
    [Part::UnreachCall, Part::ValidDeref, Part::ValidFree, Part::ValidMemtrack];

fn task(parts: &[Part], body: &str) -> Task {
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let program = load(&[source], &Settings::new(DataModel::Lp64)).expect("C").program;
    let specification = Specification { parts: parts.to_vec(), ..Specification::everyday() };
    Task::new(program, specification, false)
}

fn deadline() -> Deadline {
    Deadline::after(Duration::from_secs(60))
}

fn finding(task: &Task) -> Finding {
    ForestEngine::default().run(task, &Run::alone(&deadline()))
}
