//@ survey: T10, Shape Analysis, figure 5.1
//@ truth: violated valid-free
// A call in a call frees the node that the caller's caller still knows, and frees again.
#include <stdlib.h>

struct node {
    struct node *next;
};

static void modify(struct node *x) {
    free(x->next);
}

static void look(struct node *x) {
    if (x && x->next)
        modify(x);
}

static struct node *insert(struct node *y) {
    struct node *x = malloc(sizeof *x);
    x->next = y;
    look(x);
    return x;
}

int main(void) {
    struct node *list = malloc(sizeof *list);
    list->next = NULL;
    struct node *old = list;
    list = insert(list);
    free(list);
    free(old);
    return 0;
}
