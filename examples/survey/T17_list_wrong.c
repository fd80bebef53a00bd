//@ survey: T17, Shape Analysis, figure 1.1
//@ truth: violated valid-memtrack
// A singly linked list to whose first node every new one is linked, so that the one before is
// lost.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static void destroy(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void) {
    struct node *list = NULL, *last = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = NULL;
        if (last)
            last->next = node;
        else
            list = node;
        last = list;
    }
    for (struct node *t = list; t; t = t->next)
        ;
    destroy(list);
    return 0;
}
