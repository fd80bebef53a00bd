//@ truth: violated valid-memtrack
//@ now: violated valid-memtrack 18
//@ options: --entry append
//@ run: exit 101
// For an empty list, the new node is made and forgotten.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

void append(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = NULL;
    if (!list)
        return;
    while (list->next) list = list->next;
    list->next = node;
}
