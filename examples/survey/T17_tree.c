//@ survey: T17, Shape Analysis, figure 1.1
//@ truth: holds
//@ expected: symbolic-heap, three-valued, forest-automata
// A binary tree: grown at its leaves, a path walked, freed leaf by leaf.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *left, *right;
};

static struct node *leaf(void) {
    struct node *node = malloc(sizeof *node);
    node->left = NULL;
    node->right = NULL;
    return node;
}

/* Takes leaves off until nothing is left. */
static void destroy(struct node *root) {
    while (root) {
        struct node *parent = NULL, *node = root;
        while (node->left || node->right) {
            parent = node;
            node = node->left ? node->left : node->right;
        }
        if (!parent)
            root = NULL;
        else if (parent->left == node)
            parent->left = NULL;
        else
            parent->right = NULL;
        free(node);
    }
}

int main(void) {
    struct node *root = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = leaf();
        struct node *t = root;
        if (!t) {
            root = node;
            continue;
        }
        while (t->left && t->right)
            t = __VERIFIER_nondet_int() ? t->left : t->right;
        if (!t->left)
            t->left = node;
        else
            t->right = node;
    }
    for (struct node *t = root; t;)
        t = __VERIFIER_nondet_int() ? t->left : t->right;
    destroy(root);
    return 0;
}
