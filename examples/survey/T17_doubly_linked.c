//@ survey: T17, Shape Analysis, figure 1.1
//@ truth: holds
//@ expected: three-valued, symbolic-heap, forest-automata
// A doubly linked list: built at its end, walked back to its start, freed.
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
        node->prev = last;
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
