//@ survey: T19, 2LS thesis, figures 3.2 and 3.3
//@ truth: violated unreach-call
// A function makes a node for a list that it is given by the address of the head, and does not
// put it there.
#include <assert.h>
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

static void chain_node(struct node **list) {
    struct node *node = malloc(sizeof *node);
    node->next = *list;
}

int main(void) {
    struct node *list = NULL;
    do {
        chain_node(&list);
        assert(list != NULL);
    } while (__VERIFIER_nondet_int());
    destroy(list);
    return 0;
}
