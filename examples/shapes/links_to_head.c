//@ truth: holds
//@ now: holds
//@ run: exit 101
//@ property: unreach-call
//@ engine: three-valued
//@ shape-classes: classes.txt
// Two lists: every node leads to the head of its own list, nodes that are inserted later too.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static void reach_error(void) {}

struct node {
    struct node *next, *top;
};

static struct node *new_list(void) {
    struct node *head = malloc(sizeof *head);
    head->next = 0;
    head->top = head;
    return head;
}

int main(void) {
    struct node *one = new_list(), *other = new_list();
    while (__VERIFIER_nondet_int()) {
        struct node *at = __VERIFIER_nondet_int() ? one : other;
        while (at->next && __VERIFIER_nondet_int())
            at = at->next;
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = at->next;
        fresh->top = at->top;
        at->next = fresh;
    }
    for (struct node *at = one; at; at = at->next)
        if (at->top != one)
            reach_error();
    return 0;
}
