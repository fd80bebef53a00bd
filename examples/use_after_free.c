//@ truth: violated valid-deref
//@ now: violated valid-deref 29
//@ run: exit 101
// Use after free: the loop frees a node and then asks it for its successor.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *list_of(int length) {
    struct node *head = NULL;
    while (length > 0) {
        struct node *node = malloc(sizeof *node);
        node->value = length;
        node->next = head;
        head = node;
        length--;
    }
    return head;
}

int main(void) {
    struct node *head = list_of(3);
    while (head) {
        struct node *current = head;
        free(current);
        head = current->next; /* too late */
    }
    return 0;
}
