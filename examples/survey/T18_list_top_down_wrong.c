//@ survey: T18, Shape Analysis, 4.2
//@ truth: violated valid-deref
// Two nodes lead to the end of one list: it is freed from both.
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
    struct node *other = malloc(sizeof *other);
    other->next = last;
    destroy(list);
    destroy(other);
    return 0;
}
