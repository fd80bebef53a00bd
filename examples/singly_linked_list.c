//@ truth: holds
//@ now: holds
//@ run: exit 0
// A singly linked list: push, reverse in place, sum, free. Nothing is lost, nothing is used too late.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *head, int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = head;
    return node;
}

static struct node *reverse(struct node *head) {
    struct node *reversed = NULL;
    while (head) {
        struct node *next = head->next;
        head->next = reversed;
        reversed = head;
        head = next;
    }
    return reversed;
}

int main(void) {
    struct node *head = NULL;
    for (int i = 1; i <= 5; i++)
        head = push(head, i);
    head = reverse(head);
    while (head) {
        struct node *next = head->next;
        printf("%d ", head->value);
        free(head);
        head = next;
    }
    printf("\n");
    return 0;
}
