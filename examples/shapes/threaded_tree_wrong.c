//@ truth: violated unreach-call
//@ now: violated unreach-call 62
//@ run: exit 101
//@ property: unreach-call
//@ engine: three-valued
//@ shape-classes: classes.txt
// A tree whose nodes are threaded in order: each knows its successor and mostly its predecessor.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static void reach_error(void) {}

struct node {
    struct node *left, *right, *succ, *pred;
};

static struct node *new_node(void) {
    struct node *node = malloc(sizeof *node);
    node->left = 0;
    node->right = 0;
    node->succ = 0;
    node->pred = 0;
    return node;
}

static struct node *pick(struct node *tree) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (tree->left)
                tree = tree->left;
        } else if (tree->right) {
            tree = tree->right;
        }
    }
    return tree;
}

int main(void) {
    struct node *root = new_node();
    while (__VERIFIER_nondet_int()) {
        struct node *at = pick(root);
        if (!at->left) {
            struct node *fresh = new_node();
            at->left = fresh;
            fresh->succ = at;
            fresh->pred = at->pred;
            if (at->pred)
                at->pred->succ = fresh;
            at->pred = fresh;
        } else if (!at->right) {
            struct node *fresh = new_node();
            at->right = fresh;
            fresh->pred = at;
            fresh->succ = at->succ;
            at->succ = fresh;
        }
    }
    struct node *at = pick(root);
    if (at->succ && at->succ->pred != at)
        reach_error();
    if (at->pred && at->pred->succ != at)
        reach_error();
    return 0;
}
