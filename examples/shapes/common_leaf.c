//@ truth: holds
//@ now: holds
//@ run: exit 101
//@ property: unreach-call
//@ engine: three-valued
//@ shape-classes: classes.txt
// A tree in which one leaf stands for all that is missing, so that nobody asks for null. Nodes wait in a pool,
// where their left links are null, until they are used.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static void reach_error(void) {}

struct node {
    struct node *left, *right;
};

int main(void) {
    struct node *pool = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->left = 0;
        fresh->right = pool;
        pool = fresh;
    }
    struct node *leaf = malloc(sizeof *leaf);
    leaf->left = leaf;
    leaf->right = leaf;
    struct node *root = leaf;
    while (pool && __VERIFIER_nondet_int()) {
        struct node *node = pool;
        pool = node->right;
        if (__VERIFIER_nondet_int()) {
            node->left = root;
            node->right = leaf;
        } else {
            node->left = leaf;
            node->right = root;
        }
        root = node;
    }
    struct node *at = root;
    while (at != leaf) {
        if (!at->left || !at->right)
            reach_error();
        at = __VERIFIER_nondet_int() ? at->left : at->right;
    }
    return 0;
}
