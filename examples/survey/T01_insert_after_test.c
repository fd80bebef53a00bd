//@ survey: T01, Shape Analysis, figure 2.2
//@ truth: holds
//@ expected: three-valued, symbolic-heap, forest-automata
// A new node is put behind the first node that passes a test. No pointer is wrong, the list stays
// a list, nothing is lost.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *build(void) {
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = head;
        head = node;
    }
    return head;
}

static void destroy(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void) {
    struct node *list = build();
    struct node *t = list;
    while (t && !__VERIFIER_nondet_int())
        t = t->next;
    if (t) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = t->next;
        t->next = fresh;
    }
    destroy(list);
    return 0;
}
