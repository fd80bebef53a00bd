//! Lists whose nodes know the link that leads to them, not the node before: `**previous`.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

/// A list of items of some layout with operations on it; `body` is what is done in each round, and `rest` behind the loop.
fn program(layout: &str, body: &str, rest: &str) -> String {
    format!(
        "struct item {{ {layout} }};
        struct list {{ int padding; struct item *first; }};
        static void insert(struct list *list, struct item *item) {{
            item->next = list->first;
            if (item->next) item->next->previous = &item->next;
            list->first = item; item->previous = &list->first;
        }}
        static void insert_after(struct item *before, struct item *item) {{
            item->next = before->next;
            if (item->next) item->next->previous = &item->next;
            before->next = item; item->previous = &before->next;
        }}
        static void remove(struct item *item) {{
            if (item->next) item->next->previous = item->previous;
            *item->previous = item->next;
        }}
        static struct item *fresh(void) {{ struct item *item = malloc(sizeof *item); item->value = 1; return item; }}
        int main(void) {{
            struct list list; list.first = 0; struct item *item;
            while (__VERIFIER_nondet_int()) {{ {body} }}
            {rest} return 0; }}"
    )
}

const LAYOUTS: [&str; 4] = [
    "struct item *next; struct item **previous; int value;",
    "struct item **previous; struct item *next; int value;",
    "int value; struct item **previous; struct item *next;",
    "int value; struct item *next; char name[16]; struct item **previous;",
];

const INSERT: &str = "insert(&list, fresh());";

const ALL_REMOVED: &str = "while (list.first) { item = list.first; remove(item); free(item); }";

/// One from the middle, wherever a walk has stopped.
const ONE_REMOVED: &str =
    "for (item = list.first; item && __VERIFIER_nondet_int(); item = item->next) ;
    if (item) { remove(item); free(item); }";

#[test]
fn items_are_removed_by_the_links_that_lead_to_them() {
    for layout in LAYOUTS {
        summaries_prove(&program(layout, INSERT, ALL_REMOVED));
    }
    summaries_prove(&program(LAYOUTS[0], INSERT, &format!("{ONE_REMOVED} {ALL_REMOVED}")));
    summaries_prove(&program(LAYOUTS[3], INSERT, &format!("{ONE_REMOVED} {ALL_REMOVED}")));
}

#[test]
fn items_are_put_behind_others() {
    let behind = "if (list.first && __VERIFIER_nondet_int()) insert_after(list.first, fresh());
        else insert(&list, fresh());";
    summaries_prove(&program(LAYOUTS[0], behind, ALL_REMOVED));
}

#[test]
fn links_that_are_not_kept_are_noticed() {
    let forgotten =
        "item = fresh(); item->next = list.first; list.first = item; item->previous = &list.first;";
    let to_itself = "insert(&list, fresh()); list.first->previous = &list.first->next;";
    let to_the_node = "item = fresh(); item->next = list.first;
        if (item->next) item->next->previous = (struct item **)item;
        list.first = item; item->previous = &list.first;";
    for layout in LAYOUTS {
        for wrong in [forgotten, to_itself] {
            let program = program(layout, wrong, &format!("{ONE_REMOVED} {ALL_REMOVED}"));
            is_never_proved_by_summaries(&program);
        }
    }
    // Where the link is at the start of the node, it is the same.
    for layout in &LAYOUTS[1..] {
        let rest = format!("{ONE_REMOVED} {ALL_REMOVED}");
        is_never_proved_by_summaries(&program(layout, to_the_node, &rest));
    }
}

#[test]
fn items_that_are_removed_wrongly_are_lost_or_used_again() {
    let not_freed = "if (list.first) remove(list.first);";
    let not_removed =
        "if (list.first) { item = list.first->next; free(list.first); list.first = item; }";
    let second = "if (list.first && list.first->next) { item = list.first->next; list.first->next = item->next; free(item); }";
    for layout in LAYOUTS {
        is_never_proved_by_summaries(&program(
            layout,
            INSERT,
            &format!("{not_freed} {ALL_REMOVED}"),
        ));
        // The next item still leads to where the first one was, which `remove` writes to.
        is_never_proved_by_summaries(&program(
            layout,
            INSERT,
            &format!("{second} {ONE_REMOVED} {ALL_REMOVED}"),
        ));
    }
    summaries_prove(&program(
        LAYOUTS[0],
        INSERT,
        &format!("while (list.first) {{ {not_removed} }}"),
    ));
}
