//@ truth: holds
//@ now: holds
//@ run: exit 0
// A doubly linked list: every node's neighbours point back at it, also after one is taken out.
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
    struct node *previous;
};

static struct node *append(struct node *tail, int value) {
    struct node *node = calloc(1, sizeof *node);
    node->value = value;
    node->previous = tail;
    if (tail)
        tail->next = node;
    return node;
}

static void take_out(struct node *node) {
    if (node->previous)
        node->previous->next = node->next;
    if (node->next)
        node->next->previous = node->previous;
    free(node);
}

int main(void) {
    struct node *head = append(NULL, 0);
    struct node *tail = head;
    for (int i = 1; i < 4; i++)
        tail = append(tail, i);
    take_out(head->next);
    for (struct node *node = head; node->next; node = node->next)
        assert(node->next->previous == node);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
