//@ truth: violated valid-memtrack
//@ now: violated valid-memtrack 23
//@ run: exit 101
// A leak: walking along the list with the only pointer to its head.
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *push(struct node *head) {
    struct node *node = malloc(sizeof *node);
    node->next = head;
    return node;
}

int main(void) {
    struct node *head = push(push(push(NULL)));
    int length = 0;
    while (head) {
        length++;
        head = head->next; /* needs a second pointer */
    }
    printf("%d\n", length);
    return 0;
}
