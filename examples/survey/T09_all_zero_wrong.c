//@ survey: T09, Shape Analysis, 5.1
//@ truth: violated unreach-call
// All values of a list but the first are set to zero; then all should be.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

static struct node *build(void) {
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->value = __VERIFIER_nondet_int();
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

static void set_zero(struct node *list) {
    for (struct node *t = list; t; t = t->next)
        t->value = 0;
}

static int all_equal(struct node *list, int value) {
    for (struct node *t = list; t; t = t->next)
        if (t->value != value)
            return 0;
    return 1;
}

int main(void) {
    struct node *list = build();
    if (list)
        set_zero(list->next);
    assert(all_equal(list, 0));
    destroy(list);
    return 0;
}
