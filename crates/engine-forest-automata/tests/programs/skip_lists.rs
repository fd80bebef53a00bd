//! Skip lists of four levels: a right one, and wrong ones that differ in where a node goes into the highest level.

use std::time::Duration;

use heapwright_engine::Finding;

use crate::proved::holds_within;
use crate::{PARTS, finding, task};

/// `LINKED` says what is done at the highest level, `NEXT` how `destroy` goes on.
const FOUR_LEVELS: &str = "
struct item { struct item *n1, *n2, *n3, *n4; };
struct skip { struct item *head, *tail; };
static struct skip *create(void) {
    struct skip *list = malloc(sizeof *list);
    struct item *head = malloc(sizeof *head), *tail = malloc(sizeof *tail);
    head->n4 = head->n3 = head->n2 = head->n1 = tail;
    tail->n4 = tail->n3 = tail->n2 = tail->n1 = 0;
    list->head = head; list->tail = tail;
    return list;
}
static void insert(struct skip *list) {
    struct item *a1, *a2, *a3, *a4, *fresh;
    a4 = list->head; while (a4->n4 != list->tail && __VERIFIER_nondet_int()) a4 = a4->n4;
    a3 = a4; while (a3->n3 != a4->n4 && __VERIFIER_nondet_int()) a3 = a3->n3;
    a2 = a3; while (a2->n2 != a3->n3 && __VERIFIER_nondet_int()) a2 = a2->n2;
    a1 = a2; while (a1->n1 != a2->n2 && __VERIFIER_nondet_int()) a1 = a1->n1;
    fresh = malloc(sizeof *fresh); fresh->n1 = a1->n1; a1->n1 = fresh;
    if (__VERIFIER_nondet_int()) {
        fresh->n2 = a2->n2; a2->n2 = fresh;
        if (__VERIFIER_nondet_int()) {
            fresh->n3 = a3->n3; a3->n3 = fresh;
            if (__VERIFIER_nondet_int()) { LINKED }
        }
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

const RIGHT: &str = "fresh->n4 = a4->n4; a4->n4 = fresh;";

fn four_levels(linked: &str, next: &str) -> String {
    FOUR_LEVELS.replace("LINKED", linked).replace("NEXT", next)
}

fn is_not_proved(linked: &str, next: &str) {
    let task = task(&PARTS, &four_levels(linked, next));
    assert!(!matches!(finding(&task), Finding::Proved(_)), "proved: {linked} {next}");
}

#[test]
fn of_four_levels_are_proved() {
    holds_within(&four_levels(RIGHT, "list->head->n1"), Duration::from_secs(300));
}

#[test]
fn the_highest_level_leads_to_a_node_that_has_none() {
    is_not_proved("a4->n4 = fresh;", "list->head->n1");
}

#[test]
fn a_node_of_the_highest_level_is_freed() {
    is_not_proved(&format!("{RIGHT} a1->n1 = fresh->n1; free(fresh);"), "list->head->n1");
}

#[test]
fn the_highest_level_skips_the_tail() {
    is_not_proved("fresh->n4 = 0; a4->n4 = fresh;", "list->head->n1");
}

#[test]
fn nodes_below_the_highest_level_are_lost() {
    is_not_proved(RIGHT, "list->head->n2");
}
