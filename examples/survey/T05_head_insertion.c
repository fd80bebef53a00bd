//@ survey: T05, Shape Analysis, 4.4.4
//@ truth: holds
//@ expected: symbolic-heap, template, three-valued, k-limited, forest-automata
// A list of any length is built by insertion at its head.
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
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = head;
        head = node;
    }
    destroy(head);
    return 0;
}
