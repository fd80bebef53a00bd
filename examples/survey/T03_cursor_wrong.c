//@ survey: T03, Shape Analysis, figure 2.9
//@ truth: violated valid-deref
// A cursor walks down a list two nodes at a time, past its end.
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
    while (t)
        t = t->next->next;
    destroy(list);
    return 0;
}
