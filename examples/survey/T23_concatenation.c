//@ survey: T23, SAS 2010, figure 1
//@ truth: holds
//@ expected: three-valued, symbolic-heap
// Two doubly linked lists become one: behind each node is one that leads back to it.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next, *prev;
};

static struct node *build(void) {
    struct node *first = malloc(sizeof *first), *last = first;
    first->next = NULL;
    first->prev = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = NULL;
        node->prev = last;
        last->next = node;
        last = node;
    }
    return first;
}

int main(void) {
    struct node *list = build(), *more = build(), *t = list;
    while (t->next)
        t = t->next;
    t->next = more;
    more->prev = t;
    for (t = list; t->next; t = t->next)
        assert(t->next->prev == t);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
