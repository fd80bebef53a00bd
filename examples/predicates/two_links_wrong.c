//@ truth: violated valid-deref
//@ now: violated valid-deref 35
//@ run: exit 101
//@ property: valid-memsafety
//@ predicates: two_links.predicates
// The same, but the list begins with the wrong link.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *a;
    struct node *b;
};

int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        if (!x) break;
        struct node *y = malloc(sizeof *y);
        if (!y) {
            free(x);
            break;
        }
        y->a = 0;
        y->b = list;
        x->a = y;
        x->b = 0;
        list = y;
    }
    while (list) {
        struct node *y = list->a;
        free(list);
        list = y->b;
        free(y);
    }
    return 0;
}
