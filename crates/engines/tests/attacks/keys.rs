//! Lists in which somebody looks for a key: one node missed, one key twice, a key that changes on the way.

use crate::{right, wrong};

const LIST: &str = "struct n { struct n *next; int key, value; };
    static struct n *put(struct n *l, int k, int v) { struct n *x = malloc(sizeof *x); x->next = l; x->key = k; x->value = v; return x; }
    static struct n *find(struct n *l, int k) { while (l && l->key != k) l = l->next; return l; }
    static struct n *any(void) { struct n *l = 0; while (N) l = put(l, N, N); return l; }
    static void set(struct n **l, int k, int v) {
        struct n *x; for (x = *l; x; x = x->next) if (x->key == k) { x->value = v; return; }
        *l = put(*l, k, v); }
    static struct n *without(struct n *l, int k) {
        struct n **p = &l; while (*p) if ((*p)->key == k) { struct n *d = *p; *p = d->next; free(d); } else p = &(*p)->next;
        return l; }";

fn all(programs: &[&str], ask: fn(&[&str])) {
    for program in programs {
        ask(&[&format!(
            "{LIST} int main(void) {{ struct n *l = any(), *x; int k = N, o = N; {program}
             while (l) {{ x = l->next; free(l); l = x; }} }}"
        )]);
    }
}

#[test]
fn a_node_is_missed() {
    let programs = [
        // All but the last are looked at, the first, or one at a place that an input says.
        "for (x = l; x && x->next; x = x->next) if (x->key == k) x->key = k ^ 1; if (find(l, k)) E;",
        "if (l) for (x = l->next; x; x = x->next) if (x->key == k) x->key = k ^ 1; if (find(l, k)) E;",
        "for (x = l; x; x = x->next) if (x->key == k && !RARE) x->key = k ^ 1; if (find(l, k)) E;",
        // The one behind a node that was taken out is not looked at.
        "struct n **p = &l; while (*p) { if ((*p)->key == k) { x = *p; *p = x->next; free(x); } if (*p) p = &(*p)->next; }
         if (find(l, k)) E;",
        // Only one of them is taken out.
        "struct n **p = &l; while (*p && (*p)->key != k) p = &(*p)->next; if (*p) { x = *p; *p = x->next; free(x); } if (find(l, k)) E;",
    ];
    all(&programs, wrong);
}

#[test]
fn a_key_is_there_twice() {
    let programs = [
        // Behind the one that is found there may be another, with another value.
        "for (x = l; x && x->next; x = x->next); if (x) x->next = put(0, k, 42); else l = put(l, k, 42); if (find(l, k)->value != 42) E;",
        "set(&l, k, 42); l = put(l, o, 7); if (find(l, k)->value != 42) E;",
        "set(&l, k, 42); set(&l, o, 7); if (find(l, k)->value != 42) E;",
        "l = put(l, k, 1); l = without(l, k); l = put(l, o, 1); if (find(l, k)) E;",
    ];
    all(&programs, wrong);
}

#[test]
fn the_key_or_a_node_changes() {
    let programs = [
        "l = without(l, k); k = o; if (find(l, k)) E;",
        "l = without(l, k); k++; if (find(l, k)) E;",
        "l = without(l, k); for (x = l; x; x = x->next) if (RARE) x->key = k; if (find(l, k)) E;",
        "l = without(l, k); for (x = l; x; x = x->next) x->key++; if (find(l, k)) E;",
        "l = without(l, k); for (x = l; x; x = x->next) if (x->next && RARE) ((char *)&x->key)[1] = k; if (find(l, k)) E;",
        "l = put(l, k, 1); for (x = l; x; x = x->next) if (RARE) x->key = o; if (!find(l, k)) E;",
        "l = put(l, k, 1); while (l && N) { x = l->next; free(l); l = x; } if (!find(l, k)) E;",
        // What is left out is known of a narrower number only.
        "struct n **p = &l; while (*p) if ((short)(*p)->key == (short)k) { x = *p; *p = x->next; free(x); } else p = &(*p)->next;
         for (x = l; x; x = x->next) if ((short)x->key == (short)o) E;",
    ];
    all(&programs, wrong);
}

#[test]
fn values_are_those_of_neither_argument() {
    let programs = [
        "for (x = l; x; x = x->next) x->value = N ? k : o; for (x = l; x; x = x->next) if (x->value != k) E;",
        "for (x = l; x; x = x->next) x->value = N ? k : RARE ? 3 : o; for (x = l; x; x = x->next) if (x->value != k && x->value != o) E;",
        "for (x = l; x; x = x->next) { x->value = N ? k : o; if (RARE) k++; } for (x = l; x; x = x->next) if (x->value != k && x->value != o) E;",
        "for (x = l; x && x->next; x = x->next) x->value = N ? k : o; for (x = l; x; x = x->next) if (x->value != k && x->value != o) E;",
    ];
    all(&programs, wrong);
}

#[test]
fn keys_that_are_where_they_were_put() {
    let programs = [
        "set(&l, k, 42); if (find(l, k)->value != 42) E;",
        "set(&l, k, 42); l = put(l, k, 7); if (find(l, k)->value != 7) E;",
        "l = put(l, k, 1); while (N) l = put(l, N, N); if (!find(l, k)) E;",
        "l = without(l, k); if (find(l, k)) E;",
        "l = without(l, k); l = put(l, k + 1, 1); if (find(l, k)) E;",
        "set(&l, k, o); l = without(l, k); if (find(l, k)) E;",
        "for (x = l; x; x = x->next) x->value = N ? k : o; for (x = l; x; x = x->next) if (x->value != k && x->value != o) E;",
    ];
    all(&programs, right);
}
