//@ survey: T02, Shape Analysis, figure 2.1
//@ truth: holds
//@ expected: symbolic-heap, template, three-valued, k-limited, forest-automata
// A list that ends in null, the well-formed one of three, is built and walked to its end.
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
    last->next = NULL;
    while (__VERIFIER_nondet_int()) {
        last->next = malloc(sizeof *last);
        last = last->next;
        last->next = NULL;
    }
    destroy(list);
    return 0;
}
