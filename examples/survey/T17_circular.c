//@ survey: T17, Shape Analysis, figure 1.1
//@ truth: holds
//@ expected: three-valued, symbolic-heap, forest-automata
// A ring: nodes are put behind the first one, a walk goes round once, all are freed.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void) {
    struct node *ring = malloc(sizeof *ring);
    ring->next = ring;
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
