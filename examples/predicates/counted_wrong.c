//@ truth: violated valid-deref
//@ now: violated valid-deref 27
//@ run: exit 101
//@ property: valid-memsafety
//@ predicates: counted.predicates
// The same, but the number is one more than there are nodes where the list was filled to the end.
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    unsigned length = 0;
    while (length < 10) {
        struct node *node = malloc(sizeof *node);
        if (!node) break;
        node->next = list;
        list = node;
        length++;
    }
    if (length == 10)
        length++;
    while (length > 0) {
        /* The eleventh node is not there. */
        struct node *rest = list->next;
        free(list);
        list = rest;
        length--;
    }
    return 0;
}
