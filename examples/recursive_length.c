//@ truth: holds
//@ now: holds
//@ run: exit 0
// A recursive function counts the nodes that were made, and another one whether there are evenly many.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static unsigned length(const struct node *list) {
    return list ? 1 + length(list->next) : 0;
}

static int has_partners(const struct node *list) {
    if (!list) return 1;
    return !has_partners(list->next);
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
    assert(has_partners(list) == (made % 2 == 0));
    drop(list);
    return 0;
}
