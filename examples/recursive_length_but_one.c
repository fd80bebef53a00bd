//@ truth: violated unreach-call
//@ now: violated unreach-call 33
//@ run: exit 101
// Who counts does not count the last node of a list.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static unsigned length(const struct node *list) {
    return list && list->next ? 1 + length(list->next) : 0;
}

static void drop(struct node *list) {
    if (!list) return;
    drop(list->next);
    free(list);
}

int main(void) {
    struct node *list = NULL;
    unsigned made = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
        made++;
    }
    assert(length(list) == made);
    drop(list);
    return 0;
}
