//! What recursive calls and their callers know of each other: parts of the heap that both hold, and
//! numbers that go down and come back. What must be proved, and what must never be.

mod common;
#[path = "common/lists.rs"]
mod lists;

use lists::{are_never_proved, proves};

/// In these, every call reaches the nodes of all its callers.
#[test]
fn callers_hold_nodes_that_the_call_reaches() {
    const PAIRS: &str = "
        static struct pair *make(struct pair *before) {
            if (!__VERIFIER_nondet_int()) return 0;
            struct pair *fresh = malloc(sizeof *fresh);
            fresh->previous = before; fresh->value = 0; fresh->next = make(fresh); return fresh; }
        static void drop_pairs(struct pair *list) { if (!list) return;
            drop_pairs(list->next); free(list); }
        static int sum(struct pair *list) { return list ? sum(list->next) + list->value : 0; }
        static void drop_ring(struct pair *list) { if (!list) return;
            struct pair *next = list->next; free(list); drop_ring(next); }";
    proves(&format!(
        "{PAIRS} int main(void) {{ struct pair *list = make(0); sum(list);
        for (struct pair *at = list; at; at = at->next)
            if (at->next && at->next->previous != at) reach_error();
        drop_pairs(list); return 0; }}"
    ));
    let faulty = |walk: &str| {
        format!(
            "{PAIRS} static void walk(struct pair *list) {{ {walk} }}
            int main(void) {{ struct pair *list = make(0); walk(list); drop_pairs(list); return 0; }}"
        )
    };
    let faulty = [
        // The call changes a node of its caller's.
        "if (!list) return; walk(list->next); if (list->value == 1) reach_error();
        if (list->previous) list->previous->value = 1;",
        "if (!list) return; walk(list->next); if (list->value == 1) reach_error();
        if (list->previous && list->previous->previous) list->previous->previous->value = 1;",
        // It frees one.
        "if (!list) return; walk(list->next); if (list->previous && list->previous->previous) {
            free(list->previous->previous); list->previous->previous = 0; }",
        // It unlinks its caller's.
        "if (!list) return; struct pair *before = list->previous; walk(list->next);
        if (before && before->previous) { before->previous->next = list;
            list->previous = before->previous; }",
        // It links the list to a ring.
        "if (!list) return; walk(list->next);
        if (!list->next && list->previous) { list->next = list->previous;
            drop_ring(list); }",
    ]
    .map(faulty);
    are_never_proved(&faulty.each_ref().map(String::as_str));
    // Frames that are linked to the frames of callers.
    const CHAIN: &str = "struct link { struct link *up; int number; };";
    proves(&format!(
        "{CHAIN} static void down(struct link *up, int n) {{
            struct link own; own.up = up; own.number = 0; if (n > 0) down(&own, n - 1);
            if (own.number != 0 && own.number != 5) reach_error(); if (up) up->number = 5; }}
        int main(void) {{ down(0, __VERIFIER_nondet_int()); return 0; }}"
    ));
    are_never_proved(&[
        &format!(
            "{CHAIN} static void down(struct link *up, int n) {{
                struct link own; own.up = up; own.number = 0; if (n > 0) down(&own, n - 1);
                if (own.number != 0) reach_error(); if (up && n == 7) up->number = 5; }}
            int main(void) {{ down(0, __VERIFIER_nondet_int() & 15); return 0; }}"
        ),
        &format!(
            "{CHAIN} static void down(struct link *up, int n) {{
                struct link own; own.up = up; own.number = 0; if (n > 0) down(&own, n - 1);
                if (own.number != 0) reach_error();
                if (up && up->up && up->up->up) up->up->up->number = 5; }}
            int main(void) {{ down(0, __VERIFIER_nondet_int() & 15); return 0; }}"
        ),
        // The address of a frame that is gone is used.
        &format!(
            "{CHAIN} static struct link *down(struct link *up, int n) {{
                struct link own; own.up = up; own.number = 0;
                if (n > 0) return down(&own, n - 1); return up; }}
            int main(void) {{ struct link *last = down(0, __VERIFIER_nondet_int() & 15);
            return last ? last->number : 0; }}"
        ),
    ]);
}

#[test]
fn numbers_go_down_and_come_back() {
    proves(
        "static int down(int n) { return n <= 0 ? 0 : down(n - 1); }
        int main(void) { if (down(__VERIFIER_nondet_int()) != 0) reach_error(); return 0; }",
    );
    proves(
        "static void fill(struct node *list, int value) { if (!list) return;
            list->value = value; fill(list->next, value); }
        int main(void) { struct node *list = build(); int value = __VERIFIER_nondet_int();
        fill(list, value);
        for (struct node *at = list; at; at = at->next) if (at->value != value) reach_error();
        drop(list); return 0; }",
    );
    // A recursion that ends soon is followed, beside a loop that may not.
    proves(
        "static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
        int main(void) { struct node *list = 0;
        while (__VERIFIER_nondet_int()) { struct node *fresh = malloc(sizeof *fresh);
            fresh->value = fact(4); fresh->next = list; list = fresh; }
        while (list) { struct node *next = list->next; if (list->value != 24) reach_error();
            free(list); list = next; }
        return 0; }",
    );
    are_never_proved(&[
        "static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
        int main(void) { int n = 0;
        while (__VERIFIER_nondet_int()) { if (fact(n & 3) == 6) reach_error(); n++; }
        return 0; }",
        "static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        int main(void) { if (fib(__VERIFIER_nondet_int() & 15) == 55) reach_error(); return 0; }",
        "static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
        int main(void) { if (fact(__VERIFIER_nondet_int() & 7) > 5000) reach_error(); return 0; }",
        "static int ack(int m, int n) { if (m == 0) return n + 1; if (n == 0) return ack(m - 1, 1);
            return ack(m - 1, ack(m, n - 1)); }
        int main(void) { if (ack(2, __VERIFIER_nondet_int() & 1) == 5) reach_error(); return 0; }",
        "static void count(int n, int *out) { *out += 1; if (n > 0) count(n - 1, out); }
        int main(void) { int out = 0; count(__VERIFIER_nondet_int() & 63, &out);
        if (out == 40) reach_error(); return 0; }",
        "static void fill(struct node *list, int value) { if (!list) return;
            list->value = value; fill(list->next, value + 1); }
        int main(void) { struct node *list = build(); int value = __VERIFIER_nondet_int();
        fill(list, value);
        for (struct node *at = list; at; at = at->next) if (at->value != value) reach_error();
        drop(list); return 0; }",
    ]);
}

/// What callers know of the heap that a call changes.
#[test]
fn callers_hold_parts_of_the_list() {
    proves(
        "static struct node *find(struct node *list) {
            if (!list || __VERIFIER_nondet_int()) return list; return find(list->next); }
        int main(void) { struct node *list = build(); struct node *found = find(list);
        if (found) found->value = 8;
        for (struct node *at = list; at; at = at->next)
            if (at->value != 7 && at->value != 8) reach_error();
        drop(list); return 0; }",
    );
    // The caller's node in the middle is still there, and still the same.
    proves(
        "static void touch(struct node *list) { if (!list) return;
            list->value = 1; touch(list->next); }
        int main(void) { struct node *list = build(), *middle = list;
        while (middle && __VERIFIER_nondet_int()) middle = middle->next;
        touch(list);
        if (middle && middle->value != 1) reach_error();
        drop(list); return 0; }",
    );
    const CUT: &str = "
        static void cut(struct node *list) { if (!list) return;
            struct node *second = list->next;
            if (second && __VERIFIER_nondet_int()) { list->next = second->next; free(second); }
            cut(list->next); }
        static struct node *last(struct node *list) {
            return list && list->next ? last(list->next) : list; }";
    are_never_proved(&[
        // The caller's pointer to the last node dangles.
        &format!(
            "{CUT} int main(void) {{ struct node *list = build(), *end = last(list); cut(list);
            if (end) end->value = 1; drop(list); return 0; }}"
        ),
        // Or its pointer to the middle.
        &format!(
            "{CUT} int main(void) {{ struct node *list = build(), *middle = list;
            while (middle && __VERIFIER_nondet_int()) middle = middle->next;
            cut(list); if (middle) middle->value = 1; drop(list); return 0; }}"
        ),
        // The call changes what the caller's pointer points to.
        "static void touch(struct node *list) { if (!list) return;
            list->value = 1; touch(list->next); }
        int main(void) { struct node *list = build(), *middle = list;
        while (middle && __VERIFIER_nondet_int()) middle = middle->next;
        if (middle) middle->value = 5;
        touch(list); if (middle && middle->value == 1) reach_error(); drop(list); return 0; }",
        // Two arguments may be the same list.
        "static void both(struct node *a, struct node *b) { if (!a || !b) return;
            a->value = 1; b->value = 2; if (a->value == 2) reach_error(); both(a->next, b->next); }
        int main(void) { struct node *list = build(), *other = build();
        both(list, __VERIFIER_nondet_int() ? list : other); drop(list); drop(other); return 0; }",
        // A list that a global shares.
        "static struct node *global;
        static void eat(struct node *list) { if (!list) return;
            eat(list->next); free(list); }
        int main(void) { struct node *list = build(); if (list) global = list->next;
        eat(list); if (global) global->value = 3; return 0; }",
        // The call moves a node of the caller's into another list.
        "static void move(struct node **from, struct node **to) { if (!*from) return;
            struct node *moved = *from; *from = moved->next; moved->next = *to; *to = moved;
            move(from, to); }
        int main(void) { struct node *a = build(), *b = build(), *first = a; move(&a, &b);
        if (first) { drop(first); } drop(b); return 0; }",
        // A caller's variable is changed through its address.
        "static void zero(int *number, int n) { if (n <= 0) { *number = 0; return; }
            zero(number, n - 1); }
        int main(void) { int number = 5; zero(&number, __VERIFIER_nondet_int());
        if (number == 0) reach_error(); return 0; }",
        // Lists that end in one another.
        "int main(void) { struct node *a = build(), *b = build();
        if (a && b) { struct node *end = a; while (end->next) end = end->next; end->next = b; }
        drop(a); if (b) drop(b); return 0; }",
        // What is lost in a call is lost, though the caller holds the rest.
        "static void forget(struct node *list) { if (!list) return;
            if (list->next && list->next->next) list->next = 0; forget(list->next); }
        int main(void) { struct node *list = build(); forget(list); drop(list); return 0; }",
        // The program ends within the call, and what the caller has is never freed.
        "extern void exit(int);
        static void leave(int n) { if (n == 0) exit(0); if (n > 0) leave(n - 1); }
        int main(void) { struct node *list = malloc(sizeof *list); list->next = list;
        struct node **hidden = malloc(sizeof *hidden); *hidden = list; list = 0;
        hidden = 0; leave(__VERIFIER_nondet_int()); return 0; }",
    ]);
}

#[test]
fn circular_and_shared_lists_are_not_taken_for_others() {
    are_never_proved(&[
        "static void walk(struct node *at, struct node *stop) {
            at->value = 1; if (at->next != stop) walk(at->next, stop); }
        int main(void) { struct node *list = build(); if (!list) return 0;
        struct node *end = list; while (end->next) end = end->next; end->next = list;
        walk(list, list); drop_first(list); return 0; }",
        "static void drop_ring(struct node *at, struct node *stop) {
            struct node *next = at->next; free(at); if (next != stop) drop_ring(next, stop); }
        int main(void) { struct node *list = build(); if (!list) return 0;
        struct node *end = list; while (end->next) end = end->next; end->next = list;
        drop_ring(list, list->next); free(list); return 0; }",
    ]);
    proves(
        "static void drop_ring(struct node *at, struct node *stop) {
            struct node *next = at->next; if (at != stop) free(at);
            if (next != stop) drop_ring(next, stop); }
        int main(void) { struct node *list = build(); if (!list) return 0;
        struct node *end = list; while (end->next) end = end->next; end->next = list;
        drop_ring(list, list); free(list); return 0; }",
    );
}

/// Bugs that only deep calls have, or that need a value to go down and come back unchanged.
#[test]
fn what_calls_learn_and_change_is_not_forgotten() {
    are_never_proved(&[
        "static int is_answer(int value, int n) {
            return n > 0 ? is_answer(value, n - 1) : value == 42; }
        int main(void) { int value = __VERIFIER_nondet_int();
        if (is_answer(value, __VERIFIER_nondet_int() & 7) && value == 42) reach_error();
        return 0; }",
        "static void strange(struct node *list, int depth) { if (!list) return;
            strange(list->next, depth + 1); if (depth == 40) list->value = 8; }
        int main(void) { struct node *list = build(); strange(list, 0);
        for (struct node *at = list; at; at = at->next) if (at->value == 8) reach_error();
        drop(list); return 0; }",
        "static void strange(struct node *list, int depth) { if (!list) return;
            strange(list->next, depth + 1); if (depth == 33) list->next = 0; }
        int main(void) { struct node *list = build(); strange(list, 0); drop(list); return 0; }",
        // A pointer into a node, and one to the node.
        "static void add(struct node *list) { if (!list) return; list->value++; add(list->next); }
        int main(void) { struct node *list = build(); int *inside = list ? &list->value : 0;
        add(list); if (inside && *inside == 8) reach_error(); drop(list); return 0; }",
        // A static object that both sides know.
        "static struct { struct node *list; int count; } all;
        static void count(struct node *list) { if (!list) return; all.count++; count(list->next); }
        int main(void) { all.list = build(); int *counter = &all.count; count(all.list);
        if (*counter == 3) reach_error(); drop(all.list); return 0; }",
        // A local array, at an index that is not known.
        "static void mark(int *array, int at) { array[at & 3] = 1; if (at > 0) mark(array, at - 1); }
        int main(void) { int array[4] = {0, 0, 0, 0}; mark(array, __VERIFIER_nondet_int());
        if (array[2] == 1) reach_error(); return 0; }",
        "static void mark(int *array, int at) { array[at & 7] = 1; if (at > 0) mark(array, at - 1); }
        int main(void) { int array[4]; mark(array, __VERIFIER_nondet_int()); return 0; }",
        // A call through a pointer that the call itself changes.
        "static void other(struct node *list); static void (*next)(struct node *);
        static void one(struct node *list) { if (!list) return; next = other; next(list->next); }
        static void other(struct node *list) { if (list && !list->next) reach_error();
            one(list ? list->next : 0); }
        int main(void) { struct node *list = build(); next = one; next(list); drop(list); return 0; }",
    ]);
}

#[test]
fn structs_are_passed_and_returned() {
    let grow = "struct both { struct node *list; int length; };
        static struct both grow(struct both given) {
            if (!__VERIFIER_nondet_int()) return given;
            struct node *fresh = malloc(sizeof *fresh); fresh->next = given.list;
            given.list = fresh; given.length++; return grow(given); }
        int main(void) { struct both start = {0, 0}; struct both made = grow(start);";
    proves(&format!("{grow} drop(made.list); return 0; }}"));
    are_never_proved(&[&format!(
        "{grow} if (made.length == 3) reach_error(); drop(made.list); return 0; }}"
    )]);
}

#[test]
fn a_call_replaces_what_the_caller_may_keep() {
    let replace = "static struct node *replace(struct node *list) { if (!list) return 0;
            struct node *fresh = malloc(sizeof *fresh); fresh->value = list->value;
            fresh->next = replace(list->next); free(list); return fresh; }";
    proves(&format!(
        "{replace} int main(void) {{ struct node *list = replace(build());
        for (struct node *at = list; at; at = at->next) if (at->value != 7) reach_error();
        drop(list); return 0; }}"
    ));
    are_never_proved(&[&format!(
        "{replace}
        int main(void) {{ struct node *list = build(), *second = list ? list->next : 0;
        list = replace(list); int value = second ? second->value : 0; drop(list); return value; }}"
    )]);
}
