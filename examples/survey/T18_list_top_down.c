//@ survey: T18, Shape Analysis, 4.2
//@ truth: holds
//@ expected: symbolic-heap, template, three-valued, k-limited, forest-automata
// A list that grows at its end.
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
    struct node *list = malloc(sizeof *list), *last = list;
    list->next = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = NULL;
        last->next = node;
        last = node;
    }
    destroy(list);
    return 0;
}
