//@ survey: T17, Shape Analysis, figure 1.1
//@ truth: holds
//@ expected: symbolic-heap, three-valued, forest-automata
// A binary tree with links up: grown at its leaves, walked from a leaf to the root, freed leaf by
// leaf.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *left, *right, *up;
};

static struct node *leaf(struct node *up) {
    struct node *node = malloc(sizeof *node);
    node->left = NULL;
    node->right = NULL;
    node->up = up;
    return node;
}

static void destroy(struct node *node) {
    while (node) {
        if (node->left) {
            node = node->left;
        } else if (node->right) {
            node = node->right;
        } else {
            struct node *up = node->up;
            if (up && up->left == node)
                up->left = NULL;
            else if (up)
                up->right = NULL;
            free(node);
            node = up;
        }
    }
}

int main(void) {
    struct node *root = leaf(NULL);
    while (__VERIFIER_nondet_int()) {
        struct node *t = root;
        while (t->left && t->right)
            t = __VERIFIER_nondet_int() ? t->left : t->right;
        if (!t->left)
            t->left = leaf(t);
        else
            t->right = leaf(t);
    }
    struct node *t = root;
    while (t->left)
        t = t->left;
    while (t->up)
        t = t->up;
    assert(t == root);
    destroy(root);
    return 0;
}
