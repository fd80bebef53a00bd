//! Programs in C: those that forest automata prove, wrong ones that they must not prove, and random ones.

mod corpus;
mod mutants;
mod never_proved;
mod proved;
mod random;
mod rings;
mod skip_lists;

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

/// Skip lists of three levels: `insert` puts a node of any height anywhere, `destroy` frees them along the lowest level.
/// `LINKED` says what is done where the node is put into the highest level, `NEXT` how `destroy` goes on.
const SKIP_LIST: &str = "
struct item { struct item *n1, *n2, *n3; };
struct skip { struct item *head, *tail; };
static struct skip *create(void) {
    struct skip *list = malloc(sizeof *list);
    list->head = malloc(sizeof(struct item)); list->tail = malloc(sizeof(struct item));
    list->head->n3 = list->head->n2 = list->head->n1 = list->tail;
    list->tail->n3 = list->tail->n2 = list->tail->n1 = 0;
    return list;
}
static void insert(struct skip *list) {
    struct item *a1, *a2, *a3, *fresh;
    a3 = list->head; while (a3->n3 != list->tail && __VERIFIER_nondet_int()) a3 = a3->n3;
    a2 = a3; while (a2->n2 != a3->n3 && __VERIFIER_nondet_int()) a2 = a2->n2;
    a1 = a2; while (a1->n1 != a2->n2 && __VERIFIER_nondet_int()) a1 = a1->n1;
    fresh = malloc(sizeof *fresh); fresh->n1 = a1->n1; a1->n1 = fresh;
    if (__VERIFIER_nondet_int()) {
        fresh->n2 = a2->n2; a2->n2 = fresh;
        if (__VERIFIER_nondet_int()) { LINKED }
    }
}
static void destroy(struct skip *list) {
    while (list->head) { struct item *old = list->head; list->head = NEXT; free(old); }
    free(list);
}
int main(void) {
    struct skip *list = create();
    while (__VERIFIER_nondet_int()) insert(list);
    destroy(list);
    return 0;
}
";

fn skip_list(linked: &str, next: &str) -> String {
    SKIP_LIST.replace("LINKED", linked).replace("NEXT", next)
}

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
