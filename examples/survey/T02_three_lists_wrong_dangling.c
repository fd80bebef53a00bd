//@ survey: T02, Shape Analysis, figure 2.1
//@ truth: violated valid-deref
// The last node of a list leads to memory that was freed.
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
    last->next = malloc(sizeof *last);
    free(last->next);
    destroy(list);
    return 0;
}
