//@ truth: holds
//@ now: holds
//@ run: exit 0
//@ predicates: counted.predicates
// A queue whose length is told by a number beside it: the definition says how the number goes with the list.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    unsigned length = 0;
    while (length < 1000 && __VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node) break;
        node->next = list;
        list = node;
        length++;
    }
    while (length > 0) {
        struct node *rest = list->next;
        free(list);
        list = rest;
        length--;
    }
    assert(!list);
    return 0;
}
