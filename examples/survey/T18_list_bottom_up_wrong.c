//@ survey: T18, Shape Analysis, 4.2
//@ truth: violated valid-deref
// Two nodes lead to one list: it is freed from both.
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
    struct node *other = malloc(sizeof *other);
    other->next = list;
    destroy(list);
    destroy(other);
    return 0;
}
