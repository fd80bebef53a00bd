//@ survey: T17, Shape Analysis, figure 1.1
//@ truth: violated unreach-call
// A doubly linked list whose back links all lead to the first node.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next, *prev;
};

int main(void) {
    struct node *list = NULL, *last = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = NULL;
        node->prev = list;
        if (last)
            last->next = node;
        else
            list = node;
        last = node;
    }
    for (struct node *t = last; t; t = t->prev)
        assert(!t->prev || t->prev->next == t);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
