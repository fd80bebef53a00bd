//! Lists whose nodes have different sizes: what must be proved, and traps that must not be.

mod common;

use common::{holds, is_never_proved_by_summaries};

/// A node, a larger one that begins with it, and one that owns a block.
const NODES: &str = "
struct base { struct base *next; int tag; };
struct large { struct base base; int more[4]; };
struct owner { struct base base; int *mine; };
static struct base *small(void) {
    struct base *fresh = malloc(sizeof *fresh); fresh->tag = 0; return fresh;
}
static struct base *large(void) {
    struct large *fresh = malloc(sizeof *fresh); fresh->base.tag = 1; fresh->more[3] = 5;
    return &fresh->base;
}
static struct base *owner(void) {
    struct owner *fresh = malloc(sizeof *fresh); fresh->base.tag = 2;
    fresh->mine = malloc(sizeof(int)); *fresh->mine = 1;
    return &fresh->base;
}
";

/// Nodes that know their predecessors.
const DOUBLY_LINKED: &str = "
struct base { struct base *next; struct base *previous; };
struct large { struct base base; int more; };
static struct base *build(void) {
    struct base *head = malloc(sizeof *head), *last = head;
    head->next = 0; head->previous = 0;
    while (__VERIFIER_nondet_int()) {
        struct base *fresh;
        if (__VERIFIER_nondet_int()) {
            struct large *large = malloc(sizeof *large); large->more = 42; fresh = &large->base;
        } else fresh = malloc(sizeof *fresh);
        fresh->next = 0; fresh->previous = last; last->next = fresh; last = fresh;
    }
    return head;
}
";

/// Pushes small nodes and others.
fn mixed(other: &str) -> String {
    format!(
        "{NODES}
        static struct base *build(void) {{
            struct base *head = 0;
            while (__VERIFIER_nondet_int()) {{
                struct base *fresh = __VERIFIER_nondet_int() ? small() : {other}();
                fresh->next = head; head = fresh;
            }}
            return head;
        }}"
    )
}

#[test]
fn nodes_of_two_sizes_are_freed() {
    holds(&format!(
        "{} int main(void) {{
            struct base *head = build();
            while (head) {{ struct base *next = head->next; free(head); head = next; }}
            return 0;
        }}",
        mixed("large")
    ));
}

#[test]
fn a_tag_tells_which_nodes_are_large() {
    holds(&format!(
        "{} int main(void) {{
            struct base *head = build();
            for (struct base *at = head; at; at = at->next)
                if (at->tag == 1) ((struct large *)at)->more[3]++;
            while (head) {{ struct base *next = head->next; free(head); head = next; }}
            return 0;
        }}",
        mixed("large")
    ));
}

#[test]
fn a_tag_that_is_not_looked_at_gives_no_room() {
    is_never_proved_by_summaries(&format!(
        "{} int main(void) {{
            struct base *head = build();
            for (struct base *at = head; at; at = at->next) ((struct large *)at)->more[3]++;
            while (head) {{ struct base *next = head->next; free(head); head = next; }}
            return 0;
        }}",
        mixed("large")
    ));
}

#[test]
fn the_wrong_tag_gives_no_room() {
    is_never_proved_by_summaries(&format!(
        "{} int main(void) {{
            struct base *head = build();
            for (struct base *at = head; at; at = at->next)
                if (at->tag == 0) ((struct large *)at)->more[3]++;
            while (head) {{ struct base *next = head->next; free(head); head = next; }}
            return 0;
        }}",
        mixed("large")
    ));
}

#[test]
fn what_large_nodes_own_is_freed_by_their_tag() {
    holds(&format!(
        "{} int main(void) {{
            struct base *head = build();
            while (head) {{
                struct base *next = head->next;
                if (head->tag) free(((struct owner *)head)->mine);
                free(head); head = next;
            }}
            return 0;
        }}",
        mixed("owner")
    ));
}

#[test]
fn what_large_nodes_own_leaks() {
    is_never_proved_by_summaries(&format!(
        "{} int main(void) {{
            struct base *head = build();
            while (head) {{ struct base *next = head->next; free(head); head = next; }}
            return 0;
        }}",
        mixed("owner")
    ));
}

#[test]
fn what_small_nodes_do_not_own_is_not_freed() {
    is_never_proved_by_summaries(&format!(
        "{} int main(void) {{
            struct base *head = build();
            while (head) {{
                struct base *next = head->next;
                free(((struct owner *)head)->mine);
                free(head); head = next;
            }}
            return 0;
        }}",
        mixed("owner")
    ));
}

#[test]
fn three_sizes_in_one_list() {
    holds(&format!(
        "{NODES} int main(void) {{
            struct base *head = 0, *fresh;
            while (__VERIFIER_nondet_int()) {{
                switch (__VERIFIER_nondet_int()) {{
                    case 1: fresh = small(); break;
                    case 2: fresh = large(); break;
                    default: fresh = owner();
                }}
                fresh->next = head; head = fresh;
            }}
            while (head) {{
                fresh = head->next;
                if (head->tag == 2) free(((struct owner *)head)->mine);
                free(head); head = fresh;
            }}
            return 0;
        }}"
    ));
}

#[test]
fn doubly_linked_nodes_of_two_sizes_are_freed() {
    holds(&format!(
        "{DOUBLY_LINKED} int main(void) {{
            struct base *head = build(), *next;
            while (head) {{
                next = head->next; if (next) next->previous = 0;
                free(head); head = next;
            }}
            return 0;
        }}"
    ));
}

#[test]
fn doubly_linked_nodes_of_two_sizes_are_freed_from_the_end() {
    holds(&format!(
        "{DOUBLY_LINKED} int main(void) {{
            struct base *at = build(), *next;
            while (at->next) at = at->next;
            while (at) {{ next = at->previous; free(at); at = next; }}
            return 0;
        }}"
    ));
}

#[test]
fn the_last_node_is_not_surely_large() {
    is_never_proved_by_summaries(&format!(
        "{DOUBLY_LINKED} int main(void) {{
            struct base *at = build(), *next;
            while (at->next) at = at->next;
            ((struct large *)at)->more = 1;
            while (at) {{ next = at->previous; free(at); at = next; }}
            return 0;
        }}"
    ));
}

#[test]
fn nodes_are_zeroed_or_not() {
    let program = |what: &str| {
        format!(
            "struct base {{ struct base *next; struct base *other; }};
            int main(void) {{
                struct base *head = 0, *next;
                while (__VERIFIER_nondet_int()) {{
                    struct base *fresh;
                    if (__VERIFIER_nondet_int()) {{ fresh = malloc(sizeof *fresh); {what} }}
                    else fresh = calloc(1, sizeof *fresh);
                    fresh->next = head; head = fresh;
                }}
                while (head) {{
                    next = head->next; if (head->other) head->other->other = 0;
                    free(head); head = next;
                }}
                return 0;
            }}"
        )
    };
    holds(&program("fresh->other = 0;"));
    is_never_proved_by_summaries(&program(""));
}

#[test]
fn an_owner_and_its_list_of_larger_nodes_stay_apart() {
    holds(
        "struct item { struct item *next; int value[4]; };
        struct owner { struct item *items; struct owner *next; };
        int main(void) {
            struct owner *owners = 0;
            while (__VERIFIER_nondet_int()) {
                struct owner *fresh = malloc(sizeof *fresh);
                fresh->items = 0; fresh->next = owners; owners = fresh;
                while (__VERIFIER_nondet_int()) {
                    struct item *item = malloc(sizeof *item);
                    item->next = fresh->items; fresh->items = item;
                }
            }
            while (owners) {
                struct owner *next = owners->next;
                while (owners->items) {
                    struct item *item = owners->items;
                    item->value[3] = 1; owners->items = item->next; free(item);
                }
                free(owners); owners = next;
            }
            return 0;
        }",
    );
}

/// A ring of nodes of one size that are made at two places and own different things.
fn ring_of_two_kinds(release: &str) -> String {
    format!(
        "struct base {{ struct base *next; struct base *previous; int tag; }};
        struct number {{ struct base base; int value; }};
        struct word {{ struct base base; char *text; }};
        int main(void) {{
            struct base *head = malloc(sizeof *head), *at;
            head->next = head->previous = head; head->tag = 0;
            while (__VERIFIER_nondet_int()) {{
                if (__VERIFIER_nondet_int()) {{
                    struct number *number = malloc(sizeof *number);
                    number->value = 1; at = &number->base; at->tag = 1;
                }} else {{
                    struct word *word = malloc(sizeof *word);
                    word->text = malloc(10); at = &word->base; at->tag = 2;
                }}
                at->next = head->next; at->previous = head;
                head->next->previous = at; head->next = at;
            }}
            while (head->next != head) {{
                at = head->next; at->next->previous = head; head->next = at->next;
                {release}
                free(at);
            }}
            free(head);
            return 0;
        }}"
    )
}

#[test]
fn nodes_that_are_made_at_two_places_own_different_things() {
    holds(&ring_of_two_kinds("if (at->tag == 2) free(((struct word *)at)->text);"));
    is_never_proved_by_summaries(&ring_of_two_kinds("free(((struct word *)at)->text);"));
    is_never_proved_by_summaries(&ring_of_two_kinds(
        "if (at->tag == 1) free(((struct word *)at)->text);",
    ));
}
