//@ truth: holds
//@ now: holds
//@ run: exit 0
// A list whose length and contents come from a random generator that the clock has seeded.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    srand((unsigned)time(NULL));
    struct node *head = NULL;
    while (rand() % 100 != 0) {
        struct node *node = malloc(sizeof *node);
        node->value = rand();
        node->next = head;
        head = node;
    }
    int count = 0;
    while (head != NULL) {
        struct node *next = head->next;
        free(head);
        head = next;
        count++;
    }
    printf("%s\n", count >= 0 ? "done" : "odd");
    return 0;
}
