//! Lists in which somebody looks for a key.

mod common;

use common::{is_never_proved_by_summaries, summaries_prove};

const LISTS: &str = "
#define assert(c) do { if (!(c)) reach_error(); } while (0)
typedef struct entry { struct entry *next; int key, value; } entry;
static entry *made(int key, int value, entry *next) {
    entry *e = malloc(sizeof *e); e->key = key; e->value = value; e->next = next; return e; }
static entry *any(void) {
    entry *l = 0; while (__VERIFIER_nondet_int()) l = made(__VERIFIER_nondet_int(), __VERIFIER_nondet_int(), l); return l; }
static entry *find(entry *l, int key) { while (l && l->key != key) l = l->next; return l; }
static void put(entry **l, int key, int value) {
    for (entry *e = *l; e; e = e->next) if (e->key == key) { e->value = value; return; }
    *l = made(key, value, *l); }
static void drop_all(entry **l, int key) {
    while (*l) if ((*l)->key == key) { entry *e = *l; *l = e->next; free(e); } else l = &(*l)->next; }
static void drop(entry *l) { while (l) { entry *n = l->next; free(l); l = n; } }
";

fn with(main: &str) -> String {
    format!(
        "{LISTS} int main(void) {{ entry *l = any(); int k = __VERIFIER_nondet_int(), o = __VERIFIER_nondet_int();
         {main} drop(l); return 0; }}"
    )
}

fn proved(main: &str) {
    summaries_prove(&with(main));
}

fn not_proved(main: &str) {
    is_never_proved_by_summaries(&with(main));
}

#[test]
fn a_dictionary_gives_what_was_put_last() {
    proved("put(&l, k, 42); assert(find(l, k)->value == 42);");
    proved("put(&l, k, o); assert(find(l, k)->value == o);");
    not_proved("put(&l, k, 42); put(&l, o, 7); assert(find(l, k)->value == 42);");
    not_proved("put(&l, k, 42); if (k != o) put(&l, o, 7); assert(find(l, o)->value == 7);");
}

#[test]
fn what_was_inserted_is_found() {
    proved(
        "l = made(k, 1, l); while (__VERIFIER_nondet_int()) l = made(__VERIFIER_nondet_int(), 1, l); assert(find(l, k));",
    );
    not_proved(
        "l = made(k, 1, l); while (__VERIFIER_nondet_int()) l = made(__VERIFIER_nondet_int(), 1, l); assert(find(l->next, k));",
    );
}

#[test]
fn what_was_removed_is_not_found() {
    proved("drop_all(&l, k); assert(!find(l, k));");
    proved("put(&l, k, o); drop_all(&l, k); assert(!find(l, k));");
    not_proved("drop_all(&l, k); assert(!find(l, o));");
    not_proved("if (l) drop_all(&l->next, k); assert(!find(l, k));");
    not_proved("drop_all(&l, k); l = made(o, 1, l); assert(!find(l, k));");
}

#[test]
fn all_values_are_one_of_two() {
    let values = "for (entry *e = l; e; e = e->next) e->value = __VERIFIER_nondet_int() ? k : o;";
    proved(&format!(
        "{values} for (entry *e = l; e; e = e->next) assert(e->value == k || e->value == o);"
    ));
    not_proved(&format!("{values} for (entry *e = l; e; e = e->next) assert(e->value == k);"));
    not_proved(&format!(
        "{values} k++; for (entry *e = l; e; e = e->next) assert(e->value == k || e->value == o);"
    ));
}
