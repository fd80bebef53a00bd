//! Programs that are wrong in ways that a definition could hide are never proved; with the mistake put right they are.

use std::sync::Arc;

use heapwright_engine::{Deadline, Engine, Run};
use heapwright_verdict::{Verdict, conclude};

use crate::engine::SymbolicHeapEngine;
use crate::load_definitions;
use crate::settings::{PathTurns, Settings};
use crate::testing::program::task_of;

const HEAD: &str = "
    extern void *malloc(__SIZE_TYPE__); extern void free(void *); extern int __VERIFIER_nondet_int(void);
    struct owner { int count; };
    struct node { struct node *next, *prev; struct owner *owner; };
    static struct node *push(struct node *list, struct owner *owner) {
        struct node *n = malloc(sizeof *n);
        n->next = list; n->prev = 0; n->owner = owner;
        if (list) list->prev = n;
        return n;
    }
    int main(void) {
        struct owner *owner = malloc(sizeof *owner); owner->count = 0;
        struct node *list = push(0, owner), *p;
        while (__VERIFIER_nondet_int()) list = push(list, owner);";

const DEFINITION: &str = "
    predicate dll(this, before, owner) over struct node
      case end: this == null
      case node: .next = n, .prev = before, .owner = owner, dll(n, this, owner)";

/// The beginning of programs, and a definition for them.
pub(super) struct Attack {
    pub(super) head: String,
    pub(super) definition: String,
}

impl Attack {
    pub(super) fn is_proved(&self, rest: &str) -> bool {
        let task = task_of(&format!("{}{rest} }}", self.head));
        let predicates = Arc::new(load_definitions(&task, &self.definition).expect("it is right"));
        let settings = Settings {
            predicates,
            paths: PathTurns::Last,
            most_work: 20_000,
            ..Settings::default()
        };
        let deadline = Deadline::never();
        let finding = SymbolicHeapEngine { settings }.run(&task, &Run::alone(&deadline));
        matches!(conclude(&task, finding, &deadline), Verdict::Holds(_))
    }

    /// A correct end of the program, and wrong ones.
    pub(super) fn only_the_first_is_proved(&self, right: &str, wrong: &[&str]) {
        assert!(self.is_proved(right), "{right}");
        for wrong in wrong {
            assert!(!self.is_proved(wrong), "{wrong}");
        }
    }
}

/// The same for a doubly linked list with an owner.
fn only_the_first_is_proved(right: &str, wrong: &[&str]) {
    let attack = Attack { head: HEAD.to_owned(), definition: DEFINITION.to_owned() };
    attack.only_the_first_is_proved(right, wrong);
}

const FREE_ALL: &str = "while (list) { p = list->next; free(list); list = p; }";

#[test]
fn what_all_nodes_point_to_is_not_forgotten() {
    let walk = "for (p = list; p; p = p->next) p->owner->count = 1;";
    only_the_first_is_proved(
        &format!("{walk} {FREE_ALL} free(owner);"),
        &[
            &format!("{walk} {FREE_ALL} owner = 0; return 0;"),
            &format!("free(owner); {walk} {FREE_ALL}"),
            &format!("{walk} free(list->owner); {FREE_ALL} free(owner);"),
        ],
    );
}

#[test]
fn nodes_are_not_lost() {
    only_the_first_is_proved(
        &format!("free(owner); {FREE_ALL} return 0;"),
        &[
            "free(owner); list = 0; return 0;",
            "free(owner); p = list->next; free(list); list = 0; p = 0; return 0;",
            &format!("free(owner); list->next = 0; {FREE_ALL} return 0;"),
            &format!("free(owner); list = list->next ? list->next : list; {FREE_ALL} return 0;"),
        ],
    );
}

#[test]
fn the_way_to_a_cursor_is_kept_and_led_back() {
    let walk = "p = list; while (p->next && __VERIFIER_nondet_int()) p = p->next;";
    let back = "while (p->prev) p = p->prev; if (p != list) *(int *)0 = 1;";
    only_the_first_is_proved(
        &format!("free(owner); {walk} {back} {FREE_ALL} return 0;"),
        &[
            &format!("free(owner); {walk} if (p->prev) free(p->prev); {FREE_ALL} return 0;"),
            &format!("free(owner); {walk} if (p->prev) p->prev->next = 0; {FREE_ALL} return 0;"),
            &format!("free(owner); {walk} p->prev = 0; {back} {FREE_ALL} return 0;"),
            &format!("free(owner); {walk} free(p); {FREE_ALL} return 0;"),
        ],
    );
}
