//@ survey: T20, 2LS thesis, figure 3.5
//@ truth: violated valid-deref
// A singly linked list gets its back links, and the last node should give one to the node behind
// it, which is null.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next, *prev;
};

static void link_back(struct node *list) {
    while (list) {
        list->next->prev = list;
        list = list->next;
    }
}

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->prev = NULL;
        node->next = list;
        list = node;
    }
    link_back(list);
    for (struct node *t = list; t; t = t->next)
        assert(!t->next || t->next->prev == t);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
