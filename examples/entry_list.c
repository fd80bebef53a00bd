//@ truth: holds
//@ now: holds
//@ options: --entry insert_sorted
//@ run: exit 0
// A function without a program: its callers may pass any list, also the empty one.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

void insert_sorted(struct node **head, int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    struct node **place = head;
    while (*place && (*place)->value < value) place = &(*place)->next;
    node->next = *place;
    *place = node;
}
