//@ survey: T18, Shape Analysis, 4.2
//@ truth: violated valid-deref
// A tree that grows at its root, which may get the same child twice.
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
    struct node *root = leaf();
    while (__VERIFIER_nondet_int()) {
        struct node *node = leaf();
        if (__VERIFIER_nondet_int()) {
            node->left = root;
            node->right = root;
        } else {
            node->right = root;
        }
        root = node;
    }
    destroy(root);
    return 0;
}
