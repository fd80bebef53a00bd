//@ survey: T04, Shape Analysis, figure 4.13
//@ truth: holds
//@ expected: symbolic-heap, template, three-valued, k-limited, forest-automata
// A node is put behind the first one, if there is one: the two cases of a list.
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
    if (list) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = list->next;
        list->next = fresh;
    }
    destroy(list);
    return 0;
}
