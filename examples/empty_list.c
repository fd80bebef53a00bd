//@ truth: violated valid-deref
//@ now: violated valid-deref 15
//@ run: exit 101
// Null dereference: the maximum of a list is asked for before anyone looked whether it is empty.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *numbers;

static int maximum(const struct node *node) {
    int maximum = node->value;
    while ((node = node->next))
        if (node->value > maximum)
            maximum = node->value;
    return maximum;
}

int main(void) {
    return maximum(numbers);
}
