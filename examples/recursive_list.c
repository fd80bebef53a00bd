//@ truth: holds
//@ now: holds
//@ run: exit 0
// Recursive functions on a list of any length: append, last, free.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *append(struct node *list, struct node *node) {
    if (!list) return node;
    list->next = append(list->next, node);
    return list;
}

static struct node *last(struct node *list) {
    return list->next ? last(list->next) : list;
}

static void drop(struct node *list) {
    if (!list) return;
    drop(list->next);
    free(list);
}

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = NULL;
        list = append(list, node);
        assert(list != NULL);
    }
    if (list) assert(last(list)->next == NULL);
    drop(list);
    return 0;
}
