//@ survey: T10, Shape Analysis, figure 5.1
//@ truth: violated unreach-call
// A call in a call closes the list to a ring, and the caller's caller takes it for a list still.
#include <assert.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

static void modify(struct node *x) {
    x->next->next = x;
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
    assert(list->next == old && old->next == NULL);
    free(list);
    free(old);
    return 0;
}
