// A list and how long it is. After 2^31 nodes the number is negative, and the second loop frees none of them.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void) {
    struct node *list = NULL;
    int length = 0;
    int other = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
        length++;
        other += 2;
    }
    while (length > 0) {
        struct node *next = list->next;
        free(list);
        list = next;
        length--;
    }
    assert(list == NULL);
    return 0;
}
