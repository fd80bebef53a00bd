//@ survey: T20, 2LS thesis, figure 3.5
//@ truth: holds
//@ expected: template, three-valued, symbolic-heap
// A singly linked list gets its back links: the node behind one leads back to it.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next, *prev;
};

static void link_back(struct node *list) {
    while (list && list->next) {
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
