//@ survey: T17, Shape Analysis, figure 1.1
//@ truth: violated valid-deref
// A ring that is open: the last node leads nowhere, and a walk runs off it.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void) {
    struct node *ring = malloc(sizeof *ring);
    ring->next = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = ring->next;
        ring->next = node;
    }
    struct node *t = ring->next;
    while (t != ring)
        t = t->next;
    while (ring->next != ring) {
        struct node *node = ring->next;
        ring->next = node->next;
        free(node);
    }
    free(ring);
    return 0;
}
