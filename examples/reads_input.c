//@ truth: holds
//@ now: holds
//@ run: exit 0
//@ input: 3 14 15
// Reads numbers from standard input into a list and prints them in reverse.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *head = NULL;
    int value;
    while (scanf("%d", &value) == 1) {
        struct node *node = malloc(sizeof *node);
        node->value = value;
        node->next = head;
        head = node;
    }
    while (head) {
        struct node *next = head->next;
        printf("%d\n", head->value);
        free(head);
        head = next;
    }
    return 0;
}
