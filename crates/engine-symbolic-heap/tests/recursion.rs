//! Recursive functions over lists of any length: what must be proved, and what must never be.

mod common;
#[path = "common/lists.rs"]
mod lists;

use lists::{are_never_proved, proves};

#[test]
fn a_list_is_built_and_freed() {
    proves("int main(void) { struct node *list = build(); drop(list); return 0; }");
    are_never_proved(&[
        // The last node is left.
        "static void most(struct node *list) {
            if (!list || !list->next) return; most(list->next); free(list); }
        int main(void) { most(build()); return 0; }",
        // A node is freed before its link is read.
        "static void wrong(struct node *list) { if (!list) return; free(list); wrong(list->next); }
        int main(void) { wrong(build()); return 0; }",
        // The first node is freed twice.
        "int main(void) { struct node *list = build(); drop(list); free(list); return 0; }",
        // The second node is.
        "int main(void) { struct node *list = build(); struct node *second = list ? list->next : 0;
        drop(list); if (second) free(second); return 0; }",
        // The list is used afterwards.
        "int main(void) { struct node *list = build(); drop(list);
        if (list) return list->value; return 0; }",
        // No end of the list.
        "static void walk(struct node *list) { walk(list->next); }
        int main(void) { struct node *list = build(); if (list) walk(list); drop(list); return 0; }",
        // Every node but the first is lost.
        "static struct node *lose(void) {
            struct node *fresh = malloc(sizeof *fresh); fresh->next = 0;
            if (__VERIFIER_nondet_int()) lose();
            return fresh; }
        int main(void) { struct node *list = lose(); free(list); return 0; }",
    ]);
}

#[test]
fn a_list_is_measured_and_looked_through() {
    proves(
        "static int length(struct node *list) { return list ? 1 + length(list->next) : 0; }
        static void check(struct node *list) {
            if (!list) return; if (list->value != 7) reach_error(); check(list->next); }
        int main(void) { struct node *list = build(); length(list); check(list); drop(list);
        return 0; }",
    );
    are_never_proved(&[
        "static void check(struct node *list) {
            if (!list) return; if (list->value != 7) reach_error(); check(list->next); }
        int main(void) { struct node *list = build();
        for (struct node *at = list; at; at = at->next)
            if (!at->next && at != list) at->value = 8;
        check(list); drop(list); return 0; }",
        "static int last(struct node *list) { if (!list->next) return list->value;
            return last(list->next); }
        int main(void) { struct node *list = build(); last(list); drop(list); return 0; }",
    ]);
}

#[test]
fn nodes_are_appended_and_inserted() {
    proves(
        "static struct node *append(struct node *list, int value) {
            if (!list) { list = malloc(sizeof *list); list->next = 0; list->value = value;
                return list; }
            list->next = append(list->next, value); return list; }
        int main(void) { struct node *list = 0;
        while (__VERIFIER_nondet_int()) list = append(list, 3);
        for (struct node *at = list; at; at = at->next) if (at->value != 3) reach_error();
        drop(list); return 0; }",
    );
    proves(
        "static struct node *insert(struct node *list, int value) {
            if (!list || list->value >= value) {
                struct node *fresh = malloc(sizeof *fresh);
                fresh->value = value; fresh->next = list; return fresh; }
            list->next = insert(list->next, value); return list; }
        int main(void) { struct node *list = 0;
        while (__VERIFIER_nondet_int()) list = insert(list, __VERIFIER_nondet_int());
        drop(list); return 0; }",
    );
    are_never_proved(&[
        // What follows the new node is lost.
        "static struct node *insert(struct node *list, int value) {
            if (!list || list->value >= value) {
                struct node *fresh = malloc(sizeof *fresh);
                fresh->value = value; fresh->next = 0; return fresh; }
            list->next = insert(list->next, value); return list; }
        int main(void) { struct node *list = 0;
        while (__VERIFIER_nondet_int()) list = insert(list, __VERIFIER_nondet_int());
        drop(list); return 0; }",
        // A link is not set.
        "static struct node *append(struct node *list) {
            if (!list) { list = malloc(sizeof *list); return list; }
            list->next = append(list->next); return list; }
        int main(void) { struct node *list = append(build()); drop(list); return 0; }",
        // The new node is there twice.
        "static struct node *append(struct node *list, struct node *fresh) {
            if (!list) return fresh;
            list->next = append(list->next, fresh); return list; }
        int main(void) { struct node *fresh = malloc(sizeof *fresh); fresh->next = 0;
        struct node *list = append(build(), fresh); struct node *other = append(build(), fresh);
        drop(list); drop(other); return 0; }",
    ]);
}

#[test]
fn a_list_is_reversed() {
    proves(
        "static struct node *reverse(struct node *list, struct node *done) {
            if (!list) return done;
            struct node *next = list->next; list->next = done; return reverse(next, list); }
        int main(void) { drop(reverse(build(), 0)); return 0; }",
    );
    proves(
        "static struct node *reverse(struct node *list) {
            if (!list || !list->next) return list;
            struct node *head = reverse(list->next);
            list->next->next = list; list->next = 0; return head; }
        int main(void) { struct node *first = build(); struct node *list = reverse(first);
        if (first && first->next) reach_error();
        drop(list); return 0; }",
    );
    are_never_proved(&[
        "static struct node *reverse(struct node *list) {
            if (!list || !list->next) return list;
            struct node *head = reverse(list->next);
            list->next->next = list; return head; }
        int main(void) { drop_first(reverse(build())); return 0; }",
        "static struct node *reverse(struct node *list, struct node *done) {
            if (!list) return done;
            struct node *next = list->next; list->next = done; return reverse(next, list); }
        int main(void) { struct node *list = build(); reverse(list, 0); drop(list); return 0; }",
        "static struct node *reverse(struct node *list) {
            if (!list || !list->next) return list;
            struct node *head = reverse(list->next);
            list->next->next = list; list->next = 0; return head; }
        int main(void) { struct node *first = build(); struct node *list = reverse(first);
        if (first && first != list) reach_error();
        drop(list); return 0; }",
    ]);
}

#[test]
fn lists_are_sorted() {
    const RANDOM: &str = "
        static struct node *random_list(void) { struct node *list = 0;
            while (__VERIFIER_nondet_int()) { struct node *fresh = malloc(sizeof *fresh);
                fresh->next = list; fresh->value = __VERIFIER_nondet_int(); list = fresh; }
            return list; }
        static struct node *merge(struct node *a, struct node *b) {
            if (!a) return b; if (!b) return a;
            if (a->value <= b->value) { a->next = merge(a->next, b); return a; }
            b->next = merge(a, b->next); return b; }
        static void split(struct node *list, int value, struct node **low, struct node **high) {
            if (!list) { *low = *high = 0; return; }
            if (list->value < value) { *low = list; split(list->next, value, &list->next, high); }
            else { *high = list; split(list->next, value, low, &list->next); } }
        static struct node *append(struct node *a, struct node *b) {
            if (!a) return b; a->next = append(a->next, b); return a; }";
    proves(&format!(
        "{RANDOM} static struct node *sort(struct node *list) {{
            if (!list || !list->next) return list;
            struct node *slow = list, *fast = list->next;
            while (fast && fast->next) {{ slow = slow->next; fast = fast->next->next; }}
            struct node *half = slow->next; slow->next = 0;
            return merge(sort(list), sort(half)); }}
        int main(void) {{ drop(sort(random_list())); return 0; }}"
    ));
    // Each call knows that its nodes are less than those of all its callers.
    proves(&format!(
        "{RANDOM} static struct node *sort(struct node *list) {{
            if (!list) return 0;
            struct node *low, *high; split(list->next, list->value, &low, &high);
            low = sort(low); list->next = sort(high); return append(low, list); }}
        int main(void) {{ drop(sort(random_list())); return 0; }}"
    ));
    are_never_proved(&[
        // The first half still has the second in it.
        &format!(
            "{RANDOM} static struct node *sort(struct node *list) {{
                if (!list || !list->next) return list;
                struct node *slow = list, *fast = list->next;
                while (fast && fast->next) {{ slow = slow->next; fast = fast->next->next; }}
                struct node *half = slow->next; if (half->next) slow->next = 0;
                drop(half); return list; }}
            int main(void) {{ drop(sort(random_list())); return 0; }}"
        ),
        // A part is left out.
        &format!(
            "{RANDOM} static struct node *sort(struct node *list) {{
                if (!list) return 0;
                struct node *low, *high; split(list->next, list->value, &low, &high);
                low = sort(low); list->next = 0; return append(low, list); }}
            int main(void) {{ drop(sort(random_list())); return 0; }}"
        ),
    ]);
}

#[test]
fn functions_call_each_other() {
    proves(
        "static int odd(struct node *list);
        static int even(struct node *list) { return list ? odd(list->next) : 1; }
        static int odd(struct node *list) { return list ? even(list->next) : 0; }
        int main(void) { struct node *list = build(); int is_even = even(list);
        if (is_even != 0 && is_even != 1) reach_error();
        drop(list); return 0; }",
    );
    // Through pointers, which no call graph of direct calls shows.
    proves(
        "static void apply(void (*each)(struct node *), struct node *list) { if (list) each(list); }
        static void rest(struct node *list) { list->value = 1; apply(rest, list->next); }
        int main(void) { struct node *list = build(); apply(rest, list);
        for (struct node *at = list; at; at = at->next) if (at->value != 1) reach_error();
        drop(list); return 0; }",
    );
    are_never_proved(&[
        "static int odd(struct node *list);
        static int even(struct node *list) { return odd(list->next); }
        static int odd(struct node *list) { return list ? even(list->next) : 0; }
        int main(void) { struct node *list = build(); odd(list); drop(list); return 0; }",
        "static void second(struct node *list);
        static void first(struct node *list) { if (!list) return; list->value = 1;
            second(list->next); }
        static void second(struct node *list) { if (!list) return; list->value = 2;
            first(list->next); }
        int main(void) { struct node *list = build(); first(list);
        for (struct node *at = list; at; at = at->next) if (at->value != 1) reach_error();
        drop(list); return 0; }",
    ]);
}

#[test]
fn links_are_passed_by_address() {
    proves(
        "static void make(struct node **out) {
            if (!__VERIFIER_nondet_int()) { *out = 0; return; }
            *out = malloc(sizeof **out); (*out)->value = 1; make(&(*out)->next); }
        static void thin(struct node **link) {
            if (!*link) return;
            if (__VERIFIER_nondet_int()) {
                struct node *old = *link; *link = old->next; free(old); thin(link);
            } else thin(&(*link)->next); }
        int main(void) { struct node *list; make(&list); thin(&list); drop(list); return 0; }",
    );
    are_never_proved(&[
        "static void make(struct node **out) {
            if (!__VERIFIER_nondet_int()) return;
            *out = malloc(sizeof **out); make(&(*out)->next); }
        int main(void) { struct node *list = 0; make(&list); drop(list); return 0; }",
        "static void thin(struct node **link) {
            if (!*link) return;
            if (__VERIFIER_nondet_int()) {
                struct node *old = *link; free(old); *link = 0; thin(link);
            } else thin(&(*link)->next); }
        int main(void) { struct node *list = build(); thin(&list); drop(list); return 0; }",
        "static void thin(struct node **link) {
            if (!*link) return;
            if (__VERIFIER_nondet_int()) {
                struct node *old = *link; *link = old->next; free(old); thin(&old->next);
            } else thin(&(*link)->next); }
        int main(void) { struct node *list = build(); thin(&list); drop(list); return 0; }",
        // The address of a variable that is gone.
        "static int **keep(int depth) { int here; static int *kept; kept = &here;
            if (depth > 3) return &kept; return keep(depth + 1); }
        int main(void) { int **kept = keep(__VERIFIER_nondet_int() & 1); return **kept; }",
    ]);
}

#[test]
fn the_list_is_in_a_global_variable() {
    proves(
        "static struct node *head;
        static void push(void) { if (!__VERIFIER_nondet_int()) return;
            struct node *fresh = malloc(sizeof *fresh);
            fresh->next = head; fresh->value = 2; head = fresh; push(); }
        static void pop(void) { if (!head) return; struct node *next = head->next;
            if (head->value != 2) reach_error(); free(head); head = next; pop(); }
        int main(void) { push(); pop(); if (head) reach_error(); return 0; }",
    );
    are_never_proved(&[
        "static struct node *head;
        static void pop(void) { if (!head) return; struct node *next = head->next;
            free(head); if (next) head = next; pop(); }
        int main(void) { head = build(); pop(); return 0; }",
        "static struct node *head;
        static void pop(struct node *list) { if (!list) return; pop(list->next); free(list); }
        int main(void) { head = build(); pop(head); if (head) head->value = 1; return 0; }",
        "static struct node *head; static int calls;
        static void pop(void) { calls++; if (!head) return; struct node *next = head->next;
            free(head); head = next; pop(); }
        int main(void) { head = build(); pop(); if (calls > 4) reach_error(); return 0; }",
    ]);
}

#[test]
fn doubly_linked_lists_are_walked_and_freed() {
    const PAIRS: &str = "
        static struct pair *make(void) { struct pair *head = 0;
            while (__VERIFIER_nondet_int()) { struct pair *fresh = malloc(sizeof *fresh);
                fresh->next = head; fresh->previous = 0; fresh->value = 0;
                if (head) head->previous = fresh; head = fresh; }
            return head; }
        static void drop_pairs(struct pair *list) { if (!list) return;
            struct pair *next = list->next; free(list); drop_pairs(next); }
        static struct pair *last(struct pair *list) {
            return list && list->next ? last(list->next) : list; }
        static void drop_back(struct pair *list) { if (!list) return;
            struct pair *before = list->previous; free(list); drop_back(before); }";
    proves(&format!("{PAIRS} int main(void) {{ drop_pairs(make()); return 0; }}"));
    proves(&format!("{PAIRS} int main(void) {{ drop_back(last(make())); return 0; }}"));
    are_never_proved(&[
        &format!("{PAIRS} int main(void) {{ drop_back(make()); return 0; }}"),
        &format!("{PAIRS} int main(void) {{ drop_pairs(last(make())); return 0; }}"),
        &format!(
            "{PAIRS} int main(void) {{ struct pair *list = make(); struct pair *end = last(list);
            drop_pairs(list); if (end) end->value = 1; return 0; }}"
        ),
        &format!(
            "{PAIRS} int main(void) {{ struct pair *list = make(); struct pair *end = last(list);
            if (end && end != list) reach_error(); drop_pairs(list); return 0; }}"
        ),
    ]);
}
