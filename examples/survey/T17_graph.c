//@ survey: T17, Shape Analysis, figure 1.1
//@ truth: holds
//@ expected: three-valued
// A connected graph: every node has a link to any node that was there before, or to itself; a
// second link holds all together.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next, *peer;
};

int main(void) {
    struct node *all = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        struct node *peer = all;
        while (peer && __VERIFIER_nondet_int())
            peer = peer->next;
        node->peer = peer ? peer : node;
        node->next = all;
        all = node;
    }
    if (all)
        for (struct node *t = all; __VERIFIER_nondet_int();)
            t = t->peer;
    while (all) {
        struct node *next = all->next;
        free(all);
        all = next;
    }
    return 0;
}
