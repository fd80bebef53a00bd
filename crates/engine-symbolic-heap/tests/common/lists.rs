//! Programs with lists that recursive functions build and free.

use crate::common::{is_never_proved_by_summaries, summaries_prove};

/// Lists that recursion builds and frees.
const LISTS: &str = "
static struct node *build(void) {
    if (!__VERIFIER_nondet_int()) return 0;
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = 7;
    fresh->next = build();
    return fresh;
}
static void drop(struct node *list) {
    if (!list) return;
    drop(list->next);
    free(list);
}
static void drop_first(struct node *list) {
    if (!list) return;
    struct node *next = list->next;
    free(list);
    drop_first(next);
}
";

pub(crate) fn proves(body: &str) {
    summaries_prove(&format!("{LISTS}{body}"));
}

/// Each of these has a fault that some input leads to.
pub(crate) fn are_never_proved(bodies: &[&str]) {
    for body in bodies {
        is_never_proved_by_summaries(&format!("{LISTS}{body}"));
    }
}
