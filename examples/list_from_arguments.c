//@ truth: holds
//@ now: holds
//@ run: exit 0
// A list with one node for each argument of the program.
#include <stdlib.h>

struct node {
    int number;
    struct node *next;
};

int main(int argc, char **argv) {
    if (argc > 1000)
        return 1;
    struct node *head = NULL;
    for (int i = 0; i < argc; i++) {
        struct node *node = malloc(sizeof *node);
        node->number = i;
        node->next = head;
        head = node;
    }
    while (head != NULL) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
