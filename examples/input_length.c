//@ truth: violated valid-deref
//@ now: violated valid-deref 24
//@ run: exit 0
// A bug that needs an input: only the empty list goes wrong.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void) {
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length > 10)
        return 0;
    struct node *head = NULL;
    for (int i = 0; i < length; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = head;
        head = node;
    }
    struct node *rest;
    rest = head->next;
    free(head);
    while (rest) {
        struct node *next = rest->next;
        free(rest);
        rest = next;
    }
    return 0;
}
