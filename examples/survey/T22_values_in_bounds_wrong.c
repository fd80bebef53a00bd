//@ survey: T22, FMCAD 2018, listing 1
//@ truth: violated unreach-call
// The values of a list should lie between 10 and 20 while walks over it increment or halve each;
// one reaches 21.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

static struct node *make(void) {
    struct node *node = malloc(sizeof *node);
    node->next = NULL;
    node->value = __VERIFIER_nondet_int();
    if (node->value < 10 || node->value > 20)
        node->value = 10;
    return node;
}

int main(void) {
    struct node *list = make(), *last = list;
    while (__VERIFIER_nondet_int()) {
        last->next = make();
        last = last->next;
    }
    while (__VERIFIER_nondet_int()) {
        for (struct node *t = list; t; t = t->next) {
            if (t->value <= 20)
                t->value++;
            else
                t->value /= 2;
            assert(t->value >= 10 && t->value <= 20);
        }
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
