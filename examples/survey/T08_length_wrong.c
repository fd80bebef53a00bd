//@ survey: T08, Shape Analysis, 5.1
//@ truth: violated unreach-call
// The length of a list, counted without its last node.
#include <assert.h>
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

static size_t length(struct node *list) {
    size_t count = 0;
    while (list && list->next) {
        count++;
        list = list->next;
    }
    return count;
}

int main(void) {
    struct node *list = build();
    if (list) {
        assert(length(list) > 0);
        assert(length(list) > length(list->next));
    }
    destroy(list);
    return 0;
}
