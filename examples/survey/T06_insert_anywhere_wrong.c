//@ survey: T06, Shape Analysis, figure 4.15
//@ truth: violated valid-deref
// A node is put at any place of a list, with its two stores in the wrong order: it leads to
// itself.
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
    struct node *t = malloc(sizeof *t), *c = list;
    while (c && c->next && __VERIFIER_nondet_int())
        c = c->next;
    if (c) {
        c->next = t;
        t->next = c->next;
    } else {
        t->next = NULL;
        list = t;
    }
    destroy(list);
    return 0;
}
