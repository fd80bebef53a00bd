//@ truth: violated unreach-call
//@ now: violated unreach-call 46
//@ run: exit 101
//@ property: unreach-call
//@ engine: three-valued
//@ shape-classes: classes.txt
// A graph that grows: each new node leads to two older ones, but one of them may lead back.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static void reach_error(void) {}

struct node {
    struct node *left, *right;
};

static struct node *pick(struct node *at) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (at->left)
                at = at->left;
        } else if (at->right) {
            at = at->right;
        }
    }
    return at;
}

int main(void) {
    struct node *last = malloc(sizeof *last);
    last->left = 0;
    last->right = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->left = last;
        fresh->right = pick(last);
        if (!fresh->right->right && fresh->right != last)
            fresh->right->right = fresh;
        last = fresh;
    }
    struct node *start = pick(last);
    if (!start->left)
        return 0;
    struct node *end = pick(start->left);
    if (end == start)
        reach_error();
    return 0;
}
